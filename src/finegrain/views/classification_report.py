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


def as_classification_report(table: OutcomeTable, system: str, *, digits: int = 2) -> str:
    """Precision, recall, F1 and support by label, then their averages."""
    place = table.system(system)
    found = table.task.detects  # printed as seqeval does, others as scikit-learn
    counts = (traditional_counts if found else tag_counts)(table, whole(table))[0, place]
    present = (counts[:, GOLD] + counts[:, PREDICTED]) > 0
    labels = [
        visible(label) for label, is_there in zip(table.labels, present, strict=True) if is_there
    ]
    counts = counts[present]
    width = max(len(_WIDEST), digits, *map(len, labels)) if labels else max(len(_WIDEST), digits)
    layout = _Layout(width, digits)
    by_label, support = _scores(counts, found=found), counts[:, GOLD]
    total = _scores(counts.sum(axis=0, keepdims=True), found=found)[:, 0]
    n = int(support.sum())
    lines = [f"{'':>{width}s} " + "".join(f" {header:>9}" for header in _HEADERS), ""]
    lines += (
        layout.row(label, values, int(of_label))
        for label, values, of_label in zip(labels, by_label.T, support, strict=True)
    )
    lines.append("")
    lines.append(layout.row("micro avg", total, n) if found else layout.accuracy(total[2], n))
    lines.append(layout.row("macro avg", _average(by_label, None), n))
    lines.append(layout.row(_WIDEST, _average(by_label, support), n))
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


def _scores(counts: NDArray[np.float64], *, found: bool) -> NDArray[np.float64]:
    """``[(precision, recall, F1), label]`` with 0 for undefined.

    seqeval computes F1 from precision and recall, scikit-learn from counts. The two can differ in
    the last bit, which shows where the last printed digit is decided by a tie.
    """
    p, r = np.nan_to_num(precision(counts)), np.nan_to_num(recall(counts))
    if not found:
        return np.stack([p, r, np.nan_to_num(f1(counts))])
    both = np.where(p + r == 0, 1, p + r)
    return np.stack([p, r, 2 * p * r / both])


def _average(
    by_label: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Mean of each score over labels; 0 without labels or without weight."""
    if not by_label.shape[1] or (weights is not None and not weights.any()):
        return np.zeros(len(by_label))
    averages: NDArray[np.float64] = np.average(by_label, axis=1, weights=weights)
    return averages
