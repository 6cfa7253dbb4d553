"""Robustness as tables, tidy records and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.analyses.interval_cells import bounds, bracketed, interval_heading
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.p_values import told_p
from finegrain.analyses.result import number
from finegrain.table.conditions import SAME, Segment

if TYPE_CHECKING:
    from finegrain.analyses.trust.robustness import Drop, Robustness

_SLICES = 10  # shown for each system and condition


def listings(result: Robustness) -> tuple[Listing, ...]:
    """A table for each system, the worst case, where it hurts, flipped units."""
    found = [drops(result, place) for place in range(len(result.systems))]
    found.append(worst_case(result))
    if any(drop.hurts for drop in result.drops):
        found.append(weak_listing(result))
    if result.shown:
        found.append(_shown(result))
    return tuple(found)


def drops(result: Robustness, place: int) -> Listing:
    """What a system loses under every condition."""
    name, scale = result.systems[place], result.metric.scale
    low, high = result.ends[place].tolist()
    ends = bracketed(low, high, scale=scale)
    columns = (
        Column("condition"), Column(result.metric.name, "score", scale=scale),
        Column("change", "change", scale=scale), Column(interval_heading(result.level), "number"),
        Column("p", "p"), Column("broken", "count"), Column("fixed", "count"),
        Column("consistent", "score"), Column("units", "count"), Column(""),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            drop.condition, drop.value, drop.comparison.difference,
            bracketed(drop.comparison.low, drop.comparison.high, signed="+", scale=scale),
            drop.p, drop.flips.broken, drop.flips.fixed, _share(drop), drop.n,
            "hurts" if drop.hurts else "",
        )
        for drop in result.of(name)
    )  # fmt: skip
    score = scale.written(result.values[place])
    title = f"{name}: {metric_name(result)} {score}{f' {ends}' if ends else ''} on the original"
    note = "change: to its own score on the same units of the original; broken: gold units that "
    note += "were right and are not any more; consistent: answered in the same way; p: corrected "
    note += f"({result.correction}) for all systems and conditions"
    if any(drop.expected != SAME for drop in result.of(name)):
        note += "; where the gold answer changes, consistent is right both times"
    return Listing(title, columns, rows, note)


def _share(drop: Drop) -> float:
    return drop.flips.consistent / drop.flips.n if drop.flips.n else float("nan")


def metric_name(result: Robustness) -> str:
    """The metric in a sentence: ``traditional F1``."""
    return result.metric.name.replace("_f1", " F1").replace("_", " ")


def sentences(result: Robustness) -> list[str]:
    """A sentence for every drop that is beyond chance, and where it comes from."""
    scale, found = result.metric.scale, []
    for drop in (one for one in result.drops if one.hurts):
        lost = scale.written(abs(drop.comparison.difference))
        points = " points" if scale.shown == "percent" else ""
        values = f"{scale.written(drop.original)} to {scale.written(drop.value)}"
        text = f"{drop.system} loses {lost}{points} under {drop.condition}: {metric_name(result)} "
        text += f"{values}, {told_p(drop.p)}, {drop.flips.broken:,} of {drop.n:,} gold units broken"
        where = [
            one.finding.slice.name
            for one in result.weak
            if (one.system, one.condition) == (drop.system, drop.condition)
        ]
        found.append(text + (f"; on {', '.join(where[:3])}" if where else "") + ".")
    return found


def worst_case(result: Robustness) -> Listing:
    """Units by the worst of their answers."""
    measure, scale = result.worst[0].measure, result.worst[0].scale
    columns = (
        Column("system"), Column(f"{measure} on the original", "score", scale=scale),
        Column("under every condition", "score", scale=scale),
        Column(interval_heading(result.level), "number"), Column("units", "count"),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.system, one.original, one.value, bracketed(one.low, one.high, scale=scale), one.n)
        for one in result.worst
    )
    note = "a unit counts by the worst of its answers: on the original and under all conditions"
    return Listing("Worst case", columns, rows, note)


def weak_listing(result: Robustness) -> Listing:
    """Slices that lose, the first ones of each system and condition."""
    columns = (
        Column("system"), Column("condition"), Column("where"), Column("n", "count"),
        Column("original", "score"), Column("perturbed", "score"), Column("change", "change"),
        Column("simultaneous interval", "number"), Column("p", "p"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    seen: dict[tuple[str, str], int] = {}
    for one in result.weak:
        key = one.system, one.condition
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > _SLICES:
            continue
        found = one.finding
        rows.append((
            one.system, one.condition, found.slice.name, found.n, *found.values, found.effect,
            bracketed(found.low, found.high, signed="+", scale=found.scale), found.p,
        ))  # fmt: skip
    left = sum(max(0, size - _SLICES) for size in seen.values())
    note = "gold units found; the chance of any false finding in this table is below "
    note += f"{1 - result.level:.2g}".removeprefix("0")
    note += f"; {left:,} more in JSON and CSV" if left else ""
    return Listing(
        "Where it hurts", columns, tuple(rows), note if rows else "nowhere in particular"
    )


def told(segments: tuple[Segment, ...]) -> str:
    """A text with its changes in brackets.

    >>> told((Segment("in"), Segment("", "Rome", "ROME")))
    'in [Rome → ROME]'
    """
    return " ".join(
        one.text or f"[{one.old} → {one.new}]".replace("[ →", "[+").replace("→ ]", "→ ∅]")
        for one in segments
    )


def _shown(result: Robustness) -> Listing:
    columns = tuple(
        map(
            Column,
            ("system", "condition", "place", "unit", "gold", "original", "perturbed", "text"),
        )
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.system, one.condition, one.place, one.text, one.label, one.before, one.after,
            told(one.segments),
        )
        for one in result.shown
    )  # fmt: skip
    return Listing("Units that broke", columns, rows, "changes of the text stand in brackets")


def records(result: Robustness) -> Listing:
    """One row for each system and condition."""
    scale = result.metric.scale
    columns = (
        Column("system"), Column("condition"), Column("metric"), Column("expected"),
        Column("original", "score", scale=scale), Column("value", "score", scale=scale),
        Column("change", "change", scale=scale), Column("low", "change", scale=scale),
        Column("high", "change", scale=scale), Column("p", "p"), Column("hurts"),
        Column("broken", "count"), Column("fixed", "count"), Column("consistent", "count"),
        Column("n", "count"),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            drop.system, drop.condition, result.metric.name, drop.expected, drop.original,
            drop.value, drop.comparison.difference, drop.comparison.low, drop.comparison.high,
            drop.p, "yes" if drop.hurts else "no", drop.flips.broken, drop.flips.fixed,
            drop.flips.consistent, drop.n,
        )
        for drop in result.drops
    )  # fmt: skip
    return Listing("robustness", columns, rows)


def to_json(result: Robustness) -> dict[str, Any]:
    """The JSON object of ``robustness``."""
    return {
        "metric": result.metric.name,
        "confidence": result.level,
        "correction": result.correction,
        "sampling": {"kind": result.sampling[0], "n": result.sampling[1]},
        "conditions": list(result.conditions),
        "systems": {
            name: {
                "value": number(result.values[place]),
                "interval": bounds(*result.ends[place].tolist()),
                "drops": [_drop_json(drop) for drop in result.of(name)],
                "worst": {
                    "original": number(result.worst[place].original),
                    "value": number(result.worst[place].value),
                    "interval": bounds(result.worst[place].low, result.worst[place].high),
                    "n": result.worst[place].n,
                    "measure": result.worst[place].measure,
                },
            }
            for place, name in enumerate(result.systems)
        },
        "weak": [
            {
                "system": one.system, "condition": one.condition, "where": one.finding.where,
                "name": one.finding.slice.name, "n": one.finding.n,
                "original": number(one.finding.values[0]), "value": number(one.finding.values[1]),
                "change": number(one.finding.effect),
                "interval": bounds(one.finding.low, one.finding.high), "p": number(one.finding.p),
            }
            for one in result.weak
        ],
        "units": [one.to_json() for one in result.shown],
    }  # fmt: skip


def _drop_json(drop: Drop) -> dict[str, Any]:
    return {
        "condition": drop.condition, "expected": drop.expected, "n": drop.n,
        "original": number(drop.original), "value": number(drop.value),
        "change": number(drop.comparison.difference),
        "interval": bounds(drop.comparison.low, drop.comparison.high), "p": number(drop.p),
        "hurts": drop.hurts, "broken": drop.flips.broken, "fixed": drop.flips.fixed,
        "consistent": drop.flips.consistent,
    }  # fmt: skip
