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
nowhere      at no gold word: the head is missing, or is not a gold word
===========  =====================================================================================

How far the two heads lie apart, and whether on the two sides of the word, is told where both are
words:

>>> distances(align(gold, {"flat": flat}))[:, 0].tolist()               # saw -> dogs, dogs -> saw
[2.0, nan, 2.0, nan]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.dependencies import BOTH_CODE, HEAD_CODE
from finegrain.corpus.trees import NOWHERE, ROOT, heads
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.table.further_counts import Counts, FurtherCounts

PLACES = ("grandparent", "sibling", "child", "root", "elsewhere", "nowhere")
MOVED = {"1": 1, "2-3": 2, "4-7": 4, "8+": 8}  # words from head to head -> from how many on
NO_YES = ("no", "yes")
_RIGHT = -1


def attached(table: OutcomeTable) -> NDArray[np.int8]:
    """``[unit, system]`` codes of ``PLACES``; -1 where the head is right or there is no word."""
    word, head = _words(table), heads(table.corpus)
    gold = head[word]
    above = np.append(head, [NOWHERE, ROOT])  # the last two places serve NOWHERE and ROOT
    found = np.full(table.outcome.shape, _RIGHT, np.int8)
    wrong = _wrong_head(table)
    for system in range(table.n_systems):
        answer = table.details["head"][:, system]
        rows = np.flatnonzero(wrong[:, system])
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

    nan where the head is right, or where one of the two is not a word of the gold.
    """
    gold = heads(table.corpus)[_words(table)][:, None]
    found: NDArray[np.float64] = np.abs(table.details["head"] - gold).astype(np.float64)
    found[~_between_words(table)] = np.nan
    return found


def other_sides(table: OutcomeTable) -> NDArray[np.int8]:
    """``[unit, system]`` 1 where the word stands between its two heads, 0 where it does not.

    -1 where the head is right, or where one of the two is not a word of the gold.
    """
    word = _words(table)
    right = (heads(table.corpus)[word] > word)[:, None]
    found: NDArray[np.int8] = ((table.details["head"] > word[:, None]) != right).astype(np.int8)
    found[~_between_words(table)] = -1
    return found


def _between_words(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` whether the head is wrong, and both heads are words."""
    gold = heads(table.corpus)[_words(table)] >= 0
    found: NDArray[np.bool_] = _wrong_head(table) & gold[:, None] & (table.details["head"] >= 0)
    return found


def _wrong_head(table: OutcomeTable) -> NDArray[np.bool_]:
    wrong: NDArray[np.bool_] = np.isin(table.outcome, (HEAD_CODE, BOTH_CODE))
    return wrong


def attachments(table: OutcomeTable, *, moved: int | None = None) -> FurtherCounts:
    """Count the words with a wrong head by where they hang, and by how far the head moved.

    ``moved``: tell apart heads that moved by at most this many words from those that moved further.
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
    return FurtherCounts(
        "heads",
        "Wrong heads: where words are attached instead",
        (
            Counts("wrong", "wrong", counts.sum(axis=1)),
            Counts("attached", "attached to", counts, PLACES),
            Counts("other_side", "other side", np.count_nonzero(sides == 1, axis=0)),
            Counts("moved", "moved by words", far, tuple(steps)),
        ),
    )


def places_of_heads(table: OutcomeTable) -> tuple[NDArray[np.int8], tuple[str, ...]]:
    """The field ``attached``: where a word with a wrong head hangs instead."""
    return attached(table), PLACES


def sides_of_heads(table: OutcomeTable) -> tuple[NDArray[np.int8], tuple[str, ...]]:
    """The field ``other_side``: whether the head moved to the other side of the word."""
    return other_sides(table), NO_YES


def _two_steps(most: int) -> dict[str, int]:
    """At most this many words, and more.

    >>> _two_steps(5)
    {'1-5': 1, '6+': 6}
    """
    if most < 1:
        raise UsageError(f"moved is a number of words from 1 on, not {most}")
    return {"1" if most == 1 else f"1-{most}": 1, f"{most + 1}+": most + 1}
