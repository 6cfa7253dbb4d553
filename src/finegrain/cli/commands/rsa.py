"""``finegrain rsa``."""

from __future__ import annotations

from functools import partial
from typing import Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import INTERVALS, OUTPUT, STRICT


@command(
    Argument(
        "GOLD",
        "Vectors of the stimuli: of people, of a brain, of a model. Several arrays of one file are "
        "several people.",
    ),
    Argument(
        "SYSTEM...",
        "Vectors of the same stimuli; name=path names them. Several arrays of one file are layers.",
        to="systems",
    ),
    Option("--distance DISTANCE", "cosine, correlation or euclidean.", default="cosine"),
    Option("--correlation NAME", "Of distances: spearman or pearson.", default="spearman"),
    Option(
        "--gold-is WHAT",
        "What GOLD holds: vectors, or a square matrix of distances or similarities.",
        default="vectors",
    ),
    Option("--missing error|skip", "Stimuli that a system does not have.", default="error"),
    STRICT,
    INTERVALS,
    OUTPUT,
)
def rsa(gold: str, systems: list[str], *, strict: bool, quiet: bool, **how: Any) -> Any:
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
    from finegrain.cli.standard_streams import say
    from finegrain.files_read import called
    from finegrain.formats import read
    from finegrain.sizes import sized

    vectors = partial(read, format="vectors", strict=strict)
    named = [parse_system(argument) for argument in systems]
    for name, path in (("gold", gold), *named):
        called(path, name)
    found = rsa_of(vectors(gold), ((name, vectors(path)) for name, path in named), **how)
    if not quiet:
        size = sized(found.data["stimuli"], "stimulus")
        say(f"{size}; {found.data['pairs']:,} pairs; systems {', '.join(found.systems)}")
    return found
