"""Mentions and the chains they belong to, as columns.

A mention is a span of one sentence; mentions of one document with the same chain are said to be the
same thing. Besides words a mention may hold *empty nodes* (words that are not said, such as a
dropped subject); a mention whose head is such a node is a *zero*.

>>> clusters = Clusters.of([(0, 0, 2, "ada"), (0, 4, 5, "it"), (1, 0, 1, "ada")], documents=[0, 0])
>>> len(clusters), clusters.n_chains, clusters.chain.tolist()
(3, 2, [0, 1, 0])
>>> clusters.nodes(0)                 # words count in thousands, empty nodes between them: 15.1
(1000, 2000)

Rows stand in the order in which mentions are opened in the file. A chain belongs to one document:
the same name in two documents is two chains.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.spans import Spans
from finegrain.corpus.texts import Coded, IntArray

WORD = 1000  # nodes are numbered so that 999 empty nodes fit behind every word
Parent = tuple[int, str]  # a node and the relation to it
Mention = tuple[int, int, int, str]
_Set = TypeVar("_Set", tuple[int, ...], tuple[Parent, ...])


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Columns ``[mention]`` beside those of ``spans``, whose labels are types of entities.

    Parameters
    ----------
    spans: the words of each mention; one without words begins and ends at the same place
    chain: its chain, numbered over all documents in the order of their first mentions
    names: ``[chain]`` what the file calls it
    head: the node that is its head; 0 where nobody says
    empty_set: 0 without empty nodes, else 1 + a place in ``empty_sets``
    parent_set: of heads that are empty nodes, 0 or 1 + a place in ``parent_sets``
    line: where the mention is opened in the file, from 1; 0 without a file
    """

    spans: Spans
    chain: IntArray
    names: tuple[str, ...]
    head: IntArray
    empty_set: IntArray
    parent_set: IntArray
    line: IntArray
    empty_sets: tuple[tuple[int, ...], ...] = ()
    parent_sets: tuple[tuple[Parent, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.chain)

    @property
    def n_chains(self) -> int:
        return len(self.names)

    @property
    def is_zero(self) -> NDArray[np.bool_]:
        """``[mention]`` whether the head is an empty node."""
        zero: NDArray[np.bool_] = self.head % WORD != 0
        return zero

    @classmethod
    def of(cls, mentions: Iterable[Mention], *, documents: Sequence[int]) -> Clusters:
        """Build from rows ``(sentence, begin, end, chain)`` and the document of each sentence."""
        builder = ClustersBuilder()
        for sentence, begin, end, name in mentions:
            words = range((begin + 1) * WORD, (end + 1) * WORD, WORD)
            builder.add(sentence, tuple(words), (documents[sentence], name))
        return builder.clusters()

    @classmethod
    def contiguous(
        cls,
        sentence: IntArray,
        begin: IntArray,
        end: IntArray,
        chain: Coded,
        *,
        document: IntArray,
        line: IntArray,
    ) -> Clusters:
        """Mentions that are words in a row, in the order in which they are opened.

        ``chain``: ``[mention]`` what the file calls its chain; the same name in two documents is
        two chains.
        """
        key = document.astype(np.int64) * len(chain.names) + chain.codes
        number, first = _in_order(key)
        none = np.zeros(len(key), np.int32)
        where, start, stop = (one.astype(np.int32) for one in (sentence, begin, end))
        spans = Spans.contiguous(where, start, stop, none, ("",))
        names = tuple(chain[row] for row in first.tolist())
        return cls(spans, number, names, none, none, none, line.astype(np.int32))

    def nodes(self, row: int) -> tuple[int, ...]:
        """All nodes of a mention in order, words and empty ones."""
        words = tuple((token + 1) * WORD for token in self.spans.tokens(row))
        code = int(self.empty_set[row])
        return tuple(sorted((*words, *self.empty_sets[code - 1]))) if code else words

    def parents(self, row: int) -> tuple[Parent, ...]:
        """What the head of a zero depends on."""
        code = int(self.parent_set[row])
        return self.parent_sets[code - 1] if code else ()

    def empty_nodes(self) -> NDArray[Any]:
        """``[mention]`` its empty nodes as they are written, ``9.1 9.2``."""
        written = np.empty(len(self.empty_sets) + 1, object)
        written[0] = ""
        for place, nodes in enumerate(self.empty_sets, 1):
            written[place] = " ".join(f"{node // WORD}.{node % WORD}" for node in nodes)
        found: NDArray[Any] = written[self.empty_set]
        return found

    def take(self, rows: IntArray) -> Clusters:
        """The given mentions, in the given order; chains are numbered anew."""
        chain, first = _in_order(self.chain[rows])
        return replace(
            self,
            spans=self.spans.take(rows),
            chain=chain,
            names=tuple(self.names[code] for code in self.chain[rows[first]].tolist()),
            head=self.head[rows],
            empty_set=self.empty_set[rows],
            parent_set=self.parent_set[rows],
            line=self.line[rows],
        )

    def in_sentences(self, sentences: IntArray, size: int) -> Clusters:
        """The mentions of some of ``size`` sentences, which stand in the given order."""
        number = np.full(size, -1, np.int32)
        number[sentences] = np.arange(len(sentences))
        moved = number[self.spans.sentence]
        order = np.argsort(moved, kind="stable")
        rows = order[moved[order] >= 0]
        kept = self.take(rows)
        return replace(kept, spans=replace(kept.spans, sentence=moved[rows]))


class ClustersBuilder:
    """Gathers the mentions of a file one after the other."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int, str, tuple[int, ...]]] = []
        self.chain: list[int] = []
        self.head: list[int] = []
        self.line: list[int] = []
        self.empty: list[int] = []
        self.parent: list[int] = []
        self.chains: dict[tuple[int, str], int] = {}  # document and name -> number
        self.empty_sets: dict[tuple[int, ...], int] = {}
        self.parent_sets: dict[tuple[Parent, ...], int] = {}

    def add(
        self,
        sentence: int,
        nodes: tuple[int, ...],
        chain: tuple[int, str],
        *,
        kind: str = "",
        head: int = 0,
        parents: tuple[Parent, ...] = (),
        line: int = 0,
    ) -> None:
        """Take in a mention by its nodes, in order, and its chain: a document and a name."""
        words = tuple(node // WORD - 1 for node in nodes if node % WORD == 0)
        empty = tuple(node for node in nodes if node % WORD)
        begin = words[0] if words else nodes[0] // WORD
        end = words[-1] + 1 if words else begin
        self.rows.append((sentence, begin, end, kind, words))
        self.chain.append(self.chains.setdefault(chain, len(self.chains)))
        self.head.append(head)
        self.line.append(line)
        self.empty.append(_code(self.empty_sets, empty))
        self.parent.append(_code(self.parent_sets, parents))

    def clusters(self) -> Clusters:
        """All that was gathered."""

        def column(values: list[int]) -> NDArray[np.int32]:
            return np.array(values, np.int32)

        return Clusters(
            Spans.of(self.rows),
            column(self.chain),
            tuple(name for _, name in self.chains),
            column(self.head),
            column(self.empty),
            column(self.parent),
            column(self.line),
            tuple(self.empty_sets),
            tuple(self.parent_sets),
        )


def _in_order(keys: IntArray) -> tuple[NDArray[np.int32], IntArray]:
    """Numbers of keys in the order in which they first occur, and where they do."""
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    return rank[inverse.ravel()], first[order]


def _code(known: dict[_Set, int], found: _Set) -> int:
    return known.setdefault(found, len(known) + 1) if found else 0
