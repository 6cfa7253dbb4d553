"""Files with all their columns and lines, for commands that write parts or copies of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from finegrain.cli.inputs import parse_columns
from finegrain.cli.options import Inputs
from finegrain.complete_file import complete_file
from finegrain.corpus import LAYER, Corpus, IntArray
from finegrain.corpus.parts import part as part_of
from finegrain.errors import InputError
from finegrain.formats import FORMATS, Format, by_name, read_source, recognise
from finegrain.formats.archives import SUFFIXES
from finegrain.formats.column_layout import settle
from finegrain.formats.same_annotation import first_difference
from finegrain.formats.source import Source, open_source, source_of
from finegrain.formats.verbatim import Pieces, copied, pieces
from finegrain.writing import write


class WholeFile(NamedTuple):
    """A file: its corpus, how it was read, its sentences as lines."""

    path: str
    corpus: Corpus
    format: Format
    options: dict[str, Any]
    pieces: Pieces | None


def read_whole(path: str, inputs: Inputs) -> WholeFile:
    """Read a file with all its columns, and its lines where parts of it can be copied."""
    source = open_source(path)
    columns = parse_columns(inputs.columns)
    named = inputs.input or ("conll" if columns else None)
    format_ = by_name(named) if named else recognise(source)
    options: dict[str, Any] = {}
    header = False
    if format_.name == "conll":
        options["columns"] = columns or all_columns(source)
        header = settle(source, options["columns"], "auto", None).header is not None
    corpus = read_source(source, format_, strict=inputs.strict, **options)
    found = None if source.folder else pieces(source, format_.name, header=header)
    if found is not None and len(found.sentences) != corpus.n_sentences:
        found = None
    return WholeFile(path, corpus, format_, options, found)


def all_columns(source: Source) -> dict[str, int | str]:
    """Every column under a name: of the header, or its number; the token first, the tags last."""
    layout = settle(source, None, "auto", None)
    middle = range(2, layout.width)
    names = [f"column{place}" for place in middle]
    if layout.header is not None and len({*layout.header, LAYER}) == layout.width + 1:
        names = [layout.header[place - 1] for place in middle]
    between = dict(zip(names, middle, strict=True))
    return {"token": 1, **between, LAYER: layout.width}


def suffix_of_parts(file: WholeFile) -> str:
    """What files of parts end in; parts of a folder are folders."""
    name = Path(file.path)
    if name.is_dir() or file.format.files is not None:
        return ""
    suffix = Path(name.stem).suffix if name.suffix in SUFFIXES else name.suffix
    return suffix or next(iter(FORMATS[file.format.name].suffixes), "")


def write_part(file: WholeFile, sentences: IntArray, target: str) -> tuple[str, ...]:
    """Write a part: its lines as they are if they read back alone, else as the format does."""
    corpus = part_of(file.corpus, np.asarray(sentences))
    if file.pieces is not None:
        text = copied(file.pieces, sentences.tolist())
        if _reads_back(corpus, text, file):
            with complete_file(target) as temporary:
                Path(temporary).write_text(text, encoding="utf-8", newline="")
            return (f"wrote {target}",)
    return write(corpus, target, format=file.format.name)


def _reads_back(corpus: Corpus, text: str, file: WholeFile) -> bool:
    try:
        read = read_source(source_of("part", text.encode()), file.format, **file.options)
    except InputError:
        return False
    return first_difference(corpus, read) is None
