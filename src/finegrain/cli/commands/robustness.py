"""``finegrain robustness``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command, without
from finegrain.cli.option import Option
from finegrain.cli.options import (
    ANALYSIS,
    CONFIDENCE,
    CORRECTION,
    INDEPENDENT,
    METRIC,
    RESAMPLES,
    SEED,
    WHERE,
)

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs


@command(
    Option(
        "--copies DIR",
        "The folder that finegrain perturb wrote, with the output of each system beside each copy, "
        "under the name that it has for the original. With --pairs: a folder with the perturbed "
        "items, under the names of the gold file and of the systems.",
    ),
    Option(
        "--pairs FILE",
        "Existing adversarial or contrast sets: a table of original, perturbed, kind, expected "
        "(same or changes); ids of items.",
        file="read",
    ),
    METRIC,
    Option(
        "--by ATTRIBUTE",
        "Attributes that are searched for where it hurts, separated by commas or repeated; "
        "default: those of the task.",
        names=True,
    ),
    CORRECTION,
    Option("--examples N", "Units shown of each drop beyond chance.", default=3, least=0),
    RESAMPLES,
    CONFIDENCE,
    SEED,
    INDEPENDENT,
    WHERE,
    *without(ANALYSIS, "vote"),
)
def robustness(inputs: Inputs, copies: str | None, pairs: str | None, **how: Any) -> Any:
    """Show what perturbed texts cost each system: drops, flips, where it hurts, the worst case.

    Each system is compared with itself on the same units, with paired intervals and tests that are
    corrected for all systems and copies. -o robustness.html writes a page.

    \b
    Example:
      finegrain robustness gold.conll crf.conll --copies perturbed
      finegrain robustness gold.conll --copies perturbed --baseline gazetteer --train train.conll
      finegrain robustness contrast.csv svm=answers.csv --pairs pairs.tsv
    """
    import finegrain as fg
    from finegrain.cli.copies_read import conditions_of

    return fg.robustness(conditions_of(inputs, copies, pairs), **how)
