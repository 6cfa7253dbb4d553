"""``finegrain confusion``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def confusion(table: OutcomeTable, where: WhereOption = "") -> Any:
    """Show which label is taken for which.

    With what was missed and what was invented.

    \b
    Example:
      finegrain confusion gold.conll crf.conll
      finegrain confusion gold.conll crf.conll --where "length>1"
    """
    from finegrain.analyses.scores.confusion import confusion as confusion_of

    return confusion_of(table, where=where)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(confusion))
