"""Task `ranking`: documents in an order for each query (search, retrieval, recommendation).

>>> from finegrain.formats.source import source_of
>>> from finegrain.formats.trec import read
>>> qrels = read(source_of("qrels", b"1 0 d7 2\\n1 0 d9 0\\n"))
>>> table = align(qrels, {"mine": read(source_of("run", b"1 Q0 d9 1 0.5 x\\n1 Q0 d7 2 0.4 x\\n"))})
>>> table.values["nDCG@10"].matrix[:, 0].round(4).tolist()
[0.6309]
"""

from __future__ import annotations

from types import MappingProxyType

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

RANKING = Task(
    "ranking",
    "documents in an order for each query: search, retrieval, recommendation",
    "every query that has judgements",
    Outcomes((
        Outcome("FOUND", "found", "a relevant document is among the first ten", role="right",
                right=True),
        Outcome("LOW", "ranked low", "the first relevant document is below rank ten",
                "queries whose first relevant document is below rank ten", "missed"),
        Outcome("NONE", "none found", "no relevant document is retrieved",
                "queries without a relevant document", "missed"),
        Outcome("UNRANKED", "not ranked", "the query is not in the run",
                "queries that are not in the run", "unanswered", produced="never"),
    )),
    Words("query", "queries", "query", context=""),
    answers="list",
    value="nDCG@10",
    aligner=Late("finegrain.alignment.ranking:align"),
    options=("missing",),
    formats=("items", "trec"),
    recognise=Late("finegrain.alignment.ranking:recognise"),
    lists=Late("finegrain.alignment.ranked_lists:side_by_side"),
    metrics=Late("finegrain.metrics.ranking:default_metrics"),
    further=Late("finegrain.metrics.ranking:further_metrics"),
    parse=Late("finegrain.metrics.ranking:parse"),
    main="nDCG@10",
    attributes=("relevant", "judged", "text_length"),
    has=frozenset(("words", "texts")),
    studies=MappingProxyType({
        "precision_recall": Late("finegrain.analyses.studies.precision_recall:precision_recall"),
        "first_relevant": Late("finegrain.analyses.studies.first_relevant:first_relevant"),
    }),
    definitions=(
        Definition("Ranks", "By score as a 32-bit number, the highest first; equal ones by id, the "
                   "last first. The rank in the file is ignored.",
                   "Buckley and Voorhees 2005"),
        Definition("nDCG@k", "Gains of the first k documents, discounted by the logarithm of their "
                   "ranks, divided by those of the best order.", "Järvelin and Kekäläinen 2002"),
        Definition("AP, RR, P@k, R@k", "Mean precision at the relevant documents; 1 / rank of the "
                   "first one; relevant documents among the first k, by k, and by all relevant "
                   "ones.", "Buckley and Voorhees 2005"),
        Definition("Judged@k", "The share of the first k documents that have a grade: others count "
                   "as not relevant.", "Buckley and Voorhees 2004"),
    ),
    drawing="item",
    example=Late("finegrain.tasks.item_examples:ranking"),
    simulate=Late("finegrain.simulation:simulate_searches"),
)  # fmt: skip
align = RANKING.align
