"""What a report may claim: one budget of false claims for the ranking and all weaknesses.

At most 5 % of reports on systems that differ in nothing, and have no weakness, contain a claim. The
ranking has 2 of these 5 %, what systems are weak at 3. p of a sentence is corrected for all that is
tested beside it and for this division (p / 0.4, p / 0.6), so that .05 is the limit of every p;
intervals beside it hold together with those of all other tests of the report. Of a single system
the 2 % of the ranking stay unspent, which leaves room for what few documents make of a test.

>>> round(RANKING.told(0.008), 3), RANKING.holds(0.008), RANKING.holds(0.03)
(0.02, True, False)
>>> round(1 - RANKING.level, 3), round(1 - WEAKNESSES.level, 3)
(0.02, 0.03)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from finegrain.analyses.reports.error_kinds import ErrorKinds, error_kinds
from finegrain.analyses.result import Result
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.analyses.trust.error_excess import Kinds
from finegrain.analyses.trust.slice_candidates import Slice
from finegrain.analyses.trust.weaknesses import Weaknesses, weaknesses
from finegrain.attributes.training import Reading
from finegrain.corpus import Corpus
from finegrain.resampling.intervals import SEED
from finegrain.table import OutcomeTable

ALPHA = 0.05  # the chance that a report contains a false claim


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the budget."""

    share: float

    @property
    def level(self) -> float:
        """1 less the chance of any false claim of this part."""
        return 1 - ALPHA * self.share

    def told(self, p: float) -> float:
        """p, corrected for its own part of the tests, as that of the whole report."""
        return min(1.0, p / self.share)

    def holds(self, p: float) -> bool:
        """Whether that is small enough for a claim; an undefined p never is."""
        return bool(self.told(p) <= ALPHA + 1e-12) if p == p else False  # noqa: PLR0124 - nan


RANKING, WEAKNESSES = Share(0.4), Share(0.6)


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """What was searched for weaknesses, and the kinds of errors; ``None`` where nothing was."""

    weaknesses: Weaknesses | None = None
    kinds: ErrorKinds | None = None


NO_CLAIMS = Claims()


def claims_of(
    table: OutcomeTable,
    errors: Result | None,
    *,
    train: Corpus | None = None,
    seed: int = SEED,
    **learning: Unpack[Reading],
) -> Claims:
    """Search a table for weaknesses, if its units are independent enough to be compared."""
    kinds = error_kinds(errors) if isinstance(errors, ErrorTypes) else None
    if table.task.members or not table.is_gold.any():
        return Claims(None, kinds)
    coded = None
    if kinds is not None and kinds.several:
        codes = kinds.codes(table)
        for place, one in enumerate(kinds.every):
            if one.by_label:
                codes = np.where(codes == place, -1, codes)
        coded = Kinds(codes, len(kinds.every))
    found = weaknesses(
        table, kinds=coded, train=train, level=WEAKNESSES.level,
        seed=seed, **learning,
    )  # fmt: skip
    return Claims(found, kinds)


def weak_slices(claims: Claims) -> tuple[Slice, ...]:
    """The buckets that claims are about."""
    found = claims.weaknesses
    return () if found is None else tuple(one.slice for one in found.weak)
