"""Findings about graded units, the conditions that lead to them, and the page that shows both."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.reports.graded_units import (
    below_mean,
    gain,
    graded_by,
    worse_than_limit,
)
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.errors import UsageError
from finegrain.metrics.values import mean_of
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale
from tests.analyses.test_graded_slices import KINDS, OPEN
from tests.analyses.test_graded_units import EDITS, GRADED, _table
from tests.views.page_tables import tables_of


def _graded(values: Any, scale: Scale = EDITS, **how: Any) -> OutcomeTable:
    task = replace(GRADED, metrics=lambda _: (mean_of("quality", scale),), main="quality")
    table = _table(values, scale, task=task, **how)
    return replace(table, outcome=np.ones_like(table.outcome))  # nothing is an error


def _planted(scale: Scale = EDITS, *, weak: float = 3.0, seed: int = 1) -> OutcomeTable:
    """900 texts of three kinds; ``rough`` needs more edits of kind y."""
    draw = np.random.default_rng(seed)
    kind = KINDS[draw.integers(0, 3, 900)]
    edits = draw.exponential(1.0, (900, 3)) + np.array([0.0, 1.5, 2.0])
    edits[kind == "y", 0] += weak
    matrix = -edits if scale.higher else edits
    return _graded(matrix, scale).with_column("kind", kind)


@pytest.fixture(scope="module", params=[EDITS, OPEN], ids=["lower", "higher"])
def planted(request: pytest.FixtureRequest) -> Report:
    return fg.report(_planted(request.param))


def _by_rule(report: Report) -> dict[str, str]:
    return {one.rule: one.text for one in report.findings}


def test_findings_name_who_leads_and_where_it_is_weak(planted: Report) -> None:
    told = _by_rule(planted)
    values = planted.table.values["quality"]
    means = np.abs(values.matrix.mean(axis=0))
    best, second = np.argsort(means)[:2].tolist()
    names = planted.systems
    assert told["leaders"].startswith(f"{names[best]} leads with ")
    gap = f"{means[second] - means[best]:.3f} ["
    assert gap in told["leaders"]
    word = "above" if values.scale.higher else "below"
    assert f" {word} {names[second]} (p" in told["leaders"] or "within noise" in told["leaders"]
    gains = fg.difference(planted.table, names[best], names[second]).to_json()["gains"]
    assert (
        f"better quality on {gains['losses']}, {names[second]} on {gains['wins']}"
        in (told["leaders"])
    )


def test_every_number_of_a_finding_leads_to_its_units(planted: Report) -> None:
    search = UnitSearch.of(planted.units)
    led = [one.evidence for finding in planted.findings for one in finding.pieces if one.evidence]
    assert len(led) > 8
    for one in led:
        assert len(search.rows([one.where])) == one.count, one


def test_slices_that_are_told_were_tested(planted: Report) -> None:
    told = next(one for one in planted.findings if one.rule == "weakness")
    (weak,) = (one for one in planted.results["slices"].findings)  # type: ignore[attr-defined]
    assert weak.slice.name == "kind y"
    mean, rest = (f"{value:.3f}" for value in (weak.values[0], weak.rest))
    assert told.text.startswith(
        f"rough is weak at kind y: mean quality {mean} there and {rest} in the rest. The drop is "
    )
    assert told.kind == "tested"
    assert told.subject.where == "kind=y"


def test_findings_never_speak_of_right_and_wrong(planted: Report) -> None:
    for one in planted.findings:
        for word in ("right", "wrong", "error", "correct", "solve", "recall", "accuracy"):
            assert word not in one.text, one.text


def test_nothing_is_claimed_that_no_test_says() -> None:
    """Without a weakness none is told, but that none was found."""
    told = _by_rule(fg.report(_planted(weak=0.0)))
    assert "weakness" not in told
    assert told["no_weakness"].startswith("Searched for weaknesses were ")


def test_units_in_the_worst_quarter_of_all_systems_by_hand() -> None:
    """Of 100 texts with 0 to 99 edits, those above the quartile 74.25 are 75 to 99 for the first.

    The second has the same numbers, but those of texts 75 to 94 change places with those of 0 to
    19: its own quartile is the same, and only 95 to 99 are above both.
    """
    first = np.arange(100.0)
    second = first.copy()
    second[75:95], second[0:20] = first[0:20], first[75:95]
    report = fg.report(_graded(np.stack([first, second], axis=1)))
    (one,) = (one for one in report.findings if one.rule == "far_off")
    quarter = "5 of 100 texts (5.0 %) are in the highest quarter of both systems"
    assert one.text.startswith(quarter)
    assert one.n == 5


def test_a_system_without_values_leads_to_no_units() -> None:
    values = np.array([[1.0, math.nan], [2.0, math.nan], [4.0, math.nan]])
    report = fg.report(_graded(values))
    assert [one.rule for one in report.findings][:1] == ["leader"]
    search = UnitSearch.of(report.units)
    assert below_mean(report.table, 1).count == 0
    assert search.rows([below_mean(report.table, 1).where]).tolist() == []
    assert search.rows([below_mean(report.table, 0).where]).tolist() == [2]  # above 7 / 3


def test_conditions_list_units_by_what_they_ask_for() -> None:
    values = [[4.0, 1.0], [2.0, 2.0], [0.0, 8.0], [math.nan, 1.0], [5.0, 6.0]]
    search = UnitSearch.of(fg.report(_graded(values)).units)
    table, (a, b) = search.table, search.table.systems
    assert search.rows([]).tolist() == [4, 2, 0, 1, 3]  # means 5.5, 4, 2.5, 2, 1
    assert search.rows([gain(table, a, b, "any")]).tolist() == [2, 0, 4]  # 8, 3 and 1 apart
    assert search.rows([gain(table, a, b, "worse")]).tolist() == [2, 4]
    assert search.rows([gain(table, b, a, "better")]).tolist() == [2, 4]
    assert search.rows([gain(table, a, b, "tied")]).tolist() == [1]
    assert search.rows([worse_than_limit(table, a, "1.5")]).tolist() == [4, 0, 1]
    assert search.rows([graded_by(table, a).equals(None)]).tolist() == [3]
    for bad in (
        "gain[a,b]>much", "gain[a]>0", f"{table.task.value}[{a}]>nan", f"{table.task.value}[x]>1",
        f"{table.task.value}[{a}]=1_0",
    ):  # fmt: skip
        with pytest.raises(UsageError):
            search.rows([bad])


def test_the_page_has_tables_of_difficulty_and_oracle_and_no_errors(planted: Report) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    page = as_html(planted)
    rows = tables_of(page).rows
    sizes = fg.difficulty(planted.table).to_json()["sizes"]
    assert [row[0] for row in rows["difficulty"][:-1]] == list(planted.systems)
    assert rows["difficulty"][-1] == ["texts", *map(str, sizes), "900"]
    assert [row[0] for row in rows["oracle"]] == [
        step["system"] for step in fg.oracle(planted.table).to_json()["graded"]["greedy"]
    ]
    assert "errors" not in rows
    assert 'id="errors"' not in page
    assert "Infinity" not in page.partition('id="data"')[2].partition("</script>")[0]
    assert len(rows["scores"][0]) == 6  # rank, system, mean, line, interval, group
    assert "Who is better, and where?" in page


def test_unanswered_units_are_all_that_is_counted_as_errors() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.testing import small_corpora
    from finegrain.views.html.page import as_html

    gold, systems = small_corpora("regression")
    table = fg.align(gold, systems, task="regression")
    assert 'id="errors"' not in as_html(fg.report(table))
    outcome = table.outcome.copy()
    outcome[0, 0] = 1
    rows = tables_of(as_html(fg.report(replace(table, outcome=outcome)))).rows
    assert sorted(int(row[-1]) for row in rows["scores"])[-1] == 1


def test_systems_with_the_same_values_are_said_to_have_them() -> None:
    values = np.tile(np.random.default_rng(4).exponential(1.0, (400, 1)), (1, 2))
    text = " ".join(one.text for one in fg.report(_graded(values)).findings)
    assert "have the same quality on all texts" in text
