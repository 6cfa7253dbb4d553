"""Which attributes are meant: by name or as values, built in, added to the table, or of the input.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> [str(one) for one in chosen(table, ["entity_length", "tags"])]
['entity_length', 'tags']
>>> crossed, = chosen(table, ["entity_length+label"])
>>> [str(one) for one in crossed]
['entity_length', 'label']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.soft_labels import SOFT
from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.attribute import Attribute, Values
from finegrain.attributes.finer import finer_attributes
from finegrain.attributes.joined import from_array, from_documents, from_layer
from finegrain.corpus import Coded
from finegrain.errors import UsageError
from finegrain.plugins import everything
from finegrain.table import OutcomeTable

Wanted = str | Attribute
Crossed = tuple[Attribute, Attribute]
_MOST_COLUMNS = 12  # of items that are attributes unless others are named
_MOST_VALUES = 50  # of a column of names
NOTHING_ELSE: Mapping[str, Attribute] = MappingProxyType({})


def chosen(
    table: OutcomeTable,
    by: Sequence[Wanted | tuple[Wanted, Wanted]],
    instead: Mapping[str, Attribute] = NOTHING_ELSE,
) -> list[Attribute | Crossed]:
    """The attributes that names mean for a table; ``one+other`` and pairs are crossed.

    ``instead``: attributes that are looked for by name before all others
    """
    found: list[Attribute | Crossed] = []
    for wanted in by:
        parts: Sequence[Wanted] = [wanted] if isinstance(wanted, Attribute) else list(wanted)
        if isinstance(wanted, str):
            whole = wanted in _own(table, instead)  # a column of the input may have a + in its name
            parts = [wanted] if whole else [part.strip() for part in wanted.split("+")]
        if len(parts) > 2:
            raise UsageError(f"two attributes can be crossed, not {len(parts)}: {wanted!r}")
        one, *other = (_one(table, part, instead) for part in parts)
        found.append((one, other[0]) if other else one)
    return found


def _one(table: OutcomeTable, wanted: Wanted, instead: Mapping[str, Attribute]) -> Attribute:
    found = wanted if isinstance(wanted, Attribute) else named(table, wanted, instead)
    if not found.applies_to(table.task):
        raise UsageError(f"the attribute {found.refusal(table.task)}")
    return found


def named(
    table: OutcomeTable, name: str, instead: Mapping[str, Attribute] = NOTHING_ELSE
) -> Attribute:
    """An attribute by its name.

    A built-in one, a column that was added to the table, a column of the gold file (at the first
    token of the unit), ``document``, a column of a system or of parts, or a plug-in.
    """
    own = _own(table, instead)
    if name in own:
        return own[name]
    every: dict[str, Attribute] = everything("attributes", ATTRIBUTES)
    if name not in every:
        if name == table.task.words.label:
            raise UsageError(f"unknown attribute {name!r}: that is the label, --by label")
        fitting = [one.name for one in every.values() if one.applies_to(table.task)]
        raise UsageError.unknown("attribute", name, dict.fromkeys([*own, *fitting]))
    return every[name]


def _own(table: OutcomeTable, instead: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """Attributes by name without plug-ins, those that come first winning."""
    table = table.whole or table  # attributes describe all units, whichever count
    layers = {name: from_layer(name, table) for name in table.corpus.layers}
    columns = {
        name: from_array(name, values, _summary(table, name))
        for name, values in table.columns.items()
        if name not in ("begin_cut", "end_cut")
    }
    documents = {} if table.corpus.documents is None else {"document": from_documents()}
    return {**finer_attributes(table), **documents, **layers, **columns, **ATTRIBUTES, **instead}


def _summary(table: OutcomeTable, name: str) -> str:
    """Where a column comes from."""
    of_file = name in table.corpus.fields
    return f"column {name!r} of {table.corpus.source if of_file else 'the table'}"


def of_items(table: OutcomeTable) -> tuple[str, ...]:
    """Columns of items that can serve as attributes: numbers, or names of which most occur again.

    Units in a sentence have attributes of their own; texts and ids are no attributes, nor is what
    gold (soft labels) or systems answer: a unit is right or wrong by it.
    """
    if table.task.words.context and "texts" not in table.task.has:
        return ()
    answers = tuple(filter(None, (SOFT, table.task.of_answers)))
    usable = [
        name for name, values in table.columns.items()
        if not name.startswith(answers) and _tells(values)
    ]  # fmt: skip
    return tuple(usable[:_MOST_COLUMNS])


def _tells(values: NDArray[Any]) -> bool:
    """Whether a column has several values that are not nearly all different."""
    if values.ndim != 1:
        return False
    if values.dtype.kind == "f":
        return len(np.unique(values[~np.isnan(values)])) > 1
    distinct = {value for value in values.tolist() if value is not None}
    return 1 < len(distinct) <= min(_MOST_VALUES, len(values) // 2)


def as_column(values: Values) -> NDArray[Any]:
    """Values as a column of the table: numbers, or text with ``None`` for nothing."""
    if not isinstance(values, Coded):
        return values
    column: NDArray[Any] = np.array([*values.names, None], object)[values.codes]
    return column
