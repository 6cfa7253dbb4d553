"""The documents of runs beside those that are judged, as parts of queries.

>>> judged = Rows(np.array([0, 0]), {"id": Texts.of(["d7", "d9"]), "grade": np.array([2.0, 0.0])})
>>> known = Judged.of(judged)
>>> run = Rows(np.array([0, 0]), {"id": Texts.of(["d1", "d7"]), "score": np.array([0.9, 0.4])})
>>> documents = documents_of(judged, known, [run_of(run, np.array([0]), known)])
>>> list(documents.fields["document"]), documents.fields["grade"].tolist()
(['d1', 'd7', 'd9'], [nan, 2.0, 0.0])
>>> documents.by_system["rank"].T.tolist()
[[1.0, 2.0, nan]]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.document_ranks import Judged, hashes_of, names_of, ranks
from finegrain.corpus import IntArray, Texts
from finegrain.corpus.columns import Rows
from finegrain.corpus.text_order import joined, places

DOCUMENTS, DOCUMENT, GRADE, RANK, SCORE = "documents", "document", "grade", "rank", "score"
"""The parts of a query; their columns for all systems, and those by system."""
RETRIEVED = "retrieved"
"""Of ``table.details``: how many documents a system ranks for a query."""
TOP = 10  # ranks of which a table keeps all documents, also those that nobody judged


class Run(NamedTuple):
    """By document that is judged or among the best: query, judged document (-1), rank, score, id.

    ``retrieved`` ``[query]``: how many documents it has in all.
    """

    query: IntArray
    judged: IntArray
    rank: IntArray
    score: NDArray[np.float64]
    names: Texts
    retrieved: IntArray


def run_of(rows: Rows, own: IntArray, judged: Judged) -> Run:
    """The documents of a run; ``own`` ``[query of the run]`` is its place in gold, -1 for none."""
    rank, names, score = ranks(rows), names_of(rows), np.asarray(rows.fields[SCORE])
    hashes = hashes_of(rows)
    query = own[rows.parent]
    known = np.flatnonzero(query >= 0)
    if len(known) < len(query):
        query, rank, score, names = query[known], rank[known], score[known], names.take(known)
        hashes = hashes[known]
    found = judged.find(query, names, hashes)
    kept = np.flatnonzero((found >= 0) | (rank <= TOP))
    names = joined([names.take(kept)])  # so that the file need not stay in memory
    retrieved = np.bincount(query, minlength=int(own.max(initial=-1)) + 1)
    return Run(query[kept], found[kept], rank[kept], score[kept], names, retrieved)


def retrieved(runs: Sequence[Run], size: int) -> NDArray[np.float64]:
    """``[query, system]`` how many documents a run has."""
    found = np.zeros((size, len(runs)))
    for place, run in enumerate(runs):
        found[: len(run.retrieved), place] = run.retrieved
    return found


def documents_of(grades: Rows, judged: Judged, runs: Sequence[Run]) -> Rows:
    """Judged documents, and those that nobody judged among the best of some run.

    Those stand first that some system ranks highest; behind them, those with the highest grade.
    """
    unjudged = [np.flatnonzero(run.judged < 0) for run in runs]
    pairs = list(zip(runs, unjudged, strict=True))
    names = joined([judged.names, *(run.names.take(at) for run, at in pairs)])
    query = np.concatenate([grades.parent, *(run.query[at] for run, at in pairs)])
    place = places(names, query)  # equal ids of a query have the same place
    _, first, row_of = np.unique(place, return_index=True, return_inverse=True)
    row_of = row_of.ravel()
    grade = np.append(np.asarray(grades.fields[GRADE], float), np.full(len(query), np.nan))[first]
    rank, score = (np.full((len(first), len(runs)), np.nan) for _ in range(2))
    begin = len(judged.names)
    for system, (run, at) in enumerate(pairs):
        row = np.empty(len(run.query), np.int64)
        row[at] = row_of[begin : begin + len(at)]
        has = np.flatnonzero(run.judged >= 0)
        row[has] = row_of[run.judged[has]]
        rank[row, system], score[row, system] = run.rank, run.score
        begin += len(at)
    best = np.where(np.isnan(rank), np.inf, rank).min(axis=1, initial=np.inf)
    order = np.lexsort((np.arange(len(first)), -np.nan_to_num(grade), best, query[first]))
    return Rows(
        query[first][order],
        {DOCUMENT: joined([names.take(first[order])]), GRADE: grade[order]},
        {RANK: rank[order], SCORE: score[order]},
    )
