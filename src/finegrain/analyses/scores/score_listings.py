"""Scores as tables for people, and as one tidy table for CSV.

>>> from finegrain.analyses.listing import Listing
>>> from finegrain.analyses.scores.score import score
>>> from finegrain.metrics.tag_scores import TAG_METRICS
>>> from finegrain.tasks.tags import align
>>> from finegrain.corpus import Corpus
>>> gold = Corpus.of([["a", "b"]], tags=[["N", "V"]])
>>> listing = listings(score(align(gold, {"s": gold}), TAG_METRICS))[0]
>>> [column.name for column in listing.columns]
['system', 'accuracy', 'sentences', 'macro F1', 'weighted F1']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.interval_cells import (
    SIDE_BY_SIDE,
    bracketed,
    interval_heading,
    interval_title,
)
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.scores.breakdown import Breakdown
from finegrain.analyses.scores.family_listings import by_family, in_families
from finegrain.analyses.scores.metric_cells import column, interval_cell
from finegrain.analyses.scores.scheme_scores import scheme_json
from finegrain.metrics.label_counts import f1, precision, recall
from finegrain.metrics.match_schemes import KINDS, as_label_counts
from finegrain.metrics.metric import Metric
from finegrain.sizes import sized

if TYPE_CHECKING:
    from finegrain.analyses.scores.score import Scores

FAMILIES_IN_FULL = 5  # with more of them, only F1 is shown
_SCHEME_SCORES = {"P": precision, "R": recall, "F1": f1}


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Labels, documents or other things that have a score each: ``values[metric][row, system]``."""

    kind: str
    names: Sequence[str]
    size: NDArray[np.int64]
    predicted: NDArray[np.int64]
    values: Mapping[str, NDArray[np.float64]]

    def largest_first(self) -> list[tuple[int, str]]:
        """Places and names; labels of which no unit is left are left out."""
        order = np.argsort(-self.size, kind="stable")
        return [(int(place), self.names[place]) for place in order if self._has_units(place)]

    def _has_units(self, place: int) -> bool:
        if self.kind != "label" or self.size[place] or self.predicted[place : place + 1].any():
            return True
        return any(not np.isnan(values[place]).all() for values in self.values.values())


def listings(scores: Scores) -> tuple[Listing, ...]:
    """Overall scores, with intervals, labels, match schemes, documents or values of a column."""
    labels = Rows("label", scores.labels, scores.support, scores.predicted, scores.by_label)
    shown = shown_metrics(scores)
    averages = [one for one in shown if one.listed.table and one.listed.several_labels]
    averages = averages if len(averages) < len(shown) else []
    found = _overview(scores, [one for one in shown if one not in averages])
    found += [*_with_intervals(scores), *_tables(scores, averages)]
    if len(scores.labels) > 1:  # of a single label the tables above say all
        found += _by_row(scores, labels)
    if scores.schemes:
        found += _schemes(scores)
    if scores.parts is not None:
        found += _by_row(scores, _rows(scores.parts))
    return tuple(found)


def _rows(parts: Breakdown) -> Rows:
    return Rows(parts.by, parts.names, parts.size, parts.predicted, parts.values)


def _by_row(scores: Scores, rows: Rows) -> list[Listing]:
    """One system: all its numbers; several: F1 (accuracy of tags by column) side by side."""
    by_label = rows.kind == "label"
    metrics = scores.metrics if by_label else scores.overall_metrics()
    asked = scores.asked and not by_label
    shown = [
        one for one in metrics if one.name in rows.values and (one.listed.detail <= 1 or asked)
    ]
    if len({one.family for one in shown}) > FAMILIES_IN_FULL:
        shown = [one for one in shown if one.short == "f1"]
    if not shown or not rows.largest_first():
        return []
    if len(scores.systems) == 1:
        return [_of_one(scores, rows, shown)]
    compared = [one for one in shown if one.listed.detail == 0]
    return [_of_many(scores, rows, one) for one in compared or (shown if asked else ())]


def _overview(scores: Scores, shown: Sequence[Metric]) -> list[Listing]:
    """Scores of all systems."""
    if scores.task.score_rows == "systems":
        return _tables(scores, shown)
    families = [one for one in scores.metrics if in_families(one)]
    others = [one for one in shown if not in_families(one)]
    first = [by_family(scores, families, _title(scores))] if families else []
    return [*first, *_tables(scores, others)]


def _tables(scores: Scores, shown: Sequence[Metric]) -> list[Listing]:
    """One row per system, in as many tables as metrics name."""
    tables = dict.fromkeys(one.listed.table for one in shown)
    return [
        _overall(scores, [one for one in shown if one.listed.table == table], table)
        for table in sorted(tables)  # the first one has no name
    ]


def shown_metrics(scores: Scores) -> list[Metric]:
    """What the overview has: all that was asked for, else what it has room for.

    What is undefined for want of documents or columns is left out; of families that are named in
    headings the F1 is there alone, and before what belongs to no family.
    """
    if scores.asked:
        return list(scores.metrics)
    found = [
        one
        for one in scores.told_metrics()
        if one.listed.detail <= 2
        and (one.short == "f1" or not one.listed.family)
        and (len(scores.labels) != 1 or not one.listed.several_labels)
        and not (_may_be_left_out(one) and _all_undefined(scores, one))
    ]
    return sorted(found, key=lambda one: not one.family)


def _may_be_left_out(metric: Metric) -> bool:
    """Whether a column without a number says nothing: there is more to it than missing units."""
    return bool(metric.whole_documents or metric.undefined or metric.listed.table)


def _all_undefined(scores: Scores, metric: Metric) -> bool:
    return bool(np.isnan(scores.overall[metric.name]).all())


def _title(scores: Scores) -> str:
    """How many units there are, and what they stand in."""
    words, (units, contexts) = scores.task.words, scores.size
    gold = words.gold if units == 1 else words.gold.replace(words.unit, words.units)
    said = f"{units:,} {gold} {words.which}".strip()
    return f"{said} in {sized(contexts, words.context)}" if words.context else said


def _overall(scores: Scores, shown: Sequence[Metric], table: str) -> Listing:
    """One row per system; the first table has the number of predicted units, too."""
    predicted = scores.task.detects and not table
    columns = [Column("system"), *([Column("predicted", "count")] if predicted else [])]
    columns += (column(one, overview=True) for one in shown)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            *((int(scores.predicted[:, place].sum()),) if predicted else ()),
            *(float(scores.overall[one.name][place]) for one in shown),
        )
        for place, name in enumerate(scores.systems)
    )
    notes = dict.fromkeys(f"{one.head}: {one.listed.note}" for one in shown if one.listed.note)
    return Listing(table or _title(scores), tuple(columns), rows, "; ".join(notes))


def _with_intervals(scores: Scores) -> list[Listing]:
    """The overview with intervals; of families of precision, recall and F1 the F1 alone."""
    ends = scores.intervals
    if ends is None:
        return []
    known = [one for one in scores.overall_metrics() if not _all_undefined(scores, one)]
    known = [one for one in known if not one.listed.table] or known
    overview = shown_metrics(scores)
    shown = [one for one in known if one.family and one.short in ("f1", "f_beta")]
    shown = shown or [one for one in known if one in overview]
    columns = (replace(column(one, best=None), kind="text") for one in shown)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            *(
                interval_cell(one, scores.overall[one.name][at], *ends.overall[one.name][at])
                for one in shown
            ),
        )
        for at, name in enumerate(scores.systems)
    )
    told = interval_title(ends.confidence, ends.samples, ends.sample, ends.effective)
    return [Listing(told, (Column("system"), *columns), rows)] if shown else []


def _label_ends(scores: Scores, rows: Rows, metric: Metric) -> NDArray[np.float64] | None:
    """``[label, system, (low, high)]`` where a table has room for them."""
    ends = scores.intervals
    if ends is None or rows.kind != "label" or len(scores.systems) > SIDE_BY_SIDE:
        return None
    return ends.by_label[metric.name] if metric.short in ("f1", "f_beta") else None


def _of_one(scores: Scores, rows: Rows, shown: Sequence[Metric]) -> Listing:
    """One system: precision, recall and F1 of each row."""
    columns = [Column(rows.kind), Column("gold", "count")]
    predicted = scores.task.detects
    columns += [Column("predicted", "count")] if predicted else []
    for metric in shown:
        columns.append(column(metric, best=None))
        if _label_ends(scores, rows, metric) is not None:
            columns.append(Column(_percent(scores), group=metric.family_words))
    lines: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            int(rows.size[row]),
            *((int(rows.predicted[row, 0]),) if predicted else ()),
            *(one for metric in shown for one in _cells(scores, rows, metric, row, 0)),
        )
        for row, name in rows.largest_first()
    )
    return Listing(f"By {rows.kind}", tuple(columns), lines)


def _percent(scores: Scores) -> str:
    return "" if scores.intervals is None else interval_heading(scores.intervals.confidence)


def _cells(scores: Scores, rows: Rows, metric: Metric, row: int, system: int) -> tuple[Cell, ...]:
    """A score and, where there is one and room for it, its interval."""
    value = float(rows.values[metric.name][row, system])
    ends = _label_ends(scores, rows, metric)
    return (
        (value,)
        if ends is None
        else (value, bracketed(*ends[row, system].tolist(), scale=metric.scale))
    )


def _of_many(scores: Scores, rows: Rows, metric: Metric) -> Listing:
    """Several systems: one number of each row; the shorter side across, the best system marked."""
    values = rows.values[metric.name]
    title = f"{metric.listed.family or metric.family} {metric.head} by {rows.kind}".strip()
    title = title[0].upper() + title[1:]
    scale = metric.scale
    if len(scores.systems) > len(rows.names):
        across = rows.largest_first()
        heads = (
            Column(f"{name} ({rows.size[row]:,})", "score", "max", scale=scale)
            for row, name in across
        )
        lines: Iterator[tuple[Cell, ...]] = (
            (name, *(float(values[row, place]) for row, _ in across))
            for place, name in enumerate(scores.systems)
        )
        return Listing(title, (Column("system"), *heads), tuple(lines))
    columns = [Column(rows.kind), Column("gold", "count")]
    for name in scores.systems:
        columns.append(Column(name, "score", "row", scale=scale))
        if _label_ends(scores, rows, metric) is not None:
            columns.append(Column(_percent(scores)))
    places = range(len(scores.systems))
    found: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            int(rows.size[row]),
            *(one for at in places for one in _cells(scores, rows, metric, row, at)),
        )
        for row, name in rows.largest_first()
    )
    return Listing(title, tuple(columns), found)


def _schemes(scores: Scores) -> list[Listing]:
    """Counts and scores of every scheme; for one system F1 by label too."""
    columns = [Column("scheme"), Column("system"), *(Column(kind, "count") for kind in KINDS)]
    columns += (Column(heading, "score") for heading in _SCHEME_SCORES)
    rows: list[tuple[Cell, ...]] = []
    for scheme, by_label in scores.schemes.items():
        for system, counts in zip(scores.systems, by_label.sum(axis=0), strict=True):
            ratios = [float(score(as_label_counts(counts))) for score in _SCHEME_SCORES.values()]
            rows.append((scheme, system, *counts.astype(int).tolist(), *ratios))
    found = [Listing("Match schemes", tuple(columns), tuple(rows))]
    if len(scores.systems) == 1:
        order = np.argsort(-scores.support, kind="stable").tolist()
        values = [f1(as_label_counts(counts[:, 0])) for counts in scores.schemes.values()]
        heads = (Column(scheme, "score") for scheme in scores.schemes)
        lines: Iterator[tuple[Cell, ...]] = (
            (scores.labels[code], int(scores.support[code]), *(float(v[code]) for v in values))
            for code in order
        )
        columns = [Column("label"), Column("gold", "count"), *heads]
        found.append(Listing("F1 by label and match scheme", tuple(columns), tuple(lines)))
    return found


def records(scores: Scores) -> Listing:
    """Every number in a line of its own; with intervals, their ends in columns of their own."""
    found = _numbers(scores)
    if scores.intervals is None:
        return found
    ends = {"": {name: values.tolist() for name, values in scores.intervals.overall.items()}}
    by_label = {name: values.tolist() for name, values in scores.intervals.by_label.items()}
    for code, label in enumerate(scores.labels):
        ends[label] = {name: values[code] for name, values in by_label.items()}
    place = {name: at for at, name in enumerate(scores.systems)}
    rows = []
    for row in found.rows:
        system, *part, of_label, metric, _ = row
        values = ends.get(str(of_label), {}).get(str(metric)) if not any(part) else None
        at = place[str(system)]
        rows.append((*row, *((None, None) if values is None else values[at])))
    columns = (*found.columns, Column("low", "score"), Column("high", "score"))
    return Listing(found.title, columns, tuple(rows))


def _numbers(scores: Scores) -> Listing:
    """Every number in a line of its own; with a breakdown, its value in a column of its own."""
    rows = [(system, "", *rest) for system, *rest in _records(scores)]
    parts = scores.parts
    columns = (Column("system"), Column("label"), Column("metric"), Column("value", "score"))
    if parts is None:
        return Listing("scores", columns, tuple((row[0], *row[2:]) for row in rows))
    for place, system in enumerate(scores.systems):
        for row in parts.order():
            name = parts.names[row]
            rows += (
                (system, name, "", metric.name, float(parts.values[metric.name][row, place]))
                for metric in scores.overall_metrics()
                if metric.name in parts.values
            )
            rows.append((system, name, "", "gold", int(parts.size[row])))
            rows.append((system, name, "", "predicted", int(parts.predicted[row, place])))
    return Listing("scores", (columns[0], Column(parts.by), *columns[1:]), tuple(rows))


def _records(scores: Scores) -> Iterator[tuple[Cell, ...]]:
    """System, label, metric, value."""
    overall = {metric.name for metric in scores.overall_metrics()}
    for place, system in enumerate(scores.systems):
        for metric in scores.metrics:
            if metric.name in overall:
                yield system, "", metric.name, float(scores.overall[metric.name][place])
            if metric.label_score is not None:
                for label, value in zip(
                    scores.labels, scores.by_label[metric.name][:, place], strict=True
                ):
                    yield system, label, metric.name, float(value)
        for scheme, counts in scores.schemes.items():
            found = scheme_json(counts[:, place])
            for label, told in zip(("", *scores.labels), found, strict=True):
                for name, value in told.items():
                    yield system, label, f"{scheme}_{name}", value
