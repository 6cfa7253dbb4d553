"""``finegrain suite``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options
from finegrain.cli.buckets import ByOption, MetricOption
from finegrain.cli.interval_options import (
    ConfidenceOption,
    IntervalsOption,
    NoIntervalsOption,
    SeedOption,
    drawing,
)
from finegrain.cli.report import FigureFormatOption, FiguresOption

StartOption = Annotated[
    list[str] | None,
    typer.Option(
        "--start",
        metavar="FOLDER",
        help="Write SUITE for folders that hold gold.*, train.* and a file per system, and "
        "stop; may be repeated.",
    ),
]
BaselineOption = Annotated[
    str | None, typer.Option(metavar="SYSTEM", help="Compare every other system with this one.")
]


def suite(
    file: Annotated[
        str,
        typer.Argument(metavar="SUITE", help="The TOML file that lists data sets and systems."),
    ],
    start: StartOption = None,
    by: ByOption = None,
    metric: MetricOption = None,
    baseline: BaselineOption = None,
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
    figures: FiguresOption = None,
    figure_format: FigureFormatOption = "svg",
    strict: options.StrictOption = False,
    format: options.FormatOption = None,
    output: options.OutputOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Compare systems over many data sets: scores, ranks, attributes, improvements.

    With -o suite.html, one page that opens from disk and loads nothing from anywhere.

    \b
    The file is TOML, and its paths are relative to it; options come before what it says:
      metric = "traditional_f1"     by = ["entity_length"]     (both optional)
      baseline = "crf"              or compare = [["neural", "crf"]]
      [defaults]                    task, columns, scheme ... of all data sets
      [datasets.news]
      gold = "news/gold.conll"
      train = "news/train.conll"
      task = "spans"
      columns = { token = 1, tags = 4 }
      [datasets.news.systems]
      crf = "news/crf.conll"
      neural = ["news/seed1.conll", "news/seed2.conll"]     (runs of one system)

    \b
    Example:
      finegrain suite suite.toml --baseline crf
      finegrain suite suite.toml --baseline crf -o suite.html
      finegrain suite suite.toml --by entity_length,label --figures figures
      finegrain suite suite.toml --format json --output suite.json
    """
    from finegrain.cli import comparing_data_sets
    from finegrain.cli.name_lists import names_in
    from finegrain.cli.output import emit

    if start:
        comparing_data_sets.start(file, start)
    else:
        names = names_in(*(by or []))
        given = {"by": names or None, "metric": metric, "baseline": baseline}
        choices = {name: value for name, value in given.items() if value is not None}
        drawn = drawing(intervals, confidence, seed, no_intervals=no_intervals)
        found = comparing_data_sets.compared(file, choices, drawn, strict=strict, quiet=quiet)
        if figures is not None:
            comparing_data_sets.write_figures(found, figures, figure_format)
        emit(found, options.Output(format, output))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(suite)
