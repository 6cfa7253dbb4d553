"""A report of twelve systems against the scores of the same: ``python -m benchmarks.report``.

Whole processes from files, 12 systems x 130,000 simulated tokens, CPU time (user + system) and peak
memory: ``finegrain report -o page.html`` against ``finegrain score``, both with intervals. Exits
with 1 if a target is missed: 12 times the time, 400 MB more memory, a page of 6 MB.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from benchmarks.measuring import Contestant, race
from benchmarks.run import BIN, DATA, Targets

TOKENS = 130_000
WEAK = ("long-entities", "rare-words", "long-sentences", "too-short", "too-long", "spurious")
TIMES, MEMORY, PAGE = 12, 400, 6  # of score; MB more than score; MB


def _data() -> list[str]:
    """Gold and twelve systems with weaknesses, made when they are not there yet."""
    folder = DATA / "report"
    names = [f"s{place:02}" for place in range(12)]
    files = [folder / f"{name}.conll" for name in ("gold", *names)]
    if not all(one.exists() for one in files):
        systems = [
            option
            for place, name in enumerate(names)
            for option in ("--system", f"{name}={WEAK[place % len(WEAK)] if place else ''}")
        ]
        command = [str(BIN / "finegrain"), "simulate", str(folder), "--tokens", str(TOKENS)]
        subprocess.run([*command, *systems], check=True, capture_output=True)
    return [str(one) for one in files]


def main() -> None:
    """Print the measurements and the targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round instead of three")
    quick = parser.parse_args().quick
    files = _data()
    page = DATA / "report" / "page.html"
    program = str(BIN / "finegrain")
    score = Contestant("finegrain score", [program, "score", *files, "--format", "json", "--quiet"])
    report = Contestant("finegrain report", [program, "report", *files, "-o", str(page), "--quiet"])
    race([score, report], rounds=1 if quick else 3)
    print(f"| {TOKENS:,} tokens, 12 systems | CPU s | peak MB |\n|:--|--:|--:|")
    for one in (score, report):
        print(f"| {one.name} | {one.seconds:.2f} | {one.megabytes:.0f} |")
    targets = Targets()
    targets.check("report: times the cost of score", report.seconds / score.seconds, at_most=TIMES)
    more = report.megabytes - score.megabytes
    targets.check("report: MB more than score", more, at_most=MEMORY)
    size = Path(page).stat().st_size / 1e6
    targets.check("report: MB of the page", size, at_most=PAGE)
    print("\n| what | target | measured | kept |\n|:--|--:|--:|:--|")
    print(*targets.lines, sep="\n")
    sys.exit(1 if targets.missed else 0)


if __name__ == "__main__":
    main()
