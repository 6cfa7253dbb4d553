"""Mentions in a column of brackets, found for all cells at once.

A closing bracket closes the mention of its chain that was opened last in its sentence. Brackets of
one chain in one sentence are paired by their depth: an opening bracket and the next closing one at
the same depth belong together.

>>> from finegrain.errors import Collector
>>> cells = Texts.of(["(5|(1)", "(5", "5)5)"])
>>> found = mentions(cells, np.array([0, 2, 3]), np.zeros(3, int), np.arange(1, 4), Collector("f"))
>>> found.first.tolist(), found.last.tolist(), [found.chain[row] for row in range(3)]
([0, 0, 2], [3, 0, 3], ['5', '1', '5'])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, IntArray, Texts
from finegrain.corpus.tag_schemes import ramp
from finegrain.errors import Collector

_OPEN, _CLOSE, _BAR = b"()|"
_EDGE = ord("\n")  # stands in front of a cell and behind it


class Mentions(NamedTuple):
    """``[mention]`` first and last word, chain and line, in the order in which they are opened."""

    first: IntArray
    last: IntArray
    chain: Coded
    line: IntArray


class _Brackets(NamedTuple):
    """``[bracket]`` the cell it stands in, its chain, and whether it opens and closes a mention."""

    cell: IntArray
    chain: Coded
    opens: NDArray[np.bool_]
    closes: NDArray[np.bool_]


def mentions(
    cells: Texts, word: IntArray, sentence: IntArray, line: IntArray, problems: Collector
) -> Mentions:
    """The mentions of ``cells``, of which word, sentence and line are given, in their order."""
    found = _brackets(cells, line, problems)
    inside = sentence[found.cell] * np.int64(len(found.chain.names)) + found.chain.codes
    opening, closing = _pairs(inside, found, line, problems)
    order = np.argsort(opening, kind="stable")
    opening, closing = opening[order], closing[order]
    at = found.cell[opening]
    chain = Coded(found.chain.codes[opening], found.chain.names)
    return Mentions(word[at], word[found.cell[closing]], chain, line[at])


def _brackets(cells: Texts, line: IntArray, problems: Collector) -> _Brackets:
    """All brackets in order; a cell that holds anything else is reported and left out.

    Brackets may be separated by ``|`` or stand side by side.
    """
    cell = np.repeat(np.arange(len(cells)), cells.lengths)
    where = cells.starts[cell] + ramp(cells.lengths)
    byte = np.frombuffer(cells.buffer, np.uint8).take(where)
    edge = np.flatnonzero(np.diff(cell)) + 1  # first bytes of cells but the first
    before, behind = np.append(_EDGE, byte[:-1]), np.append(byte[1:], _EDGE)
    before[edge], behind[edge - 1] = _EDGE, _EDGE
    is_name, named_before, named_behind = (_in_name(one) for one in (byte, before, behind))
    first, last = np.flatnonzero(is_name & ~named_before), np.flatnonzero(is_name & ~named_behind)
    opens, closes = before[first] == _OPEN, behind[last] == _CLOSE
    wrong = (byte == _OPEN) & ~named_behind | (byte == _CLOSE) & ~named_before
    wrong |= (byte == _BAR) & ((before == _BAR) | (before == _EDGE) | (behind == _EDGE))
    wrong[first[~(opens | closes)]] = True
    bad = np.unique(cell[wrong])
    for at in bad.tolist():
        what = f"{cells[at][:40]!r} in the last column opens or closes nothing"
        problems.add(int(line[at]), what, "Write (3, 3), (3) or - for no mention.")
    kept = np.flatnonzero(~np.isin(cell[first], bad)) if len(bad) else slice(None)
    first, last = first[kept], last[kept]
    names = Texts(cells.buffer, where[first], last - first + 1).coded()
    return _Brackets(cell[first], names, opens[kept], closes[kept])


def _in_name(byte: NDArray[np.uint8]) -> NDArray[np.bool_]:
    other: NDArray[np.bool_] = (byte != _OPEN) & (byte != _CLOSE) & (byte != _BAR) & (byte != _EDGE)
    return other


def _pairs(
    inside: IntArray, found: _Brackets, line: IntArray, problems: Collector
) -> tuple[IntArray, IntArray]:
    """Brackets that open a mention, and those that close it; ``inside``: chain and sentence."""
    both = found.opens & found.closes
    single = np.flatnonzero(both)
    rows = np.flatnonzero(~both)
    rows = rows[np.argsort(inside[rows], kind="stable")]
    step = np.where(found.opens[rows], 1, -1)
    depth = np.cumsum(step)
    ends = np.append(np.flatnonzero(np.diff(inside[rows])), len(rows) - 1)[: len(rows)]
    if depth[ends].any() or (depth < 0).any():
        _report(inside, found, rows, line, problems)
        return single, single
    level = np.where(step > 0, depth, depth + 1)
    rows = rows[np.lexsort((level, inside[rows]))]  # stable: opening, closing, opening, closing
    return np.append(single, rows[::2]), np.append(single, rows[1::2])


def _report(
    inside: IntArray, found: _Brackets, rows: IntArray, line: IntArray, problems: Collector
) -> None:
    """Report brackets without a partner, chain by chain and sentence by sentence."""
    waiting: list[int] = []
    now = -1
    for row in [*rows.tolist(), None]:
        if row is None or inside[row] != now:
            for left in waiting:
                name = found.chain[left]
                what = f"({name} opens a mention that its sentence does not close"
                problems.add(int(line[found.cell[left]]), what, f"Write {name}) at its last word.")
            waiting = []
        if row is None:
            return
        now = int(inside[row])
        if found.opens[row]:
            waiting.append(row)
        elif waiting:
            waiting.pop()
        else:
            what = f"{found.chain[row]}) closes a mention that was not opened here"
            mend = "A mention ends in its own sentence."
            problems.add(int(line[found.cell[row]]), what, mend)
