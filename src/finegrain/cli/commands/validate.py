"""``finegrain validate``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import GOLD, INTERVALS, OUTPUT, READING, SYSTEMS
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs


@command(
    GOLD,
    SYSTEMS,
    Option("--resamples N", "Exchanges for tests between metrics.", default=10_000, least=1),
    INTERVALS,
    READING.only("task", "input", "columns", "header", "set", "repeats", "cluster", "strict"),
    OUTPUT,
)
def validate(inputs: Inputs, **how: Any) -> Any:
    """Validate automatic metrics against judgements of people.

    The first file holds ratings (rater, item, system, score) or pairwise judgements (winner,
    loser); every further file holds a metric: item, system, value, higher being better.
    Correlations by item and by system, and pairwise accuracy with calibrated ties.

    \b
    Example:
      finegrain validate ratings.csv bleu.csv comet=comet-scores.csv
    """
    from finegrain.analyses.trust.validation import validate as validation_of
    from finegrain.cli.inputs import load, parse_system
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
    return validation_of(table, metrics, **how)
