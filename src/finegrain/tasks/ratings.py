"""Task `ratings`: what people think of systems, as scores or as pairwise judgements.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> lines = b"rater,item,system,score\\nann,q1,a,4\\nann,q1,b,2\\nben,q1,a,5\\nben,q1,b,3\\n"
>>> table = align(read(source_of("ratings.csv", lines)), {})
>>> table.values["rating"].matrix.tolist()
[[4.5, 2.5]]
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

RATINGS = Task(
    "ratings",
    "what people think of systems: scores of items by raters, or which of two won",
    "every item that somebody rated",
    Outcomes((
        Outcome("RATED", "rated", "somebody rated the system on the item", role="right",
                right=True),
        Outcome("UNRATED", "not rated", "nobody rated the system on the item",
                "items that nobody rated", "unanswered", produced="never"),
    )),
    Words("item", "items", "item", context=""),
    answers="number",
    value="rating",
    factors=("rater",),
    holds_systems=True,
    aligner=Late("finegrain.alignment.ratings:align"),
    options=("criteria",),
    formats=("items", "csv"),
    recognise=Late("finegrain.alignment.ratings:recognise"),
    contents=Late("finegrain.alignment.ratings:contents"),
    metrics=Late("finegrain.metrics.ratings:default_metrics"),
    parse=Late("finegrain.metrics.ratings:parse"),
    main="rating",
    studies={
        "criteria": Late("finegrain.analyses.studies.criteria:criteria"),
        "raters": Late("finegrain.analyses.studies.raters:raters"),
        "bradley_terry": Late("finegrain.analyses.studies.bradley_terry:bradley_terry"),
    },
    attributes=("ratings", "disagreement"),
    has=frozenset(("words", "texts")),
    definitions=(
        Definition("Rating", "The mean over items of the mean of their ratings; of pairwise "
                   "judgements, the share of comparisons that are won, ties counting half.", ""),
        Definition("Intervals of ratings", "Items and raters are drawn at once, so that they are "
                   "for other items and other people.", "Owen 2007"),
    ),
    drawing="item",
    example=Late("finegrain.tasks.item_examples:ratings"),
    simulate=Late("finegrain.simulation:simulate_ratings"),
)  # fmt: skip
align = RATINGS.align
