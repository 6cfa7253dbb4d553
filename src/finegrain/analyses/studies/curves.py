r"""Curves of a classifier with probabilities: ROC, precision and recall, F1 by threshold.

>>> import finegrain as fg
>>> table = fg.from_items(["b", "a", "b", "a", "a"], {"sure": ["b", "a", "a", "a", "a"]},
...     classes=["a", "b"], probabilities={"sure": [[0.1, 0.9], [0.8, 0.2], [0.6, 0.4], [0.7, 0.3],
...                                                 [0.9, 0.1]]})
>>> found = fg.study(table, "curves", intervals=0)
>>> found.data["positive"], found.data["systems"]["sure"]["best_threshold"]
('b', 0.4)

Every item and label with its probability is a decision: is it this label? A threshold t answers
yes from t on; each t is a point. With two labels, decisions are about the rarer one. With more,
those of all labels are pooled (micro-average), and areas of single labels stand in a table. The
ring is the operating point: where a system's own answers lie.

.. math:: TPR = \frac{TP}{TP + FN} \quad FPR = \frac{FP}{FP + TN} \quad
   P = \frac{TP}{TP + FP} \quad F_1 = \frac{2 TP}{2 TP + FP + FN}
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import GOLD, Evidence, has_label, in_bucket
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Floats, Plot, Series, Study
from finegrain.metrics.metric import ratio
from finegrain.metrics.probability_scores import AREA, PROBABILITY
from finegrain.metrics.ranked import area, precision_area
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import answered

_MOST = 250  # points of a curve
_SHARES = 20  # bins of probabilities that points lead to


class Decisions(NamedTuple):
    """Of a system: scores, whether each decision is positive, and whether it is answered so."""

    scores: Floats
    positive: NDArray[np.bool_]
    taken: NDArray[np.bool_]


class Curve(NamedTuple):
    """By threshold, from the highest down: ``[point]`` each."""

    threshold: Floats
    true: Floats
    false: Floats
    positive: int
    negative: int

    @property
    def recall(self) -> Floats:
        return self.true / max(1, self.positive)

    @property
    def fallout(self) -> Floats:
        return self.false / max(1, self.negative)

    @property
    def precision(self) -> Floats:
        return ratio(self.true, self.true + self.false)

    @property
    def f1(self) -> Floats:
        return 2 * self.true / np.maximum(1, self.true + self.false + self.positive)


def curve_of(scores: Floats, positive: NDArray[np.bool_]) -> Curve:
    """All thresholds that differ, the highest first; tied scores fall together.

    >>> found = curve_of(np.array([0.9, 0.4, 0.4]), np.array([True, True, False]))
    >>> found.threshold.tolist(), found.recall.tolist(), found.precision.round(2).tolist()
    ([0.9, 0.4], [0.5, 1.0], [1.0, 0.67])
    """
    order = np.argsort(-scores, kind="stable")
    ordered, hits = scores[order], positive[order]
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    true = np.cumsum(hits)[last].astype(float)
    return Curve(ordered[last], true, last + 1 - true, int(hits.sum()), int((~hits).sum()))


def curves(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """ROC, precision-recall and threshold curves; ``None`` without probabilities or two labels."""
    del drawing  # areas have intervals in ``score``
    if PROBABILITY not in table.details or not _two_gold_labels(table):
        return None
    label = _positive(table)
    made = {
        name: decisions
        for system, name in enumerate(table.systems)
        if len((decisions := decisions_of(table, system, label)).scores)
    }
    every = {name: curve_of(one.scores, one.positive) for name, one in made.items()}
    positive = None if label is None else table.labels[label]
    what = f"label {positive}" if positive else "all labels pooled"
    columns, ranges = {}, {}
    if label is not None:
        columns = {
            _column(name, positive): _bins(table, table.systems.index(name), label)
            for name in every
        }
        spans = (f"{low / _SHARES:.2f} to {(low + 1) / _SHARES:.2f}" for low in range(_SHARES))
        ranges = dict.fromkeys(columns, tuple(spans))
    plots = (
        _plot("ROC", what, every, made, ("fallout", "recall"), positive),
        _plot("Precision and recall", what, every, made, ("recall", "precision"), positive),
        _plot("F1 by threshold", what, every, made, ("threshold", "f1"), positive),
    )
    return Study(
        "curves", "Curves", "Which threshold, and how well do probabilities rank?", table.task,
        table.systems, (_points(every, made, what), *_areas(table)),
        {"positive": positive, "systems": {name: _data(one, made[name])
                                           for name, one in every.items()}},
        signature(table, **({"positive": positive} if positive else {"average": "micro"})),
        plots, columns=columns, ranges=ranges,
    )  # fmt: skip


def _two_gold_labels(table: OutcomeTable) -> bool:
    return len(np.unique(table.label[table.is_gold])) > 1


def _positive(table: OutcomeTable) -> int | None:
    """Of two labels, the one that fewer gold items have (the second of equals); else none."""
    if table.n_labels != 2:
        return None
    counts = np.bincount(table.label[table.is_gold], minlength=2)
    return 0 if counts[0] < counts[1] else 1


def decisions_of(table: OutcomeTable, system: int, label: int | None) -> Decisions:
    """The decisions of a system on gold items that it has probabilities for."""
    chances = table.details[PROBABILITY][:, system]
    known = np.flatnonzero(~np.isnan(chances).any(axis=-1) & table.is_gold)
    gold, given = table.label[known], answered(table)[known, system]
    if label is not None:
        return Decisions(chances[known, label], gold == label, given == label)
    labels = np.arange(table.n_labels)
    return Decisions(
        chances[known].ravel(),
        (gold[:, None] == labels).ravel(),
        (given[:, None] == labels).ravel(),
    )


def _column(system: str, positive: str | None) -> str:
    return f"probability of {positive} by {system}"


def _bins(table: OutcomeTable, system: int, label: int) -> NDArray[np.int64]:
    chances = table.details[PROBABILITY][:, system, label]
    bins = np.clip((np.nan_to_num(chances) * _SHARES).astype(np.int64), 0, _SHARES - 1)
    return np.where(np.isnan(chances) | ~table.is_gold, -1, bins)


def _operating(decisions: Decisions) -> tuple[int, int]:
    """True and false positives of a system's own answers."""
    return (
        int((decisions.taken & decisions.positive).sum()),
        int((decisions.taken & ~decisions.positive).sum()),
    )


def _data(curve: Curve, decisions: Decisions) -> dict[str, object]:
    best = int(np.argmax(curve.f1))
    true, false = _operating(decisions)
    ones, rows = np.ones((1, len(decisions.scores))), _rows(decisions)
    chosen = _thinned(curve)
    return {
        "auc": number(float(area(rows, ones)[0])),
        "average_precision": number(float(precision_area(rows, ones)[0])),
        "best_threshold": float(curve.threshold[best]),
        "best_f1": float(curve.f1[best]),
        "operating_point": {
            "recall": number(true / max(1, curve.positive)),
            "precision": number(true / (true + false)) if true + false else None,
            "false_positive_rate": number(false / max(1, curve.negative)),
            "f1": number(2 * true / max(1, true + false + curve.positive)),
        },
        "curve": {
            name: [number(float(value)) for value in getattr(curve, name)[chosen]]
            for name in ("threshold", "recall", "fallout", "precision", "f1")
        },
    }


def _rows(decisions: Decisions) -> Floats:
    return np.stack([decisions.scores, decisions.positive.astype(float)], axis=-1)


def _points(every: dict[str, Curve], made: dict[str, Decisions], what: str) -> Listing:
    """The operating point of every system beside its best threshold."""
    columns = (
        Column("system"), Column("AUC", "score", "max", scale=AREA),
        Column("AP", "score", "max", scale=AREA),
        *(Column(name, "score", group="own answers") for name in ("precision", "recall", "F1")),
        *(Column(name, "score", group="best threshold") for name in ("P", "R", "best F1")),
        Column("threshold", "number", group="best threshold"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for name, curve in every.items():
        true, false = _operating(made[name])
        ones, pairs = np.ones((1, len(made[name].scores))), _rows(made[name])
        best = int(np.argmax(curve.f1))
        rows.append((
            name, float(area(pairs, ones)[0]), float(precision_area(pairs, ones)[0]),
            true / (true + false) if true + false else None, true / max(1, curve.positive),
            2 * true / max(1, true + false + curve.positive), float(curve.precision[best]),
            float(curve.recall[best]), float(curve.f1[best]), f"{curve.threshold[best]:.3f}",
        ))  # fmt: skip
    note = (
        f"AUC and AP of {what}. The best threshold is chosen on these very items, so its F1 is "
        "too good for others: choose it on a development set."
    )
    return Listing("Operating points", columns, tuple(rows), note)


def _areas(table: OutcomeTable) -> tuple[Listing, ...]:
    """AUC of every label against the others; nothing where there are two labels."""
    if table.n_labels == 2:
        return ()
    columns = (
        Column("label"), Column("gold", "count"),
        *(Column(name, "score", "row", "AUC", scale=AREA) for name in table.systems),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for label in np.argsort(-np.bincount(table.label[table.is_gold], minlength=table.n_labels)):
        size = int(((table.label == label) & table.is_gold).sum())
        if not size:
            continue
        name = table.labels[label]
        cells: list[Cell] = [name, Linked(size, Evidence.of(size, GOLD, has_label(name)))]
        for system in range(table.n_systems):
            one = decisions_of(table, system, int(label))
            found = area(_rows(one), np.ones((1, len(one.scores)))) if len(one.scores) else [np.nan]
            cells.append(float(found[0]))
        rows.append(tuple(cells))
    return (Listing("Every label against the others", columns, tuple(rows)),)


def _thinned(curve: Curve) -> NDArray[np.int64]:
    """Places of points that are drawn: evenly along the curve, with both ends and the best F1."""
    size = len(curve.threshold)
    along = np.searchsorted(
        np.linspace(0, 2, _MOST), np.clip(curve.recall + curve.fallout, 0, 2), side="left"
    )
    first = np.flatnonzero(np.append(True, along[1:] != along[:-1]))
    return np.unique([*first.tolist(), size - 1, int(np.argmax(curve.f1))])


def _plot(
    title: str,
    what: str,
    every: dict[str, Curve],
    made: dict[str, Decisions],
    axes: tuple[str, str],
    positive: str | None,
) -> Plot:
    words = {"fallout": "false positive rate", "f1": "F1"}
    x, y = (Axis(words.get(name, name), (0.0, 1.0), "percent") for name in axes)
    series = [_series(name, one, made[name], axes, positive) for name, one in every.items()]
    if axes[0] != "threshold":  # own answers have no threshold
        series += [_own(name, one, made[name], axes) for name, one in every.items()]
    return Plot(f"{title}, {what}", x, y, tuple(series), "diagonal" if title == "ROC" else "")


def _series(
    name: str, curve: Curve, decisions: Decisions, axes: tuple[str, str], positive: str | None
) -> Series:
    """The curve of a system; by threshold, with its best F1 marked."""
    chosen = _thinned(curve)
    x, y = (getattr(curve, axis)[chosen] for axis in axes)
    text = [
        f"{name}, threshold {curve.threshold[at]:.3f}: precision {curve.precision[at]:.3f}, recall "
        f"{curve.recall[at]:.3f}, F1 {curve.f1[at]:.3f}"
        for at in chosen.tolist()
    ]
    behind = [_near(curve, decisions, int(at), name, positive) for at in chosen]
    if axes[0] == "threshold":
        best = int(np.searchsorted(chosen, np.argmax(curve.f1)))
        return Series(name, x, y, text=tuple(text), behind=tuple(behind), marked=(best,))
    if axes[0] == "fallout":  # the curve begins where nothing is answered
        x, y = np.append(0.0, x), np.append(0.0, y)
        text, behind = [f"{name}: nothing answered", *text], [None, *behind]
    return Series(name, x, y, text=tuple(text), behind=tuple(behind))


def _own(name: str, curve: Curve, decisions: Decisions, axes: tuple[str, str]) -> Series:
    """The operating point, which lies on the curve only if one threshold makes all answers."""
    true, false = (np.array([count], float) for count in _operating(decisions))
    own = Curve(np.array([np.nan]), true, false, curve.positive, curve.negative)
    text = f"{name}, own answers: precision {own.precision[0]:.3f}, recall {own.recall[0]:.3f}"
    x, y = (getattr(own, axis) for axis in axes)
    return Series(name, x, y, "points", text=(text,), marked=(0,))


def _near(
    curve: Curve, decisions: Decisions, at: int, name: str, positive: str | None
) -> Evidence | None:
    """The items whose probability is near a threshold."""
    if positive is None:
        return None
    place = min(_SHARES - 1, int(curve.threshold[at] * _SHARES))
    bins = np.clip((decisions.scores * _SHARES).astype(np.int64), 0, _SHARES - 1)
    count = int((bins == place).sum())
    return Evidence.of(count, in_bucket(_column(name, positive), place))
