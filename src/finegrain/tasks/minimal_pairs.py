"""Task `minimal_pairs`: whether language models prefer the good sentence of two (BLiMP).

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> pairs = b"id,sentence_good,sentence_bad\\nq1,He is,He are\\nq2,I am,I is\\n"
>>> gold = read(source_of("gold", pairs))
>>> table = align(gold, {"mine": read(source_of("mine", b"id,good,bad\\nq1,-7,-9\\nq2,-8,-6\\n"))})
>>> [table.outcomes.names[code] for code in table.outcome[:, 0]]
['PREFERRED', 'OTHER']
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

MINIMAL_PAIRS = Task(
    "minimal_pairs",
    "which of two sentences is more probable: grammar tests such as BLiMP",
    "every pair of sentences",
    Outcomes((
        Outcome("PREFERRED", "prefers the good one", "the good sentence is more probable",
                role="right", right=True),
        Outcome("OTHER", "prefers the bad one", "the bad sentence is more probable",
                "pairs whose bad sentence is more probable", "label"),
        Outcome("TIED", "no preference", "both sentences are equally probable",
                "pairs without a preference", "other"),
        Outcome("UNANSWERED", "not answered", "the system has no log-probabilities for the pair",
                "pairs without log-probabilities", "unanswered", produced="never"),
    )),
    Words("pair", "pairs", "pair", context=""),
    answers="none",
    labels_answered=False,
    aligner=Late("finegrain.alignment.minimal_pairs:align"),
    options=("missing",),
    formats=("lm_eval", "items", "csv"),
    recognise=Late("finegrain.alignment.minimal_pairs:recognise"),
    metrics=Late("finegrain.metrics.minimal_pairs:default_metrics"),
    attributes=("text_length",),
    has=frozenset(("words", "texts")),
    definitions=(
        Definition("Accuracy", "The share of pairs whose good sentence is more probable; a tie is "
                   "wrong.", "Warstadt et al. 2020"),
        Definition("Margin", "The log-probability of the good sentence minus that of the bad one.",
                   "Warstadt et al. 2020"),
    ),
    drawing="item",
    example=Late("finegrain.tasks.text_examples:minimal_pairs"),
    simulate=Late("finegrain.simulation:simulate_minimal_pairs"),
)  # fmt: skip
align = MINIMAL_PAIRS.align
