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
elsewhere    at any other gold word
nowhere      at no gold word: the head is missing, or is a word that the gold has not
===========  =====================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Column, Listing
from finegrain.corpus.trees import NOWHERE, ROOT, heads
from finegrain.table import OutcomeTable

PLACES = ("grandparent", "sibling", "child", "root", "elsewhere", "nowhere")
MOVED = {"1": 1, "2-3": 2, "4-7": 4, "8+": 8}  # words between the two heads -> from how many on
_RIGHT = -1


@dataclass(frozen=True, slots=True, eq=False)
class Attachments:
    """Words with a wrong head, counted.

    Parameters
    ----------
    places: ``[system, place]`` where they hang, in the order of ``PLACES``
    other_side: ``[system]`` how many hang to the left instead of to the right, or vice versa
    moved: ``[system, distance]`` how far the two heads are apart, in the order of ``MOVED``
    """

    systems: tuple[str, ...]
    places: NDArray[np.int64]
    other_side: NDArray[np.int64]
    moved: NDArray[np.int64]

    def to_json(self, system: int) -> dict[str, Any]:
        """The counts of one system."""
        return {
            "wrong": int(self.places[system].sum()),
            "attached": dict(zip(PLACES, self.places[system].tolist(), strict=True)),
            "other_side": int(self.other_side[system]),
            "moved": dict(zip(MOVED, self.moved[system].tolist(), strict=True)),
        }

    def listing(self) -> Listing:
        """One line per system."""
        columns = (
            Column("system"), Column("wrong", "count"),
            *(Column(place, "count", group="attached to") for place in PLACES),
            Column("other side", "count"),
            *(Column(name, "count", group="moved by words") for name in MOVED),
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
            "sibling": (own >= 0) & (over == own),
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


def attachments(table: OutcomeTable) -> Attachments:
    """Count the words with a wrong head by where they hang."""
    word = _words(table)
    gold = heads(table.corpus)[word]
    places = attached(table)
    counts = np.zeros((table.n_systems, len(PLACES)), np.int64)
    other_side = np.zeros(table.n_systems, np.int64)
    moved = np.zeros((table.n_systems, len(MOVED)), np.int64)
    bounds = list(MOVED.values())
    for system in range(table.n_systems):
        wrong = places[:, system] >= 0
        counts[system] = np.bincount(places[wrong, system], minlength=len(PLACES))
        answer = table.details["head"][:, system]
        both = np.flatnonzero(wrong & (answer >= 0) & (gold >= 0))
        mine, own, at = answer[both], gold[both], word[both]
        other_side[system] = np.count_nonzero((mine > at) != (own > at))
        step = np.searchsorted(bounds, np.abs(mine - own), side="right") - 1
        moved[system] = np.bincount(step, minlength=len(bounds))
    return Attachments(table.systems, counts, other_side, moved)
