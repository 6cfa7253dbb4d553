"""``finegrain probe``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options
from finegrain.cli.interval_options import (
    ConfidenceOption,
    IntervalsOption,
    NoIntervalsOption,
    SeedOption,
    drawing,
)

LabelsArgument = Annotated[
    str,
    typer.Argument(
        metavar="LABELS",
        help="Items with an id and a label: CSV, JSON lines, or vectors with such fields.",
        show_default=False,
    ),
]
LayersArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="LAYER",
        help="Vectors of the items; name=path names them. Several arrays of one file are layers.",
        show_default=False,
    ),
]
LabelOption = Annotated[
    str, typer.Option(metavar="COLUMN", help="Column with the label; default: label, gold, tag.")
]
TypeOption = Annotated[
    str,
    typer.Option(
        metavar="COLUMN",
        help="Column with the type of items, which training and test do not share; default: type, "
        "lemma, word, form.",
    ),
]
ClassifierOption = Annotated[str, typer.Option(metavar="linear|mlp", help="Kind of probe.")]
FoldsOption = Annotated[int, typer.Option(min=2, help="Folds of types.")]
SeedsOption = Annotated[int, typer.Option(min=1, help="Repetitions with other folds and orders.")]
FilesOption = Annotated[
    str | None,
    typer.Option(
        "--predictions",
        "-p",
        metavar="DIRECTORY",
        help="Write gold.csv and the predictions of every layer, to score, compare and report.",
    ),
]


def probe(
    labels: LabelsArgument,
    layers: LayersArgument,
    label: LabelOption = "",
    type: TypeOption = "",
    classifier: ClassifierOption = "linear",
    folds: FoldsOption = 5,
    seeds: SeedsOption = 3,
    predictions: FilesOption = None,
    intervals: IntervalsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
    strict: options.StrictOption = False,
    format: options.FormatOption = None,
    output: options.OutputOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Train probes: in which layers is a label known?

    Accuracy on types that the probe has not seen, selectivity over a control task, online code
    length, learning curves; the most frequent label and random vectors beside them.

    \b
    Example:
      finegrain probe labels.csv layer0=l0.npy layer1=l1.npy --type word
      finegrain probe labels.csv bert=bert.npz --label number -p probed
      finegrain report probed/gold.csv probed/bert@*.csv -o report.html
    """
    from finegrain.cli.output import emit
    from finegrain.cli.probing import probed, write_predictions
    from finegrain.cli.standard_streams import say

    found = probed(
        labels, layers, strict=strict, quiet=quiet, label=label, type=type, folds=folds,
        classifier=classifier, seeds=seeds,
        **drawing(intervals, confidence, seed, no_intervals=no_intervals),
    )  # fmt: skip
    if predictions is not None:
        for path in write_predictions(found, predictions):
            if not quiet:
                say(path)
    emit(found, options.Output(format, output), strict=strict)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(probe)
