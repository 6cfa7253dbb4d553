"""One document with many entities: ``python -m benchmarks.one_document``.

CPU time in one process, finegrain (alignment, all scores and the match schemes) against nervaluate
(its four schemas), for flat entities in one sentence, every tenth of them wrong. With ``nested``,
every second entity lies inside the one before it. nervaluate compares every entity with every
other and is left out above 5,000.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.metadata import version

import numpy as np

import finegrain as fg
from finegrain.corpus import Corpus, Spans

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000)
PEER_UP_TO = 5_000
LABELS = ("PER", "LOC", "ORG")
Row = tuple[int, int, int, str]


def _entities(size: int, shape: str) -> tuple[list[Row], list[Row]]:
    """Gold and predicted entities; of ten predictions one is missing, cut, or mislabelled."""
    gold, system = [], []
    for number in range(size):
        begin = 4 * number - (3 if shape == "nested" and number % 2 else 0)
        row = (
            0,
            begin,
            begin + (6 if shape == "nested" and not number % 2 else 2),
            LABELS[number % 3],
        )
        gold.append(row)
        kind = number % 30
        if kind == 10:
            continue
        if kind == 20:
            row = (*row[:2], row[2] - 1, row[3])
        if kind == 0:
            row = (*row[:3], LABELS[(number + 1) % 3])
        system.append(row)
    return gold, system


def _finegrain(gold: list[Row], system: list[Row]) -> float:
    offsets = np.array([0, max(row[2] for row in gold)])
    corpora = [Corpus("made", offsets, spans=Spans.of(rows)) for rows in (gold, system)]
    table = fg.align(corpora[0], {"system": corpora[1]}, task="spans")
    scores = fg.score(table, schemes=["all"]).to_json()
    return float(scores["system"]["schemes"]["strict"]["f1"])


def _nervaluate(gold: list[Row], system: list[Row]) -> float:
    from nervaluate.evaluator import Evaluator

    sides = [
        [[{"start": row[1], "end": row[2] - 1, "label": row[3]} for row in rows]]
        for rows in (gold, system)
    ]
    found = Evaluator(*sides, tags=list(LABELS), loader="dict").evaluate()
    return float(found["overall"]["strict"].f1)


def _seconds(
    run: Callable[[list[Row], list[Row]], float], sides: tuple[list[Row], list[Row]]
) -> float:
    begin = time.process_time()
    run(*sides)
    return time.process_time() - begin


def main() -> None:
    """Print one table per shape."""
    _seconds(_finegrain, _entities(100, "flat"))
    print(f"finegrain {fg.__version__}, nervaluate {version('nervaluate')}")
    for shape in sys.argv[1:] or ("flat", "nested"):
        print(f"\n| {shape} entities | finegrain s | microseconds each | nervaluate s |")
        print("|--:|--:|--:|--:|")
        for size in SIZES:
            sides = _entities(size, shape)
            ours = min(_seconds(_finegrain, sides) for _ in range(3))
            theirs = f"{_seconds(_nervaluate, sides):.2f}" if size <= PEER_UP_TO else ""
            print(f"| {size:,} | {ours:.3f} | {1e6 * ours / size:.0f} | {theirs} |", flush=True)


if __name__ == "__main__":
    main()
