"""``finegrain explore``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from finegrain.cli.analysis import analysis

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


def explore(
    table: OutcomeTable,
    inputs: Inputs,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the page.")] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Of this computer; 0: one that is free.")
    ] = 0,
    browser: Annotated[bool, typer.Option(help="On a terminal, open the web browser.")] = True,
    seed: Annotated[int, typer.Option(min=0, help="Of intervals and tests.")] = 1,
) -> None:
    """Look at everything in the web browser, however much it is.

    The page of the report, with all units: a server on this computer answers it, at an address that
    is printed and that nobody else can know. Ctrl-C ends it. Nothing is written.

    \b
    Example:
      finegrain explore table.parquet
      finegrain explore gold.conll crf.conll neural.conll --train train.conll --no-browser
    """
    from finegrain.cli.exploring import explored

    explored(
        table, inputs, title=title, port=port, browser="open" if browser else "leave", seed=seed
    )


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(explore, leave_out=("format", "output")))
