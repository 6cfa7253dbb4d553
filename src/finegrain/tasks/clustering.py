"""Task `clustering`: a class for each item, and a cluster by each system (topics, senses, intents).

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b"q1,sport\\nq2,sport\\nq3,news\\n"))
>>> table = align(gold, {"mine": read(source_of("mine", b"q1,c7\\nq2,c7\\nq3,c7\\n"))})
>>> [table.outcomes.names[code] for code in table.outcome[:, 0]]
['MAJORITY', 'MAJORITY', 'MINORITY']
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

CLUSTERING = Task(
    "clustering",
    "a class for each item, and a cluster by each system: topics, senses, intents",
    "every item",
    Outcomes((
        Outcome("MAJORITY", "with its class", "its class is the most frequent one in its cluster",
                role="right", right=True),
        Outcome("MINORITY", "with another class",
                "another class is more frequent in its cluster, or as frequent and earlier in the "
                "alphabet", "items in a cluster of another class", "other"),
    )),
    Words("item", "items", "item", label="class", context=""),
    answers="none",
    aligner=Late("finegrain.alignment.clustering:align"),
    options=("rules", "missing"),
    formats=("items", "csv"),
    metrics=Late("finegrain.metrics.clustering:default_metrics"),
    further=Late("finegrain.metrics.clustering:further_metrics"),
    main="bcubed_f1",
    studies={"majority": Late("finegrain.analyses.studies.majority:majority")},
    attributes=("label", "text_length"),
    of_answers="cluster of ",
    has=frozenset(("words", "texts")),
    definitions=(
        Definition("Purity, inverse purity", "The share of items of the most frequent class of "
                   "their cluster; of the most frequent cluster of their class. Purity is 1 for "
                   "clusters of one item each.", "Zhao and Karypis 2001"),
        Definition("B-cubed", "For each item, the share of its cluster that has its class "
                   "(precision) and of its class that is in its cluster (recall); means over "
                   "items.", "Bagga and Baldwin 1998"),
        Definition("ARI", "Agreement about pairs of items, together or apart, beyond chance.",
                   "Hubert and Arabie 1985"),
        Definition("V-measure", "Harmonic mean of homogeneity and completeness; the same as NMI "
                   "with the arithmetic mean of entropies.", "Rosenberg and Hirschberg 2007"),
    ),
    drawing="item",
    example=Late("finegrain.tasks.item_examples:clustering"),
    simulate=Late("finegrain.simulation:simulate_groups"),
)  # fmt: skip
align = CLUSTERING.align
