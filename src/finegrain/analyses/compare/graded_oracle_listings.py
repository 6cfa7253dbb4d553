"""The oracle of graded units as tables for people, and as records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from finegrain.analyses.compare.chosen_outputs import ChosenScore
from finegrain.analyses.compare.graded_oracle import GradedOracle
from finegrain.analyses.compare.oracle_listings import ORACLE, greedy_listing, pair_listing
from finegrain.analyses.interval_cells import bracketed, interval_heading
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import pair_key
from finegrain.sizes import sized


def listings(found: GradedOracle) -> Iterator[Listing]:
    """Overall, metrics of the chosen outputs, greedy order, pairs, contributions."""
    yield _overall(found)
    if found.chosen:
        yield _chosen(found, found.chosen)
    if len(found.systems) > 1:
        yield greedy_listing(found)
        if found.pairs is not None:
            yield pair_listing(found, found.pairs, f"Mean {found.value}")
        yield _contributions(found)


def _overall(found: GradedOracle) -> Listing:
    best = found.sums[found.best]
    cells: list[tuple[Cell, ...]] = [
        (name, found.level(total), found.share(total - best), int(undefined))
        for name, total, undefined in zip(
            found.systems, found.sums.tolist(), found.undefined, strict=True
        )
    ]
    top = found.greedy.sums[-1]
    footer = (ORACLE, found.oracle, found.share(top - best), None)
    title = f"Oracle of {sized(len(found.systems), 'system')} by {found.value}"
    return Listing(
        f"{title}: the best value of {sized(found.units, 'unit')}",
        (
            Column("system"), Column("mean", "score", best="max", scale=found.scale),
            Column("to best", "change", scale=found.scale),
            Column("undefined", "count"),
        ),
        tuple(cells),
        _note(found),
        (footer,),
    )  # fmt: skip


def _note(found: GradedOracle) -> str:
    good = "higher" if found.scale.higher else "lower"
    told = f"{found.value}: {good} is better; to best: gain over {found.best_system}"
    if found.intervals is None:
        return told
    ends, level = found.intervals.of(found.value), interval_heading(found.intervals.confidence)
    oracle = bracketed(*ends.oracle.tolist(), scale=found.scale)
    gain = bracketed(*ends.gain.tolist(), scale=found.scale, signed="+")
    told += f"; {level} interval of the oracle: {oracle}" if oracle else ""
    return told + (f"; of its gain: {gain}" if gain else "")


def _chosen(found: GradedOracle, chosen: tuple[ChosenScore, ...]) -> Listing:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *(float(one.systems[at]) for one in chosen)) for at, name in enumerate(found.systems)
    )
    footer: tuple[Cell, ...] = (ORACLE, *(one.chosen for one in chosen))
    note = f"they are best by {found.value}, and need not be by other metrics"
    columns = (
        Column("system"),
        *(Column(one.metric.name, "score", best="max", scale=one.metric.scale) for one in chosen),
    )
    return Listing("Metrics of the chosen outputs", columns, rows, note, (footer,))


def _contributions(found: GradedOracle) -> Listing:
    scale = found.scale
    columns = [
        Column("system"), Column("oracle loses", "change", scale=scale),
        Column("without it", "score", scale=scale),
    ]  # fmt: skip
    top = found.greedy.sums[-1]
    rows: list[list[Cell]] = [
        [name, found.share(-lost), found.level(top - lost)]
        for name, lost in zip(found.systems, found.lost.tolist(), strict=True)
    ]
    note = "without it: the mean that the other systems reach"
    if found.shapley is not None:
        columns += (
            Column("Shapley", "score", scale=replace(scale, higher=True)),
            Column("share", "score"),
        )
        for row, own in zip(rows, found.shapley.tolist(), strict=True):
            row += [found.share(own), own / top if top else None]
        note += (
            "; Shapley: what lies between a value and the next lower one is shared equally by the "
            "systems that reach it; it adds up to the oracle above the worst end"
        )
    title = "What each system contributes to the oracle"
    return Listing(title, tuple(columns), tuple(map(tuple, rows)), note)


def records(found: GradedOracle, own: Listing | None) -> Listing:
    """Behind what is right and wrong, if anything is: the same columns."""
    rows = tuple(_records(found))
    if own is None:
        names = ("part", "label", "kind", "system", "measure")
        own = Listing("oracle", (*map(Column, names), Column("value", "score")), ())
    blank = (None,) * (len(own.columns) - 6)
    return replace(own, rows=(*own.rows, *((*row, *blank) for row in rows)))


def _records(found: GradedOracle) -> Iterator[tuple[Cell, ...]]:
    start = ("graded", "")
    for name, mean in zip(found.systems, found.means.tolist(), strict=True):
        yield *start, "system", name, found.value, mean
    yield *start, ORACLE, ORACLE, found.value, found.oracle
    yield *start, "gain", found.best_system, found.value, found.gain
    for one in found.chosen:
        for name, score in zip((*found.systems, ORACLE), (*one.systems, one.chosen), strict=True):
            kind = ORACLE if name == ORACLE else "system"
            yield *start, kind, name, one.metric.name, float(score)
    for pair in found.all_pairs():
        names = pair_key(found.systems[pair.one], found.systems[pair.other])
        yield *start, "pair", names, ORACLE, found.level(pair.solved)
    for system, total in zip(*found.greedy, strict=True):
        yield *start, "greedy", found.systems[system], ORACLE, found.level(total)
    for what, sums in (("lost_without", found.lost), ("shapley", found.shapley)):
        if sums is not None:
            for name, total in zip(found.systems, sums.tolist(), strict=True):
                yield *start, "system", name, what, found.share(total)
