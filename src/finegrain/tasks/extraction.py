"""Task `extraction`: spans of systems whose answers were grounded, some of which have no place.

The task of tables in which some system's file says how its items were grounded
(``finegrain ground``): the outcomes of spans, and those of items that are not in the text.

>>> from finegrain.tasks.spans import EXTRACTION
>>> [one.name for one in EXTRACTION.outcomes][-6:]
['HAL', 'UND', 'OOS', 'DUP', 'BAD', 'REF']
"""

from __future__ import annotations

from dataclasses import replace

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Task, never

FURTHER = (
    Outcome("HAL", "hallucinated", "the text does not have its words", "hallucinated items",
            "invented"),
    Outcome("UND", "undecided", "the text has its words several times", "undecided items"),
    Outcome("OOS", "out of schema", "its label is not in the schema",
            "items with labels outside of the schema"),
    Outcome("DUP", "duplicate", "listed more often than the text has its words",
            "duplicate items"),
    Outcome("BAD", "unparseable", "not an item, or an answer that cannot be read",
            "answers that cannot be read", produced="never"),
    Outcome("REF", "refused", "the model declined to answer", "refusals", produced="never"),
)  # fmt: skip


def of_spans(spans: Task) -> Task:
    """The task of spans with the outcomes of items that have no place in the text."""
    return replace(
        spans,
        name="extraction",
        summary="spans that language models answered, with what is not in the text",
        unit="every distinct gold or predicted span, and every item without a place",
        outcomes=Outcomes((*spans.outcomes.every, *FURTHER)),
        recognise=never,
        rematch=Late("finegrain.alignment.grounded_spans:matched_rows"),
        example=Late("finegrain.tasks.examples:extraction"),
        simulate=Late("finegrain.simulation:simulate_answers"),
        grounded=None,
        counting=f"{spans.counting} Items that are not in the text are errors of their own: "
        "charged to precision unless said otherwise. Refusals and answers that cannot be read "
        "cost recall only.",
    )
