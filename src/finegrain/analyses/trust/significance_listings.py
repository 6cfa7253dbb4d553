"""Significance as tables a paper can print, as JSON, and as one tidy table for CSV."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from finegrain.analyses.interval_cells import bounds, bracketed, sized_samples, with_interval
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.resampling.pairs import TESTS
from finegrain.resampling.power import POWER, power
from finegrain.sizes import plural

if TYPE_CHECKING:
    from finegrain.analyses.trust.significance import Compared, Significance


def listings(found: Significance) -> tuple[Listing, ...]:
    """Systems with ranks and groups, the best first; all pairs."""
    return _systems(found), _pairs(found)


def _systems(found: Significance) -> Listing:
    level = f"{100 * found.settings.level:g} %"
    columns = (
        Column("system"),
        Column(found.metric.name, "score", "max", scale=found.metric.scale),
        Column(level),
        Column("rank"),
        Column("group"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            found.systems[place],
            float(found.values[place]),
            bracketed(*(end[place] for end in found.interval), scale=found.metric.scale),
            _rank(int(found.ranks.best[place]), int(found.ranks.worst[place])),
            found.groups[place],
        )
        for place in found.metric.scale.order(found.values)
    )
    note = (
        "Systems that share a letter in group cannot be told apart on this test set. rank: the "
        "ranks that agree with the tests."
    )
    return Listing(_title(found), columns, rows, note)


def _title(found: Significance) -> str:
    kind, size = found.sampling
    return f"{found.metric.name}, {sized_samples(size, kind, found.effective)}"


def _rank(best: int, worst: int) -> str:
    return f"{best}" if best == worst else f"{best}-{worst}"


def _about(size: int) -> int:
    """Two digits of a number: the rest would pretend.

    >>> _about(8_934), _about(57)
    (8900, 57)
    """
    return round(size, 2 - len(str(size)))


def _pairs(found: Significance) -> Listing:
    scale = found.metric.scale
    columns = [Column("first"), Column("second"), Column("difference", "change", scale=scale)]
    columns += [Column(f"{100 * found.settings.level:g} %"), Column("p", "p")]
    exact = any(not math.isnan(one.comparison.mid_p) for one in found.pairs)
    corrected = len(found.pairs) > 1 and found.correction != "none"
    columns += [Column("mid-p", "p")] if exact else []
    columns += [Column("corrected", "p")] if corrected else []
    columns += [Column("verdict")] if not math.isnan(found.margin) else []
    columns += [Column("effect"), Column("better", "count"), Column("worse", "count")]
    columns += [Column("detects"), Column("needs", "count")]
    rows: list[tuple[Cell, ...]] = []
    for one in found.pairs:
        pair = one.comparison
        row: list[Cell] = [found.systems[one.first], found.systems[one.second], pair.difference]
        row += [bracketed(pair.low, pair.high, signed="+", scale=scale), pair.p]
        row += [pair.mid_p] if exact else []
        row += [one.adjusted] if corrected else []
        row += [found.verdict(one)] if not math.isnan(found.margin) else []
        effect = "n/a" if math.isnan(pair.effect) else f"{pair.effect:+z.2f}"
        size = found.needed(one)
        row += [effect, pair.better, pair.worse, _detects(found, one)]
        rows.append((*row, None if size is None else _about(size)))
    kind, _ = found.sampling
    ends = "higher, lower" if scale.higher else "lower, higher"
    wanted = _written(found, found.detect)
    note = (
        f"difference: second minus first; effect: in standard deviations of one {kind}; better, "
        f"worse: {plural(kind)} in which the second scores {ends}; detects: the difference of this "
        f"pair that its test finds with {100 * POWER:.0f} % power"
        + (f" among {len(found.pairs)}" if corrected else "")
        + f", and where it may lie; needs: {plural(kind)} to find {wanted} with the same power"
    )
    if not math.isnan(found.margin):
        note += f"; equivalent: shown to differ by less than {_written(found, found.margin)}"
    several = f"{len(found.pairs)} pairs" if len(found.pairs) > 1 else "The pair"
    return Listing(f"{several}: {TESTS[found.test]}", tuple(columns), tuple(rows), note)


def _written(found: Significance, difference: float) -> str:
    scale = found.metric.scale
    percent = scale.shown == "percent"
    return f"{100 * difference:g} points" if percent else scale.written(difference)


def _detects(found: Significance, one: Compared) -> str | None:
    """The detectable difference, and where it may lie."""
    value, ends = found.detectable(one), found.detectable_range(one)
    if value is None or ends is None:
        return None
    return with_interval(value, *ends, scale=found.metric.scale)


def to_json(found: Significance) -> dict[str, Any]:
    """The ``result`` object."""
    kind, size = found.sampling
    return {
        "metric": found.metric.name,
        "test": found.test,
        "correction": found.correction,
        "tests": len(found.pairs),
        "confidence": found.settings.level,
        "sample": kind,
        "samples": size,
        "effective_samples": found.effective,
        "detect": found.detect,
        "margin": number(found.margin),
        "systems": {
            name: {
                "value": number(found.values[place]),
                "interval": bounds(found.interval.low[place], found.interval.high[place]),
                "rank": [int(found.ranks.best[place]), int(found.ranks.worst[place])],
                "group": found.groups[place],
            }
            for place, name in enumerate(found.systems)
        },
        "pairs": [_pair_json(found, one) for one in found.pairs],
    }


def _pair_json(found: Significance, one: Compared) -> dict[str, Any]:
    pair, level, spread = one.comparison, found.corrected_level, found.spread(one)
    ends = found.detectable_range(one)
    return {
        "first": found.systems[one.first],
        "second": found.systems[one.second],
        "difference": number(pair.difference),
        "interval": bounds(pair.low, pair.high),
        "p": number(pair.p),
        **({} if math.isnan(pair.mid_p) else {"mid_p": pair.mid_p}),
        "p_corrected": number(one.adjusted),
        "significant": None if math.isnan(one.adjusted) else found.significant(one),
        "verdict": found.verdict(one),
        "p_equivalence": number(one.equivalence),
        "standard_error": number(pair.spread.error),
        "effect": number(pair.effect),
        "better": pair.better,
        "worse": pair.worse,
        "equal": pair.equal,
        "detectable": found.detectable(one),
        "detectable_range": None if ends is None else list(ends),
        "power": power(spread, found.detect, level=level) if spread.tells else None,
        "samples_needed": found.needed(one),
    }


def records(found: Significance) -> Listing:
    """One line per pair."""
    keys = ("difference", "low", "high", "p", "mid_p", "p_corrected", "standard_error", "effect",
            "detectable")  # fmt: skip
    counts = ("better", "worse", "equal", "samples_needed")
    columns = [Column("first"), Column("second"), Column("metric"), Column("test")]
    columns += [Column(key, "score") for key in keys] + [Column(key, "count") for key in counts]
    rows: list[tuple[Cell, ...]] = []
    for one in found.pairs:
        pair = one.comparison
        rows.append(
            (
                found.systems[one.first], found.systems[one.second],
                found.metric.name, found.test,
                pair.difference, pair.low, pair.high, pair.p, pair.mid_p, one.adjusted,
                pair.spread.error, pair.effect, found.detectable(one),
                pair.better, pair.worse, pair.equal, found.needed(one),
            )
        )  # fmt: skip
    return Listing("pairs", tuple(columns), tuple(rows))
