"""Scores of generated text with intervals, and all pairs tested by each of them.

``python -m benchmarks.contestants.finegrain_generation bleu,chrf,ter RESAMPLES REF SYSTEM...``
"""

from __future__ import annotations

import sys

import finegrain as fg

if __name__ == "__main__":
    names, resamples, reference, *systems = sys.argv[1:]
    metrics, draws = names.split(","), int(resamples)
    table = fg.evaluate(reference, systems, task="generation")
    scores = fg.score(table, metrics, intervals=draws)
    for system in table.systems:
        print(system, *(getattr(scores[system], name) for name in metrics))
    for name in metrics:
        for pair in fg.significance(table, name, resamples=draws, intervals=draws).pairs:
            names_of = table.systems[pair.first], table.systems[pair.second]
            print(name, *names_of, pair.comparison.difference, pair.adjusted)
