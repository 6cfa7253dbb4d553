"""What ``finegrain difference`` compares, and where disagreements are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from finegrain.analyses.compare.difference import Difference, difference
from finegrain.analyses.compare.difference_matrix import Differences, differences
from finegrain.analyses.compare.disagreements import disagreements
from finegrain.analyses.restricting import restrict
from finegrain.cli.showing import chosen_systems
from finegrain.cli.standard_streams import say
from finegrain.complete_file import write_complete
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.views.unit_records import as_jsonl, as_tsv
from finegrain.writing import write

_LINES = {".tsv": as_tsv, ".jsonl": as_jsonl}


def compared(
    table: OutcomeTable,
    only: list[str] | None,
    baseline: str | None,
    *,
    examples: int,
    **wanted: Any,
) -> Difference | Differences:
    """The difference of two systems; of more, all differences."""
    names = list(dict.fromkeys(chosen_systems(table, only) or table.systems))
    if baseline is not None:
        table.system(baseline)  # must be known
        names = [baseline, *(name for name in names if name != baseline)]
    if len(names) < 2:
        raise UsageError(f"give two systems or more to compare, not {len(names)}")
    if len(names) == 2:
        return difference(table, *names, examples=examples, **wanted)
    if examples:
        raise UsageError("--examples are of one pair: choose it with --systems A,B")
    return differences(table, baseline, systems=names, **wanted)


def export_disagreements(
    table: OutcomeTable, found: Difference | Differences, path: str, where: str = ""
) -> None:
    """Write what two systems disagree on, in the form that the file's name asks for."""
    if not isinstance(found, Difference):
        raise UsageError("--export writes one pair: choose it with --systems A,B")
    suffix = Path(path).suffix.lower()
    if suffix not in ("", *_LINES):
        known = ", ".join(_LINES)
        raise UsageError(
            f"{path}: no form goes with {suffix!r}; known: {known}, and a folder for brat"
        )
    units = disagreements(restrict(table, where), *found.systems)
    if suffix:
        write_complete(path, "".join(_LINES[suffix](units)))
    else:
        write(units.marked(), path, output="brat")
    say(f"wrote {path}")
