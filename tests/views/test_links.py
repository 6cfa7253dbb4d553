"""Every number of a page and every mark of its figures leads to as many units as its link says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import parse_qsl

import pytest

import finegrain as fg
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.testing import small_corpora
from finegrain.views.charts import charts_of
from finegrain.views.escape import visible
from finegrain.views.html.page import as_html

pytest.importorskip("vl_convert", reason="needs the extra report")
pytest.importorskip("jinja2", reason="needs the extra report")

_LINK = re.compile(r'href="#instances\?([^"]+)"')


def _small(task: str) -> Report:
    gold, systems = small_corpora(task)
    return fg.report(fg.align(gold, systems, task=task))


def _played() -> Report:
    play = fg.simulate(tokens=6_000, seed=1)
    return fg.report(fg.align(play.gold, play.systems), train=play.train)


def _hrefs(spec: Any) -> Iterator[str]:
    """All links in a figure."""
    if isinstance(spec, dict):
        if isinstance(spec.get("href"), str):
            yield spec["href"]
        for part in spec.values():
            yield from _hrefs(part)
    elif isinstance(spec, list):
        for part in spec:
            yield from _hrefs(part)


def _links(report: Report) -> set[str]:
    drawn = [link for chart in charts_of(report).values() for link in _hrefs(chart.spec)]
    inside = {link.partition("?")[2] for link in drawn if "instances?" in link}
    return {unescape(link) for link in _LINK.findall(as_html(report))} | inside


@pytest.mark.parametrize("task", ["played", "spans", "tags", "dependencies", "coreference"])
def test_links_lead_to_as_many_units_as_they_say(task: str) -> None:
    report = _played() if task == "played" else _small(task)
    search = UnitSearch.of(report.units, told=visible)
    links = _links(report)
    assert len(links) > 20
    for link in links:
        query = parse_qsl(link, keep_blank_values=True)
        conditions = [one for one in query if one[0] != "n"]
        said = int(dict(query)["n"])
        assert len(search.rows(conditions)) == said, link


def test_buckets_hold_what_is_not_gold_too() -> None:
    """The errors of a bucket are its gold units that are missed and what is invented there."""
    report = _played()
    search = UnitSearch.of(report.units)
    scores: Any = report.results["buckets"]["entity_length"]  # type: ignore[index]  # it is Buckets
    for bucket in range(len(scores.gold)):
        for system in range(len(report.systems)):
            inside = [(f"bucket.{scores.name}", str(bucket)), (f"verdict.{system}", "wrong")]
            missed = search.rows([*inside, ("unit", "gold")])
            invented = search.rows([*inside, ("unit", "invented")])
            assert len(missed) == scores.gold[bucket] - scores.correct[bucket, system]
            assert len(missed) + len(invented) == scores.errors[bucket, system]
            has = [("unit", "invented"), (f"has.{system}", "yes"), inside[0]]
            untrue = scores.predicted[bucket, system] - scores.correct[bucket, system]
            assert len(search.rows(has)) == untrue
