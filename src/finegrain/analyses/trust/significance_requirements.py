"""What a test of systems needs, and which tests mislead where units are not independent."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric, require_applicable
from finegrain.resampling import many
from finegrain.resampling.intervals import check
from finegrain.resampling.pairs import TESTS, Settings, Test
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable


def require_single(table: OutcomeTable, test: Test) -> None:
    """Exact tests take every unit for independent: refuse them where it cannot be."""
    documents = table.corpus.documents
    if test == "mcnemar":
        samples = sampling_of(table)
        largest = int(np.bincount(samples.samples.codes[table.is_gold]).max(initial=0))
        what, where = "units", samples.kind
    else:
        largest = 0 if documents is None else int(np.bincount(documents).max(initial=0))
        what, where = table.task.words.places, "document"
    if largest > 1:
        raise UsageError(
            f"{TESTS[test]}: it takes {what} for independent, but here a {where} holds up to "
            f"{largest:,} of them, and such tests reject far too often. Use --test randomisation, "
            f"which exchanges whole {where}s, or --assume-independent."
        )


def require(
    table: OutcomeTable,
    metric: Metric,
    settings: Settings,
    correction: str,
    shares: Mapping[str, float | None],
) -> None:
    """Refuse what cannot be compared in this way; ``shares``: differences, by the option's name."""
    if settings.test not in TESTS:
        raise UsageError.unknown("test", settings.test, TESTS)
    if correction not in many.CORRECTIONS:
        raise UsageError.unknown("correction", correction, many.CORRECTIONS)
    require_applicable(table, [metric])
    if table.n_systems < 2:
        raise UsageError("significance compares systems: give two or more")
    for name, share in shares.items():
        if share is not None and not 0 < share < 1:
            raise UsageError(f"{name} is a difference between 0 and 1, not {share:g}")
    check(settings.resamples, settings.level)
    check(settings.intervals, settings.level)
