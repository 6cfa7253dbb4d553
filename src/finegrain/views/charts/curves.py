"""Lines: what systems cover together, features by bin, scores by bucket."""

from __future__ import annotations

import math

import numpy as np

from finegrain.analyses.compare.bin_features import BinFeatures
from finegrain.analyses.compare.oracle import Oracle
from finegrain.analyses.evidence import GOLD, Evidence, is_right, is_wrong
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.buckets import Buckets
from finegrain.analyses.reports.embedded_buckets import in_bin
from finegrain.analyses.reports.facts import ENOUGH
from finegrain.views.charts.bucket_labels import bucket_labels
from finegrain.views.charts.chart import KEY, Spec, rounded
from finegrain.views.charts.palette import ACCENT, LABELS, OTHER_LABEL

_MANY = 6  # buckets whose sizes stand behind their names, aslant
_ASLANT = 12  # characters of such a name; longer ones stand upright
_SMALL = {"width": 230, "height": 130}


def coverage_curve(result: Oracle, *, units: str = "gold units") -> Spec | None:
    """Units that at least one of the first k systems solves, each adding what it can.

    ``None`` where units are only graded.
    """
    if not result.judged:
        return None
    total = int(result.units.sum())
    names = [result.systems[system] for system in result.greedy.order]
    values = [
        {
            "k": place,
            "system": name,
            "covered": rounded(solved / total if total else None),
            "told": f"{place} {'systems' if place > 1 else 'system'}, {name} added: "
            f"{solved:,} of {total:,}",
            "href": _added(result, place).fragment,
        }
        for place, (name, solved) in enumerate(zip(names, result.greedy.solved, strict=True), 1)
    ]
    return {
        "description": f"{units.capitalize()} that at least one of the first k systems solves",
        "usermeta": {"reserved": 84},
        "data": {"values": values},
        "width": 560,
        "height": 260,
        "encoding": {
            "x": {"field": "k", "type": "quantitative", "title": "systems combined",
                  "axis": {"values": list(range(1, len(values) + 1, 1 + len(values) // 20)),
                           "format": "d", "grid": False},
                  "scale": {"domain": [1, max(2, len(values))]}},
            "y": {"field": "covered", "type": "quantitative", "title": f"{units} solved",
                  "axis": {"format": ".1%", "tickCount": 5}, "scale": {"zero": False}},
        },
        "layer": [
            {"mark": {"type": "line", "color": ACCENT.light, "strokeWidth": 2}},
            {"mark": {"type": "circle", "size": 60, "color": ACCENT.light, "opacity": 1,
                      "cursor": "pointer"}},
        ],
    }  # fmt: skip


def _added(result: Oracle, place: int) -> Evidence:
    """What the system of a step, counted from 1, solves and none before it."""
    *before, added = result.greedy.order[:place]
    new = int(np.diff(result.greedy.solved, prepend=0)[place - 1])
    wrong = (is_wrong(result.systems[system]) for system in before)
    return Evidence.of(new, GOLD, *wrong, is_right(result.systems[added]))


def feature_curves(result: BinFeatures, most: int = 6) -> Spec | None:
    """Means of attributes by bin, those with the clearest trend first; ``None`` without any."""
    told = [
        (abs(trend.spearman), one, means)
        for one, means, trend in zip(result.numbers, result.means, result.trends, strict=True)
        if not np.isnan(trend.spearman)
    ]
    told.sort(key=lambda one: -one[0])
    apart = {means.tobytes(): (one, means) for _, one, means in reversed(told)}  # none twice
    chosen = list(reversed(apart.values()))[:most]
    plots = [_feature(one.name, one.unit, means.tolist(), result) for one, means in chosen]
    if not plots:
        return None
    return {
        "description": "Means of attributes by bin",
        "usermeta": {"reserved": 0, "columns": 3, "beside": 60},
        "concat": plots,
        "columns": 3,
        "spacing": 36,
    }


def _feature(name: str, unit: str, means: list[float], result: BinFeatures) -> Spec:
    share = unit == "share"
    title = name.replace("_", " ")
    values = [
        {
            "bin": place,
            "mean": rounded(mean),
            "told": f"{title}, bin {place}: " + (f"{mean:.1%}" if share else f"{mean:.2f}"),
            "href": Evidence.of(int(result.sizes[place]), in_bin(result, place)).fragment,
        }
        for place, mean in enumerate(means)
        if not np.isnan(mean)
    ]
    return {
        **_SMALL,
        "title": _title(title),
        "data": {"values": values},
        "encoding": {
            "x": {"field": "bin", "type": "quantitative", "title": None,
                  "axis": {"values": list(range(0, len(means), 1 + len(means) // 8)),
                           "format": "d", "grid": False},
                  "scale": {"domain": [0, len(means) - 1]}},
            "y": {"field": "mean", "type": "quantitative", "title": None,
                  "scale": {"nice": 3},
                  "axis": {"tickCount": 3, "format": "~%" if share else ",.3~r"}},
        },
        "layer": [
            {"mark": {"type": "line", "color": ACCENT.light, "strokeWidth": 1.5}},
            {"mark": {"type": "circle", "size": 28, "color": ACCENT.light, "opacity": 1,
                      "cursor": "pointer"}},
        ],
    }  # fmt: skip


def bucket_curves(result: Buckets, order: tuple[int, ...]) -> Spec | None:
    """Scores by bucket for all systems: the best two in colour, the others grey."""
    shown = [
        one
        for one in result.attributes
        if len(one.divisions) == 1 and np.count_nonzero(one.gold) > 1
    ]
    domain = _domain(shown)
    plots = [_bucket_curve(one, result.systems, order, domain) for one in shown]
    if not plots:
        return None
    return {
        "description": "Scores in the buckets of every attribute",
        "usermeta": {"reserved": 0, "columns": 3, "beside": 56},
        "concat": plots,
        "columns": 3,
        "spacing": 40,
    }


def _domain(shown: list[BucketScores]) -> list[float]:
    """Tens that hold all scores and intervals, in points: one axis for all plots.

    What is no proportion has the ends of its scores.
    """
    values = [one.main()[one.gold > 0].ravel() for one in shown]
    values += [
        one.intervals.ends[one.gold >= ENOUGH].ravel() for one in shown if one.intervals is not None
    ]
    known = np.concatenate([*values, np.zeros(0)])
    known = known[~np.isnan(known)]
    if not len(known):
        return [0, 100]
    if shown[0].scale.shown != "percent":
        return [float(known.min()), max(float(known.max()), float(known.min()) + 1e-9)]
    low, high = 10 * math.floor(10 * known.min()), 10 * math.ceil(10 * known.max())
    low = min(low, 90)  # where all is right there is nothing above
    return [low, max(high, low + 10)]


def _bucket_curve(
    one: BucketScores, systems: tuple[str, ...], order: tuple[int, ...], domain: list[float]
) -> Spec:
    points, digits = one.scale.points, 2 if one.scale.shown == "percent" else 5
    buckets = one.divisions[0].buckets
    shown = [place for place in range(len(buckets)) if one.gold[place]]
    labels = bucket_labels([buckets[place] for place in shown])
    sized = {  # what a bucket holds, and below it how many gold units
        place: f"{text}\n{int(one.gold[place]):,}"
        for place, text in zip(shown, labels.texts, strict=True)
    }
    values = []
    for system in reversed(order):  # the best two lie over the others
        for place, score in enumerate(one.main()[:, system].tolist()):
            n, behind = int(one.gold[place]), one.behind(place, system)
            if not n or np.isnan(score):
                continue
            ends = (math.nan, math.nan)
            if one.intervals is not None and n >= ENOUGH:
                ends = tuple(one.intervals.ends[place, system].tolist())
            values.append({
                "system": systems[system], "place": place,
                "bucket": sized[place], "score": rounded(points * score, digits),
                "low": rounded(points * ends[0], digits),
                "high": rounded(points * ends[1], digits),
                "told": f"{one.name.replace('_', ' ')} {buckets[place].range()}: {systems[system]} "
                        f"{_told(one, score)}{_ends(one, *ends)}, n = {n:,}",
                **({} if behind is None else {"href": behind.fragment}),
            })  # fmt: skip
    lines = [{"mark": {"type": "line", "strokeWidth": 1.5}}] if one.divisions[0].ordered else []
    return {
        **_SMALL,
        "title": _title(", ".join(filter(None, (one.name.replace("_", " "), labels.unit())))),
        "data": {"values": values},
        "encoding": {
            "x": {"field": "bucket", "type": "ordinal", "title": None,
                  "sort": list(sized.values()),
                  "axis": {**_turned(labels.texts), "grid": False, "labelOverlap": False,
                           "labelFontSize": 11}},
            "y": {"field": "score", "type": "quantitative", "title": None,
                  "axis": {"tickCount": 3},
                  "scale": {"domain": domain, "zero": False,
                            **({} if points > 1 else {"nice": True})}},
            "color": _by_rank(systems, order),
        },
        "layer": [
            {
                "transform": [{"filter": "isValid(datum.low)"}],
                "mark": {"type": "rule", "strokeWidth": 1, "opacity": 0.6},
                "encoding": {"y": {"field": "low", "type": "quantitative"},
                             "y2": {"field": "high"}},
            },
            *lines,  # categories have no order that a line could follow
            {"mark": {"type": "circle", "size": 34, "opacity": 1, "cursor": "pointer"}},
        ],
    }  # fmt: skip


def _turned(names: tuple[str, ...]) -> Spec:
    """How names of buckets and their sizes stand below an axis: long ones must not reach aslant
    under the plot before."""
    if len(names) <= _MANY:
        return {"labelAngle": 0, "labelExpr": "split(datum.label, '\\n')", "labelLimit": 70}
    return {
        "labelAngle": -60 if max(map(len, names)) <= _ASLANT else -90,
        "labelExpr": "join(split(datum.label, '\\n'), ' · ')",
        "labelLimit": 300,
    }


def _told(one: BucketScores, score: float) -> str:
    """A score: points with one digit, or as its scale writes it."""
    return f"{100 * score:.1f}" if one.scale.shown == "percent" else one.scale.written(score)


def _ends(one: BucketScores, low: float, high: float) -> str:
    """An interval as it is told; nothing where there is none."""
    return "" if math.isnan(low) else f" [{_told(one, low)}, {_told(one, high)}]"


def _title(text: str) -> Spec:
    return {"text": text, "fontWeight": "normal", "fontSize": 12, "frame": "group", "offset": 8}


def _by_rank(systems: tuple[str, ...], order: tuple[int, ...]) -> Spec:
    """Two systems in colour, the others grey."""
    colours = [ACCENT.light, LABELS[1].light] + [OTHER_LABEL.light] * max(0, len(order) - 2)
    names = [systems[system] for system in order]
    return {
        "field": "system",
        "type": "nominal",
        "sort": None,
        "legend": {
            **KEY,
            "values": names[:3],
            "labelExpr": "datum.index === 2 ? 'the others' : datum.label",
        },
        "scale": {
            "domain": names,
            "range": colours[: len(order)],
        },
    }
