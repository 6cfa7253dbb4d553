"""``finegrain words``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.level import LevelOption
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def words(
    table: OutcomeTable,
    level: LevelOption = "unit",
    word: Annotated[
        str | None,
        typer.Option(
            metavar="WORD", help="Only this word (or words of a unit), with mentions in context."
        ),
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="So many words, the most spread; with --word mentions, hardest and easiest.",
        ),
    ] = 20,
    where: WhereOption = "",
) -> Any:
    """Follow words across bins: are all mentions of a word equally hard?

    Words are whole gold units in any case; they are ranked by the number of bins they are in.

    \b
    Example:
      finegrain words gold.conll crf.conll neural.conll run7.conll --limit 50
      finegrain words gold.conll crf.conll neural.conll --level token --word calcium
    """
    from finegrain.analyses.compare.word_bins import word_bins
    from finegrain.cli.level import units_at

    return word_bins(units_at(table, level), word, limit=limit, where=where)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(words))
