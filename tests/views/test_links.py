"""Every number of a page and every mark of its figures leads to as many units as its link says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

import finegrain as fg
from finegrain.alignment.entity_tokens import entity_tokens
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.slice_evidence import wrong_inside, wrong_outside
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.analyses.selection.expressions import written
from finegrain.analyses.selection.json_form import read
from finegrain.analyses.trust.slices import Slices
from finegrain.attributes.training import prepare
from finegrain.formats.items import read as read_items
from finegrain.formats.source import source_of
from finegrain.table.verdicts import costs
from finegrain.testing import small_corpora
from finegrain.views.charts import charts_of
from finegrain.views.html.page import as_html
from tests.plugin_tasks.postedits import POSTEDITS, example
from tests.views.topics import topics

pytest.importorskip("vl_convert", reason="needs the extra report")
pytest.importorskip("jinja2", reason="needs the extra report")

_LINK = re.compile(r'href="#instances\?([^"]+)"')


def _small(task: str) -> Report:
    gold, systems = small_corpora(task)
    return fg.report(fg.align(gold, systems, task=task))


def _played() -> Report:
    play = fg.simulate(tokens=6_000, seed=1)
    return fg.report(fg.align(play.gold, play.systems), train=play.train)


def _weak() -> Report:
    """The best system has a weak slice, and the next one differs from it on others."""
    play = fg.simulate(tokens=6_000, seed=1)
    systems = {name: one for name, one in play.systems.items() if name != "uniform"}
    return fg.report(fg.align(play.gold, systems), train=play.train)


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


def _topics() -> Report:
    """A task that only tests know, with items that are not answered."""
    return fg.report(topics())


def _postedits() -> Report:
    """Units that are only graded, some of them not at all."""
    texts = example()
    corpora = {
        name: read_items(source_of(f"{name}.jsonl", one.encode())) for name, one in texts.items()
    }
    gold = corpora.pop("gold")
    return fg.report(POSTEDITS.align(gold, corpora))


OWN = {"played": _played, "weak": _weak, "topics": _topics, "postedits": _postedits}
LED_TO = {  # what links of own data name, beside what those of small ones do
    "played": ["bucket[token_frequency]", "bucket[token_consistency]"],
    "weak": ["bucket[token_frequency]", "not ", "changed["],
    "topics": ["answer[", "outcome["],
    "postedits": ["gain[", "edits[", "bucket[mean_edits]", "row="],
}


@pytest.mark.parametrize("task", [*OWN, "spans", "tags", "dependencies", "coreference"])
def test_links_lead_to_as_many_units_as_they_say(task: str) -> None:
    report = OWN[task]() if task in OWN else _small(task)
    search = UnitSearch.of(report.units)
    links = _links(report)
    assert len(links) > 20
    selections = [read(dict(parse_qsl(link))["where"]) for link in links]
    texts = " ".join(map(written, selections))
    assert [part for part in LED_TO.get(task, ()) if part not in texts] == []
    for link, where in zip(links, selections, strict=True):
        assert len(search.rows([where])) == int(dict(parse_qsl(link))["n"]), link


def test_buckets_hold_what_is_not_gold_too() -> None:
    """The errors of a bucket are its gold units that are missed and answers that are not gold."""
    report = _played()
    search = UnitSearch.of(report.units)
    scores: Any = report.results["buckets"]["entity_length"]  # type: ignore[index]  # it is Buckets
    for bucket in range(len(scores.gold)):
        for system in range(len(report.systems)):
            name = report.systems[system]
            inside = [f"bucket[{scores.name}]={bucket}", f"hurts[{name}]"]
            missed = search.rows([*inside, "gold!=none"])
            invented = search.rows([*inside, "gold=none"])
            assert len(missed) == scores.gold[bucket] - scores.correct[bucket, system]
            assert len(missed) + len(invented) == scores.errors[bucket, system]
            has = ["gold=none", f"produced[{name}]", inside[0]]
            untrue = scores.predicted[bucket, system] - scores.correct[bucket, system]
            assert len(search.rows(has)) == untrue


@pytest.mark.parametrize("name", ["token_frequency", "token_consistency"])
def test_buckets_of_tokens_lead_to_the_units_with_such_a_token(name: str) -> None:
    """Token by token: which values its units have, and which buckets these are in."""
    report = _played()
    scores: Any = report.results["buckets"][name]  # type: ignore[index]  # it is Buckets
    table, tokens = report.table, entity_tokens(report.table)
    training = prepare(fg.simulate(tokens=6_000, seed=1).train, table)
    codes = scores.divisions[0].codes(scores.attributes[0].values(tokens, training))
    of_token = {
        (tokens.sentence[row], tokens.begin[row], tokens.label[row]): code
        for row, code in enumerate(codes.tolist())
    }
    held = [
        {of_token[table.sentence[row], token, table.label[row]] for token in table.tokens(row)}
        for row in range(len(table))
    ]
    assert max(map(len, held)) > 1
    search, wrong = UnitSearch.of(report.units), costs(table)
    for bucket in range(len(scores.gold)):
        there = np.array([bucket in one for one in held])
        gold, errors = scores.held(bucket), scores.behind(bucket, 0)
        assert gold.count == np.count_nonzero(there & table.is_gold) > 0
        assert errors.count == np.count_nonzero(there & wrong[:, 0])
        found = search.holding(errors.where)
        assert np.array_equal(found, there & wrong[:, 0])


def test_the_rest_of_a_slice_and_the_slice_are_all_errors() -> None:
    report = _weak()
    search, found = UnitSearch.of(report.units), report.results["slices"]
    assert isinstance(found, Slices)
    assert found.findings
    for one in found.findings:
        (inside,), outside = wrong_inside(report.table, one), wrong_outside(report.table, one)
        everywhere = search.rows([f"gold!=none and correct[{one.systems[0]}]=no"])
        both = [*search.rows([inside.where]), *search.rows([outside.where])]
        assert sorted(both) == sorted(everywhere)
        rest = report.table.n_gold - one.n
        assert one.rest == pytest.approx(1 - outside.count / rest)
