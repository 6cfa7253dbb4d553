"""``finegrain report``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


FiguresOption = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Write the figures there too, as --figure-format says."),
]
FigureFormatOption = Annotated[
    str, typer.Option(metavar="svg|png|pdf", help="Of --figures; several with commas.")
]


def report(
    table: OutcomeTable,
    inputs: Inputs,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the page.")] = None,
    instances: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="Units that the page holds at most; they cover every number.",
        ),
    ] = 5_000,
    figures: FiguresOption = None,
    figure_format: FigureFormatOption = "svg",
    seed: Annotated[int, typer.Option(min=0, help="Of intervals and tests.")] = 1,
) -> Any:
    """Run all analyses and write one page with everything.

    With -o report.html, one file that opens from disk and loads nothing from anywhere: findings,
    scores, errors, differences, difficulty, oracle, attributes, and the units behind every number.
    Without it, or with another suffix, what was found as text.

    \b
    Example:
      finegrain report gold.conll crf.conll neural.conll --train train.conll -o report.html
      finegrain report gold.conll crf.conll neural.conll -o report.html --figures figures
    """
    from finegrain.cli.reporting import made_report, write_figures
    from finegrain.views.charts import charts_of

    found = made_report(table, inputs, title=title, instances=instances, seed=seed)
    if figures is not None:
        write_figures(charts_of(found), figures, figure_format)
    return found


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(report))
