"""Intervals of sacrebleu from statistics that are counted: what resampling alone costs.

``python -m benchmarks.contestants.sacrebleu_resampling SEGMENTS RESAMPLES`` prints the CPU seconds
of bootstrap intervals of BLEU and chrF of one system, from statistics that are drawn at random.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from sacrebleu.metrics.base import Score
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.significance import _bootstrap_resample

from benchmarks.generation import statistics


def main() -> None:
    """Print seconds for the intervals of one system by BLEU and chrF."""
    segments, resamples = map(int, sys.argv[1:3])
    found: list[Score] = []
    every: list[tuple[Any, list[list[int]]]] = []
    for metric, width in ((BLEU(), "bleu"), (CHRF(), "chrf")):
        every.append((metric, statistics(segments, width)[:, 0].astype(int).tolist()))
    begin = time.process_time()
    for metric, counts in every:
        _, scores = _bootstrap_resample(counts, metric, resamples)
        found.append(scores[0])
    print(time.process_time() - begin)
    if not np.isfinite([one.score for one in found]).all():
        sys.exit("a score is undefined")


if __name__ == "__main__":
    main()
