"""``finegrain rsa``."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from finegrain.cli import options
from finegrain.cli.interval_options import (
    ConfidenceOption,
    NoIntervalsOption,
    SeedOption,
    drawing,
)

GoldVectors = Annotated[
    str,
    typer.Argument(
        metavar="GOLD",
        help="Vectors of the stimuli: of people, of a brain, of a model. Several arrays of one "
        "file are several people.",
        show_default=False,
    ),
]
SystemVectors = Annotated[
    list[str],
    typer.Argument(
        metavar="SYSTEM",
        help="Vectors of the same stimuli; name=path names them. Several arrays of one file "
        "are layers.",
        show_default=False,
    ),
]
DistanceOption = Annotated[
    str, typer.Option(metavar="DISTANCE", help="cosine, correlation or euclidean.")
]
CorrelationOption = Annotated[
    str, typer.Option(metavar="NAME", help="Of distances: spearman or pearson.")
]
GoldIsOption = Annotated[
    str,
    typer.Option(
        metavar="WHAT",
        help="What GOLD holds: vectors, or a square matrix of distances or similarities.",
    ),
]
MissingOption = Annotated[
    str, typer.Option(metavar="error|skip", help="Stimuli that a system does not have.")
]
PermutationsOption = Annotated[
    int, typer.Option(min=0, metavar="N", help="Permutations, and resamples for intervals.")
]


def rsa(
    gold: GoldVectors,
    systems: SystemVectors,
    distance: DistanceOption = "cosine",
    correlation: CorrelationOption = "spearman",
    gold_is: GoldIsOption = "vectors",
    missing: MissingOption = "error",
    intervals: PermutationsOption = 1000,
    no_intervals: NoIntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 1,
    strict: options.StrictOption = False,
    format: options.FormatOption = None,
    output: options.OutputOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Compare the geometry of vectors with that of gold: representational similarity.

    Distances of all pairs of stimuli are compared: RSA with permutations and intervals, kernel
    alignment (CKA), nearest neighbours, the noise ceiling of several people, the pairs that deviate
    most. Files are npy, npz, safetensors, Parquet, JSON lines, or text as of word2vec and GloVe.

    \b
    Example:
      finegrain rsa human.npz bert=bert.npy glove=glove.txt
      finegrain rsa human.npy layers=bert.npz --distance correlation
      finegrain rsa human.npz bert.npy --format json
    """
    from finegrain.analyses.studies.similarity import rsa as rsa_of
    from finegrain.cli.inputs import parse_system
    from finegrain.cli.output import emit
    from finegrain.cli.standard_streams import say
    from finegrain.files_read import called
    from finegrain.formats import read
    from finegrain.sizes import sized

    vectors = partial(read, input="vectors", strict=strict)
    named = [parse_system(argument) for argument in systems]
    for name, path in (("gold", gold), *named):
        called(path, name)
    found = rsa_of(
        vectors(gold),
        ((name, vectors(path)) for name, path in named),
        distance=distance,  # type: ignore[arg-type]  # checked there, as all of these
        correlation=correlation,  # type: ignore[arg-type]
        gold_is=gold_is,  # type: ignore[arg-type]
        missing=missing,  # type: ignore[arg-type]
        **drawing(intervals, confidence, seed, no_intervals=no_intervals),
    )
    if not quiet:
        size = sized(found.data["stimuli"], "stimulus")
        say(f"{size}; {found.data['pairs']:,} pairs; systems {', '.join(found.systems)}")
    emit(found, options.Output(format, output), strict=strict)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(rsa)
