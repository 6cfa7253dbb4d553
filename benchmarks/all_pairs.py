"""All 66 differences of 12 systems against aligning them: ``python -m benchmarks.all_pairs``.

CPU time in one process, for 1 million tokens: parts of speech (task ``tags``) and entities (task
``spans``). The files are read before; aligning is ``fg.align`` on what was read, comparing is
``fg.differences``, with every label pair, label, sentence and the score of every system.
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import finegrain as fg
from benchmarks.measuring import ROOT

TOKENS = 1_000_000
SYSTEMS = 12
WEAKNESSES = ("", "long-entities", "spurious", "rare-words", "too-short", "long-sentences")
LAYERS = {"tags": 2, "spans": 3}  # the column of each task


class Cost(NamedTuple):
    """CPU seconds of aligning all systems and of comparing all pairs of them."""

    task: str
    align: float
    pairs: float

    @property
    def ratio(self) -> float:
        return self.pairs / self.align


def _files(folder: Path) -> tuple[Path, list[Path]]:
    """Simulated gold and systems; made once."""
    names = [f"s{number:02}" for number in range(1, SYSTEMS + 1)]
    if not (folder / f"{names[-1]}.conll").exists():
        command = [str(Path(sys.executable).parent / "finegrain"), "simulate", str(folder)]
        for place, name in enumerate(names):
            command += ["--system", f"{name}={WEAKNESSES[place % len(WEAKNESSES)]}"]
        subprocess.run([*command, "--tokens", str(TOKENS)], check=True, capture_output=True)
    return folder / "gold.conll", [folder / f"{name}.conll" for name in names]


def measure(task: str, rounds: int = 3) -> Cost:
    """Medians of some rounds, aligning and comparing in turn."""
    gold_file, files = _files(ROOT / "build" / "benchmarks" / "pairs")
    columns = {"token": 1, "tags": LAYERS[task]}
    gold, *outputs = (fg.read(str(path), columns=columns) for path in (gold_file, *files))
    systems = {path.stem: corpus for path, corpus in zip(files, outputs, strict=True)}
    aligning, comparing = [], []
    for _ in range(rounds):
        gc.collect()
        begin = time.process_time()
        table = fg.align(gold, systems, task=task)
        middle = time.process_time()
        found = fg.differences(table)
        comparing.append(time.process_time() - middle)
        aligning.append(middle - begin)
        if len(found.pairs) != SYSTEMS * (SYSTEMS - 1) // 2:
            sys.exit(f"{len(found.pairs)} pairs of {SYSTEMS} systems")
    return Cost(task, statistics.median(aligning), statistics.median(comparing))


def main() -> None:
    """Print one row per task."""
    print("| task | align 12 systems, CPU s | all 66 pairs, CPU s | ratio |")
    print("|:--|--:|--:|--:|")
    for task in LAYERS:
        cost = measure(task)
        print(f"| {task} | {cost.align:.2f} | {cost.pairs:.2f} | {cost.ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
