"""``finegrain words``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, LEVEL, WHERE

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


@command(
    LEVEL,
    Option("--word WORD", "Only this word (or words of a unit), with mentions in context."),
    Option(
        "--limit N",
        "Number of words, the most spread; with --word mentions, hardest and easiest.",
        default=20,
        least=0,
    ),
    WHERE,
    *ANALYSIS,
)
def words(table: OutcomeTable, level: str, **how: Any) -> Any:
    """Follow words across bins: are all mentions of a word equally hard?

    Words are whole gold units in any case; they are ranked by the number of bins they are in.

    \b
    Example:
      finegrain words gold.conll crf.conll neural.conll run7.conll --limit 50
      finegrain words gold.conll crf.conll neural.conll --level token --word calcium
    """
    from finegrain.analyses.compare.word_bins import words
    from finegrain.cli.level import units_at

    return words(units_at(table, level), **how)
