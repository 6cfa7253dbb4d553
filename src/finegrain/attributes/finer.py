"""Attributes from columns that are finer than a unit: of one system, or summed up over parts.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("ranking"))
>>> known = finer_attributes(table)
>>> [name for name in known if "grade" in name or "retrieved" in name]
['retrieved[lexical]', 'retrieved[dense]', 'mean[documents.grade]', 'min[documents.grade]', \
'max[documents.grade]']
>>> known["max[documents.grade]"].values(table).tolist()
[2.0, 1.0, 3.0, 1.0, 0.0, 2.0]

All systems fall into the buckets of the one that is named, so that they are compared on the same
units: ``confidence[a]`` asks how everybody does where ``a`` is confident.
"""

from __future__ import annotations

from typing import Any

from finegrain.attributes.attribute import Attribute, Kind, Values
from finegrain.attributes.joined import as_values
from finegrain.attributes.units import Units
from finegrain.table import OutcomeTable
from finegrain.table.finer_columns import by_system, summaries, summary


def finer_attributes(table: OutcomeTable) -> dict[str, Attribute]:
    """All of a table by name, as selections write them."""
    of_systems = [
        _of_system(name, system, column)
        for name, column in by_system(table).items()
        for system in table.systems
    ]
    of_parts = [
        one
        for how, what, differs in summaries(table)
        for one in _of_parts(how, what, table.systems if differs else ())
    ]
    return {one.name: one for one in (*of_systems, *of_parts)}


def _of_system(name: str, system: str, column: Any) -> Attribute:
    def compute(units: Units) -> Values:
        own = by_system(units.table)[name]
        return as_values(own[:, units.table.system(system)])

    kind: Kind = "number" if column.dtype.kind == "f" else "category"
    told = f"{name} of {system}"
    return Attribute(f"{name}[{system}]", kind, compute, told, "as given", inside=(system,))


def _of_parts(how: str, what: str, systems: tuple[str, ...]) -> list[Attribute]:
    """One for all systems, or one for each where they differ."""

    def of(*inside: str) -> Attribute:
        def compute(units: Units) -> Values:
            values = summary(units.table, how, what)
            return values if len(inside) == 1 else values[:, units.table.system(inside[1])]

        name = f"{how}[{','.join(inside)}]"
        told = f"{how} of {what} of a unit" + "".join(f", of {one}" for one in inside[1:])
        return Attribute(name, "number", compute, told, f"{how} over parts of x", inside=inside)

    return [of(what, system) for system in systems] or [of(what)]
