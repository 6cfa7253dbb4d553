"""Score and cost over many data sets: which systems are worth what their answers take.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> tables = {name: fg.align(*small_corpora("extraction"), task="extraction") for name in "ab"}
>>> found = fg.Suite.of(tables, by="entity_length").run()
>>> (average, worth), *others = worth_of(found)
>>> average, worth.costs["cost"].tolist(), worth.optimal["cost"]
('', [0.25, 0.5], [0])
>>> [name for name, _ in others]
['a', 'b']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.scores.answer_costs import KINDS, MEANING, PLAIN, Worth

if TYPE_CHECKING:
    from finegrain.analyses.explain.many_data_sets import ManyDataSets

AVERAGE = "average"


def worth_of(found: ManyDataSets) -> list[tuple[str, Worth]]:
    """The data sets whose answers say what they took; first, with no name, the average over all.

    There is an average of several data sets that all systems have and whose scores have one: of the
    kinds that all of them have, and of the systems whose costs are known on each.
    """
    own = [(one.name, Worth.of(one.overall, one.costs, one.metric.scale))
           for one in found.data_sets if one.costs]  # fmt: skip
    over = found.averaged()
    kinds = [kind for kind in KINDS if over and all(kind in one.costs for one in over)]
    if len(over) < 2 or not kinds:
        return own
    means = {kind: np.array([one.costs[kind] for one in over]).mean(axis=0) for kind in kinds}
    return [("", Worth.of(found.means(), means, found.scale)), *own]


def costs_listing(found: ManyDataSets) -> Listing | None:
    """A row for each system, on average and on every data set; ``None`` where nothing is known."""
    every = worth_of(found)
    if not every:
        return None
    kinds = [kind for kind in KINDS if any(kind in worth.costs for _, worth in every)]
    scales = {one.name: one.metric.scale for one in found.data_sets}
    columns = [Column("data set"), Column("system"), Column("score", "number")]
    columns += [Column(KINDS[kind], "score", scale=PLAIN) for kind in kinds]
    columns.append(Column("Pareto-optimal by"))
    rows: list[tuple[Cell, ...]] = []
    for name, worth in every:
        for place, system in enumerate(found.systems):
            if np.isnan(worth.scores[place]):
                continue
            scale = scales.get(name, found.scale)
            costs = (
                float(worth.costs[kind][place]) if kind in worth.costs else None for kind in kinds
            )
            written = scale.written(float(worth.scores[place]))
            rows.append((name or AVERAGE, system, written, *costs, worth.by(place)))
    note = f"Costs are means over answers. {MEANING}."
    return Listing("Score and cost", tuple(columns), tuple(rows), note)


def costs_json(systems: tuple[str, ...], worth: Worth) -> dict[str, Any]:
    """By kind: the costs of systems, and which of them are Pareto-optimal."""
    return {
        kind: {
            "systems": {
                system: number(float(value)) for system, value in zip(systems, costs, strict=True)
            },
            "optimal": [systems[place] for place in worth.optimal[kind]],
        }
        for kind, costs in worth.costs.items()
    }
