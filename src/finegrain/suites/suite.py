"""Many data sets and what is asked of all of them.

>>> import finegrain as fg
>>> plays = {name: fg.simulate(tokens=1_000, seed=seed) for seed, name in enumerate("ab")}
>>> tables = {name: fg.align(play.gold, play.systems) for name, play in plays.items()}
>>> suite = fg.Suite.of(tables, by="entity_length", compare=[("neural", "crf")])
>>> suite.systems
('baseline', 'crf', 'neural', 'uniform')
>>> suite.run().to_json()["data_sets"]["a"]["attributes"]["entity_length"]["names"]
['XS', 'S', 'L', 'XL']

``fg.Suite.read("suite.toml")`` takes files instead, which are read one data set at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack

from finegrain.analyses.explain.buckets import Choices, Pair, buckets
from finegrain.analyses.explain.data_set_scores import DataSetScores, data_set_scores
from finegrain.analyses.explain.many_data_sets import Improvement, ManyDataSets, many_data_sets
from finegrain.attributes.choosing import Wanted
from finegrain.corpus import Corpus
from finegrain.corpus.names import misnamed
from finegrain.errors import InputError, UsageError
from finegrain.files_read import FilePath
from finegrain.resampling.intervals import LEVEL, SEED, Drawing, check
from finegrain.suites.layout import read_layout
from finegrain.suites.loading import Loaded, load
from finegrain.table import OutcomeTable


class Asked(Choices, total=False):
    """What is asked of every data set: the attributes ``by``, and what ``buckets`` takes."""

    by: Wanted | Sequence[Wanted | Pair] | None


@dataclass(frozen=True, slots=True)
class Member:
    """A data set of a suite; ``load`` reads it when it is its turn."""

    name: str
    systems: tuple[str, ...]
    load: Callable[[], Loaded]
    choices: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Suite:
    """Data sets, and which systems are compared with which baselines on all of them.

    Make one with ``Suite.read(path)`` or ``Suite.of(tables)``, then ``run()`` it. ``source`` is the
    file it was read from, or empty.
    """

    members: tuple[Member, ...]
    compare: tuple[tuple[str, str], ...] = ()
    source: str = ""

    @classmethod
    def read(
        cls,
        path: FilePath,
        *,
        baseline: str | None = None,
        strict: bool = False,
        **choices: Unpack[Asked],
    ) -> Suite:
        """The suite that a TOML file describes; ``finegrain suite --help`` has its keys.

        Parameters
        ----------
        baseline, choices: as in ``of``, in place of what the file says
        strict: refuse data that had to be repaired, skipped or guessed
        """
        path = os.fspath(path)
        layout = read_layout(path)
        members = tuple(
            Member(
                one.name,
                tuple(one.systems),
                partial(load, one, strict=strict),
                {**one.choices, **choices},
            )
            for one in layout.data_sets
        )
        if baseline is not None:
            return cls(members, _with_baseline(members, baseline, ()), path)
        return cls(members, _with_baseline(members, layout.baseline, layout.compare), path)

    @classmethod
    def of(
        cls,
        tables: Mapping[str, OutcomeTable],
        *,
        train: Mapping[str, Corpus] | None = None,
        runs: Mapping[str, Sequence[str]] | None = None,
        baseline: str | None = None,
        compare: Iterable[tuple[str, str]] = (),
        **choices: Unpack[Asked],
    ) -> Suite:
        """A suite of tables.

        Parameters
        ----------
        tables: aligned data sets by name
        train: training data of data sets, for attributes that are learnt
        runs: systems that stand for several systems of the tables, e.g. restarts:
            ``{"neural": ["seed1", "seed2"]}``; all others stand for themselves
        baseline: the system that every other one is compared with
        compare: pairs (system, baseline) to compare
        choices: as in ``buckets``: ``by``, ``metric``, ``buckets``, ``strategy``, ``preset``, ...
        """
        if not tables:
            raise UsageError("a suite needs at least one data set")
        for name in train or {}:
            if name not in tables:
                raise UsageError.unknown("data set", name, tables)
        members = []
        for name, table in tables.items():
            if not isinstance(table, OutcomeTable):
                raise UsageError(f"data set {name!r} is no outcome table: fg.align(gold, systems)")
            found = _runs(table, runs or {})
            loaded = Loaded(table, (train or {}).get(name), found, {})
            members.append(Member(name, tuple(found), partial(_given, loaded), choices))
        what = misnamed(_all_systems(members), "system")
        if what:
            raise UsageError(f"{what}: call a system by one name in all data sets")
        pairs = _with_baseline(members, baseline, compare)
        return cls(tuple(members), pairs)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems of any data set, in the order of their first one."""
        return _all_systems(self.members)

    def run(
        self,
        progress: Callable[[DataSetScores], None] | None = None,
        *,
        intervals: int = 0,
        confidence: float = LEVEL,
        seed: int = SEED,
    ) -> ManyDataSets:
        """Score everything.

        Parameters
        ----------
        progress: is told of every data set that is done
        intervals: resamples of each data set, for intervals of averages over them
        confidence: of the intervals
        seed: the same seed gives the same intervals
        """
        drawing = Drawing(intervals, confidence, seed)
        if intervals:
            check(intervals, confidence)
        places = {name: place for place, name in enumerate(self.systems)}
        pairs = [Improvement(places[one], places[other]) for one, other in self.compare]
        done = []
        for member in self.members:
            done.append(self._scored(member, drawing))
            if progress is not None:
                progress(done[-1])
        return many_data_sets(done, self.systems, pairs, drawing=drawing)

    def _scored(self, member: Member, drawing: Drawing) -> DataSetScores:
        try:
            table, train, runs, learning = member.load()
            choices = {**learning, **member.choices}
            by = choices.pop("by", None)
            found = buckets(table, by, train=train, **choices)
            return data_set_scores(member.name, table, found, runs, self.systems, drawing=drawing)
        except UsageError as error:
            if not self.source:
                raise UsageError(f"data set {member.name!r}: {error}") from None
            raise InputError.at(self.source, 0, f"datasets.{member.name}: {error}") from None


def _given(loaded: Loaded) -> Loaded:
    return loaded


def _runs(table: OutcomeTable, runs: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The systems of a suite that a table has, with the table's systems they stand for."""
    home = {run: system for system, listed in runs.items() for run in listed}
    found: dict[str, list[str]] = {}
    for run in table.systems:
        found.setdefault(home.get(run, run), []).append(run)
    return dict(found)


def _all_systems(members: Iterable[Member]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for member in members for name in member.systems))


def _with_baseline(
    members: Sequence[Member], baseline: str | None, compare: Iterable[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """Pairs of a system and its baseline, each once."""
    systems = _all_systems(members)
    pairs = [(one, other) for one, other in compare]
    for name in [name for pair in pairs for name in pair] + ([baseline] if baseline else []):
        if name not in systems:
            raise UsageError.unknown("system", name, systems)
    if baseline is not None:
        pairs += [(name, baseline) for name in systems if name != baseline]
    return tuple(dict.fromkeys(pairs))
