"""``finegrain errors``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, FOCUS, WHERE

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


@command(
    Option("--examples N", "Units shown of each type and system.", default=0, least=0),
    FOCUS,
    Option(
        "--moved K",
        "Of trees: count the heads that moved by up to K words, and by more.",
        takes=int,
        least=1,
    ),
    WHERE,
    *ANALYSIS,
)
def errors(table: OutcomeTable, **how: Any) -> Any:
    """Count error types, overall and per label.

    \b
    Spans (Ortmann 2022), each error counted once:
      LE   right boundaries, wrong label       LBE  label and boundaries wrong
      BES  too short   BEL  too long   BEO  crossing boundaries, label right
      FN   missed                              FP   invented

    \b
    Example:
      finegrain errors gold.conll crf.conll neural.conll --examples 2
      finegrain errors gold.conll crf.conll --where "length>2"
      finegrain errors gold.conllu parser.conllu --task dependencies --moved 5
    """
    from finegrain.analyses.scores.error_types import error_types

    return error_types(table, **how)
