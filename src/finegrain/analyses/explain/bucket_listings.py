"""Scores by bucket as tables, tidy records and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from finegrain.analyses.explain.bucket_scores import FEW, BucketScores
from finegrain.analyses.interval_cells import (
    SIDE_BY_SIDE,
    bounds,
    bracketed,
    interval_heading,
)
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.attributes.bucketing import Bucket, Division


def as_json(found: BucketScores, systems: tuple[str, ...]) -> dict[str, Any]:
    """The JSON object of one attribute."""
    crossed = len(found.divisions) > 1
    division = Division(()) if crossed else found.divisions[0]
    spearman, std = found.spearman(), found.std()
    described: dict[str, Any] = {
        "edges": list(division.edges),
        "values": list(division.values),
        "names": list(found.names),
        "buckets": [_bucket(bucket) for bucket in division.buckets],
        "gold_sizes": found.gold.tolist(),
        "few": found.few.tolist(),
        "zeta": number(found.zeta),
        "rho": number(found.rho()),
        "level": found.attributes[0].level,
        "kind": found.attributes[0].kind,
        "metric": found.metrics[0].name,
        "systems": {
            name: {
                "overall": number(found.overall[system]),
                "predicted_sizes": found.predicted[:, system].tolist(),
                "correct": found.correct[:, system].tolist(),
                **{
                    metric.short or metric.name: [
                        number(value) for value in found.scores[metric.name][:, system]
                    ]
                    for metric in found.metrics
                },
                "spearman": number(spearman[system]),
                "std": number(std[system]),
                **_intervals_json(found, system),
            }
            for system, name in enumerate(systems)
        },
    }
    if crossed:
        described["kind"] = "crossed"
        described["crossed"] = [
            {
                "attribute": attribute.name,
                "edges": list(division.edges),
                "values": list(division.values),
                "buckets": [_bucket(bucket) for bucket in division.buckets],
            }
            for attribute, division in zip(found.attributes, found.divisions, strict=True)
        ]
    return described


def _intervals_json(found: BucketScores, system: int) -> dict[str, Any]:
    """Intervals of the first metric, bucket by bucket."""
    if found.intervals is None:
        return {}
    metric, ends = found.metrics[0], found.intervals.ends[:, system].tolist()
    told = {(metric.short or metric.name): [bounds(*both) for both in ends]}
    return {"intervals": {"confidence": found.intervals.confidence, **told}}


def _bucket(bucket: Bucket) -> dict[str, Any]:
    found: dict[str, Any] = {"name": bucket.name, "kind": bucket.kind}
    if bucket.kind == "value":
        found["value"] = bucket.value
    if bucket.kind == "interval":
        found |= {"above": bucket.above, "up_to": bucket.up_to}
        found |= {"gold_min": number(bucket.least), "gold_max": number(bucket.most)}
    return found


def bucket_listing(found: BucketScores, systems: tuple[str, ...]) -> Listing:
    """One table: a row per bucket, the main score of every system."""
    metric = found.metrics[0]
    columns: list[Column] = []
    for attribute in found.attributes:
        numbers = attribute.kind == "number"
        columns += (
            [Column("bucket"), Column(attribute.name)] if numbers else [Column(attribute.name)]
        )
    columns.append(Column("gold", "count"))
    percent = _percent(found, systems)
    for name in systems:
        columns += (Column(name, "score", "row", shade=True, scale=metric.scale), *percent)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*_cells(found, place), int(found.gold[place]), *_with_intervals(found, place, systems))
        for place in range(len(found.gold))
    )
    what = metric.name.replace("_", " ")
    level = f" (tokens of {found.tokens_of})" if found.tokens_of else ""
    title = " and ".join(one.name for one in found.attributes)
    texts = sum(2 if one.kind == "number" else 1 for one in found.attributes)
    return Listing(
        f"{title}: {what}{level}",
        tuple(columns),
        rows,
        _note(found),
        tuple(_footer(found, texts, beside=len(percent))),
    )


def _percent(found: BucketScores, systems: tuple[str, ...]) -> list[Column]:
    """A column for intervals, where there are any and room for them."""
    if found.intervals is None or len(systems) > SIDE_BY_SIDE:
        return []
    return [Column(interval_heading(found.intervals.confidence))]


def _with_intervals(
    found: BucketScores, place: int, systems: tuple[str, ...]
) -> Iterator[float | str]:
    """The main score of every system in a bucket, with its interval where there is room."""
    percent = _percent(found, systems)
    for system, value in enumerate(found.main()[place].tolist()):
        yield value
        if percent and found.intervals is not None:
            yield bracketed(*found.intervals.ends[place, system].tolist(), scale=found.scale)


def _cells(found: BucketScores, place: int) -> Iterator[str]:
    """The name and the range of a bucket, of every attribute that is crossed."""
    places = np.unravel_index(place, [len(division) for division in found.divisions])
    for attribute, division, at in zip(found.attributes, found.divisions, places, strict=True):
        bucket = division.buckets[int(at)]
        yield bucket.name
        if attribute.kind == "number":
            yield bucket.range()


def _footer(found: BucketScores, texts: int, *, beside: int) -> Iterator[tuple[Cell, ...]]:
    """All units together, then what sums up the buckets.

    texts: columns in front of sizes; beside: columns behind each score
    """

    def row(name: str, second: str, size: Cell, values: Iterable[Cell]) -> tuple[Cell, ...]:
        cells = (cell for value in values for cell in (value, *[""] * beside))
        return (*(name, second, *[""] * texts)[:texts], size, *cells)

    zeta = "" if np.isnan(found.zeta) else f"zeta {found.zeta:.4g}"
    yield row("all", zeta, int(found.gold.sum()), (float(value) for value in found.overall))
    if not np.isnan(found.rho()):
        signed = (_signed(value) for value in found.spearman())
        yield row("Spearman", f"rho {found.rho():.2f}", "", signed)
    yield row("std", "", "", (float(value) for value in found.std()))


def _note(found: BucketScores) -> str:
    """Buckets that are too small for a judgement."""
    few = [name for name, small in zip(found.names, found.few, strict=True) if small]
    return f"Fewer than {FEW} gold units: {', '.join(few)}." if few else ""


def _signed(value: float) -> str:
    return "n/a" if np.isnan(value) else f"{value:+z.2f}"


def as_records(attributes: Sequence[BucketScores], systems: tuple[str, ...]) -> Listing:
    """All numbers as one tidy table."""
    columns = (
        Column("attribute"), Column("bucket"), Column("range"), Column("system"), Column("metric"),
        Column("gold", "count"), Column("predicted", "count"), Column("correct", "count"),
        Column("value", "score"),
    )  # fmt: skip
    intervals = any(found.intervals is not None for found in attributes)
    rows: list[tuple[Cell, ...]] = []
    for found in attributes:
        for place, name in enumerate(found.names):
            shown = " / ".join(_ranges(found, place))
            for system, system_name in enumerate(systems):
                sizes = (
                    int(found.gold[place]),
                    int(found.predicted[place, system]),
                    int(found.correct[place, system]),
                )
                rows += (
                    (found.name, name, shown, system_name, metric, *sizes,
                     float(values[place, system]), *_ends(found, metric, place, system))
                    for metric, values in found.scores.items()
                )  # fmt: skip
    ends = (Column("low", "score"), Column("high", "score")) if intervals else ()
    return Listing("buckets", (*columns, *ends), tuple(rows))


def _ends(found: BucketScores, metric: str, place: int, system: int) -> tuple[Cell, ...]:
    if found.intervals is None:
        return ()
    if metric != found.metrics[0].name:
        return (None, None)
    return tuple(found.intervals.ends[place, system].tolist())


def _ranges(found: BucketScores, place: int) -> Iterator[str]:
    places = np.unravel_index(place, [len(division) for division in found.divisions])
    for division, at in zip(found.divisions, places, strict=True):
        yield division.buckets[int(at)].range()
