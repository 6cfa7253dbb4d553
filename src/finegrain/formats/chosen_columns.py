"""Columns of items under the names that the user gives them: ``--columns id=1,label=verdict``.

>>> from finegrain.corpus import Texts
>>> fields = {"key": Texts.of(["a"]), "verdict": Texts.of(["pos"])}
>>> list(renamed("gold.csv", fields, {"id": 1, "label": "verdict"}))
['id', 'label']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from finegrain.errors import InputError

Kept = TypeVar("Kept")


def renamed(
    source: str, fields: Mapping[str, Kept], columns: Mapping[str, int | str] | None
) -> dict[str, Kept]:
    """The columns with new names for those that are named; the others stay.

    A column that had the name of another one gets its number behind it, ``label (column 3)``.
    """
    if not columns:
        return dict(fields)
    names = list(fields)
    places = {_place(source, names, column, role): role for role, column in columns.items()}
    if len(places) < len(columns):
        raise InputError.at(source, 1, "one column is given two names", "Name each column once.")
    found: dict[str, Kept] = {}
    for place, (name, column) in enumerate(fields.items()):
        own = f"{name} (column {place + 1})" if name in columns else name
        found[places.get(place, own)] = column
    return found


def _place(source: str, names: list[str], column: int | str, role: str) -> int:
    if isinstance(column, str):
        if column not in names:
            known = ", ".join(name for name in names if not name.startswith("@"))
            raise InputError.at(
                source,
                1,
                f"no column is called {column!r}",
                f"The file has: {known}. Columns of the gold file alone: --gold-columns.",
            )
        return names.index(column)
    if not 1 <= column <= len(names):
        what = f"there is no column {column} ({role}): lines have {len(names)}"
        raise InputError.at(source, 1, what, "Columns count from 1.")
    return column - 1
