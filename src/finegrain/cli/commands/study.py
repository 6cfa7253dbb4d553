"""``finegrain study``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, INTERVALS, WHERE

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


@command(
    Option("--of NAME", "Study to run; default: the first of the task's."),
    WHERE,
    INTERVALS,
    *ANALYSIS,
)
def study(table: OutcomeTable, of: str | None, **how: Any) -> Any:
    """Look into what is special about a task: calibration, curves, residuals and others.

    "finegrain list studies" has the studies of every task. With --format json, csv, latex or
    markdown the numbers are written; the report draws the figures.

    \b
    Example:
      finegrain study gold.csv svm.csv bert.csv --of calibration
      finegrain study gold.tsv ridge.tsv forest.tsv --task regression --of residuals
    """
    from finegrain.analyses.studies import available
    from finegrain.analyses.studies import study as study_of

    return study_of(table, of or next(iter(available(table)), ""), **how)
