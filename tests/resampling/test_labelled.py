"""Counts by label, of the labels that samples have: the same intervals as all labels at once."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.scores.score_intervals import score_intervals
from finegrain.corpus import Corpus
from finegrain.metrics.dependency_counts import relation_counts
from finegrain.metrics.label_counts import (
    OverLabels,
    accuracy,
    f1,
    macro,
    micro,
    of_pooled,
    precision,
    recall,
    weighted,
)
from finegrain.metrics.label_statistics import Cells
from finegrain.metrics.metric import Score
from finegrain.metrics.span_scores import SPAN_METRICS, WEIGHTS, span_counts, weighed
from finegrain.metrics.tag_scores import TAG_METRICS, tag_counts
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.label_intervals import ends_of
from finegrain.resampling.labelled import Labelled, Size, distinct_cells
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.samples import sentences
from finegrain.table.scale import PROPORTION

SCORES: list[OverLabels] = [micro(f1), macro(f1), weighted(f1), of_pooled(accuracy)]
LABEL_SCORES: list[Score] = [precision, recall, f1]
DRAWING = Drawing(60, 0.9, 3)
SCALED = [(score, PROPORTION) for score in SCORES]
LABELS_SCALED = [(score, PROPORTION) for score in LABEL_SCORES]


def _counts(seed: int, *, samples: int = 40, labels: int = 9, fill: float = 0.2) -> np.ndarray:
    """``[sample, label, (TP, FP, FN, gold, predicted)]``, mostly 0."""
    generator = np.random.default_rng(seed)
    hits, extra, missed = generator.integers(0, 3, (3, samples, labels)) * (
        generator.random((samples, labels)) < fill
    )
    return np.stack([hits, extra, missed, hits + missed, hits + extra], axis=-1).astype(float)


def _cells(counts: np.ndarray) -> Cells:
    sample, label = np.nonzero(counts.any(axis=tuple(range(2, counts.ndim))))
    return Cells(sample, label, counts[sample, label])


def _labelled(counts: np.ndarray) -> Labelled:
    return distinct_cells(_cells(counts), Size(*counts.shape[:2]))


def _same_ends(counts: np.ndarray, drawing: Drawing = DRAWING) -> None:
    dense = drawn(distinct(counts), drawing)
    found = ends_of(_labelled(counts), drawing.level, SCALED, LABELS_SCALED)
    for score, ends in zip(SCORES, found.overall, strict=True):
        # a sum over labels is added up label by label here, pairwise there
        assert np.allclose(ends, dense.ends(score, PROPORTION), rtol=1e-10, atol=0, equal_nan=True)
    for score, ends in zip(LABEL_SCORES, found.by_label, strict=True):
        assert np.allclose(ends, dense.ends(score, PROPORTION), rtol=1e-10, equal_nan=True)


@given(st.integers(0, 1000), st.sampled_from([0.02, 0.2, 0.9]))
@settings(max_examples=40, deadline=None)
def test_few_labels_at_a_time_give_the_digits_of_all_at_once(seed: int, fill: float) -> None:
    _same_ends(_counts(seed, fill=fill))


@pytest.mark.parametrize("largest", [255.0, 256.0, 1e6, 0.5])
def test_counts_of_any_size_are_resampled_alike(largest: float) -> None:
    counts = _counts(7)
    counts[3] *= largest
    dense = distinct(counts)
    sparse = _labelled(counts)
    assert sparse.counts.tolist() == dense.counts.tolist()
    assert np.allclose(sparse.total(), dense.total(), rtol=1e-15)
    found = ends_of(sparse, DRAWING.level, SCALED, LABELS_SCALED)
    for score, ends in zip(LABEL_SCORES, found.by_label, strict=True):
        assert np.allclose(
            ends, drawn(dense, DRAWING).ends(score, PROPORTION), rtol=1e-12, equal_nan=True
        )


@given(st.integers(0, 1000), st.randoms())
@settings(max_examples=40, deadline=None)
def test_samples_are_told_apart_and_sorted_as_whole_vectors_are(seed: int, shuffle: object) -> None:
    counts = _counts(seed, samples=30, labels=4)
    order = list(range(30))
    shuffle.shuffle(order)  # type: ignore[attr-defined]
    dense, sparse = distinct(counts), _labelled(counts[order])
    assert sparse.counts.tolist() == dense.counts.tolist()
    whole = np.zeros_like(dense.vectors)
    whole[sparse.vector, sparse.label] = sparse.values
    assert np.array_equal(whole, dense.vectors)


def test_labels_that_no_sample_has_change_nothing_but_the_order_of_sums() -> None:
    counts = _counts(11)
    wider = np.insert(counts, [0, 4, 4, 9], 0.0, axis=1)
    one, other = (
        ends_of(_labelled(c), DRAWING.level, SCALED, LABELS_SCALED) for c in (counts, wider)
    )
    assert np.allclose(one.overall, other.overall, rtol=1e-14, equal_nan=True)
    kept = np.setdiff1d(np.arange(wider.shape[1]), [0, 5, 6, 12])
    assert np.array_equal(one.by_label, np.array(other.by_label)[:, kept], equal_nan=True)


def test_the_order_of_labels_changes_no_interval() -> None:
    counts = _counts(12, samples=300)
    one, other = (
        ends_of(_labelled(c), 0.95, SCALED, LABELS_SCALED) for c in (counts, counts[:, ::-1])
    )
    assert np.allclose(one.overall, other.overall, rtol=1e-12)
    assert np.allclose(one.by_label, np.array(other.by_label)[:, ::-1], rtol=1e-12)


def test_without_samples_or_labels_there_are_no_intervals() -> None:
    for shape in ((0, 3, 5), (4, 0, 5), (7, 3, 5)):
        found = ends_of(_labelled(np.zeros(shape)), DRAWING.level, SCALED, LABELS_SCALED)
        assert np.isnan(found.overall).all()
        assert np.isnan(found.by_label).all()
        assert np.shape(found.by_label) == (3, shape[1], 2)


def _corpora(labels: int) -> OutcomeTable:
    """600 sentences of two names, each with a label; one of ten is given another one."""
    generator = np.random.default_rng(1)
    names = np.array([f"L{code}" for code in range(labels)])
    gold = names[generator.integers(0, labels, (600, 2))]
    wrong = generator.random((2, 600, 2)) < 0.1
    text = [["a", "b", "c"]] * 600

    def corpus(tags: np.ndarray) -> Corpus:
        return Corpus.of(text, tags=[[f"B-{a}", "O", f"B-{b}"] for a, b in tags.tolist()])

    answers = [np.where(one, names[generator.integers(0, labels, (600, 2))], gold) for one in wrong]
    return fg.align(corpus(gold), {f"s{at}": corpus(one) for at, one in enumerate(answers)})


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_cells_are_the_counts_that_are_not_zero(task: str) -> None:
    play = fg.simulate(tokens=3_000, seed=2)
    table = fg.align(play.gold, play.systems, task=task)
    every = [span_counts("target"), span_counts("system")] if task == "spans" else [tag_counts]
    for statistics in every:
        for samples in (sentences(table), sampling_of(table).samples):
            dense = statistics(table, samples)
            for system, cells in enumerate(statistics.cells(table, samples)):
                for ours, expected in zip(cells, _cells(dense[:, system]), strict=True):
                    assert np.array_equal(ours, expected)


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_intervals_of_scores_are_those_of_whole_vectors(task: str) -> None:
    play = fg.simulate(tokens=6_000, seed=3)
    table = fg.align(play.gold, play.systems, task=task)
    metrics = SPAN_METRICS if task == "spans" else TAG_METRICS
    found = score_intervals(table, metrics, resamples=200, seed=1)
    sampling = sampling_of(table)
    for metric in metrics:
        counts = metric.statistics(table, sampling.samples)
        for system in range(table.n_systems):
            dense = drawn(distinct(counts[:, system]), Drawing(200))
            expected = dense.ends(metric.score, metric.scale)
            ours = found.overall[metric.name][system]
            assert np.allclose(ours, expected, rtol=1e-10, equal_nan=True)
            if metric.label_score is not None:
                ours = found.by_label[metric.name][:, system]
                assert np.allclose(
                    ours, dense.ends(metric.label_score, metric.scale), rtol=1e-10, equal_nan=True
                )


def test_memory_does_not_grow_with_samples_times_labels() -> None:
    """600 sentences x 400 labels x 15 counts as floats are 29 MB for each of two systems."""
    table = _corpora(400)
    tracemalloc.start()
    score_intervals(table, SPAN_METRICS, resamples=20, seed=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 12e6


def _trees(relations: int) -> OutcomeTable:
    """1,000 trees of two words, the second of which has a relation of its own."""
    generator = np.random.default_rng(1)
    text = [["a", "b"]] * 1000

    def corpus(codes: np.ndarray) -> Corpus:
        names = [["root", f"r{code}"] for code in codes.tolist()]
        return Corpus.of(text, head=[["0", "1"]] * 1000, deprel=names)

    gold = generator.integers(0, relations, 1000)
    wrong = generator.random((2, 1000)) < 0.1
    answers = [np.where(one, generator.integers(0, relations, 1000), gold) for one in wrong]
    systems = {f"s{place}": corpus(codes) for place, codes in enumerate(answers)}
    return fg.align(corpus(gold), systems, task="dependencies")


def test_relations_and_match_schemes_do_not_grow_with_samples_times_labels() -> None:
    """1,000 trees x 400 relations x 5 counts as floats are 16 MB for each of two systems,
    600 sentences x 400 labels x 25 counts 48 MB.
    """
    for table, name in ((_trees(400), "las"), (_corpora(400), "type_f1")):
        tracemalloc.start()
        fg.score(table, name, intervals=20)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 12e6


def test_relations_of_systems_with_other_words_are_those_of_whole_vectors() -> None:
    """What only the system has counts for no relation, and for all of them together."""
    gold = Corpus.of(
        [["a", "bc", "d"]] * 20, head=[["2", "0", "2"]] * 20, deprel=[["x", "root", "y"]] * 20
    )
    cut = Corpus.of(
        [["a", "b", "c", "d"]] * 9 + [["a", "bc", "d"]] * 11,
        head=[["2", "0", "2", "2"]] * 9 + [["2", "0", "1"]] * 11,
        deprel=[["x", "root", "z", "y"]] * 9 + [["x", "root", "y"]] * 11,
    )
    table = fg.align(gold, {"cut": cut}, task="dependencies")
    metrics = [table.task.all_metrics()[name] for name in ("las", "las_precision")]
    found = score_intervals(table, metrics, resamples=100, seed=1)
    counts = relation_counts(table, sentences(table))[:, 0]
    assert counts.sum(axis=(0, 1)).tolist() == [22, 60, 51, 51, 18]
    for metric in metrics:
        dense = drawn(distinct(counts), Drawing(100))
        assert np.allclose(found.overall[metric.name][0], dense.ends(metric.score, metric.scale))
        assert metric.label_score is not None
        ours = found.by_label[metric.name][:, 0]
        assert np.allclose(ours, dense.ends(metric.label_score, metric.scale), equal_nan=True)
    assert metrics[1].score(counts.sum(axis=0)) == 22 / (51 + 18)


def test_what_scores_of_labels_are_made_of_adds_up_in_parts() -> None:
    counts = _counts(21)
    fair = [weighed(score, WEIGHTS["fair"]) for score in SCORES[:3]]
    spans = np.concatenate([np.repeat(counts, 2, axis=-1), counts], axis=-1)
    for scores, given_counts in ((SCORES, counts), (fair, spans)):
        for score in scores:
            assert isinstance(score, OverLabels)
            parts = [score.summed(given_counts[:, part]) for part in (slice(4), slice(4, None))]
            expected = score(given_counts)
            assert np.allclose(score.finish(parts[0] + parts[1]), expected, equal_nan=True)
