"""Failure rates by capability and kind with rules, and by test, of each system on one axis."""

from __future__ import annotations

import math
from collections.abc import Sequence

from finegrain.analyses.interval_cells import bracketed
from finegrain.analyses.trust.behaviour import Behaviour, Rate
from finegrain.analyses.trust.behaviour_listings import matrix
from finegrain.views.html.forest import Row, forest
from finegrain.views.html.listing_table import table_of
from finegrain.views.html.sections.section import Context


def context(found: Behaviour) -> Context:
    """The matrix of all systems, and the tests of each."""
    return {
        "matrix": table_of("capabilities", matrix(found)),
        "level": f"{100 * found.level:g}",
        "systems": [
            (name, forest([_row(one) for one in _ordered(found.tests, name)], zero=True))
            for name in found.systems
        ],
        "checks": found.checks,
    }


def _ordered(rates: Sequence[Rate], system: str) -> list[Rate]:
    """What fails most first."""
    own = [one for one in rates if one.system == system]
    return sorted(own, key=lambda one: -one.value)


def _row(rate: Rate) -> Row:
    told = "–" if math.isnan(rate.value) else f"{100 * rate.value:.1f}"
    counts = f"{rate.failed:,} of {rate.n:,}"
    cells = ((counts, ""), (rate.capability, ""), (rate.kind.upper(), ""))
    return Row(
        rate.test, rate.value, *rate.ends, told, bracketed(*rate.ends), rate.failed > 0, cells
    )  # fmt: skip
