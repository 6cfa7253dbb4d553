"""Figures of many data sets: which attributes matter where, and where a system improves.

``attribute_profiles`` are parallel coordinates, a line per data set (Fu, Liu and Neubig 2020 have
radar charts of the same numbers, whose areas depend on the order of attributes);
``improvement_map`` is the paper's figure 6.
"""

from __future__ import annotations

import math

from finegrain.analyses.explain.many_data_sets import Improvement, ManyDataSets
from finegrain.views.charts.chart import KEY, Spec, reserved, rounded
from finegrain.views.charts.palette import ACCENT, INK, LABELS, OTHER_LABEL, PAPER

_ABREAST = 3  # attributes in a row of a map
_MANY = 7  # buckets whose names stand aslant
_STRONGEST = 0.55  # share of colour in a cell on which text can be read, on light and dark ground


def attribute_profiles(found: ManyDataSets) -> Spec | None:
    """Zeta and rho of every attribute, a line per data set; ``None`` for less than two attributes.

    Zetas have units of their own, so each is told in percent of its largest data set.
    """
    rho, zeta = _measured(found)
    attributes = list(dict.fromkeys(value["attribute"] for value in (*rho, *zeta)))
    if len(attributes) < 2:
        return None
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
    """Values of rho, and of zeta as shares of the largest, where they are defined."""
    rho: list[Spec] = []
    zeta: list[Spec] = []
    for attribute in found.attributes:
        with_it = [one for one in found.data_sets if attribute in one.attributes]
        known = [one.attributes[attribute].zeta for one in with_it]
        most = max((abs(value) for value in known if not math.isnan(value)), default=0.0)
        for one, value in zip(with_it, known, strict=True):
            said = attribute.replace("_", " ")
            size = one.attributes[attribute].rho()
            share = 100 * value / most if most else math.nan
            told = f"{one.name}, {said}: "
            place = {"attribute": said, "data set": one.name}
            rho.append({**place, "value": rounded(size), "told": f"{told}ρ {size:.2f}"})
            zeta.append({**place, "value": rounded(share, 1), "told": f"{told}ζ {value:.4g}"})
    return (
        [one for one in rho if one["value"] is not None],
        [one for one in zeta if one["value"] is not None],
    )


def _profile(
    values: list[Spec], attributes: list[str], names: list[str], title: str, *, labelled: bool
) -> Spec:
    colours = [*(colour.light for colour in LABELS[: len(names)])]
    colours += [OTHER_LABEL.light] * (len(names) - len(colours))
    axis = {"labelAngle": -30, "labelColor": INK.light, "grid": True}
    key = {**KEY, "direction": "horizontal", "columns": 6, "symbolType": "stroke",
           "symbolStrokeWidth": 2}  # fmt: skip
    return {
        "data": {"values": values},
        "width": 640,
        "height": 180,
        "encoding": {
            "x": {"field": "attribute", "type": "nominal", "title": None,
                  "scale": {"domain": attributes},
                  "axis": axis if labelled else {**axis, "labels": False}},
            "y": {"field": "value", "type": "quantitative", "title": title,
                  "axis": {"tickCount": 5}},
            "color": {"field": "data set", "type": "nominal", "legend": key,
                      "scale": {"domain": names, "range": colours}},
            "strokeDash": {"field": "data set", "type": "nominal", "legend": key,
                           "scale": {"domain": names}},
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
                  "axis": {**plain, "labelAngle": -45 if aslant else 0, "labelLimit": 90}},
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
