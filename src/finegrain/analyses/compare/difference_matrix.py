"""How much any two of many outputs differ, beside how much their scores do.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> text = [["a", "b", "c", "d"]]
>>> outputs = {"one": "NNNV", "two": "VVVV", "three": "NNVV"}
>>> table = align(Corpus.of(text, tags=[list("NNVN")]),
...               {name: Corpus.of(text, tags=[list(tags)]) for name, tags in outputs.items()})
>>> found = differences(table)
>>> found.order                                                  # similar systems stand together
('one', 'three', 'two')
>>> found.pair("one", "two").diff, found.pair("one", "two").accuracy.delta
(0.75, -0.25)

Systems with like scores can differ much, and systems with unlike scores little (Tuggener 2017).
The order comes from clustering by average difference, and not from the order of the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare import difference_listings
from finegrain.analyses.compare.difference import Difference, Sort, checked, compare, scores_of
from finegrain.analyses.compare.difference_counts import stances
from finegrain.analyses.compare.difference_intervals import NOTHING_KNOWN, Ends, resampled
from finegrain.analyses.compare.similar_neighbours import similar_neighbours
from finegrain.analyses.interval_cells import interval_title, with_interval
from finegrain.analyses.listing import Cell, Column, Kind, Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed, number, pair_key
from finegrain.analyses.signature import signature
from finegrain.errors import UsageError
from finegrain.metrics.choosing import compared, not_compared
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import PROPORTION, Scale
from finegrain.table.verdicts import CHANGES

SHOWN = 15  # pairs in the printed table; JSON and CSV have all
_ROOM = 70  # characters of names above a matrix


class Pair(NamedTuple):
    """Names of two systems, the second compared with the first."""

    one: str
    other: str

    @property
    def key(self) -> str:
        """``a|b``; a bar in a name gets a backslash."""
        return pair_key(*self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Differences(Printed):
    """All pairs of systems, or every system against a baseline.

    ``order`` has similar systems side by side; with a baseline, the best one first.
    """

    task: Task
    systems: tuple[str, ...]
    baseline: str | None
    order: tuple[str, ...]
    pairs: Mapping[Pair, Difference]
    signature: str
    notes: tuple[str, ...]

    def pair(self, a: str, b: str) -> Difference:
        """The difference of ``b`` from ``a``, as the pairs have them."""
        if Pair(a, b) not in self.pairs:
            known = (pair.key for pair in self.pairs)
            raise UsageError.unknown("pair", Pair(a, b).key, known)
        return self.pairs[Pair(a, b)]

    def to_json(self) -> dict[str, Any]:
        return {
            "baseline": self.baseline,
            "pairs": {pair.key: found.to_json() for pair, found in self.pairs.items()},
            "matrix": {
                "order": list(self.order),
                "diff": self._matrix("diff"),
                "delta": {name: self._matrix(name) for name in self._scores()},
            },
        }

    def listings(self) -> tuple[Listing, ...]:
        if self.baseline is not None:
            return (self._pairs_listing(), *self._with_intervals())
        note = (
            "share of units that the two answer differently, in %"
            if self._first.judged
            else "share of units on which one of the two is better, in %"
        )
        matrices = [self._matrix_listing("diff", f"{self._extremes()}", note)]
        for what, moved in self._first.moved().items():
            title, note = (
                f"Differences in {moved.name}",
                "score of the column minus score of the row",
            )
            if what == "gain":
                title, note = moved.name.capitalize(), "mean gain of the column over the row"
            note += ", in points" if moved.scale.shown == "percent" else ""
            matrices.append(self._matrix_listing(moved.name, title, note))
        return (*matrices, self._pairs_listing(), *self._with_intervals())

    def records(self) -> Listing:
        return difference_listings.records(self.pairs.values())

    def _scores(self) -> dict[str, Scale]:
        """What pairs are compared by, and how it is printed."""
        return {moved.name: moved.scale for moved in self._first.moved().values()}

    @property
    def _first(self) -> Difference:
        return next(iter(self.pairs.values()))

    def _cell(self, row: str, column: str, what: str) -> float:
        """``diff``, or the change of a score from the row's system to the column's."""
        if row == column:
            return 0.0
        found, sign = self.pairs.get(Pair(row, column)), 1
        if found is None:
            found, sign = self.pairs[Pair(column, row)], -1
        if what == "diff":
            return found.diff
        delta = next(one.delta for one in found.moved().values() if one.name == what)
        return sign * delta + 0.0  # no minus before zero

    def _rows(self) -> tuple[str, ...]:
        return self.order if self.baseline is None else (self.baseline,)

    def _matrix(self, what: str) -> dict[str, dict[str, float | None]]:
        return {
            row: {column: number(self._cell(row, column, what)) for column in self.order}
            for row in self._rows()
        }

    def _matrix_listing(self, what: str, title: str, note: str) -> Listing:
        """Rows and columns by name; long names stand in rows only, with numbers for columns."""
        kind: Kind = "score" if what == "diff" else "change"
        scale = self._scores().get(what, PROPORTION)
        rows, heads = list(self._rows()), list(self.order)
        if sum(map(len, heads)) > _ROOM:
            heads = [str(number) for number, _ in enumerate(heads, 1)]
            rows = [f"{number} {name}" for number, name in zip(heads, rows, strict=True)]
        cells: tuple[tuple[Cell, ...], ...] = tuple(
            (
                told,
                *("-" if row == column else self._cell(row, column, what) for column in self.order),
            )
            for row, told in zip(self._rows(), rows, strict=True)
        )
        columns = (Column(what), *(Column(head, kind, scale=scale) for head in heads))
        return Listing(title, columns, cells, note)

    def _extremes(self) -> str:
        """The closest and the farthest pair in a sentence."""
        ranked = sorted(self.pairs, key=lambda pair: (self.pairs[pair].diff, sorted(pair)))
        close, far = ranked[0], ranked[-1]
        return (
            f"{' and '.join(sorted(close))} are closest ({100 * self.pairs[close].diff:.2f} % "
            f"differ), {' and '.join(sorted(far))} farthest ({100 * self.pairs[far].diff:.2f} %)"
        )

    def _pairs_listing(self) -> Listing:
        first, second = ("baseline", "system") if self.baseline else ("a", "b")
        scores, contexts = self._scores(), self.task.words.contexts
        columns = (
            Column(first), Column(second), Column("diff", "score"),
            *(Column(name, "change", scale=scale) for name, scale in scores.items()),
            *(Column(noun, "count") for noun in difference_listings.NOUNS.values()),
            *(Column(what, "count", group=contexts) for what in ("fixed", "broken") if contexts),
        )  # fmt: skip
        ranked = self._ranked()
        if not self._first.judged:
            columns = columns[: 3 + len(scores)]
        if self._first.gains is not None:
            columns += tuple(Column(name, "count") for name in ("better", "worse", "ties"))
        rows = tuple(self._pair_row(found) for found in ranked[:SHOWN])
        rest = len(ranked) - SHOWN
        more = f"; and {rest:,} more pairs" if rest > 0 else ""
        order = "the best first" if self.baseline else "the closest first"
        note = f"scores and changes: from {first} to {second}{more}"
        title = f"Against {self.baseline}" if self.baseline else "Pairs"
        return Listing(f"{title}, {order}", columns, rows, note)

    def _with_intervals(self) -> list[Listing]:
        """What the same pairs are compared by, with intervals."""
        ranked = self._ranked()[:SHOWN]
        ends = ranked[0].intervals
        if ends is None:
            return []
        columns = [Column("baseline" if self.baseline else "a")]
        columns += map(Column, ("system" if self.baseline else "b", "diff", *self._scores()))
        rows = tuple(self._interval_row(found) for found in ranked)
        return [
            Listing(
                interval_title(ends.confidence, ends.samples, ends.sample), tuple(columns), rows
            )
        ]

    def _interval_row(self, found: Difference) -> tuple[Cell, ...]:
        if found.intervals is None:
            return found.systems
        ends = found.intervals.ends
        return (
            *found.systems,
            with_interval(found.diff, *ends("diff")),
            *(
                with_interval(moved.delta, *ends(what), signed="+", scale=moved.scale)
                for what, moved in found.moved().items()
            ),
        )

    def _ranked(self) -> list[Difference]:
        return sorted(self.pairs.values(), key=self._rank)

    def _rank(self, found: Difference) -> tuple[float, list[str]]:
        value = -_gain(found) if self.baseline else found.diff
        return (np.inf if np.isnan(value) else value, sorted(found.systems))

    def _pair_row(self, found: Difference) -> tuple[Cell, ...]:
        sentences, graded = found.counts.sentences, found.gains
        changes = [found.total(kind) for kind in CHANGES]
        changes += [sentences.fixed, sentences.broken] if self.task.words.context else []
        return (
            *found.systems,
            found.diff,
            *(moved.delta for moved in found.moved().values()),
            *(changes if found.judged else []),
            *([] if graded is None else [graded.wins, graded.losses, graded.ties]),
        )


def differences(
    table: OutcomeTable,
    baseline: str | None = None,
    *,
    systems: Sequence[str] | None = None,
    metric: str | Metric | None = None,
    sort: Sort = "size",
    where: str = "",
    intervals: int = 0,
    confidence: float = 0.95,
    seed: int = 1,
) -> Differences:
    """How all systems differ from each other, or every other system from a baseline.

    Parameters
    ----------
    baseline: the name of a system
    systems: compare only these; default: all
    metric: a score to compare beside accuracy, by name or as a value; for spans traditional F1,
        for mentions CoNLL F1, for trees LAS where systems have other words
    sort: of labels, by the size of the change in accuracy (``size``) or by ``frequency``
    where, intervals, confidence, seed: as in ``difference``, of every pair
    """
    table = restrict(table, where)
    drawing = Drawing(intervals, confidence, seed)
    return between(table, baseline, systems=systems, metric=metric, sort=sort, drawing=drawing)


def between(
    table: OutcomeTable,
    baseline: str | None = None,
    *,
    systems: Sequence[str] | None = None,
    metric: str | Metric | None = None,
    sort: Sort = "size",
    drawing: Drawing,
    known: Mapping[tuple[int, int], Ends] = NOTHING_KNOWN,
) -> Differences:
    """The same of a table that was restricted; ``known``: as in ``Resampled``."""
    beside = compared(table, metric)
    names = tuple(dict.fromkeys(table.systems if systems is None else systems))
    if baseline is not None and baseline not in names:
        raise UsageError.unknown("system", baseline, names)
    if len(names) < 2:
        raise UsageError(f"there must be two systems or more to compare, not {len(names)}")
    checked(sort)
    prepared = stances(table, [table.system(name) for name in names])
    scores = None if beside is None else scores_of(table, beside)
    shared = resampled(prepared, beside, drawing, known)
    place = {name: number for number, name in enumerate(names)}
    pairs = {
        pair: compare(
            prepared, (place[pair.one], place[pair.other]), pair, beside, scores, sort=sort,
            shared=shared,
        )
        for pair in _pairs(names, baseline)
    }  # fmt: skip
    choices = {"baseline": baseline} if baseline is not None else {}
    choices |= {"metric": beside.name} if beside else {}
    choices |= {} if shared is None else shared.said()
    order = _by_similarity(pairs) if baseline is None else _by_score(pairs)
    return Differences(
        table.task,
        names,
        baseline,
        order,
        pairs,
        signature(table, **choices),
        _notes(table, pairs, metric),
    )


def _notes(
    table: OutcomeTable, pairs: Mapping[Pair, Difference], metric: str | Metric | None
) -> tuple[str, ...]:
    """What is said of the table and of pairs, once."""
    of_pairs = (note for one in pairs.values() for note in one.notes)
    return tuple(dict.fromkeys([*table.notes, *of_pairs, *not_compared(table, metric)]))


def _pairs(names: Sequence[str], baseline: str | None) -> Iterator[Pair]:
    if baseline is None:
        return (Pair(*pair) for pair in combinations(names, 2))
    return (Pair(baseline, name) for name in names if name != baseline)


def _gain(found: Difference) -> float:
    """By what systems are ranked by, how much better the second is."""
    return found.moved()[found.main].gain


def _by_score(pairs: Mapping[Pair, Difference]) -> tuple[str, ...]:
    """Systems compared with a baseline, the best first."""

    def rank(pair: Pair) -> tuple[float, str]:
        gain = _gain(pairs[pair])
        return (np.inf if np.isnan(gain) else -gain, pair.other)

    return tuple(pair.other for pair in sorted(pairs, key=rank))


def _by_similarity(pairs: Mapping[Pair, Difference]) -> tuple[str, ...]:
    """Systems in an order in which neighbours are as similar as clustering allows.

    Names are sorted first, so that the order in which systems come does not matter.
    """
    names = sorted({name for pair in pairs for name in pair})
    if len(names) < 3:
        return tuple(names)
    place = {name: number for number, name in enumerate(names)}
    distance: NDArray[np.float64] = np.zeros((len(names), len(names)))
    for pair, found in pairs.items():
        one, other = place[pair.one], place[pair.other]
        distance[one, other] = distance[other, one] = found.diff
    leaves = [names[leaf] for leaf in similar_neighbours(distance)]
    return tuple(leaves if leaves[0] < leaves[-1] else leaves[::-1])
