"""Drops: a sentence for each that is beyond chance, and all of them on one axis by system."""

from __future__ import annotations

import math

from finegrain.analyses.interval_cells import bracketed
from finegrain.analyses.p_values import told_p, written_p
from finegrain.analyses.reports.facts import metric_words
from finegrain.analyses.trust.robustness import Drop, Robustness
from finegrain.analyses.trust.robustness_listings import sentences
from finegrain.analyses.trust.robustness_worst import Worst
from finegrain.views.html.forest import Row, forest
from finegrain.views.html.sections.section import Context


def context(found: Robustness) -> Context:
    """The rows of each system, and the worst case."""
    scale = found.metric.scale
    points = 100.0 if scale.shown == "percent" else 1.0
    return {
        "metric": metric_words(found.metric),
        "level": f"{100 * found.level:g}",
        "sentences": sentences(found),
        "systems": [
            {
                "name": name,
                "value": scale.written(found.values[place]),
                "interval": bracketed(*found.ends[place].tolist(), scale=scale).replace("-", "−"),
                "forest": forest([_row(found, drop) for drop in found.of(name)], points=points),
            }
            for place, name in enumerate(found.systems)
        ],
        "worst": [(one.system, *_worst(one)) for one in found.worst],
        "measure": found.worst[0].measure,
        "correction": found.correction,
    }


def _row(found: Robustness, drop: Drop) -> Row:
    scale, comparison = found.metric.scale, drop.comparison
    share = drop.flips.consistent / drop.flips.n if drop.flips.n else math.nan
    return Row(
        drop.condition,
        comparison.difference,
        comparison.low,
        comparison.high,
        scale.written(comparison.difference, signed="+").replace("-", "−"),
        bracketed(comparison.low, comparison.high, signed="+", scale=scale).replace("-", "−"),
        drop.hurts,
        (
            (scale.written(drop.value), ""),
            (written_p(drop.p), told_p(drop.p)),
            (f"{drop.flips.broken:,}", ""),
            (f"{drop.flips.fixed:,}", ""),
            (_percent(share), ""),
        ),
    )


def _percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def _worst(one: Worst) -> tuple[str, str, str]:
    ends = bracketed(one.low, one.high, scale=one.scale)
    values = (
        "–" if math.isnan(own) else one.scale.written(own) for own in (one.original, one.value)
    )
    return (*values, ends or "–")  # type: ignore[return-value]  # there are two values
