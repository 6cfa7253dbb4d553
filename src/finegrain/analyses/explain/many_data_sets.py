"""Systems over many data sets: averages, ranks, what matters where, and whether it is chance.

Scores, ranks of systems with the critical difference of Nemenyi (Demšar 2006), and the measures of
Fu, Liu and Neubig (2020): Spearman and standard deviation of every attribute averaged over data
sets (their table 2), best and worst buckets by data set (table 3), zeta and rho by data set (figure
4), the improvement of a system over its baseline by bucket (figure 6). Friedman's test asks whether
the buckets of a system differ, Wilcoxon's whether a system and its baseline differ in a bucket. A
data set is one block of these tests, by the means of runs, as all that is on it shares its units.

>>> import finegrain as fg
>>> plays = {name: fg.simulate(tokens=2_000, seed=seed) for seed, name in enumerate("ab")}
>>> tables = {name: fg.align(play.gold, play.systems) for name, play in plays.items()}
>>> found = fg.Suite.of(tables, baseline="baseline", by="entity_length").run()
>>> found.systems
('baseline', 'crf', 'neural', 'uniform')
>>> found.ranks().mean.tolist()
[4.0, 3.0, 1.5, 1.5]

Buckets of different data sets are put side by side by their names. A data set that lacks a bucket,
or a system, takes no part in tests, ranks and averages over those it lacks; scores of different
metrics have no average.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain import suite_json, suite_listings
from finegrain.analyses.explain.data_set_scores import DataSetScores
from finegrain.analyses.listing import Listing
from finegrain.analyses.result import Printed
from finegrain.resampling.intervals import NO_INTERVALS, Drawing
from finegrain.resampling.many import letters
from finegrain.resampling.rank_tests import (
    Friedman,
    SignedRanks,
    critical_difference,
    friedman,
    mean_ranks,
    signed_ranks,
)
from finegrain.resampling.replicability import RandomEffects, random_effects, replicated
from finegrain.resampling.runs import Gap
from finegrain.resampling.strata import Stratified, over_strata
from finegrain.table.scale import PROPORTION, Scale
from finegrain.version import __version__

LEVEL = 0.05


class Ranks(NamedTuple):
    """``mean`` ``[system]`` rank over the data sets that all systems have, 1 the best.

    Two systems share a letter in ``groups`` if their mean ranks differ by less than ``critical``;
    without ranks, or others to compare with, they have none.
    """

    mean: NDArray[np.float64]
    critical: float
    groups: tuple[str, ...]
    friedman: Friedman


class Improvement(NamedTuple):
    """A system and its baseline, as places of systems."""

    system: int
    baseline: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ManyDataSets(Printed):
    """Scores of all data sets, and what is averaged and tested over them."""

    systems: tuple[str, ...]
    data_sets: tuple[DataSetScores, ...]
    improvements: tuple[Improvement, ...]
    drawing: Drawing
    signature: str
    notes: tuple[str, ...]

    @property
    def task(self) -> str:
        """The task of all data sets, or ``mixed``."""
        return _one_of([one.task for one in self.data_sets])

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, one unless tasks are mixed."""
        return tuple(dict.fromkeys(one.metric.name for one in self.data_sets))

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the attributes of any data set."""
        return tuple(dict.fromkeys(name for one in self.data_sets for name in one.attributes))

    def overall(self) -> NDArray[np.float64]:
        """``[data set, system]`` scores of all units."""
        return np.array([one.overall for one in self.data_sets])

    @property
    def scale(self) -> Scale:
        """How scores are read that are averaged: as those of the one metric, if it is one."""
        scales = {one.metric.scale for one in self.data_sets}
        return scales.pop() if len(scales) == 1 else PROPORTION

    def bucket_names(self, attribute: str) -> tuple[str, ...]:
        """Buckets of an attribute that any data set has; those of the longest list come first."""
        lists = [
            [name for name, is_in in zip(found.names, found.judged, strict=True) if is_in]
            for one in self.data_sets
            if (found := one.attributes.get(attribute)) is not None
        ]
        lists.sort(key=len, reverse=True)
        return tuple(dict.fromkeys(name for names in lists for name in names))

    def shared(self, systems: Sequence[int]) -> tuple[DataSetScores, ...]:
        """The data sets on which all of these systems have a score."""
        return tuple(
            one for one in self.data_sets if not np.isnan(one.overall[list(systems)]).any()
        )

    def averaged(self) -> tuple[DataSetScores, ...]:
        """The data sets that averages are over: those all systems have, if of one metric."""
        return _of_one_metric(self.shared(range(len(self.systems))))

    def means(self) -> NDArray[np.float64]:
        """``[system]`` averages over data sets; nan where scores cannot be averaged."""
        scores = np.array([one.overall for one in self.averaged()])
        return scores.mean(axis=0) if len(scores) else np.full(len(self.systems), np.nan)

    def average(self, system: int) -> Stratified | None:
        """The mean over data sets with its interval; none where it was not asked for."""
        over = self.averaged()
        if not over or not all(system in one.estimates.means for one in over):
            return None
        means = [one.estimates.means[system] for one in over]
        parts = [one.parts for one in means]
        return over_strata([one.mean for one in means], parts, level=self.drawing.level)

    def average_change(
        self, pair: Improvement, over: Sequence[DataSetScores] | None = None
    ) -> Stratified | None:
        """The mean of what a system gains over its baseline, drawn together; more is better.

        ``over``: data sets, by default those that both have, if of one metric.
        """
        chosen = _of_one_metric(self.shared(pair)) if over is None else over
        gaps = [one.estimates.gap(*pair) for one in chosen]
        known = [gap for gap in gaps if gap is not None]
        if not known or len(known) < len(gaps):
            return None
        parts = [one.parts for one in known]
        changes = chosen[0].metric.scale.quality(np.array([one.difference for one in known]))
        return over_strata(changes.tolist(), parts, level=self.drawing.level)

    def ranks(self) -> Ranks:
        """Mean ranks of systems, best 1, and which of them differ."""
        overall = np.array([one.metric.scale.quality(one.overall) for one in self.data_sets])
        mean = mean_ranks(overall)
        tested = friedman(overall)
        critical = critical_difference(
            treatments=len(self.systems), blocks=tested.blocks, level=LEVEL
        )
        if np.isnan(critical):
            return Ranks(mean, critical, ("",) * len(mean), tested)
        different = np.abs(mean[:, None] - mean[None, :]) >= critical
        order = sorted(range(len(mean)), key=lambda place: (mean[place], self.systems[place]))
        return Ranks(mean, critical, tuple(letters(order, different)), tested)

    def by_system(self, attribute: str) -> tuple[Friedman, ...]:
        """Whether buckets differ, for each system over data sets.

        Runs and systems on one data set share its units, so that a data set is one block, by the
        means of its runs: as blocks of their own they would tell chance for a difference.
        """
        names = self.bucket_names(attribute)
        return tuple(
            friedman(self._blocks(attribute, names, system)) for system in range(len(self.systems))
        )

    def _blocks(self, attribute: str, names: Sequence[str], system: int) -> NDArray[np.float64]:
        """``[data set, bucket]`` the means of runs."""
        return np.array(
            [[one.score(attribute, name, system) for name in names] for one in self.data_sets]
        ).reshape(len(self.data_sets), len(names))

    def changes(self, attribute: str, bucket: str, pair: Improvement) -> NDArray[np.float64]:
        """``[data set, absolute or relative]`` what a system gains over its baseline."""
        found = np.full((len(self.data_sets), 2), np.nan)
        for place, one in enumerate(self.data_sets):
            new, old = (one.score(attribute, bucket, system) for system in pair)
            gain = float(one.metric.scale.gain(np.array(old), np.array(new)))
            found[place] = gain, gain / abs(old) if old else np.nan
        return found

    def tested(self, attribute: str, bucket: str, pair: Improvement) -> SignedRanks:
        """Whether a system and its baseline differ in a bucket, over data sets: means of runs."""
        new, old = (
            np.array([one.score(attribute, bucket, system) for one in self.data_sets])
            for system in pair
        )
        return signed_ranks(old, new)

    def replicated(self, pair: Improvement) -> int | None:
        """On how many data sets a system is shown to be better than its baseline."""
        gains = self._gains(pair)
        return replicated([_better(gain) for gain in gains]) if gains else None

    def over_others(self, pair: Improvement) -> RandomEffects | None:
        """The mean gain if data sets are a sample of others, and what to expect on one more."""
        gains = self._gains(pair)
        return random_effects(
            [gain.difference for gain in gains],
            [math.sqrt(gain.seeds + gain.items) for gain in gains],
            level=self.drawing.level,
        )

    def _gains(self, pair: Improvement) -> list[Gap]:
        """What a system gains on each data set that both have, more being better."""
        found = []
        for one in _of_one_metric(self.shared(pair)):
            gap = one.estimates.gap(*pair)
            if gap is None:
                return []
            gain = one.metric.scale.quality(np.array(gap.difference))
            found.append(gap._replace(difference=float(gain)))
        return found

    def to_json(self) -> dict[str, Any]:
        return suite_json.to_json(self)

    def listings(self) -> tuple[Listing, ...]:
        return suite_listings.listings(self)

    def records(self) -> Listing:
        return suite_listings.records(self)


def many_data_sets(
    data_sets: Sequence[DataSetScores],
    systems: Sequence[str],
    improvements: Sequence[Improvement] = (),
    *,
    drawing: Drawing = NO_INTERVALS,
) -> ManyDataSets:
    """Put data sets together, whose columns are ``systems``."""
    found = ManyDataSets(
        tuple(systems),
        tuple(data_sets),
        tuple(improvements),
        drawing,
        _signature(data_sets, systems, drawing),
        _notes(data_sets, systems),
    )
    tests = (test for attribute in found.attributes for test in found.by_system(attribute))
    if not any(np.isnan(test.p) for test in tests):
        return found
    why = "p n/a: fewer than two blocks or buckets that all have, or the same score everywhere"
    return replace(found, notes=(*found.notes, why))


def _better(gain: Gap) -> float:
    """The one-sided p that a gain is none."""
    if math.isnan(gain.p):
        return math.nan
    return gain.p / 2 if gain.difference > 0 else 1 - gain.p / 2


def _of_one_metric(data_sets: tuple[DataSetScores, ...]) -> tuple[DataSetScores, ...]:
    """The data sets, or none of them where scores of different metrics would be mixed."""
    return data_sets if len({one.metric.name for one in data_sets}) == 1 else ()


def _one_of(tasks: list[str]) -> str:
    return tasks[0] if len(set(tasks)) == 1 else "mixed"


def _signature(data_sets: Sequence[DataSetScores], systems: Sequence[str], drawing: Drawing) -> str:
    attributes = dict.fromkeys(name for one in data_sets for name in one.attributes)
    parts = {
        "task": _one_of([one.task for one in data_sets]),
        "metric": ",".join(dict.fromkeys(one.metric.name for one in data_sets)),
        "by": ",".join(attributes),
        "datasets": str(len(data_sets)),
        "units": ",".join(str(one.units) for one in data_sets),
        "runs": str(sum(len(one.by_run.systems) for one in data_sets)),
        "systems": str(len(systems)),
        **(drawing.said() if drawing.resamples else {}),
        "v": __version__,
    }
    return "|".join(f"{name}:{value.replace('|', '/')}" for name, value in parts.items())


def _notes(data_sets: Sequence[DataSetScores], systems: Sequence[str]) -> tuple[str, ...]:
    """What the data sets say, and where systems are missing or tests undefined."""
    homes: dict[str, list[str]] = {}
    for one in data_sets:
        for note in one.notes:
            homes.setdefault(note, []).append(one.name)
    all_of_them = len(data_sets)
    notes = [
        note if len(names) == all_of_them else f"{', '.join(names)}: {note}"
        for note, names in homes.items()
    ]
    for place, system in enumerate(systems):
        lacking = [one.name for one in data_sets if np.isnan(one.overall[place])]
        if lacking:
            notes.append(
                f"{system} has no score on {', '.join(lacking)}: averages and ranks are over data "
                "sets that all systems have"
            )
    if len(data_sets) < 6:
        few = f"{len(data_sets)} data set" + ("s" if len(data_sets) != 1 else "")
        notes.append(f"{few}: tests over so few blocks can hardly show a difference")
    return tuple(notes)
