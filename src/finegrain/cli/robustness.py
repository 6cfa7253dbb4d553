"""``finegrain robustness``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs


CopiesOption = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="The folder that finegrain perturb wrote, with the output of each system beside "
        "each copy, under the name that it has for the original. With --pairs: a folder with "
        "the perturbed items, under the names of the gold file and of the systems.",
    ),
]
PairsOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Existing adversarial or contrast sets: a table of original, perturbed, kind, "
        "expected (same or changes); ids of items.",
    ),
]
ByOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ATTRIBUTE",
        help="Attributes that are searched for where it hurts, separated by commas or "
        "repeated; default: those of the task.",
    ),
]


def robustness(
    inputs: Inputs,
    copies: CopiesOption = None,
    pairs: PairsOption = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric", "-m", metavar="METRIC", help="traditional_f1 (spans), accuracy (tags), ..."
        ),
    ] = None,
    by: ByOption = None,
    correction: Annotated[
        str, typer.Option(metavar="CORRECTION", help="holm, benjamini-hochberg or none.")
    ] = "holm",
    examples: Annotated[
        int, typer.Option(min=0, metavar="N", help="Units shown of each drop beyond chance.")
    ] = 3,
    resamples: Annotated[int, typer.Option(min=1, metavar="N", help="For p.")] = 10_000,
    confidence: Annotated[float, typer.Option(metavar="SHARE", help="Of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same digits.")] = 1,
    assume_independent: Annotated[
        bool, typer.Option("--assume-independent", help="Sentences do not depend on each other.")
    ] = False,
    where: WhereOption = "",
) -> Any:
    """Show what perturbed texts cost each system: drops, flips, where it hurts, the worst case.

    Each system is compared with itself on the same units, with paired intervals and tests that are
    corrected for all systems and copies. -o robustness.html writes a page.

    \b
    Example:
      finegrain robustness gold.conll crf.conll --copies perturbed
      finegrain robustness gold.conll --copies perturbed --baseline gazetteer --train train.conll
      finegrain robustness contrast.csv svm=answers.csv --pairs pairs.tsv
    """
    import finegrain as fg
    from finegrain.cli.copies_read import conditions_of
    from finegrain.cli.name_lists import names_in

    table = conditions_of(inputs, copies, pairs)
    return fg.robustness(
        table, metric, by=names_in(*by) if by else None, correction=correction, examples=examples,
        resamples=resamples, confidence=confidence, seed=seed,
        assume_independent=assume_independent, where=where,
    )  # fmt: skip


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(robustness, leave_out=("vote",)))
