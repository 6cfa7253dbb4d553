"""``finegrain split``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import COLUMNS, FORMAT, INPUT, QUIET, SEED, STRICT
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.analyses.explain.overlap import Overlap
    from finegrain.analyses.trust.split import Split
    from finegrain.cli.options import Inputs
    from finegrain.corpus import IntArray


@command(
    Argument("FILE...", "The file to divide; with --check, the parts.", to="files"),
    Option("-o, --output DIR", "The folder to write parts into.", to="folder"),
    Option("--check", "Divide nothing: look for what files have in common."),
    Option("--fractions NAME=SHARE,...", "Default: train=0.8,dev=0.1,test=0.1."),
    Option("--folds K", "K folds, each with a train and a test part.", default=0, least=0),
    Option(
        "--by GROUP",
        "What stays together: document (default where there are any), sentence, text (sentences "
        "with the same words) or a column, such as an author.",
    ),
    Option("--stratify COLUMN", "All parts get labels, or a column, in proportion."),
    SEED,
    INPUT,
    COLUMNS,
    STRICT,
    FORMAT,
    QUIET,
)
def split(
    inputs: Inputs, folder: str | None, fractions: str | None, *, check: bool, **how: Any
) -> Any:
    """Divide a file into parts for training and testing, or check parts for overlap.

    Documents stay whole. The same seed gives the same parts, whatever the order of documents in the
    file. Lines are copied as they are where the format allows it.

    \b
    Example:
      finegrain split gold.conll -o parts --stratify labels
      finegrain split gold.conll -o folds --folds 5 --by text --seed 7
      finegrain split --check train.conll gold.conll
    """
    if check:
        if folder or fractions or how["folds"] or how["by"] or how["stratify"]:
            raise UsageError("--check divides nothing: give it files and no other options")
        return _overlap(inputs)
    if len(inputs.files) != 1 or folder is None:
        raise UsageError("give one file and a folder for its parts: split FILE -o DIR")
    return _divided(inputs, folder, _fractions(fractions), how)


def _overlap(inputs: Inputs) -> Overlap:
    """What files have in common."""
    from finegrain.analyses.explain.overlap import overlap
    from finegrain.cli.inputs import parse_columns, parse_system, read_one
    from finegrain.files_read import called

    named = [parse_system(argument) for argument in inputs.files]
    twice = sorted({one.name for one in named if [two.name for two in named].count(one.name) > 1})
    if twice:
        raise UsageError(f"two parts are called {twice[0]!r}: name them apart, name=path")
    columns = parse_columns(inputs.columns)
    for name, path in named:
        called(path, name)
    return overlap({name: read_one(path, inputs, columns) for name, path in named})


def _divided(
    inputs: Inputs, folder: str, fractions: dict[str, float] | None, how: dict[str, Any]
) -> Split:
    """Divide a file and write its parts."""
    from finegrain.analyses.trust.split import split as split_of
    from finegrain.cli.standard_streams import say
    from finegrain.cli.whole_files import read_whole, suffix_of_parts, write_part
    from finegrain.errors import FinegrainError

    file = read_whole(inputs.files[0], inputs)
    found = split_of(file.corpus, fractions, **how)
    targets = _targets(found, folder, suffix_of_parts(file))
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
        for line in write_part(file, sentences, target):
            if not inputs.quiet:
                say(line)
    return found


def _fractions(text: str | None) -> dict[str, float] | None:
    """``train=0.8,test=0.2`` as a mapping.

    >>> _fractions("train=0.8,test=0.2")
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
