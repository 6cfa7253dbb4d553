"""`segments`: one segment per line, in columns between tabs that a header names.

    id<TAB>source<TAB>reference        id<TAB>hypothesis<TAB>comet
    a1<TAB>Ahoj<TAB>Hello              a1<TAB>Hi<TAB>0.83

What stands between tabs is text as it is: quotation marks are ordinary characters. The header is
known by the names of columns that such files have (source, reference, hypothesis, translation,
summary and the like); of files without one, ``--input csv`` with ``--columns`` says which is which.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", b'id\\thypothesis\\na1\\t"Hi", he said.\\n'))
>>> list(corpus.fields["hypothesis"])
['"Hi", he said.']
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, cell
from finegrain.corpus.items import of_fields, written
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.chosen_columns import renamed
from finegrain.formats.source import Source

_TEXTS = re.compile(
    r"(source|src|reference|ref|target|tgt|hypothesis|hyp|translation|mt|summary|candidate"
    r"|generated|transcript|output|prediction)s?([_ ]?\d+)?\Z",
    re.IGNORECASE,
)


def looks_like(source: Source) -> bool:
    """True if the first line has tabs and names a column of texts."""
    if source.folder:
        return False
    first = source.head(1)[0]
    return "\t" in first and any(_TEXTS.match(name.strip()) for name in first.split("\t"))


def read(
    source: Source,
    *,
    columns: Mapping[str, int | str] | None = None,
    header: str = "auto",
    limit: int = 20,
) -> Corpus:
    """Read segments.

    columns: name -> column, counted from 1 or named as in the header
    header: there has to be one
    limit: how many problems to gather before giving up
    """
    if header == "no":
        raise UsageError("segments in columns have a header: --input csv reads those without one")
    names, *rows = (line.split("\t") for line in source.lines())
    names = [name.strip() or f"column {place}" for place, name in enumerate(names, 1)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        what = f"the header names {twice[0]!r} twice"
        raise InputError.at(source.name, 1, what, "Names of columns are unique.")
    problems = Collector(source.name, limit=limit)
    for line, row in enumerate(rows, 2):
        if len(row) != len(names):
            what = f"expected {len(names)} cells as in the header, found {len(row)}"
            problems.add(line, what, "Cells are separated by tabs; texts have none inside.")
    problems.raise_any()
    if not rows:
        raise InputError.at(source.name, 1, "a header and no segments below it")
    cells = zip(*rows, strict=True)
    fields: dict[str, Column] = {
        name: Texts.of(text.strip() for text in column)
        for name, column in zip(names, cells, strict=True)
    }
    fields = renamed(source.name, fields, columns)
    lines = np.arange(2, len(rows) + 2)
    return of_fields(source.name, fields, lines=lines, format="segments")


def write(corpus: Corpus) -> str:
    """Segments with a header; read back, they are the same."""
    names = [name for name in corpus.fields if not name.startswith("@")]
    if corpus.parts:
        raise UsageError("lists of segments (parts) cannot be written as columns: use --to items")
    lines = ["\t".join(names)]
    for row in range(corpus.n_sentences):
        cells = [_written(cell(corpus.fields[name], row)) for name in names]
        if any("\t" in one or "\n" in one for one in cells):
            raise UsageError(f"segments: a text of item {row + 1} has a tab or line end inside")
        lines.append("\t".join(cells))
    return "\n".join([*lines, ""])


def _written(value: object) -> str:
    if value is None:
        return ""
    return written(value) if isinstance(value, float) else str(value)
