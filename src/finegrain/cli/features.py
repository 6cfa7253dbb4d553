"""``finegrain features``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.buckets import AttributeOption, CaseOption
from finegrain.cli.level import LevelOption
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable

ByOption = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="ATTRIBUTE",
        help="Only these attributes, separated by commas or repeated. A column of the gold file "
        "named in --columns, and document, are attributes too.",
    ),
]


def features(
    table: OutcomeTable,
    inputs: Inputs,
    level: LevelOption = "unit",
    by: ByOption = None,
    attribute: AttributeOption = None,
    case_sensitive: CaseOption = False,
    where: WhereOption = "",
) -> Any:
    """Describe hard and easy units: attributes by bin, with the trend marked.

    The bin of a unit is the number of systems that are right about it; 0 is hardest. With --train
    also attributes that are learnt. All attributes: finegrain list attributes.

    \b
    Example:
      finegrain features gold.conll crf.conll neural.conll run7.conll
      finegrain features gold.conll crf.conll neural.conll --level token --by hapax,label
      finegrain features gold.conll crf.conll neural.conll --train train.conll
      finegrain features gold.conll crf.conll neural.conll --attribute domain=meta.tsv
    """
    from finegrain.cli import bucketing
    from finegrain.cli.level import units_at

    wanted = bucketing.Wanted(by or [], attribute or [])
    units = units_at(table, level)
    how: dict[str, Any] = {"fold_case": not case_sensitive, "where": where}
    return bucketing.described(units, inputs, wanted, **how)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(features))
