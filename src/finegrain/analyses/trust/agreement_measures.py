"""Measures of one view: all people together, two by two, systems with people, label by label.

>>> from finegrain.analyses.trust.agreement_units import view_of
>>> from finegrain.table.ratings import ratings
>>> view = view_of(ratings([["a", "a"], ["a", "b"], ["b", "b"]]))
>>> found = viewed(view, [0, 1], "nominal", Drawing(resamples=0))
>>> round(float(found.together["percent"].value), 3), found.pairs[0].units
(0.667, 3)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.trust.agreement_sums import (
    Estimate,
    Present,
    estimates,
    group_sums,
    pair_sums,
)
from finegrain.analyses.trust.agreement_units import View
from finegrain.errors import UsageError
from finegrain.metrics import agreement as measures
from finegrain.metrics.agreement import Scale, Sums
from finegrain.metrics.metric import Score, ratio
from finegrain.resampling.distinct import Distinct
from finegrain.resampling.intervals import Drawing
from finegrain.table.ratings import Ratings

MANY_PAIRS = 66  # of 12 annotators; beyond, pairs get no intervals
Estimates = dict[str, Estimate]


class Two(NamedTuple):
    """Two annotators by their places, the units they both labelled, how they agree."""

    first: int
    second: int
    units: int
    measures: Estimates


class OfLabel(NamedTuple):
    """A label: how often people use it on average, and how they agree about it."""

    uses: float
    measures: Estimates


@dataclass(frozen=True, slots=True)
class Viewed:
    """How people agree in one view; ``systems``: each system with people, mean over them."""

    name: str
    units: int
    together: Estimates
    pairs: tuple[Two, ...]
    systems: dict[str, Estimates]
    labels: dict[str, OfLabel]


def _values(ratings: Ratings, scale: Scale) -> NDArray[np.float64] | None:
    """What labels are worth on the scale."""
    if scale == "nominal":
        return None
    if scale == "ordinal":
        return np.arange(ratings.n_labels, dtype=float)
    values = []
    for label in ratings.labels:
        try:
            values.append(float(label))
        except ValueError:
            raise UsageError(
                f"the label {label!r} is not a number, as the {scale} scale needs; use ordinal"
            ) from None
    if not np.isfinite(values).all() or (scale == "ratio" and min(values, default=0) < 0):
        raise UsageError(f"the {scale} scale takes numbers" + ", 0 or above" * (scale == "ratio"))
    return np.array(values)


def viewed(view: View, people: list[int], scale: Scale, drawing: Drawing) -> Viewed:
    """All numbers of one view."""
    names = view.pairs.annotators
    values = _values(view.pairs, scale)
    scores = _pair_scores(view, values)
    pairs = list(combinations(range(len(names)), 2))
    seen = (view.pairs.codes >= 0).astype(np.float32)
    common = seen.T @ seen
    of_people = [pair for pair in pairs if set(pair) <= set(people)]
    counting = partial(_counted, view, values=values)
    quick = Drawing(0, drawing.level, drawing.seed)
    each = drawing if len(pairs) <= MANY_PAIRS else quick
    two = []
    for pair in (pair for pair in pairs if common[pair]):
        sums = counting([pair], drawing=each)
        units = int(sums.total()[0, measures.UNITS])
        if units:
            two.append(Two(*pair, units, estimates(sums, scores, drawing=each)))
    together, labels = _people_together(view, people, of_people, scores, values, scale, drawing)
    machines = [place for place in range(len(names)) if place not in people]
    systems = {}
    for machine in machines:
        with_people = [(person, machine) for person in people]
        how = drawing if len(with_people) <= MANY_PAIRS else quick
        sums = counting(with_people, drawing=how)
        systems[names[machine]] = estimates(sums, scores, drawing=how)
    units = int(group_sums(_whole(view.together), people, counted=view.counted).total()[0])
    return Viewed(view.name, units, together, tuple(two), systems, labels)


def _whole(ratings: Ratings) -> Ratings:
    """All units in one sample: enough where nothing is drawn."""
    return replace(ratings, sample=np.zeros(len(ratings), np.int64), n_samples=1)


def _counted(
    view: View,
    pairs: list[tuple[int, int]],
    *,
    values: NDArray[np.float64] | None,
    drawing: Drawing,
) -> Distinct:
    ratings = view.pairs if drawing.resamples else _whole(view.pairs)
    return pair_sums(ratings, pairs, counted=view.counted, values=values)


def _pair_scores(view: View, values: NDArray[np.float64] | None) -> dict[str, Score]:
    """Measures of two annotators by name, as means over pairs: ``sums [..., pair, k] -> [...]``."""
    known: dict[str, Score] = {
        "f1": lambda sums: measures.overall_f1(_without(sums, view.pairs.outside)),
        "percent": measures.percent,
        "pooled_kappa": measures.pooled_kappa,
        "cohen_kappa": measures.cohen_kappa,
    }
    chosen: dict[str, Score] = {name: known[name] for name in view.measures}
    if values is not None:
        chosen["linear_kappa"] = partial(measures.weighted_kappa, values=values, weights="linear")
        chosen["quadratic_kappa"] = partial(
            measures.weighted_kappa, values=values, weights="quadratic"
        )
    return {name: _mean(score) for name, score in chosen.items()}


def _without(sums: Sums, label: int) -> Sums:
    """The sums of two annotators without one label."""
    if label < 0:
        return sums
    size = (sums.shape[-1] - 3) // 3
    places = [3 + part * size + label for part in range(3)]
    kept: Sums = np.delete(sums, places, axis=-1)
    return kept


def _mean(score: Score) -> Score:
    """The mean of a score over the pairs for which it is defined, ``[..., pair, ...]``."""

    def of_pairs(sums: Sums) -> NDArray[np.float64]:
        values = score(sums)
        axis = sums.ndim - 2
        known = ~np.isnan(values)
        return ratio(np.where(known, values, 0).sum(axis=axis), known.sum(axis=axis))

    return of_pairs


def _people_together(
    view: View,
    people: list[int],
    pairs: list[tuple[int, int]],
    scores: dict[str, Score],
    values: NDArray[np.float64] | None,
    scale: Scale,
    drawing: Drawing,
) -> tuple[Estimates, dict[str, OfLabel]]:
    """Measures of all people: means over pairs, Fleiss' kappa, alpha; the same by label."""
    if len(people) < 2:
        return {}, {}
    how = drawing if len(pairs) <= MANY_PAIRS else Drawing(0, drawing.level, drawing.seed)
    of_label: dict[str, Score] = {
        "f1": _mean(measures.label_agreement),
        "pooled_kappa": _mean(measures.label_kappa),
    }
    asked = {f"label {name}": of_label[name] for name in of_label if name in view.by_label}
    sums = _counted(view, pairs, values=values, drawing=how)
    of_pairs = estimates(
        sums, {**scores, **asked}, drawing=how, present=dict.fromkeys(asked, _uses_label)
    )
    of_all = _all_people(view, people, drawing)
    if scale != "nominal":
        both = view.together if drawing.resamples else _whole(view.together)
        on_scale = group_sums(both, people, counted=view.counted, scale=scale, values=values)
        alpha = partial(measures.alpha, labels=both.n_labels, scale=scale, values=values)
        of_all |= estimates(on_scale, {f"{scale}_alpha": alpha}, drawing=drawing)
    found = {**of_pairs, **of_all}
    together = {name: one for name, one in found.items() if not name.startswith("label ")}
    by_label: Estimates = {name: found[f"label {name}"] for name in view.by_label}
    return together, _labels(view, people, by_label)


def _all_people(view: View, people: list[int], drawing: Drawing) -> Estimates:
    """Fleiss' kappa and nominal alpha, the latter by label too; none where chance is unknown."""
    if view.measures == ("percent",):
        return {}
    both = view.together if drawing.resamples else _whole(view.together)
    size = both.n_labels
    asked: dict[str, Score] = {"alpha": partial(measures.alpha, labels=size)}
    if "f1" not in view.measures:  # what nobody marked is not a unit, so chance is unknown
        asked = {"fleiss_kappa": partial(measures.fleiss_kappa, labels=size), **asked}
    if "alpha" in view.by_label:
        asked["label alpha"] = partial(measures.label_alpha, labels=size)
    present: dict[str, Present] = {"label alpha": partial(_group_uses, labels=size)}
    sums = group_sums(both, people, counted=view.counted)
    found = estimates(sums, asked, drawing=drawing, present=present)
    if "fleiss_kappa" in found and not _even(both, people):
        found["fleiss_kappa"] = Estimate(*(one * np.nan for one in found["fleiss_kappa"]))
    return found


def _even(ratings: Ratings, people: list[int]) -> bool:
    """Whether all units that two people or more labelled have equally many labels."""
    number = (ratings.codes[:, people] >= 0).sum(axis=1)
    return len(np.unique(number[number >= 2])) <= 1


def _uses_label(vectors: Sums) -> NDArray[np.bool_]:
    """``[sample, label]`` whether some pair uses a label."""
    parts = measures.Margins(vectors)
    used: NDArray[np.bool_] = (parts.first + parts.second).sum(axis=-2) > 0
    return used


def _group_uses(vectors: Sums, labels: int) -> NDArray[np.bool_]:
    used: NDArray[np.bool_] = vectors[..., 3 : 3 + labels] > 0
    return used


def _labels(view: View, people: list[int], found: dict[str, Estimate]) -> dict[str, OfLabel]:
    """Labels that people use, the most frequent first; what says "nothing here" is none."""
    if not found:
        return {}
    codes = view.pairs.codes[:, people]
    uses = np.bincount(codes[codes >= 0], minlength=len(view.pairs.labels)) / len(people)
    order = sorted(range(len(uses)), key=lambda code: (-uses[code], view.pairs.labels[code]))
    return {
        view.pairs.labels[code]: OfLabel(
            float(uses[code]),
            {name: Estimate(*(part[code] for part in one)) for name, one in found.items()},
        )
        for code in order
        if uses[code] and code != view.pairs.outside
    }
