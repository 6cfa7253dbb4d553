"""How units change, label by label: from which outcome to which (Tuggener 2017, table 8).

It tells mentions: two wrong links are one answer, so that there are few transitions.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.difference(fg.align(*small_corpora("coreference")), "split", "lumped")
>>> listing = transitions(found)
>>> [(column.group, column.name) for column in listing.columns[3:]]
[('corrections', 'WL → TP'), ('corrections', 'FP → tn'), ('new errors', 'tn → FP'),
 ('new errors', 'TP → FN')]
>>> listing.rows, listing.footer
((('noun', 6, 6, 0, 1, 4, 1), ('pronoun', 1, 1, 1, 0, 0, 0)), (('all', 7, 7, 1, 1, 4, 1),))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.table.verdicts import CHANGES

if TYPE_CHECKING:
    from finegrain.analyses.compare.difference import Difference

_TRUE_NEGATIVE = "tn"  # what is not gold, and the system is right about


def transitions(found: Difference) -> Listing:
    """Labels down, transitions across, those of the paper's table 8 in its order."""
    words = found.task.words
    label = words.label.replace("_", " ")
    across = [
        (kind, move)
        for kind in CHANGES
        for move in _distinct(_named(found, one.before, one.after) for one in found.changes(kind))
    ]
    columns = (
        Column(label), Column(words.units, "count"), Column("changed", "count"),
        *(Column(move, "count", group=f"{kind.replace('_', ' ')}s") for kind, move in across),
    )  # fmt: skip
    labels = sorted(found.by_label(), key=lambda one: (-one.units, one.label))
    rows = []
    total: Counter[str] = Counter()
    for one in labels:
        counted: Counter[str] = Counter()
        for move in one.transitions or ():
            counted[_named(found, move.before, move.after)] += move.times
        total += counted
        rows.append(_row(one.label, one.units, counted, [move for _, move in across]))
    footer = _row("all", found.units, total, [move for _, move in across])
    return Listing(f"Changes by {label}", columns, tuple(rows), _note(found), (footer,))


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _row(label: str, units: int, counted: Counter[str], moves: list[str]) -> tuple[Cell, ...]:
    return (label, units, counted.total(), *(counted[move] for move in moves))


def _named(found: Difference, before: str, after: str) -> str:
    outcomes = found.task.outcomes
    return " → ".join(_TRUE_NEGATIVE if outcomes[one].quiet else one for one in (before, after))


def _note(found: Difference) -> str:
    meanings = (one.meaning for one in found.task.outcomes if one.absent)
    return "".join(f"{_TRUE_NEGATIVE}: {meaning}" for meaning in meanings)
