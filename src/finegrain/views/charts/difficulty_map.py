"""Bins of difficulty by system: a heat map of shares, sizes of bins above, what is not gold."""

from __future__ import annotations

from finegrain.analyses.compare.difficulty import Difficulty
from finegrain.analyses.compare.invented import Invented
from finegrain.analyses.evidence import Evidence, agreed_on_by, is_right, solved_by
from finegrain.views.charts.chart import Spec, reserved, rounded
from finegrain.views.charts.palette import ERRORS, INK, SECOND, SEQUENTIAL, THIRD, text_on

WIDTH = 900


def difficulty_map(
    result: Difficulty,
    invented: Invented | None = None,
    order: tuple[int, ...] | None = None,
    *,
    units: str = "gold units",
) -> Spec | None:
    """``order``: systems by place, from above; ``invented``: bars below the map.

    ``None`` where units are only graded.
    """
    if result.graded is not None:
        return None
    places = order if order is not None else tuple(range(len(result.systems)))
    names = tuple(result.systems[system] for system in places)
    bins = list(range(result.sizes.shape[1]))
    x = {"field": "bin", "type": "ordinal", "sort": bins, "scale": {"domain": bins, "padding": 0}}
    sizes = _sized(result)
    parts = [
        _bars(sizes, units, x, THIRD.light, up=True),
        _heads(sizes, x),
        _map(result, places, names, x),
    ]
    if invented is not None and invented.sizes[1:].any():
        parts.append(_invented(invented, x))
    return {
        "description": f"{units.capitalize()} by the number of systems that are right, and who is",
        "usermeta": {"reserved": reserved(names) + 14},
        "vconcat": parts,
        "spacing": 3,
        "bounds": "flush",
        "resolve": {"scale": {"x": "shared", "color": "independent"}},
    }


def _sized(result: Difficulty) -> list[Spec]:
    """Bins with the number of gold units in them."""
    return [
        {
            "bin": place,
            "units": size,
            "told": f"bin {place}: {size:,} units",
            "href": Evidence.of(size, solved_by(place)).fragment,
        }
        for place, size in enumerate(result.sizes.sum(axis=0).tolist())
    ]


def _heads(sizes: list[Spec], x: Spec) -> Spec:
    """The numbers of the bins, between the bars and the map."""
    return {
        "width": WIDTH,
        "height": 16,
        "data": {"values": [{**one, "row": "systems right"} for one in sizes]},
        "mark": {"type": "text", "color": SECOND.light, "fontSize": 12, "cursor": "pointer"},
        "encoding": {
            "x": {**x, "axis": None},
            "y": {"field": "row", "type": "nominal", "title": None, "axis": _QUIET},
            "text": {"field": "bin"},
        },
    }


_QUIET = {"domain": False, "ticks": False, "labelColor": SECOND.light}


def _invented(invented: Invented, x: Spec) -> Spec:
    values = [
        {
            "bin": place,
            "units": size,
            "told": f"not gold, in the output of {place}: {size:,} units",
            "href": Evidence.of(size, agreed_on_by(place)).fragment,
        }
        for place, size in enumerate(invented.sizes.tolist())
        if place
    ]
    return _bars(values, "not gold", x, ERRORS["invented"].light, up=False)


def _bars(values: list[Spec], title: str, x: Spec, colour: str, *, up: bool) -> Spec:
    """Bars on a square-root scale, so that small ones are seen beside large ones."""
    y = {
        "field": "units", "type": "quantitative",
        "axis": {**_QUIET, "labels": False, "grid": False, "title": title, "titleAngle": 0,
                 "titleAlign": "right", "titleY": 64 if up else 0, "titleX": -6,
                 "titleBaseline": "bottom" if up else "top"},
        "scale": {"type": "sqrt", "reverse": not up, "nice": False},
    }  # fmt: skip
    baseline, offset = ("bottom", -3) if up else ("top", 4)
    return {
        "width": WIDTH,
        "height": 64,
        "data": {"values": values},
        "encoding": {"x": {**x, "axis": None}, "y": y},
        "layer": [
            {"mark": {"type": "bar", "color": colour, "width": {"band": 0.62},
                      "cursor": "pointer"}},
            {
                "mark": {"type": "text", "baseline": baseline, "dy": offset, "fontSize": 11,
                         "color": SECOND.light},
                "encoding": {"text": {"field": "units", "format": ","}},
            },
        ],
    }  # fmt: skip


def _map(result: Difficulty, places: tuple[int, ...], names: tuple[str, ...], x: Spec) -> Spec:
    shares, counts = result.shares(), result.counts.sum(axis=0)
    sizes = result.sizes.sum(axis=0)
    values = []
    for system in places:
        name = result.systems[system]
        for place, size in enumerate(sizes.tolist()):
            count, share = int(counts[system, place]), rounded(shares[system, place])
            told = f"{count:,} of {size:,}" + (
                f" ({100 * share:.0f} %)" if share is not None else ""
            )
            values.append({
                "system": name, "bin": place, "share": share,
                "text": "" if share is None else "·" if not count else f"{100 * share:.0f}",
                "plain": place in (0, len(sizes) - 1),
                "told": f"{name}, bin {place}: {told}",
                "href": Evidence.of(count, solved_by(place), is_right(name)).fragment,
            })  # fmt: skip
    y = {
        "field": "system", "type": "nominal", "sort": list(names), "title": None,
        "scale": {"padding": 0},
        "axis": {"domain": False, "ticks": False, "labelColor": INK.light,
                 "minExtent": reserved(names)},
    }  # fmt: skip
    colour = {
        "field": "share", "type": "quantitative", "legend": None,
        "scale": {"type": "quantize", "domain": [0, 1], "range": [one.light for one in SEQUENTIAL]},
    }  # fmt: skip
    return {
        "width": WIDTH,
        "height": {"step": 26},
        "data": {"values": values},
        "encoding": {"x": {**x, "axis": None}, "y": y},
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "#ffffff", "strokeWidth": 1,
                         "cursor": "pointer"},
                "encoding": {"color": {
                    "condition": {"test": "datum.plain", "value": SEQUENTIAL[0].light}, **colour,
                }},
            },
            {
                "mark": {"type": "text", "fontSize": 12},
                "encoding": {
                    "text": {"field": "text"},
                    "color": text_on("(datum.plain ? 0 : datum.share)"),
                },
            },
        ],
    }  # fmt: skip
