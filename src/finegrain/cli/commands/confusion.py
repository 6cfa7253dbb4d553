"""``finegrain confusion``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.options import ANALYSIS, WHERE

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


@command(WHERE, *ANALYSIS)
def confusion(table: OutcomeTable, where: str) -> Any:
    """Show which label is taken for which.

    With what was missed and what was invented.

    \b
    Example:
      finegrain confusion gold.conll crf.conll
      finegrain confusion gold.conll crf.conll --where "length>1"
    """
    from finegrain.analyses.scores.confusion import confusion as confusion_of

    return confusion_of(table, where=where)
