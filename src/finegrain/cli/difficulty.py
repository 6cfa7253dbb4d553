"""``finegrain difficulty``."""

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
from finegrain.cli.level import LevelOption
from finegrain.cli.options import WhereOption
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


def difficulty(
    table: OutcomeTable,
    inputs: Inputs,
    level: LevelOption = "unit",
    leave_one_out: Annotated[
        bool,
        typer.Option(
            "--leave-one-out",
            help="Bins by the other systems: a system's own answer does not decide how hard a unit "
            "is for it. JSON and CSV always have them.",
        ),
    ] = False,
    annotate: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the units with their bins there: the lines of a 0/1 table with one more "
            "column, or one line per gold unit.",
        ),
    ] = None,
    where: WhereOption = "",
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
) -> Any:
    """Sort units into bins by how many systems are right about them.

    Bin 0 holds what no system solves, the last bin what all of them solve (Gianola et al. 2021). A
    0/1 table of units and systems will do in place of gold and systems. Intervals come from
    resampling documents, or sentences where there are none, or the units of a 0/1 table.

    \b
    Example:
      finegrain difficulty gold.conll crf.conll neural.conll
      finegrain difficulty gold.conll crf.conll neural.conll --level token --leave-one-out
      finegrain difficulty gold.conll crf.conll neural.conll --where "label=PER"
      finegrain difficulty answers.tsv --names crf,neural --annotate bins.tsv.gz
    """
    from finegrain.analyses.compare.difficulty import difficulty as difficulty_of

    how = drawing(intervals, confidence, seed, no_intervals=no_intervals)
    how |= {"leave_one_out": leave_one_out, "where": where}
    if where and annotate is not None:
        raise UsageError("--annotate writes all units, whatever --where asks for: give one of them")
    found = difficulty_of(table, level=level, **how)  # type: ignore[arg-type]  # checked there
    if annotate is not None:
        from finegrain.cli.annotating import annotate_file

        annotate_file(table, inputs, level, annotate)
    return found


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(difficulty))
