"""``finegrain convert``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import COLUMNS, POLICY, SCHEME, STRICT

if TYPE_CHECKING:
    from finegrain.corpus import Corpus


@command(
    Argument("IN", "The file or folder to read; - is stdin.", to="source"),
    Argument(
        "OUT",
        "The file to write, or for brat a folder; - is standard output.",
        to="target",
        file="written",
    ),
    Option("--from FORMAT", "Format of IN; found out by content.", to="read_as"),
    Option("--to FORMAT", "Format of OUT; found out by its suffix.", to="output"),
    Option(
        "--annotation spans|tags",
        "For jsonl: text with spans or tokens with tags; by default what IN has.",
    ),
    Option("--layer LAYER", "Write this layer as the tags, and no other layer."),
    COLUMNS,
    SCHEME,
    POLICY,
    STRICT,
)
def convert(
    source: str,
    target: str,
    *,
    read_as: str | None,
    output: str | None,
    columns: str | None,
    scheme: str | None,
    policy: Any,
    strict: bool,
    **how: Any,
) -> None:
    """Write a corpus in another format.

    What is written is read back and compared: an annotation that the other format cannot hold
    (nested spans in tags, spans inside of words) is an error, and nothing is written then.

    \b
    Example:
      finegrain convert gold.conll gold.jsonl --annotation spans
      finegrain convert gold.conll gold-brat --to brat
    """
    from finegrain.cli.standard_streams import say
    from finegrain.writing import target_format, write

    target_format(target, output)  # a wrong name is told before a big file is read
    corpus = _read(source, read_as, columns, strict=strict)
    said = write(corpus, target, format=output, scheme=scheme, policy=policy, **how)
    for line in (*(f"{source}: {note}" for note in corpus.notes), *said):
        say(line)


def _read(path: str, read_as: str | None, columns: str | None, *, strict: bool) -> Corpus:
    """Read the file to convert; ``columns`` as on the command line."""
    from finegrain.cli.inputs import parse_columns
    from finegrain.errors import UsageError
    from finegrain.formats import by_name, read_source, recognise
    from finegrain.formats.source import open_source

    source = open_source(path)
    chosen = parse_columns(columns)
    name = read_as or ("conll" if chosen else None)
    format_ = by_name(name) if name else recognise(source)
    if chosen is None:
        return read_source(source, format_, strict=strict)
    if format_.name != "conll":
        raise UsageError(f"--columns: the format {format_.name} has no columns")
    return read_source(source, format_, strict=strict, columns=chosen)
