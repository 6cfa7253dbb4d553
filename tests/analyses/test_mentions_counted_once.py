"""Mentions in lists and counts: what stands for a gold mention is not invented, or listed twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.reports.embedded_units import embedded_units
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.corpus import Clusters, Corpus
from finegrain.errors import UsageError
from finegrain.table.verdicts import produced

TEXT = [["Ada", "met", "Eve", "and", "Joan", "."], ["She", "smiled", "."]]
ADA, EVE, JOAN, SHE = (0, 0, 1), (0, 2, 3), (0, 4, 5), (1, 0, 1)


def _corpus(*chains: str) -> Corpus:
    rows = [(*at, chain) for at, chain in zip((ADA, EVE, JOAN, SHE), chains, strict=True)]
    found = Clusters.of(rows, documents=[0, 0])
    return replace(Corpus.of(TEXT, documents=[0, 0]), clusters=found)


def test_lists_hold_what_show_holds() -> None:
    table = fg.align(_corpus(*"aeja"), {"s": _corpus(*"aeje")}, task="coreference")
    units = embedded_units(table, columns={"half": np.array([0, 0, 0, 1])})
    assert units.found == fg.show(table).found == 1  # first mentions are nobody's
    search = UnitSearch.of(units)
    assert len(search.rows(())) == 1
    with pytest.raises(UsageError, match=r"unknown bucket '2'\. Known: 0, 1"):
        search.rows(["bucket[half]=2"])


def test_used_mentions_are_not_produced() -> None:
    table = fg.align(_corpus(*"aeja"), {"s": _corpus(*"aeje")}, task="coreference")
    used = table.outcome.copy()
    used[0] = table.outcomes.code("USED")
    assert produced(replace(table, outcome=used))[:, 0].tolist() == [False, False, False, True]


def test_wrong_links_agree_only_on_one_antecedent() -> None:
    systems = {"one": _corpus(*"aeje"), "two": _corpus(*"aejj")}
    assert fg.triage(fg.align(_corpus(*"aeja"), systems, task="coreference")).found == 0
    same = {"one": systems["one"], "two": systems["one"]}
    (unit,) = fg.triage(fg.align(_corpus(*"aeja"), same, task="coreference")).units()
    assert unit.answer is not None
    assert unit.answer.told.endswith("→ Eve")
