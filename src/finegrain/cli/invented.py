"""``finegrain invented``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.level import LevelOption
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def invented(table: OutcomeTable, level: LevelOption = "unit", where: WhereOption = "") -> Any:
    """Count what is not gold by how many systems produce it, with precision.

    Tags need a label O: the units are tokens outside that get another label.

    \b
    Example:
      finegrain invented gold.conll crf.conll neural.conll run7.conll
      finegrain invented gold.conll crf.conll neural.conll --level token
    """
    from finegrain.analyses.compare.invented import invented as count

    del level  # the tokens outside of gold spans are what can be invented
    return count(table, where=where)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(invented))
