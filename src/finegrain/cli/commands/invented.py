"""``finegrain invented``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.options import ANALYSIS, LEVEL, WHERE

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


@command(LEVEL, WHERE, *ANALYSIS)  # with --level token, what is outside of gold spans
def invented(table: OutcomeTable, where: str) -> Any:
    """Count what is not gold by how many systems produce it, with precision.

    Tags need a label O: the units are tokens outside that get another label.

    \b
    Example:
      finegrain invented gold.conll crf.conll neural.conll run7.conll
      finegrain invented gold.conll crf.conll neural.conll --level token
    """
    from finegrain.analyses.compare.invented import invented as invented_of

    return invented_of(table, where=where)
