"""Traditional, fair and weighted precision, recall and F1 of labelled spans.

Traditional scores count a span that is nearly right twice, as a false negative and as a false
positive. Fair scores
(Ortmann 2022) count every error once: an error that overlaps a gold span is half a false positive
and half a false negative. Weights say what each outcome is worth, as a formula:

>>> fair = parse_weights("LE = 0.5 FP + 0.5 FN, BEL = 0.5 TP + 0.5 FP", name="mine")
>>> fair.matrix[1].tolist()            # LE in (TP, FP, FN)
[0.0, 0.5, 0.5]

TP, FP and FN weigh themselves unless the formula says otherwise; ``BE`` stands for BES, BEL and
BEO; an outcome that the formula leaves out weighs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.metrics.document_scores import document_mean, document_mean_of, document_sums
from finegrain.metrics.label_counts import (
    GOLD,
    SIZE,
    f1,
    f_beta,
    macro,
    mapped,
    micro,
    pooled,
    precision,
    recall,
    weighted,
)
from finegrain.metrics.label_statistics import Groups, LabelStatistics
from finegrain.metrics.metric import Listed, Metric, Score, Statistics
from finegrain.metrics.options import DEFAULTS, Focus, MetricOptions
from finegrain.table import OutcomeTable, tally
from finegrain.table.samples import Samples

# the places of outcomes are those of the matching (Ortmann 2022)
_OUTCOMES = ("TP", "LE", "BES", "BEL", "BEO", "LBE", "FN", "FP", "USED", "ABSENT")
_CODES = {name: code for code, name in enumerate(_OUTCOMES)}
BOUNDARY_ERRORS = ("BES", "BEL", "BEO")
FOCUSES: dict[Focus, str] = {
    "target": "an error in the label is charged to the gold label",
    "system": "an error in the label is charged to the predicted label",
}
_TARGETS = ("TP", "FP", "FN")
_ERRORS = ("LE", *BOUNDARY_ERRORS, "LBE")
_TERM = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)?\s*\*?\s*(TP|FP|FN)\s*\Z")


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What each fair outcome is worth: ``matrix[outcome]`` in (TP, FP, FN)."""

    name: str
    formula: str
    matrix: NDArray[np.float64]


def parse_weights(formula: str, *, name: str = "given") -> Weights:
    """Read a formula such as ``LE = 0.5 FP + 0.5 FN, BE = 1 FN``."""
    matrix = np.zeros((len(_OUTCOMES), 3))
    for column, outcome in enumerate(_TARGETS):
        matrix[_CODES[outcome], column] = 1
    given: list[str] = []
    for rule in filter(str.strip, formula.split(",")):
        left, equals, right = rule.partition("=")
        outcome = left.strip()
        rows = BOUNDARY_ERRORS if outcome == "BE" else (outcome,)
        if not equals or any(row not in (*_ERRORS, *_TARGETS) for row in rows):
            known = ", ".join((*_TARGETS, "LE", "BE", *BOUNDARY_ERRORS, "LBE"))
            raise UsageError(f"weights: {rule.strip()!r} is not OUTCOME = ...; outcomes: {known}")
        for row in rows:
            if row in given:
                raise UsageError(f"weights: {row} is given twice")
            given.append(row)
            matrix[_CODES[row]] = _terms(right, rule)
    return Weights(name, formula, matrix)


def _terms(text: str, rule: str) -> NDArray[np.float64]:
    value = np.zeros(3)
    for term in text.split("+"):
        match = _TERM.match(term)
        if not match:
            raise UsageError(
                f"weights: {term.strip()!r} in {rule.strip()!r} is not a number times TP, FP or FN"
            )
        value[_TARGETS.index(match[2])] += float(match[1] or 1)
    return value


WEIGHTS: dict[str, Weights] = {
    name: parse_weights(formula, name=name)
    for name, formula in {
        "fair": "LE = 0.5 FP + 0.5 FN, BE = 0.5 FP + 0.5 FN, LBE = 0.5 FP + 0.5 FN",
        # one false positive and one false negative per error: read off the spans themselves
        "traditional": "LE = FP + FN, BE = FP + FN, LBE = FP + FN",
        "ortmann-weighted": (
            "LE = 0.5 FP + 0.5 FN, BES = 0.5 TP + 0.5 FN, BEL = 0.5 TP + 0.5 FP, "
            "BEO = 0.5 TP + 0.25 FP + 0.25 FN, LBE = 0.5 FP + 0.5 FN"
        ),
    }.items()
}


def weights_by(name: str) -> Weights:
    """Weights by name, or from a formula (anything with an equals sign)."""
    if name in WEIGHTS:
        return WEIGHTS[name]
    if "=" in name:
        return parse_weights(name)
    raise UsageError.unknown(
        "weights", name, [*WEIGHTS, "a formula such as 'LE = 0.5 FP + 0.5 FN'"]
    )


def charged_labels(table: OutcomeTable, system: int, focus: Focus) -> IntArray:
    """``[unit]`` the label that the outcome of a system is charged to.

    That of the unit, except for errors in the label: with focus ``target`` always the gold
    label, with focus ``system`` always the predicted one.
    """
    if focus not in FOCUSES:
        raise UsageError.unknown("focus", focus, FOCUSES)
    charged = table.label.astype(np.int32)
    elsewhere = table.is_gold if focus == "system" else ~table.is_gold
    errors = [_CODES[name] for name in ("LE", "LBE")]
    swap = np.isin(table.outcome[:, system], errors) & elsewhere
    charged[swap] = table.label[table.answer[swap, system]]
    return charged


def outcome_counts(table: OutcomeTable, samples: Samples, focus: Focus) -> NDArray[np.int64]:
    """Fair events, ``[sample, label, system, outcome]``."""
    charged = [charged_labels(table, system, focus) for system in range(table.n_systems)]
    labels = np.array(charged, np.int64).reshape(table.n_systems, len(table)).T
    group = samples.codes[:, None] * np.int64(table.n_labels) + labels
    counts = tally(
        table.outcome, group, groups=samples.size * table.n_labels, outcomes=len(table.outcomes)
    )
    return counts.reshape(samples.size, table.n_labels, table.n_systems, len(table.outcomes))


def _traditional_labels(table: OutcomeTable, _system: int) -> Groups:
    return [table.label]


def _traditional_count(
    table: OutcomeTable, system: int, groups: Groups, size: int
) -> NDArray[np.float64]:
    """Gold units are the gold rows; predicted units are the hits and the other rows that the system
    has. Of any task whose systems find units.
    """
    (of_label,) = groups
    counts = tally(
        table.outcome[:, [system]],
        of_label.astype(np.int64) * 2 + table.is_gold,
        groups=size * 2,
        outcomes=len(table.outcomes),
    ).reshape(size, 2, len(table.outcomes))
    gold = counts[:, 1].sum(axis=-1)
    hits = counts[:, 1, table.outcomes.correct_code]
    own, other = table.outcomes.produced
    invented = counts[:, 0].sum(axis=-1) - counts[:, 0, ~other].sum(axis=-1)
    invented += counts[:, 1, own].sum(axis=-1) - hits  # gold, in the output and not right
    return np.stack([hits, invented, gold - hits, gold, hits + invented], axis=-1).astype(float)


traditional_counts = LabelStatistics(_traditional_labels, _traditional_count, (SIZE,))
"""``[sample, system, label, (TP, FP, FN, gold, predicted)]`` without a view on overlap."""


@lru_cache
def span_counts(focus: Focus) -> LabelStatistics:
    """``[sample, system, label, outcome + (TP, FP, FN, gold, predicted)]``: all families in one.

    Fair events by outcome, then the traditional counts; weights come later. What weighs nothing
    is 0, so that the counts of a system do not depend on the spans that only others have.
    """

    def labels(table: OutcomeTable, system: int) -> Groups:
        return [charged_labels(table, system, focus), table.label]

    return LabelStatistics(labels, _span_count, (len(_OUTCOMES) + SIZE,))


def _span_count(table: OutcomeTable, system: int, groups: Groups, size: int) -> NDArray[np.float64]:
    charged, of_label = groups
    kept = len(_OUTCOMES)
    outcome = table.outcome[:, [system]]
    events = tally(outcome, charged, groups=size, outcomes=len(table.outcomes))[:, 0]
    _, extra = table.outcomes.produced  # further outcomes are those of units that are not gold
    events[:, _CODES["FP"]] += events[:, kept:] @ extra[kept:]
    events = events[:, :kept]
    events[:, [_CODES[name] for name in ("USED", "ABSENT")]] = 0
    traditional = _traditional_count(table, system, [of_label], size)
    return np.concatenate([events, traditional], axis=-1)


def weighed(score: Score, weights: Weights | None) -> Score:
    """The score of ``span_counts`` under weights; ``None``: traditional counts."""
    return mapped(_weigher(weights), score)


@lru_cache
def _weigher(weights: Weights | None) -> Score:
    """``span_counts`` -> ``[..., (TP, FP, FN, gold, predicted)]``; always the same for weights."""
    kept = len(_OUTCOMES)
    worth = [] if weights is None else [_by_value(column) for column in weights.matrix.T]

    def weigh(counts: NDArray[np.float64]) -> NDArray[np.float64]:
        if weights is None:
            return counts[..., kept:]
        found = np.empty_like(counts[..., :SIZE])
        for place, one in enumerate(worth):
            _combine(counts, one, out=found[..., place])
        found[..., GOLD:] = counts[..., kept + GOLD :]
        return found

    return weigh


def _by_value(weights: NDArray[np.float64]) -> dict[float, list[int]]:
    """Outcomes by what they are worth, without those that are worth nothing."""
    values = sorted(set(weights[weights != 0].tolist()))  # np.unique would load masked arrays
    return {value: np.flatnonzero(weights == value).tolist() for value in values}


def _combine(
    counts: NDArray[np.float64], worth: Mapping[float, Sequence[int]], *, out: NDArray[np.float64]
) -> None:
    """The sum of outcomes by their worth; outcomes that are worth the same are added first."""
    out[...] = 0
    for value, (first, *others) in worth.items():
        alike = counts[..., first]
        for place in others:
            alike = alike + counts[..., place]
        out += alike if value == 1 else value * alike


@lru_cache
def narrowed(weights: Weights | None) -> Score:
    """What micro scores of ``span_counts`` need: outcomes that weigh alike are one, labels too."""
    kept = len(_OUTCOMES)
    size = kept + len(_TARGETS) + 2
    keep = np.zeros((size, size))
    if weights is None:
        keep[kept:, kept:] = np.eye(size - kept)
    else:
        keep[kept + len(_TARGETS) :, kept + len(_TARGETS) :] = np.eye(2)
        rows = [tuple(row) for row in weights.matrix.tolist()]
        for place, row in enumerate(rows):
            keep[place, rows.index(row)] = any(row)

    def narrow(counts: NDArray[np.float64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = pooled(counts) @ keep
        return found

    return narrow


class _Kind(NamedTuple):
    """A number of every family: its meaning, overall and, if there is one, per label."""

    summary: str
    score: Score
    label_score: Score | None = None
    heading: str = ""
    listed: Listed = Listed(1)


_AVERAGES = Listed(2, "Averages of F1", several_labels=True)
_KINDS = {
    "precision": _Kind("share of predicted spans that are right", micro(precision), precision, "P"),
    "recall": _Kind("share of gold spans that are found", micro(recall), recall, "R"),
    "f1": _Kind("harmonic mean of precision and recall", micro(f1), f1),
    "macro_f1": _Kind("mean F1 over labels", macro(f1), listed=Listed(2, several_labels=True)),
    "weighted_f1": _Kind(
        "mean F1 over labels, weighted by their gold spans",
        weighted(f1),
        heading="by support",
        listed=replace(_AVERAGES, note="labels weighted by their gold spans"),
    ),
}
_BY_DOCUMENT = _Kind(
    "mean F1 over documents",
    document_mean,
    heading="by document",
    listed=replace(_AVERAGES, note="every document alike"),
)


class _Family(NamedTuple):
    """A way to weigh the counts, ``None`` for traditional counts.

    ``main``: systems are compared by its F1.
    """

    name: str
    weights: Weights | None
    reference: str
    main: bool = True


def _metric(family: _Family, short: str, kind: _Kind, statistics: Statistics) -> Metric:
    return Metric(
        name=f"{family.name}_{short}",
        statistics=statistics,
        score=kind.score,
        label_score=kind.label_score,
        summary=f"{kind.summary} ({family.name})",
        reference=family.reference,
        family=family.name,
        short=short,
        whole_documents=short == "document_macro_f1",
        narrow=narrowed(family.weights) if kind.label_score is not None else None,
        needs=("spans",),
        heading=kind.heading,
        listed=replace(kind.listed, detail=0) if family.main and short == "f1" else kind.listed,
    )


def span_metrics(
    weights: Weights = WEIGHTS["ortmann-weighted"],
    focus: Focus = "target",
    *,
    beta: float | None = None,
) -> tuple[Metric, ...]:
    """The traditional, fair and weighted families under the given choices.

    All share one count of the corpus and one of its documents.
    """
    kinds = dict(_KINDS)
    if beta is not None:
        score = f_beta(beta)
        kinds["f_beta"] = _Kind(f"F with beta {beta:g}", micro(score), score, "F-beta")
    families = (
        _Family("traditional", None, "Tjong Kim Sang and De Meulder (2003)"),
        _Family("fair", WEIGHTS["fair"], "Ortmann (2022)"),
        # as traditional weights, spans that answer several others would count too often
        _Family(
            "weighted",
            None if weights.name == "traditional" else weights,
            "Ortmann (2022)",
            main=False,
        ),
    )
    counts = span_counts(focus)
    by_document = document_sums(counts, [weighed(f1, family.weights) for family in families])
    found: list[Metric] = []
    for place, family in enumerate(families):
        for short, kind in kinds.items():
            label = kind.label_score
            of_label = None if label is None else weighed(label, family.weights)
            overall = weighed(kind.score, family.weights)
            own = kind._replace(score=overall, label_score=of_label)
            found.append(_metric(family, short, own, counts))
        mean = _BY_DOCUMENT._replace(score=document_mean_of(place))
        found.append(_metric(family, "document_macro_f1", mean, by_document))
    return tuple(found)


SPAN_METRICS = span_metrics()


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:
    """The metrics of spans under the given choices."""
    chosen = options or DEFAULTS
    weights = chosen.weights or WEIGHTS["ortmann-weighted"]
    return span_metrics(weights, chosen.focus, beta=chosen.beta)
