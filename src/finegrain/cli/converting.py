"""How ``finegrain convert`` reads what it is to write in another format."""

from __future__ import annotations

from finegrain.cli.inputs import parse_columns
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.formats import by_name, read_source, recognise
from finegrain.formats.source import open_source


def read_to_convert(
    path: str, *, read_as: str | None, columns: str | None, strict: bool = False
) -> Corpus:
    """Read the file to convert; ``columns`` as on the command line."""
    source = open_source(path)
    chosen = parse_columns(columns)
    name = read_as or ("conll" if chosen else None)
    format_ = by_name(name) if name else recognise(source)
    if chosen is None:
        return read_source(source, format_, strict=strict)
    if format_.name != "conll":
        raise UsageError(f"--columns: the format {format_.name} has no columns")
    return read_source(source, format_, strict=strict, columns=chosen)
