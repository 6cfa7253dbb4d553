"""What a reader of scores should know: which numbers are undefined or left out, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.scores.breakdown import Breakdown
from finegrain.metrics.metric import Metric
from finegrain.table import OutcomeTable

if TYPE_CHECKING:
    from finegrain.analyses.scores.score_intervals import ScoreIntervals


def score_notes(
    table: OutcomeTable,
    metrics: Sequence[Metric],
    overall: Mapping[str, NDArray[np.float64]],
    parts: Breakdown | None,
    ends: ScoreIntervals | None,
) -> list[str]:
    """One note for each reason."""
    return [
        *_left_out(table, metrics),
        *_undefined(table, metrics, overall),
        *_undefined_parts(parts, ends),
        *_cut_documents(parts, overall),
    ]


def _left_out(table: OutcomeTable, metrics: Sequence[Metric]) -> list[str]:
    """What labels that are chosen or excluded do to precision, where every unit is answered."""
    chosen = not table.settings.keys().isdisjoint(("labels", "exclude"))
    by_label = any(one.label_score is not None for one in metrics)
    if not (by_label and chosen and not table.task.open):
        return []
    if len(table) in (0, table.corpus.n_tokens):  # nothing to score, or nothing left out
        return []
    what = "precision and F1 by label leave out units whose gold label does not count"
    return [
        f"{what} (--labels, --exclude), so they may be too high: score all labels for whole ones"
    ]


def _undefined(
    table: OutcomeTable, metrics: Sequence[Metric], overall: Mapping[str, NDArray[np.float64]]
) -> list[str]:
    """Why numbers are undefined, one note for each reason."""
    if not len(table) and len(metrics) > 1:
        return ["scores are undefined: there is no unit"]
    names: dict[str, list[str]] = {}
    for metric in metrics:
        if not np.isnan(overall[metric.name]).any():
            continue
        if metric.whole_documents and not metric.undefined and table.corpus.documents is None:
            why, name = "undefined: the gold corpus has no document boundaries", metric.short
        else:
            why, name = f"undefined for some systems: {_reason(metric)}", metric.name
        told = names.setdefault(why, [])
        told += [name] if name not in told else []
    return [
        f"{', '.join(told)} {'are' if len(told) > 1 else 'is'} {why}" for why, told in names.items()
    ]


def _undefined_parts(parts: Breakdown | None, ends: ScoreIntervals | None) -> list[str]:
    """Why scores of parts and intervals are undefined."""
    notes = [] if ends is None else list(ends.notes)
    if parts is None or not any(np.isnan(values).any() for values in parts.values.values()):
        return notes
    why = "scores are undefined without gold units or without predictions"
    return [f"by {parts.by}: {why}", *notes]


def _cut_documents(
    parts: Breakdown | None, overall: Mapping[str, NDArray[np.float64]]
) -> list[str]:
    """Which scores parts do not have, though the whole has them."""
    if parts is None:
        return []
    names = dict.fromkeys(
        metric.family or metric.name
        for metric in parts.left_out
        if not np.isnan(overall[metric.name]).all()
    )
    if not names:
        return []
    are = "are left out: they need" if len(names) > 1 else "is left out: it needs"
    return [f"by {parts.by}: {', '.join(names)} {are} whole documents"]


def _reason(metric: Metric) -> str:
    short = metric.short or metric.name
    if metric.undefined:
        return metric.undefined
    if short == "precision":
        return "no predictions"
    if short in ("f1", "f_beta", "macro_f1", "document_macro_f1"):
        return "neither gold units nor predictions"
    return "no gold units"
