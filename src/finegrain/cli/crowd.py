"""``finegrain crowd``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options
from finegrain.cli.interval_options import (
    ConfidenceOption,
    IntervalsOption,
    NoIntervalsOption,
    SeedOption,
    drawing,
)


def crowd(
    labels: Annotated[
        str,
        typer.Argument(
            metavar="LABELS",
            help="One label per row: annotator, item, label, and gold where it is known.",
            show_default=False,
        ),
    ],
    method: Annotated[
        str,
        typer.Option(metavar="METHOD", help="By which labels are aggregated: dawid-skene or vote."),
    ] = "dawid-skene",
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMNS",
            help="Columns from 1, or by header name: annotator=1,item=2,label=3,gold=4.",
        ),
    ] = None,
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
    strict: options.StrictOption = False,
    format: options.FormatOption = None,
    output: options.OutputOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Judge the workers of a crowd, and aggregate their labels.

    Each worker against the vote of the others and against gold; one label per item by majority vote
    or by Dawid and Skene's model, with its probability and how far workers disagree. A file that
    ends in .csv holds the aggregated labels, which classification reads as gold.

    \b
    Example:
      finegrain crowd crowd.tsv
      finegrain crowd crowd.tsv -o aggregated.csv
      finegrain score aggregated.csv guess.csv --task classification
    """
    from finegrain.analyses.trust.crowd import crowd as crowd_of
    from finegrain.cli.inputs import parse_columns
    from finegrain.cli.output import emit
    from finegrain.cli.standard_streams import say
    from finegrain.files_read import called
    from finegrain.formats.crowd_labels import read_crowd
    from finegrain.sizes import sized

    called(labels, "labels")
    given = read_crowd(labels, columns=parse_columns(columns), strict=strict)
    if not quiet:
        items, workers = sized(len(given.items), "item"), sized(len(given.workers), "worker")
        say(f"{sized(len(given.label), 'label')}; {items}; {workers}")
    found = crowd_of(
        given,
        method=method,  # type: ignore[arg-type]  # checked there
        **drawing(intervals, confidence, seed, no_intervals=no_intervals),
    )
    emit(found, options.Output(format, output))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(crowd)
