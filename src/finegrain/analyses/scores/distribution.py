"""How the values of graded units are distributed: what other tasks have kinds of errors for.

>>> import numpy as np
>>> from dataclasses import replace
>>> from finegrain.table.scale import Scale, Value
>>> from finegrain.tasks.items import ITEMS, from_matrix
>>> edits = Value(Scale(higher=False, shown="number"), np.array([[1.0], [3.0], [np.nan], [8.0]]))
>>> table = replace(from_matrix([[1], [1], [0], [1]], systems=["mt"]), values={"edits": edits})
>>> found = distribution(table, "edits")
>>> found.count.tolist(), found.undefined.tolist(), found.mean.tolist(), found.quantiles[0].tolist()
([3], [1], [4.0], [1.0, 2.0, 3.0, 5.5, 8.0])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed, number
from finegrain.analyses.signature import signature
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import Scale
from finegrain.table.verdicts import value as value_of

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_NAMES = ("lowest", "25 %", "median", "75 %", "highest")
_BARS = 12  # of a histogram


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distribution(Printed):
    """Of every system: values, units without one, mean, standard deviation, quantiles, histogram.

    ``quantiles`` ``[system, share]``; ``histogram`` ``[system, bar]`` between ``edges``, which all
    systems share.
    """

    task: Task
    systems: tuple[str, ...]
    value: str
    scale: Scale
    count: NDArray[np.int64]
    undefined: NDArray[np.int64]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    quantiles: NDArray[np.float64]
    edges: NDArray[np.float64]
    histogram: NDArray[np.int64]
    signature: str
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        systems = {
            name: {
                "n": int(self.count[at]),
                "undefined": int(self.undefined[at]),
                "mean": number(self.mean[at]),
                "sd": number(self.deviation[at]),
                "quantiles": [number(one) for one in self.quantiles[at]],
                "histogram": self.histogram[at].tolist(),
            }
            for at, name in enumerate(self.systems)
        }
        end = {"higher_is_better": self.scale.higher, "edges": self.edges.tolist()}
        return {"value": self.value, **end, "shares": list(SHARES), "systems": systems}

    def listings(self) -> tuple[Listing, ...]:
        columns = (
            Column("system"), Column("n", "count"), Column("undefined", "count"),
            *(Column(name, "score", scale=self.scale) for name in ("mean", "sd", *_NAMES)),
        )  # fmt: skip
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                name, int(self.count[at]), int(self.undefined[at]), float(self.mean[at]),
                float(self.deviation[at]), *map(float, self.quantiles[at]),
            )
            for at, name in enumerate(self.systems)
        )  # fmt: skip
        good = "higher" if self.scale.higher else "lower"
        title = f"{self.value.replace('_', ' ')} of {self.task.words.units}: {good} is better"
        return (Listing(title, columns, rows),)

    def records(self) -> Listing:
        columns = (
            Column("system"), Column("from", "number"), Column("to", "number"), Column("n", "count")
        )  # fmt: skip
        rows = tuple(
            (name, float(low), float(high), int(size))
            for at, name in enumerate(self.systems)
            for low, high, size in zip(
                self.edges[:-1], self.edges[1:], self.histogram[at], strict=True
            )
        )
        return Listing("distribution", columns, rows)


def distribution(table: OutcomeTable, value: str = "", *, where: str = "") -> Distribution:
    """Describe the values of gold units; ``value``: which one, if not that of the task.

    ``where``: only the units that this holds for, as in ``score``.
    """
    table = restrict(table, where)
    if not (value or table.task.value):
        raise UsageError(
            f"{table.task.words.units} of the task {table.task} are right or wrong: "
            "fg.error_types counts their kinds of errors"
        )
    found = value_of(table, value)
    matrix = found.matrix[table.is_gold]
    known = ~np.isnan(matrix)
    columns = [np.sort(matrix[known[:, at], at]) for at in range(table.n_systems)]
    some = np.concatenate(columns) if columns else np.zeros(0)
    edges = np.histogram_bin_edges(some, _BARS) if len(some) else np.zeros(0)
    bars = [np.histogram(one, edges)[0] if len(some) else np.zeros(0, int) for one in columns]
    return Distribution(
        table.task,
        table.systems,
        value or table.task.value,
        found.scale,
        known.sum(axis=0),
        (~known).sum(axis=0),
        np.array([one.mean() if len(one) else np.nan for one in columns]),
        np.array([one.std(ddof=1) if len(one) > 1 else np.nan for one in columns]),
        np.array([np.quantile(one, SHARES) if len(one) else [np.nan] * 5 for one in columns]),
        edges,
        np.array(bars).reshape(table.n_systems, -1),
        signature(table, value=value or table.task.value),
        table.notes,
    )
