"""Figures of many data sets: which attributes matter where, and where a system improves.

``attribute_profiles`` are parallel coordinates, a line per data set (Fu, Liu and Neubig 2020 have
radar charts of the same numbers, whose areas depend on the order of attributes);
``improvement_map`` is the paper's figure 6.
"""

from __future__ import annotations

import math

from finegrain.analyses.explain.many_data_sets import Improvement, ManyDataSets
from finegrain.views.charts.chart import Spec, reserved, rounded
from finegrain.views.charts.palette import ACCENT, INK, LABELS, OTHER_LABEL, PAPER


def attribute_profiles(found: ManyDataSets) -> Spec | None:
    """Zeta and rho of every attribute, a line per data set; ``None`` for less than two attributes.

    Zetas have units of their own, so each is told in percent of its largest data set.
    """
    if len(found.attributes) < 2:
        return None
    rho, zeta = _measured(found)
    names = [one.name for one in found.data_sets]
    panels = [
        _profile(rho, names, "ρ, of score and bucket", labelled=False),
        _profile(zeta, names, "ζ, % of the largest", labelled=True),
    ]
    return {
        "description": "Attributes of data sets: how much they matter, and how large they are",
        "vconcat": panels,
        "spacing": 24,
    }


def improvement_map(found: ManyDataSets, pair: Improvement) -> Spec | None:
    """Relative improvement over the baseline by bucket and data set; ``None`` without any."""
    data_sets = [one.name for one in found.data_sets]
    values: list[Spec] = []
    for attribute in found.attributes:
        for bucket in found.bucket_names(attribute):
            relative = found.changes(attribute, bucket, pair)[:, 1].tolist()
            values += (
                {
                    "attribute": attribute.replace("_", " "),
                    "bucket": bucket,
                    "data set": name,
                    "change": rounded(100 * change, 2),
                    "text": f"{round(100 * change):+d}",
                }
                for name, change in zip(data_sets, relative, strict=True)
                if not math.isnan(change)
            )
    if not values:
        return None
    most = max(abs(value["change"]) for value in values) or 1
    names = (found.systems[pair.system], found.systems[pair.baseline])
    return {
        "description": f"Improvement of {names[0]} over {names[1]} by bucket, %",
        "usermeta": {"reserved": reserved(tuple(data_sets))},
        "data": {"values": values},
        "facet": {
            "field": "attribute", "type": "nominal", "title": None,
            "sort": [name.replace("_", " ") for name in found.attributes],
        },
        "columns": 2,
        "resolve": {"scale": {"x": "independent"}},
        "spec": _cells(data_sets, most, short=max(len(value["bucket"]) for value in values) < 5),
    }  # fmt: skip


def _measured(found: ManyDataSets) -> tuple[list[Spec], list[Spec]]:
    """Values of rho, and of zeta as shares of the largest."""
    rho: list[Spec] = []
    zeta: list[Spec] = []
    for attribute in found.attributes:
        with_it = [one for one in found.data_sets if attribute in one.attributes]
        known = [one.attributes[attribute].zeta for one in with_it]
        most = max((abs(value) for value in known if not math.isnan(value)), default=0.0)
        for one, value in zip(with_it, known, strict=True):
            place = {"attribute": attribute.replace("_", " "), "data set": one.name}
            rho.append({**place, "value": rounded(one.attributes[attribute].rho())})
            share = 100 * value / most if most else math.nan
            zeta.append({**place, "value": rounded(share, 1)})
    return rho, zeta


def _profile(values: list[Spec], names: list[str], title: str, *, labelled: bool) -> Spec:
    attributes = list(dict.fromkeys(value["attribute"] for value in values))
    colours = [*(colour.light for colour in LABELS[: len(names)])]
    colours += [OTHER_LABEL.light] * (len(names) - len(colours))
    axis = {"labelAngle": -30, "labelColor": INK.light, "grid": True}
    return {
        "data": {"values": [value for value in values if value["value"] is not None]},
        "width": 640,
        "height": 180,
        "encoding": {
            "x": {"field": "attribute", "type": "nominal", "sort": attributes, "title": None,
                  "axis": axis if labelled else {**axis, "labels": False}},
            "y": {"field": "value", "type": "quantitative", "title": title,
                  "axis": {"tickCount": 5}},
            "color": {"field": "data set", "type": "nominal", "title": None,
                      "scale": {"domain": names, "range": colours}},
            "strokeDash": {"field": "data set", "type": "nominal", "title": None,
                           "scale": {"domain": names}},
        },
        "mark": {"type": "line", "point": True, "strokeWidth": 2},
    }  # fmt: skip


def _cells(data_sets: list[str], most: float, *, short: bool) -> Spec:
    plain = {"domain": False, "ticks": False, "labelColor": INK.light}
    return {
        "width": {"step": 44},
        "height": {"step": 26},
        "encoding": {
            "x": {"field": "bucket", "type": "nominal", "sort": None, "title": None,
                  "axis": {**plain, "labelAngle": 0 if short else -30}},
            "y": {"field": "data set", "type": "nominal", "sort": data_sets, "title": None,
                  "axis": plain},
        },
        "layer": [
            {
                "mark": {"type": "rect", "stroke": PAPER.light, "strokeWidth": 1},
                "encoding": {"color": {
                    "field": "change", "type": "quantitative", "legend": None,
                    "scale": {"domain": [-most, 0, most], "interpolate": "rgb",
                              "range": [LABELS[1].light, "#f4f6f7", ACCENT.light]},
                }},
            },
            {
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {
                    "text": {"field": "text"},
                    "color": {"condition": {"test": f"abs(datum.change) > {0.6 * most}",
                                            "value": PAPER.light}, "value": INK.light},
                },
            },
        ],
    }  # fmt: skip
