r"""Measures of a ranking, query by query, from the ranks of judged documents.

A document is relevant if its grade is at least ``rel``. Below, :math:`g_i` is the grade of the
document at rank i (0 where nobody judged it), :math:`r_i` is 1 if it is relevant and else 0, R the
number of relevant documents of the query, found or not, and k the cutoff. A query without relevant
documents has 0, as in trec_eval.

>>> ranking = Ranking.of([(1, 0), (2, 2), (4, 1)], missed=[1])     # ranks and grades
>>> precision(ranking, cutoff=4).tolist(), reciprocal_rank(ranking).tolist()
([0.5], [0.5])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.run_documents import DOCUMENTS, GRADE, RANK, RETRIEVED
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable

Floats = NDArray[np.float64]
Measured = Callable[["Ranking"], Floats]
HIGHEST = 4  # the grade that surely satisfies, in ERR
_DECIMALS = 5  # of ERR


class Ranking(NamedTuple):
    """What a system ranks: judged documents that it has, by query and then by rank.

    ``all_query``, ``all_grade``: all judged documents, by query and then from the highest grade
    down; ``retrieved`` ``[query]``: how many documents it has, judged or not.
    """

    query: IntArray
    rank: Floats
    grade: Floats
    all_query: IntArray
    all_grade: Floats
    retrieved: Floats

    @classmethod
    def of(
        cls, found: Sequence[tuple[int, int]], *, missed: Sequence[int] = (), retrieved: int = 0
    ) -> Ranking:
        """One query: rank and grade of judged documents, and grades of those that are missed."""
        rank, grade = np.array(found, float).reshape(-1, 2).T
        every = -np.sort(-np.append(grade, missed))
        size = max(retrieved, int(rank.max(initial=0)))
        none = np.zeros(len(every), np.int64)
        return cls(none[: len(rank)], rank, grade, none, every, np.array([float(size)]))

    @property
    def size(self) -> int:
        return len(self.retrieved)

    def total(self, rows: NDArray[np.bool_], weights: Floats | None = None) -> Floats:
        """``[query]`` how many of the documents that it has, or the sum of their weights."""
        chosen = None if weights is None else weights[rows]
        found = np.bincount(self.query[rows], chosen, minlength=self.size)
        return found.astype(np.float64)

    def relevant(self, rel: int) -> Floats:
        """``[query]`` how many documents are relevant."""
        found = np.bincount(self.all_query[self.all_grade >= rel], minlength=self.size)
        return found.astype(np.float64)

    def hits(self, rel: int, cutoff: int | None) -> NDArray[np.bool_]:
        """``[document]`` whether it is relevant and not below the cutoff."""
        found: NDArray[np.bool_] = self.grade >= rel
        return found if cutoff is None else found & (self.rank <= cutoff)

    def so_far(self, rows: NDArray[np.bool_]) -> IntArray:
        """``[document]`` how many of these the query has up to this document, itself included."""
        running = np.cumsum(rows)
        begin = np.searchsorted(self.query, self.query)
        return running - (running - rows)[begin]


_KNOWN: WeakKeyDictionary[OutcomeTable, tuple[Ranking, ...]] = WeakKeyDictionary()


def rankings(table: OutcomeTable) -> tuple[Ranking, ...]:
    """Of every system of a table; made once."""
    if table not in _KNOWN:
        _KNOWN[table] = tuple(_ranking(table, system) for system in range(table.n_systems))
    return _KNOWN[table]


def _ranking(table: OutcomeTable, system: int) -> Ranking:
    rows = table.parts[DOCUMENTS]
    grade, rank = np.asarray(rows.fields[GRADE]), rows.by_system[RANK][:, system]
    judged = np.flatnonzero(~np.isnan(grade))
    every = judged[np.lexsort((-grade[judged], rows.parent[judged]))]
    has = judged[~np.isnan(rank[judged])]
    has = has[np.lexsort((rank[has], rows.parent[has]))]
    return Ranking(
        rows.parent[has], rank[has], grade[has], rows.parent[every], grade[every],
        table.details[RETRIEVED][:, system],
    )  # fmt: skip


def per_query(table: OutcomeTable, measure: Measured) -> Floats:
    """``[query, system]`` a measure of every query."""
    found = np.zeros((len(table), table.n_systems))
    for system, ranking in enumerate(rankings(table)):
        found[:, system] = measure(ranking)
    return found


def _share(number: Floats, of: Floats) -> Floats:
    """The quotient; 0 of nothing."""
    found: Floats = number / np.where(of > 0, of, 1)
    return np.where(of > 0, found, 0.0)


def precision(ranking: Ranking, *, cutoff: int, rel: int = 1) -> Floats:
    r"""Precision: the share of relevant documents among the first k.

    .. math:: P@k = \frac{1}{k} \sum_{i=1}^{k} r_i

    A system that has fewer than k documents is divided by k as well.

    >>> precision(Ranking.of([(1, 1), (2, 0), (3, 2)]), cutoff=5).tolist()              # 2 / 5
    [0.4]
    """
    return ranking.total(ranking.hits(rel, cutoff)) / cutoff


def recall(ranking: Ranking, *, cutoff: int, rel: int = 1) -> Floats:
    r"""Recall: the share of the relevant documents that is among the first k.

    .. math:: R@k = \frac{1}{R} \sum_{i=1}^{k} r_i

    >>> recall(Ranking.of([(1, 1), (8, 1)], missed=[1, 1]), cutoff=5).tolist()          # 1 / 4
    [0.25]
    """
    return _share(ranking.total(ranking.hits(rel, cutoff)), ranking.relevant(rel))


def success(ranking: Ranking, *, cutoff: int, rel: int = 1) -> Floats:
    r"""Success: 1 if a relevant document is among the first k, else 0.

    .. math:: \left[ \sum_{i=1}^{k} r_i > 0 \right]

    >>> success(Ranking.of([(1, 0), (3, 1)]), cutoff=1).tolist()
    [0.0]
    """
    return (ranking.total(ranking.hits(rel, cutoff)) > 0).astype(np.float64)


def first_relevant(ranking: Ranking, *, cutoff: int | None = None, rel: int = 1) -> Floats:
    """``[query]`` the rank of the first relevant document; nan without one."""
    found = np.full(ranking.size, np.inf)
    hits = ranking.hits(rel, cutoff)
    np.minimum.at(found, ranking.query[hits], ranking.rank[hits])
    return np.where(np.isinf(found), np.nan, found)


def reciprocal_rank(ranking: Ranking, *, cutoff: int | None = None, rel: int = 1) -> Floats:
    r"""Reciprocal rank: 1 / the rank of the first relevant document; 0 without one.

    .. math:: RR = \frac{1}{\min \{ i : r_i = 1 \}}

    >>> reciprocal_rank(Ranking.of([(1, 0), (4, 1), (5, 1)])).tolist()
    [0.25]
    """
    return np.nan_to_num(1 / first_relevant(ranking, cutoff=cutoff, rel=rel))


def average_precision(ranking: Ranking, *, cutoff: int | None = None, rel: int = 1) -> Floats:
    r"""Average precision: the mean, over relevant documents, of the precision where each stands.

    .. math:: AP = \frac{1}{R} \sum_{i} r_i \, P@i

    Those that are not found have a precision of 0.

    >>> average_precision(Ranking.of([(1, 1), (4, 1)], missed=[1])).tolist()  # (1 + 2 / 4) / 3
    [0.5]
    """
    hits = ranking.hits(rel, cutoff)
    at = ranking.so_far(hits) / ranking.rank
    return _share(ranking.total(hits, at), ranking.relevant(rel))


def r_precision(ranking: Ranking, *, rel: int = 1) -> Floats:
    r"""R-precision: the share of relevant documents among the first R.

    .. math:: \frac{1}{R} \sum_{i=1}^{R} r_i

    >>> r_precision(Ranking.of([(1, 1), (2, 0), (3, 1)])).tolist()                      # 1 / 2
    [0.5]
    """
    number = ranking.relevant(rel)
    hits = ranking.hits(rel, None) & (ranking.rank <= number[ranking.query])
    return _share(ranking.total(hits), number)


def bpref(ranking: Ranking, *, rel: int = 1) -> Floats:
    r"""Bpref: how rarely documents that are judged not relevant stand above relevant ones.

    .. math:: \frac{1}{R} \sum_{i} r_i \left( 1 - \frac{\min(n_i, R)}{\min(N, R)} \right)

    where n are the documents above i, and N all documents of the query, that are judged and not
    relevant (Buckley and Voorhees 2004, as trec_eval has it). What nobody judged is left out; so
    are documents with a grade below 0.

    >>> bpref(Ranking.of([(1, 1), (2, 0), (3, 1)], missed=[0])).tolist()  # (1 + (1 - 1 / 2)) / 2
    [0.75]
    """
    number = ranking.relevant(rel)
    others = ranking.all_query[(ranking.all_grade >= 0) & (ranking.all_grade < rel)]
    total = np.bincount(others, minlength=ranking.size)
    above = ranking.so_far((ranking.grade >= 0) & (ranking.grade < rel))
    bound = number[ranking.query]
    least = np.minimum(total[ranking.query], bound)
    credit = 1 - _share(np.minimum(above, bound).astype(float), least.astype(float))
    return _share(ranking.total(ranking.hits(rel, None), credit), number)


def ndcg(ranking: Ranking, *, cutoff: int | None = None) -> Floats:
    r"""Normalised discounted cumulative gain, with grades as gains, as trec_eval has it.

    .. math:: nDCG@k = \frac{1}{I} \sum_{i=1}^{k} \frac{\max(g_i, 0)}{\log_2(i + 1)}

    where I is the same sum for the best order of the judged documents (Järvelin and Kekäläinen
    2002). Without a cutoff all documents count.

    >>> ndcg(Ranking.of([(1, 0), (2, 2)], missed=[1])).round(4).tolist()  # 1.2619 / (2 + 0.6309)
    [0.4796]
    """
    begin = np.searchsorted(ranking.all_query, ranking.all_query)
    place = np.arange(len(begin)) - begin + 1.0
    ideal = np.maximum(ranking.all_grade, 0) / np.log2(place + 1)
    gain = np.maximum(ranking.grade, 0) / np.log2(ranking.rank + 1)
    if cutoff is not None:
        ideal, gain = ideal * (place <= cutoff), gain * (ranking.rank <= cutoff)
    best = np.bincount(ranking.all_query, ideal, minlength=ranking.size).astype(np.float64)
    return _share(ranking.total(gain > 0, gain), best)


def judged(ranking: Ranking, *, cutoff: int) -> Floats:
    r"""Judged: the share of the first k documents that have a grade.

    .. math:: \frac{|\{ i \le k : i \text{ has a grade} \}|}{\min(k, n)}

    where n is how many documents the system has.

    >>> judged(Ranking.of([(1, 0), (3, 2)], retrieved=4), cutoff=10).tolist()           # 2 / 4
    [0.5]
    """
    known = ranking.total(ranking.rank <= cutoff)
    return _share(known, np.minimum(ranking.retrieved, cutoff))


def expected_reciprocal_rank(ranking: Ranking, *, cutoff: int | None = None) -> Floats:
    r"""Expected reciprocal rank of the document that satisfies a user who reads from the top.

    .. math:: ERR@k = \sum_{i=1}^{k} \frac{p_i}{i} \prod_{j<i} (1 - p_j),
       \qquad p_i = \frac{2^{g_i} - 1}{2^4}

    (Chapelle et al. 2009) with the highest grade fixed at 4 and rounded to five decimals, as
    gdeval has it.

    >>> expected_reciprocal_rank(Ranking.of([(1, 1), (2, 4)])).tolist()  # 1/16 + 15/16 ** 2 / 2
    [0.50195]
    """
    if ranking.all_grade.max(initial=0) > HIGHEST:
        raise UsageError(
            f"ERR is for grades up to {HIGHEST}, and there are documents with "
            f"{ranking.all_grade.max():g}"
        )
    hits = ranking.hits(1, cutoff)
    query, rank = ranking.query[hits], ranking.rank[hits]
    chance = (2 ** ranking.grade[hits] - 1) / 2**HIGHEST
    number = ranking.so_far(hits)[hits]
    found, left = np.zeros(ranking.size), np.ones(ranking.size)
    for place in range(1, int(number.max(initial=0)) + 1):
        now = number == place
        at = query[now]
        found[at] += left[at] * chance[now] / rank[now]
        left[at] *= 1 - chance[now]
    return np.array([float(f"{value:.{_DECIMALS}f}") for value in found.tolist()])


def rank_biased_precision(
    ranking: Ranking, *, p: float = 0.8, cutoff: int | None = None, rel: int = 1
) -> Floats:
    r"""Rank-biased precision: relevant documents by the chance that a user looks at them.

    .. math:: RBP = (1 - p) \sum_i r_i \, p^{i - 1}

    where p is the chance to go on to the next document (Moffat and Zobel 2008).

    >>> rank_biased_precision(Ranking.of([(1, 1), (3, 2)]), p=0.5).tolist()  # 0.5 x (1 + 0.25)
    [0.625]
    """
    hits = ranking.hits(rel, cutoff)
    return (1 - p) * ranking.total(hits, p ** (ranking.rank - 1))


def interpolated_precision(ranking: Ranking, *, recall: float, rel: int = 1) -> Floats:
    r"""Interpolated precision: the highest one at this recall or above; 0 if it is not reached.

    .. math:: \max \{ P@i : \sum_{j \le i} r_j \ge \lfloor \rho R + 0.9 \rfloor \}

    where rho is the recall; the rounding is trec_eval's.

    >>> interpolated_precision(Ranking.of([(1, 1), (4, 1)], missed=[1]), recall=0.5).tolist()
    [0.5]
    """
    hits = ranking.hits(rel, None)
    number = ranking.so_far(hits)[hits]
    query, needed = ranking.query[hits], np.floor(recall * ranking.relevant(rel) + 0.9)
    reached = number >= needed[query]
    found = np.zeros(ranking.size)
    np.maximum.at(found, query[reached], (number / ranking.rank[hits])[reached])
    return found
