"""Which gold labels occur together, and whether systems find them together.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(*small_corpora("multilabel")), "cooccurrence")
>>> found.tables[0].rows[0]                  # labels, items with both, of those with either, found
('anger', 'sadness', 1, 0.25, 1.0, 0.0)

A pair is found together in an item if the system has both labels there. A system that decides
labels one by one, each as well as it does, finds pairs less often than either label.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Plot, Series, Study
from finegrain.metrics.metric import ratio
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import solved

SHOWN, DRAWN = 20, 10  # pairs


class _Pairs(NamedTuple):
    """Pairs of labels, the most frequent first.

    ``first`` and ``second`` ``[pair]`` codes of labels, ``both`` ``[pair]`` gold items with both,
    ``share`` of the gold items with either; ``found`` ``[pair, system]`` items in which the system
    has both.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    both: NDArray[np.int64]
    share: NDArray[np.float64]
    found: NDArray[np.int64]


def cooccurrence(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Pairs of gold labels by frequency; ``None`` if no item has two gold labels."""
    del drawing  # a description
    pairs = _pairs(table)
    if not len(pairs.both):
        return None
    rates = ratio(pairs.found, pairs.both[:, None])
    notes = list(table.notes)
    if len(pairs.both) > SHOWN:
        notes.append(f"{SHOWN} of {len(pairs.both):,} pairs are listed; JSON and CSV have all")
    names = table.labels
    records = tuple(
        (names[one], names[two], int(both), float(share), *map(float, of_systems))
        for one, two, both, share, of_systems in zip(
            pairs.first, pairs.second, pairs.both, pairs.share, rates, strict=True
        )
    )
    columns = (
        Column("label"), Column("with"), Column("together", "count"),
        Column("of either", "percent"),
        *(Column(name, "score", "row", "found") for name in table.systems),
    )  # fmt: skip
    note = (
        "together: items with both labels in the gold standard; of either: their share of the "
        "items with one of the two; found: the share of them in which a system has both"
    )
    listing = Listing("Gold labels that occur together", columns, records[:SHOWN], note)
    return Study(
        "cooccurrence", "Labels together",
        "Which labels occur together, and are they found together?", table.task, table.systems,
        (listing,), _data(table, records), signature(table), (_plot(table, pairs, rates),),
        tuple(notes), Listing(listing.title, columns, records),
    )  # fmt: skip


def _pairs(table: OutcomeTable) -> _Pairs:
    rows = np.flatnonzero(table.is_gold)  # by item, then by label
    item, label, hit = table.sentence[rows], table.label[rows].astype(np.int64), solved(table)[rows]
    keys, hits = [np.empty(0, np.int64)], [np.empty((0, table.n_systems), bool)]
    most = int(np.bincount(item).max(initial=0))
    for step in range(1, most):
        at = np.flatnonzero(item[step:] == item[:-step])
        keys.append(label[at] * table.n_labels + label[at + step])
        hits.append(hit[at] & hit[at + step])
    every, code, both = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    together = np.concatenate(hits)
    found = [
        np.bincount(code.ravel(), together[:, system], minlength=len(every)).astype(np.int64)
        for system in range(table.n_systems)
    ]
    one, two = np.divmod(every, table.n_labels)
    support = np.bincount(label, minlength=table.n_labels)
    order = np.lexsort((two, one, -both))
    share = both / np.maximum(support[one] + support[two] - both, 1)
    stacked = np.stack(found, axis=1) if found else np.zeros((len(every), 0), np.int64)
    return _Pairs(one[order], two[order], both[order], share[order], stacked[order])


def _data(table: OutcomeTable, records: tuple[tuple[Cell, ...], ...]) -> dict[str, Any]:
    return {
        "pairs": [
            {
                "labels": [one, two],
                "together": items,
                "share_of_either": share,
                "found_together": {
                    name: number(float(rate))  # type: ignore[arg-type]  # a number
                    for name, rate in zip(table.systems, rates, strict=True)
                },
            }
            for one, two, items, share, *rates in records
        ]
    }


def _plot(table: OutcomeTable, pairs: _Pairs, rates: NDArray[np.float64]) -> Plot:
    size = min(DRAWN, len(pairs.both))
    names = tuple(
        f"{table.labels[one]} + {table.labels[two]}"
        for one, two in zip(pairs.first[:size], pairs.second[:size], strict=True)
    )
    series = tuple(
        Series(
            name, rates[:size, system], np.arange(size, dtype=float), "dots",
            text=tuple(
                f"{name}: both in {found} of {both} items with {pair}"
                for found, both, pair in zip(
                    pairs.found[:size, system], pairs.both[:size], names, strict=True
                )
            ),
        )
        for system, name in enumerate(table.systems)
    )  # fmt: skip
    return Plot(
        "Pairs of gold labels that are found together",
        Axis("share of items in which the system has both", (0.0, 1.0), "percent"),
        Axis("labels", names=names),
        series,
    )
