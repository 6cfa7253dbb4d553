"""``finegrain errors``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.options import FocusOption, WhereOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def errors(
    table: OutcomeTable,
    examples: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Show so many instances of each type and system."),
    ] = 0,
    focus: FocusOption = "target",
    moved: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="K",
            help="Of trees: count the heads that moved by up to K words, and by more.",
        ),
    ] = None,
    where: WhereOption = "",
) -> Any:
    """Count error types, overall and per label.

    \b
    Spans (Ortmann 2022), each error counted once:
      LE   right boundaries, wrong label       LBE  label and boundaries wrong
      BES  too short   BEL  too long   BEO  crossing boundaries, label right
      FN   missed                              FP   invented

    \b
    Example:
      finegrain errors gold.conll crf.conll neural.conll --examples 2
      finegrain errors gold.conll crf.conll --where "length>2"
      finegrain errors gold.conllu parser.conllu --task dependencies --moved 5
    """
    from finegrain.analyses.scores.error_types import error_types

    return error_types(table, examples=examples, focus=focus, moved=moved, where=where)  # type: ignore[arg-type]  # checked there


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(errors))
