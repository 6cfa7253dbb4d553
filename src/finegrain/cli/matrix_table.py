"""A 0/1 table where GOLD SYSTEM... is expected."""

from __future__ import annotations

from dataclasses import fields

from finegrain.cli.options import Inputs
from finegrain.cli.standard_streams import say
from finegrain.errors import InputError, UsageError
from finegrain.files_read import called
from finegrain.formats import matrix, recognise
from finegrain.formats.stream import beginning
from finegrain.table import OutcomeTable
from finegrain.tasks import items

FORMAT = "matrix"
_FITS = ("files", "input", "names", "quiet", "strict", "task", "vote")


def matrix_table(inputs: Inputs) -> OutcomeTable | None:
    """The table of items, if the user gave one; ``None`` if there are only other files."""
    found = matrix_files(inputs)
    if not found:
        if inputs.names is not None:
            raise UsageError("--names is for a 0/1 table; otherwise name=path names a system")
        return None
    if len(inputs.files) > 1:
        raise UsageError(
            f"{found[0]} is a 0/1 table with all its systems: give it alone "
            "(if it holds tokens in columns: --input conll)"
        )
    _require_no_contradiction(inputs)
    called(found[0], "table")
    names = None if inputs.names is None else [one.strip() for one in inputs.names.split(",")]
    table: OutcomeTable = items.align(matrix.read_file(found[0], names=names), {})
    if not inputs.quiet:
        said = f"format matrix; task items; {len(table):,} items; {table.n_systems} systems"
        say(said)
    return table


def matrix_files(inputs: Inputs) -> list[str]:
    """Files that are 0/1 tables; whoever names another format or columns has none."""
    if inputs.input == FORMAT:
        return inputs.files
    if inputs.input is not None or inputs.columns is not None:
        return []
    starts = ((path, beginning(path)) for path in inputs.files)
    return [path for path, start in starts if start is not None and matrix.looks_like(start)]


def require_no_intention(path: str) -> None:
    """A file that is alone and that may be meant for a 0/1 table, but is not recognised.

    What is wrong in a file that can hardly be anything else is said as of a table.
    """
    if is_faulty_table(path):
        say_read_as_table(path)
        matrix.read_file(path)
    start = beginning(path)
    if start is not None and matrix.looks_intended(start):
        raise UsageError(
            f"{path}: not certain to be a 0/1 table; if it is one, --input matrix reads it or says "
            "what is wrong in it, otherwise give the gold file and at least one system: "
            "GOLD SYSTEM..."
        )


def is_faulty_table(path: str) -> bool:
    """Whether a file can hardly be meant for anything but a 0/1 table, and is none."""
    start = beginning(path)
    if start is None or not matrix.looks_faulty(start):
        return False
    try:
        return recognise(start).name == "conll"  # which takes anything in columns
    except InputError:
        return True


def say_read_as_table(path: str) -> None:
    """Tell what a file is taken for, where that is not certain."""
    say(f"{path} is read as a 0/1 table (if it holds tokens in columns: --input conll)")


def _require_no_contradiction(inputs: Inputs) -> None:
    if inputs.task not in (None, "items"):
        raise UsageError(
            f"a 0/1 table holds items and nothing else: it has no task {inputs.task!r}, no tokens"
        )
    for one in fields(inputs):
        if one.name not in _FITS and getattr(inputs, one.name) != one.default:
            raise UsageError(f"--{one.name.replace('_', '-')} does not apply to a 0/1 table")
