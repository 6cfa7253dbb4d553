"""Tables of items: gold and systems meet by ids, and every item is one unit.

>>> from finegrain.formats.items import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b'{"id": "a", "label": "pos"}\\n{"id": "b", "label": "neg"}'))
>>> some = read(source_of("some", b'{"id": "b", "answer": "pos"}'))
>>> met = meet(gold, {"some": some})
>>> met.rows.tolist(), met.column("answer").tolist(), met.notes
([[-1], [0]], [[None], ['pos']], ('some: 1 of 2 items has no answer',))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.answer_usage import usage_columns
from finegrain.alignment.repeated_answers import (
    Repeats,
    has_repeats,
    note_of,
    require_distinct_runs,
    require_known,
    way_out,
)
from finegrain.alignment.same_text import Systems, named
from finegrain.corpus import Coded, Corpus, IntArray, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.item_faults import item_faults
from finegrain.corpus.items import LINE, coded, line_of, numbers, plain, text_field
from finegrain.corpus.notes import told_of
from finegrain.errors import AlignmentError, InputError, Problem, UsageError
from finegrain.sizes import plural, sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import Value

Missing = Literal["error", "wrong", "skip"]
_ID = "id"


class Met(NamedTuple):
    """Systems by name; ``rows`` ``[item, system]`` where each has a gold item, -1 for nowhere.

    ``runs`` ``[system]``: of systems with several answers to an item (``repeated_answers``), the
    gold item of every row of their file, and of all others ``None``.
    """

    gold: Corpus
    names: tuple[str, ...]
    corpora: tuple[Corpus, ...]
    rows: NDArray[np.int64]
    notes: tuple[str, ...]
    runs: tuple[IntArray | None, ...] = ()

    def column(self, *names: str, needed: bool = True) -> NDArray[Any]:
        """``[item, system]`` a field of the systems; ``None`` or nan where it is missing.

        Of several names, each system's first one that it has.
        """
        columns = [_plain_field(corpus, names, needed=needed) for corpus in self.corpora]
        text = any(column is not None and column.dtype.kind == "O" for column in columns)
        found: NDArray[Any] = np.full(
            self.rows.shape, None if text else np.nan, object if text else float
        )
        for place, column in enumerate(columns):
            has = self.rows[:, place] >= 0
            if column is not None:
                found[has, place] = column[self.rows[has, place]]
        return found

    @property
    def complete(self) -> NDArray[np.bool_]:
        """``[item]`` whether every system has it."""
        every: NDArray[np.bool_] = np.logical_and.reduce(self.rows >= 0, axis=1)
        return every


def meet(
    gold: Corpus, systems: Systems, *, missing: Missing = "wrong", repeats: Repeats | None = None,
    unit: str = "item",
) -> Met:  # fmt: skip
    """Match the items of systems with those of the gold standard by their ids.

    Where neither the gold standard nor any system has ids, items are matched by their order.

    missing: what becomes of items that a system does not have: an ``error``, or they stay without
        an answer, which a note counts (``skip`` is up to the task, which leaves them out)
    repeats: whether systems may have several answers to an item: where a column says which run it
        is (``auto``), wherever ids are repeated (``yes``), not at all (``no``); ``None``: the task
        has no use for them
    unit: what notes and faults call an item
    """
    require_known(repeats)
    if missing not in get_args(Missing):
        raise UsageError.unknown("missing", missing, get_args(Missing))
    size, ids = gold.n_sentences, item_ids(gold)
    if ids is not None:
        _require_unique(gold, ids)
    names, corpora, rows, runs = [], [], [], []
    notes = list(gold.notes)
    by_order = []
    number: dict[str, int] = {}
    for name, corpus in named(systems):
        own, several = item_ids(corpus), None
        if own is None or ids is None:
            column = _in_order(gold, corpus, ids, own)
            by_order.append(name)
        elif len(own) == size and ids.first_difference(own) is None:
            column = np.arange(size)
        else:
            number = number or {ids[item]: item for item in range(size)}
            if has_repeats(corpus, own, repeats):
                several = _by_id(corpus, own, number)
                require_distinct_runs(corpus, own, several)
            else:
                _require_unique(corpus, own, repeats)
            column = _first_rows(_by_id(corpus, own, number) if several is None else several, size)
        names.append(name)
        corpora.append(corpus)
        rows.append(column)
        runs.append(several)
        notes += told_of(name, corpus.notes)
        notes += [] if several is None else told_of(name, [note_of(corpus, several)])
        notes += _lacking(gold, name, corpus, column, missing, plural(unit))
    if by_order:
        notes.append("gold and systems have no ids: items are matched by their order")
    stacked = np.stack(rows, axis=1) if rows else np.zeros((size, 0), np.int64)
    return Met(gold, tuple(names), tuple(corpora), stacked, tuple(notes), tuple(runs))


def item_ids(corpus: Corpus) -> Texts | None:
    """The ids of items; ``None`` if they have none. An item without one among others is refused."""
    if _ID not in corpus.fields:
        return None
    column = corpus.fields[_ID]
    ids = column if isinstance(column, Texts) else Texts.of(coded(column, missing=""))
    nameless = np.flatnonzero(ids.lengths == 0)
    if len(nameless):
        mend = "Name every item: gold and systems meet by their ids."
        raise item_faults(corpus, nameless, "this item has no id", mend)
    return ids


def _require_unique(corpus: Corpus, ids: Texts, repeats: Repeats | None = None) -> None:
    if ids.repeated():
        raise _repeated(corpus, ids, way_out(corpus, repeats))


def _repeated(corpus: Corpus, ids: Texts, mend: str) -> InputError:
    first: dict[str, int] = {}
    again = [item for item in range(len(ids)) if first.setdefault(ids[item], item) != item]

    def told(item: int) -> str:
        other = first[ids[item]]
        line = line_of(corpus, other)
        where = f"on line {line}" if line else f"that of item {other + 1}"
        return f"the id {ids[item][:40]!r} is {where}, too"

    return item_faults(corpus, again, told, mend)


def _in_order(
    gold: Corpus, corpus: Corpus, ids: Texts | None, own: Texts | None
) -> NDArray[np.int64]:
    """Items by their places, if neither side has ids and both are as many."""
    if ids is not None or own is not None:
        has, lacks = (gold, corpus) if own is None else (corpus, gold)
        what = f"items have no ids here, but they have in {has.source}"
        mend = "Give both files ids, or neither: --columns id=1,label=2 names the column."
        raise AlignmentError([Problem(lacks.source, 0, what, mend)])
    if corpus.n_sentences != gold.n_sentences:
        what = (
            f"{sized(corpus.n_sentences, 'item')} where {gold.source} has {gold.n_sentences:,}, "
            "and no ids to match them by"
        )
        raise AlignmentError(
            [Problem(corpus.source, 0, what, "Write one line for every gold item.")]
        )
    return np.arange(gold.n_sentences)


def _by_id(corpus: Corpus, own: Texts, number: Mapping[str, int]) -> NDArray[np.int64]:
    """``[row]`` the gold item of each."""
    places = np.array([number.get(own[item], -1) for item in range(len(own))], np.int64)
    unknown = np.flatnonzero(places < 0)
    if len(unknown):
        mend = "Ids are those of the gold file, to the letter."

        def told(item: int) -> str:
            return f"the item {own[item][:40]!r} is not in the gold file"

        raise item_faults(corpus, unknown, told, mend, kind=AlignmentError)
    return places


def _first_rows(places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """``[item]`` the first row of each, -1 for none."""
    column = np.full(size, -1, np.int64)
    column[places[::-1]] = np.arange(len(places))[::-1]
    return column


def _lacking(
    gold: Corpus, name: str, corpus: Corpus, column: NDArray[np.int64], missing: Missing, units: str
) -> list[str]:
    """What is said of items that a system does not have."""
    absent = np.flatnonzero(column < 0)
    if not len(absent):
        return []
    size = gold.n_sentences
    if missing == "error":
        ids = gold.fields[_ID]
        shown = ", ".join(repr(str(plain_cell(ids, item))[:40]) for item in absent[:3].tolist())
        what = f"{len(absent):,} of {size:,} {units} have no answer: {shown}"
        mend = "Add them, or say --missing wrong or --missing skip."
        raise AlignmentError([Problem(corpus.source, 0, what + "..." * (len(absent) > 3), mend)])
    verb = "has" if len(absent) == 1 else "have"
    return [f"{name}: {len(absent):,} of {size:,} {units} {verb} no answer"]


def plain_cell(column: Column, row: int) -> Any:
    """The cell of a column as it is written."""
    return column[row]


def field(corpus: Corpus, name: str) -> NDArray[Any]:
    """A column of the items; a clear error for a file that has none of this name."""
    return first_field(corpus, (name,), name)


def first_field(corpus: Corpus, names: Sequence[str], what: str) -> NDArray[Any]:
    """The first of some columns that the items have, as numbers or strings (``None``: nothing)."""
    return plain(first_column(corpus, names, what))


def number_field(corpus: Corpus, names: Sequence[str], what: str) -> NDArray[np.float64]:
    """The same as numbers, nan where there is nothing; a cell that is none is told by its line."""
    column = first_column(corpus, names, what)
    found = numbers(column)
    if found is None:
        cells = [(item, plain_cell(column, item)) for item in range(len(column))]
        wrong = [(item, text) for item, text in cells if numbers(Texts.of([str(text)])) is None]
        shown = dict(wrong)

        def told(item: int) -> str:
            return f"the {what} {str(shown[item])[:40]!r} is not a number"

        raise item_faults(corpus, list(shown), told, "Write numbers as 3 or 0.25.")
    return found


def label_field(corpus: Corpus, names: Sequence[str], what: str) -> Coded:
    """The same as names; what is missing has the name ""."""
    return coded(first_column(corpus, names, what), missing="")


def first_column(corpus: Corpus, names: Sequence[str], what: str) -> Column:
    """The first of some columns that the items have; a clear error if they have none."""
    name = _present(corpus, names)
    if name is not None:
        return corpus.fields[name]
    have = ", ".join(one for one in corpus.fields if not one.startswith("@")) or "none"
    listed = " or ".join(map(repr, names[:3]))
    raise InputError.at(
        corpus.source, 1, f"items have no {what}: no column {listed} (columns: {have})",
        f"Say which column it is: --columns {names[0]}=NAME (--gold-columns for the gold file).",
    )  # fmt: skip


def _present(corpus: Corpus, names: Sequence[str]) -> str | None:
    return next((name for name in names if name in corpus.fields), None)


def _plain_field(corpus: Corpus, names: Sequence[str], *, needed: bool) -> NDArray[Any] | None:
    if not needed and _present(corpus, names) is None:
        return None
    return first_field(corpus, names, names[0])


def codes_of(values: Sequence[Any] | NDArray[Any], names: Sequence[str]) -> NDArray[np.int32]:
    """Codes of strings in a list of names; -1 for what is missing.

    >>> codes_of(["b", None, "a"], ("a", "b")).tolist()
    [1, -1, 0]
    """
    number: dict[Any, int] = {name: code for code, name in enumerate(names)}
    given = np.asarray(values, object)
    flat = [-1 if one is None else number[one] for one in given.reshape(-1)]
    return np.array(flat, np.int32).reshape(given.shape)


def item_table(
    task: Task,
    met: Met,
    *,
    outcome: NDArray[np.uint8],
    labels: tuple[str, ...] = ("",),
    label: IntArray | None = None,
    answer: NDArray[np.int32] | None = None,
    values: Mapping[str, Value] | None = None,
    details: Mapping[str, NDArray[Any]] | None = None,
    parts: Mapping[str, Rows] | None = None,
    settings: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
    used: Sequence[str] = (),
) -> OutcomeTable:
    """One row per gold item, which covers the words of its text; fields of items are columns.

    used: fields that are told otherwise, such as the gold label
    """
    gold, size = met.gold, met.gold.n_sentences
    every = np.zeros(size, np.int32)
    took = usage_columns(met.names, met.corpora, met.rows, met.runs)
    own = {"id", "document", LINE, text_field(gold.fields), *used}
    return OutcomeTable(
        task=task,
        systems=met.names,
        labels=labels,
        sentence=np.arange(size, dtype=np.int32),
        begin=every,
        end=np.diff(gold.offsets).astype(np.int32),
        label=every if label is None else label,
        is_gold=np.ones(size, bool),
        outcome=outcome,
        answer=np.full(outcome.shape, -1, np.int32) if answer is None else answer,
        corpus=gold,
        token_set=np.zeros(size, np.int8),
        settings=settings or {},
        notes=(*met.notes, *notes, *took.notes),
        columns={name: plain(column) for name, column in gold.fields.items() if name not in own},
        details={**took.details, **(details or {})},
        values=values or {},
        parts=parts or {},
    )


def without_missing(
    table: OutcomeTable, met: Met, missing: Missing, *, answered: NDArray[np.bool_] | None = None
) -> OutcomeTable:
    """With ``skip``, the items that all systems have: what is compared is compared on the same.

    answered: ``[item, system]`` whether there is an answer, where an item may come without one
    """
    complete = met.complete if answered is None else np.logical_and.reduce(answered, axis=1)
    if missing != "skip" or complete.all():
        return table
    if not complete.any():
        raise UsageError(f"--missing skip: no {table.task.words.unit} has all systems' answers")
    number, units = int((~complete).sum()), table.task.words.units
    are = "is" if number == 1 else "are"
    left = f"{number:,} of {len(table):,} {units} {are} left out for all systems"
    notes = (*table.notes, f"{left}: some system does not have them (missing:skip)")
    return replace(table, notes=notes).where(complete)


def empty_notes(met: Met, answered: NDArray[np.bool_]) -> list[str]:
    """How many items systems have without answering them."""
    counts = ((met.rows >= 0) & ~answered).sum(axis=0).tolist()
    return [
        f"{name}: {sized(count, 'item')} with an empty answer"
        for name, count in zip(met.names, counts, strict=True)
        if count
    ]


def require_same_gold(gold: Corpus, corpus: Corpus, name: str = "gold") -> None:
    """Refuse a file that holds gold and answers whose gold is not that of the first file."""
    mine, theirs = (label_field(one, (name,), "gold answer") for one in (gold, corpus))
    for item, (expected, found) in enumerate(zip(mine, theirs, strict=False)):
        if expected != found:
            what = f"gold {found[:40]!r} where {gold.source} has {expected[:40]!r}"
            mend = "All files must carry the same gold answers."
            raise InputError.at(corpus.source, line_of(corpus, item), what, mend)
