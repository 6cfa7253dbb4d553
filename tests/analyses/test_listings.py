"""Tables of all analyses: columns of kinds that views know, and a cell for each of them."""

from __future__ import annotations

from typing import get_args

import pytest

import finegrain as fg
from finegrain.analyses.listing import Kind, Listing
from tests.contracts.test_renamed_tasks import ANALYSES, _table

KINDS = set(get_args(Kind))
# What is written into a cell of a kind; strings stand for what is written already, or for nothing.
HOLDS: dict[str, type | tuple[type, ...]] = {
    "text": (str, int, float),
    "number": (str, int, float),
    "count": (int, str),
    **dict.fromkeys(("score", "percent", "change", "p"), (float, int, str)),
}


def _sound(table: Listing) -> None:
    for column in table.columns:
        assert column.kind in KINDS, (table.title, column)
        assert column.best in (None, "max", "row"), (table.title, column)
    for row in (*table.values, *table.footer):
        assert len(row) == len(table.columns), (table.title, row)
    for row in table.values:
        for column, cell in zip(table.columns, row, strict=True):
            assert cell is None or isinstance(cell, HOLDS[column.kind]), (table.title, column, cell)
    titled = f"{table.title} {table.note}"
    assert "None" not in titled.split(), titled


@pytest.mark.parametrize("name", ["spans", "tags", "classification", "regression", "dependencies"])
def test_tables_have_cells_for_all_columns(name: str) -> None:
    table, seen = _table(name), set()
    for analysis in ANALYSES.keys() - {"report"}:
        try:
            found = ANALYSES[analysis](table)
        except fg.UsageError:  # it is not for this task: tests/contracts compare what is said
            continue
        for one in (*found.listings(), found.records()):
            _sound(one)
        seen.add(analysis)
    assert len(seen) > 15
