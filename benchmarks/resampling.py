"""Speed of resampling: ``python -m benchmarks.resampling``.

CPU time in one run. First 10,000 resamples of micro-F1 for two systems against a plain Python loop
over sentences (extrapolated from fewer resamples of the loop), for the bootstrap and for
approximate randomisation. Then ``finegrain score`` with and without intervals, overall and per
label, at 1 million tokens, as whole processes in turn, with documents and without. Exits with 1
if a target is missed.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.measuring import Contestant, race
from benchmarks.run import BIN, _data
from finegrain.metrics.label_counts import f1
from finegrain.resampling.distinct import Vectors, distinct, paired
from finegrain.resampling.tests import differences, randomisation

RESAMPLES = 10_000
Row = tuple[float, ...]


def _simulated(sentences: int) -> Vectors:
    """``[sentence, system, (TP, FP, FN, gold, predicted)]``."""
    generator = np.random.default_rng(1)
    gold = generator.poisson(1.6, sentences)
    found = np.empty((sentences, 2, 5))
    for system, right in enumerate((0.88, 0.89)):
        hits = generator.binomial(gold, right)
        extra = generator.poisson(0.15, sentences)
        found[:, system] = np.stack([hits, extra, gold - hits, gold, hits + extra], axis=-1)
    return found


def _plain_bootstrap(one: list[Row], other: list[Row]) -> float:
    """One resample as a loop over sentences."""
    size = len(one)
    scores = []
    picked = [random.randrange(size) for _ in range(size)]
    for rows in (one, other):
        hits = extra = missed = 0.0
        for place in picked:
            row = rows[place]
            hits += row[0]
            extra += row[1]
            missed += row[2]
        scores.append(2 * hits / (2 * hits + extra + missed))
    return scores[1] - scores[0]


def _plain_randomisation(one: list[Row], other: list[Row]) -> float:
    hits, errors = [0.0, 0.0], [0.0, 0.0]
    for first, second in zip(one, other, strict=True):
        side = random.random() < 0.5
        hits[side] += first[0]
        errors[side] += first[1] + first[2]
        hits[not side] += second[0]
        errors[not side] += second[1] + second[2]
    scores = [2 * h / (2 * h + e) for h, e in zip(hits, errors, strict=True)]
    return scores[1] - scores[0]


def _seconds(run: Callable[[], object]) -> float:
    begin = time.process_time()
    run()
    return time.process_time() - begin


def _against_loops(sentences: int, loops: int, at_least: int) -> bool:
    counted = _simulated(sentences)
    rows = [[tuple(row) for row in counted[:, system].tolist()] for system in (0, 1)]
    kept = True
    for name, plain in (("bootstrap", _plain_bootstrap), ("randomisation", _plain_randomisation)):

        def ours(name: str = name) -> object:
            pair = paired(*(distinct(counted[:, system]) for system in (0, 1)))
            if name == "bootstrap":
                return differences(pair, f1, resamples=RESAMPLES, seed=1)
            return randomisation(pair, f1, resamples=RESAMPLES)

        def loop(plain: Callable[[list[Row], list[Row]], float] = plain) -> None:
            for _ in range(loops):
                plain(*rows)

        mine = statistics.median(_seconds(ours) for _ in range(3))
        theirs = _seconds(loop) * RESAMPLES / loops
        ratio = theirs / mine
        kept &= ratio >= at_least
        print(
            f"| {name} | {sentences:,} | {mine:.3f} | {theirs:.0f} | {ratio:.0f} | {at_least} |",
            flush=True,
        )
    return kept


def _without_documents(folder: Path) -> Path:
    """The same files with no document boundaries."""
    bare = folder / "bare"
    bare.mkdir(exist_ok=True)
    for name in ("gold", "hasty", "careful"):
        text = (folder / f"{name}.conll").read_text()
        (bare / f"{name}.conll").write_text(text.replace("-DOCSTART-\tO\tO\n\n", ""))
    return bare


def _score(rounds: int) -> bool:
    kept = True
    folder = _data(1_000_000)
    for what, place in (("documents", folder), ("sentences only", _without_documents(folder))):
        files = [str(place / f"{name}.conll") for name in ("gold", "hasty", "careful")]
        for task in ("spans", "tags"):
            command = [str(BIN / "finegrain"), "score", *files, "--quiet", "--task", task]
            without = Contestant("without", [*command, "--no-intervals"])
            with_them = Contestant("with", command)
            race([without, with_them], rounds=rounds)
            ratio = with_them.seconds / without.seconds
            most = 1.5 if what == "documents" else 4.0
            kept &= ratio <= most
            print(
                f"| {task}, {what} | {without.seconds:.2f} | {with_them.seconds:.2f} "
                f"| {ratio:.2f} | {most:g} |",
                flush=True,
            )
    return kept


def main() -> None:
    """Print two tables."""
    random.seed(1)
    print("| 10,000 resamples | sentences | finegrain s | loop s | times faster | target |")
    print("|:--|--:|--:|--:|--:|--:|")
    kept = _against_loops(3_000, 200, 40)
    kept &= _against_loops(100_000, 10, 300)
    print("\n| `score`, 1 million tokens | without s | with s | ratio | target |")
    print("|:--|--:|--:|--:|--:|")
    kept &= _score(rounds=5)
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
