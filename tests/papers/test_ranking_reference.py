"""Measures of real runs, equal to those of ir_measures 0.4.3 with pytrec_eval-terrier 0.5.11."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.metrics.ranking import parse
from finegrain.table.samples import sentences


def _require_equal(table: fg.OutcomeTable, system: str, expected: dict[str, Any]) -> None:
    names = [name for name, value in expected.items() if isinstance(value, float)]
    assert len(names) >= 12
    found = fg.score(table, names).to_json()[system]["overall"]
    for name in names:
        ours = "bpref" if name == "Bpref" else name
        assert found[ours] == pytest.approx(expected[name], abs=1e-12), (system, name)


def test_cranfield_with_runs_full_of_ties(shared: Path) -> None:
    folder = shared / "data/ranking/cranfield"
    expected = json.loads((folder / "reference.json").read_text())
    runs = {name: fg.read(str(folder / f"run.{name}.txt.gz")) for name in expected["systems"]}
    table = fg.align(fg.read(str(folder / "qrels.txt")), runs)
    assert table.task.name == "ranking"
    assert len(table) == expected["n_queries_in_qrels"]
    for system, values in expected["systems"].items():
        _require_equal(table, system, values)
        of_system = table.only([table.system(system)])
        for name, queries in values["per_query_first10"].items():
            metric = parse(name)
            assert metric is not None
            own = metric.score(metric.statistics(of_system, sentences(of_system)))[:, 0]
            by_query = dict(zip(table.corpus.fields["id"], own.tolist(), strict=True))
            for query, value in queries.items():
                assert by_query[query] == pytest.approx(value, abs=1e-12), (system, name, query)


def test_trec_evals_own_test(shared: Path) -> None:
    folder = shared / "data/ranking/trec_eval-test"
    reference = json.loads((folder / "reference.json").read_text())
    gold = fg.read(str(folder / "qrels.test"))
    table = fg.align(gold, {"run": fg.read(str(folder / "results.test"))})
    _require_equal(table, "run", reference["ir_measures on results.test/qrels.test"])
    names = {"map": "AP", "bpref": "bpref", "recip_rank": "RR", "P_10": "P@10", "Rprec": "Rprec"}
    lines = (line.split() for line in (folder / "out.test").read_text().splitlines())
    printed = {row[0]: row[2] for row in lines if len(row) == 3}
    for theirs, ours in names.items():
        assert f"{fg.score(table, ours).value(ours, 'run'):.4f}" == printed[theirs]
