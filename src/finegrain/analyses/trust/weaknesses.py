r"""Where systems are weak, and which errors they make more often than others: all tested at once.

Losses are tested bucket by bucket (of every attribute alone, the label included), each against the
rest of the same documents, and each for

========  =========================================================================================
own       every system: it is worse there than elsewhere
shared    the mean over systems: they are worse there than elsewhere
beyond    a system less the mean of the others (of three or more): it is worse there than they are,
          by more than elsewhere
========  =========================================================================================

and kinds of errors for every system: it makes more of them than the others do on average. All of
these change their signs together (``resampling.sign_flips``), so p is corrected for all that was
searched. Lost is a gold unit that a system is wrong about, or the value of a graded one: an answer
that is not gold is in a bucket for what it is itself, and wrong boundaries make words that no
training data have.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=20_000, seed=1, systems={"careful": [], "hasty": ["long-entities"]})
>>> found = weaknesses(fg.align(play.gold, play.systems))
>>> [(one.of, one.slice.name, one.systems) for one in found.weak]
[('own', 'entity_length 4 to 12', ('hasty',))]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Unpack

import numpy as np

from finegrain.analyses.trust.error_excess import Excess, Kinds, more_often, of_kinds
from finegrain.analyses.trust.slice_candidates import Candidates, Slice, candidates
from finegrain.analyses.trust.slices import attributes_of
from finegrain.analyses.trust.unexplained import Others, unexplained
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.training import Reading, TrainingData, learnt_from
from finegrain.attributes.units import Units
from finegrain.corpus import Corpus, IntArray
from finegrain.metrics.metric import ratio
from finegrain.resampling.against_rest import Clusters, contributions, given_other, turned_together
from finegrain.resampling.intervals import SEED, too_few
from finegrain.resampling.sampling import Sampling, sampling_of
from finegrain.resampling.sign_flips import (
    RESAMPLES,
    Family,
    corrected_effects,
    flipped,
)
from finegrain.resampling.subsets import Floats, Subsets
from finegrain.table import OutcomeTable
from finegrain.table.samples import FEWEST as FEWEST_SAMPLES
from finegrain.table.samples import Samples
from finegrain.table.scale import PROPORTION, Scale
from finegrain.table.verdicts import right, value

FEWEST = 50  # gold units of a bucket
LEVEL = 0.95
_ALIKE = 0.5  # of the largest effect: a system that shares a weakness

Of = Literal["own", "shared", "beyond"]


class Weakness(NamedTuple):
    """Where systems are weak. ``effect`` and its ends tell how much worse, in units of the loss.

    ``systems``: one, or all that share the weakness; ``here`` and ``rest`` ``[system]`` are what
    every system loses per unit in the bucket and elsewhere; ``p`` is corrected for all tests.
    """

    of: Of
    systems: tuple[str, ...]
    slice: Slice
    n: int
    effect: float
    low: float
    high: float
    p: float
    here: Floats
    rest: Floats
    scale: Scale = PROPORTION


@dataclass(frozen=True, slots=True, eq=False)
class Weaknesses:
    """What was searched, and what is beyond chance; ``tests`` is 0 where nothing could be tested.

    ``too_few``: the samples, such as documents, are too few for any test.
    """

    weak: tuple[Weakness, ...]
    more: tuple[Excess, ...]
    buckets: int
    tests: int
    sampling: Sampling
    too_few: bool


_Columns = list[tuple[Of, int]]


def weaknesses(
    table: OutcomeTable,
    *,
    kinds: Kinds | None = None,
    train: Corpus | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    **learning: Unpack[Reading],
) -> Weaknesses:
    """Test all systems in all buckets, and all kinds of errors, together.

    Parameters
    ----------
    kinds: of errors, to be tested where there are two systems or more
    train: training data, for attributes that are learnt
    level: 1 less the chance of any false claim
    resamples, seed: of the changes of signs
    learning: how the training data are read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    attributes = attributes_of(table, None, train)
    needed = any(one.needs_training for one in attributes)
    training = learnt_from(train, table, needed=needed, **learning)
    return _Search(table, attributes, training, sampling_of(table), level).run(
        kinds, resamples=resamples, seed=seed
    )


def bucket_candidates(table: OutcomeTable, *, train: Corpus | None = None) -> Candidates:
    """The buckets that are searched; their members are gold units."""
    attributes = attributes_of(table, None, train)
    training = None if train is None else learnt_from(train, table, needed=True)
    search = _Search(table, attributes, training, sampling_of(table), LEVEL)
    return search.candidates(np.flatnonzero(table.is_gold))


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    table: OutcomeTable
    attributes: Sequence[Attribute]
    training: TrainingData | None
    sampling: Sampling
    level: float

    def run(self, kinds: Kinds | None, *, resamples: int, seed: int) -> Weaknesses:
        scale = value(self.table).scale if self.table.task.value else PROPORTION
        few = too_few(self.sampling.samples.size, level=self.level)
        losses, items = self._losses(scale)
        if few or not len(items):
            return Weaknesses((), (), 0, 0, self.sampling, few)
        found = self.candidates(items)
        together = self._together(found.subsets, items, losses)
        unit = float(np.abs(losses).max(initial=0)) or 1.0
        columns = _columns(self.table.n_systems)
        mixed = (losses / unit) @ _mixing(columns, self.table.n_systems)
        clusters = self._clusters(items)
        turned = Samples(together.codes[items], together.size)
        given = contributions(mixed, found.subsets, clusters, turned)
        buckets = given.least.size
        counted = None
        if kinds is not None and self.table.n_systems > 1:
            counted = of_kinds(kinds, together)
            given = given.beside(counted.given)
        tests = given.least.size
        if not tests:
            return Weaknesses((), (), 0, 0, self.sampling, few)
        family = flipped(given, level=self.level, resamples=resamples, seed=seed)
        tested = _Tested(
            self.table.systems, found, columns, mixed, losses, clusters, family, unit, scale
        )
        more = () if counted is None else more_often(self.table.systems, counted, family, buckets)
        return Weaknesses(
            tuple(tested.claims()), more, found.subsets.size, tests, self.sampling, few
        )

    def _losses(self, scale: Scale) -> tuple[Floats, IntArray]:
        """``[item, system]`` what every system loses, and the rows of these items."""
        gold = self.table.is_gold
        if self.table.task.value:
            matrix = value(self.table).matrix
            items = np.flatnonzero(gold & ~np.isnan(matrix).any(axis=1))
            return -scale.quality(matrix[items]), items
        items = np.flatnonzero(gold)
        return (~right(self.table)[items]).astype(float), items

    def candidates(self, items: IntArray) -> Candidates:
        chosen = np.zeros(len(self.table), bool)
        chosen[items] = True
        documents = self.sampling.kind == "document"
        return candidates(
            Units(self.table, self.training), self.attributes, chosen, fewest=FEWEST,
            clusters=np.asarray(self.sampling.samples.codes),
            least_clusters=FEWEST_SAMPLES if documents else 0, crossed=False,
        )  # fmt: skip

    def _clusters(self, items: IntArray) -> Clusters:
        _, codes = np.unique(np.asarray(self.sampling.samples.codes)[items], return_inverse=True)
        return Clusters(codes, within=self.sampling.kind == "document")

    def _together(self, subsets: Subsets, items: IntArray, losses: Floats) -> Samples:
        """``[unit]`` of the table: whose signs it turns with, whatever the order of documents."""
        codes = np.full((len(subsets.codes) + 1, len(self.table)), -1, np.int32)
        codes[:-1, items] = subsets.codes
        codes[-1] = self.table.is_gold
        told = np.sort(self.table.outcome, axis=1)  # whatever the order of systems
        marks = np.unique(told, axis=0, return_inverse=True)[1].ravel()
        if self.table.task.value:
            told = np.sort(losses, axis=1)
            marks[items] = np.unique(told, axis=0, return_inverse=True)[1].ravel()
        every = np.asarray(self.sampling.samples.codes)
        return turned_together(Subsets(codes, subsets.size), marks, every)


def _columns(systems: int) -> _Columns:
    """What is tested bucket by bucket."""
    found: _Columns = [("own", system) for system in range(systems)]
    if systems > 1:
        found.append(("shared", -1))
    if systems > 2:
        found += [("beyond", system) for system in range(systems)]
    return found


def _mixing(columns: _Columns, systems: int) -> Floats:
    """``[system, column]`` how losses of systems make those of columns."""
    found = np.zeros((systems, len(columns)))
    for column, (of, system) in enumerate(columns):
        if of == "shared":
            found[:, column] = 1 / systems
            continue
        if of == "beyond":
            found[:, column] = -1 / (systems - 1)
        found[system, column] = 1
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Tested:
    """Tests ``[column x bucket]``; ``mixed`` ``[item, column]`` and ``losses`` ``[item, system]``.

    Those of buckets stand before those of kinds.
    """

    systems: tuple[str, ...]
    found: Candidates
    columns: _Columns
    mixed: Floats
    losses: Floats
    clusters: Clusters
    family: Family
    unit: float
    scale: Scale

    def claims(self) -> list[Weakness]:
        """What is beyond chance and says something of its own, shared weaknesses first."""
        shared: list[int] = []
        claims: list[Weakness] = []
        sharers: dict[int, tuple[int, ...]] = {}
        if ("shared", -1) in self.columns:
            column = self.columns.index(("shared", -1))
            wide = {place: self._sharing(place) for place in self._beyond(column)}
            most = [place for place, who in wide.items() if 2 * len(who) > len(self.systems)]
            shared = self._kept(column, most, [])
            sharers = {place: wide[place] for place in shared}
            claims += [self._claim(column, place, wide[place]) for place in shared]
        for system in range(len(self.systems)):
            mine = [place for place, who in sharers.items() if system in who]
            told: list[int] = []
            for of in ("own", "beyond"):
                if (of, system) not in self.columns:
                    continue
                column = self.columns.index((of, system))
                known = [*mine, *told] if of == "own" else told
                new = [place for place in self._beyond(column) if place not in known]
                if of == "beyond":
                    new = [place for place in new if self._behind(system, place)]
                kept = self._kept(column, new, known)
                claims += [self._claim(column, place, (system,)) for place in kept]
                told += kept
        return claims

    def _test(self, column: int, place: int) -> int:
        return column * self.found.subsets.size + place

    def _beyond(self, column: int) -> list[int]:
        """Buckets that are beyond chance, the strongest first."""
        every = range(self.found.subsets.size)
        value = {place: float(self.family.value[self._test(column, place)]) for place in every}
        found = [place for place in every if value[place] > self.family.threshold]
        return sorted(found, key=lambda place: -value[place])

    def _kept(self, column: int, strongest: list[int], known: list[int]) -> list[int]:
        """Those of them that neither each other nor what is known explains."""

        def goes_beyond(place: int, other: int) -> bool:
            members = self.found.subsets.members
            left = given_other(self.mixed[:, column], members(place), members(other), self.clusters)
            return -left >= self.family.threshold

        new = [place for place in strongest if all(goes_beyond(place, one) for one in known)]
        return unexplained(new, Others(self.found.subsets.members, goes_beyond))

    def _sharing(self, place: int) -> tuple[int, ...]:
        """Systems whose own effect is at least half of the largest one."""
        own = [float(self.family.effect[self._test(system, place)])
               for system in range(len(self.systems))]  # fmt: skip
        return tuple(at for at, one in enumerate(own) if one > 0 and one >= _ALIKE * max(own))

    def _behind(self, system: int, place: int) -> bool:
        """Whether a system is worse there than it is elsewhere, and than the others are there."""
        here = self.losses[self.found.subsets.members(place)].mean(axis=0)
        others = (here.sum() - here[system]) / max(1, len(here) - 1)
        own = float(self.family.effect[self._test(system, place)])
        return bool(own > 0 and here[system] > others)

    def _claim(self, column: int, place: int, systems: tuple[int, ...]) -> Weakness:
        test, inside = self._test(column, place), self.found.subsets.members(place)
        told = float(corrected_effects(self.family)[test]) * self.unit
        n = int(np.count_nonzero(inside))
        here, rest = (
            ratio(self.losses[rows].sum(axis=0), np.array(float(np.count_nonzero(rows))))
            for rows in (inside, ~inside)
        )
        ends = float(self.family.low[test]) * self.unit, float(self.family.high[test]) * self.unit
        p = float(self.family.p[test])
        names = tuple(self.systems[at] for at in systems)
        of = self.columns[column][0]
        return Weakness(
            of, names, self.found.slices[place], n, told, *ends, p, here, rest, self.scale
        )
