"""Metrics of chains: hand-worked values, and what holds for all chains there are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain.corpus import Clusters, Corpus
from finegrain.metrics.coreference import COREFERENCE_METRICS, FURTHER_COREFERENCE_METRICS
from finegrain.metrics.coreference import scores as of_counts
from finegrain.metrics.coreference.ceaf import ceaf
from finegrain.metrics.coreference.contingency import Contingency
from finegrain.metrics.coreference.counts import b_cubed, lea, muc
from finegrain.table.samples import documents, whole
from finegrain.tasks.coreference import align

METRICS = (*COREFERENCE_METRICS, *FURTHER_COREFERENCE_METRICS)
Chains = list[set[int]]
WORDS = 8
TEXT = [[f"w{place}" for place in range(WORDS)]]


def corpus(*by_document: Chains) -> Corpus:
    """One sentence per document, in which every word may be a mention."""
    here = list(range(len(by_document)))
    rows = [
        (document, word, word + 1, str(number))
        for document, chains in enumerate(by_document)
        for number, chain in enumerate(chains)
        for word in chain
    ]
    return replace(
        Corpus.of(TEXT * len(by_document), documents=here),
        clusters=Clusters.of(rows, documents=here),
    )


def scores(gold: Corpus, system: Corpus) -> dict[str, float]:
    table = align(gold, {"s": system})
    kinds = dict.fromkeys(metric.statistics for metric in METRICS)
    sums = {one: one(table, whole(table))[0, 0] for one in kinds}
    return {one.name: float(one.score(sums[one.statistics])) for one in METRICS}


@st.composite
def chains(draw: st.DrawFn) -> Chains:
    """Words 0 to 7, each in one of four chains or in none."""
    places = draw(st.lists(st.integers(-1, 3), min_size=WORDS, max_size=WORDS))
    found = [{word for word, chain in enumerate(places) if chain == number} for number in range(4)]
    return [chain for chain in found if chain]


def plain_muc(one: Chains, other: Chains) -> tuple[float, float]:
    found = needed = 0
    for chain in one:
        parts = {next((at for at, c in enumerate(other) if word in c), -1 - word) for word in chain}
        found += len(chain) - len(parts)
        needed += len(chain) - 1
    return found, needed


def plain_b_cubed(one: Chains, other: Chains) -> tuple[float, float]:
    found = 0.0
    for chain in one:
        found += sum(len(chain & there) ** 2 / len(chain) for there in other)
    return found, sum(map(len, one))


def plain_lea(one: Chains, other: Chains) -> tuple[float, float]:
    found = 0.0
    for chain in one:
        if len(chain) == 1:
            found += chain in other
            continue
        pairs = list(combinations(chain, 2))
        kept = sum(any(a in there and b in there for there in other) for a, b in pairs)
        found += len(chain) * kept / len(pairs)
    return found, sum(map(len, one))


@given(chains(), chains())
def test_counts_are_those_of_plain_sets(key: Chains, response: Chains) -> None:
    pairs = Contingency.of(key, response)
    plain: dict[Callable[[Contingency], Any], Callable[[Chains, Chains], tuple[float, float]]]
    plain = {muc: plain_muc, b_cubed: plain_b_cubed, lea: plain_lea}
    for fast, slow in plain.items():
        expected = [*slow(key, response), *slow(response, key)]
        assert fast(pairs)[0].tolist() == pytest.approx(expected), fast.__name__


@given(chains(), chains())
def test_ceaf_is_the_best_of_all_pairings(key: Chains, response: Chains) -> None:
    def best(similarity: Callable[[set[int], set[int]], float]) -> float:
        padded: Sequence[set[int]] = [*response, *(set[int]() for _ in key)]
        orders = permutations(padded, len(key))
        return max(
            (sum(similarity(*pair) for pair in zip(key, one, strict=True)) for one in orders),
            default=0.0,
        )

    pairs = Contingency.of(key, response)
    by_mentions = best(lambda one, other: len(one & other))
    by_entities = best(lambda one, other: 2 * len(one & other) / (len(one) + len(other)))
    assert ceaf(pairs, by="mentions")[0, 0] == pytest.approx(by_mentions)
    assert ceaf(pairs, by="entities")[0, 0] == pytest.approx(by_entities)


@given(chains(), chains())
@settings(max_examples=50, deadline=None)
def test_gold_against_gold_is_perfect_where_it_is_defined(one: Chains, two: Chains) -> None:
    """MUC and ARCS need a link, BLANC a pair, all others a mention; else they are undefined."""
    gold = corpus(one, two)
    sizes = [len(chain) for chains in (one, two) for chain in chains]
    linked = any(size > 1 for size in sizes)
    for name, value in scores(gold, gold).items():
        needs_link = name.startswith(("muc", "arcs", "conll"))
        defined = linked if needs_link else bool(sizes)
        assert value == pytest.approx(1) if defined else math.isnan(value), name


@given(chains(), chains(), chains(), chains(), st.permutations(range(4)))
@settings(max_examples=50, deadline=None)
def test_names_of_chains_and_order_of_documents_change_nothing(
    key: Chains, other_key: Chains, response: Chains, other: Chains, order: list[int]
) -> None:
    straight = scores(corpus(key, other_key), corpus(response, other))
    shuffled = [response[at] for at in order if at < len(response)]
    turned = scores(corpus(other_key, key), corpus(other, shuffled))
    assert turned == pytest.approx(straight, nan_ok=True)


@given(chains(), chains(), chains(), chains())
@settings(max_examples=50, deadline=None)
def test_statistics_of_documents_add_up(
    key: Chains, other_key: Chains, response: Chains, other: Chains
) -> None:
    table = align(corpus(key, other_key), {"s": corpus(response, other)})
    for count in {metric.statistics for metric in METRICS}:
        apart = count(table, documents(table)).sum(axis=0)
        assert np.allclose(apart, count(table, whole(table))[0])


@given(chains(), chains())
@settings(max_examples=50, deadline=None)
def test_recall_of_one_side_is_precision_of_the_other(key: Chains, response: Chains) -> None:
    """The paper's appendix A.2: one response as key of the other."""
    there, back = scores(corpus(key), corpus(response)), scores(corpus(response), corpus(key))
    for family in ("mention", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "mention_overlap"):
        assert there[f"{family}_recall"] == pytest.approx(back[f"{family}_precision"], nan_ok=True)
        assert there[f"{family}_f1"] == pytest.approx(back[f"{family}_f1"], nan_ok=True)


@given(chains(), chains())
@settings(max_examples=50, deadline=None)
def test_links_to_any_antecedent_are_the_links_of_muc(key: Chains, response: Chains) -> None:
    """A chain of n mentions has n - 1 links, and so many of them are right as MUC finds."""
    found = scores(corpus(key), corpus(response))
    for short in ("precision", "recall", "f1"):
        assert found[f"arcs_{short}"] == pytest.approx(found[f"muc_{short}"], nan_ok=True)


def test_undefined_without_links_and_zero_with_links_on_one_side() -> None:
    """Key {a} {b}: no link to find. Response {a b}: one link, and it is wrong."""
    lonely = scores(corpus([{0}, {1}]), corpus([{0}, {1}]))
    assert math.isnan(lonely["muc_f1"])
    assert math.isnan(lonely["conll_f1"])
    assert lonely["b_cubed_f1"] == lonely["lea_f1"] == lonely["blanc_f1"] == 1
    linked = scores(corpus([{0}, {1}]), corpus([{0, 1}]))
    assert math.isnan(linked["muc_recall"])
    assert linked["muc_precision"] == linked["muc_f1"] == 0


def test_a_response_without_mentions() -> None:
    found = scores(corpus([{0, 1}]), corpus([]))
    assert found["mention_recall"] == found["muc_f1"] == found["conll_f1"] == 0
    assert math.isnan(found["mention_precision"])


def test_blanc_leaves_out_what_the_key_does_not_have() -> None:
    """Key {abc}, response {ab} {c}: pairs of one chain 1 of 3 and 1 of 1; F = 2/4.

    The response has two pairs of two chains, none of them right: F = 0, which only the CorefUD
    scorer counts.
    """
    found = scores(corpus([{0, 1, 2}]), corpus([{0, 1}, {2}]))
    assert found["blanc_f1"] == pytest.approx(1 / 2)
    assert found["corefud_blanc_f1"] == pytest.approx(1 / 4)


def test_scores_take_any_leading_axes() -> None:
    counts = np.ones((3, 2, len(of_counts.FAMILIES), 4))
    assert of_counts.blanc_f1(counts).shape == of_counts.conll_average(counts).shape == (3, 2)
