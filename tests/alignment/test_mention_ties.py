"""Ties between mentions: the same annotation has the same score in any order of brackets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain.alignment.ranked_pairs import Pair, ranked_pairs
from finegrain.analyses.scores.score import score
from finegrain.corpus import Corpus
from finegrain.corpus.clusters import WORD, ClustersBuilder
from finegrain.formats.corefud import read
from finegrain.formats.source import source_of
from finegrain.metrics import METRICS
from finegrain.metrics.coreference import COREFERENCE_METRICS
from finegrain.tasks.coreference import align

# words a b c d, of which b has an empty node behind it that depends on it
LINES = ("1\ta\t2:dep", "2\tb\t0:root", "2.1\t_\t2:nsubj", "3\tc\t2:dep", "4\td\t2:dep")


def document(*cells: str) -> Corpus:
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head"]
    for line, cell in zip(LINES, cells, strict=True):
        number, form, deps = line.split("\t")
        entity = f"Entity={cell}" if cell else "_"
        lines.append("\t".join([number, form, *"_____", "_", deps, entity]))
    return read(source_of("memory", "\n".join([*lines, "", ""]).encode()))


def conll(gold: Corpus, system: Corpus, **options: Any) -> float:
    table = align(gold, {"s": system}, singletons="remove", **options)
    return score(table, [METRICS["conll_f1"]]).value("conll_f1", "s")


@pytest.mark.parametrize("cell", ["(e2--1(e1--1)", "(e1--1)(e2--1"])
@pytest.mark.parametrize("match", ["exact", "head"])
def test_of_zeros_that_depend_on_one_word_the_one_with_the_same_words_is_taken(
    cell: str, match: str
) -> None:
    """The gold zero has no words; neither has that of e1, but that of e2 has one."""
    gold = document("(e1--1)", "", "(e1--1)", "", "")
    assert conll(gold, document("(e1--1)", "", cell, "e2)", ""), match=match) == 1.0


@pytest.mark.parametrize("cell", ["(e2--1(e1--1)", "(e1--1)(e2--1"])
def test_of_mentions_with_one_head_the_one_that_ends_earlier_is_taken(cell: str) -> None:
    """Gold "b c": "c" and "c d" both have half of it, and both begin with c."""
    gold = document("(e1--1)", "(e1--3", "", "e1)", "")
    assert conll(gold, document("(e1--1)", "", "", cell, "e2)"), match="head") == 1.0


@pytest.mark.parametrize("cell", ["(e1--1)(e2--1)", "(e2--1)(e1--1)"])
def test_a_mention_of_two_chains_that_begin_with_it_goes_to_the_one_that_goes_on_first(
    cell: str,
) -> None:
    gold = document("(e1--1)", "(e1--1)", "", "", "(e2--1)")
    assert conll(gold, document(cell, "(e1--1)", "", "", "(e2--1)")) == 1.0


Row = tuple[tuple[int, ...], str, int]
NODES = (1 * WORD, 2 * WORD, 2 * WORD + 1, 2 * WORD + 2, 3 * WORD, 4 * WORD)


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    """Mentions with words, empty nodes and gaps, some of them twice."""
    found = []
    for _ in range(draw(st.integers(0, 6))):
        nodes = sorted(draw(st.sets(st.sampled_from(NODES), min_size=1, max_size=4)))
        found.append((tuple(nodes), draw(st.sampled_from("abc")), draw(st.sampled_from(nodes))))
    return found


def corpus(mentions: list[Row]) -> Corpus:
    builder = ClustersBuilder()
    for nodes, name, head in mentions:
        parents = ((2 * WORD, "nsubj"),) if head % WORD else ()
        builder.add(0, nodes, (0, name), head=head, parents=parents)
    text = Corpus.of([["a", "b", "c", "d"]], documents=[0])
    return replace(text, clusters=builder.clusters())


OPTIONS = (
    {"match": "exact", "zeros": "dependent", "singletons": "keep"},
    {"match": "exact", "zeros": "linear", "singletons": "remove"},
    {"match": "partial", "zeros": "linear", "singletons": "keep"},
    {"match": "head", "zeros": "dependent", "singletons": "remove"},
    {"match": "head", "zeros": "linear", "singletons": "keep"},
)


@settings(max_examples=60, deadline=None)
@given(rows(), rows(), st.sampled_from(OPTIONS), st.data())
def test_scores_do_not_depend_on_the_order_of_brackets(
    key: list[Row], response: list[Row], options: Any, data: st.DataObject
) -> None:
    turned = data.draw(st.permutations(key)), data.draw(st.permutations(response))
    found = [
        score(align(corpus(one), {"s": corpus(two)}, **options), COREFERENCE_METRICS)
        for one, two in ((key, response), turned)
    ]
    for name in found[0].overall:
        expected = pytest.approx(found[0].value(name, "s"), nan_ok=True)
        assert found[1].value(name, "s") == expected, name


pairs = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
    st.builds(Fraction, st.integers(1, 3), st.integers(1, 3)),
    max_size=7,
)


@given(pairs)
def test_of_the_best_pairings_the_one_with_the_first_pairs_is_taken(
    drawn: dict[tuple[int, int], Fraction],
) -> None:
    """All sets of pairs are tried."""
    given_: list[Pair] = [(one, other, gain) for (one, other), gain in drawn.items()]
    places = range(len(given_))
    subsets = chain.from_iterable(combinations(places, size) for size in range(len(given_) + 1))
    possible = (
        some for some in subsets
        if all(len({given_[at][side] for at in some}) == len(some) for side in (0, 1))
    )  # fmt: skip
    best = max(
        possible,
        key=lambda some: (sum(given_[at][2] for at in some), [at in some for at in places]),
    )
    assert ranked_pairs(given_) == list(best)


def test_many_rivals_are_paired_with_the_largest_gain() -> None:
    """Beyond the size up to which ties are settled: 1 everywhere but in the diagonal."""
    size = 45
    both = product(range(size), repeat=2)
    given_: list[Pair] = [(one, other, Fraction(1 + (one == other))) for one, other in both]
    found = [given_[at][:2] for at in ranked_pairs(given_)]
    assert found == [(one, one) for one in range(size)]
