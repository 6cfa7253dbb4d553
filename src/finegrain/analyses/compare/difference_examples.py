"""The units behind the changes between two systems: some of each, spread evenly over the corpus."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from finegrain.analyses.compare.difference_counts import Stances, rows_behind
from finegrain.analyses.compare.gains import gains

if TYPE_CHECKING:
    from finegrain.analyses.compare.difference import Difference


def with_examples(found: Difference, prepared: Stances, examples: int) -> Difference:
    """The same difference with units behind every change, spread evenly over the corpus."""
    from finegrain.analyses.units.instances import spread  # noqa: PLC0415 - slow
    from finegrain.analyses.units.show import Shown  # noqa: PLC0415 - slow

    if found.gains is not None:
        graded = gains(prepared.table, *found.systems, examples=examples)
        found = replace(found, gains=graded)
    if not found.judged:
        return found
    chosen = [
        [spread(rows, examples) for rows in changes]
        for changes in rows_behind(prepared, 0, 1, found.counts)
    ]
    rows = np.concatenate([np.empty(0, np.int64), *(one for kind in chosen for one in kind)])
    shown = Shown(prepared.table, rows, len(rows), "", found.systems, "", ())
    units = shown.units()
    behind = tuple(tuple(tuple(next(units) for _ in one) for one in kind) for kind in chosen)
    return replace(found, behind=behind)
