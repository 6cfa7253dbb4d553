"""Spans token by token: which units there are, and what systems did with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings

import finegrain as fg
from finegrain.alignment.entity_tokens import entity_tokens
from finegrain.corpus import Corpus, Spans
from finegrain.table.verdicts import produced
from finegrain.testing import small_corpora
from tests.table.corpora import TABLES

Units = set[tuple[int, int, str]]


def _units(table: fg.OutcomeTable, rows: np.ndarray) -> Units:
    return {
        (int(table.sentence[row]), token, table.labels[table.label[row]])
        for row in np.flatnonzero(rows).tolist()
        for token in table.tokens(row)
    }


@settings(max_examples=80, deadline=None)
@given(TABLES)
def test_units_are_the_tokens_of_spans(table: fg.OutcomeTable) -> None:
    found = entity_tokens(table)
    assert _units(found, np.ones(len(found), bool)) == _units(table, np.ones(len(table), bool))
    assert len(found) == len(_units(found, np.ones(len(found), bool)))
    assert _units(found, found.is_gold) == _units(table, table.is_gold)
    if "ABSENT" in table.outcomes.names:
        for system in range(table.n_systems):
            ours, theirs = produced(found)[:, system], produced(table)[:, system]
            assert _units(found, ours) == _units(table, theirs)


def test_tags_are_tokens_already() -> None:
    table = fg.align(*small_corpora("tags"))
    assert entity_tokens(table) is table


def test_tokens_of_spans_with_gaps_and_of_nested_spans() -> None:
    """The A of tokens 0 and 2, and the B in its gap; the nested A adds nothing."""
    text = Corpus.of([["a", "b", "c"]])
    spans = Spans.of([(0, 0, 3, "A", (0, 2)), (0, 1, 2, "B"), (0, 2, 3, "A")])
    gold = replace(text, spans=spans)
    table = entity_tokens(fg.align(gold, {"same": gold}))
    assert _units(table, table.is_gold) == {(0, 0, "A"), (0, 1, "B"), (0, 2, "A")}
    assert table.settings["level"] == "token"
