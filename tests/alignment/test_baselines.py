"""Floors learnt from training data: by hand, and what must hold for all of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.alignment.baselines import BASELINES, baseline
from finegrain.corpus import Corpus, Spans, Texts
from finegrain.corpus.tag_schemes import SCHEMES, encode

Rows = list[list[tuple[str, str]]]


def _corpus(rows: Rows) -> Corpus:
    return Corpus.of([[w for w, _ in r] for r in rows], tags=[[t for _, t in r] for r in rows])


def _plain(sentence: str, tag: str = "O") -> Corpus:
    words = sentence.split()
    return Corpus.of([words], tags=[[tag] * len(words)])


def _tags(corpus: Corpus) -> list[str]:
    return list(corpus.layers["tags"])


def test_most_frequent_tags_by_hand() -> None:
    """run: VERB 2, NOUN 1. the: DET. Hapaxes: cat NOUN, dog NOUN, big ADJ -> NOUN for zebra."""
    train = Corpus.of(
        [["the", "cat", "run"], ["the", "big", "run"], ["the", "dog", "run"]],
        tags=[["DET", "NOUN", "VERB"], ["DET", "ADJ", "NOUN"], ["DET", "NOUN", "VERB"]],
    )
    made = baseline("most-frequent", train, _plain("the zebra run The", "X"), task="tags")
    assert _tags(made) == ["DET", "NOUN", "VERB", "NOUN"]
    folded = baseline(
        "most-frequent", train, _plain("the zebra run The", "X"), task="tags", fold_case=True
    )
    assert _tags(folded)[-1] == "DET"


def test_without_words_that_occur_once_unknown_words_get_the_most_frequent_tag() -> None:
    train = Corpus.of([["a", "a", "a", "b", "b"]], tags=[["X", "X", "X", "Y", "Y"]])
    assert _tags(baseline("most-frequent", train, _plain("c", "X"), task="tags")) == ["X"]


def test_ties_go_to_the_more_frequent_tag_then_to_the_alphabet() -> None:
    """w: Y 1, Z 1, but Z is more frequent in all. v: A 1, B 1, and both occur once."""
    train = Corpus.of([["w", "w", "z", "v", "v"]], tags=[["Y", "Z", "Z", "B", "A"]])
    assert _tags(baseline("most-frequent", train, _plain("w v", "X"), task="tags")) == ["Z", "A"]


def test_most_frequent_spans_are_well_formed() -> None:
    """York is mostly I-LOC; alone it opens a span."""
    train = Corpus.of([["New", "York"], ["x"]], tags=[["B-LOC", "I-LOC"], ["O"]])
    made = baseline("most-frequent", train, _plain("York x New York"))
    assert _tags(made) == ["B-LOC", "O", "B-LOC", "I-LOC"]
    assert fg.align(_plain("York x New York"), {"floor": made}).repairs == {"floor": 0}


def test_gazetteer_takes_the_longest_match_from_left_to_right() -> None:
    """Known: a b, b c d, d. At a: "a b" (2); c is nothing; d. Not "b c d": b is taken."""
    train = Corpus.of(
        [["a", "b"], ["b", "c", "d"], ["d"]], tags=[["B-X", "I-X"], ["B-Y", "I-Y", "I-Y"], ["B-Z"]]
    )
    assert _tags(baseline("gazetteer", train, _plain("a b c d b c d"))) == [
        "B-X", "I-X", "O", "B-Z", "B-Y", "I-Y", "I-Y",
    ]  # fmt: skip


def test_gazetteer_does_not_cross_sentences() -> None:
    train = Corpus.of([["New", "York"]], tags=[["B-LOC", "I-LOC"]])
    gold = Corpus.of([["New"], ["York"]], tags=[["O"], ["O"]])
    assert _tags(baseline("gazetteer", train, gold)) == ["O", "O"]


def test_gazetteer_labels_are_the_most_frequent_or_ambiguous_entities_are_skipped() -> None:
    """Washington: PER 2, LOC 1. With skip, as in CoNLL-2003, only Ada is left."""
    train = Corpus.of(
        [["Washington"]] * 3 + [["Ada"]], tags=[["B-PER"], ["B-LOC"], ["B-PER"], ["B-PER"]]
    )
    gold = _plain("Washington met Ada")
    assert _tags(baseline("gazetteer", train, gold)) == ["B-PER", "O", "B-PER"]
    assert _tags(baseline("gazetteer", train, gold, ambiguous="skip")) == ["O", "O", "B-PER"]


def test_a_skipped_entity_leaves_room_for_a_shorter_one() -> None:
    train = Corpus.of(
        [["New", "York"], ["New", "York"], ["New"]],
        tags=[["B-LOC", "I-LOC"], ["B-ORG", "I-ORG"], ["B-LOC"]],
    )
    made = baseline("gazetteer", train, _plain("New York"), ambiguous="skip")
    assert _tags(made) == ["B-LOC", "O"]


@pytest.mark.parametrize("scheme", ["iob1", "iob2", "bioes", "bilou"])
def test_answers_are_written_as_the_gold_is(scheme: str) -> None:
    train = Corpus.of([["New", "York"], ["Ada"]], tags=[["B-LOC", "I-LOC"], ["B-PER"]])
    plain = _plain("Ada in New York")
    spans = Spans.of([(0, 0, 1, "PER"), (0, 2, 4, "LOC")])
    gold = replace(plain, layers={"tags": encode(spans, plain.offsets, SCHEMES[scheme])})
    table = fg.align(gold, {"floor": baseline("gazetteer", train, gold)})
    assert table.settings["scheme"] == scheme
    assert fg.score(table).value("traditional_f1", "floor") == 1


def test_gold_with_spans_gets_spans() -> None:
    base = _plain("Ada in New York")
    gold = Corpus(
        "g", base.offsets, base.tokens, spans=Spans.of([(0, 0, 1, "PER"), (0, 0, 4, "S")])
    )
    train = Corpus.of([["New", "York"]], tags=[["B-LOC", "I-LOC"]])
    made = baseline("gazetteer", train, gold)
    assert made.spans is not None
    assert (made.spans.begin.tolist(), made.spans.end.tolist()) == ([2], [4])
    fg.align(gold, {"floor": made})


def test_nested_training_spans_make_a_gazetteer_but_no_tags() -> None:
    base = _plain("New York Times")
    train = Corpus(
        "t", base.offsets, base.tokens, spans=Spans.of([(0, 0, 3, "ORG"), (0, 0, 2, "LOC")])
    )
    assert _tags(baseline("gazetteer", train, _plain("New York is"))) == ["B-LOC", "I-LOC", "O"]
    with pytest.raises(fg.UsageError, match="use the baseline gazetteer"):
        baseline("most-frequent", train, _plain("New York"))


def test_what_cannot_be_is_said() -> None:
    gold = _plain("a")
    no_text = Corpus("t.spans", np.array([0, 1]), spans=Spans.of([(0, 0, 1, "PER")]))
    with pytest.raises(fg.InputError, match=r"t\.spans: has annotation only"):
        baseline("gazetteer", no_text, gold)
    with pytest.raises(fg.InputError, match="no layer 'tags'"):
        baseline("most-frequent", Corpus.of([["a"]]), _plain("a", "N"))
    with pytest.raises(fg.UsageError, match=r"unknown baseline 'gazeteer'\. Did you mean"):
        baseline("gazeteer", gold, gold)
    with pytest.raises(fg.UsageError, match="is for spans"):
        baseline("gazetteer", _plain("a", "N"), _plain("a", "N"))
    with pytest.raises(fg.UsageError, match="nothing can be learnt"):
        baseline("most-frequent", Corpus.of([[]], tags=[[]]), gold)
    with pytest.raises(fg.UsageError, match="unknown way with ambiguous"):
        baseline("gazetteer", gold, gold, ambiguous="drop")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", BASELINES)
def test_training_data_without_entities_give_none(kind: str) -> None:
    assert _tags(baseline(kind, _plain("a b"), _plain("a b c"))) == ["O"] * 3


def test_wnut16_floors_are_below_the_systems(shared: Path) -> None:
    folder = shared / "data" / "ner" / "wnut16"
    gold, train = (fg.read(str(folder / f"{name}.txt.gz")) for name in ("test", "train"))
    floors = {kind: baseline(kind, train, gold) for kind in BASELINES}
    systems = {**floors, "flair": fg.read(str(folder / "system-flair.txt.gz"))}
    scores = fg.score(fg.align(gold, systems)).overall["traditional_f1"]
    assert 0 < scores[0] < scores[2]
    assert 0 < scores[1] < scores[2]


rows = st.lists(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "c", "d"]),
            st.sampled_from(["O", "O", "B-X", "I-X", "B-Y", "I-Y"]),
        ),
        min_size=1,
        max_size=6,
    ),
    min_size=1,
    max_size=5,
)


@pytest.mark.parametrize("kind", BASELINES)
@settings(max_examples=60, deadline=None)
@given(train=rows, gold=rows, random=st.randoms())
def test_floors_do_not_depend_on_the_order_of_training(
    kind: str, train: Rows, gold: Rows, random: object
) -> None:
    mixed = list(train)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    made = [
        _tags(baseline(kind, _corpus(one), _corpus(gold), task="spans", scheme="iob2"))
        for one in (train, mixed)
    ]
    assert made[0] == made[1]


@pytest.mark.parametrize("kind", BASELINES)
@settings(max_examples=60, deadline=None)
@given(train=rows, gold=rows)
def test_floors_do_not_look_at_gold_annotation(kind: str, train: Rows, gold: Rows) -> None:
    blank = [[(word, "O") for word, _ in row] for row in gold]
    made = [
        _tags(baseline(kind, _corpus(train), _corpus(one), task="spans", scheme="iob2"))
        for one in (gold, blank)
    ]
    assert made[0] == made[1]


entities = st.lists(
    st.sampled_from([("O", 1), ("PER", 1), ("LOC", 2), ("ORG", 3)]), min_size=1, max_size=8
)


@settings(max_examples=60, deadline=None)
@given(entities=st.lists(entities, min_size=1, max_size=5))
def test_a_gazetteer_of_unambiguous_entities_is_perfect_on_its_training_data(
    entities: list[list[tuple[str, int]]],
) -> None:
    """Every label has words of its own, so that no entity is part of another text."""
    data: Rows = [
        [
            (f"{label}{at}", "O" if label == "O" else f"{'I' if at else 'B'}-{label}")
            for label, size in row
            for at in range(size)
        ]
        for row in entities
    ]
    corpus = _corpus(data)
    assert _tags(baseline("gazetteer", corpus, corpus, task="spans")) == _tags(corpus)


def _naive_gazetteer(train: Rows, gold: Rows) -> list[str]:
    corpus = _corpus(train)
    table = fg.align(corpus, {"s": corpus}, task="spans", scheme="iob2")
    label_counts: dict[str, int] = {}
    counts: dict[tuple[str, ...], dict[str, int]] = {}
    for row in range(len(table)):
        label, text = table.labels[table.label[row]], tuple(table.text(row).split())
        label_counts[label] = label_counts.get(label, 0) + 1
        of_text = counts.setdefault(text, {})
        of_text[label] = of_text.get(label, 0) + 1
    tags = []
    for line in gold:
        words = [word for word, _ in line]
        at = 0
        while at < len(words):
            ends = [end for end in range(len(words), at, -1) if tuple(words[at:end]) in counts]
            if ends:
                known = counts[tuple(words[at : ends[0]])]
                best = min(known, key=lambda name: (-known[name], -label_counts[name], name))
                tags += [f"B-{best}"] + [f"I-{best}"] * (ends[0] - at - 1)
            else:
                tags.append("O")
            at = ends[0] if ends else at + 1
    return tags


@settings(max_examples=100, deadline=None)
@given(train=rows, gold=rows)
def test_the_gazetteer_agrees_with_plain_search(train: Rows, gold: Rows) -> None:
    made = baseline("gazetteer", _corpus(train), _corpus(gold), task="spans", scheme="iob2")
    assert _tags(made) == _naive_gazetteer(train, gold)


def test_a_million_tokens_take_seconds() -> None:
    """Simulated text, repeated; seconds on any machine, minutes if tokens were Python objects."""
    made = fg.simulate(tokens=5_000, seed=1)
    times = 200
    words = made.gold.tokens
    assert words is not None
    big = Corpus(
        "big",
        np.concatenate([[0], np.cumsum(np.tile(np.diff(made.gold.offsets), times))]),
        Texts(words.buffer, np.tile(words.starts, times), np.tile(words.lengths, times)),
        {"tags": replace(tags := made.gold.layers["tags"], codes=np.tile(tags.codes, times))},
    )
    begin = process_time()
    assert big.n_tokens > 1_000_000
    for kind in BASELINES:
        baseline(kind, big, big)
    assert process_time() - begin < 20
