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
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.metrics.document_scores import document_mean_of, document_sums
from finegrain.metrics.label_counts import (
    f1,
    f_beta,
    macro,
    micro,
    pooled,
    precision,
    recall,
    weighted,
)
from finegrain.metrics.metric import Metric, Score, Statistics
from finegrain.table import SPAN_OUTCOMES, OutcomeTable, tally
from finegrain.table.outcomes import BOUNDARY_ERRORS
from finegrain.table.samples import Samples
from finegrain.table.verdicts import NOT_CHARGED

Focus = Literal["target", "system"]
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
    matrix = np.zeros((len(SPAN_OUTCOMES), 3))
    for column, outcome in enumerate(_TARGETS):
        matrix[SPAN_OUTCOMES.code(outcome), column] = 1
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
            matrix[SPAN_OUTCOMES.code(row)] = _terms(right, rule)
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


def charged_labels(table: OutcomeTable, focus: Focus) -> IntArray:
    """``[unit, system]`` the label that an outcome is charged to.

    That of the unit, except for errors in the label: with focus ``target`` always the gold
    label, with focus ``system`` always the predicted one.
    """
    if focus not in FOCUSES:
        raise UsageError.unknown("focus", focus, FOCUSES)
    charged = np.repeat(table.label.astype(np.int32)[:, None], table.n_systems, axis=1)
    elsewhere = table.is_gold if focus == "system" else ~table.is_gold
    swap = table.is_outcome("LE", "LBE") & elsewhere[:, None]
    charged[swap] = table.label[table.answer[swap]]
    return charged


def outcome_counts(table: OutcomeTable, samples: Samples, focus: Focus) -> NDArray[np.int64]:
    """Fair events, ``[sample, label, system, outcome]``."""
    group = samples.codes[:, None] * np.int64(table.n_labels) + charged_labels(table, focus)
    counts = tally(
        table.outcome, group, groups=samples.size * table.n_labels, outcomes=len(table.inventory)
    )
    return counts.reshape(samples.size, table.n_labels, table.n_systems, len(table.inventory))


def traditional_counts(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
    """``[sample, system, label, (TP, FP, FN, gold, predicted)]`` without a view on overlap.

    Gold units are the gold rows; predicted units are the hits and the other rows that the system
    has (all but ABSENT).
    """
    group = samples.codes.astype(np.int64) * table.n_labels + table.label
    group = group * 2 + table.is_gold
    counts = tally(
        table.outcome,
        group,
        groups=samples.size * table.n_labels * 2,
        outcomes=len(table.inventory),
    ).reshape(samples.size, table.n_labels, 2, table.n_systems, len(table.inventory))
    absent = table.inventory.code("ABSENT")
    gold = counts[:, :, 1].sum(axis=-1)
    hits = counts[:, :, 1, :, table.inventory.code("TP")]
    invented = counts[:, :, 0].sum(axis=-1) - counts[:, :, 0, :, absent]
    stacked = np.stack([hits, invented, gold - hits, gold, hits + invented], axis=-1)
    return np.moveaxis(stacked, 1, 2).astype(float)


def span_counts(table: OutcomeTable, samples: Samples, *, focus: Focus) -> NDArray[np.float64]:
    """``[sample, system, label, outcome + (TP, FP, FN, gold, predicted)]``: all families in one.

    Fair events by outcome, then the traditional counts; weights come later. What weighs nothing
    is 0, so that the counts of a system do not depend on the spans that only others have.
    """
    events = np.moveaxis(outcome_counts(table, samples, focus), 1, 2)
    events[..., [table.inventory.code(name) for name in NOT_CHARGED]] = 0
    return np.concatenate([events, traditional_counts(table, samples)], axis=-1)


def weighed(score: Score, weights: Weights | None) -> Score:
    """The score of ``span_counts`` under weights; ``None``: traditional counts."""
    kept = len(SPAN_OUTCOMES)

    def weighed_score(counts: NDArray[np.float64]) -> NDArray[np.float64]:
        if weights is None:
            return score(counts[..., kept:])
        targets = counts[..., :kept] @ weights.matrix
        units = counts[..., kept + len(_TARGETS) :]
        return score(np.concatenate([targets, units], axis=-1))

    weighed_score.__doc__ = score.__doc__
    return weighed_score


def narrowed(weights: Weights | None) -> Score:
    """What micro scores of ``span_counts`` need: outcomes that weigh alike are one, labels too."""
    kept = len(SPAN_OUTCOMES)
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


_KINDS = {
    "precision": _Kind("share of predicted spans that are right", micro(precision), precision),
    "recall": _Kind("share of gold spans that are found", micro(recall), recall),
    "f1": _Kind("harmonic mean of precision and recall", micro(f1), f1),
    "macro_f1": _Kind("mean F1 over labels", macro(f1)),
    "weighted_f1": _Kind("mean F1 over labels, weighted by their gold spans", weighted(f1)),
}


class _Family(NamedTuple):
    """A way to weigh the counts; ``None``: traditional counts."""

    name: str
    weights: Weights | None
    reference: str


def _metric(family: _Family, short: str, kind: _Kind, statistics: Statistics) -> Metric:
    return Metric(
        name=f"{family.name}_{short}",
        tasks=("spans",),
        statistics=statistics,
        score=kind.score,
        label_score=kind.label_score,
        summary=f"{kind.summary} ({family.name})",
        reference=family.reference,
        family=family.name,
        short=short,
        whole_documents=short == "document_macro_f1",
        narrow=narrowed(family.weights) if kind.label_score is not None else None,
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
        kinds["f_beta"] = _Kind(f"F with beta {beta:g}", micro(score), score)
    families = (
        _Family("traditional", None, "Tjong Kim Sang and De Meulder (2003)"),
        _Family("fair", WEIGHTS["fair"], "Ortmann (2022)"),
        # as traditional weights, spans that answer several others would count too often
        _Family("weighted", None if weights.name == "traditional" else weights, "Ortmann (2022)"),
    )
    counts: Statistics = partial(span_counts, focus=focus)
    by_document = document_sums(counts, [weighed(f1, family.weights) for family in families])
    found: list[Metric] = []
    for place, family in enumerate(families):
        for short, (summary, overall, label) in kinds.items():
            of_label = None if label is None else weighed(label, family.weights)
            kind = _Kind(summary, weighed(overall, family.weights), of_label)
            found.append(_metric(family, short, kind, counts))
        mean = _Kind("mean F1 over documents", document_mean_of(place))
        found.append(_metric(family, "document_macro_f1", mean, by_document))
    return tuple(found)


SPAN_METRICS = span_metrics()
