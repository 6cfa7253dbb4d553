"""Task `regression`: a number for each item (similarity, quality, ratings, age).

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b"id,score\\nq1,4.5\\nq2,1.0\\n"))
>>> table = align(gold, {"mine": read(source_of("mine", b"id,score\\nq1,3.0\\nq2,1.5\\n"))})
>>> table.values["squared_error"].matrix[:, 0].tolist()
[2.25, 0.25]
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

REGRESSION = Task(
    "regression",
    "a number for each item: similarity, quality, ratings",
    "every item",
    Outcomes((
        Outcome("ANSWERED", "answered", "the system has a number for the item", role="right",
                right=True),
        Outcome("UNANSWERED", "not answered", "the system has no number for the item",
                "items without a prediction", "unanswered", produced="never"),
    )),
    Words("item", "items", "item", context=""),
    answers="number",
    answer_column="prediction",
    value="absolute_error",
    aligner=Late("finegrain.alignment.regression:align"),
    options=("missing", "repeats"),
    formats=("items", "csv"),
    recognise=Late("finegrain.alignment.regression:recognise"),
    mark=Late("finegrain.alignment.regression:mark"),
    pair=Late("finegrain.alignment.regression:pair"),
    vote=Late("finegrain.alignment.regression:vote"),
    metrics=Late("finegrain.metrics.regression:default_metrics"),
    main="pearson",
    studies={
        name: Late(f"finegrain.analyses.studies.{name}:{name}")
        for name in ("residuals", "correlations")
    },
    attributes=("gold_value", "text_length"),
    has=frozenset(("words", "texts")),
    definitions=(
        Definition("Pearson's r", "Linear correlation of gold numbers and predictions.",
                   "Pearson 1895"),
        Definition("Spearman's rho", "The same of ranks; tied ones share the mean of theirs.",
                   "Spearman 1904"),
        Definition("Kendall's tau", "Pairs in the same order minus pairs in the opposite one, with "
                   "ties as in tau-b.", "Kendall 1945"),
        Definition("MAE, MSE, RMSE", "Mean absolute error; mean squared error and its root.", ""),
        Definition("R²", "1 - squared errors / squared distances of gold from its mean: 0 for a "
                   "system that always says the mean, negative if worse.", ""),
        Definition("CCC", "Concordance: correlation that also asks for the same mean and spread.",
                   "Lin 1989"),
    ),
    baseline=Late("finegrain.alignment.item_baselines:numbers"),
    drawing="item",
    example=Late("finegrain.tasks.item_examples:regression"),
    simulate=Late("finegrain.simulation:simulate_grades"),
)  # fmt: skip
align = REGRESSION.align
