"""Errors by type: one bar per system, a piece per type, each error counted once (Ortmann 2022).

Of dependencies and coreference the types are what is wrong, of tags the labels that tokens are
given wrongly: the commonest of all systems, and the others together.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> errors = fg.error_types(fg.align(*small_corpora("dependencies"), task="dependencies"))
>>> [(one.said, one.counts) for one in pieces(errors)]
[('wrong relation', (1, 0)), ('wrong head', (2, 3)), ('both wrong', (1, 1)), ('no word', (0, 0))]
"""

from __future__ import annotations

from itertools import chain, repeat
from typing import NamedTuple

from finegrain.analyses.evidence import GOLD, NOT_GOLD, Evidence, is_wrong, produces
from finegrain.analyses.reports.error_kinds import ErrorKinds, error_kinds
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.analyses.selection.expressions import Expression, all_of
from finegrain.corpus import IntArray
from finegrain.table.outcomes import Role
from finegrain.views.charts.chart import Spec, reserved
from finegrain.views.charts.palette import (
    ERRORS,
    INK,
    LABELS,
    ON_HIGH,
    ON_MIDDLE,
    OTHER_LABEL,
    SECOND,
    SEQUENTIAL,
    Colour,
)

_BRIGHT = tuple(ERRORS[role].light for role in ("invented", "long", "crossing"))
# of answers: neighbours differ in hue and in grey, and the palest is for the others
_ORDER: tuple[Role, ...] = ("missed", "invented", "short", "label", "long", "both", "crossing")
_SHADES = tuple(ERRORS[role] for role in _ORDER)
_FURTHER = (LABELS[2], SEQUENTIAL[3], SEQUENTIAL[7], SEQUENTIAL[1])  # where roles run out
_DIGIT = 6.2  # pixels, of the size of the numbers in bars


class Piece(NamedTuple):
    """A type of errors: ``counts`` ``[system]``, and the selection of the units of each count."""

    said: str
    colour: Colour
    counts: tuple[int, ...]
    behind: tuple[Expression, ...]


def pieces(errors: ErrorTypes) -> tuple[Piece, ...]:
    """What the bars of a task are made of, from the left."""
    kinds = error_kinds(errors)
    if kinds.by_answer:
        return _answers(kinds)
    order = _ordered(kinds)
    roles = [kinds[kind].outcomes[0].role for kind in order]
    colours = _colours(roles, [bool(kinds.counts[:, kind].any()) for kind in order])
    return tuple(_piece(kinds, kind, colours[at]) for at, kind in enumerate(order))


def _ordered(kinds: ErrorKinds) -> list[int]:
    """Kinds as the task has them; those of near misses after all others, as the palette is."""
    roles = list(ERRORS)

    def place(kind: int) -> int:
        (outcome,) = kinds[kind].outcomes
        if outcome.produced != "extra":
            return 0
        return 1 + (roles.index(outcome.role) if outcome.role in roles else len(roles))

    return sorted(range(len(kinds.every)), key=place)


def _colours(roles: list[Role], occurs: list[bool]) -> list[Colour]:
    """The colours of roles; a free one for a role that has none, or that another outcome has.

    Free ones go to outcomes that occur.
    """
    free = iter([*(ERRORS[role] for role in _ORDER if role not in roles), *_FURTHER])
    return [
        ERRORS[role] if role in ERRORS and role not in roles[:at] else
        next(free, OTHER_LABEL) if there else OTHER_LABEL
        for at, (role, there) in enumerate(zip(roles, occurs, strict=True))
    ]  # fmt: skip


def _answers(kinds: ErrorKinds) -> tuple[Piece, ...]:
    """A piece for every wrong answer, or for the commonest ones and one for the others.

    What is not answered is never among the others: it has no answer.
    """
    totals = kinds.counts.sum(axis=0)
    order = [kind for kind in (-totals).argsort(kind="stable").tolist() if totals[kind]]
    silent = [kind for kind in order if kinds[kind].answer is None]
    given = [kind for kind in order if kind not in silent]
    room = max(1, len(_SHADES) - len(silent))
    alone = given if len(given) <= room else given[: room - 1]
    shown = [kind for kind in order if kind in (*alone, *silent)]
    colours = chain(_SHADES, repeat(OTHER_LABEL))
    found = [_piece(kinds, kind, colour) for kind, colour in zip(shown, colours, strict=False)]
    if others := given[len(alone) :]:
        counts = tuple(kinds.counts[:, others].sum(axis=1).tolist())
        behind = tuple(kinds.other_than(alone, system) for system in kinds.systems)
        found.append(Piece(f"{len(others)} others", _SHADES[-1], counts, behind))
    return tuple(found)


def _piece(kinds: ErrorKinds, kind: int, colour: Colour) -> Piece:
    counts = tuple(kinds.counts[:, kind].tolist())
    behind = tuple(kinds[kind].behind(system) for system in kinds.systems)
    return Piece(kinds[kind].said, colour, counts, behind)


def error_bars(
    result: ErrorTypes, order: tuple[int, ...] | None = None, predicted: IntArray | None = None
) -> Spec:
    """``order``: systems by place, from above.

    ``predicted`` ``[system]`` spans: adds the traditional counts, where a wrong boundary is a
    gold span that is not found and a span that is not gold.
    """
    places = order if order is not None else tuple(range(len(result.systems)))
    names = tuple(result.systems[system] for system in places)
    every = pieces(result)
    fair = [one for system in places for one in _of_system(result, every, system)]
    about = {
        "description": "Errors by type and system",
        "usermeta": {"reserved": reserved(names) + 12},
    }
    if predicted is None:
        by_answer = result.task.errs_by_answer
        title = "errors, by the label answered" if by_answer else "errors, each counted once"
        return {**about, **_across(840), **_bars(fair, _drawn(every, fair), names, 840, title)}
    twice = traditional(result, predicted)
    plain = [one for system in places for one in _of_system(result, twice, system)]
    drawn, legend = _drawn((*twice, *every), fair + plain), _drawn(every, fair)
    most = max((_total(one, name) for one in (plain, fair) for name in names), default=0)
    double, once = (
        "traditional: spans not found, not gold",
        "fair: every error once, with its type",
    )
    parts = [
        _bars(plain, drawn, names, 400, double, most=most, legend=legend),
        _bars(fair, drawn, names, 400, once, most=most, legend=legend, labelled=False),
    ]
    same = {"resolve": {"scale": {"color": "shared"}, "legend": {"color": "shared"}}}
    return {**about, **_across(400), "hconcat": parts, "spacing": 40, **same}


def _across(width: int) -> Spec:
    """How wide bars may be, which a page sets anew."""
    return {"params": [{"name": "across", "value": width}]}


def _fits(largest: int) -> str:
    """Whether a number has 4 pixels to spare on either side, in a piece of a bar."""
    return f"datum.count * across / {largest} > {_DIGIT} * length(format(datum.count, ',')) + 8"


def _drawn(every: tuple[Piece, ...], values: list[Spec]) -> list[Piece]:
    """Pieces that occur, for the legend."""
    found = {one["type"] for one in values}
    return [piece for piece in every if piece.said in found]


def _total(values: list[Spec], name: str) -> int:
    return sum(int(one["count"]) for one in values if one["system"] == name)


def _of_system(result: ErrorTypes, every: tuple[Piece, ...], system: int) -> list[Spec]:
    total = sum(piece.counts[system] for piece in every)
    return [
        _datum(result.systems[system], place, piece, piece.counts[system], total)
        | _link(piece.counts[system], piece.behind[system])
        for place, piece in enumerate(every)
        if piece.counts[system]
    ]


def traditional(result: ErrorTypes, predicted: IntArray) -> tuple[Piece, Piece]:
    """Gold spans that a system does not have exactly, and its spans that are not gold.

    Neither has the name or the colour of a type: most of them overlap, and nothing is missed or
    invented.
    """
    correct = result.types.index(result.task.outcomes.correct.name)
    right, gold = result.counts[:, :, correct].sum(axis=0), int(result.gold.sum())
    return (
        Piece("not found", SECOND, tuple((gold - right).tolist()),
              tuple(all_of(GOLD, is_wrong(name)) for name in result.systems)),
        Piece("not gold", OTHER_LABEL, tuple((predicted - right).tolist()),
              tuple(all_of(NOT_GOLD, produces(name)) for name in result.systems)),
    )  # fmt: skip


def _bars(
    values: list[Spec],
    drawn: list[Piece],
    names: tuple[str, ...],
    width: int,
    title: str,
    *,
    most: int | None = None,
    legend: list[Piece] | None = None,
    labelled: bool = True,
) -> Spec:
    """``legend``: the pieces that it has, if not all that are drawn."""
    largest = most or max((_total(values, name) for name in names), default=0) or 1
    y = {
        "field": "system", "type": "nominal", "sort": list(names), "title": None,
        "scale": {"paddingInner": 0.28, "paddingOuter": 0.1, "domain": list(names)},
        "axis": {"domain": False, "ticks": False, "minExtent": reserved(names),
                 "labelColor": INK.light} if labelled else None,
    }  # fmt: skip
    x = {
        "field": "count", "type": "quantitative", "stack": "zero", "title": title,
        "scale": {"domain": [0, largest], "nice": False},
        "axis": {"grid": False, "tickCount": 5, "tickMinStep": 1},
    }  # fmt: skip
    colour = {
        "field": "type", "type": "nominal",
        "scale": {
            "domain": [piece.said for piece in drawn],
            "range": [piece.colour.light for piece in drawn],
        },
        "legend": {"orient": "top", "title": None, "symbolType": "square",
                   "values": [piece.said for piece in (drawn if legend is None else legend)],
                   "columns": 7 if max((len(one.said) for one in drawn), default=0) < 20 else 3,
                   "columnPadding": 16, "labelLimit": 260},
    }  # fmt: skip
    return {
        "data": {"values": values},
        "width": width,
        "height": {"step": 26},
        "encoding": {"y": y, "order": {"field": "order"}},
        "layer": [
            {
                "mark": {"type": "bar", "stroke": "#ffffff", "strokeWidth": 1,
                         "cursor": {"expr": "datum.href ? 'pointer' : 'default'"}},
                "encoding": {"x": x, "color": colour},
            },
            {
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {
                    "x": {**x, "bandPosition": 0.5},
                    "text": {"condition": {"test": _fits(largest),
                                           "field": "count", "format": ","}, "value": ""},
                    "color": {
                        "condition": {"test": "datum.bright", "value": ON_MIDDLE.light},
                        "value": ON_HIGH.light,
                    },
                },
            },
        ],
    }  # fmt: skip


def _datum(name: str, place: int, piece: Piece, count: int, total: int) -> Spec:
    return {
        "system": name,
        "type": piece.said,
        "order": place,
        "bright": piece.colour.light in _BRIGHT,
        "count": count,
        "told": f"{name}, {piece.said}: {count:,} of {total:,} errors",
    }


def _link(count: int, behind: Expression) -> Spec:
    return {"href": Evidence.of(count, behind).fragment}
