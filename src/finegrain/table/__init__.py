"""The outcome table, its inventories and how it is counted."""

from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.outcomes import (
    COREFERENCE_OUTCOMES,
    DEPENDENCY_OUTCOMES,
    ITEM_OUTCOMES,
    SPAN_OUTCOMES,
    TAG_OUTCOMES,
    Inventory,
)
from finegrain.table.tally import tally

__all__ = [
    "COREFERENCE_OUTCOMES",
    "DEPENDENCY_OUTCOMES",
    "ITEM_OUTCOMES",
    "SPAN_OUTCOMES",
    "TAG_OUTCOMES",
    "Inventory",
    "OutcomeTable",
    "tally",
]
