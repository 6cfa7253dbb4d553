"""Which mentions key and response chains share: all that metrics of chains look at.

Mentions are numbered, and so are chains, over all documents at once. What chains share is counted
by sorting, not by comparing chains with each other.

>>> pairs = Contingency.of([["a"], ["b", "c"], ["d", "e", "f"]], [["a"], ["b", "c", "x"], ["d"]])
>>> pairs.key.sizes.tolist(), pairs.response.sizes.tolist()
([1, 2, 3], [1, 3, 1])
>>> pairs.shared.tolist()             # a; b and c; d
[1, 2, 1]
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray

Floats = NDArray[np.float64]


class Side(NamedTuple):
    """``[chain]`` how many mentions a chain has, how many of them the other side has, and where."""

    sizes: IntArray
    matched: IntArray
    document: IntArray


class Contingency(NamedTuple):
    """Chains of key and response, and what they share.

    ``key_chain``, ``response_chain``, ``shared``: ``[cell]`` two chains and how many mentions they
    have in common, at least one.
    """

    key: Side
    response: Side
    key_chain: IntArray
    response_chain: IntArray
    shared: IntArray
    n_documents: int

    @classmethod
    def of(
        cls, key: Sequence[Iterable[Hashable]], response: Sequence[Iterable[Hashable]]
    ) -> Contingency:
        """Of one document, whose chains are lists of anything that can be compared."""
        number: dict[Hashable, int] = {}
        sides = [
            {
                number.setdefault(one, len(number)): at
                for at, chain in enumerate(side)
                for one in chain
            }
            for side in (key, response)
        ]
        columns = [
            np.array([side.get(mention, -1) for mention in range(len(number))], np.int64)
            for side in sides
        ]
        return contingency(columns[0], columns[1], np.zeros(len(number), np.int64), 1)


def contingency(
    key: IntArray,
    response: IntArray,
    document: IntArray,
    n_documents: int,
    *,
    met: IntArray | None = None,
) -> Contingency:
    """From ``[mention]`` the chains of all mentions, -1 where a side does not have the mention.

    ``met``: the key chain that a mention of the response meets, where that is not ``key`` itself:
    mentions with other boundaries stand in rows of their own.
    """
    met = key if met is None else met
    both = (met >= 0) & (response >= 0)
    n_response = max(int(response.max(initial=-1)) + 1, 1)
    pairs, shared = np.unique(
        met[both].astype(np.int64) * n_response + response[both], return_counts=True
    )
    key_chain, response_chain = np.divmod(pairs, n_response)
    return Contingency(
        _side(key, met[both], document),
        _side(response, response[both], document),
        key_chain,
        response_chain,
        shared,
        n_documents,
    )


def _side(chain: IntArray, matched: IntArray, document: IntArray) -> Side:
    has = chain >= 0
    sizes = np.bincount(chain[has])
    where = np.zeros(len(sizes), np.int64)
    where[chain[has]] = document[has]
    return Side(sizes, np.bincount(matched, minlength=len(sizes)), where)


def per_document(pairs: Contingency, side: Side, values: NDArray[np.generic]) -> Floats:
    """``[document]`` sums of values ``[chain]`` of one side."""
    return np.bincount(side.document, weights=values, minlength=pairs.n_documents).astype(float)


def per_document_of_cells(pairs: Contingency, values: NDArray[np.generic]) -> Floats:
    """``[document]`` sums of values ``[cell]``."""
    where = pairs.key.document[pairs.key_chain]
    return np.bincount(where, weights=values, minlength=pairs.n_documents).astype(float)


def links(sizes: NDArray[np.generic]) -> Floats:
    """Pairs among so many mentions.

    >>> links(np.array([0, 1, 2, 4])).tolist()
    [0.0, 0.0, 1.0, 6.0]
    """
    size = sizes.astype(np.float64)
    pairs: Floats = (size * size - size) / 2
    return pairs
