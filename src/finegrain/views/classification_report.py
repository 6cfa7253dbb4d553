"""One system as the text that seqeval and scikit-learn print.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["a", "b", "c"]], tags=[["N", "V", "N"]])
>>> system = Corpus.of([["a", "b", "c"]], tags=[["N", "N", "N"]])
>>> print(as_classification_report(align(gold, {"s": system}), "s"))
              precision    recall  f1-score   support
<BLANKLINE>
           N       0.67      1.00      0.80         2
           V       0.00      0.00      0.00         1
<BLANKLINE>
    accuracy                           0.67         3
   macro avg       0.33      0.50      0.40         3
weighted avg       0.44      0.67      0.53         3
<BLANKLINE>

As there, precision without predictions and recall without gold units are printed as 0; everywhere
else in finegrain they are undefined. Macro and weighted averages run over all labels of the gold
or of this system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.label_counts import GOLD, PREDICTED, f1, precision, recall
from finegrain.metrics.span_scores import traditional_counts
from finegrain.metrics.tag_scores import tag_counts
from finegrain.table import OutcomeTable
from finegrain.table.samples import whole
from finegrain.views.escape import visible

_HEADERS = ("precision", "recall", "f1-score", "support")
_WIDEST = "weighted avg"


@dataclass(frozen=True, slots=True, eq=False)
class LabelReport:
    """Scores of one system as ``[(precision, recall, F1), ...]``, undefined ones as a number.

    detects: whether units are found, as spans are: then ``total`` is a micro average of all three,
        otherwise its F1 is accuracy
    undefined: whether a precision or a recall has no value
    """

    labels: tuple[str, ...]
    by_label: NDArray[np.float64]
    support: NDArray[np.int64]
    total: NDArray[np.float64]
    macro: NDArray[np.float64]
    weighted: NDArray[np.float64]
    detects: bool
    undefined: bool


def label_report(table: OutcomeTable, system: str, *, instead: float = 0.0) -> LabelReport:
    """The numbers of ``as_classification_report``; ``instead``: what stands for undefined."""
    detects = table.task.detects  # as seqeval has it, others as scikit-learn
    counts = (traditional_counts if detects else tag_counts)(table, whole(table))
    counts = counts[0, table.system(system)]
    present = (counts[:, GOLD] + counts[:, PREDICTED]) > 0
    labels = tuple(label for label, used in zip(table.labels, present, strict=True) if used)
    counts = counts[present]
    by_label = _scores(counts, instead, detects=detects)
    total = counts.sum(axis=0, keepdims=True)
    support = counts[:, GOLD]
    if not labels:
        nothing = np.full(3, instead)
        averages = (nothing, nothing)
    else:
        averages = (by_label.mean(axis=1), _weighted(by_label, support, total, instead))
    return LabelReport(
        labels, by_label, support.astype(np.int64), _scores(total, instead, detects=detects)[:, 0],
        *averages, detects, bool((counts[:, GOLD] == 0).any() or (counts[:, PREDICTED] == 0).any()),
    )  # fmt: skip


def as_classification_report(table: OutcomeTable, system: str, *, digits: int = 2) -> str:
    """Precision, recall, F1 and support by label, then their averages."""
    return as_text(label_report(table, system), digits=digits)


def as_text(found: LabelReport, *, digits: int = 2) -> str:
    """A report as a table of fixed width."""
    labels = [visible(label) for label in found.labels]
    width = max(len(_WIDEST), digits, *map(len, labels)) if labels else max(len(_WIDEST), digits)
    layout = _Layout(width, digits)
    n = int(found.support.sum())
    lines = [f"{'':>{width}s} " + "".join(f" {header:>9}" for header in _HEADERS), ""]
    lines += (
        layout.row(label, values, int(of_label))
        for label, values, of_label in zip(labels, found.by_label.T, found.support, strict=True)
    )
    lines.append("")
    if found.detects:
        lines.append(layout.row("micro avg", found.total, n))
    else:
        lines.append(layout.accuracy(found.total[2], n))
    lines.append(layout.row("macro avg", found.macro, n))
    lines.append(layout.row(_WIDEST, found.weighted, n))
    return "\n".join([*lines, ""])


class _Layout(NamedTuple):
    width: int
    digits: int

    def row(self, name: str, values: NDArray[np.float64], support: int) -> str:
        cells = "".join(f" {value:>9.{self.digits}f}" for value in values)
        return f"{name:>{self.width}s} {cells} {support:>9}"

    def accuracy(self, value: float, support: int) -> str:
        return (
            f"{'accuracy':>{self.width}s}  {'':>9} {'':>9} {value:>9.{self.digits}f} {support:>9}"
        )


def _scores(counts: NDArray[np.float64], instead: float, *, detects: bool) -> NDArray[np.float64]:
    """``[(precision, recall, F1), label]`` with a number for undefined.

    seqeval computes F1 from precision and recall, scikit-learn from counts. The two can differ in
    the last bit, which shows where the last printed digit is decided by a tie.
    """
    p, r = np.nan_to_num(precision(counts), nan=instead), np.nan_to_num(recall(counts), nan=instead)
    if not detects:
        return np.stack([p, r, np.nan_to_num(f1(counts), nan=instead)])
    both = np.where(p + r == 0, 1, p + r)
    return np.stack([p, r, 2 * p * r / both])


def _weighted(
    by_label: NDArray[np.float64],
    support: NDArray[np.float64],
    total: NDArray[np.float64],
    instead: float,
) -> NDArray[np.float64]:
    """Mean of each score over labels by their support."""
    if support.any():
        mean: NDArray[np.float64] = np.average(by_label, axis=1, weights=support)
        return mean
    given = 0.0 if total[0, PREDICTED] else instead
    return np.array([given, instead, given])
