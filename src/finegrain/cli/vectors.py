"""``finegrain vectors``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options

CaseOption = Annotated[
    bool, typer.Option("--case-sensitive", help="Look words up only as they are written.")
]


def vectors(
    benchmark: Annotated[
        str,
        typer.Argument(
            metavar="BENCHMARK",
            help="Lines of word1,word2,score (similarity) or a b c d (analogies).",
            show_default=False,
        ),
    ],
    systems: Annotated[
        list[str],
        typer.Argument(
            metavar="VECTORS", help="Word vectors; name=path names them.", show_default=False
        ),
    ],
    predictions: Annotated[
        str,
        typer.Option(
            "--predictions",
            "-p",
            metavar="DIRECTORY",
            help="Where to write gold.csv and answers.",
            show_default=False,
        ),
    ],
    method: Annotated[
        str, typer.Option(metavar="3cosadd|3cosmul", help="How analogies are answered.")
    ] = "3cosadd",
    case_sensitive: CaseOption = False,
    strict: options.StrictOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Answer benchmarks of words from vectors: similarity and analogies.

    Cosines of pairs are numbers for regression, fourth words of analogies are labels.

    \b
    Example:
      finegrain vectors wordsim.csv glove=glove.txt skip=skipgram.vec -p wordsim
      finegrain score wordsim/gold.csv wordsim/glove.csv wordsim/skip.csv -t regression
    """  # fmt: skip
    from finegrain.analyses.studies.word_benchmarks import word_benchmark
    from finegrain.cli.inputs import parse_system
    from finegrain.cli.probing import write_files
    from finegrain.cli.standard_streams import say, tell
    from finegrain.formats import read

    named = (parse_system(argument) for argument in systems)
    found = word_benchmark(
        benchmark,
        ((name, read(path, input="vectors", strict=strict)) for name, path in named),
        method=method,  # type: ignore[arg-type]  # checked there
        fold_case=not case_sensitive,
    )
    for path in write_files(found.gold, found.answers, predictions):
        tell(path)
    if not quiet:
        for note in found.notes:
            say(note)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(vectors)
