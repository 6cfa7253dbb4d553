"""What intervals, tests, power and gates promise of documents, measured in simulated worlds.

Each study says what one test set shows, as ``(row, number)``; ``benchmarks.calibration`` repeats
it, and holds the share against what is promised.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from benchmarks.worlds import Floats, World, f1
from finegrain.analyses.trust.significance import spread_of
from finegrain.metrics.label_counts import f1 as f1_of_counts
from finegrain.resampling import margins
from finegrain.resampling.distinct import distinct
from finegrain.resampling.jackknife import left_out
from finegrain.resampling.pairs import Comparison, Settings, compare
from finegrain.resampling.power import detectable
from finegrain.resampling.sample_weights import document_weights
from finegrain.resampling.skewed_t import Added
from finegrain.table.scale import PROPORTION

PLAIN = World(0)
ALIKE = PLAIN._replace(shared=0.95)
SIZES = (10, 20, 50)
ONE_SYSTEM = {
    "F1 85": PLAIN,
    "F1 94": PLAIN._replace(share=0.94),
    "F1 94, errors in 3 of 10 documents": PLAIN._replace(share=0.94, rare=0.3, alike=0.2),
    "F1 85, names right or wrong all through": PLAIN._replace(bunch=5),
    "a label in half of the documents": PLAIN._replace(size=3.0, held=0.5),
}
TWO_SYSTEMS = {
    "equal": PLAIN,
    "equal, names right or wrong all through": PLAIN._replace(bunch=5),
    "equal, F1 94": PLAIN._replace(share=0.94),
    "same F1, the second much more clustered": PLAIN._replace(alike=0.02, other=0.3),
}
MARGINS = (1.0, 2.0, 3.0, 5.0)  # points that a new version may not be worse by
Key = tuple[str, str, int]
Found = Iterator[tuple[Key, float]]


class Row(NamedTuple):
    """What is promised of a share of test sets, in percent."""

    low: float
    high: float


def _compared(counts: Floats, seed: int, *, intervals: int = 1) -> Comparison:
    """As ``finegrain significance`` compares two systems on documents."""
    weights = document_weights(counts[:, 0, 3].astype(int))
    settings = Settings("randomisation", resamples=999, intervals=intervals, seed=seed)
    one, other = (distinct(counts[:, system]) for system in (0, 1))
    return compare(one, other, f1_of_counts, settings, weights=weights)


def _tested(found: Comparison) -> Added:
    return margins.adding(found)


def _random(*key: int) -> np.random.Generator:
    return np.random.default_rng(key)


def coverage(seed: int) -> Found:
    """Whether 95 % intervals hold the truth, of one system and of a difference."""
    for at, (name, world) in enumerate(ONE_SYSTEM.items()):
        for size in SIZES:
            here = world._replace(documents=size)
            counts = here.drawn(_random(1, at, size, seed))[:, 0]
            low, high = left_out(distinct(counts), f1_of_counts).interval(PROPORTION)
            if not np.isnan(low):
                yield ("interval", name, size), float(low <= here.truth()[0] <= high)
    for at, (name, world) in enumerate(TWO_SYSTEMS.items()):
        for size in SIZES:
            here = world._replace(documents=size)
            counts = here.drawn(_random(2, at, size, seed), 2)
            found = _compared(counts, seed, intervals=999)
            first, second = here.truth()
            covered = float(found.low <= second - first <= found.high)
            yield ("difference", name, size), covered
            yield ("type I", name, size), float(found.p <= 0.05)
            yield ("type I, better", name, size), float(found.higher <= 0.05)
            yield ("type I, worse", name, size), float(found.lower <= 0.05)


@cache
def told(size: int) -> float:
    """The median difference, in points, that 200 test sets say they detect with 80 % power."""
    found = []
    for seed in range(200):
        counts = PLAIN._replace(documents=size).drawn(_random(3, size, seed), 2)
        best = float(f1(counts.sum(axis=0)).max())
        comparison = _compared(counts, seed)
        found.append(100 * detectable(spread_of(comparison, best, PROPORTION)))
    return float(np.median(found))


@cache
def _lowered(world: World, points: float) -> World:
    return world.with_difference(points)


def power(seed: int) -> Found:
    """Whether the difference is found that is told to be found in 80 of 100 test sets."""
    for size in SIZES:
        world = _lowered(PLAIN, round(told(size), 1))._replace(documents=size)
        found = _compared(world.drawn(_random(4, size, seed), 2), seed)
        yield ("power", f"told as 80 %: {told(size):.1f} points", size), float(found.p <= 0.05)


def gate(seed: int) -> Found:
    """Whether a new version is stopped, or let pass; equal ones are equal on average."""
    for name, world in (("", PLAIN), (", near-identical", ALIKE)):
        for drop in (0.0, 3.0, 6.0):
            for size in (20, 50):
                here = _lowered(world, drop) if drop else world
                counts = here._replace(documents=size).drawn(_random(5, int(drop), size, seed), 2)
                found = _compared(counts, seed)
                p = margins.lower(_tested(found), 0.003)
                fails = float(found.difference <= -0.003 and p < 0.05)
                yield ("gate", f"drops 0.3 at p < .05: drop of {drop:g}{name}", size), fails
                if drop:
                    continue
                for margin in MARGINS:
                    passes = margins.not_lower(_tested(found), margin / 100) < 0.05
                    what = f"not worse than {margin:g}: equal versions{name} pass"
                    yield ("gate", what, size), float(passes)
    for size in (20, 50):
        here = _lowered(PLAIN, 3.0)._replace(documents=size)
        found = _compared(here.drawn(_random(6, size, seed), 2), seed)
        passes = float(margins.not_lower(_tested(found), 0.03) < 0.05)
        yield ("gate", "not worse than 3: a drop of 3 passes", size), passes
        same = float(margins.equivalence(found, 0.03) <= 0.05)
        yield ("equivalence", "margin 3: a drop of 3 is called equivalent", size), same


def promised(table: str, name: str, size: int) -> Row | None:
    """What must hold; ``None`` where a number is only told."""
    if table == "gate":
        return _of_gate(name, size)
    wide = "clustered" in name
    rows = {
        "interval": Row(91.0 if "errors in" in name else 93.0, 99.5 if "label" in name else 98.0),
        "difference": Row(91.0 if wide else 93.0, 98.5),
        "type I": Row(0.0, 7.0) if wide else Row(3.5, 6.5),
        "type I, better": Row(0.0, 7.0),
        "type I, worse": Row(0.0, 7.0),
        "power": Row(76.0, 84.0),
        "equivalence": Row(0.0, 6.0),
    }
    return None if wide and table.startswith("type I") and size < 20 else rows[table]


def _of_gate(name: str, size: int) -> Row | None:
    """False alarms and false passes are rare; drops are found as often as trials found them."""
    if name.endswith((" passes", "drop of 0", "drop of 0, near-identical")):
        return Row(0.0, 6.0)
    least = {"drop of 3": 33, "drop of 6": 74, "drop of 3, near-identical": 64,
             "drop of 6, near-identical": 97}  # fmt: skip
    found = [number for end, number in least.items() if name.endswith(end)]
    return Row(found[0], 100.0) if found and size == 50 else None


STUDIES = (coverage, power, gate)
