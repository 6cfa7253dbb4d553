"""Recall, precision and accuracy by what the training data show, by hand and against counting."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.explain.novelty import CLASSES, novelty
from finegrain.analyses.explain.seen_and_unseen import SeenAndUnseen
from finegrain.corpus import Corpus, Spans
from finegrain.corpus.label_rules import LabelRules
from finegrain.table.verdicts import solved
from finegrain.tasks import TASKS
from finegrain.testing import small_corpora
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from tests.schema import require_schema

TRAIN = Corpus.of(
    [["New", "York", "Times"], ["in", "New", "York"], ["Ada", "met", "Bob"], ["Bob"]],
    tags=[["B-ORG", "I-ORG", "I-ORG"], ["O", "B-LOC", "I-LOC"], ["B-PER", "O", "B-PER"], ["O"]],
)
TEXT = [["NEW", "YORK", "saw", "Ada", "and", "New"], ["New", "York", "Times", "met"]]
GOLD = Corpus.of(
    TEXT,
    tags=[["B-LOC", "I-LOC", "O", "B-ORG", "O", "B-LOC"], ["B-ORG", "I-ORG", "I-ORG", "B-PER"]],
)
SYSTEM = Corpus.of(
    TEXT,
    tags=[["B-LOC", "I-LOC", "O", "B-PER", "O", "O"], ["B-LOC", "I-LOC", "O", "B-PER"]],
)


def _cells(side: dict[str, dict[str, float]]) -> dict[str, tuple[float, float]]:
    return {kind: (cells["units"], cells["correct"]) for kind, cells in side.items()}


def test_spans_by_hand() -> None:
    """Gold: NEW YORK LOC seen (case folded), found; Ada ORG seen as PER only, missed (LE);
    New LOC unseen as a whole, missed; New York Times ORG seen, missed; met PER unseen, found.
    Predictions: NEW YORK LOC seen, right; Ada PER seen, wrong; New York LOC seen, wrong;
    met PER unseen, right.
    """
    result = novelty(fg.align(GOLD, {"s": SYSTEM}), TRAIN).to_json()["s"]
    assert _cells(result["recall"]) == {"seen": (2, 1), "other_label": (1, 0), "unseen": (2, 1)}
    assert _cells(result["precision"]) == {"seen": (3, 1), "other_label": (0, 0), "unseen": (1, 1)}
    assert result["recall"]["seen"]["recall"] == 0.5
    assert result["precision"]["other_label"]["precision"] is None
    assert _cells(result["labels"]["LOC"]["recall"])["unseen"] == (1, 0)
    assert _cells(result["labels"]["PER"]["precision"])["seen"] == (1, 0)


def test_case_can_be_kept() -> None:
    """Now NEW YORK is unseen."""
    result = novelty(fg.align(GOLD, {"s": SYSTEM}), TRAIN, fold_case=False)
    assert result.gold.sum(axis=0).tolist() == [1, 1, 3]
    assert "case:kept" in result.signature


def test_tags_by_hand() -> None:
    """the DET known; run NOUN known as VERB only; cat NOUN known, wrong; zebra NOUN unknown."""
    train = Corpus.of([["The", "cat", "run"]], tags=[["DET", "NOUN", "VERB"]])
    text = [["the", "run", "cat", "zebra"]]
    gold = Corpus.of(text, tags=[["DET", "NOUN", "NOUN", "NOUN"]])
    system = Corpus.of(text, tags=[["DET", "NOUN", "VERB", "NOUN"]])
    result = novelty(fg.align(gold, {"s": system}), train)
    side = result.to_json()["s"]["accuracy"]
    assert _cells(side) == {
        "known": (3, 2), "unknown": (1, 1), "seen": (2, 1), "other_label": (1, 1),
    }  # fmt: skip
    assert [row[:3] for row in result.listings()[0].rows] == [
        ("known", 3, 2 / 3),
        ("known, with this tag", 2, 0.5),
        ("known, with other tags only", 1, 1.0),
        ("unknown", 1, 1.0),
    ]


def test_spans_with_gaps_are_looked_up_by_their_words() -> None:
    """ "left ... knee" was seen without the gap."""
    words = [["left", "and", "right", "knee"]]
    train = Corpus.of([["left", "knee"]], tags=[["B-X", "I-X"]])
    base = Corpus.of(words)
    gold = Corpus(
        "gold", base.offsets, base.tokens, spans=Spans.of([(0, 0, 4, "X", (0, 3)), (0, 2, 4, "X")])
    )
    result = novelty(fg.align(gold, {"s": gold}), train)
    assert result.gold[0].tolist() == [1, 0, 1]


def test_spans_that_do_not_fit_tokens_are_looked_up_by_what_they_cover() -> None:
    """Of "(London)," the span covers "London"."""
    train = Corpus.of([["London"]], tags=[["B-X"]])
    base = Corpus.of([["(London),", "now"]])
    one = np.array([0], np.int32)
    spans = Spans(one, one, one + 1, one, ("X",), one, (), one + 1, one + 2)
    gold = Corpus("gold", base.offsets, base.tokens, spans=spans)
    assert novelty(fg.align(gold, {"s": gold}), train).gold[0].tolist() == [1, 0, 0]


def test_labels_of_training_are_renamed_by_the_same_rules() -> None:
    train = Corpus.of([["Ada"]], tags=[["B-PERSON"]])
    gold = Corpus.of([["Ada"]], tags=[["B-PER"]])
    table = fg.align(gold, {"s": gold})
    rules = LabelRules(rename={"PERSON": "PER"})
    assert novelty(table, train).gold[0].tolist() == [0, 1, 0]
    assert novelty(table, train, rules=rules).gold[0].tolist() == [1, 0, 0]


def test_training_data_in_another_scheme_show_the_same() -> None:
    bioes = Corpus.of(
        [["New", "York", "Times"], ["in", "New", "York"], ["Ada", "met", "Bob"], ["Bob"]],
        tags=[["B-ORG", "I-ORG", "E-ORG"], ["O", "B-LOC", "E-LOC"], ["S-PER", "O", "S-PER"], ["O"]],
    )
    table = fg.align(GOLD, {"s": SYSTEM})
    assert novelty(table, bioes).to_json() == novelty(table, TRAIN).to_json()


def test_gold_as_training_data_is_noticed() -> None:
    gold = Corpus.of([["Ada"]] * 100, tags=[["B-PER"]] * 100)
    result = novelty(fg.align(gold, {"s": gold}), gold)
    assert any("are they the gold standard itself?" in note for note in result.notes)
    assert result.recall()[0, 0] == 1
    assert np.isnan(result.recall()[1:, 0]).all()


def test_text_and_tags_are_needed() -> None:
    table = fg.align(GOLD, {"s": SYSTEM})
    spans_only = Corpus("t.spans", np.array([0, 1]), spans=Spans.of([(0, 0, 1, "PER")]))
    with pytest.raises(fg.InputError, match=r"t\.spans: has annotation only"):
        novelty(table, spans_only)
    with pytest.raises(fg.InputError, match="no layer 'tags'"):
        novelty(table, Corpus.of([["a"]]))
    tags = Corpus.of([["a"]], tags=[["N"]])
    with pytest.raises(fg.InputError, match="no layer 'tags'"):
        novelty(fg.align(tags, {"s": tags}), Corpus.of([["a"]]))
    with pytest.raises(fg.UsageError, match="unknown scheme 'bio9'"):
        novelty(table, TRAIN, scheme="bio9")


def test_a_training_file_without_entities_shows_nothing() -> None:
    train = Corpus.of([["New", "York"]], tags=[["O", "O"]])
    result = novelty(fg.align(GOLD, {"s": SYSTEM}), train)
    assert result.gold.sum(axis=0).tolist() == [0, 0, 5]


@pytest.mark.parametrize("view", [as_csv, as_latex, as_markdown])
def test_every_view_can_show_it(view: object) -> None:
    for gold, train in (
        (GOLD, TRAIN),
        (Corpus.of([["a"]], tags=[["N"]]), Corpus.of([["a"]], tags=[["V"]])),
    ):
        result = novelty(fg.align(gold, {"s": gold}), train)
        assert view(result)  # type: ignore[operator]
        require_schema(json.loads(as_json(result, command="x")), "novelty")


def _naive_entities(rows: list[list[tuple[str, str]]]) -> Iterator[tuple[int, int, int, str, str]]:
    """Sentence, begin, end, surface and label by plain reading of IOB2."""
    for number, row in enumerate(rows):
        at = 0
        while at < len(row):
            prefix, _, label = row[at][1].partition("-")
            end = at + 1
            if prefix != "O":
                while end < len(row) and row[end][1] == f"I-{label}":
                    end += 1
                surface = " ".join(word for word, _ in row[at:end]).casefold()
                yield number, at, end, surface, label
            at = end


def _rows(path: Path, column: int) -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = [[]]
    for line in gzip.decompress(path.read_bytes()).decode().split("\n"):
        cells = line.split()
        if cells:
            found[-1].append((cells[0], cells[column]))
        elif found[-1]:
            found.append([])
    return found if found[-1] else found[:-1]


def test_wnut16_agrees_with_plain_counting(shared: Path) -> None:
    folder = shared / "data" / "ner" / "wnut16"
    seen = Counter((e[3], e[4]) for e in _naive_entities(_rows(folder / "train.txt.gz", 1)))
    surfaces = {surface for surface, _ in seen}
    gold = list(_naive_entities(_rows(folder / "system-flair.txt.gz", 1)))
    answers = set(_naive_entities(_rows(folder / "system-flair.txt.gz", 2)))

    def kind(entity: tuple[int, int, int, str, str]) -> str:
        if seen[entity[3:]]:
            return "seen"
        return "other_label" if entity[3] in surfaces else "unseen"

    table = fg.align(
        fg.read(str(folder / "test.txt.gz")),
        {"flair": fg.read(str(folder / "system-flair.txt.gz"))},
    )
    result = novelty(table, fg.read(str(folder / "train.txt.gz"))).to_json()["flair"]
    units, right = Counter(map(kind, gold)), Counter(kind(e) for e in gold if e in answers)
    assert _cells(result["recall"]) == {name: (units[name], right[name]) for name in CLASSES}
    predicted = Counter(map(kind, answers))
    assert _cells(result["precision"]) == {n: (predicted[n], right[n]) for n in CLASSES}
    assert sum(units.values()) == 3473
    assert sum(right.values()) == 1506  # traditional true positives of Flair


words = st.sampled_from(["a", "A", "b", "New", "new", "ß", "SS"])
tags = st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"])
corpora = st.lists(st.lists(st.tuples(words, tags), min_size=1, max_size=6), min_size=1, max_size=4)


def _corpus(rows: list[list[tuple[str, str]]]) -> Corpus:
    return Corpus.of([[w for w, _ in r] for r in rows], tags=[[t for _, t in r] for r in rows])


@settings(max_examples=100, deadline=None)
@given(train=corpora, gold=corpora)
def test_classes_agree_with_plain_counting(
    train: list[list[tuple[str, str]]], gold: list[list[tuple[str, str]]]
) -> None:
    learnt = {(e[3], e[4]) for e in _naive_entities(train)}
    surfaces = {surface for surface, _ in learnt}
    expected = [0, 0, 0]
    for entity in _naive_entities(gold):
        expected[0 if entity[3:] in learnt else 1 if entity[3] in surfaces else 2] += 1
    corpus = _corpus(gold)
    result = novelty(fg.align(corpus, {"s": corpus}, task="spans"), _corpus(train))
    assert result.gold.sum(axis=0).tolist() == expected
    assert result.correct[..., 0].tolist() == result.gold.tolist()  # perfect output is perfect


@settings(max_examples=50, deadline=None)
@given(train=corpora, seed=st.randoms())
def test_the_order_of_training_sentences_does_not_matter(
    train: list[list[tuple[str, str]]], seed: object
) -> None:
    table = fg.align(GOLD, {"s": SYSTEM})
    mixed = list(train)
    seed.shuffle(mixed)  # type: ignore[attr-defined]
    one, two = (novelty(table, _corpus(rows), scheme="iob2") for rows in (train, mixed))
    assert one.to_json() == two.to_json()


@pytest.mark.parametrize(
    ("name", "measure"), [("dependencies", "accuracy"), ("coreference", "recall")]
)
def test_without_labels_in_training_units_are_seen_or_unseen(name: str, measure: str) -> None:
    """Only words are looked up: those of a unit stand somewhere in the training text, or not."""
    table = TASKS[name].align(*small_corpora(name))
    train = Corpus.of([["ADA", "Lovelace", "is", "she"], ["of", "london"]])
    result = novelty(table, train)
    words = ["ada lovelace is she", "of london"]
    seen = [
        any(f" {table.text(row).casefold()} " in f" {text} " for text in words)
        for row in np.flatnonzero(table.is_gold).tolist()
    ]
    for place, system in enumerate(table.systems):
        side = result.to_json()[system][measure]
        right = solved(table)[table.is_gold, place]
        assert _cells(side) == {
            "seen": (sum(seen), int(right[seen].sum())),
            "unseen": (len(seen) - sum(seen), int(right[np.logical_not(seen)].sum())),
        }
        assert ("precision" in result.to_json()[system]) == table.task.open
    assert [row[0] for row in result.listings()[0].rows] == ["seen", "unseen"]
    assert f"train:{train.n_tokens}" in result.signature


def test_both_results_stand_in_one_table_of_equal_width() -> None:
    gold, systems = small_corpora("spans")
    table = fg.align(gold, systems)
    scores, novelty_ = fg.score(table), novelty(table, gold)
    both = SeenAndUnseen(scores, novelty_).records()
    assert {len(row) for row in both.rows} == {len(both.columns)}
    assert len(both.rows) == len(scores.records().rows) + len(novelty_.records().rows)
