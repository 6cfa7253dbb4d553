"""Studies: what a task looks into beyond the analyses that all tasks share, one file each.

>>> from finegrain.testing import small_corpora
>>> import finegrain as fg
>>> table = fg.align(*small_corpora("regression"), task="regression")
>>> list(available(table))
['values', 'residuals', 'correlations']
>>> study(table, "values").title
'Values'
"""

from __future__ import annotations

from collections.abc import Callable

from finegrain.analyses.restricting import restrict
from finegrain.analyses.studies.content import Study
from finegrain.errors import UsageError
from finegrain.formats.grounded_items import MEASURED
from finegrain.plugins import Late
from finegrain.resampling.intervals import LEVEL, RESAMPLES, SEED, Drawing
from finegrain.table import OutcomeTable

__all__ = ["Study", "available", "study"]

OF_GRADED = {"values": Late("finegrain.analyses.studies.values:values")}
OF_MEASURED = {"costs": Late("finegrain.analyses.studies.costs:costs")}


def available(table: OutcomeTable) -> dict[str, Callable[..., Study | None]]:
    """The studies of a table's task by name, and those of what its units and answers have.

    Graded units have their values studied; answers, what they took.
    """
    graded = OF_GRADED if table.task.value else {}
    measured = OF_MEASURED if any(name in table.details for name in MEASURED) else {}
    return {**graded, **table.task.studies, **measured}


def study(
    table: OutcomeTable,
    name: str,
    *,
    intervals: int = RESAMPLES,
    confidence: float = LEVEL,
    seed: int = SEED,
    where: str = "",
) -> Study:
    """One of the studies of the table's task.

    Parameters
    ----------
    name: ``finegrain list studies`` has all of them
    intervals: resamples for intervals; 0: none
    confidence: of intervals
    where: only the units that this holds for, as in ``score``
    """
    known = available(table)
    if name in OF_MEASURED and name not in known:
        raise UsageError(f"the study {name!r} needs answers with {', '.join(MEASURED)}")
    if not known:
        raise UsageError(f"the task {table.task} has no studies of its own")
    if name not in known:
        raise UsageError.unknown("study", name, known)
    found = known[name](restrict(table, where), Drawing(intervals, confidence, seed))
    if found is None:
        raise UsageError(f"the study {name!r} needs what this table does not have")
    return found
