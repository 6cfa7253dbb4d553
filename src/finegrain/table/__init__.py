"""The outcome table, the task it is of, and how it is counted."""

from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.tally import tally
from finegrain.table.task import Task

__all__ = [
    "Outcome",
    "OutcomeTable",
    "Outcomes",
    "Task",
    "tally",
]
