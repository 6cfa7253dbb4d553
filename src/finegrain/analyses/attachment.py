"""Where words with a wrong head hang instead, seen from the gold tree.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.dependencies import align
>>> text = [["she", "saw", "old", "dogs"]]
>>> relations = [["nsubj", "root", "amod", "obj"]]
>>> gold = Corpus.of(text, head=[["2", "0", "4", "2"]], deprel=relations)
>>> flat = Corpus.of(text, head=[["4", "0", "2", "2"]], deprel=relations)
>>> places = attached(align(gold, {"flat": flat}))
>>> [PLACES[code] if code >= 0 else None for code in places[:, 0]]
['sibling', None, 'grandparent', None]

===========  =====================================================================================
grandparent  at the head of its gold head
sibling      at a word with the same gold head
child        at a word whose gold head it is
root         at the root
elsewhere    at any other gold word, or at itself
nowhere      at no gold word: the head is missing, or is a word that the gold has not
===========  =====================================================================================

How far the two heads lie apart, and whether on the two sides of the word, is told where both are
words:

>>> distances(align(gold, {"flat": flat}))[:, 0].tolist()               # saw -> dogs, dogs -> saw
[2.0, nan, 2.0, nan]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Column, Listing
from finegrain.corpus.trees import NOWHERE, ROOT, heads
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable

PLACES = ("grandparent", "sibling", "child", "root", "elsewhere", "nowhere")
MOVED = {"1": 1, "2-3": 2, "4-7": 4, "8+": 8}  # words from head to head -> from how many on
_RIGHT = -1


@dataclass(frozen=True, slots=True, eq=False)
class Attachments:
    """Words with a wrong head, counted.

    Parameters
    ----------
    places: ``[system, place]`` where they hang, in the order of ``PLACES``
    other_side: ``[system]`` how many hang to the left instead of to the right, or vice versa
    moved: ``[system, distance]`` how far the two heads are apart
    steps: the names of those distances
    """

    systems: tuple[str, ...]
    places: NDArray[np.int64]
    other_side: NDArray[np.int64]
    moved: NDArray[np.int64]
    steps: tuple[str, ...] = tuple(MOVED)

    def to_json(self, system: int) -> dict[str, Any]:
        """The counts of one system."""
        return {
            "wrong": int(self.places[system].sum()),
            "attached": dict(zip(PLACES, self.places[system].tolist(), strict=True)),
            "other_side": int(self.other_side[system]),
            "moved": dict(zip(self.steps, self.moved[system].tolist(), strict=True)),
        }

    def listing(self) -> Listing:
        """One line per system."""
        columns = (
            Column("system"), Column("wrong", "count"),
            *(Column(place, "count", group="attached to") for place in PLACES),
            Column("other side", "count"),
            *(Column(name, "count", group="moved by words") for name in self.steps),
        )  # fmt: skip
        rows = tuple(
            (
                name,
                int(self.places[system].sum()),
                *self.places[system].tolist(),
                int(self.other_side[system]),
                *self.moved[system].tolist(),
            )
            for system, name in enumerate(self.systems)
        )
        return Listing("Wrong heads: where words are attached instead", columns, rows)


def attached(table: OutcomeTable) -> NDArray[np.int8]:
    """``[unit, system]`` codes of ``PLACES``; -1 where the head is right or there is no word."""
    word, head = _words(table), heads(table.corpus)
    gold = head[word]
    above = np.append(head, [NOWHERE, ROOT])  # the last two places serve NOWHERE and ROOT
    found = np.full(table.outcome.shape, _RIGHT, np.int8)
    for system in range(table.n_systems):
        answer = table.details["head"][:, system]
        rows = np.flatnonzero(table.is_outcome("HEAD", "BOTH")[:, system])
        mine, own, at = answer[rows], gold[rows], word[rows]
        over = above[mine]  # the gold head of the system's head
        kinds = {
            "nowhere": mine == NOWHERE,
            "root": mine == ROOT,
            "grandparent": (own >= 0) & (above[own] == mine),
            "sibling": (own >= 0) & (over == own) & (mine != at),
            "child": over == at,
        }
        code = np.full(len(rows), PLACES.index("elsewhere"), np.int8)
        for name, where in reversed(kinds.items()):
            code[where] = PLACES.index(name)
        found[rows, system] = code
    return found


def _words(table: OutcomeTable) -> NDArray[np.int64]:
    """``[unit]`` the token of the corpus."""
    return np.asarray(table.corpus.offsets[table.sentence] + table.begin, np.int64)


def distances(table: OutcomeTable) -> NDArray[np.float64]:
    """``[unit, system]`` words from the gold head to the system's.

    nan where the head is right, or where one of the two is no word of the gold.
    """
    gold = heads(table.corpus)[_words(table)][:, None]
    found: NDArray[np.float64] = np.abs(table.details["head"] - gold).astype(np.float64)
    found[~_between_words(table)] = np.nan
    return found


def other_sides(table: OutcomeTable) -> NDArray[np.int8]:
    """``[unit, system]`` 1 where the word stands between its two heads, 0 where it does not.

    -1 where the head is right, or where one of the two is no word of the gold.
    """
    word = _words(table)
    right = (heads(table.corpus)[word] > word)[:, None]
    found: NDArray[np.int8] = ((table.details["head"] > word[:, None]) != right).astype(np.int8)
    found[~_between_words(table)] = -1
    return found


def _between_words(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` whether the head is wrong, and both heads are words."""
    gold = heads(table.corpus)[_words(table)] >= 0
    found: NDArray[np.bool_] = table.is_outcome("HEAD", "BOTH") & gold[:, None]
    return found & (table.details["head"] >= 0)


def attachments(table: OutcomeTable, *, moved: int | None = None) -> Attachments:
    """Count the words with a wrong head by where they hang.

    ``moved``: tell apart heads that moved by up to so many words, and by more.
    """
    steps = MOVED if moved is None else _two_steps(moved)
    bounds = list(steps.values())
    places, sides, apart = attached(table), other_sides(table), distances(table)
    counts = np.zeros((table.n_systems, len(PLACES)), np.int64)
    far = np.zeros((table.n_systems, len(bounds)), np.int64)
    for system in range(table.n_systems):
        wrong = places[:, system] >= 0
        counts[system] = np.bincount(places[wrong, system], minlength=len(PLACES))
        known = apart[~np.isnan(apart[:, system]), system]
        step = np.searchsorted(bounds, known, side="right") - 1
        far[system] = np.bincount(step, minlength=len(bounds))
    other_side = np.count_nonzero(sides == 1, axis=0)
    return Attachments(table.systems, counts, other_side, far, tuple(steps))


def _two_steps(most: int) -> dict[str, int]:
    """Up to so many words, and more.

    >>> _two_steps(5)
    {'1-5': 1, '6+': 6}
    """
    if most < 1:
        raise UsageError(f"moved is a number of words from 1 on, not {most}")
    return {"1" if most == 1 else f"1-{most}": 1, f"{most + 1}+": most + 1}
