"""Trees from files: finegrain beside loops over words: ``python -m benchmarks.dependencies``.

Gold and two parsers, simulated: UAS, LAS, and which relations become which from one parser to the
other. Whole processes, CPU time, in turn; all must find the same numbers. ``plain`` is a script as
it is written (sentences of words, then a loop), and what the targets are about; ``streaming`` is
tuned: it keeps nothing. Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from benchmarks.measuring import ROOT, Contestant, Targets, race

DATA = ROOT / "build" / "benchmarks"
FASTER = {200_000: 1.5, 2_000_000: 2.5}  # words -> times faster than plain


def data(words: int) -> list[str]:
    """Simulated files of this size; made once."""
    folder = DATA / f"trees-{words}"
    names = ("gold", "hasty", "careful")
    if not (folder / "careful.conllu").exists():
        command = [
            str(Path(sys.executable).parent / "finegrain"), "simulate", str(folder),
            "--task", "dependencies", "--tokens", str(words),
            "--system", "hasty=long-arcs,prepositions", "--system", "careful=",
        ]  # fmt: skip
        race([Contestant("simulate", command)], rounds=1)
    return [str(folder / f"{name}.conllu") for name in names]


def measure(targets: Targets, *, quick: bool) -> None:
    """Print the measurements and note the targets; the larger files only at length."""
    print("| words | program | CPU s | x finegrain | peak MB |", "|--:|:--|--:|--:|--:|", sep="\n")
    for words, target in list(FASTER.items())[: 1 if quick else None]:
        files = data(words)
        found = [
            Contestant(name, [sys.executable, "-m", f"benchmarks.contestants.{name}_trees", *files])
            for name in ("finegrain", "plain", "streaming")
        ]
        race(found, rounds=1 if quick else 3)
        ours, plain, _ = found
        for one in found:
            if json.loads(one.output) != json.loads(ours.output):
                sys.exit(f"{words:,} words: {one.name} finds other numbers: {one.output}")
            ratio = one.seconds / ours.seconds
            row = f"| {words:,} | {one.name} | {one.seconds:.2f} | {ratio:.1f} "
            print(f"{row}| {one.megabytes:.0f} |")
        ratio = plain.seconds / ours.seconds
        targets.check(
            f"{words:,} words of CoNLL-U: times faster than plain", ratio, at_least=target
        )


def main() -> int:
    """Print the measurements and the targets; 1 if one is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round, and no large inputs")
    targets = Targets()
    measure(targets, quick=parser.parse_args().quick)
    print("\n" + targets.table())
    return int(targets.missed)


if __name__ == "__main__":
    sys.exit(main())
