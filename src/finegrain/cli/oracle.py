"""``finegrain oracle``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.interval_options import (
    ConfidenceOption,
    IntervalsOption,
    NoIntervalsOption,
    SeedOption,
    drawing,
)
from finegrain.cli.level import LevelOption
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def oracle(
    table: OutcomeTable,
    level: LevelOption = "unit",
    where: WhereOption = "",
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
) -> Any:
    """Show what a perfect choice among the systems would reach.

    Overall, per label and for whole sentences, beside every system and their majority vote; the
    oracle of every pair; the order in which adding systems helps most; what each system adds.
    Intervals come from resampling documents, or sentences where there are none.

    \b
    Example:
      finegrain oracle gold.conll crf.conll neural=run7.conll
      finegrain oracle gold.conll crf.conll neural.conll --level token --format json
      finegrain oracle gold.conll crf.conll neural.conll --where "label=PER"
    """
    from finegrain.analyses.compare.oracle import oracle as oracle_of

    how = drawing(intervals, confidence, seed, no_intervals=no_intervals)
    return oracle_of(table, level=level, where=where, **how)  # type: ignore[arg-type]  # checked there


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(oracle, leave_out=("vote",)))
