"""BLEU, chrF and, if asked for, TER of systems with sacrebleu, which keeps references.

``python -m benchmarks.contestants.sacrebleu_scores bleu,chrf,ter REF SYSTEM...``
"""

from __future__ import annotations

import sys
from pathlib import Path

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

OF = {"bleu": BLEU, "chrf": CHRF, "ter": TER}


def lines(path: str) -> list[str]:
    """The segments of a file."""
    return [line.rstrip("\n") for line in Path(path).open(encoding="utf-8", newline="\n")]


if __name__ == "__main__":
    names, reference, *systems = sys.argv[1:]
    metrics = [OF[name](references=[lines(reference)]) for name in names.split(",")]
    for path in systems:
        texts = lines(path)
        print(path, *(metric.corpus_score(texts, None).score for metric in metrics))
