"""``finegrain slices``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, INDEPENDENT, SEED, WHERE
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


@command(
    Option("--pair A,B", "Where does system B differ from system A?"),
    Option("--system NAME", "Where is this system weaker than elsewhere?"),
    Option(
        "--by ATTRIBUTE",
        "Attributes, separated by commas or repeated; default: those of the task.",
        names=True,
    ),
    Option(
        "--measure recall|precision|VALUE",
        "Of gold units or of predictions; default of graded units: their value.",
        default="",
    ),
    Option("--fewest N", "Units of a slice.", default=30, least=2),
    Option("--confidence SHARE", "1 less the chance of any false finding.", default=0.95),
    INDEPENDENT,
    Option("--resamples N", "Shared by all slices.", default=2_000, least=1),
    WHERE,
    SEED,
    *ANALYSIS,
)
def slices(
    table: OutcomeTable,
    inputs: Inputs,
    *,
    pair: str | None,
    system: str | None,
    **how: Any,
) -> Any:
    """Find slices that matter: where a system is weak, or two differ, beyond chance.

    Slices are buckets of an attribute or of two at once, with 30 units or more. All are tested
    together. Two systems are compared as a pair, more or fewer each with its own other units.

    \b
    Example:
      finegrain slices gold.conll crf.conll neural.conll --train train.conll
      finegrain slices gold.conll crf.conll neural.conll --where "label=PER"
      finegrain slices gold.conll crf.conll neural.conll --system crf --measure precision
    """
    from finegrain.analyses.trust.slices import slices as slices_of
    from finegrain.cli.learning import learning, train_of

    if pair is not None and system is not None:
        raise UsageError("--pair compares two systems and --system looks at one: give one of them")
    of = system if pair is None else _two(pair)
    how |= {"train": train_of(inputs), **learning(table, inputs)}
    return slices_of(table, of, **how)


def _two(pair: str) -> tuple[str, str]:
    """``A,B``."""
    from finegrain.cli.name_lists import names_in

    names = names_in(pair)
    if len(names) != 2:
        raise UsageError(f"--pair: {pair!r} is not A,B")
    return names[0], names[1]
