"""Queries with their documents, as another package would bring them: two levels, two texts."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np

from finegrain.alignment.item_tables import item_table, meet
from finegrain.corpus import Corpus
from finegrain.corpus.columns import Rows
from finegrain.metrics.metric import Metric
from finegrain.metrics.values import mean_of
from finegrain.table import Outcome, Outcomes, OutcomeTable, Task
from finegrain.table.scale import Scale, Value
from finegrain.table.task import Words

RANK = Scale(solved=1.0)  # a query is solved if the first document is a good one


def align(task: Task, gold: Corpus, systems: Any) -> OutcomeTable:
    """One row per query; its passages are parts, with a grade and the score of every system."""
    met = meet(gold, systems)
    graded = gold.parts["passages"]
    place = {
        (int(query), name): row
        for row, (query, name) in enumerate(zip(graded.parent, graded.fields["id"], strict=True))
    }
    scores = np.full((graded.size, len(met.names)), np.nan)
    for system, corpus in enumerate(met.corpora):
        run = corpus.parts["ranked"]
        query_of = {int(at): query for query, at in enumerate(met.rows[:, system]) if at >= 0}
        for row in range(run.size):
            key = query_of[int(run.parent[row])], run.fields["id"][row]
            scores[place[key], system] = run.fields["score"][row]
    value = _reciprocal_rank(graded, scores, gold.n_sentences)
    value[met.rows < 0] = np.nan
    outcome = np.where(met.rows < 0, 2, ~(value >= 1)).astype(np.uint8)
    return item_table(
        task, met, outcome=outcome, values={"reciprocal_rank": Value(RANK, value)},
        parts={"passages": Rows(graded.parent, graded.fields, {"score": scores})},
        details={"confidence": met.column("confidence")},
    )  # fmt: skip


def _reciprocal_rank(graded: Rows, scores: np.ndarray, queries: int) -> np.ndarray:
    found = np.zeros((queries, scores.shape[1]))
    for query in range(queries):
        rows = np.flatnonzero(graded.parent == query)
        good = graded.fields["grade"][rows] > 0
        for system in range(scores.shape[1]):
            order = np.argsort(-np.nan_to_num(scores[rows, system], nan=-np.inf), kind="stable")
            hits = np.flatnonzero(good[order])
            found[query, system] = 1 / (1 + hits[0]) if len(hits) else 0.0
    return found


def metrics(_: Any = None) -> tuple[Metric, ...]:
    """The mean reciprocal rank."""
    return (mean_of("reciprocal_rank", RANK, name="mrr", summary="1 / rank of the first good one"),)


LOOKUPS = Task(
    "lookups",
    "a ranking of documents for each query",
    "every query",
    Outcomes((
        Outcome("FIRST", "good one first", "the first document is good", role="right", right=True),
        Outcome("LATER", "a good one later", "the first document is not good",
                "queries with a bad first document", "missed"),
        Outcome("NOT_RUN", "not run", "the system has no ranking", "queries without a ranking",
                "unanswered", produced="never"),
    )),
    Words("query", "queries", "query", context=""),
    answers="list",
    value="reciprocal_rank",
    aligner=align,
    recognise=lambda corpus, _: "passages" in corpus.parts,
    metrics=metrics,
    attributes=("language",),
)  # fmt: skip


def example(seed: int = 1) -> dict[str, str]:
    """Files of gold and two systems; queries have a title and a story."""
    draw = random.Random(seed)
    rows, runs = [], {"lexical": [], "dense": []}
    for at in range(120):
        names = [f"d{at}.{one}" for one in range(6)]
        good = draw.randrange(6)
        rows.append({
            "id": f"q{at}", "title": f"query {at}", "story": "who wrote it, and when?",
            "language": draw.choice(["de", "en"]), "document": f"topic{at // 5}",
            "passages": [{"id": one, "grade": int(place == good)}
                          for place, one in enumerate(names)],
        })  # fmt: skip
        for name, skill in (("lexical", 0.5), ("dense", 1.0)):
            if name == "lexical" and at % 30 == 7:
                continue
            scores = [draw.random() + skill * (place == good) for place in range(6)]
            runs[name].append({
                "id": f"q{at}", "confidence": round(max(scores), 3),
                "ranked": [{"id": one, "score": round(score, 4)}
                           for one, score in zip(names, scores, strict=True)],
            })  # fmt: skip
    files = {"gold": rows, **runs}
    return {name: "".join(json.dumps(row) + "\n" for row in own) for name, own in files.items()}
