"""What a perfect choice among the systems would reach, and which systems it needs.

The oracle is right about a gold unit if some system is (Tuggener 2017, section 3); it has
nothing else. Tags are measured by accuracy, spans by recall and, as precision is 1, by
F1 = 2R / (1 + R).

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> text = [["a", "b", "c", "d"]]
>>> gold = Corpus.of(text, tags=[["N", "V", "N", "D"]])
>>> one = Corpus.of(text, tags=[["N", "V", "V", "V"]])          # right about a, b
>>> two = Corpus.of(text, tags=[["N", "N", "N", "V"]])          # right about a, c
>>> found = oracle(align(gold, {"one": one, "two": two}))
>>> found.bound().oracle, found.bound().best, found.bound().gain
(0.75, 0.5, 0.25)
>>> found.to_json()["shapley"]                                  # a is shared, b and c are not
{'one': 0.375, 'two': 0.375}

How much of the gain is within reach without knowing the gold standard is seen by a real majority
vote of the outputs (``finegrain.majority_vote``), which is scored beside the systems.

The oracle says what selecting among outputs could reach, not that a selector exists: with enough
bad systems some of them is right by chance, above all where there are few labels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.majority_vote import VOTE, apart
from finegrain.analyses.compare import graded_oracle_listings, oracle_json, oracle_listings
from finegrain.analyses.compare.complementarity import (
    MAX_PAIRED,
    Contributions,
    Greedy,
    PairBound,
    best_pairs,
    contributions,
    greedy,
    pair_bounds,
    pairs,
)
from finegrain.analyses.compare.difficulty import Level, at_level
from finegrain.analyses.compare.graded_oracle import GradedOracle, graded_oracle
from finegrain.analyses.compare.oracle_intervals import Everyone, OracleIntervals, oracle_intervals
from finegrain.analyses.listing import Listing
from finegrain.analyses.restricting import restriction
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.errors import UsageError
from finegrain.metrics.label_counts import f1, precision, recall
from finegrain.metrics.metric import Score, ratio
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable, Task, tally
from finegrain.table.scale import PROPORTION, Scale
from finegrain.table.verdicts import produced, right

Measure = Literal["accuracy", "recall", "precision", "f1"]
_SCORES: dict[str, Score] = {"accuracy": recall, "recall": recall, "precision": precision, "f1": f1}


class Bound(NamedTuple):
    """A measure of every system, of the vote and of the oracle; nan where undefined.

    Among equally good systems the first in the alphabet is called the best. ``leader`` is the value
    of the system that is best over all labels, which need not be the best on one label.
    """

    systems: NDArray[np.float64]
    vote: float
    oracle: float
    best: float
    best_system: str | None
    leader: float

    @property
    def gain(self) -> float:
        """Of the oracle over the best single system."""
        return self.oracle - self.best

    @property
    def gain_over_leader(self) -> float:
        """Of the oracle over the system that is best over all labels (as in the paper's tables)."""
        return self.oracle - self.leader

    @property
    def reached(self) -> float:
        """Which part of the gain the vote reaches; below 0 if it is worse than the best system."""
        return (self.vote - self.best) / self.gain if self.gain else math.nan


class Sentences(NamedTuple):
    """Sentences with gold units, and how many of them are wholly right: ``whole`` ``[who]``.

    A system's sentence is right if all gold units in it are and it has no others, the oracle's
    if some system is right about each unit. ``one_system``: sentences that are right in some
    system, so that choosing one output per sentence would do.
    """

    total: int
    whole: NDArray[np.float64]
    one_system: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Oracle(Printed):
    """Hits ``[label, who]`` among ``units`` ``[label]``; who = every system, the vote, the oracle.

    ``predicted`` has the shape of hits, and is ``None`` for tasks in which all units are gold;
    there, labels are those of gold units.
    ``pairs`` is ``[system, system]``, units that one of the two solves, and ``None`` for more than
    ``MAX_PAIRED`` systems. For a task that has no vote its numbers are nan. ``intervals`` are there
    if they were asked for. ``graded`` is the same for the values of graded units.
    """

    task: Task
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    units: NDArray[np.int64]
    hits: NDArray[np.float64]
    predicted: NDArray[np.float64] | None
    sentences: Sentences
    pairs: NDArray[np.int64] | None
    greedy: Greedy
    contributions: Contributions
    signature: str
    notes: tuple[str, ...]
    intervals: OracleIntervals | None = None
    graded: GradedOracle | None = None

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What the oracle is measured by, the paper's measure first."""
        return ("accuracy",) if self.predicted is None else ("recall", "precision", "f1")

    @property
    def has_vote(self) -> bool:
        """Whether the outputs could be voted on."""
        return not math.isnan(self.sentences.whole[len(self.systems)])

    def bound(self, measure: Measure | None = None, *, label: str | None = None) -> Bound:
        """A measure of all systems, the vote and the oracle, over all labels or of one label."""
        chosen = measure or self.measures[0]
        if chosen not in self.measures:
            raise UsageError.unknown("measure", chosen, self.measures)
        if label is not None and label not in self.labels:
            raise UsageError.unknown("label", label, self.labels)
        overall = _bound(_SCORES[chosen](self.counts()), self.systems)
        if label is None:
            return overall
        found = _bound(_SCORES[chosen](self.counts(label)), self.systems)
        if overall.best_system is None:
            return found
        return found._replace(leader=float(found.systems[self.systems.index(overall.best_system)]))

    def sentence_bound(self) -> Bound:
        """The share of sentences that are wholly right."""
        return _bound(ratio(self.sentences.whole, np.array(self.sentences.total)), self.systems)

    def counts(self, label: str | None = None) -> NDArray[np.float64]:
        """``[who, (TP, FP, FN, gold, predicted)]`` over all labels or of one label."""
        rows = slice(None) if label is None else [self.labels.index(label)]
        hits = self.hits[rows].sum(axis=0)
        gold = np.full(len(hits), self.units[rows].sum(), np.float64)
        made = gold if self.predicted is None else self.predicted[rows].sum(axis=0)
        return np.stack([hits, made - hits, gold - hits, gold, made], axis=-1)

    def share(self, units: float) -> float:
        """Units as a proportion of all gold units; nan without any."""
        total = int(self.units.sum())
        return units / total if total else math.nan

    level = share  # what so many solved units reach

    @property
    def start(self) -> float:
        """What no system reaches."""
        return 0.0

    @property
    def scale(self) -> Scale:
        """That of shares."""
        return PROPORTION

    @property
    def judged(self) -> bool:
        """Whether units are right or wrong; else they are only graded."""
        return self.graded is None or self.graded.scale.solved is not None

    def solved_by(self, system: int) -> int:
        """Gold units that a system solves."""
        return int(self.hits[:, system].sum())

    def best_pair(self) -> PairBound | None:
        """The two systems whose oracle is highest; among equals the first names."""
        return next(iter(self.best_pairs(1)), None)

    def best_pairs(self, most: int) -> list[PairBound]:
        """The pairs whose oracle is highest; among equals the first names."""
        if self.pairs is None or not self.units.sum() or len(self.systems) < 2:
            return []
        return best_pairs(self.pairs, self.systems, most)

    def all_pairs(self) -> Iterator[PairBound]:
        """Every pair of systems once; none of more than ``MAX_PAIRED`` systems."""
        if self.pairs is not None:
            yield from pair_bounds(self.pairs, combinations(range(len(self.systems)), 2))

    def to_json(self) -> dict[str, Any]:
        told = oracle_json.to_json(self) if self.judged else {}
        return told | ({} if self.graded is None else {"graded": self.graded.to_json()})

    def listings(self) -> tuple[Listing, ...]:
        values = () if self.graded is None else graded_oracle_listings.listings(self.graded)
        return (*values, *(oracle_listings.listings(self) if self.judged else ()))

    def records(self) -> Listing:
        if self.graded is None:
            return oracle_listings.records(self)
        own = oracle_listings.records(self) if self.judged else None
        return graded_oracle_listings.records(self.graded, own)


def _bound(values: NDArray[np.float64], names: tuple[str, ...]) -> Bound:
    """Values ``[who]`` with the best system."""
    own = values[: len(names)]
    defined = np.flatnonzero(~np.isnan(own)).tolist()
    best = min(defined, key=lambda at: (-own[at], names[at]), default=None)
    vote, upper = values[len(names) :].tolist()
    if best is None:
        return Bound(own, vote, upper, math.nan, None, math.nan)
    return Bound(own, vote, upper, float(own[best]), names[best], float(own[best]))


def oracle(
    table: OutcomeTable,
    *,
    level: Level = "unit",
    where: str = "",
    intervals: int = 0,
    confidence: float = 0.95,
    seed: int = 1,
) -> Oracle:
    """The upper bound of all systems together, and what each of them contributes to it.

    A system called ``majority vote``, as ``majority_vote`` adds it, is taken for the vote.

    Parameters
    ----------
    level: ``unit``, or ``token`` for the tokens of gold spans; the table must be one of tags then
    where: only the units that this holds for, as in ``score``
    intervals: resamples for intervals of oracle and gain, 1000 as a rule; 0 for none
    confidence: of the intervals
    seed: the same seed, files and version of numpy give the same intervals
    """
    if not table.n_systems:
        raise UsageError("an oracle needs systems, and the table has none")
    only_these = restriction(table, where)
    whole, vote = apart(table)  # all units have a say in the vote, whatever their gold label
    systems = only_these(whole)
    drawing = Drawing(intervals, confidence, seed)
    voted = None if vote is None else at_level(only_these(vote), level)
    units = at_level(systems, level)
    found = _found(units, voted, drawing)
    if vote is None:
        found = _without_vote(found)
    if table.task.value:
        found = replace(found, graded=graded_oracle(units, drawing))
    taken = [] if whole is table else [f"the system {VOTE!r} is taken for the vote"]
    return replace(found, notes=(*systems.notes, *taken, *_undefined(found)))


def _found(table: OutcomeTable, vote: OutcomeTable | None, drawing: Drawing) -> Oracle:
    verdict = right(table)
    solved = verdict if table.is_gold.all() else verdict[table.is_gold]
    everyone = _everyone(table, verdict, vote)
    units = np.bincount(table.label[table.is_gold], minlength=table.n_labels)
    shown = np.flatnonzero(units) if everyone.produced is None else np.arange(table.n_labels)
    found = Oracle(
        table.task,
        table.systems,
        tuple(table.labels[code] for code in shown.tolist()),
        units=units[shown],
        hits=_by_label(table, everyone.right & table.is_gold[:, None])[shown],
        predicted=None if everyone.produced is None else _by_label(table, everyone.produced),
        sentences=_whole_sentences(table, everyone.right),
        pairs=pairs(solved) if table.n_systems <= MAX_PAIRED else None,
        greedy=greedy(solved, table.systems),
        contributions=contributions(solved),
        signature=signature(table),
        notes=table.notes,
    )
    if not drawing.resamples or table.task.members:  # whose units are graded, in ``graded``
        return found
    wanted = [
        (measure, label)
        for measure in found.measures
        if measure != "precision"
        for label in (None, *found.labels)
    ]
    ends = oracle_intervals(table, everyone, wanted, _SCORES, drawing)
    return replace(found, intervals=ends, signature=signature(table, **ends.said))


def _everyone(
    table: OutcomeTable, verdict: NDArray[np.bool_], vote: OutcomeTable | None
) -> Everyone:
    """The oracle has the gold units that some system solves, and no others."""
    # without a vote, any column keeps its place
    voted = replace(table, outcome=table.outcome[:, :1]) if vote is None else vote
    covered = verdict.any(axis=1) & table.is_gold
    judged = np.column_stack([verdict, right(voted), covered | ~table.is_gold])
    if not table.task.open:
        return Everyone(judged, None)
    return Everyone(judged, np.column_stack([produced(table), produced(voted), covered]))


def _without_vote(found: Oracle) -> Oracle:
    def unknown(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        changed = numbers.copy()
        changed[..., len(found.systems)] = math.nan
        return changed

    return replace(
        found,
        hits=unknown(found.hits),
        predicted=None if found.predicted is None else unknown(found.predicted),
        sentences=found.sentences._replace(whole=unknown(found.sentences.whole)),
    )


def _by_label(table: OutcomeTable, counted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """``[label, who]`` how many units are true."""
    outcomes = tally(counted.view(np.uint8), table.label, groups=table.n_labels, outcomes=2)
    return outcomes[..., 1].astype(np.float64)


def _whole_sentences(table: OutcomeTable, verdict: NDArray[np.bool_]) -> Sentences:
    """Sentences without a wrong unit, among those with a gold unit."""
    has_gold = np.zeros(table.corpus.n_sentences, bool)
    has_gold[table.sentence[table.is_gold]] = True
    whole = np.repeat(has_gold[:, None], verdict.shape[1], axis=1)
    for who in range(verdict.shape[1]):
        whole[table.sentence[~verdict[:, who]], who] = False
    return Sentences(
        int(np.count_nonzero(has_gold)),
        np.count_nonzero(whole, axis=0).astype(np.float64),
        int(np.count_nonzero(whole[:, : table.n_systems].any(axis=1))),
    )


def _undefined(found: Oracle) -> list[str]:
    """Why numbers are undefined."""
    notes = [] if found.graded is None else list(found.graded.notes())
    if not found.judged:
        return notes
    if found.pairs is None:
        notes.append(
            f"pairs of systems are compared for up to {MAX_PAIRED:,} systems, "
            f"not for {len(found.systems):,}"
        )
    empty = [label for label, units in zip(found.labels, found.units, strict=True) if not units]
    if not found.units.sum():
        notes.append("the oracle is undefined: there are no gold units")
    elif empty:
        notes.append(f"the oracle is undefined for labels without gold units: {', '.join(empty)}")
    if found.intervals is not None:
        notes += found.intervals.notes()
    if not found.has_vote:
        notes.append(f"there is no majority vote for the task {found.task}")
    elif found.bound().gain == 0:
        best = found.bound().best_system
        notes.append(f"together the systems solve no more than {best} alone: there is no gain")
    return notes
