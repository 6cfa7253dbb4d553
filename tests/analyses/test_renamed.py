"""A task and its outcomes can have any names: results are the same up to these."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import finegrain as fg
from finegrain.table import Outcomes, OutcomeTable
from finegrain.testing import small_corpora
from finegrain.views.classification_report import as_classification_report

TASKS = ("spans", "tags", "dependencies", "coreference", "items")


def renamed(table: OutcomeTable) -> OutcomeTable:
    outcomes = tuple(replace(one, name=f"{one.name}§") for one in table.outcomes)
    return replace(
        table, task=replace(table.task, name=f"{table.task}§", outcomes=Outcomes(outcomes))
    )


def small_table(task: str) -> OutcomeTable:
    if task == "items":
        return fg.from_matrix([[1, 0], [1, 1], [0, 0]], systems=["one", "two"])
    return fg.align(*small_corpora(task), task=task)


def written(result: Any, table: OutcomeTable) -> str:
    """All that a result says, with the first names."""
    text = json.dumps(
        [result.to_json(), result.listings(), result.records()], default=str, ensure_ascii=False
    )
    for name in sorted((*table.outcomes.names, table.task.name), key=len, reverse=True):
        text = text.replace(f"{name}§", name).replace(f"{name.lower()}§", name.lower())
    return text


ANALYSES: dict[str, Callable[[OutcomeTable], Any]] = {
    "score": lambda table: fg.score(table, intervals=20),
    "part": lambda table: fg.score(table, where="sentence<=2", by=documents(table)),
    "errors": lambda table: fg.error_types(table, examples=1, where="length>=1"),
    "confusion": fg.confusion,
    "show": lambda table: fg.show(table, "correct=no or systems_correct<2"),
}


def documents(table: OutcomeTable) -> str | None:
    return "document" if table.corpus.documents is not None else None


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("analysis", ANALYSES)
def test_names_of_tasks_and_outcomes_do_not_matter(task: str, analysis: str) -> None:
    table = small_table(task)
    analyse = ANALYSES[analysis]
    try:
        expected = written(analyse(table), table)
    except fg.UsageError as error:
        with pytest.raises(fg.UsageError, match=str(error)[:20]):
            analyse(renamed(table))
        return
    assert written(analyse(renamed(table)), table) == expected


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_the_report_of_other_tools_does_not_ask_for_names(task: str) -> None:
    table = small_table(task)
    name = table.systems[0]
    assert as_classification_report(renamed(table), name) == as_classification_report(table, name)
