"""``finegrain oracle``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command, without
from finegrain.cli.options import ANALYSIS, INTERVALS, LEVEL, WHERE

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


@command(LEVEL, WHERE, INTERVALS, *without(ANALYSIS, "vote"))
def oracle(table: OutcomeTable, level: Any, **how: Any) -> Any:
    """Show what a perfect choice among the systems would reach.

    Overall, per label and for whole sentences, beside every system and their majority vote; the
    oracle of every pair; the order in which adding systems helps most; what each system adds.
    Intervals come from resampling documents, or sentences where there are none.

    \b
    Example:
      finegrain oracle gold.conll crf.conll neural=run7.conll
      finegrain oracle gold.conll crf.conll neural.conll --level token --format json
      finegrain oracle gold.conll crf.conll neural.conll --where "label=PER"
    """
    from finegrain.analyses.compare.oracle import oracle as oracle_of

    return oracle_of(table, level=level, **how)
