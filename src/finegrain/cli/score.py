"""``finegrain score``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.options import FocusOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def score(
    table: OutcomeTable,
    weights: Annotated[
        str,
        typer.Option(
            metavar="WEIGHTS",
            help="Weights of the weighted scores: ortmann-weighted, fair, or a formula such as "
            "'LE = 0.5 FP + 0.5 FN, BE = 0.5 TP + 0.5 FN'.",
        ),
    ] = "ortmann-weighted",
    focus: FocusOption = "target",
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", metavar="METRIC", help="Only this one; may be repeated."),
    ] = None,
) -> Any:
    """Score systems, overall and per label.

    Spans get traditional, fair and weighted precision, recall and F1; tags get accuracy,
    sentence accuracy and label scores.

    \b
    Example:
      finegrain score gold.conll crf.conll neural=run7.conll
      finegrain score gold.conll crf.conll --format json --output scores.json
      finegrain score --columns token=1,gold=2,answer=3 crf.tsv neural.tsv
    """
    from finegrain import api

    return api.score(table, metric or None, weights=weights, focus=focus)  # type: ignore[arg-type]  # checked there


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(score))
