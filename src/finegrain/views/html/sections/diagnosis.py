"""The best and the worst bucket of the best two systems; where the best is ahead, and behind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain.bucket_extremes import extremes
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.diagnosis import Diagnosis
from finegrain.analyses.listing import Cell, Column, Kind, Linked, Listing, Value
from finegrain.analyses.reports.report import Report
from finegrain.views.charts.diagnosis_bars import comparison_of, diagnosis_bars
from finegrain.views.html.listing_table import Look, Table, table_of


def diagnosis_of(report: Report) -> Table | None:
    """A row for every attribute; nothing where there is no figure of them."""
    found = report.results.get("diagnose")
    if not isinstance(found, Diagnosis) or diagnosis_bars(found, report.order) is None:
        return None
    compared = comparison_of(found, report.order[0])
    columns = [Column("attribute")]
    for place in report.order[:2]:
        columns += _columns(found, found.systems[place], ("best at", "worst at"), "score")
    title = "Where systems are good and bad"
    if compared is not None:
        other = "the best of the others"
        other = other if compared.against is None else found.systems[compared.against]
        pair = f"{found.systems[compared.system]} against {other}"
        columns += _columns(found, pair, ("farthest ahead at", "farthest behind at"), "change")
        title = f"{title}; {pair}"
    rows: list[tuple[Cell, ...]] = []
    for at, scores in enumerate(found.attributes):
        if len(scores.divisions) > 1 or np.count_nonzero(scores.gold) < 2:
            continue
        cells: list[Cell] = [scores.name.replace("_", " ")]
        for place in report.order[:2]:
            values = scores.main()[:, place]
            cells += _cells(report, scores, place, values, scores.best_and_worst(values))
        if compared is not None:
            values = compared.differences[at]
            ends = extremes(values, scores.judged)
            cells += _cells(report, scores, compared.system, values, ends)
        rows.append(tuple(cells))
    return table_of("diagnose", Listing(title, tuple(columns), tuple(rows)), Look(digits=1))


def _columns(found: Diagnosis, group: str, heads: tuple[str, ...], kind: Kind) -> Iterator[Column]:
    for name in heads:
        yield Column(name, group=group)
        yield Column("", kind, group=group, scale=found.metric.scale)


def _cells(
    report: Report,
    scores: BucketScores,
    system: int,
    values: NDArray[np.float64],
    ends: tuple[int, int],
) -> Iterator[Cell]:
    """What two buckets hold, how many gold units, the values there and the errors of a system."""
    for place in ends:
        if place < 0:
            yield from (None, None)
            continue
        bucket = scores.divisions[0].buckets[place].range()
        yield held(report, scores, place, f"{bucket} (n = {scores.gold[place]:,})")
        yield Linked(float(values[place]), scores.behind(place, system))


def held(report: Report, scores: BucketScores, bucket: int, value: Value) -> Linked:
    """A value of a bucket that leads to its gold units, or to those with a token there."""
    behind = scores.held(bucket)
    if behind is None or not scores.of_tokens:
        return Linked(value, behind)
    units = f"{behind.count:,} {report.task.words.of(behind.count)}"
    return Linked(value, behind, f"{units} with such a token")
