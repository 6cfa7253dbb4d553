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

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.selection.expressions import Field
from finegrain.analyses.selection.parsing import Misfit
from finegrain.corpus import Coded, IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.table.finer_columns import SUMMARIES, by_system, of_parts, summaries, summary
from finegrain.table.outcome_table import EMPTY_NODES, ZERO
from finegrain.table.verdicts import (
    CHANGES,
    change,
    changed,
    gains,
    of_pair,
    present,
    produced,
    solved,
    stances,
)

if TYPE_CHECKING:
    from finegrain.attributes.attribute import Attribute

NO_YES = ("no", "yes")
_PAIR = "write change[a,b] or changed[a,b]"


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """``names[codes]``, -1 for none; ``[unit]`` or ``[unit, system]``.

    ``closed``: there are no other names, and to ask for one is an error; ``parent``: of columns of
    parts, ``[part]`` or ``[part, system]``, the units that they belong to.
    """

    codes: IntArray
    names: tuple[str, ...]
    closed: bool = False
    parent: IntArray | None = None

    @property
    def is_truth(self) -> bool:
        return self.closed and self.names == NO_YES


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """``[unit]`` or ``[unit, system]``, nan for none; ``parent`` as in ``Words``."""

    values: NDArray[np.float64]
    parent: IntArray | None = None


ValueColumn = Words | Numbers


def column_of(table: OutcomeTable, field: Field) -> ValueColumn:
    """The column that a field names."""
    name, of = field.name, field.of
    if name in PER_PAIR:
        return PER_PAIR[name](table, *_two_systems(table, field))
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
        except _Missing as missing:
            raise Misfit(field.at, str(missing)) from None
    return _of_table(table, field)


def _finer(table: OutcomeTable, field: Field) -> ValueColumn | None:
    """A column of systems or of parts, if it is one."""
    name = field.name
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
    return _from_array(as_column(attribute.values(table)))


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
    column = replace(_from_array(parts.values), parent=parts.parent)
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
        return _from_array(by_system(table)[name])
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


class _Missing(Exception):
    """The data does not have what the field needs."""


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
        return _joined(table, table.corpus.layers[name])
    return _from_array(table.columns[name])


def _from_array(values: NDArray[Any]) -> ValueColumn:
    """A column of the table: numbers, truth values, or anything else as words."""
    if values.dtype.kind == "b":
        return Words(values.astype(np.int8), NO_YES, closed=True)
    if values.dtype.kind in "iuf":
        return Numbers(values.astype(np.float64))
    cells = values.ravel().tolist()
    coded = Coded.of(str(value) for value in cells if value is not None)
    codes = np.full(len(cells), -1, np.int64)
    codes[[value is not None for value in cells]] = coded.codes
    return Words(codes.reshape(values.shape), coded.names)


def _gold(table: OutcomeTable) -> Words:
    return Words(np.where(table.is_gold, table.label, -1), table.labels)


def _label(table: OutcomeTable) -> Words:
    return Words(table.label, table.labels)


def _text(table: OutcomeTable) -> Words:
    if table.corpus.tokens is None:
        raise _Missing("there is no text: the files hold no words")
    return _joined(table, table.corpus.tokens.coded(), cut=True)


def _joined(table: OutcomeTable, coded: Coded, *, cut: bool = False) -> Words:
    """What the tokens of each unit have, with blanks between; ``cut``: without what spans cut."""
    if (_length(table).values == 1).all() and not (cut and "begin_cut" in table.columns):
        return Words(coded.codes[table.first_tokens()], coded.names)
    offsets = table.corpus.offsets[:-1].tolist()
    codes, names = coded.codes, coded.names
    texts = []
    for row, sentence in enumerate(table.sentence.tolist()):
        start = offsets[sentence]
        within = [start + token for token in table.tokens(row)]
        texts.append(" ".join(names[codes[token]] for token in within if token < len(codes)))
    if cut and EMPTY_NODES in table.columns:
        texts = [ZERO if zero else text for text, zero in zip(texts, table.wordless(), strict=True)]
    if cut and "begin_cut" in table.columns:
        begins, ends = table.columns["begin_cut"].tolist(), table.columns["end_cut"].tolist()
        texts = [
            text[begin : len(text) - end]
            for text, begin, end in zip(texts, begins, ends, strict=True)
        ]
    joined = Coded.of(texts)
    return Words(joined.codes, joined.names)


def _length(table: OutcomeTable) -> Numbers:
    sizes = np.array([0, *map(len, table.token_sets)])[table.token_set]
    return Numbers(np.where(table.token_set > 0, sizes, table.end - table.begin).astype(float))


def _sentence(table: OutcomeTable) -> Numbers:
    return Numbers(table.sentence.astype(np.float64) + 1)


def _document(table: OutcomeTable) -> ValueColumn:
    corpus = table.corpus
    if corpus.documents is None:
        return Numbers(np.full(len(table), np.nan))
    documents = corpus.documents[table.sentence]
    if corpus.document_ids is not None:
        return Words(documents, corpus.document_ids)
    return Numbers(documents.astype(np.float64) + 1)


def _systems_correct(table: OutcomeTable) -> Numbers:
    return Numbers(solved(table).sum(axis=1).astype(float))


def _outcome(table: OutcomeTable) -> Words:
    return Words(table.outcome, table.outcomes.names, closed=True)


def _correct(table: OutcomeTable) -> Words:
    """No are the errors; what counts nowhere is neither right nor wrong."""
    meaning = [int(one.right) if one.charged else -1 for one in table.outcomes]
    return Words(np.array(meaning, np.int8)[table.outcome], NO_YES, closed=True)


def _answer(table: OutcomeTable) -> Words:
    """The label that a system has for a unit; a span that it was matched with has its own."""
    if not table.answers_are_rows:
        return Words(table.answer, table.labels)
    own = table.label[:, None]
    label_of = np.append(table.label, -1)  # the last place serves -1
    in_gold = np.where(solved(table), own, label_of[table.answer])
    other = np.where(present(table), own, -1)
    return Words(np.where(table.is_gold[:, None], in_gold, other), table.labels)


def _produced(table: OutcomeTable) -> Words:
    """Whether exactly this unit is in a system's output."""
    return Words(produced(table).astype(np.int8), NO_YES, closed=True)


def _change(table: OutcomeTable, one: int, other: int) -> Words:
    return Words(change(*stances(table, [one, other])), CHANGES, closed=True)


def _changed(table: OutcomeTable, one: int, other: int) -> Words:
    """None for units that the two are not compared on."""
    codes = np.where(of_pair(table, one, other), changed(table, one, other).view(np.int8), -1)
    return Words(codes, NO_YES, closed=True)


def _gain(table: OutcomeTable, one: int, other: int) -> Numbers:
    """How much better the second system does; none where one of them is undefined."""
    return Numbers(gains(table, one, other))


SHARED: dict[str, Callable[[OutcomeTable], ValueColumn]] = {
    "gold": _gold,
    "label": _label,
    "text": _text,
    "length": _length,
    "sentence": _sentence,
    "document": _document,
    "systems_correct": _systems_correct,
}
PER_SYSTEM: dict[str, Callable[[OutcomeTable], ValueColumn]] = {
    "outcome": _outcome,
    "answer": _answer,
    "correct": _correct,
    "produced": _produced,
}
PER_PAIR: dict[str, Callable[[OutcomeTable, int, int], ValueColumn]] = {
    "change": _change,
    "changed": _changed,
    "gain": _gain,
}
