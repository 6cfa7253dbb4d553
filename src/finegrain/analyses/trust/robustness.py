"""What perturbed texts cost a system: drops, flips, where it hurts, and the worst case.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=3_000, seed=1)
>>> copy = fg.perturb(play.gold, "upper")
>>> lost = fg.perturb(play.systems["neural"], "upper").corpus
>>> table = fg.align_perturbed(
...     play.gold, {"neural": play.systems["neural"]}, {"upper": (copy, {"neural": lost})})
>>> found = fg.robustness(table, intervals=100, resamples=200)
>>> drop, = found.drops
>>> drop.condition, drop.comparison.difference, drop.broken, drop.hurts
('upper', 0.0, 0, False)

Every system is compared with itself: its score under a condition with its score on the original,
on the same units, with a paired interval and a paired test whose p is corrected (Holm) for all
systems and conditions. What is not beyond chance is not called a weakness. Where a drop comes from
is searched in slices (labels, and buckets of attributes) only under conditions that do hurt, with a
level that is divided by all that could have been searched.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.interval_cells import interval_notes
from finegrain.analyses.listing import Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed
from finegrain.analyses.scores.score_intervals import score_intervals
from finegrain.analyses.signature import signature
from finegrain.analyses.trust import robustness_listings
from finegrain.analyses.trust.robustness_flips import (
    Flip,
    Flips,
    flips_of,
    flips_shown,
)
from finegrain.analyses.trust.robustness_worst import Worst, worst_case
from finegrain.analyses.trust.slice_finding import Finding
from finegrain.analyses.trust.slices import slices
from finegrain.attributes.choosing import Wanted
from finegrain.errors import UsageError
from finegrain.metrics.choosing import ranked
from finegrain.metrics.metric import Metric, require_applicable
from finegrain.resampling import many
from finegrain.resampling.intervals import check
from finegrain.resampling.pairs import Comparison, Settings, compare
from finegrain.resampling.sampling import Sampling, compared, on_common_units, sampling_of
from finegrain.sizes import plural
from finegrain.table import OutcomeTable, Task
from finegrain.table.conditions import EXPECTED, ORIGINAL, PRESENT, SAME
from finegrain.table.restriction import others, restricted
from finegrain.table.scale import Scale

Places = dict[tuple[str, str], tuple[int, int]]  # of a system under a condition: its columns


class Drop(NamedTuple):
    """A system under a condition beside itself on the original.

    ``original`` and ``value`` are scores on the ``n`` gold units that both have, ``comparison`` is
    the second less the first; ``p`` is corrected for all drops. ``expected``: whether answers
    should stay the ``same`` or follow a label that ``changes``.
    """

    system: str
    condition: str
    original: float
    value: float
    comparison: Comparison
    p: float
    n: int
    flips: Flips
    expected: str
    hurts: bool

    @property
    def broken(self) -> int:
        """How many gold units were right on the original and are not any more."""
        return self.flips.broken

    @property
    def loss(self) -> float:
        """By how much the score is worse."""
        return -self.comparison.difference


class Weak(NamedTuple):
    """Where a drop comes from: a slice of the gold units that loses beyond chance."""

    system: str
    condition: str
    finding: Finding


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Robustness(Printed):
    """All systems under all conditions; drops of a system stand from the worst to none.

    ``values`` are scores on the whole original with their intervals ``[system, 2]``.
    """

    task: Task
    systems: tuple[str, ...]
    conditions: tuple[str, ...]
    metric: Metric
    level: float
    correction: str
    values: tuple[float, ...]
    ends: NDArray[np.float64]
    drops: tuple[Drop, ...]
    worst: tuple[Worst, ...]
    weak: tuple[Weak, ...]
    shown: tuple[Flip, ...]
    sampling: tuple[str, int]
    signature: str
    notes: tuple[str, ...]

    def of(self, system: str) -> tuple[Drop, ...]:
        """The drops of a system, the worst first."""
        if system not in self.systems:
            raise UsageError.unknown("system", system, self.systems)
        return tuple(drop for drop in self.drops if drop.system == system)

    def to_json(self) -> dict[str, Any]:
        return robustness_listings.to_json(self)

    def listings(self) -> tuple[Listing, ...]:
        return robustness_listings.listings(self)

    def records(self) -> Listing:
        return robustness_listings.records(self)


def robustness(
    table: OutcomeTable,
    metric: str | Metric | None = None,
    *,
    by: Sequence[Wanted] | None = None,
    correction: str = "holm",
    examples: int = 3,
    resamples: int = 10_000,
    intervals: int = 1_000,
    confidence: float = 0.95,
    seed: int = 1,
    assume_independent: bool = False,
    where: str = "",
) -> Robustness:
    """What conditions, such as perturbed texts, cost each system.

    Parameters
    ----------
    table: of ``align_perturbed``: systems on the original and under conditions
    metric: by name or as a value; default: that which systems are compared by
    by: attributes whose buckets are searched for where it hurts; default: those of the task
    correction: of p for all systems and conditions: ``holm``, ``benjamini-hochberg`` or ``none``
    examples: how many flipped units are shown of each drop that is beyond chance
    resamples, intervals: number of resamples for p, and for intervals
    confidence: of intervals; a drop is a weakness if its corrected p is at most 1 - confidence
    seed: the same seed gives the same digits
    assume_independent: sentences and units of a document do not depend on each other
    where: only the units that this holds for, as in ``score``
    """
    settings = Settings("randomisation", resamples, intervals, confidence, seed)
    _require(settings, correction)
    pairs = _pairs(table)
    table = restrict(table, where)
    chosen = ranked(table, metric)
    require_applicable(table, [chosen])
    if not chosen.exchangeable:
        settings = replace(settings, test="bootstrap")
    drops = _drops(table, pairs, chosen, settings, correction, independent=assume_independent)
    place = dict(zip(_named(table, pairs), pairs, strict=True))
    weak, notes = _weak(table, drops, place, by, settings, independent=assume_independent)
    sampling = sampling_of(table, kind="sentence" if assume_independent else None)
    if any(math.isnan(drop.comparison.p) for drop in drops):
        what = f"{sampling.samples.size:,} {plural(sampling.kind)} are too few for a test"
        notes.append(f"p n/a: {what}; --assume-independent tests {table.task.words.places}")
    notes += interval_notes(sampling.kind, missing=False, independent=assume_independent)
    shown = _shown(table, drops, place, examples)
    found = _result(table, pairs, chosen, settings, sampling, correction)
    return replace(found, drops=drops, weak=weak, shown=shown, notes=(*table.notes, *notes))


def _result(
    table: OutcomeTable,
    pairs: Sequence[tuple[int, int]],
    metric: Metric,
    settings: Settings,
    sampling: Sampling,
    correction: str,
) -> Robustness:
    """What is known of systems by themselves, without drops."""
    bases = list(dict.fromkeys(base for base, _ in pairs))
    values, ends = _originals(table, bases, metric, settings, sampling)
    return Robustness(
        table.task,
        tuple(table.systems[base] for base in bases),
        tuple(dict.fromkeys(condition for _, condition in _named(table, pairs))),
        metric,
        settings.level,
        correction,
        values,
        ends,
        (),
        tuple(worst_case(table, base, pairs, settings, sampling) for base in bases),
        (),
        (),
        (sampling.kind, sampling.samples.size),
        signature(table, **_said(metric, settings, correction, sampling)),
        (),
    )


def _originals(
    table: OutcomeTable,
    bases: Sequence[int],
    metric: Metric,
    settings: Settings,
    sampling: Sampling,
) -> tuple[tuple[float, ...], NDArray[np.float64]]:
    """Scores on the whole original, and their intervals ``[system, 2]``."""
    own = table.only(bases)
    ends = score_intervals(
        own, [metric], resamples=settings.intervals, seed=settings.seed,
        confidence=settings.level, sampling=sampling,
    )  # fmt: skip
    scores = [float(metric.score(one.total())) for one in compared(own, metric, sampling)]
    return tuple(scores), ends.overall[metric.name]


def _shown(
    table: OutcomeTable, drops: Sequence[Drop], place: Places, examples: int
) -> tuple[Flip, ...]:
    """Units that broke, of drops that are beyond chance."""
    return tuple(
        flip
        for drop in drops
        if drop.hurts
        for flip in flips_shown(table, *place[drop.system, drop.condition], examples)
    )


def _require(settings: Settings, correction: str) -> None:
    check(settings.resamples, settings.level)
    check(settings.intervals, settings.level)
    if correction not in many.CORRECTIONS:
        raise UsageError.unknown("correction", correction, many.CORRECTIONS)


def _said(
    metric: Metric, settings: Settings, correction: str, sampling: Sampling
) -> dict[str, str]:
    """What the signature says."""
    return {
        "metric": metric.name, "test": settings.test, "correction": correction,
        **sampling.said(), "resamples": str(settings.resamples),
        "intervals": str(settings.intervals), "confidence": f"{settings.level:g}",
        "seed": str(settings.seed),
    }  # fmt: skip


def _named(table: OutcomeTable, pairs: Sequence[tuple[int, int]]) -> list[tuple[str, str]]:
    """The systems and conditions of pairs of columns."""
    return [(table.facets["system"][at], table.facets["condition"][at]) for _, at in pairs]


def _drops(
    table: OutcomeTable,
    pairs: Sequence[tuple[int, int]],
    metric: Metric,
    settings: Settings,
    correction: str,
    *,
    independent: bool,
) -> tuple[Drop, ...]:
    """All drops with corrected p, by system, the worst first."""
    found = [_drop(table, pair, metric, settings, independent=independent) for pair in pairs]
    adjusted = many.CORRECTIONS[correction]([one.comparison.p for one in found])
    alpha = 1 - settings.level + 1e-12
    drops = [
        one._replace(p=p, hurts=p <= alpha and _loss(one, metric.scale) > 0)
        for one, p in zip(found, adjusted, strict=True)
    ]
    return tuple(sorted(drops, key=lambda one: _rank(one, metric.scale, table)))


def _pairs(table: OutcomeTable) -> list[tuple[int, int]]:
    """The columns of each system on the original and under a condition."""
    system, condition = (table.facets.get(name, ()) for name in ("system", "condition"))
    if not condition:
        raise UsageError(
            "the table has no conditions: fg.align_perturbed makes one with systems on the "
            "original and on perturbed copies"
        )
    base = {system[at]: at for at, one in enumerate(condition) if one == ORIGINAL}
    found = [(base[system[at]], at) for at, one in enumerate(condition) if one != ORIGINAL]
    if not found:
        raise UsageError("there are outputs on the original only: give some on perturbed copies")
    return found


def _both(table: OutcomeTable, base: int, at: int) -> OutcomeTable:
    """A system on the original and under a condition, on the units that there are in both."""
    pair = table.only([base, at])
    present = pair.details.get(PRESENT)
    if present is None or present.all():
        return pair
    rows = present[:, 0] & present[:, 1]
    rest = others(table)
    return restricted(pair, rows if rest is None else rows & ~rest)


def _drop(
    table: OutcomeTable,
    places: tuple[int, int],
    metric: Metric,
    settings: Settings,
    *,
    independent: bool,
) -> Drop:
    pair = _both(table, *places)
    sampling = sampling_of(pair, kind="sentence" if independent else None)
    one, other = on_common_units(pair, metric, sampling, compared)([0, 1])
    found = compare(one, other, metric.score, settings, scale=metric.scale, silent=metric.silent)
    if found.differing == 0:  # nothing was answered in another way
        found = found._replace(difference=0.0, low=0.0, high=0.0, p=1.0)
    at = places[1]
    expected = table.facets.get(EXPECTED, (SAME,) * table.n_systems)[at]
    return Drop(
        table.facets["system"][at],
        table.facets["condition"][at],
        float(metric.score(one.total())),
        float(metric.score(other.total())),
        found,
        math.nan,
        pair.n_gold,
        flips_of(pair, expected),
        expected,
        hurts=False,
    )


def _loss(drop: Drop, scale: Scale) -> float:
    """How much quality is lost."""
    return -float(scale.quality(np.array(drop.comparison.difference)))


def _rank(drop: Drop, scale: Scale, table: OutcomeTable) -> tuple[int, bool, float, str]:
    """By system as they were given; what hurts first, then by what is lost."""
    loss = _loss(drop, scale)
    system = table.systems.index(drop.system)
    return system, not drop.hurts, math.inf if math.isnan(loss) else -loss, drop.condition


def _weak(
    table: OutcomeTable,
    drops: Sequence[Drop],
    place: Places,
    by: Sequence[Wanted] | None,
    settings: Settings,
    *,
    independent: bool,
) -> tuple[tuple[Weak, ...], list[str]]:
    """Slices that lose, under conditions that hurt."""
    found: list[Weak] = []
    notes: list[str] = []
    level = 1 - (1 - settings.level) / len(drops)
    for drop in drops:
        if not drop.hurts:
            continue
        pair = _both(table, *place[drop.system, drop.condition])
        try:
            search = slices(
                pair, (pair.systems[0], pair.systems[1]), by=by, confidence=level,
                seed=settings.seed, assume_independent=independent,
            )  # fmt: skip
        except UsageError as error:
            if by is not None:
                raise
            notes.append(f"no slices are searched: {error}")
            break
        found += [
            Weak(drop.system, drop.condition, one) for one in search.findings if not one.gained
        ]
    return tuple(found), notes
