"""``finegrain vectors``."""

from __future__ import annotations

from typing import Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import QUIET, STRICT


@command(
    Argument("BENCHMARK", "Lines of word1,word2,score (similarity) or a b c d (analogies)."),
    Argument("VECTORS...", "Word vectors; name=path names them.", to="systems"),
    Option("-p, --predictions DIRECTORY", "Where to write gold.csv and answers.", required=True),
    Option("--method 3cosadd|3cosmul", "How analogies are answered.", default="3cosadd"),
    Option(
        "--case-sensitive",
        "Look words up only as they are written.",
        default=True,
        to="fold_case",
        value=False,
    ),
    STRICT,
    QUIET,
)
def vectors(
    benchmark: str, systems: list[str], predictions: str, *, strict: bool, quiet: bool, **how: Any
) -> None:
    """Answer benchmarks of words from vectors: similarity and analogies.

    Cosines of pairs are numbers for regression, fourth words of analogies are labels.

    \b
    Example:
      finegrain vectors wordsim.csv glove=glove.txt skip=skipgram.vec -p wordsim
      finegrain score wordsim/gold.csv wordsim/glove.csv wordsim/skip.csv -t regression
    """
    from finegrain.analyses.studies.word_benchmarks import word_benchmark
    from finegrain.cli.folders import write_items
    from finegrain.cli.inputs import parse_system
    from finegrain.cli.standard_streams import say, tell
    from finegrain.formats import read

    named = (parse_system(argument) for argument in systems)
    read_named = ((name, read(path, format="vectors", strict=strict)) for name, path in named)
    found = word_benchmark(benchmark, read_named, **how)
    tell(*write_items(found.gold, found.answers, predictions))
    if not quiet:
        for note in found.notes:
            say(note)
