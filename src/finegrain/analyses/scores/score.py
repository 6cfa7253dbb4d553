"""How good each system is: metrics overall and per label, for any number of systems.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> text = [["in", "New", "York", "City"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> short = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O"]])
>>> scores = score(align(gold, {"short": short}), schemes=["partial"])
>>> scores.value("traditional_f1", "short"), scores.value("weighted_f1", "short")
(0.0, 0.6666666666666666)
>>> scores.to_json()["short"]["schemes"]["partial"]["f1"]
0.5
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Listing
from finegrain.analyses.result import Printed, number
from finegrain.analyses.scores.breakdown import Breakdown, breakdown
from finegrain.analyses.scores.chosen import chosen_units
from finegrain.analyses.scores.error_types import ErrorTypes, error_types
from finegrain.analyses.scores.scheme_scores import scheme_json
from finegrain.analyses.scores.score_notes import score_notes
from finegrain.analyses.scores.system_scores import SystemScores
from finegrain.analyses.signature import as_setting, signature, signatures
from finegrain.errors import UsageError
from finegrain.metrics.choosing import chosen_for
from finegrain.metrics.chosen_units import OfChosen
from finegrain.metrics.given_scores import given_metrics
from finegrain.metrics.label_counts import PREDICTED
from finegrain.metrics.match_schemes import (
    chosen_schemes,
    of_scheme,
    require_overlap,
    scheme_counts,
)
from finegrain.metrics.metric import Metric, applicable, require_applicable
from finegrain.metrics.options import DEFAULT_WEIGHTS, OVERLAP, Focus, MetricOptions
from finegrain.metrics.span_scores import Weights, traditional_counts, weights_by
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable, Task
from finegrain.table.samples import whole

if TYPE_CHECKING:
    from finegrain.analyses.scores.score_intervals import ScoreIntervals


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores(Printed):
    """Values of metrics; ``overall[name]`` is ``[system]``, ``by_label[name]`` ``[label, system]``.

    ``errors`` and ``predicted`` hold the counts behind span scores, ``support`` the gold units
    per label. ``schemes[name]`` are counts ``[label, system, kind]`` of the match schemes that were
    asked for; ``parts`` are the scores by document or column if they were, and so ``intervals``.
    ``left_out`` are metrics of whole documents or sentences, where a selection cuts these.
    ``signatures`` are those of other scorers, by metric, that have the same numbers.
    """

    task: Task
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
    schemes: Mapping[str, NDArray[np.float64]]
    parts: Breakdown | None
    intervals: ScoreIntervals | None
    signature: str
    notes: tuple[str, ...]
    left_out: tuple[Metric, ...] = ()
    signatures: Mapping[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> bool:
        """Whether metrics were asked for by name: not all that are the default are there."""
        there = {*self.overall, *(one.name for one in self.left_out)}
        named = {one.name for one in self.task.default_metrics() if not one.optional}
        return not named <= there

    def __getitem__(self, key: str | tuple[str, str]) -> SystemScores:
        """The scores of a system, ``scores["crf"].f1``, or of a label, ``scores["crf", "PER"]``."""
        system, label = (key, None) if isinstance(key, str) else key
        names = self.overall if label is None else self.by_label
        values = {name: self.value(name, system, label=label) for name in names}
        return SystemScores(
            system if label is None else f"{system}, {label}", self.task, self.metrics, values
        )

    def __iter__(self) -> Iterator[str]:
        """The names of the systems."""
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

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

    def interval(
        self, metric: str, system: str, *, label: str | None = None
    ) -> tuple[float, float]:
        """The interval of ``value``; nan where there is none."""
        self.value(metric, system, label=label)
        if self.intervals is None:
            raise UsageError("no intervals were computed: fg.score(table, intervals=1000)")
        place = self.systems.index(system)
        if label is None:
            found = self.intervals.overall[metric][place]
        else:
            found = self.intervals.by_label[metric][self.labels.index(label), place]
        return float(found[0]), float(found[1])

    def to_json(self) -> dict[str, Any]:
        return {name: self._system(place) for place, name in enumerate(self.systems)}

    def _system(self, system: int) -> dict[str, Any]:
        found: dict[str, Any] = {"overall": {}, "labels": {}}
        for metric in self.overall_metrics():
            _put(found["overall"], metric, self.overall[metric.name][system])
        if self.errors is not None:
            found["counts"] = self._counts(None, system)
        schemes = {name: scheme_json(one[:, system]) for name, one in self.schemes.items()}
        if schemes:
            found["schemes"] = {name: rows[0] for name, rows in schemes.items()}
        for code, label in enumerate(self.labels):
            found["labels"][label] = self._label(code, system)
            if schemes:
                of_label = {name: rows[code + 1] for name, rows in schemes.items()}
                found["labels"][label]["schemes"] = of_label
        if self.parts is not None:
            found["by"] = self._parts(self.parts, system)
        if self.intervals is not None:
            labelled = [one for one in self.metrics if one.label_score is not None]
            found["intervals"] = self.intervals.to_json(
                self.overall_metrics(), labelled, self.labels, system
            )
        if self.signatures:
            found["signatures"] = dict(self.signatures)
        if self.repairs:
            name = self.systems[system]
            found["repairs"] = {"gold": self.gold_repairs, "system": self.repairs[name]}
        return found

    def overall_metrics(self) -> list[Metric]:
        """Metrics whose value over all labels says something of its own, or was asked for."""
        return [one for one in self.metrics if self.asked or one.family or one.label_score is None]

    def told_metrics(self) -> list[Metric]:
        """Those of them that tables have: not of whole sentences where units are in none."""
        some = self.asked or self.task.words.context
        return [one for one in self.overall_metrics() if some or not one.whole_sentences]

    def _label(self, code: int, system: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for metric in self.metrics:
            if metric.label_score is not None:
                _put(found, metric, self.by_label[metric.name][code, system])
        if self.errors is not None:
            found["counts"] = self._counts(code, system)
        if self.errors is None or not any(metric.family for metric in self.metrics):
            found["support"] = int(self.support[code])
        return found

    def _parts(self, parts: Breakdown, system: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for place in parts.order():
            overall: dict[str, Any] = {}
            for metric in self.overall_metrics():
                if metric.name in parts.values:
                    _put(overall, metric, parts.values[metric.name][place, system])
            values = parts.counts[place, system]
            if self.errors is not None:
                counts = self.errors._counts(values)
            else:
                counts = dict(zip(map(str.lower, parts.kinds), values.tolist(), strict=True))
            counts["gold"] = int(parts.size[place])
            counts["predicted"] = int(parts.predicted[place, system])
            found[parts.names[place]] = {"overall": overall, "counts": counts}
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
        from finegrain.analyses.scores import score_listings  # noqa: PLC0415 - only to print

        return score_listings.listings(self)

    def records(self) -> Listing:
        from finegrain.analyses.scores import score_listings  # noqa: PLC0415 - only to print

        return score_listings.records(self)


def _put(target: dict[str, Any], metric: Metric, value: float) -> None:
    place = target.setdefault(metric.family, {}) if metric.family else target
    place[metric.short or metric.name] = number(value)


def score(
    table: OutcomeTable,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    *,
    weights: str | Weights = DEFAULT_WEIGHTS,
    focus: Focus = "target",
    beta: float | None = None,
    schemes: Sequence[str] = (),
    overlap: float = OVERLAP,
    by: str | None = None,
    where: str = "",
    intervals: int = 0,
    confidence: float = 0.95,
    seed: int = 1,
) -> Scores:
    """Score all systems, overall and per label.

    Parameters
    ----------
    metric: one or several metrics, by name or as values; default: all of the task
    weights: of the family ``weighted``, by name or as a formula (spans)
    focus: the label that an error in the label is charged to: ``target`` or ``system`` (spans)
    beta: adds F-beta, in which recall counts beta times as much as precision
    schemes: match schemes to count too, e.g. ``["strict", "type"]`` or ``["all"]`` (spans)
    overlap: the least overlap, common tokens / all tokens, of the scheme ``overlap``
    by: ``document`` or a layer of the gold corpus; scores for each of its values
    where: score only the units that this holds for, ``label=PER`` (as ``show --where``); they keep
        what they were matched with
    intervals: resamples for an interval of every score, 1000 as a rule; 0 for none
    confidence: of the intervals
    seed: the same seed, files and version of numpy give the same intervals
    """
    given = weights if isinstance(weights, Weights) else weights_by(weights)
    options = MetricOptions(given, focus, beta, overlap)
    return _scored(
        table,
        _metrics(table, metric, options),
        options,
        schemes=schemes,
        by=by,
        where=where,
        drawing=Drawing(intervals, confidence, seed),
    )


def _metrics(
    table: OutcomeTable,
    wanted: str | Metric | Sequence[str | Metric] | None,
    options: MetricOptions,
) -> tuple[Metric, ...]:
    if wanted is None:
        return (*applicable(table, table.task.default_metrics(options)), *given_metrics(table))
    named = [wanted] if isinstance(wanted, str | Metric) else wanted
    return tuple(chosen_for(table, one, options) for one in named)


def _scored(
    table: OutcomeTable,
    metrics: tuple[Metric, ...],
    options: MetricOptions,
    *,
    schemes: Sequence[str],
    by: str | None,
    where: str,
    drawing: Drawing,
) -> Scores:
    require_applicable(table, metrics)
    require_overlap(options.overlap)
    chosen = chosen_units(table, metrics, where)
    table, metrics = chosen.table, chosen.metrics
    overall, by_label = _values(table, metrics)
    wanted = _wanted(table, schemes)
    said = _said(table.task, wanted, metrics, options, by)
    ends = _intervals(table, metrics, drawing)
    signed = signatures(table, metrics)
    said |= {name: as_setting(text) for name, text in signed.items()}
    said |= {} if ends is None else ends.said
    parts = None if by is None else breakdown(table, metrics, by=by)
    return Scores(
        table.task,
        table.systems,
        table.labels,
        tuple(metrics),
        overall,
        by_label,
        support=np.bincount(table.label[table.is_gold], minlength=table.n_labels),
        predicted=_predicted(table),
        errors=error_types(table, focus=options.focus) if table.task.detects else None,
        gold_repairs=table.gold_repairs,
        repairs=table.repairs,
        size=(table.n_gold, table.corpus.n_sentences),
        schemes=_schemes(table, wanted, options.overlap),
        parts=parts,
        intervals=ends,
        signature=signature(table, **said),
        notes=(*table.notes, *chosen.notes, *score_notes(table, metrics, overall, parts, ends)),
        left_out=chosen.left_out,
        signatures=signed,
    )


def _predicted(table: OutcomeTable) -> NDArray[np.int64]:
    """``[label, system]`` predicted units, where systems find units and choose their labels."""
    if not table.task.detects:
        return np.empty((0, 0), np.int64)
    return traditional_counts(table, whole(table))[0, ..., PREDICTED].T.astype(np.int64)


def _values(
    table: OutcomeTable, metrics: Sequence[Metric]
) -> tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.float64]]]:
    """``[system]`` and ``[label, system]`` of every metric; shared statistics are counted once."""
    sums = {
        statistics: statistics(table, whole(table))
        for statistics in dict.fromkeys(metric.statistics for metric in metrics)
    }
    overall = {metric.name: metric.score(sums[metric.statistics])[0] for metric in metrics}
    by_label = {
        metric.name: metric.label_score(sums[metric.statistics])[0].T
        for metric in metrics
        if metric.label_score is not None
    }
    return overall, by_label


def _said(
    task: Task,
    schemes: Sequence[str],
    metrics: Sequence[Metric],
    options: MetricOptions,
    by: str | None,
) -> dict[str, str]:
    """What the signature says of weights, F-beta, schemes and parts."""
    weights = options.weights
    formula = weights.formula if weights.name == "given" else weights.name
    said = {"focus": options.focus, "weights": formula} if "weights" in task.choices else {}
    said |= {} if options.beta is None else {"beta": f"{options.beta:g}"}
    said |= {"schemes": ",".join(schemes)} if schemes else {}
    if "overlap" in (*schemes, *(metric.family for metric in metrics)):
        said["overlap"] = f"{options.overlap:g}"
    return said | ({} if by is None else {"by": by})


def _intervals(
    table: OutcomeTable, metrics: Sequence[Metric], drawing: Drawing
) -> ScoreIntervals | None:
    if not drawing.resamples:
        return None
    from finegrain.analyses.scores.score_intervals import score_intervals  # noqa: PLC0415 - if asked for

    resamples, confidence, seed = drawing
    return score_intervals(table, metrics, resamples=resamples, seed=seed, confidence=confidence)


def _wanted(table: OutcomeTable, schemes: Sequence[str]) -> tuple[str, ...]:
    if schemes and "schemes" not in table.task.choices:
        raise UsageError(f"match schemes are for spans, not for {table.task}")
    return chosen_schemes(schemes)


def _schemes(
    table: OutcomeTable, wanted: Sequence[str], overlap: float
) -> dict[str, NDArray[np.float64]]:
    """Counts ``[label, system, kind]`` per scheme."""
    if not wanted:
        return {}
    counts = OfChosen(scheme_counts(overlap))(table, whole(table))[0]
    return {name: np.moveaxis(of_scheme(counts, name), 0, 1) for name in wanted}
