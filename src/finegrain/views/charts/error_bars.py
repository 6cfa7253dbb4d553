"""Errors by type: one bar per system, a piece per type, each error counted once (Ortmann 2022)."""

from __future__ import annotations

from collections.abc import Mapping

from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.analyses.units.evidence import Evidence
from finegrain.corpus import IntArray
from finegrain.views.charts.chart import Spec, reserved
from finegrain.views.charts.palette import ERRORS, INK, ON_HIGH, ON_MIDDLE

NAMES = {
    "FN": "missed",
    "FP": "invented",
    "BES": "too short",
    "BEL": "too long",
    "BEO": "crossing",
    "LE": "wrong label",
    "LBE": "label and bounds",
}
_BRIGHT = ("FP", "BEL", "BEO")


def error_bars(
    result: ErrorTypes, order: tuple[int, ...] | None = None, predicted: IntArray | None = None
) -> Spec | None:
    """``None`` for tasks without error types; ``order``: systems by place, from above.

    ``predicted`` ``[system]`` spans: adds the traditional counts, where a wrong boundary is a
    missed and an invented span.
    """
    if not set(NAMES) <= set(result.types):
        return None
    places = order if order is not None else tuple(range(len(result.systems)))
    names = tuple(result.systems[system] for system in places)
    fair = [one for system in places for one in _fair(result, system)]
    kinds = _kinds(fair)
    width = {"usermeta": {"reserved": reserved(names) + 12}}
    description = {"description": "Errors by type and system"}
    if predicted is None:
        return {
            **description,
            **width,
            **_bars(fair, kinds, names, 840, "errors, each counted once"),
        }
    plain = [one for system in places for one in _traditional(result, system, predicted)]
    most = max((_total(plain, name) for name in names), default=1)
    parts = [
        _bars(plain, kinds, names, 400, "traditional: a wrong boundary counts twice", most=most),
        _bars(
            fair,
            kinds,
            names,
            400,
            "fair: every error once, with its type",
            most=most,
            labelled=False,
        ),
    ]
    same = {"resolve": {"scale": {"color": "shared"}, "legend": {"color": "shared"}}}
    return {**description, **width, "hconcat": parts, "spacing": 40, **same}


def _kinds(values: list[Spec]) -> list[str]:
    """Kinds of errors that occur, for the legend; missed and invented ones always do."""
    found = {one["type"] for one in values}
    return [kind for kind, name in NAMES.items() if name in found or kind in ("FN", "FP")]


def _total(values: list[Spec], name: str) -> int:
    return sum(int(one["count"]) for one in values if one["system"] == name)


def _fair(result: ErrorTypes, system: int) -> list[Spec]:
    counts = result.counts[:, system].sum(axis=0)
    total, name = int(counts[1:].sum()), result.systems[system]
    return [
        _datum(name, kind, int(counts[code]), total, {f"outcome.{system}": kind})
        for kind in NAMES
        for code in [result.types.index(kind)]
        if counts[code]
    ]


def _traditional(result: ErrorTypes, system: int, predicted: IntArray) -> list[Spec]:
    right = int(result.counts[:, system, 0].sum())
    missed, invented = int(result.gold.sum()) - right, int(predicted[system]) - right
    total, name = missed + invented, result.systems[system]
    return [
        _datum(name, kind, count, total, conditions)
        for kind, count, conditions in (
            ("FN", missed, {"unit": "gold", f"verdict.{system}": "wrong"}),
            ("FP", invented, {"unit": "invented", f"has.{system}": "yes"}),
        )
        if count
    ]


def _bars(
    values: list[Spec],
    kinds: list[str],
    names: tuple[str, ...],
    width: int,
    title: str,
    *,
    most: int | None = None,
    labelled: bool = True,
) -> Spec:
    largest = most or max((_total(values, name) for name in names), default=1)
    y = {
        "field": "system", "type": "nominal", "sort": list(names), "title": None,
        "scale": {"paddingInner": 0.28, "paddingOuter": 0.1, "domain": list(names)},
        "axis": {"domain": False, "ticks": False, "minExtent": reserved(names),
                 "labelColor": INK.light} if labelled else None,
    }  # fmt: skip
    x = {
        "field": "count", "type": "quantitative", "stack": "zero", "title": title,
        "scale": {"domain": [0, largest], "nice": False}, "axis": {"grid": False, "tickCount": 5},
    }  # fmt: skip
    colour = {
        "field": "type",
        "type": "nominal",
        "scale": {
            "domain": [NAMES[kind] for kind in kinds],
            "range": [ERRORS[kind].light for kind in kinds],
        },
        "legend": {"orient": "top", "title": None, "symbolType": "square", "columns": 7,
                   "columnPadding": 16},
    }  # fmt: skip
    return {
        "data": {"values": values},
        "width": width,
        "height": {"step": 26},
        "encoding": {"y": y, "order": {"field": "order"}},
        "layer": [
            {
                "mark": {"type": "bar", "cursor": "pointer", "stroke": "#ffffff", "strokeWidth": 1},
                "encoding": {"x": x, "color": colour},
            },
            {
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {
                    "x": {**x, "bandPosition": 0.5},
                    "text": {"condition": {"test": f"datum.count > {largest / 14:.1f}",
                                           "field": "count", "format": ","}, "value": ""},
                    "color": {
                        "condition": {"test": "datum.bright", "value": ON_MIDDLE.light},
                        "value": ON_HIGH.light,
                    },
                },
            },
        ],
    }  # fmt: skip


def _datum(
    name: str, kind: str, count: int, total: int, conditions: Mapping[str, str | int]
) -> Spec:
    return {
        "system": name,
        "type": NAMES[kind],
        "order": list(NAMES).index(kind),
        "bright": kind in _BRIGHT,
        "count": count,
        "told": f"{name}, {NAMES[kind]}: {count:,} of {total:,} errors",
        "href": Evidence.of(count, conditions).fragment,
    }
