"""The references of questions, and what systems answered, wherever files have them.

>>> from finegrain.formats.items import read
>>> from finegrain.formats.source import source_of
>>> text = b'{"id": "a", "question": "where?", "answers": {"text": ["Rome", "in Rome"]}}'
>>> found = references(read(source_of("gold", text)))
>>> found.parent.tolist(), found.texts, found.unanswerable.tolist()
([0, 0], ['Rome', 'in Rome'], [False])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.item_tables import first_column
from finegrain.corpus import Coded, Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.item_faults import item_faults
from finegrain.corpus.items import coded, written
from finegrain.errors import InputError

LISTS = ("answers", "references", "gold_answers", "reference_answers")
"""Lists of references: of texts, of objects with a ``text``, or ``{"text": [...]}``."""
GOLD = (
    "gold", "gold_answer", "reference", "true_answer", "answers.text", "answer", "answers",
    "references", "target",
)  # fmt: skip
"""Columns that hold a single reference, the first that there is."""
ANSWER = (
    "predicted_answers.text", "predicted_answer", "predicted_answers", "prediction_text",
    "prediction", "predicted", "pred", "output", "answer", "answers.text", "answers", "label",
)  # fmt: skip
"""Columns, or lists with one element, that hold the answer of a system."""
IMPOSSIBLE = "is_impossible"
_TRUE, _FALSE = ("1", "true", "yes"), ("0", "false", "no", "")
_FAR = 1 << 31  # characters: no context is longer


class References(NamedTuple):
    """References in the order of their questions; ``start``: their place in the context, -1 none.

    ``unanswerable`` ``[question]``: it is known that there is no answer; ``known`` ``[question]``:
    that, or there are references. ``used``: the columns that this was read from.
    """

    parent: NDArray[np.int64]
    texts: list[str]
    start: NDArray[np.int64]
    unanswerable: NDArray[np.bool_]
    known: NDArray[np.bool_]
    used: tuple[str, ...]


def strings(column: Column) -> list[str | None]:
    """A column as texts, ``None`` where JSON has null; an empty cell is an empty text."""
    if isinstance(column, Texts):
        return [*column.slice(0, len(column))]
    if isinstance(column, Coded):
        return [*column]
    if column.dtype.kind == "O":
        return [None if one is None else str(one) for one in column.tolist()]
    return [None if np.isnan(one) else written(one) for one in column.tolist()]


def references(gold: Corpus) -> References:
    """The references of every question of a gold corpus."""
    size = gold.n_sentences
    listed = _listed(gold, LISTS)
    if listed is not None:
        name, rows, column = listed
        parent, texts = rows.parent.astype(np.int64), _texts(gold, rows, column)
        start = _starts(gold, name, rows)
        has = np.bincount(parent, minlength=size) > 0
        known, none = np.ones(size, bool), ~has
        used: tuple[str, ...] = ()
    else:
        name = next((one for one in GOLD if one in gold.fields), GOLD[0])
        cells = strings(first_column(gold, ("answers", *GOLD), "reference"))
        given = np.array([bool(one) for one in cells], bool)
        parent = np.flatnonzero(given).astype(np.int64)
        texts = [one for one in cells if one]
        start = np.full(len(texts), -1, np.int64)
        of_json = isinstance(gold.fields[name], np.ndarray)
        none = np.array([of_json and one == "" for one in cells], bool)
        known, used = given | none, (name,)
    told = _impossible(gold)
    if told is not None:
        _require_agreement(gold, told, np.bincount(parent, minlength=size) > 0)
        none, known, used = told, known | told, (*used, IMPOSSIBLE)
    return References(parent, texts, start, none, known, used)


def answers(corpus: Corpus) -> list[str | None]:
    """What a system answered, by item of its own file; ``None`` where it has nothing."""
    name = next((one for one in ANSWER if one in corpus.fields or one in corpus.parts), "")
    if name in corpus.fields or not name:
        return strings(first_column(corpus, ("answer", *ANSWER), "answer"))
    rows = corpus.parts[name]
    several = np.flatnonzero(np.bincount(rows.parent, minlength=1) > 1)
    if len(several):
        what, mend = f"several answers in {name!r}", "Give one answer to every question."
        raise _problems(corpus, several, what, mend)
    column = next((one for one in ("text", "value") if one in rows.fields), "")
    found: list[str | None] = [None] * corpus.n_sentences
    if column:
        for item, text in zip(rows.parent.tolist(), strings(rows.fields[column]), strict=True):
            found[item] = text
    return found


def _listed(gold: Corpus, names: Sequence[str]) -> tuple[str, Rows, str] | None:
    """The name, rows and column of the list of references, if the file has one."""
    for name in names:
        for key, column in ((f"{name}.text", "value"), (name, "text"), (name, "value")):
            rows = gold.parts.get(key)
            if rows is not None and (column in rows.fields or not rows.fields):
                return name, rows, column
    return None


def _texts(gold: Corpus, rows: Rows, column: str) -> list[str]:
    if column not in rows.fields:
        return []
    found = strings(rows.fields[column])
    missing = np.array([one is None for one in found], bool)
    if missing.any():
        items = np.unique(rows.parent[missing])
        raise _problems(gold, items, "a reference without a text", 'Write {"text": "..."}.')
    return [one or "" for one in found]


def _starts(gold: Corpus, name: str, rows: Rows) -> NDArray[np.int64]:
    """Where references begin in the context, in characters from 0; -1 where that is not told."""
    column = rows.fields.get("answer_start")
    beside = gold.parts.get(f"{name}.answer_start")
    if beside is not None and np.array_equal(beside.parent, rows.parent):
        column = beside.fields.get("value")
    if not isinstance(column, np.ndarray) or column.dtype.kind == "O":
        return np.full(rows.size, -1, np.int64)
    found: NDArray[np.int64] = np.clip(np.nan_to_num(column, nan=-1), -1, _FAR).astype(np.int64)
    return found


def _impossible(gold: Corpus) -> NDArray[np.bool_] | None:
    if IMPOSSIBLE not in gold.fields:
        return None
    names = [one.strip().lower() for one in coded(gold.fields[IMPOSSIBLE], missing="")]
    wrong = np.flatnonzero([one not in _TRUE + _FALSE for one in names])
    if len(wrong):
        raise _problems(gold, wrong, f"{IMPOSSIBLE} is neither true nor false", "Write 1 or 0.")
    return np.array([one in _TRUE for one in names], bool)


def _require_agreement(gold: Corpus, impossible: NDArray[np.bool_], has: NDArray[np.bool_]) -> None:
    both, neither = np.flatnonzero(impossible & has), np.flatnonzero(~impossible & ~has)
    if len(both):
        mend = "Leave the references out, or say that it is not impossible."
        raise _problems(gold, both, f"{IMPOSSIBLE} is true, and there are references", mend)
    if len(neither):
        mend = "Add references, or say that it is impossible."
        raise _problems(gold, neither, f"{IMPOSSIBLE} is false, and there are no references", mend)


def _problems(corpus: Corpus, items: NDArray[np.int64], what: str, mend: str) -> InputError:
    ids = strings(corpus.fields["id"]) if "id" in corpus.fields else None

    def told(item: int) -> str:
        return f"question {(ids[item] or '')[:40]!r}: {what}" if ids else what

    return item_faults(corpus, items, told, mend)
