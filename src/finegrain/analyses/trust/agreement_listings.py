"""Agreement as tables, as JSON, and as one tidy table for CSV.

>>> reading(0.697), reading(0.8), reading(0.4)
('fair', 'good', 'dubious')
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from finegrain.analyses.interval_cells import bounds
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number

if TYPE_CHECKING:
    from finegrain.analyses.trust.agreement import Agreement
    from finegrain.analyses.trust.agreement_measures import Estimates, Viewed
    from finegrain.analyses.trust.agreement_sums import Estimate

_NAMES = {
    "f1": "F1",
    "percent": "agreement",
    "pooled_kappa": "kappa (pooled)",
    "cohen_kappa": "kappa (Cohen)",
    "linear_kappa": "kappa (linear)",
    "quadratic_kappa": "kappa (quadratic)",
    "fleiss_kappa": "kappa (Fleiss)",
    "alpha": "alpha (nominal)",
}
_PLAIN = ("f1", "percent")  # not corrected for chance
_MOST = 20  # pairs that are shown


def named(measure: str) -> str:
    """A measure as people call it.

    >>> named("ordinal_alpha"), named("percent")
    ('alpha (ordinal)', 'agreement')
    """
    scale, _, alpha = measure.rpartition("_")
    return _NAMES.get(measure) or f"{alpha} ({scale})"


def reading(low: float) -> str:
    """The usual reading of kappas and alpha: good from 0.8, fair from 0.67, dubious below.

    It goes by the lower end of the interval, which tells what the units show; a value alone may owe
    a good reading to chance, so there is none without an interval.
    """
    if math.isnan(low):
        return ""
    return "good" if low >= 0.8 else "fair" if low >= 0.67 else "dubious"


def _cell(one: Estimate) -> str:
    value = float(one.value)
    if math.isnan(value):
        return "n/a"
    known = not (math.isnan(one.low) or math.isnan(one.high))
    return f"{value:z.3f}" + (f" [{one.low:z.3f}, {one.high:z.3f}]" if known else "")


def listings(found: Agreement) -> tuple[Listing, ...]:
    """All people together; systems beside them; two by two; label by label."""
    tables = [_together(found)] if len(found.people) > 1 else []
    if found.machines:
        tables.append(_ceiling(found))
    if len(found.systems) > 2:
        tables.append(_pairs(found))
    if any(view.labels for view in found.views):
        tables.append(_labels(found))
    return tuple(tables)


def _together(found: Agreement) -> Listing:
    columns = (
        Column("on"), Column("units", "count"), Column("measure"), Column("value"),
        Column(f"{100 * found.confidence:g} %"), Column("reading"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for view in found.views:
        for name, one in view.together.items():
            if name == "fleiss_kappa" and len(found.people) == 2:
                continue  # pooled kappa under another name
            value, _, ends = _cell(one).partition(" ")
            shown = "" if name in _PLAIN else reading(float(one.low))
            rows.append((view.name, view.units, named(name), value, ends, shown))
    many = len(found.people)
    who = " and ".join(found.people) if many == 2 else f"{many} annotators"
    note = "reading of the lower end: good from 0.8, fair from 0.67, dubious below"
    if many > 2:
        note += "; agreement, F1, pooled and Cohen's kappa are means over all pairs"
    return Listing(f"Agreement of {who}", columns, tuple(rows), note)


def _shown(found: Agreement) -> Iterator[tuple[Viewed, str]]:
    """What pairs are told by: one or two measures of each view."""
    for view in found.views:
        first = view.pairs[0].measures if view.pairs else {}
        if view.name == "units":
            yield from ((view, name) for name in first)
        else:
            known = (name for name in ("f1", "cohen_kappa", "percent") if name in first)
            yield view, next(known, "cohen_kappa")


def _heads(found: Agreement) -> list[Column]:
    single = len(found.views) == 1
    return [
        Column(named(name) if single else f"{view.name}: {named(name)}")
        for view, name in _shown(found)
    ]


def _ceiling(found: Agreement) -> Listing:
    shown = list(_shown(found))
    rows: list[tuple[Cell, ...]] = []
    if len(found.people) > 1:
        ceiling = (_cell(view.together[name]) for view, name in shown)
        rows.append(("people with each other", *ceiling))
    for system in found.machines:
        cells = (_cell(view.systems[system][name]) for view, name in shown)
        rows.append((f"{system} with people", *cells))
    note = "means over pairs; the first line is the ceiling: how well people agree with each other"
    return Listing("Systems beside people", (Column("who"), *_heads(found)), tuple(rows), note)


def _pairs(found: Agreement) -> Listing:
    columns = (Column("first"), Column("second"), Column("units", "count"), *_heads(found))
    rows: list[tuple[Cell, ...]] = []
    measures = {
        (view.name, two.first, two.second): two.measures
        for view in found.views
        for two in view.pairs
    }
    for two in found.views[0].pairs:
        of_views = ((measures.get((view.name, *two[:2])), name) for view, name in _shown(found))
        cells = ("n/a" if of_view is None else _cell(of_view[name]) for of_view, name in of_views)
        rows.append((found.systems[two.first], found.systems[two.second], two.units, *cells))
    cut = max(0, len(rows) - _MOST)
    note = f"{cut:,} more pairs are in --format json and csv" if cut else ""
    return Listing("Two by two", columns, tuple(rows[:_MOST]), note)


def _labels(found: Agreement) -> Listing:
    told = [view for view in found.views if view.labels]
    columns = [Column("label"), Column("uses")]
    measures = [(view, name) for view in told for name in next(iter(view.labels.values())).measures]
    single = len(told) == 1
    columns += [
        Column(named(name) if single else f"{view.name}: {named(name)}") for view, name in measures
    ]
    rows: list[tuple[Cell, ...]] = []
    for label, of_label in told[0].labels.items():
        cells = [
            _cell(view.labels[label].measures[name]) if label in view.labels else "n/a"
            for view, name in measures
        ]
        rows.append((label, f"{of_label.uses:,.1f}", *cells))
    note = "uses: mean over people; kappa and alpha: this label against all others"
    return Listing("By label", tuple(columns), tuple(rows), note)


def to_json(found: Agreement) -> dict[str, Any]:
    """The ``result`` object."""
    kind, size = found.sampling
    return {
        "people": list(found.people),
        "machines": list(found.machines),
        "scale": found.scale,
        "confidence": found.confidence,
        "sample": kind,
        "samples": size,
        "views": {view.name: _view_json(found, view) for view in found.views},
    }


def _view_json(found: Agreement, view: Viewed) -> dict[str, Any]:
    return {
        "units": view.units,
        "together": _estimates(view.together),
        "machines": {name: _estimates(one) for name, one in view.systems.items()},
        "pairs": [
            {
                "first": found.systems[two.first],
                "second": found.systems[two.second],
                "units": two.units,
                "measures": _estimates(two.measures),
            }
            for two in view.pairs
        ],
        "labels": {
            label: {"uses": one.uses, "measures": _estimates(one.measures)}
            for label, one in view.labels.items()
        },
    }


def _estimates(given: Estimates) -> dict[str, Any]:
    return {
        name: {
            "value": number(float(one.value)),
            "interval": bounds(float(one.low), float(one.high)),
        }
        for name, one in given.items()
    }


def records(found: Agreement) -> Listing:
    """One line per number: in which view, of whom, about which label."""
    texts = ("view", "of", "first", "second", "label", "measure")
    columns = (
        *(Column(name) for name in texts),
        *(Column(name, "score") for name in ("value", "low", "high")),
    )
    rows: list[tuple[Cell, ...]] = []

    def add(view: str, of: str, names: tuple[str, str], label: str, given: Estimates) -> None:
        rows.extend(
            (view, of, *names, label, name, float(one.value), float(one.low), float(one.high))
            for name, one in given.items()
        )

    for view in found.views:
        add(view.name, "people", ("", ""), "", view.together)
        for system, one in view.systems.items():
            add(view.name, "system with people", (system, ""), "", one)
        for two in view.pairs:
            names = (found.systems[two.first], found.systems[two.second])
            add(view.name, "pair", names, "", two.measures)
        for label, of_label in view.labels.items():
            add(view.name, "label", ("", ""), label, of_label.measures)
    return Listing("agreement", columns, tuple(rows))
