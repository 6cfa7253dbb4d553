"""Task `classification`: one label for each item (sentiment, inference, topic, multiple choice).

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b"q1,pos\\nq2,neg\\n"))
>>> table = align(gold, {"mine": read(source_of("mine", b"q1,pos\\nq2,pos\\n"))})
>>> [table.outcomes.names[code] for code in table.outcome[:, 0]]
['CORRECT', 'WRONG']
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import PRECISION_RECALL, Definition, Task, Words

CLASSIFICATION = Task(
    "classification",
    "one label for each item: sentiment, inference, topic, multiple choice",
    "every item",
    Outcomes((
        Outcome("CORRECT", "correct", "the label is the gold label", role="right", right=True),
        Outcome("WRONG", "wrong", "the label is another one",
                "items wrongly labelled {answer}", "label"),
        Outcome("UNANSWERED", "not answered", "the system has no label for the item",
                "items without an answer", "unanswered", produced="never"),
    )),
    Words("item", "items", "item", context=""),
    averaged=("probability",),
    doubted=Late("finegrain.metrics.confident_learning:doubted"),
    aligner=Late("finegrain.alignment.classification:align"),
    options=("rules", "missing", "repeats", "label_schema"),
    formats=("items", "csv"),
    recognise=Late("finegrain.alignment.classification:recognise"),
    metrics=Late("finegrain.metrics.class_scores:default_metrics"),
    parse=Late("finegrain.metrics.class_scores:parsed"),
    beside=Late("finegrain.metrics.repeated_answers:compared_by"),
    studies={
        name: Late(f"finegrain.analyses.studies.{name}:{name}")
        for name in ("calibration", "curves", "selective")
    },
    attributes=("label", "text_length"),
    has=frozenset(("words", "texts", "classes")),
    definitions=(
        Definition("Accuracy, error rate", "The share of items that are right; the share that are "
                   "not.", ""),
        PRECISION_RECALL,
        Definition("Balanced accuracy", "The mean recall of labels that occur in the gold "
                   "standard.", "Brodersen et al. 2010"),
        Definition("MCC", "Matthews' correlation of gold labels and answers.", "Gorodkin 2004"),
        Definition("Kappa", "Cohen's agreement of gold labels and answers beyond chance.",
                   "Cohen 1960"),
        Definition("Log loss, Brier", "Of probabilities: the mean surprise at the gold label; the "
                   "mean squared difference over labels. Lower is better.", "Brier 1950"),
        Definition("ECE", "The gap between the probability of the most probable label and "
                   "accuracy, in 15 bins of equal width.", "Guo et al. 2017"),
        Definition("AUC, AP", "The areas under the ROC and the precision-recall curve of each "
                   "label against the others; mean over labels.",
                   "Hanley and McNeil 1982; Davis and Goadrich 2006"),
        Definition("Mean accuracy, majority, pass@k", "Of items that were answered several times: "
                   "the share of runs that are right; whether the most frequent answer is; the "
                   "chance that one of k runs is.", "Miller 2024; Wang et al. 2023; Chen et al. "
                   "2021"),
        Definition("Consistency", "The share of pairs of runs of an item that agree.",
                   "Miller 2024"),
    ),
    baseline=Late("finegrain.alignment.item_baselines:labels"),
    drawing="item",
    example=Late("finegrain.tasks.item_examples:classification"),
    simulate=Late("finegrain.simulation:simulate_reviews"),
)  # fmt: skip
align = CLASSIFICATION.align
