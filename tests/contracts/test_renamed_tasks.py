"""Nobody knows a task or an outcome by its name: with other names all results are the same."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import finegrain as fg
from finegrain.table import Outcomes, OutcomeTable
from finegrain.tasks import TASKS
from finegrain.testing import small_corpora
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from tests.schema import is_refused

_MARK = re.compile(r"Q([A-Za-z_\\]+)Q", re.IGNORECASE)  # what counts nowhere is told in lower case
ANALYSES: dict[str, Callable[[OutcomeTable], Any]] = {
    "score": lambda table: fg.score(table, intervals=50),
    "score by document": lambda table: fg.score(table, by="document"),
    "error_types": lambda table: fg.error_types(table, examples=1),
    "confusion": fg.confusion,
    "difference": lambda table: fg.difference(table, *table.systems[:2], intervals=50),
    "differences": fg.differences,
    "oracle": fg.oracle,
    "difficulty": fg.difficulty,
    "buckets": lambda table: fg.buckets(table, ["label", "sentence_length"], intervals=50),
    "significance": lambda table: fg.significance(table, resamples=100),
    "slices": lambda table: fg.slices(table, by=["label"], resamples=50, fewest=2),
    "seeds": fg.seeds,
    "triage": fg.triage,
    "invented": fg.invented,
    "agreement": fg.agreement,
    "features": fg.features,
    "words": fg.words,
    "show": lambda table: fg.show(table, limit=40),
    "report": fg.report,
    "distribution": fg.distribution,
    "gate": lambda table: fg.gate(table.only([0, 1]), ["worse > 0"]),
    "gate of errors": lambda table: fg.gate(table.only([0, 1]), ["new_errors > 0"]),
    "own buckets": fg.buckets,
    "diagnose": lambda table: fg.diagnose(table, "label"),
    "describe": fg.describe,
    "extrinsic": lambda table: fg.extrinsic(table, table),
    "majority_vote": lambda table: fg.score(fg.majority_vote(table)),
    "where": lambda table: fg.score(table, where="correct"),
}
STUDIES = [(name, study) for name, task in TASKS.items() for study in task.studies]


# Analyses that some tasks say no to; the others must have a result, or refusals are compared.
REFUSED_BY_SOME = (
    "agreement", "confusion", "describe", "distribution", "error_types", "extrinsic",
    "gate of errors", "invented", "majority_vote", "own buckets", "score by document", "slices",
)  # fmt: skip


def _table(name: str) -> OutcomeTable:
    if name == "items":
        cells = [[1, 0], [1, 1], [0, 0], [0, 1], [1, 0], [0, 0]] * 3
        return fg.from_matrix(cells, systems=["a", "b"], units=[f"q{at}" for at in range(18)])
    gold, systems = small_corpora(name)
    return TASKS[name].align(gold, systems)


def _renamed(table: OutcomeTable) -> OutcomeTable:
    outcomes = Outcomes(tuple(replace(one, name=f"Q{one.name}Q") for one in table.outcomes))
    return replace(table, task=replace(table.task, name=f"Q{table.task.name}Q", outcomes=outcomes))


def _result(analysis: Callable[[OutcomeTable], Any], table: OutcomeTable) -> list[str]:
    """JSON, tables and exports, or the message; marked names are turned back."""
    try:
        found = analysis(table)
    except fg.UsageError as error:
        return [_MARK.sub(r"\1", str(error))]
    document = json.loads(as_json(found, command="finegrain test"))
    assert not is_refused(document)
    exports = (as_csv(found), as_latex(found), as_markdown(found))
    parts = [json.dumps(document["result"]), str(found), *exports]
    return [" ".join(_MARK.sub(r"\1", part).split()) for part in parts]


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("analysis", ANALYSES)
def test_analyses_know_no_names(name: str, analysis: str) -> None:
    table = _table(name)
    expected = _result(ANALYSES[analysis], table)
    assert len(expected) > 1 or analysis in REFUSED_BY_SOME, expected[0]
    assert _result(ANALYSES[analysis], _renamed(table)) == expected


@pytest.mark.parametrize("analysis", REFUSED_BY_SOME)
def test_no_analysis_is_refused_by_all(analysis: str) -> None:
    results = (_result(ANALYSES[analysis], _table(name)) for name in TASKS)
    assert any(len(one) > 1 for one in results)


@pytest.mark.parametrize(("name", "study"), STUDIES)
def test_studies_know_no_names(name: str, study: str) -> None:
    table = _table(name)

    def looked_into(table: OutcomeTable) -> Any:
        return fg.study(table, study, intervals=50)

    assert _result(looked_into, _renamed(table)) == _result(looked_into, table)


@pytest.mark.parametrize("name", TASKS)
def test_pages_know_no_names(name: str) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    pytest.importorskip("jinja2", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    table = _table(name)
    pages = [as_html(fg.report(one)) for one in (table, _renamed(table))]
    first, second = map(_plain, pages)
    assert second == first


def _plain(page: str) -> str:
    """A page with the names turned back, also in the files that it holds, and without hashes."""
    unpacked = re.sub(r"H4sI[\w+/=]+", lambda found: _unpacked(found[0]), page)
    return _MARK.sub(r"\1", re.sub(r"sha256-[^']+", "", unpacked))


def _unpacked(packed: str) -> str:
    return " ".join(gzip.decompress(base64.b64decode(packed)).decode().split())
