"""Where a run ranks its documents, and which of them are judged.

Documents are ranked as trec_eval does: by their score as a 32-bit number, the highest first, and
equal ones by their ids as bytes, the last first. The rank that a file has is ignored.

>>> rows = Rows(np.array([0, 0, 0]), {"id": Texts.of(["d1", "d2", "d3"]),
...                                   "score": np.array([1.0, 1.00000001, 2.0])})
>>> ranks(rows).tolist()                                         # d3, then d2 and d1, which tie
[3, 2, 1]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray, Texts
from finegrain.corpus.columns import Rows
from finegrain.corpus.items import coded
from finegrain.corpus.text_order import places

_HASH = "@hash"
_MIX = np.uint64(0x9E3779B97F4A7C15)


def names_of(rows: Rows) -> Texts:
    """The ids of documents, which JSON may have as numbers; "" for one that has none.

    >>> list(names_of(Rows(np.array([0, 0]), {"id": np.array([7.0, np.nan])})))
    ['7', '']
    """
    column = rows.fields["id"]
    return column if isinstance(column, Texts) else Texts.of(coded(column, missing=""))


def hashed(rows: Rows) -> Rows:
    """The same documents with hashes of their ids, which are asked for several times."""
    return Rows(rows.parent, {**rows.fields, _HASH: names_of(rows).hashes()}, rows.by_system)


def hashes_of(rows: Rows) -> NDArray[np.uint64]:
    """``[document]`` the hash of its id."""
    return rows.fields[_HASH] if _HASH in rows.fields else names_of(rows).hashes()  # type: ignore[return-value]  # an array


def ranks(rows: Rows) -> NDArray[np.int64]:
    """``[document]`` the rank in its query, from 1."""
    parent, size = rows.parent, rows.size
    with np.errstate(over="ignore"):  # beyond the largest number all are equal
        score = np.asarray(rows.fields["score"]).astype(np.float32)
    same = parent[1:] == parent[:-1]
    order: IntArray = np.arange(size)
    if (same & (score[1:] > score[:-1])).any():
        order = np.lexsort((-score, parent))
        score = score[order]
    tied = same & (score[1:] == score[:-1])
    if tied.any():
        order = _by_names(order, tied, names_of(rows))
    number = np.bincount(parent)
    found = np.empty(size, np.int64)
    found[order] = np.arange(size) - (np.cumsum(number) - number)[parent] + 1
    return found


def _by_names(order: IntArray, tied: NDArray[np.bool_], names: Texts) -> IntArray:
    """The order in which tied documents (each with the next) stand by id, the last first."""
    group = np.cumsum(np.append(True, ~tied))
    some = np.flatnonzero(np.append(False, tied) | np.append(tied, False))
    place = places(names.take(order[some]), group[some])
    sorted_rows = np.lexsort((-place, group[some]))
    found = order.copy()
    found[some] = order[some][sorted_rows]
    return found


class Judged(NamedTuple):
    """Judged documents, to be looked up by query and id.

    ``keys`` are sorted hashes of both, ``rows`` the documents that have them.
    """

    parent: IntArray
    names: Texts
    keys: NDArray[np.uint64]
    rows: IntArray

    @classmethod
    def of(cls, rows: Rows) -> Judged:
        keys = _keys(rows.parent, hashes_of(rows))
        order = np.argsort(keys, kind="stable")
        return cls(rows.parent, names_of(rows), keys[order], order)

    def find(self, query: IntArray, names: Texts, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """``[row]`` the judged document of this query and id, -1 for none."""
        if not len(self.keys) or not len(query):
            return np.full(len(query), -1, np.int64)
        keys = _keys(query, hashes)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        hit = np.flatnonzero(self.keys[place] == keys)
        rows = self.rows[place[hit]]
        other = names.take(hit).differ(self.names.take(rows))
        other |= self.parent[rows] != query[hit]
        found = np.full(len(query), -1, np.int64)
        found[hit] = np.where(other, -1, rows)
        if other.any():  # by chance another document has the same hash
            found[hit[other]] = self._exactly(query[hit[other]], names.take(hit[other]))
        return found

    def _exactly(self, query: IntArray, names: Texts) -> list[int]:
        known = {(parent, self.names[row]): row for row, parent in enumerate(self.parent.tolist())}
        return [known.get((of, names[row]), -1) for row, of in enumerate(query.tolist())]


def repeated(rows: Rows) -> list[tuple[int, int]]:
    """Documents that occur twice in a query: the row of the second, and that of the first.

    >>> repeated(Rows(np.array([0, 0, 1]), {"id": Texts.of(["d1", "d1", "d1"])}))
    [(1, 0)]
    """
    parent, names, keys = rows.parent, names_of(rows), _keys(rows.parent, hashes_of(rows))
    ordered = np.sort(keys)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    seen: dict[tuple[int, str], int] = {}
    found = []
    for row in np.flatnonzero(np.isin(keys, twice)).tolist() if len(twice) else ():
        first = seen.setdefault((int(parent[row]), names[row]), row)
        if first != row:
            found.append((row, first))
    return found


def _keys(query: IntArray, hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A hash of query and id."""
    mixed: NDArray[np.uint64] = hashes ^ (query.astype(np.uint64) * _MIX)
    return mixed
