"""``finegrain score``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.buckets import CaseOption
from finegrain.cli.interval_options import (
    ConfidenceOption,
    IntervalsOption,
    NoIntervalsOption,
    SeedOption,
    drawing,
)
from finegrain.cli.options import FocusOption, WhereOption

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs, Output
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
    typer.Option("--metric", "-m", metavar="METRIC", help="Only these, separated by commas."),
]
BetaOption = Annotated[
    float | None,
    typer.Option(metavar="NUMBER", help="Add F-beta: 0.5 favours precision, 2 recall."),
]
SchemesOption = Annotated[
    bool,
    typer.Option(
        "--schemes",
        help="Add the match schemes strict, exact, partial, type (SemEval, MUC) and overlap; "
        "JSON always has them.",
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
AlsoGoldOption = Annotated[
    str | None,
    typer.Option(
        metavar="GOLD2", help="Another version of the gold: how scores move and which units moved."
    ),
]
GivenOption = Annotated[
    str | None,
    typer.Option(
        metavar="TABLE",
        help="Saved table of an upstream task (finegrain align): scores where it was right, wrong.",
    ),
]


def score(
    table: OutcomeTable,
    inputs: Inputs,
    destination: Output,
    weights: WeightsOption = "ortmann-weighted",
    focus: FocusOption = "target",
    metric: MetricOption = None,
    beta: BetaOption = None,
    schemes: SchemesOption = False,
    overlap: OverlapOption = 0.5,
    by: ByOption = None,
    where: WhereOption = "",
    also_gold: AlsoGoldOption = None,
    given: GivenOption = None,
    case_sensitive: CaseOption = False,
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
) -> Any:
    """Score systems, overall and per label.

    Spans get traditional, fair and weighted precision, recall and F1; tags get accuracy,
    sentence accuracy and label scores. Intervals come from resampling documents, or sentences
    where there are no documents.

    \b
    Example:
      finegrain score gold.conll crf.conll neural=run7.conll
      finegrain score gold.conll crf.conll --format json --output scores.json
      finegrain score --columns token=1,gold=2,answer=3 crf.tsv neural.tsv
      finegrain score gold.conll crf.conll --schemes --overlap 0.7 --beta 0.5
      finegrain score gold.conll crf.conll --columns token=1,pos=2,tags=3 --by pos
      finegrain score gold.conll crf.conll --where "label=PER and length>1"
      finegrain score gold.conll crf.conll --train train.conll --baseline gazetteer
    """
    from finegrain.cli import scoring
    from finegrain.cli.name_lists import names_in
    from finegrain.cli.output import chosen_format

    names = names_in(*(metric or []))
    if given is not None:
        refused = {"--by": by, "--schemes": schemes, "--where": where, "--also-gold": also_gold}
        scoring.require_no_others(inputs, refused, "--given")
        drawn = drawing(intervals, confidence, seed, no_intervals=no_intervals)
        return scoring.downstream(table, given, names, **drawn)
    if also_gold is not None:
        scoring.require_no_others(inputs, {"--by": by, "--schemes": schemes, "--where": where})
        how: dict[str, Any] = {"weights": weights, "focus": focus, "beta": beta}
        return scoring.against_both(table, inputs, also_gold, names or None, **how)
    wanted: dict[str, Any] = {"weights": weights, "focus": focus, "beta": beta, "by": by}
    wanted["where"] = where
    if "schemes" in table.task.choices and not metric and chosen_format(destination) == "json":
        schemes = True
    wanted |= {"schemes": ("all",) if schemes else (), "overlap": overlap}
    wanted |= drawing(intervals, confidence, seed, no_intervals=no_intervals)
    return scoring.scored(table, inputs, names or None, fold_case=not case_sensitive, **wanted)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(score))
