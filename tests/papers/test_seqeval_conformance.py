"""Span scores equal seqeval's on any tags, well-formed or not (Nakayama 2018, seqeval 1.2.2).

Each test compares 300 generated corpora: first the entities themselves, gold and system, then
precision, recall and F1, overall and per label. seqeval writes 0 where we write nan.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqeval.metrics.sequence_labeling import get_entities, precision_recall_fscore_support
from seqeval.metrics.v1 import precision_recall_fscore_support as strict_scores
from seqeval.scheme import BILOU, IOB1, IOB2, IOBES, IOE2, Entities, Token

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.corpus.tag_schemes import Policy
from finegrain.table import OutcomeTable

Tags = list[list[str]]
Pairs = list[list[tuple[str, str]]]
Entity = tuple[int, int, int, str]

LABELS = ("PER", "LOC", "NP-SBJ")
METRICS = ("traditional_precision", "traditional_recall", "traditional_f1")
many = settings(max_examples=300, deadline=None)


def tag_pairs(prefixes: str) -> st.SearchStrategy[Pairs]:
    """Sentences of (gold tag, system tag).

    They are strung together from single tokens, half of which agree, and from chunks of three
    tokens, which random tags would rarely form: found, missed, or mistaken for another label.
    """
    tags = ["O", *(f"{prefix}-{label}" for prefix in prefixes for label in LABELS)]
    pieces = [[(gold, system)] for gold in tags for system in tags]
    pieces += [[(tag, tag)] for tag in tags] * len(tags)
    chunk = [
        prefixes[place]
        for place in {"BI": (0, 1, 1), "IE": (0, 0, 1), "I": (0, 0, 0)}.get(prefixes, (0, 1, 2))
    ]
    chunks = [["O"] * 3, *([f"{prefix}-{label}" for prefix in chunk] for label in LABELS)]
    pairs = [list(zip(gold, system, strict=True)) for gold in chunks for system in chunks]
    pieces += pairs * (len(pieces) // len(pairs))
    sentence = st.lists(st.sampled_from(pieces), min_size=1, max_size=5).map(_joined)
    return st.lists(sentence, min_size=1, max_size=3)


def _joined(pieces: Pairs) -> list[tuple[str, str]]:
    return [pair for piece in pieces for pair in piece]


def sides(pairs: Pairs) -> tuple[Tags, Tags]:
    gold = [[one for one, _ in sentence] for sentence in pairs]
    return gold, [[two for _, two in sentence] for sentence in pairs]


def aligned(gold: Tags, system: Tags, scheme: str, policy: Policy) -> OutcomeTable:
    words = [["w"] * len(sentence) for sentence in gold]
    return fg.align(
        Corpus.of(words, tags=gold),
        {"system": Corpus.of(words, tags=system)},
        task="spans", scheme=scheme, policy=policy,
    )  # fmt: skip


def entities_of(table: OutcomeTable) -> tuple[set[Entity], set[Entity]]:
    """Gold spans, and the system's own: gold rows that it hit and other rows that it has."""
    rows = list(
        zip(
            table.sentence.tolist(),
            table.begin.tolist(),
            table.end.tolist(),
            [table.labels[code] for code in table.label.tolist()],
            strict=True,
        )
    )
    gold = {row for row, is_gold in zip(rows, table.is_gold, strict=True) if is_gold}
    hit = table.is_outcome("TP")[:, 0]
    absent = table.is_outcome("ABSENT")[:, 0]
    has = [hit[row] if table.is_gold[row] else not absent[row] for row in range(len(rows))]
    return gold, {row for row, system_has in zip(rows, has, strict=True) if system_has}


def lenient_entities(tags: Tags) -> set[Entity]:
    return {
        (number, first, last + 1, label)
        for number, sentence in enumerate(tags)
        for label, first, last in get_entities(sentence)
    }


def strict_entities(tags: Tags, scheme: type[Token]) -> set[Entity]:
    return {
        (entity.sent_id, entity.start, entity.end, entity.tag)
        for sentence in Entities(tags, scheme).entities
        for entity in sentence
    }


def assert_same_scores(table: OutcomeTable, seqeval: Callable[..., tuple]) -> None:
    """``seqeval`` takes ``average`` and returns precision, recall, F1 and support."""
    scores = fg.score(table, METRICS)
    for name, expected in zip(METRICS, seqeval(average="micro"), strict=False):
        value = scores.value(name, "system")
        assert (0 if math.isnan(value) else value) == pytest.approx(expected, abs=1e-12), name
    *values, support = seqeval(average=None)  # of labels in alphabetical order
    assert scores.support.tolist() == list(support)
    for name, expected in zip(METRICS, values, strict=True):
        for label, wanted in zip(table.labels, expected, strict=True):
            value = scores.value(name, "system", label=label)
            assert (0 if math.isnan(value) else value) == pytest.approx(wanted, abs=1e-12), label


def assert_like_seqeval_default(gold: Tags, system: Tags, table: OutcomeTable) -> None:
    assert entities_of(table) == (lenient_entities(gold), lenient_entities(system))

    def seqeval(average: str | None) -> tuple:
        return precision_recall_fscore_support(gold, system, average=average, zero_division=0)

    assert_same_scores(table, seqeval)


def assert_like_seqeval_strict(pairs: Pairs, scheme: str, seqeval_scheme: type[Token]) -> None:
    gold, system = sides(pairs)
    table = aligned(gold, system, scheme, "discard")
    expected = (strict_entities(gold, seqeval_scheme), strict_entities(system, seqeval_scheme))
    assert entities_of(table) == expected

    def seqeval(average: str | None) -> tuple:
        return strict_scores(gold, system, average=average, zero_division=0, scheme=seqeval_scheme)

    assert_same_scores(table, seqeval)


@pytest.mark.parametrize("scheme", ["iob1", "iob2"])
@many
@given(pairs=tag_pairs("BI"))
def test_the_default_policy_is_seqeval_default_for_iob(scheme: str, pairs: Pairs) -> None:
    gold, system = sides(pairs)
    assert_like_seqeval_default(gold, system, aligned(gold, system, scheme, "conlleval"))


@pytest.mark.parametrize("scheme", ["ioe1", "ioe2"])
@many
@given(pairs=tag_pairs("IE"))
def test_the_default_policy_is_seqeval_default_for_ioe(scheme: str, pairs: Pairs) -> None:
    gold, system = sides(pairs)
    assert_like_seqeval_default(gold, system, aligned(gold, system, scheme, "conlleval"))


@many
@given(pairs=tag_pairs("I"))
def test_the_default_policy_is_seqeval_default_for_io(pairs: Pairs) -> None:
    gold, system = sides(pairs)
    assert_like_seqeval_default(gold, system, aligned(gold, system, "io", "conlleval"))


@many
@given(pairs=tag_pairs("BIES"))
def test_the_default_policy_is_seqeval_default_for_bioes(pairs: Pairs) -> None:
    gold, system = sides(pairs)
    assert_like_seqeval_default(gold, system, aligned(gold, system, "bioes", "conlleval"))


@many
@given(pairs=tag_pairs("BILU"))
def test_bilou_under_the_default_policy_is_the_same_corpus_in_bioes(pairs: Pairs) -> None:
    gold, system = sides(pairs)
    table = aligned(gold, system, "bilou", "conlleval")
    renamed = {"L": "E", "U": "S"}
    rewritten = [
        [[renamed.get(tag[0], tag[0]) + tag[1:] for tag in sentence] for sentence in side]
        for side in (gold, system)
    ]
    in_bioes = aligned(*rewritten, "bioes", "conlleval")
    assert entities_of(table) == entities_of(in_bioes)
    assert table.outcome.tolist() == in_bioes.outcome.tolist()
    assert table.repairs == in_bioes.repairs
    assert_like_seqeval_default(*rewritten, table)


@many
@given(pairs=tag_pairs("BI"))
def test_discarding_is_seqeval_strict_for_iob1(pairs: Pairs) -> None:
    assert_like_seqeval_strict(pairs, "iob1", IOB1)


@many
@given(pairs=tag_pairs("BI"))
def test_discarding_is_seqeval_strict_for_iob2(pairs: Pairs) -> None:
    assert_like_seqeval_strict(pairs, "iob2", IOB2)


@many
@given(pairs=tag_pairs("IE"))
def test_discarding_is_seqeval_strict_for_ioe2(pairs: Pairs) -> None:
    assert_like_seqeval_strict(pairs, "ioe2", IOE2)


@many
@given(pairs=tag_pairs("BIES"))
def test_discarding_is_seqeval_strict_for_bioes(pairs: Pairs) -> None:
    assert_like_seqeval_strict(pairs, "bioes", IOBES)


@many
@given(pairs=tag_pairs("BILU"))
def test_discarding_is_seqeval_strict_for_bilou(pairs: Pairs) -> None:
    assert_like_seqeval_strict(pairs, "bilou", BILOU)
