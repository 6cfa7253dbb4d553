"""``finegrain buckets``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.interval_options import (
    ConfidenceOption,
    IntervalsOption,
    NoIntervalsOption,
    SeedOption,
    drawing,
)
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable

ByOption = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="ATTRIBUTE",
        help="Attributes, separated by commas or repeated; one+other crosses two. A column of the "
        "gold file named in --columns, and document, are attributes too. Default: those of the "
        "task.",
    ),
]
AttributeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--attribute",
        metavar="NAME=FILE",
        help="An attribute of your own from a TSV, CSV or Parquet file with a column unit, "
        "sentence or document and a column NAME; may be repeated.",
    ),
]
MetricOption = Annotated[
    str | None,
    typer.Option(
        "--metric", "-m", metavar="METRIC", help="Default: traditional_f1 or, for tags, accuracy."
    ),
]
BucketsOption = Annotated[
    int | None, typer.Option("--buckets", min=1, metavar="N", help="So many buckets, not 4.")
]
StrategyOption = Annotated[
    str | None,
    typer.Option(
        metavar="frequency|width", help="Buckets of equal size or of equal width, for all numbers."
    ),
]
EdgesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--edges",
        metavar="NAME=1,2,5",
        help="Upper borders of the buckets of an attribute; may be repeated.",
    ),
]
PresetOption = Annotated[
    str | None,
    typer.Option(
        metavar="interpreteval", help="Buckets as in the program of Fu, Liu and Neubig (2020)."
    ),
]
CaseOption = Annotated[
    bool,
    typer.Option("--case-sensitive", help="Words that differ in case are different in --train."),
]


def buckets(
    table: OutcomeTable,
    inputs: Inputs,
    by: ByOption = None,
    attribute: AttributeOption = None,
    metric: MetricOption = None,
    buckets: BucketsOption = None,
    strategy: StrategyOption = None,
    edges: EdgesOption = None,
    preset: PresetOption = None,
    case_sensitive: CaseOption = False,
    where: WhereOption = "",
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
) -> Any:
    """Score units that are alike: by length, density, frequency, consistency, any attribute.

    \b
    Spans go by the eight attributes of Fu, Liu and Neubig (2020), five of which need --train:
      entity_length, sentence_length, entity_density, oov_density, entity_frequency,
      token_frequency, entity_consistency, token_consistency
    Intervals come from resampling documents, or sentences where there are none.
    All attributes: finegrain list attributes; one explained: finegrain list attributes NAME.
    The units of a bucket: finegrain show ... --where "entity_length>3"; where in --format json.

    \b
    Example:
      finegrain buckets gold.conll crf.conll neural.conll --train train.conll
      finegrain buckets gold.conll crf.conll --by entity_length,label --buckets 3
      finegrain buckets gold.conll crf.conll --by entity_length+label --metric fair_f1
      finegrain buckets gold.conll crf.conll --by entity_length --where "label=PER"
      finegrain buckets gold.conll crf.conll --attribute domain=meta.tsv
    """
    from finegrain.cli import bucketing

    choices: dict[str, Any] = drawing(intervals, confidence, seed, no_intervals=no_intervals)
    choices |= {"metric": metric, "buckets": buckets, "strategy": strategy, "preset": preset}
    choices["where"] = where
    wanted = bucketing.Wanted(by or [], attribute or [], edges or [])
    return bucketing.bucketed(table, inputs, wanted, fold_case=not case_sensitive, **choices)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(buckets))
