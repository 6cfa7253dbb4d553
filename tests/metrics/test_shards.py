"""Statistics of a corpus that was cut into shards, put together, are those of the whole."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain.corpus import Corpus
from finegrain.corpus.items import plain
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric, applicable
from finegrain.metrics.shards import Shard, joined
from finegrain.table import OutcomeTable, Task
from finegrain.table.samples import sentences, whole
from finegrain.tasks import TASKS
from finegrain.testing import reordered, small_corpora

Corpora = Mapping[str, Corpus]
ROWS = st.lists(st.lists(st.sampled_from("ABCD"), min_size=1, max_size=3), min_size=3, max_size=6)


def _tables(task: Task, gold: Corpus, systems: Corpora, cuts: Iterable[int]) -> list[OutcomeTable]:
    """A table of each shard: documents or items (with all their rows) are dealt out to them."""
    drawn = np.arange(gold.n_sentences) if gold.documents is None else gold.documents
    if (name := next((one for one in ("item", "id") if one in gold.fields), None)) is not None:
        _, drawn = np.unique([str(one) for one in plain(gold.fields[name])], return_inverse=True)
    of_shard = np.fromiter(cuts, int)[drawn]
    orders = [np.flatnonzero(of_shard == shard).tolist() for shard in range(of_shard.max() + 1)]
    return [
        task.align(reordered(gold, order), {name: reordered(one, order)
                                            for name, one in systems.items()})
        for order in orders if order
    ]  # fmt: skip


def _named(metric: Metric, shard: Shard) -> np.ndarray:
    """Sums with labels in the order of their names."""
    order = sorted(range(len(shard.labels)), key=shard.labels.__getitem__)
    sums = shard.statistics.sum(axis=0)
    return sums[:, order] if metric.axes else sums


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "name", sorted(set(TASKS) - {"representations"})
)  # units are pairs of items
def test_scores_of_shards_are_those_of_the_whole(name: str, seed: int) -> None:
    task, draw = TASKS[name], random.Random(seed)
    gold, systems = small_corpora(name)
    table = task.align(gold, systems)
    tables = _tables(task, gold, systems, [draw.randrange(2) for _ in range(gold.n_sentences)])
    metrics = [one for one in applicable(table, tuple(task.all_metrics().values())) if one.additive]
    assert metrics or name == "clustering"
    for metric in metrics:
        expected = Shard.of(metric, table, whole(table))
        if metric.whole_corpus:
            with pytest.raises(UsageError, match=f"goes by {metric.whole_corpus}"):
                joined(metric, [expected, expected])
            continue
        known = [one for one in tables if applicable(one, (metric,))]  # others have nothing for it
        shards = [Shard.of(metric, one, sentences(one)) for one in known]
        found = joined(metric, shards)
        scores = [metric.score(one.statistics.sum(axis=0)) for one in (found, expected)]
        assert np.allclose(*scores, equal_nan=True), metric
        if metric.axes:
            assert set(found.labels) == set(expected.labels)
            assert np.allclose(_named(metric, found), _named(metric, expected)), metric


@given(gold=ROWS, cuts=st.lists(st.integers(1, 5), max_size=2), seed=st.integers(0, 99))
@settings(max_examples=30)
def test_counts_of_any_shards_add_up_by_label(
    gold: list[list[str]], cuts: list[int], seed: int
) -> None:
    """Shards in a row, with labels that others need not have: equal to the last digit."""
    draw = random.Random(seed)
    answers = [[draw.choice("ABCDE") for _ in row] for row in gold]
    text = [["x"] * len(row) for row in gold]
    ends = sorted({0, len(gold), *(cut for cut in cuts if cut < len(gold))})
    task = TASKS["tags"]

    def table(begin: int, end: int) -> OutcomeTable:
        part = slice(begin, end)
        system = Corpus.of(text[part], tags=answers[part])
        return task.align(Corpus.of(text[part], tags=gold[part]), {"a": system})

    metric = task.all_metrics()["macro_f1"]
    assert metric.axes == ("label",)
    shards = [
        Shard.of(metric, one, whole(one)) for one in (table(*ends) for ends in pairwise(ends))
    ]
    expected = Shard.of(metric, table(0, len(gold)), whole(table(0, len(gold))))
    found = joined(metric, shards)
    assert set(found.labels) == set(expected.labels)
    assert np.array_equal(_named(metric, found), _named(metric, expected))
    one_by_one = shards[0]
    for shard in shards[1:]:
        one_by_one = joined(metric, [one_by_one, shard])
    assert np.array_equal(one_by_one.statistics, found.statistics)


def test_what_does_not_add_up_has_no_shards() -> None:
    table = TASKS["regression"].align(*small_corpora("regression"))
    with pytest.raises(UsageError, match="'spearman' does not add up"):
        Shard.of(table.task.all_metrics()["spearman"], table, whole(table))


def test_labels_meet_by_name() -> None:
    """By hand: right answers A 1, B 2 here, B 3, C 4 there."""
    metric = TASKS["tags"].all_metrics()["macro_f1"]
    one = Shard(("A", "B"), np.array([[[[1.0, 0, 0, 1, 1], [2.0, 0, 0, 2, 2]]]]))
    other = Shard(("B", "C"), np.array([[[[3.0, 0, 0, 3, 3], [4.0, 0, 0, 4, 4]]]]))
    found = joined(metric, [one, other])
    assert found.labels == ("A", "B", "C")
    assert found.statistics.sum(axis=0)[0, :, 0].tolist() == [1, 5, 4]
