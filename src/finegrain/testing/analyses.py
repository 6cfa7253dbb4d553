"""Every analysis takes a table: it prints, and its JSON has nothing that JSON has not.

>>> import finegrain as fg
>>> check_analyses(fg.from_matrix([[1, 0], [1, 1], [0, 0]] * 4, systems=["crf", "neural"]))
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from finegrain.alignment.repeated_answers import RUNS
from finegrain.analyses.compare.difference_matrix import differences
from finegrain.analyses.compare.difficulty import difficulty
from finegrain.analyses.compare.oracle import oracle
from finegrain.analyses.compare.triage import triage
from finegrain.analyses.explain.buckets import buckets
from finegrain.analyses.explain.diagnosis import diagnosis
from finegrain.analyses.reports.report import report
from finegrain.analyses.result import Result
from finegrain.analyses.scores.distribution import distribution
from finegrain.analyses.scores.error_types import error_types
from finegrain.analyses.scores.score import score
from finegrain.analyses.trust.gate import gate
from finegrain.analyses.trust.repeats import repeats
from finegrain.analyses.trust.seeds import seeds
from finegrain.analyses.trust.significance import significance
from finegrain.analyses.trust.slices import slices
from finegrain.analyses.units.show import show
from finegrain.table import OutcomeTable
from finegrain.table.storage import load
from finegrain.views.text_formats import as_csv, as_latex, as_markdown

_FEW = 50  # resamples


def check_analyses(table: OutcomeTable) -> None:
    """Every analysis that fits the table has a result that can be printed and written."""
    for name, found in _results(table):
        assert str(found).strip(), f"{table.task}: {name} prints nothing"
        for written in (as_csv, as_latex, as_markdown):
            assert written(found).strip(), f"{table.task}: {name} has an empty table"
        try:
            json.dumps(found.to_json(), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise AssertionError(f"{table.task}: {name} has no JSON: {error}") from error


def check_saved(table: OutcomeTable) -> None:
    """A saved table gives the same scores, and what its units are graded by."""
    with TemporaryDirectory() as folder:
        path = str(Path(folder, "table.parquet"))
        table.save(path)
        again = load(path)
    assert score(again).to_json() == score(table).to_json(), f"{table.task}: saving changes scores"
    assert again.values.keys() == table.values.keys(), f"{table.task}: saving loses values"
    assert (again.outcome == table.outcome).all(), f"{table.task}: saving changes outcomes"


def check_page(table: OutcomeTable) -> None:
    """The page of the report speaks of the task's units."""
    page = report(table).save
    with TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        page(str(path))
        written = path.read_text(encoding="utf-8")
    assert table.task.words.units in written, f"{table.task}: the page does not name its units"


def _results(table: OutcomeTable) -> Iterator[tuple[str, Result]]:
    yield "score", score(table, intervals=_FEW)
    if table.task.value:
        yield "distribution", distribution(table)
    elif table.task.answers != "none":
        yield "errors", error_types(table)
    yield "show", show(table, limit=3)
    if table.task.attributes and table.corpus.tokens is not None:
        found = buckets(table)
        yield "buckets", found
        yield "diagnose", diagnosis(table, found)
        yield "slices", slices(table, table.systems[0], resamples=_FEW, fewest=2)
    if table.n_systems > 1:
        yield "differences", differences(table, intervals=_FEW)
        yield "oracle", oracle(table)
        yield "difficulty", difficulty(table)
        yield "significance", significance(table, resamples=_FEW, intervals=_FEW)
        yield "seeds", seeds(table, resamples=_FEW)
        yield "triage", triage(table)
    if RUNS in table.details:
        yield "repeats", repeats(table, resamples=_FEW)
    if table.n_systems == 2:
        drop = f"{table.task.first_metric().name} drops 5 at p < .05"
        yield "gate", gate(table, ["worse > 1", drop], resamples=_FEW)
    yield "report", report(table)
