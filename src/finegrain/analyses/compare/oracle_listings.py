"""An oracle as tables for people, and as one tidy table for CSV.

>>> from finegrain.analyses.compare.oracle import oracle
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["a", "b"]], tags=[["N", "V"]])
>>> nouns = Corpus.of([["a", "b"]], tags=[["N", "N"]])
>>> overall = listings(oracle(align(gold, {"all": gold, "nouns": nouns})))[0]
>>> [row[:3] for row in overall.rows], [row[:3] for row in overall.footer]
([('all', 2, 1.0), ('nouns', 1, 0.5)], [('majority vote', 1, 0.5), ('oracle', 2, 1.0)])
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.majority_vote import VOTE
from finegrain.analyses.interval_cells import (
    bracketed,
    interval_heading,
    interval_title,
    with_interval,
)
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import pair_key
from finegrain.table.scale import Scale

if TYPE_CHECKING:
    from finegrain.analyses.compare.complementarity import PairBound
    from finegrain.analyses.compare.oracle import Bound, Measure, Oracle

ORACLE = "oracle"
HEADINGS = {"accuracy": "accuracy", "recall": "recall", "precision": "precision", "f1": "F1"}
_BAR = 20  # characters of a full bar; plain ones, which LaTeX prints too
_NAMED = 6  # up to so many systems have their names above the columns of pairs, not numbers
_MATRIX = 16  # up to so many systems are shown as a matrix of pairs, else the best pairs
_PAIRS = 15


class Combined(Protocol):
    """An oracle of systems, of units that are solved or graded; sums are read by ``level``."""

    @property
    def systems(self) -> tuple[str, ...]: ...
    @property
    def scale(self) -> Scale: ...
    @property
    def greedy(self) -> tuple[tuple[int, ...], tuple[float, ...]]: ...
    @property
    def start(self) -> float: ...  # what nobody reaches
    def best_pairs(self, most: int) -> list[PairBound]: ...
    def share(self, units: float, /) -> float: ...
    def level(self, units: float, /) -> float: ...


def listings(found: Oracle) -> tuple[Listing, ...]:
    """Overall, by label, whole sentences, greedy order, pairs, contributions."""
    tables = [_overall(found), *_with_intervals(found)]
    if len(found.labels) > 1:
        tables += [by_label(found, one) for one in found.measures if one != "precision"]
    several = found.predicted is not None or found.sentences.total < found.units.sum()
    if found.task.words.context and several:  # with one unit each they are the units
        tables.append(_sentences(found))
    if len(found.systems) > 1:
        measure = HEADINGS[found.measures[0]].capitalize()
        pairs = [] if found.pairs is None else [pair_listing(found, found.pairs, measure)]
        tables += [greedy_listing(found), *pairs, _contributions(found)]
    return tuple(tables)


def _values(bound: Bound) -> list[float]:
    return [*bound.systems.tolist(), bound.vote, bound.oracle]


def _overall(found: Oracle) -> Listing:
    columns = [Column("system"), Column("correct", "count")]
    cells: list[list[Cell]] = [
        [name, None if math.isnan(hits) else int(hits)]
        for name, hits in zip(_who(found), found.counts()[:, 0].tolist(), strict=True)
    ]
    for measure in found.measures:
        bound = found.bound(measure)
        columns.append(Column(HEADINGS[measure], "score", best="max"))
        compared = measure != "precision"
        columns += [Column("to best", "change")] if compared else []
        for row, value in zip(cells, _values(bound), strict=True):
            row.extend([value, value - bound.best] if compared else [value])
    count = len(found.systems)
    systems = "1 system" if count == 1 else f"{count} systems"
    title = f"Oracle of {systems} on {int(found.units.sum()):,} gold units"
    *rows, vote, oracle = map(tuple, cells)
    footer = (vote, oracle) if found.has_vote else (oracle,)
    return Listing(title, tuple(columns), tuple(rows), _overall_note(found), footer)


def _with_intervals(found: Oracle) -> list[Listing]:
    """The oracle and its gain with intervals."""
    ends = found.intervals
    if ends is None:
        return []
    rows: list[tuple[Cell, ...]] = []
    for measure in found.measures:
        if measure != "precision":
            bound, of = found.bound(measure), ends.of(measure)
            oracle = with_interval(bound.oracle, *of.oracle.tolist())
            gain = with_interval(bound.gain, *of.gain.tolist(), signed="+")
            rows.append((HEADINGS[measure], oracle, gain, bound.best_system))
    columns = (Column("measure"), Column(ORACLE), Column("gain"), Column("over"))
    told = interval_title(ends.confidence, ends.samples, ends.sample)
    return [Listing(told, columns, tuple(rows))]


def _gain_ends(found: Oracle, measure: Measure, label: str) -> list[str]:
    """The interval of a label's gain, if there is one."""
    if found.intervals is None:
        return []
    return [bracketed(*found.intervals.of(measure, label).gain.tolist(), signed="+")]


def _who(found: Oracle) -> tuple[str, ...]:
    return (*found.systems, _apart(VOTE, found), _apart(ORACLE, found))


def _apart(name: str, found: Oracle) -> str:
    """A name for what is no system: in brackets where a system is called the same."""
    return _apart(f"({name})", found) if name in found.systems else name


def _kinds(found: Oracle) -> list[tuple[str, str]]:
    """What each is, and its name."""
    return [*(("system", name) for name in found.systems), ("vote", VOTE), (ORACLE, ORACLE)]


def _overall_note(found: Oracle) -> str:
    predicts = found.predicted is not None
    note = "oracle: every unit that some system solves" + (
        " and nothing that is not gold" if predicts else ""
    )
    if not found.has_vote:
        return f"{note}."
    kept = "what more than half of the systems have" if predicts else "the answer of most systems"
    compared = (one for one in found.measures if one != "precision")
    said = "".join(_reached(HEADINGS[one], found.bound(one)) for one in compared)
    return f"{note}; majority vote: {kept}.{said}"


def _reached(measure: str, bound: Bound) -> str:
    """How far the vote comes from the best system towards the oracle."""
    if math.isnan(bound.reached):
        return ""
    if bound.reached < 0:
        return f" In {measure} the vote is below the best system."
    return f" In {measure} the vote reaches {100 * bound.reached:.1f} % of the gain."


def by_label(found: Oracle, measure: Measure) -> Listing:
    """The best system, the vote and the oracle of each label, the most frequent label first."""
    leader = found.bound(measure).best_system
    rows: list[tuple[Cell, ...]] = []
    for place in np.argsort(-found.units, kind="stable").tolist():
        label = found.labels[place]
        bound = found.bound(measure, label=label)
        scored = (bound.best, bound.vote, bound.oracle)
        gains: list[Cell] = [bound.gain, *_gain_ends(found, measure, label)]
        gains.append(bound.gain_over_leader)
        rows.append((label, int(found.units[place]), bound.best_system, *scored, *gains))
    scores = (Column(name, "score") for name in ("best", "vote", ORACLE))
    ends = found.intervals
    percent = [] if ends is None else [Column(interval_heading(ends.confidence))]
    changes = (Column("gain", "change"), *percent, Column("over leader", "change"))
    columns = (Column("label"), Column("gold", "count"), Column("best system"), *scores, *changes)
    heading = HEADINGS[measure]
    note = "gain: over the best system of the label"
    if leader is not None:
        note += f"; leader: {leader}, the best over all labels"
    return Listing(f"{heading[0].upper()}{heading[1:]} by label", columns, tuple(rows), note)


def _sentences(found: Oracle) -> Listing:
    total, whole, one_system = found.sentences
    best, predicts = found.sentence_bound().best, found.predicted is not None
    words = found.task.words
    *systems, vote, covered = whole.tolist()
    counted = [
        *zip(found.systems, systems, strict=True),
        *([(_apart(VOTE, found), vote)] if found.has_vote else []),
        (_apart(f"{ORACLE}: one system per {words.context}", found), float(one_system)),
        (_apart(f"{ORACLE}: every unit", found), covered),
    ]
    rows: list[tuple[Cell, ...]] = []
    for name, count in counted:
        share = count / total if total else math.nan
        rows.append((name, int(count), share, share - best))
    return Listing(
        f"Whole {words.contexts}, of {total:,} with gold units",
        (
            Column("system"), Column("right", "count"), Column("share", "score", best="max"),
            Column("to best", "change"),
        ),
        tuple(rows[: len(systems)]),
        f"every unit: each is right in some system; one system per {words.context}: all are right "
        "in one and the same system" + (", which has nothing else there" if predicts else ""),
        tuple(rows[len(systems) :]),
    )  # fmt: skip


def greedy_listing(found: Combined) -> Listing:
    """The systems in the order in which they help most."""
    order, solved = found.greedy
    gain = solved[-1] - solved[0]
    rows: list[tuple[Cell, ...]] = []
    for place, (system, reached) in enumerate(zip(order, solved, strict=True)):
        share = (reached - solved[0]) / gain if gain else math.nan
        adds = found.share(reached - (solved[place - 1] if place else found.start))
        bar = "=" * int(_BAR * share + 1e-9) if gain else ""
        rows.append((place + 1, found.systems[system], found.level(reached), adds, share, bar))
    said = "".join(
        f"the best pair is {found.systems[best.one]} and {found.systems[best.other]}"
        for best in found.best_pairs(1)
    )
    return Listing(
        "Adding systems, each time the one that helps most",
        (
            Column("systems", "count"), Column("added"), Column(ORACLE, "score", scale=found.scale),
            Column("adds", "change", scale=found.scale), Column("of the gain", "score"), Column(""),
        ),
        tuple(rows),
        said,
    )  # fmt: skip


def pair_listing(found: Combined, pairs: NDArray[Any], measure: str) -> Listing:
    """The oracle of every pair, or of the best ones."""
    if len(found.systems) > _MATRIX:
        return _best_pairs(found)
    numbers = [str(place + 1) for place in range(len(found.systems))]
    few = len(found.systems) <= _NAMED
    headings = found.systems if few else numbers
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name if few else f"{numbers[one]} {name}",
            *(found.level(together) for together in pairs[one].tolist()),
        )
        for one, name in enumerate(found.systems)
    )
    return Listing(
        f"{measure} of the oracle of every pair",
        (
            Column("system"),
            *(Column(name, "score", best="max", scale=found.scale) for name in headings),
        ),
        rows,
        "on the diagonal the system alone; marked: the best partner of each column's system",
    )


def _best_pairs(found: Combined) -> Listing:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            found.systems[pair.one], found.systems[pair.other],
            found.level(pair.solved),
            found.share(pair.more),
        )
        for pair in found.best_pairs(_PAIRS)
    )  # fmt: skip
    return Listing(
        f"The {len(rows)} best pairs of {math.comb(len(found.systems), 2):,}",
        (
            Column("system"), Column("and"), Column(ORACLE, "score", scale=found.scale),
            Column("gain", "change", scale=found.scale),
        ),
        rows,
        "gain over the better of the two; JSON has all pairs",
    )  # fmt: skip


def _contributions(found: Oracle) -> Listing:
    unique, shapley = (column.tolist() for column in found.contributions)
    solved = found.greedy.solved[-1]
    rows = tuple(
        (
            name, found.solved_by(at), unique[at], found.share(solved - unique[at]),
            found.share(shapley[at]), shapley[at] / solved if solved else math.nan,
        )
        for at, name in enumerate(found.systems)
    )  # fmt: skip
    return Listing(
        "What each system contributes to the oracle",
        (
            Column("system"), Column("solves", "count"), Column("only it", "count", best="max"),
            Column("oracle without it", "score"), Column("Shapley", "score", best="max"),
            Column("share", "score"),
        ),
        rows,
        "Shapley: each solved unit is shared equally by its solvers; the values add up to the "
        "oracle, the shares to 100 %. Both depend on which other systems there are.",
    )  # fmt: skip


def records(found: Oracle) -> Listing:
    """Part, label, kind (system, vote, oracle, pair), its name, measure, value."""
    names = ("part", "label", "kind", "system", "measure")
    columns = (*map(Column, names), Column("value", "score"))
    rows = tuple(_records(found))
    if found.intervals is None:
        return Listing("oracle", columns, rows)
    ends: dict[tuple[Cell, ...], list[float]] = {
        (label or "", kind, measure): values.tolist()
        for (measure, label), of in found.intervals.found.items()
        for kind, values in ((ORACLE, of.oracle), ("gain", of.gain))
    }
    columns += (Column("low", "score"), Column("high", "score"))
    placed: list[tuple[Cell, ...]] = []
    for row in (*rows, *_gain_records(found)):
        part, label, kind, _, measure, _ = row
        known = ends.get((label, kind, measure)) if part in ("overall", "label") else None
        placed.append((*row, *(known or (None, None))))
    return Listing("oracle", columns, tuple(placed))


def _gain_records(found: Oracle) -> Iterator[tuple[Cell, ...]]:
    """The gain over the best system, which has an interval of its own."""
    for label in (None, *found.labels):
        part = "overall" if label is None else "label"
        for measure in found.measures:
            if measure != "precision":
                bound = found.bound(measure, label=label)
                yield part, label or "", "gain", bound.best_system, measure, bound.gain


def _records(found: Oracle) -> Iterator[tuple[Cell, ...]]:
    for label in (None, *found.labels):
        part = "overall" if label is None else "label"
        for measure in found.measures:
            for who, value in zip(
                _kinds(found), _values(found.bound(measure, label=label)), strict=True
            ):
                yield part, label or "", *who, measure, value
    sentences = found.sentence_bound()
    for who, value in zip(_kinds(found), _values(sentences), strict=True):
        yield "sentences", "", *who, "whole_sentences", value
    total, _, one_system = found.sentences
    share = one_system / total if total else math.nan
    yield "sentences", "", ORACLE, "one system per sentence", "whole_sentences", share
    for pair in found.all_pairs():
        names = pair_key(found.systems[pair.one], found.systems[pair.other])
        yield "pairs", "", "pair", names, ORACLE, found.share(pair.solved)
    for system, solved in zip(*found.greedy, strict=True):
        yield "greedy", "", "system", found.systems[system], ORACLE, found.share(solved)
    unique, shapley = (column.tolist() for column in found.contributions)
    for at, name in enumerate(found.systems):
        yield "contributions", "", "system", name, "unique", unique[at]
        yield "contributions", "", "system", name, "shapley", found.share(shapley[at])
