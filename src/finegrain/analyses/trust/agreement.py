"""How far annotators agree: all together, two by two, label by label; systems beside people.

>>> from finegrain.table.ratings import ratings
>>> rows = [["yes", "yes"]] * 300 + [["yes", "no"]] * 20
>>> rows += [["no", "yes"]] * 10 + [["no", "no"]] * 70
>>> found = agreement(ratings(rows, annotators=["judge1", "judge2"]), seed=1)
>>> for name, one in found.view("units").together.items():
...     print(f"{name:<14}{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]")
percent       0.925 [0.900, 0.950]
pooled_kappa  0.776 [0.697, 0.852]
cohen_kappa   0.776 [0.697, 0.852]
fleiss_kappa  0.776 [0.701, 0.847]
alpha         0.776 [0.702, 0.847]

Measures of two annotators are told of several as their mean over all pairs. If some annotators are
called systems, the others are people: how far people agree is the ceiling for what a system's
agreement with them can mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from finegrain.analyses.listing import Listing
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.analyses.trust import agreement_listings
from finegrain.analyses.trust.agreement_measures import MANY_PAIRS, Viewed, viewed
from finegrain.analyses.trust.agreement_units import TREES, View, view_of, views_of
from finegrain.errors import UsageError
from finegrain.metrics.agreement import SCALES, Scale
from finegrain.resampling.intervals import Drawing, check
from finegrain.table import OutcomeTable
from finegrain.table.ratings import Ratings, in_order
from finegrain.version import __version__


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Agreement(Printed):
    """Agreement in every view; ``systems`` names all annotators, ``machines`` those that are none.

    ``sampling`` is what was drawn for intervals, and how many of it there are.
    """

    task: str
    systems: tuple[str, ...]
    machines: tuple[str, ...]
    scale: Scale
    views: tuple[Viewed, ...]
    sampling: tuple[str, int]
    confidence: float
    signature: str
    notes: tuple[str, ...]

    @property
    def people(self) -> tuple[str, ...]:
        """The annotators that are no systems."""
        return tuple(name for name in self.systems if name not in self.machines)

    def view(self, name: str) -> Viewed:
        """One of those there are: ``units``, ``heads and relations``; ``spans``, ``tokens`` ..."""
        found = {one.name: one for one in self.views}
        if name not in found:
            raise UsageError.unknown("view", name, found)
        return found[name]

    def to_json(self) -> dict[str, Any]:
        return agreement_listings.to_json(self)

    def listings(self) -> tuple[Listing, ...]:
        return agreement_listings.listings(self)

    def records(self) -> Listing:
        return agreement_listings.records(self)


def agreement(
    given: OutcomeTable | Ratings,
    *,
    first: str = "gold",
    systems: Sequence[str] = (),
    scale: Scale = "nominal",
    order: Sequence[str] | None = None,
    intervals: int = 1000,
    confidence: float = 0.95,
    seed: int = 1,
) -> Agreement:
    """How far annotators agree.

    Parameters
    ----------
    given: an outcome table, in which one annotator stands as gold and the others as systems, or
        labels from ``fg.ratings`` or ``fg.read_ratings``
    first: the name of the annotator that stands as gold
    systems: annotators that are systems; the others are people
    scale: of labels: ``nominal``, ``ordinal``, ``interval`` or ``ratio``; adds weighted kappas and
        alpha on that scale
    order: labels from low to high, for the ordinal scale; numbers need none
    intervals: resamples for intervals; 0 for none
    confidence: of the intervals
    seed: the same seed, files and version of numpy give the same intervals
    """
    views = (view_of(given),) if isinstance(given, Ratings) else views_of(given, first=first)
    names = views[0].pairs.annotators
    people = _people(names, systems)
    if intervals:
        check(intervals, confidence)
    if scale not in SCALES:
        raise UsageError.unknown("scale", scale, SCALES)
    if scale != "nominal" and "f1" in views[0].measures:
        units = views[0].name
        raise UsageError(f"{units} have names for labels, not a scale: {scale} does not apply")
    if order is not None and scale != "ordinal":
        raise UsageError("an order of labels is for the ordinal scale: scale='ordinal'")
    if scale != "nominal":
        views = (view_of(_ordered(views[0].pairs, order, scale)),)
    drawing = Drawing(intervals, confidence, seed)
    found = tuple(viewed(view, people, scale, drawing) for view in views)
    sampling = (views[0].pairs.sample_kind, views[0].pairs.n_samples)
    return Agreement(
        "labels" if isinstance(given, Ratings) else given.task.name,
        names,
        tuple(name for name in names if name in systems),
        scale,
        found,
        sampling,
        confidence,
        _signature(given, views[0].pairs, scale, drawing),
        (*given.notes, *_compared(given, scale), *_notes(found, names, people), *_wholes(views)),
    )


def _people(names: tuple[str, ...], systems: Sequence[str]) -> list[int]:
    """The places of the annotators that are no systems."""
    for name in systems:
        if name not in names:
            raise UsageError.unknown("annotator", name, names)
    people = [place for place, name in enumerate(names) if name not in systems]
    if len(names) < 2:
        raise UsageError("agreement takes two annotators or more")
    if not people:
        raise UsageError("all annotators are systems: who are they to agree with?")
    return people


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True


def _ordered(given: Ratings, order: Sequence[str] | None, scale: Scale) -> Ratings:
    """The same labels in the order of the scale."""
    used = {given.labels[code] for code in np.unique(given.codes[given.codes >= 0]).tolist()}
    labels = in_order(used) if order is None else tuple(order)
    words = [label for label in labels if not _is_number(label)]
    if order is None and scale == "ordinal" and words:
        raise UsageError(
            f"the label {words[0]!r} is not a number, so give the order of labels, from low "
            f"to high, with --order (there are {', '.join(labels)})"
        )
    unknown = sorted(used - set(labels))
    if unknown or len(set(labels)) != len(labels):
        what = f"{unknown[0]!r} has no place" if unknown else "a label occurs in it twice"
        raise UsageError(f"the order of labels ({', '.join(labels)}): {what}")
    place = np.array([labels.index(name) if name in used else -1 for name in given.labels] + [-1])
    return replace(given, labels=labels, codes=place[given.codes].astype(np.int32))


def _signature(
    given: OutcomeTable | Ratings, ratings: Ratings, scale: Scale, drawing: Drawing
) -> str:
    said: dict[str, str] = {"scale": scale}
    if drawing.resamples:
        said |= {"sample": ratings.sample_kind, "n": str(ratings.n_samples)}
        said |= {"intervals": str(drawing.resamples), "confidence": f"{drawing.level:g}"}
        said["seed"] = str(drawing.seed)
    if isinstance(given, OutcomeTable):
        return signature(given, **said)
    parts = {"task": "labels", **given.settings, **said, "units": str(len(given))}
    parts |= {"annotators": str(len(given.annotators)), "v": __version__}
    return "|".join(f"{name}:{value.replace('|', '/')}" for name, value in parts.items())


def _compared(given: OutcomeTable | Ratings, scale: Scale) -> list[str]:
    """What of trees is compared."""
    if isinstance(given, Ratings) or "trees" not in given.task.has:
        return []
    more = f"{TREES} by percent agreement only" if scale == "nominal" else "heads do not count"
    return [f"units: relations only; {more}, as chance is not defined for heads"]


def _wholes(views: Sequence[View]) -> Iterable[str]:
    if len(views) == 1 and "f1" in views[0].measures:
        units = views[0].name
        yield f"without text there are no tokens, so {units} are compared as wholes only"


def _partly_undefined(view: Viewed, people: Sequence[int]) -> bool:
    """Whether a mean over pairs has a value that not all of them have."""
    told = {name for name, one in view.together.items() if not np.isnan(one.value)}
    return any(
        name in told and np.isnan(one.value)
        for pair in view.pairs
        if {pair.first, pair.second} <= set(people)
        for name, one in pair.measures.items()
    )


def _notes(views: tuple[Viewed, ...], names: tuple[str, ...], people: list[int]) -> Iterable[str]:
    """What must be known to read the numbers."""
    pairs = len(names) * (len(names) - 1) // 2
    if pairs > MANY_PAIRS:
        yield f"{pairs:,} pairs of annotators are too many for intervals of pairs and their means"
    if len(people) < 2:
        yield "people: only one, so there is no agreement of people to compare with"
    if any(_partly_undefined(view, people) for view in views):
        yield "a mean over pairs leaves out those for which a measure is undefined"
    apart = pairs - len(views[0].pairs)
    if apart:
        yield f"pairs of annotators without a common unit, which are left out: {apart:,}"
    for view in views:
        fleiss = view.together.get("fleiss_kappa")
        if (
            fleiss is not None
            and np.isnan(fleiss.value)
            and not np.isnan(view.together["alpha"].value)
        ):
            yield (
                "Fleiss' kappa is undefined: units have different numbers of labels (alpha takes "
                "that)"
            )
        missing = [name for name, one in view.together.items() if np.isnan(one.value)]
        missing = [name for name in missing if name != "fleiss_kappa"]
        if missing:
            yield (
                f"undefined for {view.name}: {', '.join(missing)} (no unit with two labels, or one "
                "label only, so that nothing but agreement was possible)"
            )
