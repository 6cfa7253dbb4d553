"""``finegrain convert``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options
from finegrain.cli.standard_streams import say

AnnotationOption = Annotated[
    str | None,
    typer.Option(
        "--annotation",
        metavar="spans|tags",
        help="For jsonl: text with spans or tokens with tags; by default what IN has.",
    ),
]


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN", help="The file or folder to read; - is stdin.", show_default=False
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="The file to write, or for brat a folder; - is standard output.",
            show_default=False,
        ),
    ],
    read_as: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="Format of IN; found out by content."),
    ] = None,
    write_as: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="Format of OUT; found out by its suffix."),
    ] = None,
    annotation: AnnotationOption = None,
    layer: Annotated[
        str | None,
        typer.Option(metavar="LAYER", help="Write this layer as the tags, and no other layer."),
    ] = None,
    columns: options.ColumnsOption = None,
    scheme: options.SchemeOption = None,
    policy: options.PolicyOption = "conlleval",
    strict: options.StrictOption = False,
) -> None:
    """Write a corpus in another format.

    What is written is read back and compared: an annotation that the other format cannot hold
    (nested spans in tags, spans inside of words) is an error, and nothing is written then.

    \b
    Example:
      finegrain convert gold.conll gold.jsonl --annotation spans
      finegrain convert gold.conll gold-brat --to brat
    """
    from finegrain.cli.converting import read_to_convert
    from finegrain.writing import target_format, write

    target_format(target, write_as)  # a wrong name is told before a big file is read
    corpus = read_to_convert(source, read_as=read_as, columns=columns, strict=strict)
    said = write(
        corpus, target,
        output=write_as, annotation=annotation, layer=layer, scheme=scheme, policy=policy,  # type: ignore[arg-type]  # checked there
    )  # fmt: skip
    for line in (*(f"{source}: {note}" for note in corpus.notes), *said):
        say(line)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(convert)
