"""``finegrain validate``."""

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

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs


def validate(
    inputs: Inputs,
    resamples: Annotated[
        int, typer.Option(min=1, help="Exchanges for tests between metrics.")
    ] = 10_000,
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
) -> Any:
    """Validate automatic metrics against judgements of people.

    The first file holds ratings (rater, item, system, score) or pairwise judgements (winner,
    loser); every further file holds a metric: item, system, value, higher being better.
    Correlations by item and by system, and pairwise accuracy with calibrated ties.

    \b
    Example:
      finegrain validate ratings.csv bleu.csv comet=comet-scores.csv
    """
    from dataclasses import replace

    from finegrain.analyses.trust.validation import validate as validation_of
    from finegrain.cli.inputs import load, parse_system
    from finegrain.errors import UsageError
    from finegrain.files_read import called
    from finegrain.formats import read_source, recognise
    from finegrain.formats.source import open_source

    if len(inputs.files) < 2:
        raise UsageError("give the judgements and at least one metric: JUDGEMENTS METRIC...")
    table = load(replace(inputs, files=inputs.files[:1]))
    metrics = {}
    for argument in inputs.files[1:]:
        name, path = parse_system(argument)
        if name in metrics:
            raise UsageError(f"two metrics are called {name!r}: name them, as in bleu=path")
        called(path, name)
        source = open_source(path)
        metrics[name] = read_source(
            source, recognise(source, table.task.formats), strict=inputs.strict
        )
    return validation_of(
        table, metrics, resamples=resamples,
        **drawing(intervals, confidence, seed, no_intervals=no_intervals),
    )  # fmt: skip


def register(app: typer.Typer) -> None:
    """Add the command."""
    left_out = ("names", "train", "baseline", "vote", "scheme", "policy", "layer", "map", "labels",
                "exclude", "by_characters", "missing", "gold_columns", "comment")  # fmt: skip
    app.command()(analysis(validate, leave_out=left_out))
