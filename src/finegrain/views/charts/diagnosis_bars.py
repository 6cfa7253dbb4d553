"""A diagnosis: how far buckets of a system are apart, and where it is ahead of others and behind.

The left part has a bar from the worst to the best bucket for each of the first two systems
(self-diagnosis), the right part the largest and the smallest difference of the first system to
another (comparative diagnosis), attribute by attribute (Fu, Liu and Neubig 2020).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain.bucket_extremes import extremes
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.diagnosis import Comparison, Diagnosis
from finegrain.analyses.reports.facts import ENOUGH
from finegrain.views.charts.chart import KEY, Spec, reserved, rounded
from finegrain.views.charts.palette import (
    ACCENT,
    HAIRLINE,
    INK,
    LABELS,
    OTHER_LABEL,
    RULE,
    SECOND,
)

COLOURS = (ACCENT, LABELS[1])  # of the best system and the next


def diagnosis_bars(result: Diagnosis, order: tuple[int, ...] | None = None) -> Spec | None:
    """``order``: systems by place, the best first; ``None`` where no bucket has a score."""
    places = order if order is not None else tuple(range(len(result.systems)))
    own = [
        datum
        for scores in result.attributes
        for system in places[: len(COLOURS)]
        if (datum := _own(result, scores, system)) is not None
    ]
    if not own:
        return None
    names = tuple(dict.fromkeys(str(datum["attribute"]) for datum in own))
    chosen = [result.systems[place] for place in places[: len(COLOURS)]]
    found: Spec = {
        "description": "Worst to best bucket of every attribute, and differences between systems",
        "usermeta": {"reserved": reserved(names) + 12},
    }
    percent = result.attributes[0].scale.shown == "percent"
    left = _ranges(own, names, chosen, percent=percent)
    compared = comparison_of(result, places[0])
    if compared is None:
        return {**found, **left, "width": 840}
    gaps = [
        datum
        for at in range(len(result.attributes))
        for datum in _gaps(result, compared, at, places)
        if datum["attribute"] in names
    ]
    return {**found, "hconcat": [left, _differences(gaps, names, percent=percent)], "spacing": 40}


def comparison_of(result: Diagnosis, system: int) -> Comparison | None:
    """The comparison of a system with others, the pair's seen from its side; ``None`` for one."""
    for one in result.comparisons:
        if system == one.system:
            return one
        if system == one.against:
            return one.turned()
    return next(iter(result.comparisons), None)


def told_bucket(scores: BucketScores, place: int) -> str:
    """``entity length 4 to 9``."""
    return f"{scores.name.replace('_', ' ')} {scores.divisions[0].buckets[place].range()}"


def _own(result: Diagnosis, scores: BucketScores, system: int) -> Spec | None:
    if len(scores.divisions) > 1:
        return None
    values = scores.main()[:, system]
    best, worst = scores.best_and_worst(values)
    if best < 0 or best == worst:
        return None
    name = result.systems[system]
    told = f"{name}: best at {told_bucket(scores, best)} {_sized(scores, values, best)}, worst at "
    told += f"{scores.divisions[0].buckets[worst].range()} {_sized(scores, values, worst)}"
    return {
        "attribute": scores.name.replace("_", " "),
        "system": name,
        "best": _rounded(scores, float(values[best])),
        "worst": _rounded(scores, float(values[worst])),
        "few": bool(scores.gold[[best, worst]].min() < ENOUGH),
        "told": told,
        **_link(scores, worst, system),
    }


def _sized(scores: BucketScores, values: NDArray[np.float64], place: int) -> str:
    """``51.20 (n = 2,038)``."""
    return f"{scores.scale.written(values[place])} (n = {int(scores.gold[place]):,})"


def _rounded(scores: BucketScores, value: float) -> float | None:
    """Points with two digits; what is no proportion, as it is, with more."""
    return rounded(scores.scale.points * value, 2 if scores.scale.shown == "percent" else 5)


def _gaps(result: Diagnosis, compared: Comparison, at: int, order: tuple[int, ...]) -> list[Spec]:
    scores, differences = result.attributes[at], compared.differences[at]
    if len(scores.divisions) > 1:
        return []
    found = []
    for place in dict.fromkeys(extremes(differences, scores.judged)):
        if place < 0:
            continue
        rival, value = int(compared.rivals[at][place]), float(differences[place])
        found.append(
            {
                "attribute": scores.name.replace("_", " "),
                "difference": _rounded(scores, value),
                "few": bool(scores.gold[place] < ENOUGH),
                "ahead": order.index(rival if value < 0 else compared.system),
                "told": f"{told_bucket(scores, place)}: {result.systems[compared.system]} "
                f"{scores.scale.written(value, signed='+')} against "
                f"{result.systems[rival]}, n = {int(scores.gold[place]):,}",
                **_link(scores, place, compared.system),
            }
        )
    return found


def _link(scores: BucketScores, place: int, system: int) -> Mapping[str, str]:
    """To what a system gets wrong in a bucket."""
    behind = scores.behind(place, system)
    return {} if behind is None else {"href": behind.fragment}


def _attributes(names: tuple[str, ...], *, labelled: bool) -> Spec:
    axis = {
        "domain": False, "ticks": False, "minExtent": reserved(names), "labelColor": INK.light,
    }  # fmt: skip
    return {
        "field": "attribute", "type": "nominal", "sort": list(names), "title": None,
        "scale": {"paddingInner": 0.35, "paddingOuter": 0.15, "domain": list(names)},
        "axis": axis if labelled else None,
    }  # fmt: skip


_PALE: Spec = {"condition": {"test": "datum.few", "value": 0.4}, "value": 1}


def _pale(values: list[Spec]) -> str:
    """What pale marks mean, where there are some."""
    return f"; pale: n < {ENOUGH}" if any(one["few"] for one in values) else ""


def _ranges(
    values: list[Spec], names: tuple[str, ...], systems: list[str], *, percent: bool
) -> Spec:
    colour = {
        "field": "system",
        "type": "nominal",
        "legend": KEY,
        "scale": {
            "domain": systems,
            "range": [colour.light for colour, _ in zip(COLOURS, systems, strict=False)],
        },
    }
    ends = [one[end] for one in values for end in ("worst", "best")]
    domain: Spec = {"zero": False, "nice": True}
    if percent:
        tens = (
            10 * math.floor(min(ends, default=0) / 10),
            10 * math.ceil(max(ends, default=100) / 10),
        )
        domain = {"domain": list(tens)}
    return {
        "data": {"values": values},
        "width": 400,
        "height": {"step": 30, "for": "position"},
        "encoding": {"y": _attributes(names, labelled=True)},
        "layer": [
            {
                "mark": {"type": "bar", "cursor": "pointer"},
                "encoding": {
                    "x": {"field": "worst", "type": "quantitative",
                          "scale": domain,
                          "title": "score of the worst to the best bucket" + _pale(values),
                          "axis": {"tickCount": 5}},
                    "x2": {"field": "best"},
                    "yOffset": {"field": "system", "sort": systems,
                                "scale": {"paddingInner": 0.25}},
                    "color": colour,
                    "opacity": _PALE,
                },
            }
        ],
    }  # fmt: skip


def _differences(values: list[Spec], names: tuple[str, ...], *, percent: bool) -> Spec:
    zero = {"tickCount": 5, "grid": True, "gridColor": {
        "condition": {"test": "datum.value === 0", "value": SECOND.light}, "value": HAIRLINE.light,
    }}  # fmt: skip
    return {
        "data": {"values": values},
        "width": 400,
        "height": {"step": 30, "for": "position"},
        "encoding": {"y": _attributes(names, labelled=False)},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2, "color": RULE.light},
                "encoding": {
                    "x": {"field": "difference", "aggregate": "min", "type": "quantitative",
                          "axis": zero, "scale": {"zero": True}},
                    "x2": {"field": "difference", "aggregate": "max"},
                },
            },
            {
                "mark": {"type": "circle", "size": 90, "cursor": "pointer"},
                "encoding": {
                    "x": {"field": "difference", "type": "quantitative",
                          "title": "farthest behind and ahead" + (", in points" if percent else "")
                          + _pale(values),
                          "axis": zero},
                    "color": {"condition": [
                        {"test": f"datum.ahead === {rank}", "value": colour.light}
                        for rank, colour in enumerate(COLOURS)
                    ], "value": OTHER_LABEL.light},
                    "opacity": _PALE,
                },
            },
        ],
    }  # fmt: skip
