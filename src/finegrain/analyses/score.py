"""How good each system is: metrics overall and per label, for any number of systems.

>>> from finegrain.corpus import Corpus
>>> from finegrain.metrics.span_scores import SPAN_METRICS
>>> from finegrain.tasks.spans import align
>>> text = [["in", "New", "York", "City"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> short = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O"]])
>>> scores = score(align(gold, {"short": short}), SPAN_METRICS)
>>> scores.value("traditional_f1", "short"), scores.value("weighted_f1", "short")
(0.0, 0.6666666666666666)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.error_types import ErrorTypes, error_types
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.errors import UsageError
from finegrain.metrics.label_counts import PREDICTED
from finegrain.metrics.metric import Metric, Statistics
from finegrain.metrics.span_scores import Focus, traditional_counts
from finegrain.table import OutcomeTable
from finegrain.table.samples import whole

HEADINGS = {"precision": "P", "recall": "R", "f1": "F1", "macro_f1": "macro F1"}
TAG_HEADINGS = {
    "accuracy": "accuracy",
    "sentence_accuracy": "sentences",
    "macro_f1": "macro F1",
    "weighted_f1": "weighted F1",
}


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Values of metrics; ``overall[name]`` is ``[system]``, ``by_label[name]`` ``[label, system]``.

    ``errors`` and ``predicted`` hold the counts behind span scores, ``support`` the gold units
    per label.
    """

    task: str
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    metrics: tuple[Metric, ...]
    overall: Mapping[str, NDArray[np.float64]]
    by_label: Mapping[str, NDArray[np.float64]]
    support: NDArray[np.int64]
    predicted: NDArray[np.int64]
    errors: ErrorTypes | None
    gold_repairs: int
    repairs: Mapping[str, int]
    size: tuple[int, int]
    signature: str
    notes: tuple[str, ...]

    def value(self, metric: str, system: str, *, label: str | None = None) -> float:
        """One number; nan where undefined."""
        if metric not in self.overall:
            raise UsageError.unknown("metric", metric, self.overall)
        if system not in self.systems:
            raise UsageError.unknown("system", system, self.systems)
        place = self.systems.index(system)
        if label is None:
            return float(self.overall[metric][place])
        if label not in self.labels:
            raise UsageError.unknown("label", label, self.labels)
        return float(self.by_label[metric][self.labels.index(label), place])

    def to_json(self) -> dict[str, Any]:
        return {name: self._system(place) for place, name in enumerate(self.systems)}

    def _system(self, system: int) -> dict[str, Any]:
        found: dict[str, Any] = {"overall": {}, "labels": {}}
        for metric in self.metrics:
            if metric.family or metric.label_score is None:
                _put(found["overall"], metric, self.overall[metric.name][system])
        if self.errors is not None:
            found["counts"] = self._counts(None, system)
        for code, label in enumerate(self.labels):
            of_label: dict[str, Any] = {}
            for metric in self.metrics:
                if metric.label_score is not None:
                    _put(of_label, metric, self.by_label[metric.name][code, system])
            if self.errors is not None:
                of_label["counts"] = self._counts(code, system)
            else:
                of_label["support"] = int(self.support[code])
            found["labels"][label] = of_label
        if self.repairs:
            name = self.systems[system]
            found["repairs"] = {"gold": self.gold_repairs, "system": self.repairs[name]}
        return found

    def _counts(self, label: int | None, system: int) -> dict[str, int]:
        if self.errors is None:
            return {}
        counts, labels = (
            self.errors.counts,
            slice(None) if label is None else slice(label, label + 1),
        )
        found = self.errors._counts(counts[labels, system].sum(axis=0))
        found["gold"] = int(self.support[labels].sum())
        found["predicted"] = int(self.predicted[labels, system].sum())
        return found

    def listings(self) -> tuple[Listing, ...]:
        return _span_listings(self) if self.task == "spans" else _tag_listings(self)

    def records(self) -> Listing:
        columns = (Column("system"), Column("label"), Column("metric"), Column("value", "score"))
        rows: list[tuple[Cell, ...]] = []
        for place, system in enumerate(self.systems):
            for metric in self.metrics:
                if metric.family or metric.label_score is None:
                    rows.append((system, "", metric.name, float(self.overall[metric.name][place])))
                if metric.label_score is not None:
                    values = self.by_label[metric.name][:, place]
                    rows += (
                        (system, label, metric.name, float(value))
                        for label, value in zip(self.labels, values, strict=True)
                    )
        return Listing("scores", columns, tuple(rows))


def _put(target: dict[str, Any], metric: Metric, value: float) -> None:
    place = target.setdefault(metric.family, {}) if metric.family else target
    place[metric.short or metric.name] = number(value)


def score(
    table: OutcomeTable, metrics: Sequence[Metric], *, focus: Focus = "target", weights: str = ""
) -> Scores:
    """Score all systems; ``focus`` charges the counts of label errors as the metrics do."""
    for metric in metrics:
        if table.task not in metric.tasks:
            raise UsageError(
                f"metric {metric.name!r} is for {', '.join(metric.tasks)}, not for {table.task}"
            )
    sums: dict[Statistics, NDArray[np.float64]] = {}
    overall: dict[str, NDArray[np.float64]] = {}
    by_label: dict[str, NDArray[np.float64]] = {}
    for metric in metrics:
        if metric.statistics not in sums:
            sums[metric.statistics] = metric.statistics(table, whole(table))[0]
        counted = sums[metric.statistics]
        overall[metric.name] = metric.score(counted)
        if metric.label_score is not None:
            by_label[metric.name] = metric.label_score(counted).T
    spans = table.task == "spans"
    counts = traditional_counts(table, whole(table))[0] if spans else None
    choices = {"focus": focus, "weights": weights} if spans and weights else {}
    undefined = [name for name, values in overall.items() if np.isnan(values).any()]
    return Scores(
        table.task,
        table.systems,
        table.labels,
        tuple(metrics),
        overall,
        by_label,
        support=np.bincount(table.label[table.is_gold], minlength=table.n_labels),
        predicted=counts[..., PREDICTED].T.astype(np.int64)
        if counts is not None
        else np.empty((0, 0), np.int64),
        errors=error_types(table, focus=focus) if spans else None,
        gold_repairs=table.gold_repairs,
        repairs=table.repairs,
        size=(table.n_gold, table.corpus.n_sentences),
        signature=signature(table, **choices),
        notes=(*table.notes, *(_undefined(name) for name in undefined)),
    )


def _undefined(name: str) -> str:
    why = "no predictions" if name.endswith("precision") else "no gold units"
    if name.endswith("f1"):
        why = "neither gold units nor predictions"
    return f"{name} is undefined for some systems: {why}"


def _span_listings(scores: Scores) -> tuple[Listing, ...]:
    families = list(dict.fromkeys(metric.family for metric in scores.metrics))
    shown = [metric for metric in scores.metrics if metric.short in HEADINGS]
    columns = [Column("system"), Column("predicted", "count")]
    columns += (Column(HEADINGS[metric.short], "score", "max", metric.family) for metric in shown)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            int(scores.predicted[:, place].sum()),
            *(float(scores.overall[metric.name][place]) for metric in shown),
        )
        for place, name in enumerate(scores.systems)
    )
    units, sentences = scores.size
    title = f"{units:,} gold spans in {sentences:,} sentences"
    overall = Listing(title, tuple(columns), rows)
    if not families or not any(metric.short == "f1" for metric in scores.metrics):
        return (overall,)
    if len(scores.systems) == 1:
        return overall, _labels_of_one(scores, shown)
    return overall, *(
        _labels_of_many(scores, family) for family in families if family in ("traditional", "fair")
    )


def _labels_of_one(scores: Scores, shown: Sequence[Metric]) -> Listing:
    """One system: precision, recall and F1 of each label."""
    metrics = [metric for metric in shown if metric.label_score is not None]
    columns = [Column("label"), Column("gold", "count"), Column("predicted", "count")]
    columns += (Column(HEADINGS[metric.short], "score", None, metric.family) for metric in metrics)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            label,
            int(scores.support[code]),
            int(scores.predicted[code, 0]),
            *(float(scores.by_label[metric.name][code, 0]) for metric in metrics),
        )
        for code, label in _by_frequency(scores)
    )
    return Listing("By label", tuple(columns), rows)


def _labels_of_many(scores: Scores, family: str) -> Listing:
    """Several systems: F1 of each label; the shorter side across, the best system marked."""
    values = scores.by_label[f"{family}_f1" if family else "f1"]
    title = f"{family.capitalize()} F1 by label".strip()
    if len(scores.systems) > len(scores.labels):
        across = _by_frequency(scores)
        heads = (
            Column(f"{label} ({scores.support[code]:,})", "score", "max") for code, label in across
        )
        lines: Iterator[tuple[Cell, ...]] = (
            (name, *(float(values[code, place]) for code, _ in across))
            for place, name in enumerate(scores.systems)
        )
        return Listing(title, (Column("system"), *heads), tuple(lines))
    columns = [Column("label"), Column("gold", "count")]
    columns += (Column(name, "score", "row") for name in scores.systems)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (label, int(scores.support[code]), *(float(value) for value in values[code]))
        for code, label in _by_frequency(scores)
    )
    return Listing(title, tuple(columns), rows)


def _by_frequency(scores: Scores) -> list[tuple[int, str]]:
    order = np.argsort(-scores.support, kind="stable")
    return [(int(code), scores.labels[code]) for code in order]


def _tag_listings(scores: Scores) -> tuple[Listing, ...]:
    shown = [metric for metric in scores.metrics if metric.name in TAG_HEADINGS]
    columns = [Column("system")]
    columns += (Column(TAG_HEADINGS[metric.name], "score", "max") for metric in shown)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *(float(scores.overall[metric.name][place]) for metric in shown))
        for place, name in enumerate(scores.systems)
    )
    units, sentences = scores.size
    overall = Listing(f"{units:,} tokens in {sentences:,} sentences", tuple(columns), rows)
    labelled = [metric for metric in scores.metrics if metric.label_score is not None]
    if not labelled:
        return (overall,)
    if len(scores.systems) > 1:
        return overall, _labels_of_many(scores, "")
    columns = [Column("label"), Column("gold", "count")]
    columns += (Column(HEADINGS[metric.name], "score") for metric in labelled)
    rows = tuple(
        (
            label,
            int(scores.support[code]),
            *(float(scores.by_label[metric.name][code, 0]) for metric in labelled),
        )
        for code, label in _by_frequency(scores)
    )
    return overall, Listing("By label", tuple(columns), rows)
