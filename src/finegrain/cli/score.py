"""``finegrain score``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.options import FocusOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


WeightsOption = Annotated[
    str,
    typer.Option(
        metavar="WEIGHTS",
        help="Weights of the weighted scores: ortmann-weighted, fair, or a formula such as "
        "'LE = 0.5 FP + 0.5 FN, BE = 0.5 TP + 0.5 FN'.",
    ),
]
MetricOption = Annotated[
    list[str] | None,
    typer.Option("--metric", "-m", metavar="METRIC", help="Only this one; may be repeated."),
]
BetaOption = Annotated[
    float | None,
    typer.Option(metavar="NUMBER", help="Add F-beta: 0.5 favours precision, 2 recall."),
]
SchemesOption = Annotated[
    bool,
    typer.Option(
        "--schemes",
        help="Add the match schemes strict, exact, partial, type (SemEval, MUC) and overlap.",
    ),
]
OverlapOption = Annotated[
    float,
    typer.Option(
        metavar="SHARE", help="Common tokens / all tokens, at least, in the scheme overlap."
    ),
]
ByOption = Annotated[
    str | None,
    typer.Option(
        metavar="document|COLUMN",
        help="Scores for each document, or for each value of a column named in --columns.",
    ),
]


def score(
    table: OutcomeTable,
    weights: WeightsOption = "ortmann-weighted",
    focus: FocusOption = "target",
    metric: MetricOption = None,
    beta: BetaOption = None,
    schemes: SchemesOption = False,
    overlap: OverlapOption = 0.5,
    by: ByOption = None,
) -> Any:
    """Score systems, overall and per label.

    Spans get traditional, fair and weighted precision, recall and F1; tags get accuracy,
    sentence accuracy and label scores.

    \b
    Example:
      finegrain score gold.conll crf.conll neural=run7.conll
      finegrain score gold.conll crf.conll --format json --output scores.json
      finegrain score --columns token=1,gold=2,answer=3 crf.tsv neural.tsv
      finegrain score gold.conll crf.conll --schemes --overlap 0.7 --beta 0.5
      finegrain score gold.conll crf.conll --columns token=1,pos=2,tags=3 --by pos
    """
    from finegrain import api

    return api.score(
        table,
        metric or None,
        weights=weights,
        focus=focus,  # type: ignore[arg-type]  # checked there
        beta=beta,
        schemes=("all",) if schemes else (),
        overlap=overlap,
        by=by,
    )


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(score))
