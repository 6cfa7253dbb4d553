"""``finegrain repeats``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def repeats(
    table: OutcomeTable,
    resamples: Annotated[int, typer.Option(min=1, metavar="N", help="Of the items.")] = 1000,
    confidence: Annotated[float, typer.Option(metavar="SHARE", help="Of the intervals.")] = 0.95,
    seed: Annotated[
        int, typer.Option(min=0, help="Of the resampling: the same seed gives the same digits.")
    ] = 1,
    where: WhereOption = "",
) -> Any:
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

    return fg.repeats(table, where=where, resamples=resamples, confidence=confidence, seed=seed)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(repeats))
