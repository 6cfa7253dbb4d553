"""Readers and writers: one file per format, one line in ``FORMATS``.

>>> sorted(FORMATS)
['conll', 'spans']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from finegrain.corpus import Corpus
from finegrain.errors import InputError
from finegrain.formats import conll, span_lines
from finegrain.formats.source import Source, open_source
from finegrain.plugins import find, plugins


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how to recognise, read and write it.

    ``read`` takes a ``Source`` and the format's own keyword options.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    looks_like: Callable[[Source], bool]
    read: Callable[..., Corpus]
    write: Callable[..., str]


# Recognition goes through them in this order: the stricter one first.
FORMATS: dict[str, Format] = {
    format_.name: format_
    for format_ in (
        Format(
            "spans",
            "one labelled span per line: label, begin, end, tokens (nested, crossing, with gaps)",
            (".csv", ".spans"),
            span_lines.looks_like,
            span_lines.read,
            span_lines.write,
        ),
        Format(
            "conll",
            "one token per line in columns; tags or BIO annotation, also stacked (B-S|B-NP)",
            (".conll", ".tsv", ".txt"),
            conll.looks_like,
            conll.read,
            conll.write,
        ),
    )
}


def recognise(source: Source) -> Format:
    """The format of a file, by its content; formats of other packages are asked last."""
    for format_ in _candidates():
        if format_.looks_like(source):
            return format_
    raise InputError.at(
        source.name, 1, "the format is not recognised", f"Known formats: {', '.join(FORMATS)}."
    )


def _candidates() -> Iterator[Format]:
    yield from FORMATS.values()
    yield from (find("formats", name, FORMATS) for name in plugins("formats"))


def by_name(name: str) -> Format:
    """A format by its name."""
    found: Format = find("formats", name, FORMATS)
    return found


def read(path: str, *, input: str | Format | None = None, **options: Any) -> Corpus:  # noqa: A002 - the option's name
    """Read a file (plain, .gz, .bz2, .xz; ``-`` is standard input) into a corpus.

    Parameters
    ----------
    input: a format or its name; recognised by content if not given
    options: options of the format, e.g. ``columns={"token": 1, "tags": 4}`` for ``conll``
    """
    source = open_source(path)
    format_ = by_name(input) if isinstance(input, str) else input or recognise(source)
    return read_source(source, format_, **options)


def read_source(source: Source, format_: Format, **options: Any) -> Corpus:
    """Read a source that is known to be in a format."""
    corpus = replace(format_.read(source, **options), format=format_.name)
    if source.closed:
        return corpus
    return replace(corpus, notes=(*corpus.notes, "the last line has no newline: is it complete?"))
