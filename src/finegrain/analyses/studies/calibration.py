r"""Calibration: is a system right as often as its probabilities say?

>>> import finegrain as fg
>>> table = fg.from_items(["a", "a", "b", "b"], {"sure": ["a", "a", "b", "a"]}, classes=["a", "b"],
...     probabilities={"sure": [[0.9, 0.1], [0.7, 0.3], [0.3, 0.7], [0.9, 0.1]]})
>>> found = fg.study(table, "calibration", intervals=0)
>>> [round(found.data["systems"]["sure"][name], 3) for name in ("accuracy", "confidence", "ece")]
[0.75, 0.8, 0.35]

The most probable label of an item is right or wrong, and its probability p should be the chance
that it is right. Of items in 15 bins of equal width by p, the accuracy stands beside the mean p.
The squared error of p (the Brier score of the top label) is divided after Murphy (1973):

.. math:: \frac1n \sum_i (p_i - r_i)^2 = \underbrace{\sum_b \frac{n_b}{n} (\bar p_b - \bar r_b)^2}
   _{\text{reliability}} - \underbrace{\sum_b \frac{n_b}{n} (\bar r_b - \bar r)^2}
   _{\text{resolution}} + \underbrace{\bar r (1 - \bar r)}_{\text{uncertainty}}
   + \text{within bins}

where r is 1 for items that are right. Reliability is what recalibration could save, resolution what
the probabilities know; the last term is there because a bin holds different probabilities
(Stephenson, Coelho and Jolliffe 2008).
"""

from __future__ import annotations

from textwrap import shorten
from typing import NamedTuple

import numpy as np

from finegrain.analyses.evidence import Evidence, in_bucket, is_wrong, of_row
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Floats, Plot, Series, Study
from finegrain.analyses.studies.drawn_ends import ends, written
from finegrain.corpus import IntArray
from finegrain.metrics.metric import ratio
from finegrain.metrics.probability_scores import BINS, PROBABILITY, debiased_ece, ece
from finegrain.resampling.intervals import Drawing
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale
from finegrain.table.verdicts import solved

SURE = 0.9  # from where on an error is a confident one
_LOSS = Scale(higher=False, best=0.0, worst=1.0, shown="number")
_CONFIDENT = 10  # errors that are listed
_WIDE = 70  # characters of an item
_FEW = 5  # items of a bin, below which its accuracy is not drawn
_RANGES = tuple(f"{place / BINS:.2f} to {(place + 1) / BINS:.2f}" for place in range(BINS))


class Reliability(NamedTuple):
    """Of a system: ``[unit]`` the bin (-1 without probabilities), top probability, and if right."""

    bins: IntArray
    top: Floats
    right: Floats

    @property
    def counts(self) -> Floats:
        """``[unit, bin, (items, right, sum of probabilities)]``."""
        found = np.zeros((len(self.bins), BINS, 3))
        known = np.flatnonzero(self.bins >= 0)
        columns = (np.ones(len(known)), self.right[known], self.top[known])
        found[known, self.bins[known]] = np.stack(columns, axis=-1)
        return found


def reliability_of(table: OutcomeTable, system: int) -> Reliability:
    """What the most probable label of every gold item is like; the first of equals."""
    chances = table.details[PROBABILITY][:, system]
    known = ~np.isnan(chances).any(axis=-1) & table.is_gold
    filled = np.where(known[:, None], chances, 0)
    top = filled.max(axis=-1)
    bins = np.clip(np.ceil(top * BINS).astype(np.int64) - 1, 0, BINS - 1)
    right = (filled.argmax(axis=-1) == table.label).astype(float)
    return Reliability(np.where(known, bins, -1), np.where(known, top, np.nan), right)


def of_systems(table: OutcomeTable) -> dict[str, Reliability]:
    """The same of every system that has probabilities."""
    every = (reliability_of(table, system) for system in range(table.n_systems))
    named = zip(table.systems, every, strict=True)
    return {name: found for name, found in named if (found.bins >= 0).any()}


def calibration(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Reliability diagrams and what calibration costs; ``None`` without probabilities."""
    if PROBABILITY not in table.details:
        return None
    every = of_systems(table)
    measured = {name: _measures(found) for name, found in every.items()}
    intervals = {name: ends(table, _means(found), _gap, drawing) for name, found in every.items()}
    columns = {f"confidence of {name}": found.bins for name, found in every.items()}
    ranges = dict.fromkeys(columns, _RANGES)
    for name, found in every.items():
        columns[_sure(name)] = np.where(found.bins < 0, -1, found.top >= SURE).astype(np.int64)
        ranges[_sure(name)] = (f"below {SURE:g}", f"{SURE:g} or more")
    return Study(
        "calibration", "Calibration", "Do probabilities mean what they say?", table.task,
        table.systems,
        (
            _overview(table, every, measured, intervals), *_confident(table, every),
            _bins(table, every),
        ),
        {"bins": BINS, "systems": {name: {
            **{key: number(value) for key, value in measured[name].items()},
            "reliability_diagram": _diagram(every[name]),
        } for name in every}},
        signature(table, bins=str(BINS), **sampling_of(table).said(), **drawing.said()),
        (_plot(table, every, drawing),),
        columns=columns,
        ranges=ranges,
    )  # fmt: skip


def _measures(found: Reliability) -> dict[str, float]:
    """Accuracy, mean probability, and the parts of the squared error of the top label."""
    known = found.bins >= 0
    top, right = found.top[known], found.right[known]
    sums = found.counts.sum(axis=0)
    size = sums[:, 0]
    share, mean_right, mean_top = (
        size / size.sum(),
        ratio(sums[:, 1], size),
        ratio(sums[:, 2], size),
    )
    rate = float(right.mean())
    parts = {
        "reliability": float(np.nansum(share * (mean_top - mean_right) ** 2)),
        "resolution": float(np.nansum(share * (mean_right - rate) ** 2)),
        "uncertainty": rate * (1 - rate),
    }
    brier = float(np.mean((top - right) ** 2))
    expected = parts["reliability"] - parts["resolution"] + parts["uncertainty"]
    return {
        "accuracy": rate,
        "confidence": float(top.mean()),
        "ece": float(ece(sums)),
        "debiased_ece": float(debiased_ece(sums)),
        "top_brier": brier,
        **parts,
        "within_bins": brier - expected,
        "confident_errors": float(((top >= SURE) & (right == 0)).sum()),
    }


def _means(found: Reliability) -> Floats:
    """``[unit, (items, right, sum of probabilities)]``."""
    sums: Floats = found.counts.sum(axis=1)
    return sums


def _gap(sums: Floats) -> Floats:
    """How much more probable a system says its answers are than they are right."""
    return ratio(sums[..., 2] - sums[..., 1], sums[..., 0])


def _overview(
    table: OutcomeTable,
    every: dict[str, Reliability],
    measured: dict[str, dict[str, float]],
    intervals: dict[str, Floats],
) -> Listing:
    columns = (
        Column("system"), Column("accuracy", "score"), Column("mean probability", "score"),
        Column("overconfident", "change"), Column("interval", "number"), Column("ECE", "score"),
        Column("debiased", "score"),
        Column("Brier", "score", scale=_LOSS, group="top label"),
        *(Column(name, "score", scale=_LOSS, group="top label")
          for name in ("reliability", "resolution", "uncertainty", "within bins")),
        Column("confident errors", "count"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for name, values in measured.items():
        system, sure = table.systems.index(name), int(values["confident_errors"])
        wrong = int((~solved(table)[:, system] & table.is_gold).sum())
        answers_top = _answers_top(table, every[name], name)
        errors = in_bucket(_sure(name), 1), is_wrong(name)
        surely = Evidence.of(sure, *errors) if answers_top else None
        rows.append((
            name, Linked(values["accuracy"], Evidence.of(wrong, is_wrong(name))),
            values["confidence"], values["confidence"] - values["accuracy"],
            written(*intervals[name]), values["ece"],
            values["debiased_ece"], values["top_brier"], values["reliability"],
            values["resolution"], values["uncertainty"], values["within_bins"],
            Linked(sure, surely),
        ))  # fmt: skip
    note = (
        "Overconfident: mean probability of the most probable label less accuracy, in points. "
        "Brier = reliability - resolution + uncertainty + within bins. Confident errors: "
        f"probability {SURE:g} or more, and wrong."
    )
    return Listing("Calibration", columns, tuple(rows), note)


def _sure(name: str) -> str:
    """The column that says where a system is sure."""
    return f"sureness of {name}"


def _confident(table: OutcomeTable, every: dict[str, Reliability]) -> list[Listing]:
    """The errors with the highest probabilities, of all systems; nothing without errors."""
    columns = (
        Column("probability", "number"), Column("system"), Column("gold"), Column("most probable"),
        Column(table.task.words.unit),
    )  # fmt: skip
    found = [
        (-float(one.top[row]), row, name)
        for name, one in every.items()
        for row in _surest_errors(one)
    ]
    rows: list[tuple[Cell, ...]] = []
    for top, row, name in sorted(found)[:_CONFIDENT]:
        chances = table.details[PROBABILITY][row, table.systems.index(name)]
        probability = Linked(f"{-top:.3f}", Evidence.of(1, of_row(row)))
        gold, answer = (table.labels[int(code)] for code in (table.label[row], chances.argmax()))
        rows.append((probability, name, gold, answer, shorten(table.text(row), _WIDE)))
    listing = Listing("Most confident errors", columns, tuple(rows))
    return [listing] if rows else []


def _surest_errors(found: Reliability) -> list[int]:
    wrong = np.flatnonzero((found.bins >= 0) & (found.right == 0))
    order: list[int] = wrong[np.argsort(-found.top[wrong], kind="stable")][:_CONFIDENT].tolist()
    return order


def _bins(table: OutcomeTable, every: dict[str, Reliability]) -> Listing:
    """A row for every bin and system that has items there, the surest first."""
    columns = (
        Column("system"), Column("probability"), Column("n", "count"), Column("wrong", "count"),
        Column("accuracy", "score"), Column("mean probability", "score"),
        Column("gap", "change"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for name, found in every.items():
        sums = found.counts.sum(axis=0)
        for place in range(BINS - 1, -1, -1):
            size, right, chance = sums[place].tolist()
            if not size:
                continue
            wrong = int(size - right)
            bucket = in_bucket(f"confidence of {name}", place)
            answers_top = _answers_top(table, found, name)
            errors = Evidence.of(wrong, bucket, is_wrong(name)) if answers_top else None
            rows.append((
                name, _RANGES[place], Linked(int(size), Evidence.of(int(size), bucket)),
                Linked(wrong, errors), right / size, chance / size, (chance - right) / size,
            ))  # fmt: skip
    note = "Gap: mean probability less accuracy, in points; above 0 the system is too sure."
    return Listing("By probability of the most probable label", columns, tuple(rows), note)


def _answers_top(table: OutcomeTable, found: Reliability, name: str) -> bool:
    """Whether a system answers the most probable label everywhere: then both are wrong together."""
    known = found.bins >= 0
    own = solved(table)[known, table.systems.index(name)]
    same: bool = np.array_equal(own, found.right[known] == 1)
    return same


def _diagram(found: Reliability) -> list[dict[str, float | None]]:
    sums = found.counts.sum(axis=0)
    return [
        {
            "low": place / BINS, "high": (place + 1) / BINS, "n": int(size),
            "accuracy": number(right / size) if size else None,
            "confidence": number(chance / size) if size else None,
        }
        for place, (size, right, chance) in enumerate(sums.tolist())
    ]  # fmt: skip


def _plot(table: OutcomeTable, every: dict[str, Reliability], drawing: Drawing) -> Plot:
    series = tuple(_series(table, name, found, drawing) for name, found in every.items())
    return Plot(
        "Reliability: accuracy by probability", Axis("mean probability", (0.0, 1.0), "percent"),
        Axis("accuracy", (0.0, 1.0), "percent"), series, "diagonal",
        note=f"Below the diagonal a system is too sure. Bins with fewer than {_FEW} items are not "
        "drawn.",
    )  # fmt: skip


def _series(table: OutcomeTable, name: str, found: Reliability, drawing: Drawing) -> Series:
    counts = found.counts
    sums = counts.sum(axis=0)
    shown = np.flatnonzero(sums[:, 0] >= _FEW)
    both = ends(table, counts[:, shown], lambda one: ratio(one[..., 1], one[..., 0]), drawing)
    size, right, chance = sums[shown].T
    return Series(
        name, chance / size, right / size, low=both[..., 0], high=both[..., 1],
        text=tuple(
            f"{name}, {_RANGES[place]}: {int(r)} of {int(n)} right, mean probability {c / n:.2f}"
            for place, n, r, c in zip(shown.tolist(), size, right, chance, strict=True)
        ),
        behind=tuple(
            Evidence.of(int(n), in_bucket(f"confidence of {name}", int(place)))
            for place, n in zip(shown, size, strict=True)
        ),
    )  # fmt: skip
