"""Words that outputs get right, n-grams that tell systems apart, and whether metrics agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import finegrain as fg
from finegrain.alignment.segment_measures import per_segment
from finegrain.errors import InputError
from finegrain.metrics.generation import ter
from finegrain.simulation import simulate_translations
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from tests.metrics.test_generation import lines


def _table(gold: list[str], *systems: list[str], **options: str) -> OutcomeTable:
    named = {f"s{place}": lines(f"s{place}", texts) for place, texts in enumerate(systems)}
    return fg.align(lines("gold", gold), named, task="generation", **options)


def test_words_by_hand(tmp_path: Path) -> None:
    # references: a a b / c; output: a b b / d. Frequencies: a 2, b 1, c 1, d 0
    # a: right 1 of output 1 and reference 2, F1 2/3; b and c: right 1 of output 2, reference 2: 1/2
    table = _table(["a a b", "c"], ["a b b", "d"])
    found = fg.study(table, "shared_words", intervals=0)
    rows = {row[0]: row[1:3] for row in found.tables[0].rows}
    assert rows == {
        "0": (0, 0.0),
        "1": (2, pytest.approx(0.5)),
        "2 to 4": (2, pytest.approx(2 / 3)),
    }
    (tmp_path / "counts").write_text("a 10\nb 1\nc 300\n")
    (tmp_path / "labels").write_text("a\tvowel\nb\tother\nc\tother\n")
    table = _table(
        ["a a b", "c"], ["a b b", "d"], frequencies=str(tmp_path / "counts"),
        word_labels=str(tmp_path / "labels"),
    )  # fmt: skip
    found = fg.study(table, "shared_words", intervals=0)
    assert [row[0] for row in found.tables[0].rows] == ["0", "1", "10 to 99", "100 to 999"]
    by_label = {row[0]: row[1:3] for row in found.tables[1].rows}
    assert by_label["vowel"] == (2, pytest.approx(2 / 3))
    assert by_label["other"] == (2, pytest.approx(0.5))
    assert [row["bucket"] for row in found.data["by label"]] == ["other", "vowel", "(no label)"]


def test_lists_of_words_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "labels").write_text("a noun\n")
    with pytest.raises(InputError, match="labels:1: expected a word, a tab and its label"):
        _table(["a"], ["a"], word_labels=str(tmp_path / "labels"))
    (tmp_path / "counts").write_text("a 1\n" * 60 + "b\n")
    with pytest.raises(InputError, match="counts:61: expected a word and how often"):
        _table(["a"], ["a"], frequencies=str(tmp_path / "counts"))


def test_ngrams_that_one_system_gets() -> None:
    table = _table(["so it is", "so it was"], ["so it is", "so it was"], ["so is it", "so was"])
    (first, *_) = fg.study(table, "shared_words", intervals=0).tables[1].rows
    assert first == ("s0", "s1", "so it", 2, 0)


def test_lost_numbers_are_rare_words_that_a_system_gets_wrong() -> None:
    made = simulate_translations(tokens=3000, systems={"lossy": ["drops-numbers"], "even": []})
    table = fg.align(made.gold, made.systems, task="generation")
    data = fg.study(table, "shared_words", intervals=200).data["by frequency in the references"]
    rare = next(row["systems"] for row in data if row["bucket"] == "2 to 4")
    assert rare["lossy"]["interval"][1] < rare["even"]["f1"]


def test_agreement_of_metrics() -> None:
    made = simulate_translations(tokens=1500)
    table = fg.align(made.gold, made.systems, task="generation")
    data = fg.study(table, "metric_agreement").data
    pair = next(
        one for one in data["agreement"] if (one["first"], one["second"]) == ("chrf", "ter")
    )
    every = Samples(table.sentence, len(table))
    edits = ter(next(
        one for one in table.task.default_metrics() if one.name == "ter"
    ).statistics(table, every))  # fmt: skip
    chrf = table.values["chrf"].matrix
    expected = stats.spearmanr(chrf.ravel(), -edits.ravel()).statistic
    assert pair["spearman_of_units"] == pytest.approx(expected)
    assert per_segment(table, "ter").shape == (len(table), 3, 2)
    assert -1 <= pair["kendall"] <= 1
    assert sorted(data["systems"]["bleu"]["order"]) == ["neural", "phrases", "pruner"]


def _by_token(tmp_path: Path, labels: str, **how: str) -> dict[str, tuple[int, float]]:
    (tmp_path / "pos").write_text(labels)
    table = _table(
        ["I can open a can.", "Open it!"], ["I can close a door.", "Close can it!"],
        token_labels=f"{tmp_path / 'pos'}{how.get('layer', '')}",
    )  # fmt: skip
    found = fg.study(table, "shared_words", intervals=0).tables[1]
    assert found.title == "Words by label in the first reference"
    return {str(row[0]): (int(row[1]), float(row[2])) for row in found.rows}


CONLL = "I PRON\ncan AUX\nop VERB\nen X\na DET\ncan NOUN\n. PUNCT\n\nOpen VERB\nit PRON\n! PUNCT\n"


def test_words_by_the_labels_of_the_tokens_of_references(tmp_path: Path) -> None:
    # AUX: the first "can" is right. The second output has "can" where the reference has none: it
    # counts as what "can" mostly is, of AUX and NOUN once each the first by name: right 1, output
    # 2, reference 1. NOUN: the other "can" is missed: 0 of 1. PRON: I, it. VERB: open is missed
    # twice; "close" and "door" have no label
    expected = {
        "AUX": (1, pytest.approx(2 / 3)),
        "DET": (1, 1.0),
        "NOUN": (1, 0.0),
        "PRON": (2, 1.0),
        "VERB": (2, 0.0),
        "(no label)": (0, 0.0),
    }
    assert _by_token(tmp_path, CONLL) == expected
    assert _by_token(tmp_path, "PRON AUX VERB DET NOUN\nVERB PRON\n") == expected
    rows = ["1\tI\t_\tPRON\tP", "2-3\tcan\t_\t_\t_", "2\tc\t_\tAU\tV", "3\tan\t_\tX\tV",
            "4\topen\t_\tVERB\tV", "5\ta\t_\tDET\tD", "6\tcan\t_\tNOUN\tN"]  # fmt: skip
    others = ["1\tOpen\t_\tVERB\tV", "2\tit\t_\tPRON\tP"]
    text = "".join(
        "".join(f"{row}\t_\t{'_' if '-' in row[:3] else 0}\t_\t_\t_\n" for row in own) + "\n"
        for own in (rows, others)
    )
    joined = {name.replace("AUX", "AU+X"): value for name, value in expected.items()}
    assert _by_token(tmp_path, text) == joined
    assert _by_token(tmp_path, text, layer=":xpos")["V"] == (2, 0.0)


def test_labels_stay_with_their_segments(tmp_path: Path) -> None:
    (tmp_path / "pos").write_text(CONLL)
    table = _table(["I can open a can.", "Open it!"], ["", ""], token_labels=str(tmp_path / "pos"))
    part = table.where(np.array([False, True]))
    rows = fg.study(part, "shared_words", intervals=0).tables[1].rows
    assert [row[:2] for row in rows] == [("PRON", 1), ("VERB", 1)]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("A A A A A\nB\n", "pos:2: 1 label, but the reference has 2 words"),
        ("I X\n", "pos: 1 sentence for 2 segments"),
        (CONLL.replace("Open", "Shut"), "pos:9: the tokens of sentence 2 are not the words of"),
    ],
)
def test_labels_of_other_tokens_are_refused(tmp_path: Path, labels: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        _by_token(tmp_path, labels)


def test_a_layer_that_labels_do_not_have(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pos: there is no layer 'xpos'\. Its layers: tags"):
        _by_token(tmp_path, CONLL, layer=":xpos")


@pytest.mark.parametrize(("intervals", "level", "columns"), [(0, 0.95, 3), (100, 0.9, 4)])
def test_columns_of_intervals_say_their_level_and_are_left_out_without(
    intervals: int, level: float, columns: int
) -> None:
    table = _table(["a b c"] * 30, ["a b d"] * 15 + ["c"] * 15)
    listing = fg.study(table, "shared_words", intervals=intervals, confidence=level).tables[0]
    assert len(listing.columns) == columns == len(listing.rows[0])
    assert [one.name for one in listing.columns[3:]] == ["s0 90 %"] * (columns - 3)
