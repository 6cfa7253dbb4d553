"""Measure bins of a large 0/1 table against pandas: ``python -m benchmarks.bins``.

Ten million units and twenty systems in a tab-separated file of 400 MB. Whole processes, CPU time
(user + system, medians) and peak memory, contestants in turn in one run. Every contestant must find
the same bins; finegrain also checks every cell and counts what each system solves of each bin.
Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from benchmarks.measuring import ROOT, Contestant, Targets, race
from benchmarks.run import BIN

SYSTEMS = 20
TIMES_FASTER, SHARE_OF_MEMORY = 8, 1 / 8


def table_file(units: int) -> Path:
    """A table of units of different difficulty and systems of different skill; made once."""
    path = ROOT / "build" / "benchmarks" / f"bins-{units}.tsv"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    skill = np.linspace(0, 3, SYSTEMS)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        for begin in range(0, units, 100_000):
            size = min(100_000, units - begin)
            ease = random.normal(0, 1, (size, 1))
            solved = random.random((size, SYSTEMS)) < 1 / (1 + np.exp(-skill - ease))
            lines = np.full((size, 2 * SYSTEMS), ord("\t"), np.uint8)
            lines[:, ::2] = solved + ord("0")
            lines[:, -1] = ord("\n")
            file.write(lines.tobytes())
    unfinished.rename(path)
    return path


def contestants(path: Path) -> dict[str, Contestant]:
    """Programs that print the sizes of the bins."""
    command = [str(BIN / "finegrain"), "difficulty", str(path), "--format", "json", "--quiet"]
    command.append("--no-intervals")  # which the others do not compute
    found = {"command": Contestant("finegrain difficulty", command)}
    for name in ("finegrain_bins", "pandas_bins"):
        script = [sys.executable, "-m", f"benchmarks.contestants.{name}", str(path)]
        found[name] = Contestant(name.replace("_", " "), script)
    return found


def _sizes(contestant: Contestant) -> list[int]:
    found = json.loads(contestant.output)
    sizes: list[int] = found["result"]["sizes"] if isinstance(found, dict) else found
    return sizes


def main() -> None:
    """Run the contestants, check that they agree, print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    found = contestants(table_file(options.units))
    race(list(found.values()), rounds=options.rounds)
    if len({str(_sizes(one)) for one in found.values()}) > 1:
        sys.exit("the contestants find different bins")
    own, peer, targets = found["finegrain_bins"], found["pandas_bins"], Targets()
    for one in (found["command"], own):
        faster, memory = peer.seconds / one.seconds, one.megabytes / peer.megabytes
        targets.check(f"{one.name}: times faster than pandas", faster, at_least=TIMES_FASTER)
        targets.check(f"{one.name}: memory against pandas", memory, at_most=SHARE_OF_MEMORY)
    print(f"{options.units:,} units, {SYSTEMS} systems, {options.rounds} rounds\n")
    print("| program | CPU s | x finegrain | peak MB |\n|:--|--:|--:|--:|")
    for one in found.values():
        ratio = one.seconds / own.seconds
        print(f"| {one.name} | {one.seconds:.2f} | {ratio:.1f} | {one.megabytes:.0f} |")
    print("\n" + targets.table())
    sys.exit(1 if targets.missed else 0)


if __name__ == "__main__":
    main()
