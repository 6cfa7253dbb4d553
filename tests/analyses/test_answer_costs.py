"""What answers cost stands beside scores, for every task whose answers say what they took."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.scores.answer_costs import Worth, mean_costs
from finegrain.analyses.studies import available
from finegrain.formats.items import read
from finegrain.formats.source import source_of
from finegrain.table.scale import Scale
from finegrain.views.text_formats import as_json
from tests.schema import require_schema

GOLD: dict[str, list[dict[str, Any]]] = {
    "classification": [{"label": "pos"}, {"label": "neg"}, {"label": "pos"}],
    "qa": [{"question": "Who?", "answers": {"text": ["Ada"]}}] * 3,
    "regression": [{"gold": 1.0}, {"gold": 2.0}, {"gold": 4.0}],
    "generation": [{"reference": "so it is"}] * 3,
    "multilabel": [{"labels": ["a", "b"]}, {"labels": ["a"]}, {"labels": ["b"]}],
}
RIGHT: dict[str, list[dict[str, Any]]] = {
    "classification": [{"answer": "pos"}, {"answer": "neg"}, {"answer": "pos"}],
    "qa": [{"answer": "Ada"}] * 3,
    "regression": [{"prediction": 1.0}, {"prediction": 2.0}, {"prediction": 4.0}],
    "generation": [{"output": "so it is"}] * 3,
    "multilabel": [{"labels": ["a", "b"]}, {"labels": ["a"]}, {"labels": ["b"]}],
}
WRONG: dict[str, list[dict[str, Any]]] = {
    "classification": [{"answer": "neg"}, {"answer": "neg"}, {"answer": "pos"}],
    "qa": [{"answer": "Bob"}, {"answer": "Ada"}, {"answer": "Ada"}],
    "regression": [{"prediction": 2.0}, {"prediction": 2.5}, {"prediction": 1.0}],
    "generation": [{"output": "it was"}] * 3,
    "multilabel": [{"labels": ["a"]}, {"labels": ["a"]}, {"labels": ["b"]}],
}


def _corpus(rows: list[dict[str, Any]], *more: dict[str, Any]) -> fg.Corpus:
    every = more or ({},) * len(rows)
    lines = [
        json.dumps({"id": f"q{at}", **row, **beside})
        for at, (row, beside) in enumerate(zip(rows, every, strict=True))
    ]
    return read(source_of("memory.jsonl", ("\n".join(lines) + "\n").encode()))


def _table(task: str) -> fg.OutcomeTable:
    cheap = [{"cost": 0.5, "latency": 3}, {"cost": 1.5}, {"cost": 1}]
    dear = [{"cost": 4.0, "latency": 1, "grounding": kind} for kind in ("exact", "verbose", None)]
    systems = {
        "cheap": _corpus(WRONG[task], *cheap),
        "dear": _corpus(RIGHT[task], *dear),
        "free": _corpus(WRONG[task]),
    }
    return fg.align(_corpus(GOLD[task]), systems, task=task)


@pytest.mark.parametrize("task", GOLD)
def test_systems_of_any_task_are_compared_by_score_and_cost(task: str) -> None:
    table = _table(task)
    found = fg.study(table, "costs", intervals=0)
    costs = {name: one["cost"] for name, one in found.data["systems"].items()}
    assert costs == {"cheap": 1.0, "dear": 4.0, "free": None}
    assert found.data["optimal"] == {"cost": ["cheap", "dear"], "latency": ["dear"]}
    by_cost, by_seconds = found.plots
    assert [series.name for series in by_cost.series] == ["cheap", "dear"]
    assert [series.marked for series in by_seconds.series] == [(), (0,)]
    assert by_cost.stairs[0][0] == 1.0
    assert by_cost.stairs[1][0] == 4.0


@pytest.mark.parametrize("task", GOLD)
def test_what_answers_took_and_how_they_were_read_are_columns(task: str) -> None:
    table = _table(task)
    kinds = table.details["grounding"][:, table.system("dear")]
    by_item = dict(zip(table.sentence.tolist(), kinds.tolist(), strict=True))
    assert by_item == {0: "exact", 1: "verbose", 2: None}
    some = fg.score(table, where="grounding[dear]=verbose", intervals=0)
    assert "where:grounding[dear]=verbose" in some.signature
    dear = fg.buckets(table, "cost[cheap]").attributes[0]
    assert int(dear.gold.sum()) == table.n_gold


def test_the_report_has_costs_where_answers_have_them_and_nowhere_else() -> None:
    table = _table("classification")
    assert "study-costs" in fg.report(table).results
    bare = fg.align(_corpus(GOLD["qa"]), {"m": _corpus(RIGHT["qa"])}, task="qa")
    assert "costs" not in available(bare)


def test_costs_of_answers_given_several_times_are_means() -> None:
    gold = _corpus(GOLD["classification"])
    runs = [
        {"id": f"q{at}", "run": run, "answer": "pos", "cost": cost, "grounding": "exact"}
        for at in range(3) for run, cost in (("1", 1.0), ("2", 3.0))
    ]  # fmt: skip
    lines = "".join(json.dumps(one) + "\n" for one in runs)
    system = read(source_of("runs.jsonl", lines.encode()))
    table = fg.align(gold, {"m": system}, task="classification")
    assert table.details["cost"][:, 0].tolist() == [2.0, 2.0, 2.0]
    assert "grounding" not in table.details


@pytest.mark.parametrize("values", [("dear", "", "cheap"), (-1.0, 1.0, 2.0)])
def test_a_column_that_does_not_say_what_answers_took_is_noted(values: Any) -> None:
    odd = _corpus(RIGHT["qa"], *({"cost": value} for value in values))
    table = fg.align(_corpus(GOLD["qa"]), {"m": odd}, task="qa")
    assert "cost" not in table.details
    told = "m: the column cost is not what answers took: numbers from 0 on"
    assert told in table.notes


def test_where_less_is_better_the_front_goes_the_other_way() -> None:
    scores, costs = np.array([0.9, 0.4, 0.5]), {"cost": np.array([1.0, 2.0, 3.0])}
    assert Worth.of(scores, costs, Scale()).optimal["cost"] == [0]
    less = Worth.of(scores, costs, Scale(higher=False))
    assert less.optimal["cost"] == [0, 1]
    assert [less.by(at) for at in range(3)] == ["cost", "cost", "none"]


def test_items_of_one_document_count_one_by_one() -> None:
    rows = [{**row, "document": "d"} for row in GOLD["classification"]]
    system = _corpus(RIGHT["classification"], {"cost": 1.0}, {"cost": 2.0}, {"cost": 6.0})
    table = fg.align(_corpus(rows), {"m": system}, task="classification")
    assert mean_costs(table)["cost"].tolist() == [3.0]


def test_a_suite_has_costs_of_data_sets_and_their_average() -> None:
    suite = fg.Suite.of({"news": _table("classification"), "chat": _table("classification")},
                        by="label")  # fmt: skip
    found = suite.run()
    data = found.to_json()
    assert data["costs"]["cost"]["optimal"] == ["cheap", "dear"]
    assert data["data_sets"]["chat"]["costs"]["cost"]["systems"]["dear"] == 4.0
    require_schema(json.loads(as_json(found, command="finegrain suite")), "suite")
    listing = next(one for one in found.listings() if one.title == "Score and cost")
    assert [row[:2] for row in listing.rows][:3] == [
        ("average", "cheap"), ("average", "dear"), ("average", "free"),
    ]  # fmt: skip
    assert [row[-1] for row in listing.rows][:3] == ["cost", "all", None]
    rows = [row for row in found.records().rows if row[5] == "cost"]
    assert ("", "dear", "", "", "", "cost", 4.0) in rows


def test_data_sets_with_different_metrics_have_costs_of_their_own_only() -> None:
    found = fg.Suite.of({"a": _table("classification"), "b": _table("qa")}, by="label").run()
    data = found.to_json()
    assert "costs" not in data
    assert set(data["data_sets"]["b"]["costs"]) == {"cost", "latency"}


def test_the_page_of_a_suite_draws_score_by_cost(tmp_path: Any) -> None:
    page = tmp_path / "suite.html"
    suite = {"news": _table("classification"), "chat": _table("classification")}
    fg.Suite.of(suite, by="label").run().save(str(page))
    text = page.read_text()
    assert 'id="costs"' in text
    assert "Score by cost of an answer" in text
    bare = fg.align(_corpus(GOLD["qa"]), {"m": _corpus(RIGHT["qa"])}, task="qa")
    fg.Suite.of({"a": bare, "b": bare}, by="label").run().save(str(page))
    assert 'id="costs"' not in page.read_text()
