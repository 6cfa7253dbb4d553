"""``finegrain triage``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command, without
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, LEVEL, WHERE
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Output
    from finegrain.table import OutcomeTable

ON_SCREEN = 20


@command(
    LEVEL,  # tokens outside of gold spans are suspects, too
    Option(
        "--at-least N|SHARE|all",
        "Systems that must agree: 3, 0.75 (1.0 is all of them) or all; default: more than half.",
    ),
    Option("--limit N", "Only the first N; a table on the terminal shows 20.", takes=int, least=0),
    Option(
        "--by agreement|confidence",
        "By how many systems agree, or (items with probabilities) by how confident they are that "
        "the gold label is another one.",
        default="agreement",
    ),
    WHERE,
    *without(ANALYSIS, "format"),
    Option(
        "--format FORMAT",
        "table, jsonl, tsv, csv, json, latex or markdown; by default what --output ends in, or "
        "table.",
    ),
)
def triage(
    table: OutcomeTable, destination: Output, at_least: str | None, limit: int | None, **how: Any
) -> None:
    """Find gold annotation worth another look.

    Units that all or most systems answer in the same wrong way, ranked by how many agree, with
    their answer; also units that they agree on and the gold standard does not have.

    \b
    Example:
      finegrain triage gold.conll crf.conll neural.conll run7.conll
      finegrain triage gold.conll crf.conll neural.conll --where "gold=PER"
      finegrain triage gold.conll crf.conll neural.conll --at-least all --output again.csv
      finegrain triage gold.conll crf.conll neural.conll --at-least 0.75 --output again.jsonl
      finegrain triage gold.csv lexicon.csv --by confidence
    """
    from finegrain.analyses.compare.triage import triage as triage_of
    from finegrain.cli.output import LINES, chosen_format, emit
    from finegrain.views.saving import FORMS

    forms = (*FORMS, *LINES)
    on_screen = destination.output is None and chosen_format(destination, forms) == "table"
    if on_screen and limit is None:
        limit = ON_SCREEN
    least = _agreement(at_least, table.n_systems)
    emit(triage_of(table, at_least=least, limit=limit, **how), destination, forms=forms)


def _agreement(text: str | None, n_systems: int) -> float | None:
    """``--at-least``: a number, a share, which has a decimal point, or all.

    >>> _agreement("3", 12), _agreement("0.75", 12), _agreement("all", 12), _agreement(None, 12)
    (3, 0.75, 12, None)
    """
    if text is None:
        return None
    if text == "all":
        return n_systems
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        raise UsageError(
            f"--at-least: {text!r} is not a number of systems (3), share of them (0.75) or all"
        ) from None
