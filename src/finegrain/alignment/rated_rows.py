"""Rows of a file of judgements: who rated which item of which system, or what won against what.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> lines = b"item,rater,winner,loser,tie\\nq1,ann,a,b,0\\nq1,ben,b,a,1\\n"
>>> found = judgements(read(source_of("judged.csv", lines)))
>>> found.systems, found.scores["rating"].tolist()
(('a', 'b'), [[1.0, 0.0], [0.5, 0.5]])

What one rater gave the systems on one item stands side by side (a *part* of the item), so that
systems can be compared by the same rater.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.item_tables import label_field, number_field
from finegrain.corpus import Coded, Corpus
from finegrain.corpus.items import LINE, coded, line_of, numbers
from finegrain.corpus.names import misnamed
from finegrain.errors import Collector, InputError, UsageError
from finegrain.sizes import sized

RATER = ("rater", "annotator", "judge", "worker", "evaluator", "assessor")
ITEM = ("item", "id", "segment", "question", "prompt")
SYSTEM = ("system", "model")
SCORE = ("score", "rating")
WINNER, LOSER, TIE = "winner", "loser", "tie"
_TIED = {"1": True, "true": True, "yes": True, "tie": True, "0": False, "false": False}
_TIED |= {"no": False, "": False, "1.0": True, "0.0": False}
Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class Rated(NamedTuple):
    """Judgements in the order of items.

    ``item`` ``[row of the file]``: its item, a code into ``items``; ``parent`` ``[part]``: the item
    of a part, in ascending order; ``rater`` ``[part]``; ``scores``: criterion -> ``[part,
    system]``, nan where the rater did not rate the system; ``used``: columns that are told.
    """

    items: tuple[str, ...]
    item: Codes
    parent: Codes
    rater: Coded
    systems: tuple[str, ...]
    scores: dict[str, Floats]
    used: frozenset[str]
    notes: tuple[str, ...] = ()


def holds_judgements(corpus: Corpus) -> bool:
    """Whether rows name a winner and a loser."""
    return WINNER in corpus.fields and LOSER in corpus.fields


def holds_ratings(corpus: Corpus) -> bool:
    """Whether rows name a rater, an item and a system, and have numbers."""
    names = [_name(corpus, one) for one in (RATER, ITEM, SYSTEM)]
    if None in names:
        return False
    others = [name for name in corpus.fields if name not in names and name != LINE]
    scored = _name(corpus, SCORE) is not None
    return scored or any(numbers(corpus.fields[name]) is not None for name in others)


def ratings(corpus: Corpus, criteria: str = "") -> Rated:
    """Long rows ``rater, item, system`` with one or several columns of numbers."""
    problems = Collector(corpus.source)
    item, system = (_names(corpus, one, problems) for one in (ITEM, SYSTEM))
    rater = _raters(corpus, problems)
    _require_system_names(corpus, system)
    parts, part = np.unique(
        item.codes.astype(np.int64) * len(rater.names) + rater.codes, return_inverse=True
    )
    part = part.ravel()
    cell = part * len(system.names) + system.codes
    _require_once(corpus, cell, (rater, item, system), problems)
    problems.raise_any()
    used = {_name(corpus, one) or "" for one in (RATER, ITEM, SYSTEM)}
    columns = _criteria(corpus, criteria, used, item)
    scores, notes = {}, []
    for name in columns:
        given = number_field(corpus, (name,), name)
        filled = np.full(len(parts) * len(system.names), np.nan)
        filled[cell] = given
        if missing := int(np.isnan(given).sum()):
            notes.append(f"{sized(missing, 'row')} without a number for {name}")
        scores[name] = filled.reshape(len(parts), -1)
    if all(np.isnan(one).all() for one in scores.values()):
        raise InputError.at(corpus.source, 0, f"no row has a number for {columns[0]}")
    if _name(corpus, RATER) is None:
        notes.append("no column names the rater: all ratings count as those of one person")
    return Rated(
        item.names, item.codes.astype(np.int64), parts // len(rater.names),
        Coded((parts % len(rater.names)).astype(np.int32), rater.names), system.names, scores,
        frozenset(used | set(columns)), tuple(notes),
    )  # fmt: skip


def judgements(corpus: Corpus) -> Rated:
    """Rows ``winner, loser``, with or without ``item``, ``rater`` and ``tie``."""
    problems = Collector(corpus.source)
    winner, loser = (label_field(corpus, (name,), name) for name in (WINNER, LOSER))
    names = tuple(sorted({*winner.names, *loser.names} - {""}))
    number = {name: code for code, name in enumerate(names)} | {"": -1}
    won, lost = (
        np.array([number[one] for one in side.names])[side.codes] for side in (winner, loser)
    )
    for row in np.flatnonzero((won == lost) | (won < 0) | (lost < 0)).tolist():
        if won[row] < 0 or lost[row] < 0:
            problems.add(line_of(corpus, row), "no winner or no loser", "Name both systems.")
        else:
            what = f"winner and loser are the same system, {names[won[row]]!r}"
            problems.add(
                line_of(corpus, row), what, "Name two systems; a tie has 1 in the column tie."
            )
    tied = _ties(corpus, problems)
    if _name(corpus, ITEM) is None:
        size = len(won)
        item = Coded(
            np.arange(size, dtype=np.int32), tuple(f"judgement {at}" for at in range(1, size + 1))
        )
    else:
        item = _names(corpus, ITEM, problems)
    rater = _raters(corpus, problems)
    if _name(corpus, ITEM) is not None and _name(corpus, RATER) is not None:
        pair = np.minimum(won, lost) * len(names) + np.maximum(won, lost)
        cell = (item.codes.astype(np.int64) * len(rater.names) + rater.codes) * len(
            names
        ) ** 2 + pair
        pairs = Coded(pair, tuple(f"{one} and {two}" for one in names for two in names))
        _require_once(corpus, cell, (rater, item, pairs), problems)
    problems.raise_any()
    scores = np.full((len(won), len(names)), np.nan)
    rows = np.arange(len(won))
    scores[rows, won] = np.where(tied, 0.5, 1.0)
    scores[rows, lost] = np.where(tied, 0.5, 0.0)
    order = np.argsort(item.codes, kind="stable")
    used = {WINNER, LOSER, TIE, *(_name(corpus, one) or "" for one in (RATER, ITEM))}
    notes = ["a win is worth 1, a tie 0.5, a loss 0: the mean rating is the win rate"]
    return Rated(
        item.names, item.codes.astype(np.int64), item.codes[order].astype(np.int64),
        Coded(rater.codes[order], rater.names), names, {"rating": scores[order]},
        frozenset(used), tuple(notes),
    )  # fmt: skip


def _name(corpus: Corpus, names: Sequence[str]) -> str | None:
    return next((name for name in names if name in corpus.fields), None)


def _names(corpus: Corpus, names: Sequence[str], problems: Collector) -> Coded:
    """A column of names, each row of which has one: items in their order, others sorted."""
    column = label_field(corpus, names, names[0])
    if "" in column.names:
        empty = np.flatnonzero(column.codes == column.names.index(""))
        for row in empty.tolist():
            problems.add(line_of(corpus, row), f"no {names[0]}", "Name it in every row.")
        problems.raise_any()
    used, first = np.unique(column.codes, return_index=True)
    by_name = sorted(used.tolist(), key=lambda code: column.names[code])
    order = used[np.argsort(first, kind="stable")].tolist() if names is ITEM else by_name
    place = np.zeros(len(column.names), np.int32)
    place[order] = np.arange(len(order))
    return Coded(place[column.codes], tuple(column.names[code] for code in order))


def _raters(corpus: Corpus, problems: Collector) -> Coded:
    if _name(corpus, RATER) is None:
        return Coded(np.zeros(corpus.n_sentences, np.int32), ("",))
    return _names(corpus, RATER, problems)


def _require_system_names(corpus: Corpus, system: Coded) -> None:
    what = misnamed(system.names, "system")
    if what:
        raise InputError.at(corpus.source, 0, what, "Call a system by one name in all rows.")


def _require_once(
    corpus: Corpus, cell: Codes, columns: tuple[Coded, Coded, Coded], problems: Collector
) -> None:
    """Nobody rates the same thing twice."""
    _, first, codes = np.unique(cell, return_index=True, return_inverse=True)
    earlier = first[codes.ravel()]
    for row in np.flatnonzero(earlier != np.arange(len(cell))).tolist():
        rater, item, system = (column[row][:40] for column in columns)
        who = f"{rater!r} rates" if rater else "somebody rates"
        what = (
            f"{who} {system} on {item!r} a second time (line {line_of(corpus, int(earlier[row]))})"
        )
        mend = "Keep one rating for each rater, item and system."
        if not rater:
            mend += " Several raters need a column rater."
        problems.add(line_of(corpus, row), what, mend)


def _ties(corpus: Corpus, problems: Collector) -> NDArray[np.bool_]:
    if TIE not in corpus.fields:
        return np.zeros(corpus.n_sentences, bool)
    column = coded(corpus.fields[TIE], missing="")
    strange = np.array([name.lower() not in _TIED for name in column.names])
    for row in np.flatnonzero(strange[column.codes]).tolist():
        what = f"tie is {column[row][:40]!r}"
        problems.add(line_of(corpus, row), what, "Write 1 for a tie, 0 for none.")
    said = np.array([_TIED.get(name.lower(), False) for name in column.names])
    return said[column.codes]


def _criteria(corpus: Corpus, criteria: str, used: set[str], item: Coded) -> list[str]:
    """The columns that hold ratings."""
    wanted = [one.strip() for one in criteria.split(",") if one.strip()]
    for name in wanted:
        if name not in corpus.fields or name in used:
            known = [one for one in corpus.fields if one not in used and one != LINE]
            raise UsageError.unknown("criterion", name, known)
    if len(set(wanted)) < len(wanted):
        raise UsageError("criteria: a column is named twice")
    if wanted:
        return wanted
    single = _name(corpus, SCORE)
    if single is not None:
        return [single]
    first = np.zeros(len(item.names), np.int64)
    first[item.codes[::-1]] = np.arange(len(item.codes))[::-1]
    found = []
    for name, column in corpus.fields.items():
        given = None if name in used or name == LINE else numbers(column)
        if given is not None and not np.array_equal(
            given, given[first][item.codes], equal_nan=True
        ):
            found.append(name)
    if not found:
        have = ", ".join(one for one in corpus.fields if one != LINE)
        raise InputError.at(
            corpus.source, 1, f"no column holds ratings (columns: {have})",
            "Call it score or rating, or name the columns: --set criteria=fluency,adequacy.",
        )  # fmt: skip
    return found
