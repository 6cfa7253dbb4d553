"""All targets for hostile, huge and tiny input in one run: ``python -m benchmarks.targets``.

Many labels, systems and tokens, reports and the explorer, coreference and trees from files,
start-up, and how time grows with input that is made to be slow. CPU time (user + system) and peak
memory of whole processes, so that a busy machine changes little. ``--quick`` leaves out repetitions
and what is large; ``--write`` puts the table into docs/benchmarks.md. Exits with 1 if a target is
missed.
"""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path

import numpy as np

from benchmarks import coreference, dependencies, growth, many_labels, report, run
from benchmarks.measuring import ROOT, Targets

PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- targets -->", "<!-- end of targets -->"
MEASURES = (many_labels.measure, report.measure, coreference.measure, dependencies.measure,
            growth.measure)  # fmt: skip


def measured(*, quick: bool) -> Targets:
    """Every target with what was measured; the tables behind it are printed on the way."""
    targets, starting = Targets(), list[str]()
    run.starting(targets, starting)
    print("\n".join(starting))
    for measure in MEASURES:
        measure(targets, quick=quick)
        print(flush=True)
    return targets


def write(text: str, page: Path = PAGE) -> None:
    """Put the table between its marks."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", "utf-8")


def main() -> int:
    """Print the measurements and one table of all targets; 1 if one is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round, and no large inputs")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    options = parser.parse_args()
    targets = measured(quick=options.quick)
    command = f"python -m benchmarks.targets{' --quick' if options.quick else ''}"
    how = (
        f"One run of `{command}` with Python {platform.python_version()}, "
        f"numpy {np.__version__} on {platform.machine()}:"
    )
    text = f"{how}\n\n{targets.table()}"
    print(text)
    if options.write:
        write(text)
    return int(targets.missed)


if __name__ == "__main__":
    sys.exit(main())
