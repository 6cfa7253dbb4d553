"""How two outputs differ: what the second corrects, what it breaks, what it gets wrong anew.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> text = [["time", "flies", "like", "an", "arrow"]]
>>> table = align(
...     Corpus.of(text, tags=[["NOUN", "VERB", "ADP", "DET", "NOUN"]]),
...     {"old": Corpus.of(text, tags=[["NOUN", "NOUN", "VERB", "DET", "NOUN"]]),
...      "new": Corpus.of(text, tags=[["NOUN", "VERB", "SCONJ", "DET", "VERB"]])},
... )
>>> found = difference(table, "old", "new")
>>> print(found.headline())
new corrects 1 and breaks 1 of 5 tokens: accuracy +0.00; they differ on 60.00 %
>>> [(change.gold, change.before, change.after) for change in found.changes("changed_error")]
[('ADP', 'VERB', 'SCONJ')]

After Tuggener (2017): diff = changed units / units. Where units are spans, the units of a pair are
the gold spans and those that one of the two is charged with, and a change is told by the two
outcomes (BEL -> TP). Accuracy changes by (corrections - new errors) / units.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from finegrain.analyses.compare import (
    difference_examples,
    difference_json,
    difference_listings,
)
from finegrain.analyses.compare.difference_counts import (
    PairCounts,
    Stances,
    pair_counts,
    stances,
)
from finegrain.analyses.compare.difference_intervals import (
    PairIntervals,
    Resampled,
    pair_intervals,
    resampled,
)
from finegrain.analyses.compare.difference_parts import (
    Change,
    Given,
    LabelChange,
    Moved,
    Shared,
    Transition,
)
from finegrain.analyses.compare.gains import Gains, gains
from finegrain.analyses.listing import Listing
from finegrain.analyses.restricting import restrict, within
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.errors import UsageError
from finegrain.metrics.choosing import compared, not_compared
from finegrain.metrics.metric import Metric, require_applicable
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable, Task
from finegrain.table.samples import whole
from finegrain.table.verdicts import CHANGES, NO_ANSWER

if TYPE_CHECKING:
    from finegrain.analyses.units.show import Unit

Sort = Literal["size", "frequency"]
SORTS: tuple[Sort, ...] = get_args(Sort)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Difference(Printed):
    """The second of two systems compared with the first.

    ``names`` are what answers are called, and ``field`` asks for them in selections;
    ``counts`` has all numbers as columns; ``score`` is a metric of both, if one was asked for;
    ``behind[kind][change]`` are examples; ``intervals`` are there if they were asked for.
    ``gains`` compare the values of graded units.
    """

    task: Task
    systems: tuple[str, str]
    unit: str
    names: tuple[str, ...]
    field: str
    labels: tuple[str, ...]
    counts: PairCounts
    score: Moved | None
    sort: Sort
    behind: tuple[tuple[tuple[Unit, ...], ...], ...]
    signature: str
    notes: tuple[str, ...]
    intervals: PairIntervals | None = None
    gains: Gains | None = None
    where: str = ""

    @property
    def compared(self) -> PairCounts | Gains:
        """What changes are told by: right and wrong, or values where no unit counts as solved."""
        if self.gains is None or self.gains.scale.solved is not None:
            return self.counts
        return self.gains

    @property
    def judged(self) -> bool:
        """Whether units are right or wrong; else they are only graded."""
        return self.compared is self.counts

    @property
    def has_examples(self) -> bool:
        """Whether units behind changes were asked for."""
        largest = () if self.gains is None else self.gains.largest_gains + self.gains.largest_losses
        return bool(self.behind) or any(one.unit is not None for one in largest)

    @property
    def units(self) -> int:
        return self.compared.units

    @property
    def changed(self) -> int:
        return self.compared.changed

    @property
    def diff(self) -> float:
        """Changed units / units; 0 without units."""
        return self.changed / self.units if self.units else 0.0

    @property
    def accuracy(self) -> Moved:
        """Share of the pair's units that each is right about."""
        one, other = (_share(int(right), self.counts.units) for right in self.counts.right)
        return Moved("accuracy", one, other)

    @property
    def right_answers(self) -> Shared:
        """Gold units that each is right about, and both."""
        one, other = self.counts.right_gold.tolist()
        return Shared(one, other, self.counts.both_right)

    @property
    def wrong_answers(self) -> Shared:
        """Units that each is wrong about, and those that both answer in the same wrong way."""
        one, other = self.counts.wrong.tolist()
        return Shared(one, other, self.counts.same_wrong)

    def total(self, kind: str) -> int:
        """How many corrections, new errors or changed errors there are."""
        return self.counts.changes[_kind(kind)].total

    def changes(self, kind: str) -> list[Change]:
        """The changes of a kind (``correction``, ``new_error``, ``changed_error``) by frequency."""
        code = _kind(kind)
        found = self.counts.changes[code]
        total, changed = found.total, self.changed
        columns = (column.tolist() for column in found)
        return [
            Change(
                self.names[before],
                self.names[after],
                self.labels[gold] if gold >= 0 else None,
                count,
                count / total,
                count / changed,
                self.behind[code][place] if self.behind else (),
            )
            for place, (gold, before, after, count) in enumerate(zip(*columns, strict=True))
        ]

    def selection(self, kind: str, change: Change) -> str:
        """What ``show --where`` takes to show all units behind a change."""
        # selections and instances know all attributes: slow to load, and not needed for counts
        from finegrain.analyses.selection import expressions as where  # noqa: PLC0415 - slow

        one, other = self.systems
        parts = [
            (where.Field("change", one, other=other), kind),
            *([(where.Field("gold"), change.gold)] if change.gold is not None else []),
            (where.Field(self.field, one), change.before),
            (where.Field(self.field, other), change.after),
        ]
        conditions = (
            where.Comparison(field, "=", where.Literal(self._written(value)))
            for field, value in parts
        )
        return within(self.where, where.written(where.And(tuple(conditions))))

    def _written(self, answer: str) -> str | None:
        """An answer as selections have it: ``none`` is not a label."""
        none = answer == NO_ANSWER and answer not in self.labels
        return None if none else answer

    def by_label(self) -> list[LabelChange]:
        """Labels that have units: by size of the change in accuracy, or by their number."""
        found = []
        for code, label in enumerate(self.labels):
            units = int(self.counts.label_units[code])
            if units:
                one, other = (self.counts.label_right[code] / units).tolist()
                moved = Moved(label, one, other)
                found.append(LabelChange(label, units, moved, self._transitions(code)))
        if self.sort == "frequency":
            return sorted(found, key=lambda one: (-one.units, one.label))
        return sorted(found, key=lambda one: (-abs(one.accuracy.delta), -one.units, one.label))

    def _transitions(self, label: int) -> tuple[Transition, ...] | None:
        if self.field != "outcome":  # answers are labels anyway
            return None
        every, names, given_labels = self.counts.by_label, self.names, self.task.detects
        rows = np.flatnonzero(every.label == label)
        columns = (column[rows].tolist() for column in every[1:])
        return tuple(
            Transition(
                names[before], names[after], count, self._given(*given) if given_labels else None
            )
            for before, after, *given, count in zip(*columns, strict=True)
        )

    def _given(self, *codes: int) -> Given:
        """The labels that two systems give a unit, where it may be another than its own."""
        return Given(*(self.labels[code] if code >= 0 else None for code in codes))

    def headline(self) -> str:
        """The difference in a sentence."""
        return difference_listings.headline(self)

    def told(self, answer: str) -> str:
        """An answer as it stands in tables: what counts nowhere is no outcome in capitals."""
        quiet = self.field == "outcome" and self.task.outcomes[answer].quiet
        return answer.lower() if quiet else answer

    def moved(self) -> dict[str, Moved]:
        """What both are compared by; intervals have the same names."""
        every = {
            "accuracy": self.accuracy if self.judged else None,
            "gain": None if self.gains is None else self.gains.moved,
            "score": self.score,
        }
        return {name: moved for name, moved in every.items() if moved is not None}

    @property
    def main(self) -> str:
        """What systems are ranked by: a metric, the value of graded units, or accuracy."""
        return list(self.moved())[-1]

    def to_json(self) -> dict[str, Any]:
        return difference_json.to_json(self)

    def listings(self) -> tuple[Listing, ...]:
        return difference_listings.listings(self)

    def records(self) -> Listing:
        return difference_listings.records([self])


def difference(
    table: OutcomeTable,
    a: str | None = None,
    b: str | None = None,
    *,
    metric: str | Metric | None = None,
    sort: Sort = "size",
    examples: int = 0,
    where: str = "",
    intervals: int = 0,
    confidence: float = 0.95,
    seed: int = 1,
) -> Difference:
    """How system ``b`` differs from system ``a``: corrections, new errors, changed errors.

    Parameters
    ----------
    a, b: names of systems; not needed where the table has exactly two
    metric: a score to compare beside accuracy, by name or as a value; for spans traditional F1,
        for mentions CoNLL F1, for trees LAS where systems have other words
    sort: of labels, by the size of the change in accuracy (``size``) or by ``frequency``
    examples: number of example units for each change
    where: only the units that this holds for, as in ``score``
    intervals: resamples for intervals, 1000 as a rule; 0 for none
    confidence: of the intervals
    seed: the same seed, files and version of numpy give the same intervals
    """
    table = restrict(table, where)
    beside = compared(table, metric)
    one, other = _pair(table, a, b)
    prepared = stances(table, [table.system(one), table.system(other)])
    scores = None if beside is None else scores_of(table, beside)
    shared = resampled(prepared, beside, Drawing(intervals, confidence, seed))
    found = compare(
        prepared, (0, 1), (one, other), beside, scores, sort=checked(sort), shared=shared
    )
    if examples < 0:
        raise UsageError(f"the number of examples must not be negative: {examples}")
    found = replace(found, notes=(*found.notes, *not_compared(table, metric)))
    return difference_examples.with_examples(found, prepared, examples) if examples else found


def compare(
    prepared: Stances,
    places: tuple[int, int],
    systems: tuple[str, str],
    metric: Metric | None,
    scores: dict[str, float] | None,
    *,
    sort: Sort,
    shared: Resampled | None = None,
) -> Difference:
    """The difference of two systems that were prepared; ``scores`` are values of the metric.

    shared: for intervals
    """
    table = prepared.table
    counts = pair_counts(prepared, *places)
    score = None
    if metric is not None and scores is not None:
        one, other = systems
        score = Moved(metric.name, scores[one], scores[other], metric.scale)
    graded = gains(table, *systems) if table.task.value else None
    choices = {"pair": ",".join(systems)} | ({"metric": metric.name} if metric else {})
    choices |= {} if shared is None else shared.said()
    ends = None if shared is None else pair_intervals(prepared, places, systems, shared)
    return Difference(
        table.task,
        systems,
        table.task.words.units,
        prepared.names,
        prepared.field,
        table.labels,
        counts,
        score,
        sort,
        (),
        signature(table, **choices),
        (
            *table.notes,
            *_reasons(counts, systems, graded),
            *([] if ends is None else ends.notes()),
        ),
        ends,
        graded,
        table.settings.get("where", ""),
    )


def scores_of(table: OutcomeTable, metric: Metric) -> dict[str, float]:
    """The metric of every system."""
    require_applicable(table, [metric])
    values = metric.score(metric.statistics(table, whole(table)))[0]
    return dict(zip(table.systems, values.tolist(), strict=True))


def checked(sort: str) -> Sort:
    """A way to sort that is known."""
    if sort not in SORTS:
        raise UsageError.unknown("order", sort, SORTS)
    return sort


def _pair(table: OutcomeTable, a: str | None, b: str | None) -> tuple[str, str]:
    if a is None and b is None and table.n_systems == 2:
        one, other = table.systems
        return one, other
    if a is None or b is None:
        known = ", ".join(table.systems)
        raise UsageError(
            f"name two systems to compare; there are {table.n_systems}: {known} "
            "(fg.differences compares all of them)"
        )
    return a, b


def _kind(kind: str) -> int:
    if kind not in CHANGES:
        raise UsageError.unknown("kind of change", kind, CHANGES)
    return CHANGES.index(kind)


def _share(part: int, whole_: int) -> float:
    return part / whole_ if whole_ else math.nan


def _reasons(counts: PairCounts, systems: Sequence[str], graded: Gains | None) -> list[str]:
    """Why numbers are undefined."""
    pair = " and ".join(systems)
    if graded is not None:
        return list(graded.notes())
    if not counts.units:
        return [f"{pair}: there are no units, so accuracy is undefined"]
    if not counts.changed:
        return [f"{pair}: no unit changes, so shares of changes are undefined"]
    return []
