"""``finegrain difference``."""

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


def difference(
    table: OutcomeTable,
    only: Annotated[
        list[str] | None,
        typer.Option("--systems", metavar="A,B", help="Compare only these systems."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="SYSTEM", help="Compare every other system with this one."),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="METRIC",
            help="The score to compare beside accuracy; for spans traditional_f1 by default.",
        ),
    ] = None,
    sort: Annotated[
        str,
        typer.Option(metavar="size|frequency", help="Order of labels: largest changes, or counts."),
    ] = "size",
    examples: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Show so many units behind each change of a pair."),
    ] = 0,
    export: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write what a pair disagrees on: .tsv, .jsonl, or a folder for brat.",
        ),
    ] = None,
    where: WhereOption = "",
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
) -> Any:
    """Compare outputs: what one corrects, breaks or gets wrong in another way.

    With two systems, their difference in detail (Tuggener 2017): label pairs of corrections, new
    errors and changed errors, accuracy by label, agreement. With more, how much any two differ
    beside the difference of their scores, similar systems side by side. Intervals come from
    resampling documents, or sentences where there are none.

    \b
    Example:
      finegrain difference gold.conll crf.conll neural.conll --examples 1
      finegrain difference gold.conll crf.conll neural.conll --where "label=PER"
      finegrain difference gold.conll crf.conll neural.conll --export disagreements.tsv
      finegrain difference gold.conll crf.conll neural.conll run7.conll --baseline crf
    """
    from finegrain.cli.differing import compared, export_disagreements

    how = drawing(intervals, confidence, seed, no_intervals=no_intervals)
    how |= {"metric": metric, "sort": sort, "where": where}
    result = compared(table, only, baseline, examples=examples, **how)
    if export is not None:
        export_disagreements(table, result, export, where)
    return result


def register(app: typer.Typer) -> None:
    """Add the command."""
    # here a baseline is one of the systems, and nothing else learns from training data
    app.command()(analysis(difference, leave_out=("baseline", "train")))
