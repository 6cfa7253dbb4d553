"""What a selection can ask about units: every field as a column of words or of numbers.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> text = [["in", "New", "York", "City"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> short = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O"]])
>>> table = align(gold, {"short": short})
>>> words = column_of(table, Field("text"))
>>> [words.names[code] for code in words.codes]
['New York', 'New York City']
>>> column_of(table, Field("length")).values
array([2., 3.])

Codes and numbers of what differs by system (``outcome``, ``answer``, ``moved``) are, without a
system, matrices ``[unit, system]``; a condition on them holds where it holds for some system. In
the same way a condition on a column of parts (``documents.grade``) holds where it does for some
part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.analyses.selection.columns import (
    NO_YES,
    PER_PAIR,
    PER_SYSTEM,
    SHARED,
    Missing,
    Numbers,
    ValueColumn,
    Words,
    from_array,
    joined,
)
from finegrain.analyses.selection.expressions import Field
from finegrain.analyses.selection.parsing import Misfit
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.table.finer_columns import SUMMARIES, by_system, of_parts, summaries, summary

if TYPE_CHECKING:
    from finegrain.attributes.attribute import Attribute

BUCKET, LOWERS = "bucket", "lowers"
_PAIR = "write change[a,b] or changed[a,b]"


NO_BUCKETS: Mapping[str, ValueColumn] = MappingProxyType({})

Buckets = Mapping[str, ValueColumn]


def column_of(table: OutcomeTable, field: Field, buckets: Buckets = NO_BUCKETS) -> ValueColumn:
    """The column that a field names; ``buckets``: those that only a report knows."""
    name, of = field.name, field.of
    if name == BUCKET and of is not None:
        return _bucket(field, buckets)
    finer = _finer(table, field)
    if finer is not None:
        return finer
    if name in ("column", "layer") and of is not None:
        return _named(table, name, of, field.of_at)
    if of is not None:
        what = f"{name!r} is the same for all systems: write it without [{of}]"
        known = [*SHARED, *table.columns, *table.corpus.layers]
        raise Misfit(field.of_at, what) if name in known else _unknown_field(table, field)
    if name in SHARED:
        try:
            return SHARED[name](table)
        except Missing as missing:
            raise Misfit(field.at, str(missing)) from None
    return _of_table(table, field)


def _finer(table: OutcomeTable, field: Field) -> ValueColumn | None:
    """A column of systems, of two of them, or of parts, if it is one."""
    name = field.name
    if name in PER_PAIR:
        return PER_PAIR[name](table, *_two_systems(table, field))
    if name == LOWERS:
        return _lowers(table, field)
    of_system = name in PER_SYSTEM or name in table.task.fields or name in by_system(table)
    if name in SUMMARIES and field.of is not None and not of_system:
        return _summary(table, field)
    if field.other is not None:
        raise Misfit(field.other_at, f"{name!r} does not take two names; {_PAIR}")
    if of_system:
        return _of_system(table, field)
    return _of_parts(table, field) if name in of_parts(table) else None


def _of_table(table: OutcomeTable, field: Field) -> ValueColumn:
    """A column of the table, a layer of the corpus, or an attribute, in this order."""
    name = field.name
    if name in table.columns:
        return _named(table, "column", name, field.at)
    if name in table.corpus.layers:
        return _named(table, "layer", name, field.at)
    if name in _attributes():
        return _attribute(table, field)
    raise _unknown_field(table, field)


def _attributes() -> dict[str, Attribute]:
    from finegrain.attributes import ATTRIBUTES  # noqa: PLC0415 - slow

    return ATTRIBUTES


def _attribute(table: OutcomeTable, field: Field) -> ValueColumn:
    """A built-in attribute, computed for all units; those that are learnt are columns already."""
    from finegrain.attributes.choosing import as_column  # noqa: PLC0415 - slow

    attribute = _attributes()[field.name]
    if attribute.needs_training:
        raise Misfit(field.at, f"{field.name!r} is learnt: give training data (--train FILE)")
    if not attribute.applies_to(table.task):
        raise Misfit(field.at, attribute.refusal(table.task))
    return from_array(as_column(attribute.values(table)))


def _of_system(table: OutcomeTable, field: Field) -> ValueColumn:
    """The column of one system, or without one of all."""
    own = PER_SYSTEM.get(field.name)
    column = _of_task(table, field.name) if own is None else own(table)
    return column if field.of is None else _chosen(table, column, field.of, field.of_at)


def _chosen(table: OutcomeTable, column: ValueColumn, name: str, at: int) -> ValueColumn:
    """What one system has in a column of all."""
    if name not in table.systems:
        raise _unknown(at, "system", name, table.systems)
    system = table.system(name)
    if isinstance(column, Numbers):
        return replace(column, values=column.values[:, system])
    return replace(column, codes=column.codes[:, system])


def _of_parts(table: OutcomeTable, field: Field) -> ValueColumn:
    """A column of the parts of units; of one system, where systems differ in it."""
    parts = of_parts(table)[field.name]
    column = replace(from_array(parts.values), parent=parts.parent)
    if field.of is None:
        return column
    if not parts.differs:
        what = f"{field.name!r} is the same for all systems: write it without [{field.of}]"
        raise Misfit(field.of_at, what)
    return _chosen(table, column, field.of, field.of_at)


def _summary(table: OutcomeTable, field: Field) -> ValueColumn:
    """What the parts of a unit come to: ``mean[documents.score,bm25]``."""
    try:
        values = summary(table, field.name, str(field.of))
    except UsageError as error:
        raise Misfit(field.of_at, str(error)) from None
    if field.other is None:
        return Numbers(values)
    if values.ndim == 1:
        raise Misfit(field.other_at, f"{field.of!r} is the same for all systems: name none")
    return _chosen(table, Numbers(values), field.other, field.other_at)


def _of_task(table: OutcomeTable, name: str) -> ValueColumn:
    """What only the task knows of its units: codes and their names, or numbers such as values."""
    if name not in table.task.fields:
        return from_array(by_system(table)[name])
    found = table.task.fields[name](table)
    if isinstance(found, tuple):
        codes, names = found
        return Words(codes, tuple(names), closed=True)
    return Numbers(np.asarray(found, np.float64))


def known_fields(table: OutcomeTable) -> list[str]:
    """Everything that can be asked about the units of a table."""
    asked = (f"{how}[{what}]" for how, what, _ in summaries(table))
    finer = [*by_system(table), *of_parts(table), *asked]
    fields = [*SHARED, *PER_SYSTEM, *table.task.fields, *finer, *PER_PAIR]
    known = [*fields, *table.columns, *table.corpus.layers]
    fitting = [one.name for one in _attributes().values() if one.applies_to(table.task)]
    return list(dict.fromkeys([*known, *fitting]))


def _bucket(field: Field, buckets: Buckets) -> ValueColumn:
    """The numbers of buckets of an attribute, as a report divides it."""
    name = str(field.of)
    if not buckets:
        raise Misfit(field.at, "buckets have numbers in a report only; ask for values instead")
    if name not in buckets:
        raise _unknown(field.of_at, "attribute", name, buckets)
    return buckets[name]


def _lowers(table: OutcomeTable, field: Field) -> ValueColumn:
    """Whether a word keeps a score of the trees of a system from 100."""
    from finegrain.analyses.selection.lowered_scores import lowered_scores  # noqa: PLC0415 - slow

    if field.of is None or field.other is None:
        raise Misfit(field.at, f"{LOWERS!r} is of a system and a score: write {LOWERS}[a,las]")
    if field.of not in table.systems:
        raise _unknown(field.of_at, "system", field.of, table.systems)
    lowered = lowered_scores(table)
    if field.other not in lowered.names:
        raise _unknown(field.other_at, "score", field.other, lowered.names)
    found = lowered.rows(field.other, table.system(field.of))
    return Words(found.view(np.int8), NO_YES, closed=True)


def _two_systems(table: OutcomeTable, field: Field) -> tuple[int, int]:
    """The columns of the systems in brackets; of the only two without brackets."""
    if field.of is None and table.n_systems == 2:
        return 0, 1
    if field.of is None or field.other is None:
        raise Misfit(field.at, f"{field.name!r} is of two systems: {_PAIR}")
    named = ((field.of, field.of_at), (field.other, field.other_at))
    for name, at in named:
        if name not in table.systems:
            raise _unknown(at, "system", name, table.systems)
    return table.system(field.of), table.system(field.other)


def _unknown(at: int, kind: str, name: str, known: Any) -> Misfit:
    return Misfit(at, str(UsageError.unknown(kind, name, known)))


def _unknown_field(table: OutcomeTable, field: Field) -> Misfit:
    from finegrain.tasks import known  # noqa: PLC0415 - only to explain

    if of_others := [str(task) for task in known().values() if field.name in task.fields]:
        what = f"{field.name!r} is for {' and '.join(of_others)}, not for {table.task}"
        return Misfit(field.at, what)
    return _unknown(field.at, "field", field.name, known_fields(table))


def _named(table: OutcomeTable, kind: str, name: str, at: int) -> ValueColumn:
    known = table.columns if kind == "column" else table.corpus.layers
    if name not in known:
        raise _unknown(at, kind, name, known)
    if kind == "layer":
        return joined(table, table.corpus.layers[name])
    return from_array(table.columns[name])
