"""A diagnosis as tables, tidy records and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain.bucket_extremes import extremes
from finegrain.analyses.explain.bucket_scores import FEW, BucketScores
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number

if TYPE_CHECKING:
    from finegrain.analyses.explain.diagnosis import Comparison, Diagnosis

_MEASURES = (
    "zeta: mean of gold units. rho: mean size of the Spearman correlations. Spearman: of score and "
    "bucket. std: of the scores of buckets."
)


def to_json(found: Diagnosis) -> dict[str, Any]:
    """The JSON object of a diagnosis."""
    return {
        "metric": found.metric.name,
        "overall": {
            name: number(value) for name, value in zip(found.systems, found.overall, strict=True)
        },
        "attributes": {one.name: _attribute(one, found.systems) for one in found.attributes},
        "comparisons": [
            {
                "system": found.systems[one.system],
                "against": None if one.against is None else found.systems[one.against],
                "attributes": {
                    scores.name: _compared(found, one, place)
                    for place, scores in enumerate(found.attributes)
                },
            }
            for one in found.comparisons
        ],
    }


def _attribute(scores: BucketScores, systems: tuple[str, ...]) -> dict[str, Any]:
    spearman, std = scores.spearman(), scores.std()
    return {
        "names": list(scores.names),
        "gold_sizes": scores.gold.tolist(),
        "few": scores.few.tolist(),
        "level": scores.attributes[0].level,
        "zeta": number(scores.zeta),
        "rho": number(scores.rho()),
        "systems": {
            name: {
                "scores": [number(value) for value in scores.main()[:, system]],
                "spearman": number(spearman[system]),
                "std": number(std[system]),
            }
            for system, name in enumerate(systems)
        },
        "self_diagnosis": {
            name: self_diagnosis(scores, scores.main()[:, system])
            for system, name in enumerate(systems)
        },
    }


def self_diagnosis(scores: BucketScores, values: NDArray[np.float64]) -> dict[str, Any]:
    """The best and the worst bucket by the values ``[bucket]``, and the gap between them."""
    best, worst = scores.best_and_worst(values)
    if best < 0:
        return dict.fromkeys(("best", "best_score", "worst", "worst_score", "gap"))
    return {
        "best": scores.names[best],
        "best_score": float(values[best]),
        "worst": scores.names[worst],
        "worst_score": float(values[worst]),
        "gap": float(scores.scale.gain(values[worst], values[best])),
    }


def _compared(found: Diagnosis, one: Comparison, place: int) -> dict[str, Any]:
    scores, differences = found.attributes[place], one.differences[place]
    largest, smallest = extremes(differences, scores.judged)
    known = largest >= 0
    return {
        "differences": [number(value) for value in differences],
        "rivals": [
            None if rival < 0 else found.systems[rival] for rival in one.rivals[place].tolist()
        ],
        "largest": scores.names[largest] if known else None,
        "largest_difference": float(differences[largest]) if known else None,
        "smallest": scores.names[smallest] if known else None,
        "smallest_difference": float(differences[smallest]) if known else None,
    }


def listings(found: Diagnosis) -> tuple[Listing, ...]:
    """Tables: model-wise and attribute-wise, self-diagnosis, one per comparison."""
    compared = (_comparison(found, one) for one in found.comparisons)
    return (_measures(found), _self_diagnosis(found), *compared)


def _measures(found: Diagnosis) -> Listing:
    columns = [Column("attribute"), Column("zeta"), Column("rho", "percent")]
    for name in found.systems:
        columns += [
            Column("Spearman", "percent", None, name),
            Column("std", "score", None, name, scale=found.metric.scale),
        ]
    rows: list[tuple[Cell, ...]] = []
    for scores in found.attributes:
        pairs = zip(scores.spearman().tolist(), scores.std().tolist(), strict=True)
        measures = (value for pair in pairs for value in pair)
        rows.append((scores.name, zeta_cell(scores), scores.rho(), *measures))
    title = f"Attributes and systems: {_plain(found)}"
    shown = "All but zeta" if found.metric.scale.shown == "percent" else "rho and Spearman"
    return Listing(title, tuple(columns), tuple(rows), f"{_MEASURES} {shown} in percent.")


def zeta_cell(scores: BucketScores) -> str | None:
    """zeta with what it counts."""
    if math.isnan(scores.zeta):
        return None
    unit = scores.attributes[0].unit
    return f"{scores.zeta:.4g}" + (f" {unit}" if unit and unit != "share" else "")


def _self_diagnosis(found: Diagnosis) -> Listing:
    scale = found.metric.scale
    columns = (
        Column("attribute"), Column("system"), Column("bucket", group="best"),
        Column("score", "score", group="best", scale=scale), Column("bucket", group="worst"),
        Column("score", "score", group="worst", scale=scale), Column("gap", "score", scale=scale),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for scores in found.attributes:
        for system, name in enumerate(found.systems):
            values = scores.main()[:, system]
            best, worst = scores.best_and_worst(values)
            if best < 0:
                rows.append((scores.name, name, None, None, None, None, None))
                continue
            ends = float(values[best]), float(values[worst])
            rows.append(
                (scores.name, name, _held(scores, best), ends[0], _held(scores, worst), ends[1],
                 abs(ends[0] - ends[1]))
            )  # fmt: skip
    title = f"Self-diagnosis: {_plain(found)}"
    return Listing(title, columns, tuple(rows), _few_note(found))


def _comparison(found: Diagnosis, one: Comparison) -> Listing:
    rivals = one.against is None
    columns: list[Column] = [Column("attribute")]
    for group in ("largest difference", "smallest difference"):
        columns.append(Column("bucket", group=group))
        columns.append(Column("difference", "change", group=group, scale=found.metric.scale))
        columns += [Column("against", group=group)] if rivals else []
    rows: list[tuple[Cell, ...]] = []
    for place, scores in enumerate(found.attributes):
        cells: list[Cell] = [scores.name]
        for at in extremes(one.differences[place], scores.judged):
            known = at >= 0
            cells += [
                _held(scores, at) if known else None,
                float(one.differences[place][at]) if known else None,
            ]
            cells += [found.systems[one.rivals[place][at]] if known else None] if rivals else []
        rows.append(tuple(cells))
    other = "the best of the others" if one.against is None else found.systems[one.against]
    title = f"Comparative diagnosis: {found.systems[one.system]} against {other}"
    note = "" if found.metric.scale.higher else "Less is better: differences are gains. "
    return Listing(title, tuple(columns), tuple(rows), (note + _few_note(found)).rstrip())


def _plain(found: Diagnosis) -> str:
    return found.metric.name.replace("_", " ")


def _held(scores: BucketScores, place: int) -> str:
    """The name of a bucket, what it holds, and its size where that is small."""
    places = np.unravel_index(place, [len(division) for division in scores.divisions])
    parts = []
    for division, at in zip(scores.divisions, places, strict=True):
        bucket = division.buckets[int(at)]
        held = bucket.range()
        parts.append(bucket.name if held == bucket.name else f"{bucket.name}: {held}")
    size = f" (n={scores.gold[place]})" if scores.few[place] else ""
    return " / ".join(parts) + size


def _few_note(found: Diagnosis) -> str:
    some = any(scores.few.any() for scores in found.attributes)
    return f"n: gold units, where there are fewer than {FEW}." if some else ""


def records(found: Diagnosis) -> Listing:
    """All numbers as one tidy table."""
    columns = (
        Column("attribute"), Column("system"), Column("against"), Column("measure"),
        Column("bucket"), Column("value", "score"),
    )  # fmt: skip
    rows = (*_measured(found), *_all_compared(found))
    return Listing("diagnosis", columns, rows)


def _measured(found: Diagnosis) -> Iterator[tuple[Cell, ...]]:
    for scores in found.attributes:
        yield scores.name, "", "", "zeta", "", scores.zeta
        yield scores.name, "", "", "rho", "", scores.rho()
        spearman, std = scores.spearman().tolist(), scores.std().tolist()
        for system, name in enumerate(found.systems):
            yield scores.name, name, "", "spearman", "", spearman[system]
            yield scores.name, name, "", "std", "", std[system]
            values = scores.main()[:, system].tolist()
            for bucket, value in zip(scores.names, values, strict=True):
                yield scores.name, name, "", "score", bucket, value
            own = self_diagnosis(scores, scores.main()[:, system])
            for end in ("best", "worst"):
                yield scores.name, name, "", end, own[end] or "", own[f"{end}_score"]
            yield scores.name, name, "", "gap", "", own["gap"]


def _all_compared(found: Diagnosis) -> Iterator[tuple[Cell, ...]]:
    for one in found.comparisons:
        name = found.systems[one.system]
        for place, scores in enumerate(found.attributes):
            triples = zip(scores.names, one.differences[place], one.rivals[place], strict=True)
            for bucket, value, rival in triples:
                other = "" if rival < 0 else found.systems[rival]
                yield scores.name, name, other, "difference", bucket, float(value)
