"""``finegrain agreement``."""

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

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs


CountsOption = Annotated[
    bool | None,
    typer.Option(
        "--counts/--no-counts",
        help="The file is a square table of counts: how often one annotator says i (lines) where "
        "the other says j (columns); or it is none, though it looks like one.",
        show_default=False,
    ),
]


def agreement(
    inputs: Inputs,
    systems_among: Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            metavar="NAME",
            help="This annotator is a system, the others are people; may be repeated, or A,B.",
        ),
    ] = None,
    counts: CountsOption = None,
    scale: Annotated[
        str,
        typer.Option(
            metavar="SCALE",
            help="Of labels: nominal, ordinal, interval or ratio; adds weighted kappas and alpha.",
        ),
    ] = "nominal",
    order: Annotated[
        str | None,
        typer.Option(metavar="LOW,...,HIGH", help="Labels of the ordinal scale, low to high."),
    ] = None,
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
) -> Any:
    """Measure how far annotators agree: one file each, or one table of labels.

    Percent, kappas and Krippendorff's alpha of labels; pairwise F1 and token-level kappas of spans;
    all together, two by two and by label. Systems can stand beside people, whose agreement is
    their ceiling. No file is the gold standard here. One file alone is a table: a column per
    annotator, or the columns annotator, item and label, or a square of counts.

    \b
    Example:
      finegrain agreement crf.conll neural.conll
      finegrain agreement ann=gold.conll ben=neural.conll crf.conll --system crf
      finegrain agreement labels.tsv --scale ordinal
      finegrain agreement judges.tsv --counts
    """
    from finegrain.analyses.trust.agreement import agreement as agreement_of
    from finegrain.cli.annotators import annotated
    from finegrain.cli.name_lists import names_in

    given, first = annotated(inputs, counts=counts)
    return agreement_of(
        given,
        first=first,
        systems=names_in(*(systems_among or [])),
        scale=scale,  # type: ignore[arg-type]  # checked there
        order=None if order is None else names_in(order),
        **drawing(intervals, confidence, seed, no_intervals=no_intervals),
    )


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(agreement, leave_out=("names", "train", "baseline", "vote")))
