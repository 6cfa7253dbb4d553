"""``finegrain repeats``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, CONFIDENCE, SEED, WHERE

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


@command(
    Option("--resamples N", "Of the items.", default=1000, least=1),
    CONFIDENCE,
    SEED,
    WHERE,
    *ANALYSIS,
)
def repeats(table: OutcomeTable, **how: Any) -> Any:
    """Show how runs of one item differ, and what one more run would bring.

    For items that a system answers several times, with a column run, epoch, sample or seed:
    variance within and between items, the standard error of the mean now and with one more run of
    every item, consistency, pass@k.

    \b
    Example:
      finegrain repeats gold.csv model=runs.csv
      finegrain repeats gold.csv model=runs.csv --cluster passage
    """
    import finegrain as fg

    return fg.repeats(table, **how)
