"""Sign flips: exact for few samples, consistent ends, and effects without the winner's luck."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain.resampling.against_rest import (
    Clusters,
    against_rest,
    contributions,
    turned_together,
)
from finegrain.resampling.sign_flips import Contributions, corrected_effects, flipped
from finegrain.resampling.subsets import Subsets
from finegrain.table.samples import Samples


def _subsets(seed: int, items: int) -> Subsets:
    """Two groupings of 3 and 4 subsets, of which some items have none."""
    generator = np.random.default_rng(seed)
    first, second = generator.integers(-1, 3, items), generator.integers(2, 7, items)
    return Subsets(np.stack([first, np.where(second == 2, -1, second)]).astype(np.int32), 7)


def test_p_is_the_share_of_all_sign_changes_with_so_large_a_largest_value() -> None:
    """Nine samples and two tests that depend on each other: all 512 changes of signs."""
    generator = np.random.default_rng(3)
    moved = generator.normal(0.6, 1, (9, 2))
    moved[:, 1] += moved[:, 0]
    found = flipped(Contributions(moved, np.ones((9, 2)), np.zeros(2)), resamples=40_000)
    signs = np.array(list(product((1, -1), repeat=9)))
    turned = signs[:, :, None] * moved
    values = turned.sum(axis=1) / np.sqrt(9 * turned.var(axis=1, ddof=1))
    for test in range(2):
        own = moved[:, test].sum() / np.sqrt(9 * moved[:, test].var(ddof=1))
        assert found.value[test] == pytest.approx(own)
        exact = float(np.mean(values.max(axis=1) >= own - 1e-9))
        assert found.p[test] == pytest.approx(exact, abs=0.01)


def test_five_samples_show_nothing() -> None:
    """All of one sign is one of 32 changes."""
    found = flipped(Contributions(np.ones((5, 1)), np.ones((5, 1)), np.ones(1)), resamples=4000)
    assert found.p[0] == pytest.approx(1 / 32, abs=0.01)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_an_interval_excludes_0_exactly_where_p_is_below_the_level(seed: int) -> None:
    generator = np.random.default_rng(seed)
    weight = generator.uniform(0.5, 3, (20, 4))
    moved = generator.normal(0, 1, (20, 4)) + weight * [0, 0.4, 0.8, 1.6]
    found = flipped(Contributions(moved, weight, np.full(4, 5.0)), resamples=199, seed=seed)
    assert ((found.low > 0) == (found.value > found.threshold)).all()
    assert (found.p[found.low > 0] <= 0.05 + 1e-9).all()
    assert (found.p[found.low <= 0] > 0.05 - 1e-9).all()


def test_what_documents_contribute_by_hand() -> None:
    """5 units of which 2 are inside, wrong 1, 1 | 0, 1, 0; and 3, of which 1: wrong 0 | 1, 0.

    Within documents: 2 - 2 * 3/5 = .8 and 0 - 1/3; weights 2 * 3 / 5 and 1 * 2 / 3.
    """
    wrong = np.array([1, 1, 0, 1, 0, 0, 1, 0], float)[:, None]
    inside = np.array([0, 0, -1, -1, -1, 0, -1, -1], np.int32)[None]
    document = np.repeat([0, 1], [5, 3])
    found = contributions(
        wrong, Subsets(inside, 1), Clusters(document, within=True), Samples(document, 2)
    )
    assert found.moved[:, 0].tolist() == pytest.approx([0.8, -1 / 3])
    assert found.weight[:, 0].tolist() == pytest.approx([1.2, 2 / 3])
    assert found.least[0] == pytest.approx(1.2 * 0.3 + 2 / 3 * 1 / 3)  # variances 6 / 20, 1 / 3
    apart = contributions(wrong, Subsets(inside, 1), Clusters(document), Samples(document, 2))
    assert apart.moved.sum() == pytest.approx(2 - 3 * 0.5)  # all errors inside less 3 of 8 times 4
    assert apart.weight.sum() == pytest.approx(3 * 5 / 8)
    assert apart.least[0] == pytest.approx(3 * 5 / 8 * 2 / 7)  # 4 of 8: 8 / 4 / 7


def test_without_documents_weights_are_what_an_effect_of_1_adds() -> None:
    """Losses that are 1 inside and 0 outside contribute exactly their weights."""
    generator = np.random.default_rng(4)
    inside = generator.random(200) < 0.3
    subsets = Subsets(np.where(inside, 0, -1).astype(np.int32)[None], 1)
    sentence = np.arange(200) // 4
    for within in (False, True):
        clusters = Clusters(sentence, within)
        found = contributions(
            inside[:, None].astype(float), subsets, clusters, Samples(sentence, 50)
        )
        assert found.moved == pytest.approx(found.weight)


def test_many_samples_are_put_together_and_nothing_is_lost() -> None:
    generator = np.random.default_rng(6)
    wrong, subsets = generator.random(9000) < 0.2, _subsets(6, 9000)
    sentence = np.arange(9000) // 3
    found = turned_together(subsets, wrong.astype(np.int64), sentence)
    turned, size = found
    assert size == 1024
    sizes = np.bincount(turned) // 3
    assert sizes.min() >= 2
    assert sizes.max() <= 3
    every = np.unique(sentence * 4096 + turned)
    assert len(every) == 3000  # a sentence turns as a whole
    losses = wrong[:, None].astype(float)
    apart, together = (
        contributions(losses, subsets, Clusters(sentence), codes)
        for codes in (Samples(sentence, 3000), found)
    )
    assert together.moved.sum(axis=0) == pytest.approx(apart.moved.sum(axis=0))
    assert together.weight.sum(axis=0) == pytest.approx(apart.weight.sum(axis=0))


@pytest.mark.parametrize("within", [False, True])
def test_the_order_of_clusters_is_irrelevant(within: bool) -> None:
    generator = np.random.default_rng(7)
    wrong, subsets = generator.random(400) < 0.2, _subsets(7, 400)
    cluster = np.repeat(np.arange(20), 20)
    order = np.argsort(generator.permutation(20)[cluster], kind="stable")
    one = against_rest(wrong, subsets, Clusters(cluster, within), resamples=200)
    moved = Clusters(np.repeat(np.arange(20), 20), within)
    other = against_rest(wrong[order], subsets.take(order), moved, resamples=200)
    assert one.p.tolist() == other.p.tolist()
    assert other.effect == pytest.approx(one.effect)


def test_errors_that_cluster_in_sentences_are_no_weakness_of_sentences() -> None:
    """Buckets are properties of sentences, which are all wrong or all right; by 40 documents."""
    false = 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        sentence = np.arange(1200) // 4
        bad = generator.random(300) < 0.15
        kind = generator.integers(0, 8, 300)
        document = sentence // 8
        subsets = Subsets(kind[sentence][None].astype(np.int32), 8)
        found = against_rest(bad[sentence], subsets, Clusters(document, within=True), resamples=199)
        false += bool((found.p <= 0.05).any())
    assert false <= 8  # of 60 at 5 %: more have a chance of 1 %


def test_effects_that_are_told_because_they_are_large_are_right_on_average() -> None:
    """Truth 0.5 with a standard error of 0.22; naive effects of what is found are a third more."""
    generator = np.random.default_rng(8)
    naive, told = [], []
    for seed in range(300):
        noise = generator.normal(0, 1, (20, 10))
        noise[:, 0] += 0.5
        found = flipped(
            Contributions(noise, np.ones((20, 10)), np.zeros(10)), resamples=199, seed=seed
        )
        if found.p[0] <= 0.05:
            naive.append(found.effect[0])
            told.append(corrected_effects(found)[0])
    assert len(naive) > 60
    assert np.mean(naive) > 0.6
    assert abs(np.mean(told) - 0.5) < 0.1
