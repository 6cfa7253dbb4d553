"""``finegrain perturb``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import COLUMNS, FORMAT, INPUT, QUIET, SEED, STRICT
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.corpus import Corpus
    from finegrain.perturbed_copies import Wanted


@command(
    Argument("IN", "The labelled file or folder.", to="source"),
    Option("-o, --output DIR", "The folder to write copies into.", to="folder"),
    Option(
        "--with NAME[=RATE],...",
        "Perturbations, each with a rate if not its own: typos=0.05,upper (all: finegrain list "
        "perturbations). Default: the usual ones that change something.",
        to="asked",
    ),
    SEED,
    Option(
        "--field COLUMN",
        "Of items, a column to change; may be repeated. Default: the columns that are known to "
        "hold texts, but for the context of a question.",
        repeated=True,
    ),
    Option(
        "--names FILE",
        "Your own list of names: name, first or last or place, f or m or -, origin; tabs.",
        file="read",
    ),
    Option("--synonyms FILE", "Your own synonyms: words of one meaning in a line.", file="read"),
    Option("--sentences FILE", "Your own irrelevant sentences, one a line.", file="read"),
    INPUT,
    COLUMNS,
    STRICT,
    FORMAT,
    QUIET,
)
def perturb(
    inputs: Inputs,
    folder: str | None,
    asked: str | None,
    seed: int,
    field: list[str] | None,
    **lists: str | None,
) -> Any:
    """Write perturbed copies of a labelled file: typos, OCR errors, case, names.

    Spans, tags, trees and chains stay exactly on their words. Each copy stands in a folder of its
    own, under the name of the file, with every change in changes.jsonl. Run your systems on the
    copies, write each output beside its copy under the name that it has for the original, and
    compare: finegrain robustness GOLD SYSTEM... --copies DIR.

    \b
    Example:
      finegrain perturb gold.conll -o copies --with typos,upper,names
      finegrain perturb reviews/gold.csv -o noisy --with typos=0.05,typos=0.2,negation --seed 7
    """
    from finegrain.cli.standard_streams import say
    from finegrain.formats.archives import SUFFIXES
    from finegrain.perturbed_copies import File, write_copies

    (path,) = inputs.files
    if folder is None:
        raise UsageError("give a folder for the copies: perturb IN -o DIR")
    if path == "-":
        raise UsageError("copies have the name of their file: standard input (-) has none")
    if Path(path).suffix in SUFFIXES:
        raise UsageError(f"{path}: copies are plain files; unpack it first")
    if Path(folder).exists():
        raise UsageError(f"{folder} is there already: name another folder")
    own = {kind: given for kind, given in lists.items() if given is not None}
    wanted = _wanted(asked)
    file = File(path, _read(path, inputs))
    found = write_copies(file, folder, wanted, seed=seed, fields=field or [], lists=own)
    if not inputs.quiet:
        for note in file.corpus.notes:
            say(f"{path}: {note}")
        say(f"wrote {folder}")
    return found


def _read(path: str, inputs: Inputs) -> Corpus:
    """The file as analyses read it, with all its columns."""
    from finegrain.cli.inputs import format_of, parse_columns, read_as
    from finegrain.cli.whole_files import read_whole
    from finegrain.formats.source import open_source

    source, columns = open_source(path), parse_columns(inputs.columns)
    format_ = format_of(source, inputs, columns)
    if format_.name == "conll":
        return read_whole(path, inputs).corpus
    return read_as(source, format_, inputs, columns)


def _wanted(text: str | None) -> list[Wanted]:
    """Names with their rates.

    >>> _wanted("typos=0.05,upper")
    [Wanted(name='typos', rate=0.05), Wanted(name='upper', rate=None)]
    """
    from finegrain.perturbations.perturbation import require_rate
    from finegrain.perturbed_copies import Wanted

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
