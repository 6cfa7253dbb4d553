"""Runs from TREC files: ``python -m benchmarks.ranking``, shorter with ``--quick``.

1,000 queries with 1,000 documents in each of 5 runs (``--quick``: 100 queries), ids of up to 40
bytes, 100 judged documents a query: ``finegrain score`` with seven measures against ir_measures
with pytrec_eval, both from files to numbers. Whole processes, CPU time (user + system) and peak
memory, contestants in turn in one run. Exits with 1 if a target is missed, or a number differs.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.many_labels import _elsewhere
from benchmarks.measuring import Contestant, Targets, race
from benchmarks.run import BIN, DATA

RUNS, DOCUMENTS, JUDGED = 5, 1_000, 100
MEASURES = "nDCG@10,AP,RR,P@10,R@100,Rprec,nDCG"


def generated(queries: int) -> list[str]:
    """Judgements and runs as files; made once."""
    names = ["qrels", *(f"run{number}" for number in range(1, RUNS + 1))]
    files = [DATA / f"ranking{queries}" / name for name in names]
    if not all(file.exists() for file in files):
        _elsewhere(_write, files, queries)
    return [str(file) for file in files]


def _write(files: list[Path], queries: int) -> None:
    files[0].parent.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(1)
    pool = [f"collection-{at % 7}-" + f"{at:08}" + "x" * (at % 21) for at in range(200_000)]
    grades = []
    for _ in range(queries):
        chosen = draw.choice(len(pool), JUDGED, replace=False)
        grades.append(dict(zip(chosen.tolist(), draw.choice(4, JUDGED, p=(0.7, 0.15, 0.1, 0.05)),
                               strict=True)))  # fmt: skip
    files[0].write_text(
        "".join(f"q{q} 0 {pool[d]} {g}\n" for q, own in enumerate(grades) for d, g in own.items())
    )
    for number, file in enumerate(files[1:], 1):
        with file.open("w") as out:
            for query, own in enumerate(grades):
                found = [d for d in own if draw.random() < 0.6]
                others = np.setdiff1d(draw.choice(len(pool), DOCUMENTS, replace=False), list(own))
                rows = np.append(found, others)[:DOCUMENTS].astype(int)
                gain = np.array([own.get(row, 0) for row in rows.tolist()])
                score = np.round(draw.normal(10, 3, len(rows)) + number * gain, 4)
                for rank, at in enumerate(np.argsort(-score).tolist(), 1):
                    out.write(f"q{query} Q0 {pool[rows[at]]} {rank} {score[at]:.4f} run{number}\n")


def main() -> None:
    """Print a table of costs and the promises with what was measured."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    files = generated(100 if quick else 1_000)
    command = [str(BIN / "finegrain"), "score", *files, "--task", "ranking", "--metric", MEASURES,
               "--quiet", "--format", "json"]  # fmt: skip
    ours = Contestant("finegrain score", command)
    plain = Contestant("the same, --no-intervals", [*command, "--no-intervals"])
    peer = Contestant("ir_measures with pytrec_eval", [
        sys.executable, "-m", "benchmarks.contestants.ir_measures_runs", MEASURES, *files,
    ])  # fmt: skip
    race([ours, plain, peer], rounds=1 if quick else 3)
    _require_equal(ours.output, peer.output)
    print("| contestant | CPU s | peak MB |\n|:--|--:|--:|")
    for one in (ours, plain, peer):
        print(f"| {one.name} | {one.seconds:.2f} | {one.megabytes:.0f} |")
    targets = Targets()
    targets.check("times ir_measures", peer.seconds / ours.seconds, at_least=1)
    names = ("numpy", "ir_measures", "pytrec_eval-terrier")
    print(f"\nPython {platform.python_version()}, " + ", ".join(f"{n} {version(n)}" for n in names))
    print("\n" + targets.table())
    sys.exit(targets.missed and not quick)


def _require_equal(ours: str, theirs: str) -> None:
    found = json.loads(ours)["result"]
    for number, line in enumerate(theirs.split("\n")[:-1], 1):
        own = found[f"run{number}"]["overall"]
        mine = " ".join(f"{own[name]:.6f}" for name in MEASURES.split(","))
        if mine != line:
            sys.exit(f"run{number}: {mine} is not {line}")


if __name__ == "__main__":
    main()
