"""``finegrain diagnose``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, ATTRIBUTE, BUCKETS, BY, CASE, METRIC, WHERE

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


@command(
    Option("--system SYSTEM", "The system to compare; default: every one."),
    Option(
        "--against SYSTEM",
        "The system it is compared with; default: the best of the others in every bucket.",
    ),
    BY,
    ATTRIBUTE,
    METRIC,
    CASE,
    WHERE,
    BUCKETS,
    *ANALYSIS,
)
def diagnose(
    table: OutcomeTable,
    inputs: Inputs,
    *,
    by: list[str] | None,
    own: list[str] | None,
    edges: list[str] | None,
    **how: Any,
) -> Any:
    """Diagnose systems: what their scores go with, where they are good, bad, ahead, behind.

    \b
    After Fu, Liu and Neubig (2020), for every attribute:
      zeta      mean of gold units           rho  how much it matters for all systems
      Spearman  do scores rise or fall with it?   std  how much do they vary?
      the best and the worst bucket of every system, and the gap
      the buckets in which a system is farthest ahead of another, and farthest behind

    \b
    Example:
      finegrain diagnose gold.conll crf.conll neural.conll --train train.conll
      finegrain diagnose gold.conll crf.conll neural.conll run7.conll --system crf
      finegrain diagnose gold.conll crf.conll neural.conll --system neural --against crf
    """
    from finegrain.analyses.explain.diagnosis import diagnose as diagnosis_of
    from finegrain.cli.attribute_files import asked, edges_of

    units, names, training = asked(table, inputs, by, own)
    return diagnosis_of(units, names, bucketing=edges_of(edges), **training, **how)
