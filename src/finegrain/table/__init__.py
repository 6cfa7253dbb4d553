"""The outcome table, the task it is of, and how it is counted."""

from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.tally import tally
from finegrain.table.task import Outcome, Outcomes, Task

__all__ = [
    "Outcome",
    "OutcomeTable",
    "Outcomes",
    "Task",
    "tally",
]
