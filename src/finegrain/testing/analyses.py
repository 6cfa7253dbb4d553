"""Every analysis takes a table: it prints, and its JSON is strict.

>>> import finegrain as fg
>>> check_analyses(fg.from_matrix([[1, 0], [1, 1], [0, 0]] * 4, systems=["crf", "neural"]))
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from finegrain import strict_json
from finegrain.alignment.repeated_answers import RUNS
from finegrain.analyses.compare.difference import difference
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
from finegrain.analyses.studies import study
from finegrain.analyses.trust.gate import gate
from finegrain.analyses.trust.repeats import repeats
from finegrain.analyses.trust.seeds import seeds
from finegrain.analyses.trust.significance import significance
from finegrain.analyses.trust.slices import slices
from finegrain.analyses.units.show import show
from finegrain.explorer.answers import UNITS, Answers
from finegrain.resampling.intervals import NO_INTERVALS
from finegrain.table import OutcomeTable
from finegrain.table.storage import load
from finegrain.table.verdicts import listed
from finegrain.views.text_formats import as_csv, as_latex, as_markdown

_FEW = 50  # resamples
_SENTENCES = re.compile(r"\bsentences?\b")


def check_analyses(table: OutcomeTable) -> None:
    """Every analysis that fits the table has a result that can be printed and written."""
    for name, found in _results(table):
        said = str(found)
        assert said.strip(), f"{table.task}: {name} prints nothing"
        foreign = not table.task.words.context and _SENTENCES.search(said)
        assert not foreign, f"{table.task}: {name} speaks of sentences: its units are in none"
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


def check_explorer(table: OutcomeTable) -> None:
    """The explorer answers: all units, as a page, as lines, and every result as JSON."""
    answers = Answers.of(report(table, instances=len(table)), command="finegrain explore")
    paths = answers.paths()
    wanted = int(np.count_nonzero(listed(table)))
    shown = strict_json.parse(_body(paths[UNITS].body([("size", "5")])).decode())
    assert shown["count"] == wanted, f"{table.task}: {shown['count']} units, not {wanted}"
    lines = _body(paths[f"{UNITS}.jsonl"].body([])).splitlines()
    assert len(lines) == wanted, f"{table.task}: {len(lines)} lines of units, not {wanted}"
    for name, path in paths.items():
        if name.startswith("api/"):
            strict_json.parse(_body(path.body([])).decode())
        assert _body(path.body([])), f"{table.task}: nothing at {name or 'the page'}"


def _body(blocks: Iterable[bytes]) -> bytes:
    return b"".join(blocks)


def _results(table: OutcomeTable) -> Iterator[tuple[str, Result]]:
    yield "score", score(table, intervals=_FEW)
    if table.corpus.n_documents:
        yield "score by document", score(table, by="document")
    if table.task.value:
        yield "distribution", distribution(table)
    elif table.task.answers != "none":
        yield "errors", error_types(table)
    yield "show", show(table, limit=3)
    if table.task.attributes:
        found = buckets(table)
        yield "buckets", found
        yield "diagnose", diagnosis(table, found)
        if not table.task.members:
            yield "slices", slices(table, table.systems[0], resamples=_FEW, fewest=2)
    if table.n_systems > 1:
        yield from _comparisons(table)
    if RUNS in table.details:
        yield "repeats", repeats(table, resamples=_FEW)
    for name in table.task.studies:
        if table.task.studies[name](table, NO_INTERVALS) is not None:
            yield name, study(table, name, intervals=_FEW)
    yield "report", report(table)


def _comparisons(table: OutcomeTable) -> Iterator[tuple[str, Result]]:
    """What compares systems; a gate is for two."""
    one, other = table.systems[:2]
    yield "difference", difference(table, one, other, intervals=_FEW)
    yield "differences", differences(table, intervals=_FEW)
    yield "oracle", oracle(table)
    yield "difficulty", difficulty(table)
    yield "significance", significance(table, resamples=_FEW, intervals=_FEW)
    yield "seeds", seeds(table, resamples=_FEW)
    yield "triage", triage(table)
    drop = f"{table.task.first_metric().name} drops 5 at p < .05"
    yield "gate", gate(table.only([0, 1]), ["worse > 1", drop], resamples=_FEW)
