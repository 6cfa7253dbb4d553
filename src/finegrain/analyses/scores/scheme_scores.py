"""What a match scheme counts, with precision, recall and F1: of all labels, then of each.

>>> counts = np.array([[1.0, 0, 1, 0, 1], [1.0, 0, 0, 0, 0]])       # [label, kind]
>>> [told["precision"] for told in scheme_json(counts)]             # 2.5 / 4, 1.5 / 3, 1 / 1
[0.625, 0.5, 1.0]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.result import number
from finegrain.metrics.label_counts import f1, precision, recall
from finegrain.metrics.match_schemes import KINDS, as_label_counts


def scheme_json(counts: NDArray[np.float64]) -> list[dict[str, Any]]:
    """For all rows ``[label, kind]`` together, then for each: the five counts and three scores."""
    rows = np.concatenate([counts.sum(axis=0, keepdims=True), counts])
    summed = as_label_counts(rows)
    ratios = np.stack([precision(summed), recall(summed), f1(summed)], axis=-1)
    return [
        dict(zip((*KINDS, "precision", "recall", "f1"), (*row, *map(number, told)), strict=True))
        for row, told in zip(rows.astype(int).tolist(), ratios.tolist(), strict=True)
    ]
