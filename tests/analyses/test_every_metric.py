"""Every metric that is asked for prints its number; tables know no metric by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import finegrain as fg
from finegrain.formats import FORMATS
from finegrain.formats.source import source_of
from finegrain.metrics.metric import Listed, Metric, applicable
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale
from finegrain.tasks import TASKS
from finegrain.testing import small_corpora
from finegrain.views.numbers import written


def small_table(task: str) -> OutcomeTable:
    if task == "items":
        return fg.from_matrix([[1, 0], [1, 1], [0, 0]], systems=["one", "two"])
    if task == "classification":
        return _judged_twice()
    return fg.align(*small_corpora(task), task=task)


def alone(task: str) -> OutcomeTable:
    """The gold corpus of a task and the first of its systems."""
    gold, systems = small_corpora(task)
    first = next(iter(systems))
    return fg.align(gold, {first: systems[first]}, task=task)


def _judged_twice() -> OutcomeTable:
    """Items that have all that a metric may need: soft labels, probabilities, repeated answers."""
    gold = "id,label,p(a),p(b)\n1,a,0.9,0.1\n2,b,0.2,0.8\n3,a,0.6,0.4\n4,b,0.5,0.5\n"
    answers = "id,run,label,p(a),p(b)\n"
    for item, (label, sure) in enumerate((("a", 0.7), ("b", 0.8), ("b", 0.6), ("b", 0.9)), 1):
        low = round(1 - sure, 1)
        pair = f"{sure},{low}" if label == "a" else f"{low},{sure}"
        answers += f"{item},1,{label},{pair}\n{item},2,a,0.8,0.2\n"
    read = FORMATS["csv"].read
    systems = {name: read(source_of(name, answers.encode())) for name in ("one", "two")}
    return fg.align(read(source_of("gold", gold.encode())), systems, task="classification")


NAMED = [(task.name, metric) for task in TASKS.values() for metric in task.all_metrics()]


@pytest.mark.parametrize(("task", "name"), NAMED)
def test_what_is_asked_for_is_printed(task: str, name: str) -> None:
    table, metric = small_table(task), TASKS[task].all_metrics()[name]
    if not applicable(table, (metric,)):  # these systems cannot be compared by it
        table = alone(task)
    for part in (table, table.only([0])):
        scores = fg.score(part, name)
        first = {written(cell, "score") for row in scores.listings()[0].rows for cell in row}
        for system in scores.systems:
            assert written(scores.value(name, system), "score") in first
        assert scores.to_json()[scores.systems[0]]["overall"], "JSON has it, too"


@pytest.mark.parametrize("task", TASKS)
def test_all_that_are_asked_for_are_printed(task: str) -> None:
    table = small_table(task)
    metrics = TASKS[task].all_metrics()
    names = list(metrics)[1::2]
    if not names:
        return
    scores = fg.score(table, names)
    text = str(scores)
    for name in names:
        assert metrics[name].scale.written(scores.value(name, table.systems[0])) in text, name


def share_of_first(table: OutcomeTable, samples: object) -> np.ndarray:
    return np.ones((samples.size, table.n_systems, 1)) * 0.25  # type: ignore[attr-defined]


@pytest.mark.parametrize("task", TASKS)
def test_a_metric_of_ones_own_is_printed_for_every_task(task: str) -> None:
    own = Metric("quarter_mark", share_of_first, lambda sums: sums[..., 0], "a quarter", "")
    text = str(fg.score(small_table(task), own))
    assert "quarter mark" in text
    assert "25.00" in text
    number = replace(own, scale=Scale(higher=False, shown="number"), heading="loss")
    text = str(fg.score(small_table(task), number, intervals=10))
    assert "loss" in text
    assert "0.25" in text
    assert "25.00" not in text


def test_what_is_listed_elsewhere_has_a_table_of_its_own() -> None:
    listed = Listed(2, table="Aside", note="of its own kind")
    own = Metric("quarter", share_of_first, lambda sums: sums[..., 0], "", "", listed=listed)
    table = small_table("tags")
    scores = fg.score(table, [*table.task.default_metrics(), own])
    aside = next(one for one in scores.listings() if one.title == "Aside")
    assert aside.note == "quarter: of its own kind"


def test_needs_are_what_the_task_has_answers_or_columns() -> None:
    table = small_table("tags")
    own = Metric("own", share_of_first, lambda sums: sums[..., 0], "", "")
    for needs in (("tags",), ("label",), ("words", "training")):
        fg.score(table, replace(own, needs=needs))
    said = "metric 'own' needs trees and colour, which the task tags does not have"
    with pytest.raises(fg.UsageError, match=said):
        fg.score(table, replace(own, needs=("words", "trees", "colour")))
    fg.score(table.with_column("colour", np.zeros(len(table))), replace(own, needs=("colour",)))
