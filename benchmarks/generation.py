"""Generated text from lines: ``python -m benchmarks.generation``, shorter with ``--quick``.

10,000 segments and 3 systems (``--quick``: 2,000): scores with intervals and all pairs tested by
each of them, 1,000 resamples each, against sacrebleu, which computes the scores alone. Once with
BLEU and chrF, once with TER, too: nine tenths of the cost, which sacrebleu counts for both. Whole
processes, CPU time (user + system).

Then intervals alone, of BLEU and of chrF from statistics that are counted, at 100,000 segments;
those of sacrebleu from a tenth of the resamples, times ten, as all of them take 7 GB.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.many_labels import _elsewhere
from benchmarks.measuring import Contestant, Targets, race, run_once
from benchmarks.run import DATA

SYSTEMS, RESAMPLES, SAMPLES = 3, 1000, 100_000


def generated(segments: int) -> list[str]:
    """References and outputs as files; made once."""
    names = ["ref", *(f"s{number}" for number in range(1, SYSTEMS + 1))]
    files = [DATA / f"segments{segments}" / f"{name}.txt" for name in names]
    if not all(file.exists() for file in files):
        _elsewhere(_write, files, segments)
    return [str(file) for file in files]


def _write(files: list[Path], segments: int) -> None:
    """Sentences of Zipfian words; systems replace, drop and move some of them."""
    files[0].parent.mkdir(parents=True, exist_ok=True)
    draw = random.Random(1)
    letters = "etaoinshrdlucmfwyp"
    words = ["".join(draw.choice(letters) for _ in range(draw.randint(1, 9))) for _ in range(8000)]
    ranks = np.random.default_rng(1).zipf(1.3, size=segments * 40) % len(words)
    texts, at = [], 0
    for _ in range(segments):
        size = draw.randint(6, 34)
        texts.append([words[rank] for rank in ranks[at : at + size].tolist()])
        at += size
    for number, file in enumerate(files):
        share = 0.12 * number
        file.write_text("".join(f"{_said(text, draw, share, words)}\n" for text in texts))


def _said(text: list[str], draw: random.Random, share: float, words: list[str]) -> str:
    said = [draw.choice(words[:500]) if draw.random() < share else word for word in text]
    if share and draw.random() < 0.5:
        begin = draw.randrange(len(said))
        said = said[begin:] + said[:begin]
    return " ".join(said).capitalize() + "."


def statistics(segments: int, metric: str) -> NDArray[np.float64]:
    """``[segment, system, k]`` numbers as BLEU or chrF counts them."""
    draw = np.random.default_rng(2)
    length = draw.integers(6, 34, (segments, 1))
    if metric == "bleu":
        every = np.stack([length - n for n in range(4)], axis=-1)
        shared = draw.binomial(every, [0.6, 0.3, 0.2, 0.1])
        return np.concatenate([length[..., None], length[..., None], shared, every], -1) * 1.0
    every = np.stack([5 * length - n for n in range(6)], axis=-1)
    shared = draw.binomial(every, [0.8, 0.6, 0.5, 0.4, 0.3, 0.25])
    return np.stack([every, every, shared], axis=-1).reshape(segments, 1, 18) * 1.0


def _intervals(segments: int) -> float:
    """CPU seconds for the intervals of one system by BLEU and chrF."""
    from finegrain.metrics.generation import bleu, chrf
    from finegrain.resampling.intervals import interval_of

    given: list[Any] = []
    for score, name in ((bleu, "bleu"), (chrf, "chrf")):
        counts = statistics(segments, name)[:, 0]
        given.append((score, np.concatenate([counts, np.ones((segments, 1))], axis=1)))
    begin = time.process_time()
    for score, counts in given:
        interval_of(counts, score, resamples=RESAMPLES)
    return time.process_time() - begin


def _race(files: list[str], metrics: str, rounds: int) -> tuple[float, float]:
    """CPU seconds of scores with intervals and all paired tests, and of sacrebleu."""
    module = [sys.executable, "-m", "benchmarks.contestants.finegrain_generation"]
    ours = Contestant("finegrain", [*module, metrics, str(RESAMPLES), *files])
    module = [sys.executable, "-m", "benchmarks.contestants.sacrebleu_scores"]
    theirs = Contestant("sacrebleu", [*module, metrics, *files])
    race([ours, theirs], rounds=rounds)
    _require_equal(ours.output, theirs.output)
    return ours.seconds, theirs.seconds


def _require_equal(ours: str, theirs: str) -> None:
    """Refuse scores that are not those of sacrebleu."""
    for mine, other in zip(ours.splitlines(), theirs.splitlines(), strict=False):
        if not np.allclose([*map(float, mine.split()[1:])], [*map(float, other.split()[1:])]):
            sys.exit(f"{mine} is not {other}")


def main() -> None:
    """Print a table of costs and the promises with what was measured."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--segments", type=int, default=0)
    given = options.parse_args()
    segments = given.segments or (2000 if given.quick else 10_000)
    files = generated(segments)
    targets = Targets()
    print("| metrics | scores, intervals and tests | sacrebleu, scores alone |\n|:--|--:|--:|")
    for metrics in ("bleu,chrf", "bleu,chrf,ter"):
        ours, theirs = _race(files, metrics, 1 if given.quick or "ter" in metrics else 3)
        print(f"| {metrics} | {ours:.2f} s | {theirs:.2f} s |", flush=True)
        targets.check(f"of sacrebleu, {metrics}", ours / theirs, at_most=1.2)
    module = [sys.executable, "-m", "benchmarks.contestants.sacrebleu_resampling"]
    peer = Contestant("intervals", [*module, str(SAMPLES), str(RESAMPLES // 10)])
    run_once(peer)
    mine, theirs = _intervals(SAMPLES), 10 * float(peer.output)
    print(f"\nIntervals alone at {SAMPLES:,} segments: {mine:.2f} s, sacrebleu {theirs:.1f} s")
    targets.check("intervals alone, times sacrebleu", theirs / mine, at_least=20)
    print(f"\nPython {platform.python_version()}, sacrebleu {version('sacrebleu')}\n")
    print(targets.table())
    sys.exit(targets.missed and not given.quick)


if __name__ == "__main__":
    main()
