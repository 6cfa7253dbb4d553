"""How ``finegrain split`` reads a file, divides it and writes its parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from finegrain.analyses.explain.overlap import Overlap, overlap
from finegrain.analyses.trust.split import Split, split
from finegrain.cli.inputs import parse_columns, parse_system, read_one
from finegrain.cli.options import Inputs
from finegrain.cli.standard_streams import say
from finegrain.complete_file import complete_file
from finegrain.corpus import LAYER, Corpus, IntArray
from finegrain.corpus.parts import part as part_of
from finegrain.errors import FinegrainError, InputError, UsageError
from finegrain.files_read import called
from finegrain.formats import FORMATS, Format, by_name, read_source, recognise
from finegrain.formats.archives import SUFFIXES
from finegrain.formats.column_layout import settle
from finegrain.formats.same_annotation import first_difference
from finegrain.formats.source import Source, open_source, source_of
from finegrain.formats.verbatim import Pieces, copied, pieces
from finegrain.writing import write


class Wanted(NamedTuple):
    """What the user said about parts."""

    folder: str
    fractions: str | None
    folds: int
    by: str | None
    stratify: str | None
    seed: int


class _File(NamedTuple):
    """A file that is divided: its corpus, how it was read, its sentences as lines."""

    corpus: Corpus
    format: Format
    options: dict[str, Any]
    pieces: Pieces | None


def checked(inputs: Inputs) -> Overlap:
    """What files have in common."""
    named = [parse_system(argument) for argument in inputs.files]
    twice = sorted({one.name for one in named if [two.name for two in named].count(one.name) > 1})
    if twice:
        raise UsageError(f"two parts are called {twice[0]!r}: name them apart, name=path")
    columns = parse_columns(inputs.columns)
    for name, path in named:
        called(path, name)
    return overlap({name: read_one(path, inputs, columns) for name, path in named})


def divided(inputs: Inputs, wanted: Wanted) -> Split:
    """Divide a file and write its parts."""
    path = inputs.files[0]
    file = read_whole(path, inputs)
    found = split(
        file.corpus,
        parse_fractions(wanted.fractions),
        folds=wanted.folds,
        by=wanted.by,
        stratify=wanted.stratify,
        seed=wanted.seed,
    )
    targets = _targets(found, wanted.folder, _suffix(path, file.format))
    taken = [target for target, _ in targets if Path(target).exists()]
    if taken:
        raise UsageError(f"{taken[0]} is there already: name another folder")
    if found.notes:
        raise UsageError(f"{found.notes[0]}; ask for other shares or smaller groups (--by)")
    for target, sentences in targets:
        try:
            Path(target).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FinegrainError(f"{target}: cannot be written ({error.strerror})") from None
        for line in _put(file, sentences, target):
            if not inputs.quiet:
                say(line)
    return found


def parse_fractions(text: str | None) -> dict[str, float] | None:
    """``train=0.8,test=0.2`` as a mapping.

    >>> parse_fractions("train=0.8,test=0.2")
    {'train': 0.8, 'test': 0.2}
    """
    if text is None:
        return None
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = (piece.strip() for piece in part.partition("="))
        try:
            found[name] = float(share)
        except ValueError:
            raise UsageError(f"--fractions: {part!r} is not name=share, as in test=0.1") from None
        if not name or "/" in name or name.startswith("."):
            raise UsageError(f"--fractions: {name!r} cannot be the name of a file")
    return found


def read_whole(path: str, inputs: Inputs) -> _File:
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
    return _File(corpus, format_, options, found)


def all_columns(source: Source) -> dict[str, int | str]:
    """Every column under a name: of the header, or its number; the token first, the tags last."""
    layout = settle(source, None, "auto", None)
    middle = range(2, layout.width)
    names = [f"column{place}" for place in middle]
    if layout.header is not None and len({*layout.header, LAYER}) == layout.width + 1:
        names = [layout.header[place - 1] for place in middle]
    between = dict(zip(names, middle, strict=True))
    return {"token": 1, **between, LAYER: layout.width}


def _suffix(path: str, format_: Format) -> str:
    """What files of parts end in; parts of a folder are folders."""
    name = Path(path)
    if name.is_dir():
        return ""
    suffix = Path(name.stem).suffix if name.suffix in SUFFIXES else name.suffix
    if format_.files is not None:
        return ""
    return suffix or next(iter(FORMATS[format_.name].suffixes), "")


def _targets(found: Split, folder: str, suffix: str) -> list[tuple[str, IntArray]]:
    """Files to write and the sentences that go there."""

    def place(*names: str) -> str:
        return str(Path(folder).joinpath(*names)) + suffix

    if not found.folds:
        return [(place(part.name), part.sentences) for part in found.parts]
    both: list[tuple[str, IntArray]] = []
    for part in found.parts:
        both += [
            (place(part.name, "train"), found.others(part.name)),
            (place(part.name, "test"), part.sentences),
        ]
    return both


def _put(file: _File, sentences: IntArray, target: str) -> tuple[str, ...]:
    """Write a part: its lines as they are if they read back alone, else as the format does."""
    corpus = part_of(file.corpus, np.asarray(sentences))
    if file.pieces is not None:
        text = copied(file.pieces, sentences.tolist())
        if _reads_back(corpus, text, file):
            with complete_file(target) as temporary:
                Path(temporary).write_text(text, encoding="utf-8", newline="")
            return (f"wrote {target}",)
    return write(corpus, target, output=file.format.name)


def _reads_back(corpus: Corpus, text: str, file: _File) -> bool:
    try:
        read = read_source(source_of("part", text.encode()), file.format, **file.options)
    except InputError:
        return False
    return first_difference(corpus, read) is None
