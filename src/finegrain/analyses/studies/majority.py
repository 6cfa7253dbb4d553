"""What every cluster mostly holds: its size, its most frequent class, and that one's share.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(*small_corpora("clustering"), task="clustering"), "majority")
>>> found.tables[0].title, found.tables[0].values[0]
('Clusters of coarse', ('c2', 5, 'neg', 3, 0.6, 'neutral', 2))
"""

from __future__ import annotations

from typing import Any

import numpy as np

from finegrain.alignment.clustering import majority_classes
from finegrain.analyses.evidence import Evidence, in_bucket
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Plot, Series, Study
from finegrain.corpus import Coded, IntArray
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable

SHOWN = 25  # clusters of a system
Row = tuple[str, int, str, int, float, str | None, int]


def majority(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """The clusters of every system, the largest first; ``None`` without items."""
    del drawing  # a description
    if not len(table) or not table.n_systems:
        return None
    named = {name: _names(table, name) for name in table.systems}
    rows = {name: _rows(table, own) for name, own in named.items()}
    columns = {f"cluster of {name}": own.codes.astype(np.int64) for name, own in named.items()}
    return Study(
        "majority", "Clusters", "What do clusters mostly hold?", table.task, table.systems,
        tuple(_listing(table, name, rows[name], named[name]) for name in table.systems),
        {"clusters": {name: [_record(row) for row in own] for name, own in rows.items()}},
        signature(table), (_plot(rows),), table.notes, _every(rows), columns,
        {f"cluster of {name}": own.names for name, own in named.items()},
    )  # fmt: skip


def _names(table: OutcomeTable, system: str) -> Coded:
    return Coded.of(str(name) for name in table.columns[f"cluster of {system}"].tolist())


def _rows(table: OutcomeTable, cluster: Coded) -> list[Row]:
    """One row per cluster: name, size, majority class, its items, their share, the next class."""
    counts = np.zeros((len(cluster.names), table.n_labels), np.int64)
    np.add.at(counts, (cluster.codes, table.label), 1)
    size, first = counts.sum(axis=1), majority_classes(table.label, cluster.codes)
    rest = counts.copy()
    rest[np.arange(len(first)), first] = 0
    second = rest.argmax(axis=1)
    found: list[Row] = []
    for code in np.lexsort((np.arange(len(size)), -size)).tolist():
        own, other = int(counts[code, first[code]]), int(rest[code, second[code]])
        found.append((
            cluster.names[code], int(size[code]), table.labels[first[code]], own,
            own / int(size[code]), table.labels[second[code]] if other else None, other,
        ))  # fmt: skip
    return found


def _listing(table: OutcomeTable, system: str, rows: list[Row], named: Coded) -> Listing:
    column = f"cluster of {system}"
    place = {name: code for code, name in enumerate(named.names)}
    shown: list[tuple[Cell, ...]] = [
        (row[0], Linked(row[1], Evidence.of(row[1], in_bucket(column, place[row[0]]))), *row[2:])
        for row in rows[:SHOWN]
    ]
    hits = sum(row[3] for row in rows)
    note = (
        f"{len(rows):,} clusters; purity is the sum of items in the majority class, {hits:,}, by "
        f"all {len(table):,} items"
    )
    if len(rows) > SHOWN:
        note = f"the {SHOWN} largest of {note}"
    return Listing(f"Clusters of {system}", _COLUMNS, tuple(shown), note)


_COLUMNS = (
    Column("cluster"), Column("size", "count"), Column("majority"), Column("of it", "count"),
    Column("share", "score"), Column("next"), Column("of that", "count"),
)  # fmt: skip


def _record(row: Row) -> dict[str, Any]:
    names = ("cluster", "size", "majority", "in_majority", "share", "next", "in_next")
    return dict(zip(names, row, strict=True))


def _every(rows: dict[str, list[Row]]) -> Listing:
    every: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *row) for name, own in rows.items() for row in own
    )
    return Listing("Clusters", (Column("system"), *_COLUMNS), every)


def _plot(rows: dict[str, list[Row]]) -> Plot:
    series = tuple(
        Series(
            name, _column(own, 1), _column(own, 4), "points",
            text=tuple(f"{name}, {row[0]}: {row[3]} of {row[1]} are {row[2]}" for row in own),
        )
        for name, own in rows.items()
    )  # fmt: skip
    return Plot(
        "Size of clusters and share of their majority class",
        Axis("size", logarithmic=True), Axis("share", (0.0, 1.0), "percent"), series,
    )  # fmt: skip


def _column(rows: list[Row], place: int) -> Any:
    values: IntArray = np.array([row[place] for row in rows])
    return values.astype(np.float64)
