"""What ``finegrain perturb`` reads and writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from finegrain.cli.inputs import format_of, parse_columns, read_as
from finegrain.cli.options import Inputs
from finegrain.cli.splitting import read_whole
from finegrain.cli.standard_streams import say
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.formats.archives import SUFFIXES
from finegrain.formats.source import open_source
from finegrain.perturbations.perturbation import require_rate
from finegrain.perturbed_copies import Copies, File, Wanted, write_copies


def copied(
    inputs: Inputs,
    folder: str | None,
    asked: str | None,
    *,
    seed: int,
    fields: Sequence[str],
    lists: Mapping[str, str],
    quiet: bool,
) -> Copies:
    """Read a file and write its copies."""
    path = inputs.files[0]
    if folder is None:
        raise UsageError("give a folder for the copies: perturb IN -o DIR")
    if path == "-":
        raise UsageError("copies have the name of their file: standard input (-) has none")
    if Path(path).suffix in SUFFIXES:
        raise UsageError(f"{path}: copies are plain files; unpack it first")
    if Path(folder).exists():
        raise UsageError(f"{folder} is there already: name another folder")
    wanted = wanted_of(asked)
    corpus = _read(path, inputs)
    found = write_copies(File(path, corpus), folder, wanted, seed=seed, fields=fields, lists=lists)
    if not quiet:
        for note in corpus.notes:
            say(f"{path}: {note}")
        say(f"wrote {folder}")
    return found


def _read(path: str, inputs: Inputs) -> Corpus:
    """The file as analyses read it, with all its columns."""
    source, columns = open_source(path), parse_columns(inputs.columns)
    format_ = format_of(source, inputs, columns)
    if format_.name == "conll":
        return read_whole(path, inputs).corpus
    return read_as(source, format_, inputs, columns)


def wanted_of(text: str | None) -> list[Wanted]:
    """Names with their rates.

    >>> wanted_of("typos=0.05,upper")
    [Wanted(name='typos', rate=0.05), Wanted(name='upper', rate=None)]
    """
    found = []
    for part in filter(None, (text or "").split(",")):
        name, equals, rate = (piece.strip() for piece in part.partition("="))
        try:
            found.append(Wanted(name, float(rate) if equals else None))
        except ValueError:
            raise UsageError(f"--with: {rate!r} is no rate, as in typos=0.05") from None
        if equals:
            require_rate(found[-1].rate or 0.0)
    return found
