"""``finegrain study``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.interval_options import (
    ConfidenceOption,
    IntervalsOption,
    NoIntervalsOption,
    SeedOption,
    drawing,
)
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def study(
    table: OutcomeTable,
    of: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Study to run; default: the first of the task's."),
    ] = None,
    where: WhereOption = "",
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
) -> Any:
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

    how = drawing(intervals, confidence, seed, no_intervals=no_intervals)
    name = of or next(iter(available(table)), "")
    return study_of(table, name, where=where, **how)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(study))
