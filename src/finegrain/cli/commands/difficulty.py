"""``finegrain difficulty``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, INTERVALS, LEVEL, WHERE
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


@command(
    LEVEL,
    Option(
        "--leave-one-out",
        "Bins by the other systems: a system's own answer does not decide how hard a unit is for "
        "it. JSON and CSV always have them.",
    ),
    Option(
        "--annotate FILE",
        "Write the units with their bins there: the lines of a 0/1 table with one more column, or "
        "one line per gold unit.",
        file="written",
    ),
    WHERE,
    INTERVALS,
    *ANALYSIS,
)
def difficulty(
    table: OutcomeTable, inputs: Inputs, level: Any, annotate: str | None, **how: Any
) -> Any:
    """Sort units into bins by how many systems are right about them.

    Bin 0 holds what no system solves, the last bin what all of them solve (Gianola et al. 2021). A
    0/1 table of units and systems will do in place of gold and systems. Intervals come from
    resampling documents, or sentences where there are none, or the units of a 0/1 table.

    \b
    Example:
      finegrain difficulty gold.conll crf.conll neural.conll
      finegrain difficulty gold.conll crf.conll neural.conll --level token --leave-one-out
      finegrain difficulty gold.conll crf.conll neural.conll --where "label=PER"
      finegrain difficulty answers.tsv --names crf,neural --annotate bins.tsv.gz
    """
    from finegrain.analyses.compare.difficulty import difficulty as difficulty_of

    if how["where"] and annotate is not None:
        raise UsageError("--annotate writes all units, whatever --where asks for: give one of them")
    found = difficulty_of(table, level=level, **how)
    if annotate is not None:
        _annotate(table, inputs, level, annotate)
    return found


def _annotate(table: OutcomeTable, inputs: Inputs, level: str, target: str) -> None:
    """Write units with their bins; a failure leaves what was there untouched.

    The lines of a 0/1 table stay as they are but for the new cell at their end.
    """
    from finegrain.cli.standard_streams import say
    from finegrain.complete_file import complete_file
    from finegrain.formats.archives import writer

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
    from finegrain.analyses.compare.difficulty import bins
    from finegrain.cli.level import units_at
    from finegrain.cli.saved_table import is_saved_table
    from finegrain.formats.matrix import annotated_lines
    from finegrain.views.annotated import annotated_units

    source = inputs.files[0]
    if table.corpus.holds_items and not is_saved_table(source):
        if source == "-":
            raise UsageError("--annotate reads the table again: standard input cannot be")
        yield from annotated_lines(source, bins(table))
        return
    yield from (line.encode() for line in annotated_units(units_at(table, level)))
