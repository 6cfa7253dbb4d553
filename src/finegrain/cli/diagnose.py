"""``finegrain diagnose``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.buckets import (
    AttributeOption,
    BucketsOption,
    ByOption,
    CaseOption,
    EdgesOption,
    MetricOption,
    PresetOption,
    StrategyOption,
)
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


def diagnose(
    table: OutcomeTable,
    inputs: Inputs,
    system: Annotated[
        str | None,
        typer.Option(metavar="SYSTEM", help="The system to compare; default: every one."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="SYSTEM",
            help="The system it is compared with; default: the best of the others in every bucket.",
        ),
    ] = None,
    by: ByOption = None,
    attribute: AttributeOption = None,
    metric: MetricOption = None,
    buckets: BucketsOption = None,
    strategy: StrategyOption = None,
    edges: EdgesOption = None,
    preset: PresetOption = None,
    case_sensitive: CaseOption = False,
    where: WhereOption = "",
) -> Any:
    """Diagnose systems: what their scores go with, where they are good, bad, ahead, behind.

    \b
    After Fu, Liu and Neubig (2020), for every attribute:
      zeta      mean of gold units           rho  how much it matters for all systems
      Spearman  do scores rise or fall with it?   std  how much do they vary?
      the best and the worst bucket of every system, and the gap
      the buckets in which a system is farthest ahead of another, and farthest behind

    \b
    Example:
      finegrain diagnose gold.conll crf.conll neural.conll --train train.conll
      finegrain diagnose gold.conll crf.conll neural.conll run7.conll --system crf
      finegrain diagnose gold.conll crf.conll neural.conll --system neural --against crf
    """
    from finegrain.cli import bucketing

    choices: dict[str, Any] = {"metric": metric, "buckets": buckets, "strategy": strategy}
    choices |= {"preset": preset, "fold_case": not case_sensitive, "where": where}
    wanted = bucketing.Wanted(by or [], attribute or [], edges or [])
    return bucketing.diagnosed(table, inputs, wanted, system=system, against=against, **choices)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(diagnose))
