"""Whether what is given is a table."""

from __future__ import annotations

from finegrain.errors import UsageError
from finegrain.table.outcome_table import OutcomeTable


def require_table(given: object, verb: str) -> None:
    """Raise unless a verb, such as ``score``, is given an outcome table.

    >>> require_table("gold.conll", "score")
    Traceback (most recent call last):
    finegrain.errors.UsageError: score takes an outcome table: fg.align(gold, systems), or \
fg.from_lists(gold, answers)
    """
    if not isinstance(given, OutcomeTable):
        raise UsageError(
            f"{verb} takes an outcome table: fg.align(gold, systems), or "
            "fg.from_lists(gold, answers)"
        )
