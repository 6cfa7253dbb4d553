"""``finegrain split``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options

FilesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE", help="The file to divide; with --check, the parts.", show_default=False
    ),
]
FolderOption = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="DIR", help="The folder to write parts into."),
]
CheckOption = Annotated[
    bool, typer.Option("--check", help="Divide nothing: look for what files have in common.")
]
FractionsOption = Annotated[
    str | None,
    typer.Option(metavar="NAME=SHARE,...", help="Default: train=0.8,dev=0.1,test=0.1."),
]
FoldsOption = Annotated[
    int, typer.Option(min=0, metavar="K", help="K folds, each with a train and a test part.")
]
ByOption = Annotated[
    str | None,
    typer.Option(
        metavar="GROUP",
        help="What stays together: document (default where there are any), sentence, text "
        "(sentences with the same words) or a column, such as an author.",
    ),
]
StratifyOption = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="All parts get labels, or a column, in proportion."),
]
SeedOption = Annotated[int, typer.Option(min=0, help="The same seed gives the same parts.")]


def split(
    files: FilesArgument,
    folder: FolderOption = None,
    check: CheckOption = False,
    fractions: FractionsOption = None,
    folds: FoldsOption = 0,
    by: ByOption = None,
    stratify: StratifyOption = None,
    seed: SeedOption = 1,
    input: options.InputOption = None,
    columns: options.ColumnsOption = None,
    strict: options.StrictOption = False,
    format: options.FormatOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Divide a file into parts for training and testing, or check parts for overlap.

    Documents stay whole. The same seed gives the same parts, whatever the order of documents in the
    file. Lines are copied as they are where the format allows it.

    \b
    Example:
      finegrain split gold.conll -o parts --stratify labels
      finegrain split gold.conll -o folds --folds 5 --by text --seed 7
      finegrain split --check train.conll gold.conll
    """
    from finegrain.cli.output import emit
    from finegrain.cli.splitting import Wanted, checked, divided
    from finegrain.errors import UsageError

    output = options.Output(format, None)
    inputs = options.Inputs(files=files, input=input, columns=columns, strict=strict, quiet=quiet)
    if check:
        if folder is not None or folds or fractions is not None or by is not None or stratify:
            raise UsageError("--check divides nothing: give it files and no other options")
        emit(checked(inputs), output)
        return
    if len(files) != 1 or folder is None:
        raise UsageError("give one file and a folder for its parts: split FILE -o DIR")
    emit(divided(inputs, Wanted(folder, fractions, folds, by, stratify, seed)), output)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(split)
