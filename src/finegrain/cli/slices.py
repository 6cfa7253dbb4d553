"""``finegrain slices``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


def slices(
    table: OutcomeTable,
    inputs: Inputs,
    pair: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Where does system B differ from system A?"),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Where is this system weaker than elsewhere?"),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="ATTRIBUTE",
            help="Attributes, separated by commas or repeated; default: those of the task.",
        ),
    ] = None,
    measure: Annotated[
        str,
        typer.Option(
            metavar="recall|precision|VALUE",
            help="Of gold units or of predictions; default of graded units: their value.",
        ),
    ] = "",
    fewest: Annotated[int, typer.Option(min=2, metavar="N", help="Units of a slice.")] = 30,
    confidence: Annotated[
        float, typer.Option(metavar="SHARE", help="1 less the chance of any false finding.")
    ] = 0.95,
    assume_independent: Annotated[
        bool,
        typer.Option(
            "--assume-independent", help="Sentences of a document do not depend on each other."
        ),
    ] = False,
    resamples: Annotated[
        int, typer.Option(min=1, metavar="N", help="Shared by all slices.")
    ] = 2_000,
    where: WhereOption = "",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same digits.")] = 1,
) -> Any:
    """Find slices that matter: where a system is weak, or two differ, beyond chance.

    Slices are buckets of an attribute or of two at once, with 30 units or more. All are tested
    together. Two systems are compared as a pair, more or fewer each with its own other units.

    \b
    Example:
      finegrain slices gold.conll crf.conll neural.conll --train train.conll
      finegrain slices gold.conll crf.conll neural.conll --where "label=PER"
      finegrain slices gold.conll crf.conll neural.conll --system crf --measure precision
    """
    from finegrain.cli.slicing import searched

    return searched(
        table, inputs, pair, system, by or [], measure=measure, fewest=fewest,
        confidence=confidence, assume_independent=assume_independent, resamples=resamples,
        seed=seed, where=where,
    )  # fmt: skip


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(slices))
