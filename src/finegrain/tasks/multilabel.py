"""Task `multilabel`: any number of labels for each item (emotions, topics, diagnosis codes).

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b"id,labels\\nd1,I10|E11\\nd2,I10\\n"))
>>> table = align(gold, {"mine": read(source_of("mine", b"id,labels\\nd1,I10\\nd2,I10|J45\\n"))})
>>> [(table.labels[table.label[row]], table.outcomes.names[table.outcome[row, 0]])
...  for row in range(len(table))]
[('E11', 'FN'), ('I10', 'TP'), ('I10', 'TP'), ('J45', 'FP')]
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import PRECISION_RECALL, Definition, Task, Words

MULTILABEL = Task(
    "multilabel",
    "any number of labels for each item: emotions, topics, diagnosis codes",
    "every label of an item that is gold or predicted",
    Outcomes((
        Outcome("TP", "correct", "the label is gold, and the system has it", role="right",
                right=True),
        Outcome("FN", "missed", "missed: the label is gold, and the system does not have it",
                "missed labels", "missed", produced="never"),
        Outcome("FP", "invented", "invented: the system has the label, and it is not gold",
                "invented labels", "invented"),
        Outcome("ABSENT", "not there", "the system does not have the label, which is not gold",
                role="quiet", right=True, charged=False, produced="never", absent=True),
    )),
    Words("label", "labels", "gold label", context="item"),
    answers="unit",
    aligner=Late("finegrain.alignment.multilabel:align"),
    options=("rules", "missing", "separator", "schema", "threshold"),
    formats=("items", "csv"),
    recognise=Late("finegrain.alignment.multilabel:recognise"),
    rematch=Late("finegrain.alignment.multilabel:rematched"),
    metrics=Late("finegrain.metrics.multilabel:default_metrics"),
    main="micro_f1",
    studies={"cooccurrence": Late("finegrain.analyses.studies.cooccurrence:cooccurrence")},
    attributes=("label", "labels_per_item", "text_length"),
    has=frozenset(("words", "texts", "label_sets")),
    definitions=(
        PRECISION_RECALL,
        Definition("F1 and Jaccard over items", "The mean over items of F1 and of |gold and "
                   "predicted| / |gold or predicted|; 0 for an item with neither.",
                   "Godbole and Sarawagi 2004"),
        Definition("Hamming loss", "The share of all decisions, items times labels, that are "
                   "wrong; less is better.", "Schapire and Singer 2000"),
        Definition("Subset accuracy", "The share of items with exactly the gold labels.",
                   "Tsoumakas and Katakis 2007"),
        Definition("LRAP", "For each gold label, the share of gold labels among those with at "
                   "least its score; the mean over gold labels, then over items.",
                   "Tsoumakas et al. 2010"),
    ),
    drawing="item",
    baseline=Late("finegrain.alignment.label_set_baselines:label_set"),
    example=Late("finegrain.tasks.item_examples:multilabel"),
    simulate=Late("finegrain.simulation:simulate_aspects"),
)  # fmt: skip
align = MULTILABEL.align
