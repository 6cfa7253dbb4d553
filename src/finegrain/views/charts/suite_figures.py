"""Figures of many data sets: which attributes matter where, and where a system improves.

``attribute_profiles`` are parallel coordinates, a line per data set (Fu, Liu and Neubig 2020 have
radar charts of the same numbers, whose areas depend on the order of attributes);
``improvement_map`` is the paper's figure 6. ``cost_plots`` are scores by what answers cost.
"""

from __future__ import annotations

import math

from finegrain.analyses.explain.many_data_sets import Improvement, ManyDataSets
from finegrain.analyses.explain.suite_costs import worth_of
from finegrain.analyses.studies.content import Plot
from finegrain.analyses.studies.costs import cost_plot
from finegrain.views.charts.chart import KEY, Spec, reserved, rounded
from finegrain.views.charts.palette import ACCENT, INK, LABELS, PAPER

_ABREAST = 3  # attributes in a row of a map
_MANY = 7  # buckets whose names stand aslant
_WIDTH = 640
_SYMBOL = 34  # pixels of a line in a legend, which show a dash
_DASHES = ([1, 0], [8, 3], [3, 2], [10, 3, 2, 3])
_STRONGEST = 0.55  # share of colour in a cell on which text can be read, on light and dark ground


def attribute_profiles(found: ManyDataSets) -> Spec | None:
    """Zeta and rho of every attribute, a line per data set; ``None`` for less than two attributes.

    Zetas have units of their own, so each is told in percent of its largest data set.
    """
    measured = _measured(found)
    known = (one["attribute"] for values in measured for one in values if one["value"] is not None)
    attributes = list(dict.fromkeys(known))
    if len(attributes) < 2:
        return None
    rho, zeta = ([one for one in values if one["attribute"] in attributes] for values in measured)
    names = [one.name for one in found.data_sets]
    panels = [
        _profile(rho, attributes, names, "ρ, of score and bucket", labelled=False),
        _profile(zeta, attributes, names, "ζ, % of the largest", labelled=True),
    ]
    panels[0]["encoding"]["y"]["scale"] = {"domain": [0, 1]}
    return {
        "description": "Attributes of data sets: how much they matter, and how large they are",
        "usermeta": {"reserved": 56},
        "vconcat": panels,
        "spacing": 24,
    }


def cost_plots(found: ManyDataSets) -> list[Plot]:
    """Score by cost: of averages by each kind; without averages, every data set by the first."""
    every = worth_of(found)
    averages = [worth for name, worth in every if not name]
    if averages:
        (worth,) = averages
        return [
            cost_plot(kind, found.systems, worth, found.scale, _scored(found.metrics[0]))
            for kind in worth.costs
        ]
    metrics = {one.name: one.metric for one in found.data_sets}
    return [
        cost_plot(
            next(iter(worth.costs)), found.systems, worth, metrics[name].scale,
            _scored(metrics[name].name), title=name,
        )
        for name, worth in every
    ]  # fmt: skip


def _scored(metric: str) -> str:
    return metric.replace("_", " ")


def improvement_map(found: ManyDataSets, pair: Improvement) -> Spec | None:
    """Relative improvement over the baseline by bucket and data set; ``None`` without any.

    Colour grows with the square root, so that one bucket of few units does not pale all others.
    """
    data_sets = [one.name for one in found.data_sets]
    values = [value for attribute in found.attributes for value in _changes(found, attribute, pair)]
    if not values:
        return None
    most = max(abs(value["change"]) for value in values) or 1
    names = (found.systems[pair.system], found.systems[pair.baseline])
    attributes = list(dict.fromkeys(value["attribute"] for value in values))
    buckets = {
        name: list(dict.fromkeys(one["bucket"] for one in values if one["attribute"] == name))
        for name in attributes
    }
    return {
        "description": f"Improvement of {names[0]} over {names[1]} by bucket, %",
        "usermeta": {
            "reserved": 0, "columns": min(_ABREAST, len(attributes)),
            "beside": reserved(tuple(data_sets)),
        },
        "data": {"values": values},
        "concat": [_cells(name, buckets[name], data_sets, most) for name in attributes],
        "columns": _ABREAST,
        "spacing": 28,
    }  # fmt: skip


def _changes(found: ManyDataSets, attribute: str, pair: Improvement) -> list[Spec]:
    """A cell for every bucket and data set that has both scores."""
    said = attribute.replace("_", " ")
    cells: list[Spec] = []
    for bucket in found.bucket_names(attribute):
        relative = found.changes(attribute, bucket, pair)[:, 1].tolist()
        for one, change in zip(found.data_sets, relative, strict=True):
            if math.isnan(change):
                continue
            new, old = (100 * one.score(attribute, bucket, system) for system in pair)
            cells.append(
                {
                    "attribute": said,
                    "bucket": bucket,
                    "data set": one.name,
                    "change": rounded(100 * change, 2),
                    "text": _signed(change, 0),
                    "told": f"{one.name}, {said} {bucket}: {old:.2f} → {new:.2f}, "
                    f"{_signed(change, 2)} %",
                }
            )
    return cells


def _signed(change: float, digits: int) -> str:
    """A change in percent, with a true minus.

    >>> _signed(0.1234, 0), _signed(-0.1234, 2), _signed(-0.001, 0)
    ('+12', '−12.34', '+0')
    """
    return f"{100 * change:+z.{digits}f}".replace("-", "−")


def _measured(found: ManyDataSets) -> tuple[list[Spec], list[Spec]]:
    """Values of rho, and of zeta as shares of the largest; without one where undefined.

    A line breaks where its data set has no value: it joins neighbours only.
    """
    rho: list[Spec] = []
    zeta: list[Spec] = []
    for attribute in found.attributes:
        said = attribute.replace("_", " ")
        scores = [one.attributes.get(attribute) for one in found.data_sets]
        sizes = [math.nan if one is None else one.zeta for one in scores]
        most = max((abs(size) for size in sizes if not math.isnan(size)), default=0.0)
        for one, of_one, size in zip(found.data_sets, scores, sizes, strict=True):
            follows = math.nan if of_one is None else of_one.rho()
            share = 100 * size / most if most else math.nan
            place = {"attribute": said, "data set": one.name}
            rho.append(_point(place, rounded(follows), f"ρ {follows:.2f}"))
            zeta.append(_point(place, rounded(share, 1), f"ζ {size:.4g}"))
    return rho, zeta


def _point(place: Spec, value: float | None, measure: str) -> Spec:
    """A place on a line; one without a value says nothing."""
    if value is None:
        return {**place, "value": None}
    return {**place, "value": value, "told": f"{', '.join(reversed(place.values()))}: {measure}"}


def _strokes(names: list[str]) -> tuple[list[str], list[list[int]]]:
    """Colours and dashes of lines: the pair differs for 24 of them, neighbours differ in both.

    >>> colours, dashes = _strokes([str(place) for place in range(24)])
    >>> len({(colour, *dash) for colour, dash in zip(colours, dashes, strict=True)})
    24
    """
    turns = [divmod(place, len(LABELS)) for place in range(len(names))]
    colours = [LABELS[at].light for _, at in turns]
    dashes = [_DASHES[(turn + place) % len(_DASHES)] for place, (turn, _) in enumerate(turns)]
    return colours, dashes


def _profile(
    values: list[Spec], attributes: list[str], names: list[str], title: str, *, labelled: bool
) -> Spec:
    colours, dashes = _strokes(names)
    axis = {"labelAngle": -30, "labelColor": INK.light, "grid": True}
    columns = max(1, min(6, _WIDTH // (reserved(tuple(names)) + _SYMBOL)))
    key = {**KEY, "direction": "horizontal", "columns": columns, "symbolType": "stroke",
           "symbolStrokeWidth": 2, "symbolSize": _SYMBOL**2, "labelLimit": 360}  # fmt: skip
    return {
        "data": {"values": values},
        "width": _WIDTH,
        "height": 180,
        "encoding": {
            "x": {"field": "attribute", "type": "nominal", "title": None, "sort": attributes,
                  "scale": {"domain": attributes},
                  "axis": axis if labelled else {**axis, "labels": False}},
            "y": {"field": "value", "type": "quantitative", "title": title,
                  "axis": {"tickCount": 5}},
            "color": {"field": "data set", "type": "nominal", "legend": key,
                      "scale": {"domain": names, "range": colours}},
            "strokeDash": {"field": "data set", "type": "nominal", "legend": key,
                           "scale": {"domain": names, "range": dashes}},
        },
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 2}},
            {"mark": {"type": "circle", "size": 44, "opacity": 1},
             "encoding": {"strokeDash": {"value": [1, 0]}}},
        ],
    }  # fmt: skip


def _cells(attribute: str, buckets: list[str], data_sets: list[str], most: float) -> Spec:
    """The map of one attribute."""
    plain = {"domain": False, "ticks": False, "labelColor": INK.light}
    aslant = len(buckets) > _MANY or max(map(len, buckets)) > 8
    return {
        "title": {"text": attribute, "fontWeight": "normal", "fontSize": 12, "frame": "group",
                  "offset": 8},
        "transform": [{"filter": {"field": "attribute", "equal": attribute}}],
        "width": 230,
        "height": {"step": 26},
        "encoding": {
            "x": {"field": "bucket", "type": "nominal", "sort": buckets, "title": None,
                  "axis": {**plain, "labelAngle": -45 if aslant else 0, "labelLimit": 160}},
            "y": {"field": "data set", "type": "nominal", "sort": data_sets, "title": None,
                  "axis": plain},
        },
        "layer": [
            {
                "transform": [{"calculate": "abs(datum.change)", "as": "size"}],
                "mark": {"type": "rect", "stroke": PAPER.light, "strokeWidth": 1},
                "encoding": {
                    "color": {"condition": {"test": "datum.change < 0", "value": LABELS[1].light},
                              "value": ACCENT.light},
                    "fillOpacity": {
                        "field": "size", "type": "quantitative", "legend": None,
                        "scale": {"type": "sqrt", "domain": [0, most], "range": [0, _STRONGEST]},
                    },
                },
            },
            {
                "mark": {"type": "text", "fontSize": 11, "color": INK.light},
                "encoding": {"text": {"field": "text"}},
            },
        ],
    }  # fmt: skip
