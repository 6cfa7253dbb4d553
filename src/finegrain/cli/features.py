"""``finegrain features``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.level import LevelOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def features(
    table: OutcomeTable,
    level: LevelOption = "unit",
    attribute: Annotated[
        list[str] | None,
        typer.Option(
            "--attribute",
            metavar="NAME",
            help="Only these, separated by commas; finegrain list attributes has them all.",
        ),
    ] = None,
) -> Any:
    """Describe hard and easy units: attributes by bin, with the trend marked.

    The bin of a unit is the number of systems that are right about it; 0 is hardest.

    \b
    Example:
      finegrain features gold.conll crf.conll neural.conll run7.conll
      finegrain features gold.conll crf.conll neural.conll --level token --attribute hapax,label
    """
    from finegrain.analyses.compare.bin_features import bin_features
    from finegrain.cli.level import units_at
    from finegrain.cli.name_lists import names_in

    names = names_in(*(attribute or []))
    return bin_features(units_at(table, level), names or None)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(features))
