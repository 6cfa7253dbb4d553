"""``finegrain difference``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command, without
from finegrain.cli.option import Option
from finegrain.cli.options import AGAINST_BASELINE, ANALYSIS, INTERVALS, SELECTED, WHERE
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


@command(
    SELECTED,
    AGAINST_BASELINE,
    Option(
        "--metric METRIC",
        "The score to compare beside accuracy; for spans traditional_f1 by default.",
    ),
    Option("--sort size|frequency", "Order of labels: largest changes, or counts.", default="size"),
    Option("--examples N", "Units shown behind each change of a pair.", default=0, least=0),
    Option(
        "--export FILE",
        "Write what a pair disagrees on: .tsv, .jsonl, or a folder for brat.",
        file="written",
    ),
    WHERE,
    INTERVALS,
    # here a baseline is one of the systems, and nothing else learns from training data
    *without(ANALYSIS, "baseline", "train"),
)
def difference(
    table: OutcomeTable,
    *,
    chosen: list[str] | None,
    baseline: str | None,
    examples: int,
    export: str | None,
    **how: Any,
) -> Any:
    """Compare outputs: what one corrects, breaks or gets wrong in another way.

    With two systems, their difference in detail (Tuggener 2017): label pairs of corrections, new
    errors and changed errors, accuracy by label, agreement. With more, how much any two differ
    beside the difference of their scores, similar systems side by side. Intervals come from
    resampling documents, or sentences where there are none.

    \b
    Example:
      finegrain difference gold.conll crf.conll neural.conll --examples 1
      finegrain difference gold.conll crf.conll neural.conll --where "label=PER"
      finegrain difference gold.conll crf.conll neural.conll --export disagreements.tsv
      finegrain difference gold.conll crf.conll neural.conll run7.conll --baseline crf
    """
    from finegrain.analyses.compare.difference import difference as difference_of
    from finegrain.analyses.compare.difference_matrix import differences
    from finegrain.cli.name_lists import chosen_systems

    names = list(dict.fromkeys(chosen_systems(table, chosen) or table.systems))
    if baseline is not None:
        table.system(baseline)  # must be known
        names = [baseline, *(name for name in names if name != baseline)]
    if len(names) < 2:
        raise UsageError(f"give two systems or more to compare, not {len(names)}")
    if len(names) > 2:
        if examples:
            raise UsageError("--examples are of one pair: choose it with --systems A,B")
        if export is not None:
            raise UsageError("--export writes one pair: choose it with --systems A,B")
        return differences(table, baseline, systems=names, **how)
    found = difference_of(table, *names, examples=examples, **how)
    if export is not None:
        _export(table, names, export, how["where"])
    return found


def _export(table: OutcomeTable, systems: list[str], path: str, where: str) -> None:
    """Write what two systems disagree on, in the form that the file's name asks for."""
    from pathlib import Path

    from finegrain.analyses.compare.disagreements import disagreements
    from finegrain.analyses.restricting import restrict
    from finegrain.cli.standard_streams import say
    from finegrain.complete_file import write_complete
    from finegrain.views.unit_records import as_jsonl, as_tsv
    from finegrain.writing import write

    lines = {".tsv": as_tsv, ".jsonl": as_jsonl}
    suffix = Path(path).suffix.lower()
    if suffix not in ("", *lines):
        known = ", ".join(lines)
        raise UsageError(
            f"{path}: no form goes with {suffix!r}; known: {known}, and a folder for brat"
        )
    units = disagreements(restrict(table, where), *systems)
    if suffix:
        write_complete(path, "".join(lines[suffix](units)))
    else:
        write(units.marked(), path, format="brat")
    say(f"wrote {path}")
