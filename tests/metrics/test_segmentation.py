"""Boundaries and windows: worked examples, nltk's definitions, and texts of any kind."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.errors import InputError, UsageError
from finegrain.formats import FORMATS, read_source, recognise
from finegrain.formats.source import source_of
from finegrain.table import OutcomeTable
from finegrain.tasks import TASKS
from finegrain.tasks.segmentation import align


def _read(text: str, name: str = "") -> Corpus:
    source = source_of("text.txt", text.encode())
    return read_source(source, FORMATS[name] if name else recognise(source, FORMATS_OF_TASK))


FORMATS_OF_TASK = TASKS["segmentation"].formats


def _scores(table: OutcomeTable) -> dict[str, float]:
    found = fg.score(table)
    return {name: found.value(name, table.systems[0]) for name in found.overall}


def windowdiff(one: str, two: str, k: int) -> float:
    """As nltk.metrics.segmentation has it."""
    wrong = sum(
        one[at : at + k].count("1") != two[at : at + k].count("1") for at in range(len(one) - k + 1)
    )
    return wrong / (len(one) - k + 1)


def pk(one: str, two: str, k: int) -> float:
    """As nltk.metrics.segmentation has it."""
    wrong = sum(
        ("1" in one[at : at + k]) != ("1" in two[at : at + k]) for at in range(len(one) - k + 1)
    )
    return wrong / (len(one) - k + 1)


def test_the_examples_of_nltk() -> None:
    """The values that its documentation gives for these strings with k = 3."""
    s1, s2, s3 = "000100000010", "000010000100", "100000010000"
    pairs = {(s1, s1): (0.0, 0.0), (s1, s2): (0.3, None), (s2, s3): (0.8, None)}
    for (one, two), (expected, _) in pairs.items():
        table = align(_read(one), {"a": _read(two)}, window="3")
        assert _scores(table)["window_diff"] == pytest.approx(expected)
        assert _scores(table)["pk"] == pytest.approx(pk(one, two, 3))


@given(st.integers(0, 2**32))
def test_windows_are_those_of_nltk(seed: int) -> None:
    draw = random.Random(seed)
    size = draw.randrange(4, 60)
    one, two = ("".join(draw.choice("0001") for _ in range(size)) for _ in range(2))
    one, two = one[:-1] + "0", two[:-1] + "0"
    window = draw.randrange(1, size)
    found = _scores(align(_read(one), {"a": _read(two)}, window=str(window)))
    assert found["window_diff"] == pytest.approx(windowdiff(one, two, window))
    assert found["pk"] == pytest.approx(pk(one, two, window))
    gold, mine = ({at for at, char in enumerate(text) if char == "1"} for text in (one, two))
    if gold or mine:
        f1 = 2 * len(gold & mine) / (len(gold) + len(mine))
        assert found["boundary_f1"] == pytest.approx(f1)


def test_nltk_itself() -> None:
    segmentation = pytest.importorskip("nltk.metrics.segmentation", reason="needs nltk")
    one, two = "0100010000100010", "0100100000000110"
    found = _scores(align(_read(one), {"a": _read(two)}, window="4"))
    assert found["window_diff"] == pytest.approx(segmentation.windowdiff(one, two, 4))
    assert found["pk"] == pytest.approx(segmentation.pk(one, two, 4))


def test_sentences_by_hand() -> None:
    """Gold ends at 7, 10, 14 of 14 characters, the system at 7, 14: one boundary of two is found.

    k is 14 / 3 / 2 = 2.33, rounded 2: of 12 windows those from 8 to 10 and 9 to 11 differ.
    """
    gold, mine = _read("So it is.\nNo.\nYes.\n"), _read("So it is.\nNo. Yes.\n")
    table = align(gold, {"a": mine})
    assert table.settings["window"] == "2"
    assert _scores(table) == pytest.approx({
        "boundary_precision": 1.0, "boundary_recall": 0.5, "boundary_f1": 2 / 3,
        "window_diff": 2 / 12, "pk": 2 / 12, "segment_precision": 1 / 2, "segment_recall": 1 / 3,
        "segment_f1": 2 / 5,
    })  # fmt: skip
    outcomes = [table.outcomes[table.outcomes.names[code]].wording for code in table.outcome[:, 0]]
    assert outcomes == ["correct", "merged", "counted with a gold segment", "merged"]


def test_texts_are_not_run_together() -> None:
    one = _scores(align(_read("ab\ncd\n\nef\ngh\n"), {"a": _read("ab\ncd\n\nefgh\n")}, window="2"))
    assert (one["boundary_recall"], one["window_diff"]) == (0.5, 2 / 4)
    assert align(_read("ab\ncd\n\nef\n"), {}).corpus.n_documents == 2


def test_boundaries_within_words_are_told_by_characters() -> None:
    table = align(_read("So it is.No.\n"), {"a": _read("So it is.\nNo.\n")})
    assert _scores(table)["boundary_precision"] == 0.0
    assert [table.text(row) for row in range(len(table))] == ["So it is.", "So it is.No.", "No."]


def test_words_are_segments_on_request() -> None:
    gold, mine = _read("我们 爱 北京\n他 来 了\n"), _read("我们 爱 北 京\n他 来了\n")
    spans = _scores(align(gold, {"a": mine}, segments="words"))
    assert (spans["boundary_recall"], spans["boundary_precision"]) == (3 / 4, 3 / 4)
    lines = _read("the cat sat\n", "text"), _read("the cats at\n", "text")
    table = align(lines[0], {"a": lines[1]}, segments="words")
    assert _scores(table)["boundary_f1"] == 0.5


def _line(*ends: tuple[int, int]) -> str:
    spans = [{"start": begin, "end": end, "label": "sentence"} for begin, end in ends]
    return json.dumps({"id": "d", "text": "So it is. No.", "spans": spans}) + "\n"


def test_json_lines_with_offsets() -> None:
    gold, mine = _read(_line((0, 9), (10, 13))), _read(_line((0, 13)))
    assert _scores(align(gold, {"a": mine}))["segment_recall"] == 0.0
    assert _scores(align(gold, {"a": gold}))["boundary_f1"] == 1.0
    with pytest.raises(InputError, match="do not cover the text one by one"):
        align(_read(_line((0, 5), (10, 13))), {})


@pytest.mark.parametrize(
    ("mine", "message"),
    [
        ("So it was.\nNo.\n", "'was.No.' where text.txt has 'is.No.'"),
        ("So it is.\n", "'the end' where|the end where text.txt has 'No.'"),
        ("So it is.\n\nNo.\n", "2 texts, but 1 in text.txt"),
    ],
)
def test_other_texts_are_refused(mine: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        align(_read("So it is.\nNo.\n"), {"a": _read(mine)})


def test_bad_options_and_strings() -> None:
    for option in ({"window": "x"}, {"window": "0"}, {"segments": "topics"}):
        with pytest.raises(UsageError):
            align(_read("a\nb\n"), {}, **option)
    with pytest.raises(InputError, match=r"text.txt:2: '2' in place of 0 or 1 \(column 3\)"):
        _read("0101\n012\n", "boundaries")


def test_strings_that_end_in_1_have_no_boundary_there() -> None:
    table = align(_read("01001\n0011\n"), {"a": _read("00101\n0011\n")})
    assert _scores(table)["boundary_recall"] == 1 / 2
    assert any("the end of the text" in note for note in table.notes)
