"""A 0/1 table where GOLD SYSTEM... is expected."""

from __future__ import annotations

from dataclasses import fields

from finegrain.cli.options import Inputs
from finegrain.cli.standard_streams import say
from finegrain.errors import InputError, UsageError
from finegrain.files_read import called
from finegrain.formats import matrix, recognise
from finegrain.formats.source import Source
from finegrain.formats.stream import beginning
from finegrain.table import OutcomeTable
from finegrain.tasks import by_name, guess

FORMAT = "matrix"
_FITS = ("files", "input", "names", "quiet", "strict", "task", "vote")


def matrix_table(inputs: Inputs) -> OutcomeTable | None:
    """The table of items, if the user gave one, alone."""
    if len(inputs.files) > 1 or not _is_matrix(inputs.files[0], inputs):
        return None
    _require_no_contradiction(inputs)
    path = inputs.files[0]
    called(path, "table")
    names = None if inputs.names is None else [one.strip() for one in inputs.names.split(",")]
    cells = matrix.read_file(path, names=names)
    task = guess(cells) if inputs.task is None else by_name(inputs.task)
    if not task.recognise(cells, inputs.layer):
        raise UsageError(
            f"a 0/1 table holds items and nothing else: it has no task {task.name!r}, no tokens"
        )
    table: OutcomeTable = task.align(cells, {})
    if not inputs.quiet:
        units = f"{len(table):,} {task.words.units}"
        say(f"format {FORMAT}; task {task}; {units}; {table.n_systems} systems")
    return table


def _is_matrix(path: str, inputs: Inputs) -> bool:
    """Whether it is a 0/1 table; whoever names another format or columns has none."""
    if inputs.input is not None or inputs.columns is not None:
        return inputs.input == FORMAT
    start = beginning(path)
    return start is not None and matrix.looks_like(start)


def has_systems(path: str) -> UsageError:
    """What is said of a 0/1 table among other files."""
    return UsageError(
        f"{path} is a 0/1 table with all its systems: give it alone "
        "(if it holds tokens in columns: --input conll; labels or numbers of items: say --task)"
    )


def require_no_intention(path: str) -> None:
    """A file that is alone and that may be meant for a 0/1 table, but is not recognised.

    What is wrong in a file that can hardly be anything else is said as of a table.
    """
    start = beginning(path)
    if start is None:
        return
    if is_faulty(start):
        say_read_as_table(path)
        matrix.read_file(path)
    if matrix.looks_intended(start):
        raise UsageError(
            f"{path}: not certain to be a 0/1 table; if it is one, --input matrix reads it or says "
            "what is wrong in it, otherwise give the gold file and at least one system: "
            "GOLD SYSTEM... (labels of annotators: finegrain agreement, finegrain crowd)"
        )


def is_faulty(source: Source) -> bool:
    """Whether a file can hardly be meant for anything but a 0/1 table, and is none."""
    if not matrix.looks_faulty(source):
        return False
    try:
        return recognise(source).name in matrix.SIMILAR
    except InputError:
        return True


def say_read_as_table(path: str) -> None:
    """Tell what a file is taken for, where that is not certain."""
    say(f"{path} is read as a 0/1 table (if it holds tokens in columns: --input conll)")


def _require_no_contradiction(inputs: Inputs) -> None:
    for one in fields(inputs):
        if one.name not in _FITS and getattr(inputs, one.name) != one.default:
            raise UsageError(f"--{one.name.replace('_', '-')} does not apply to a 0/1 table")
