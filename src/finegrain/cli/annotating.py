"""What ``finegrain difficulty --annotate`` writes: every unit with its bin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from finegrain.analyses.compare.difficulty import bins
from finegrain.cli.level import units_at
from finegrain.cli.options import Inputs
from finegrain.cli.saved_table import is_saved_table
from finegrain.cli.standard_streams import say
from finegrain.complete_file import complete_file
from finegrain.errors import UsageError
from finegrain.formats.archives import writer
from finegrain.formats.matrix import annotated_lines
from finegrain.table import OutcomeTable
from finegrain.views.annotated import annotated_units


def annotate_file(table: OutcomeTable, inputs: Inputs, level: str, target: str) -> None:
    """Write units with their bins; a failure leaves what was there untouched.

    The lines of a 0/1 table stay as they are but for the new cell at their end.
    """
    if table.corpus.holds_items and inputs.vote:
        raise UsageError("--annotate writes the table as it was given: leave out --vote")
    suffix = Path(target).suffix.lower()
    with (
        complete_file(target) as temporary,
        Path(temporary).open("wb") as plain,
        writer(plain, suffix) as file,
    ):
        for lines in _lines(table, inputs, level):
            file.write(lines)
    say(f"wrote {target}")


def _lines(table: OutcomeTable, inputs: Inputs, level: str) -> Iterator[bytes]:
    source = inputs.files[0]
    if table.corpus.holds_items and not is_saved_table(source):
        if source == "-":
            raise UsageError("--annotate reads the table again: standard input cannot be")
        yield from annotated_lines(source, bins(table))
        return
    yield from (line.encode() for line in annotated_units(units_at(table, level)))
