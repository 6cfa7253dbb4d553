"""Which mention of a system is which mention of the gold standard.

``exact``: the same words, and the same empty nodes. ``partial``: or, a mention that lies within a
gold mention and has its head. ``head``: or, a mention with the same head (and of two mentions with
the same words only those with the same head). Where several mentions could be paired, the pairs
that cover the largest shares of gold mentions are taken; every mention is paired once at most.
Where several pairings are equally good, pairs with the same words come first, then those in which
the smallest share of the gold mention's words is missed, then those that start earlier, then those
that end earlier: the order of brackets in a file has no say.

*Zeros*, whose head is an empty node, may stand in different places; they are ``dependent`` on words
and paired by these: 10 times the F1 of parents with their relations, plus the F1 of parents. Or
they are taken by their place, as other mentions are (``linear``).

All of it is the way of the CorefUD scorer (CRAC shared tasks of 2022 to 2024), which leaves some
ties to the order in which it tries pairs.

>>> from finegrain.corpus import Clusters
>>> gold = Clusters.of([(0, 0, 3, "a"), (0, 4, 5, "a")], documents=[0])
>>> system = Clusters.of([(0, 4, 5, "x"), (0, 1, 3, "x")], documents=[0])
>>> partners(gold, system).tolist()            # the gold mention of each, -1 for none
[1, -1]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.ranked_pairs import ranked_pairs
from finegrain.corpus import Clusters, IntArray
from finegrain.corpus.clusters import WORD

Match = Literal["exact", "partial", "head"]
Zeros = Literal["dependent", "linear", "remove"]
MATCHES: tuple[Match, ...] = ("exact", "partial", "head")
ZEROS: tuple[Zeros, ...] = ("dependent", "linear", "remove")


def identities(sides: Sequence[Clusters], *, with_head: bool) -> list[NDArray[np.int64]]:
    """``[mention]`` of every side: a number that is the same for the same mention.

    The same are mentions with the same nodes and, if asked for, the same head. Numbers order
    mentions by sentence, first and last word, as documents are read.
    """
    gaps = _shared([side.spans.token_sets for side in sides])
    empty = _shared([side.empty_sets for side in sides])
    columns = [
        [
            side.spans.sentence,
            side.spans.begin,
            side.spans.end,
            of_gaps[side.spans.token_set],
            of_empty[side.empty_set],
            *([side.head] if with_head else []),
        ]
        for side, of_gaps, of_empty in zip(sides, gaps, empty, strict=True)
    ]
    key = dense([np.concatenate(parts) for parts in zip(*columns, strict=True)])
    return np.split(key, np.cumsum([len(side) for side in sides])[:-1])


def _shared(sides: Sequence[tuple[tuple[int, ...], ...]]) -> list[IntArray]:
    """For every side, from its codes of sets (0: none) to codes that all sides share."""
    known = {
        one: code for code, one in enumerate(sorted({one for side in sides for one in side}), 1)
    }
    return [np.array([0, *(known[one] for one in side)], np.int64) for side in sides]


def dense(columns: Sequence[IntArray]) -> NDArray[np.int64]:
    """One number per row, from 0 without gaps, that orders rows as the columns do, first first.

    >>> dense([np.array([2, 0, 2]), np.array([1, 5, 0])]).tolist()
    [2, 0, 1]
    """
    key = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        size = int(column.max(initial=0)) + 1
        if int(key.max(initial=0)) > (2**62) // size:
            key = np.unique(key, return_inverse=True)[1].ravel()
        key = key * size + column
    return np.unique(key, return_inverse=True)[1].ravel()


def partners(
    gold: Clusters, system: Clusters, *, match: Match = "exact", zeros: Zeros = "dependent"
) -> NDArray[np.int64]:
    """``[mention of the system]`` the mention of the gold standard that it is, -1 for none."""
    found = np.full(len(system), -1, np.int64)
    if zeros == "dependent" and gold.is_zero.any() and system.is_zero.any():
        _pair(found, _zero_pairs(gold, system))
    ours, theirs = identities([gold, system], with_head=match == "head")
    row_of = np.full(max(ours.max(initial=-1), theirs.max(initial=-1)) + 1, -1, np.int64)
    row_of[ours] = np.arange(len(gold))
    row_of[ours[found[found >= 0]]] = -1  # paired already
    same = np.where(found < 0, row_of[theirs], -1)
    found[same >= 0] = same[same >= 0]
    if match != "exact":
        _pair(found, _overlapping(gold, system, found, match))
    return found


def _pair(found: NDArray[np.int64], pairs: Iterable[_Pair]) -> None:
    """Enter the best of some pairs; ties go by the rules above."""
    ranked = sorted(pairs, key=_Pair.rank)
    for at in ranked_pairs([(pair.gold.row, pair.system.row, pair.gain) for pair in ranked]):
        found[ranked[at].system.row] = ranked[at].gold.row


class _Mention(NamedTuple):
    row: int
    nodes: tuple[int, ...]
    head: int


class _Pair(NamedTuple):
    """Two mentions that may be the same, and what is gained if they are."""

    gold: _Mention
    system: _Mention
    gain: Fraction

    def rank(self) -> tuple[object, ...]:
        """What sorts pairs; unlike rows, it does not depend on the order in a file."""
        ours, theirs = self.gold.nodes, self.system.nodes
        words, others = ({node for node in nodes if not node % WORD} for nodes in (ours, theirs))
        return (
            words != others,
            Fraction(len(words - others), max(len(words), 1)),
            (ours[0], theirs[0]),
            (ours[-1], theirs[-1]),
            (ours, theirs, self.gold.head, self.system.head),
        )


_Place = tuple[int, int]  # sentence and node


def _mentions(clusters: Clusters, rows: IntArray) -> Iterator[tuple[int, _Mention]]:
    """Some mentions, each with its sentence."""
    for row in rows.tolist():
        mention = _Mention(row, clusters.nodes(row), int(clusters.head[row]))
        yield int(clusters.spans.sentence[row]), mention


def _overlapping(
    gold: Clusters, system: Clusters, found: NDArray[np.int64], match: Match
) -> Iterator[_Pair]:
    """Mentions that are not paired yet and may be the same, with the share of gold that is met."""
    at: dict[_Place, list[_Mention]] = defaultdict(list)  # by head, or by every node
    for sentence, mention in _mentions(system, np.flatnonzero(found < 0)):
        for node in (mention.head,) if match == "head" else mention.nodes:
            at[sentence, node].append(mention)
    free = np.ones(len(gold), bool)
    free[found[found >= 0]] = False
    for sentence, mention in _mentions(gold, np.flatnonzero(free)):
        for other in at.get((sentence, mention.head), ()):
            if match == "head" or set(other.nodes) <= set(mention.nodes):
                met = len(set(mention.nodes) & set(other.nodes))
                if met:
                    yield _Pair(mention, other, Fraction(met, len(mention.nodes)))


def _zero_pairs(gold: Clusters, system: Clusters) -> Iterator[_Pair]:
    """Zeros of a sentence that depend on the same word."""
    at: dict[_Place, list[_Mention]] = defaultdict(list)
    for sentence, mention in _mentions(system, np.flatnonzero(system.is_zero)):
        for node in {node for node, _ in system.parents(mention.row)}:
            at[sentence, node].append(mention)
    for sentence, mention in _mentions(gold, np.flatnonzero(gold.is_zero)):
        wanted = set(gold.parents(mention.row))
        nodes = {node for node, _ in wanted}
        for other in {other for node in nodes for other in at.get((sentence, node), ())}:
            given = set(system.parents(other.row))
            gain = 10 * _f1(wanted, given) + _f1(nodes, {node for node, _ in given})
            yield _Pair(mention, other, gain)


def _f1(one: Set[object], other: Set[object]) -> Fraction:
    return Fraction(2 * len(one & other), len(one) + len(other))


def inventions_by_head(
    found: Sequence[Clusters],
    pairs: Sequence[IntArray],
    rows: Sequence[IntArray],
    linked: Sequence[NDArray[np.bool_]],
) -> list[IntArray]:
    """``[mention]`` of every system: the row to compare it in, of the rows of all mentions.

    Mentions that systems invent (``pairs`` is -1) are the same if they have the same head: they are
    compared in the first row with that head. If a system has several, those that are ``linked``
    to an antecedent come first, and each goes with that of the same rank in other systems.
    """
    place = np.repeat(np.arange(len(found)), [len(one) for one in found])
    row = np.concatenate(rows).astype(np.int64)
    free = np.flatnonzero(np.concatenate(pairs) < 0)
    head = dense([
        np.concatenate([one.spans.sentence for one in found])[free],
        np.concatenate([one.head for one in found])[free],
    ])  # fmt: skip
    order = np.lexsort((row[free], ~np.concatenate(linked)[free], place[free], head))
    runs = dense([head, place[free]])[order]
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order)) - np.searchsorted(runs, runs)
    used, first = np.unique(row[free], return_index=True)
    by_head = np.argsort(head[first], kind="stable")
    opening = np.searchsorted(head[first][by_head], head)
    row[free] = used[by_head][opening + rank]
    return np.split(row, np.cumsum([len(one) for one in found])[:-1])
