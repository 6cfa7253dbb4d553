r"""Selective classification: how right is a system on the items that it is surest of?

>>> import finegrain as fg
>>> table = fg.from_items(["a", "a", "b", "b"], {"sure": ["a", "a", "b", "a"]}, classes=["a", "b"],
...     probabilities={"sure": [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]]})
>>> found = fg.study(table, "selective", intervals=0)
>>> found.data["systems"]["sure"]["accuracy_at"]["75"], found.data["systems"]["sure"]["aurc"]
(1.0, 0.0625)

Items are answered from the surest on, by the probability of the most probable label; *coverage* is
the share that is answered, *risk* the share of these that are wrong. The area under the curve of
risk by coverage is the mean risk over all coverages (El-Yaniv and Wiener 2010; Geifman and El-Yaniv
2017):

.. math:: AURC = \frac1n \sum_{k=1}^n \frac{\text{errors among the surest } k}{k}

Items that are equally sure are answered together. A system that is never sure of an error reaches
the least area that its accuracy allows, which is told beside it.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from finegrain.analyses.evidence import Evidence, in_bucket, is_wrong
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.calibration import Reliability, of_systems
from finegrain.analyses.studies.content import Axis, Floats, Plot, Series, Study
from finegrain.analyses.studies.drawn_ends import written
from finegrain.metrics.probability_scores import BINS, PROBABILITY, PROBABILITY_METRICS
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.sampling import counted_by, sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale
from finegrain.table.verdicts import solved

COVERAGES = (0.5, 0.75, 0.9, 0.95, 1.0)
_MOST = 200  # points of a curve
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
_RISK = Scale(higher=False, best=0.0, worst=1.0, shown="number")


def selective(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Accuracy by coverage; ``None`` without probabilities."""
    if PROBABILITY not in table.details:
        return None
    every = of_systems(table)
    intervals = _intervals(table, drawing)
    areas = {name: _area(found) for name, found in every.items()}
    plot = Plot(
        "Accuracy by coverage, the surest items first", Axis("coverage", (0.0, 1.0), "percent"),
        Axis("accuracy", shown="percent"),
        tuple(_series(name, found) for name, found in every.items()),
    )  # fmt: skip
    columns = {f"confidence of {name}": found.bins for name, found in every.items()}
    ranges = tuple(f"{low / BINS:.2f} to {(low + 1) / BINS:.2f}" for low in range(BINS))
    return Study(
        "selective", "Selective answers", "How right is it where it is sure?", table.task,
        table.systems, (_listing(table, every, areas, intervals),),
        {"coverages": list(COVERAGES), "systems": {
            name: _data(found, *areas[name], intervals[table.systems.index(name)])
            for name, found in every.items()
        }},
        signature(table, **sampling_of(table).said(), **drawing.said()),
        (plot,), columns=columns, ranges=dict.fromkeys(columns, ranges),
    )  # fmt: skip


def _ordered(found: Reliability) -> tuple[Floats, Floats]:
    """Probabilities and whether items are right, the surest first."""
    known = found.bins >= 0
    top, right = found.top[known], found.right[known]
    order = np.argsort(-top, kind="stable")
    return top[order], right[order]


def risks(top: Floats, right: Floats) -> Floats:
    """``[item]`` the risk when it and all surer (or equally sure) items are answered.

    >>> risks(np.array([0.9, 0.8, 0.8]), np.array([1.0, 0.0, 1.0])).round(2).tolist()
    [0.0, 0.33, 0.33]
    """
    size = np.arange(1, len(top) + 1)
    wrong = np.cumsum(1 - right) / size
    last = np.searchsorted(-top, -top, side="right") - 1  # of those that are equally sure
    found: Floats = wrong[last]
    return found


def _area(found: Reliability) -> tuple[float, float]:
    """The area, and the least that the same number of errors allows."""
    top, right = _ordered(found)
    errors = int((1 - right).sum())
    best = np.concatenate([np.ones(len(right) - errors), np.zeros(errors)])
    least = float(risks(np.arange(len(right), 0, -1.0), best).mean())
    return float(risks(top, right).mean()), least


def _intervals(table: OutcomeTable, drawing: Drawing) -> Floats:
    """``[system, (low, high)]`` of the area."""
    if not drawing.resamples:
        return np.full((table.n_systems, 2), np.nan)
    metric = next(one for one in PROBABILITY_METRICS if one.name == "aurc")
    counts = counted_by(table, metric, sampling_of(table))
    return np.stack([drawn(one, drawing).ends(metric.score, metric.scale) for one in counts])


def _at(found: Reliability, coverage: float) -> tuple[int, float]:
    """How many items are answered, and the share of them that is right.

    Where only some of equally sure items are answered, they count as their mean: the order of the
    file says nothing.
    """
    top, right = _ordered(found)
    answered = max(1, int(np.floor(coverage * len(top) + 1e-9)))
    first, last = (int(np.searchsorted(-top, -top[answered - 1], side)) for side in _SIDES)
    correct = right[:first].sum() + (answered - first) * right[first:last].mean()
    return answered, float(correct / answered)


def _listing(
    table: OutcomeTable,
    every: dict[str, Reliability],
    areas: dict[str, tuple[float, float]],
    intervals: Floats,
) -> Listing:
    columns = (
        Column("system"), Column("AURC", "score", "max", scale=_RISK),
        Column("interval", "number"), Column("least", "score", scale=_RISK),
        *(Column(f"{share:.0%}", "score", "max", "accuracy at coverage") for share in COVERAGES),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for name, found in every.items():
        system = table.systems.index(name)
        reached, least = areas[name]
        wrong = int((~solved(table)[:, system] & table.is_gold).sum())
        *surest, all_of_them = (_at(found, share)[1] for share in COVERAGES)
        rows.append((
            name, reached, written(*intervals[system], percent=False), least, *surest,
            Linked(all_of_them, Evidence.of(wrong, is_wrong(name))),
        ))  # fmt: skip
    note = (
        "AURC: mean risk over all coverages, less is better; least: with the same errors, all of "
        "them answered last. Of equally sure items that are answered in part, the mean counts."
    )
    return Listing("Accuracy on the surest items", columns, tuple(rows), note)


def _data(found: Reliability, area: float, least: float, ends: Floats) -> dict[str, object]:
    return {
        "aurc": area,
        "least_aurc": least,
        "interval": [number(float(end)) for end in ends],
        "accuracy_at": {f"{100 * share:g}": _at(found, share)[1] for share in COVERAGES},
    }


def _series(name: str, found: Reliability) -> Series:
    top, right = _ordered(found)
    every = np.unique(np.linspace(1, len(top), _MOST).round().astype(int))
    places = np.maximum(every, 1) - 1
    accuracy = 1 - risks(top, right)[places]
    coverage = (places + 1) / len(top)
    bins = np.clip(np.ceil(top[places] * BINS).astype(int) - 1, 0, BINS - 1)
    sizes = np.bincount(found.bins[found.bins >= 0], minlength=BINS)
    return Series(
        name, coverage, accuracy,
        text=tuple(
            f"{name}: {value:.1%} right on the surest {share:.0%} (probability {sure:.2f} or more)"
            for value, share, sure in zip(accuracy, coverage, top[places], strict=True)
        ),
        behind=tuple(
            Evidence.of(int(sizes[place]), in_bucket(f"confidence of {name}", int(place)))
            for place in bins
        ),
    )  # fmt: skip
