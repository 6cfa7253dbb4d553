"""Intervals of findings: those of the resampling engine, for what the sentence says."""

from __future__ import annotations

import re

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.reports.finding import Finding
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.share_intervals import share_interval
from finegrain.corpus import Corpus
from finegrain.resampling.intervals import Drawing, interval_of
from finegrain.table.scale import PROPORTION
from finegrain.table.verdicts import right
from finegrain.testing import small_corpora

_SHARE = re.compile(r"([\d.]+) % \[([\d.]+), ([\d.]+)\]")
_POINTS = re.compile(r"(-?\d+\.\d\d) \[(-?\d+\.\d\d), (-?\d+\.\d\d)\]")


@pytest.fixture(scope="module")
def played() -> Report:
    play = fg.simulate(tokens=20_000, seed=1)
    return fg.report(fg.align(play.gold, play.systems), train=play.train)


def _tagged(wrong: list[int], documents: list[int]) -> fg.OutcomeTable:
    """Sentences of two tokens, the first of which is wrong where it says so."""
    text = [["a", "b"]] * len(wrong)
    gold = Corpus.of(text, tags=[["N", "V"]] * len(wrong), documents=documents)
    tags = [["X" if one else "N", "V"] for one in wrong]
    return fg.align(gold, {"s": Corpus.of(text, tags=tags)}, task="tags")


def test_a_share_has_the_interval_of_its_documents() -> None:
    """Ten documents of four sentences, in which 0 to 4 of 4 nouns are wrong: 18 of 40."""
    counts = [0, 1, 4, 2, 0, 3, 1, 4, 2, 1]
    wrong = [int(at < count) for count in counts for at in range(4)]
    table = _tagged(wrong, [place // 4 for place in range(40)])
    nouns = table.label == table.labels.index("N")
    found = share_interval(table, ~right(table)[:, 0], nouns, Drawing())
    by_document = np.array([[count, 4.0] for count in counts])
    expected = interval_of(by_document, lambda sums: sums[..., 0] / sums[..., 1], scale=PROPORTION)
    assert found == (expected.low, expected.high)
    assert found is not None
    assert found[0] < 18 / 40 < found[1]


def test_what_lies_outside_of_the_whole_is_not_counted() -> None:
    table = _tagged([1, 0] * 20, list(range(40)))
    nouns = table.label == table.labels.index("N")
    wrong = ~right(table)[:, 0]
    assert share_interval(table, wrong | ~nouns, nouns, Drawing()) == share_interval(
        table, wrong, nouns, Drawing()
    )


def test_too_few_documents_and_shares_that_never_vary_have_none() -> None:
    few = _tagged([1, 0] * 10, [place // 4 for place in range(20)])  # five documents
    assert share_interval(few, ~right(few)[:, 0], few.is_gold, Drawing()) is None
    every = _tagged([1] * 20, list(range(20)))
    nouns = every.label == every.labels.index("N")
    assert share_interval(every, ~right(every)[:, 0], nouns, Drawing()) is None


def test_every_finding_has_number_interval_and_n(played: Report) -> None:
    rules = {one.rule for one in played.findings}
    assert {"leaders", "last", "weakness", "profile", "confusion"} <= rules
    for one in played.findings:
        assert one.n > 0
        if one.kind == "tested":
            assert one.interval is not None, one.text
            assert one.p is not None
            assert one.p <= 0.05
            assert "(p " in one.text
            assert one.interval[0] > 0
        if one.interval is not None and one.rule != "profile":
            _is_consistent(one)


def _is_consistent(one: Finding) -> None:
    """All intervals hold the numbers before them, and the finding's own is among them."""
    shares, points = _SHARE.findall(one.text), _POINTS.findall(one.text)
    for value, low, high in (*shares, *points):
        assert float(low) <= float(value) <= float(high)
    low, high = one.interval or (0, 0)
    written = {(low, high) for _, low, high in (*shares, *points)}
    told = [(f"{100 * low:.{n}f}", f"{100 * high:.{n}f}") for n in (0, 1, 2)]
    assert written & set(told), one.text


@pytest.mark.parametrize("task", ["spans", "tags", "dependencies", "coreference"])
def test_findings_of_every_task_are_consistent(task: str) -> None:
    gold, systems = small_corpora(task)
    for one in fg.report(fg.align(gold, systems, task=task)).findings:
        if one.interval is not None:
            _is_consistent(one)


def test_intervals_are_in_json_and_csv(played: Report) -> None:
    told = played.to_json()["findings"]
    assert [one["interval"] for one in told] == [
        None if one.interval is None else list(one.interval) for one in played.findings
    ]
    assert [(one["kind"], one["p"]) for one in told] == [
        (one.kind, one.p) for one in played.findings
    ]
    records = played.records()
    heads = [column.name for column in records.columns]
    low, high = heads.index("low"), heads.index("high")
    assert [(row[low], row[high]) for row in records.rows] == [
        one.interval or (None, None) for one in played.findings
    ]
