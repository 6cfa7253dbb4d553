"""Improvement: what a system gains over its baseline, on average and in every bucket."""

from __future__ import annotations

from finegrain.analyses.explain import suite_listings
from finegrain.analyses.explain.many_data_sets import Improvement, ManyDataSets
from finegrain.views.charts.suite_figures import improvement_map
from finegrain.views.html.listing_table import Look, spaced, table_of
from finegrain.views.html.sections.section import Context


def context(found: ManyDataSets) -> Context | None:
    """Nothing without pairs that are compared."""
    if not found.improvements:
        return None
    drawn = bool(found.drawing.resamples)
    averages = suite_listings.average_changes(found) if drawn else None
    return {
        "averages": None if averages is None else table_of("average_changes", averages),
        "pairs": [_pair(found, place, one) for place, one in enumerate(found.improvements, 1)],
    }


def _pair(found: ManyDataSets, place: int, pair: Improvement) -> Context:
    look = Look(words=spaced(found.attributes))
    return {
        "chart": f"improvement-{place}",
        "drawn": improvement_map(found, pair) is not None,
        "system": found.systems[pair.system],
        "baseline": found.systems[pair.baseline],
        "buckets": table_of(f"improvement_{place}", suite_listings.improvement(found, pair), look),
        "comparative": table_of(
            f"comparative_{place}", suite_listings.comparative(found, pair), look
        ),
    }
