"""Items from CSV files: ``python -m benchmarks.classification``, shorter with ``--quick``.

1,000,000 items with 20 labels and 5 systems (``--quick``: 100,000): ``finegrain score`` with 1,000
resamples for every interval against ``pandas.read_csv`` and scikit-learn's
``classification_report`` for each system, which has none. Whole processes, CPU time (user + system)
and peak memory, contestants in turn in one run. Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import platform
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.many_labels import _elsewhere
from benchmarks.measuring import Contestant, Targets, race
from benchmarks.run import BIN, DATA

SYSTEMS, LABELS = 5, 20


def generated(items: int) -> list[str]:
    """Gold and systems as files; made once."""
    names = ["gold", *(f"s{number}" for number in range(1, SYSTEMS + 1))]
    files = [DATA / f"items{items}" / f"{name}.csv" for name in names]
    if not all(file.exists() for file in files):
        _elsewhere(_write, files, items)
    return [str(file) for file in files]


def _write(files: list[Path], items: int) -> None:
    files[0].parent.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(1)
    names = np.array([f"class{code:02}" for code in range(LABELS)])
    gold = draw.integers(0, LABELS, items)
    for number, file in enumerate(files):
        right = draw.random(items) < 0.7 + 0.04 * number
        label = np.where(right | (number == 0), gold, draw.integers(0, LABELS, items))
        rows = (f"item{item:07},{name}" for item, name in enumerate(names[label].tolist()))
        file.write_text("id,label\n" + "\n".join(rows) + "\n")


def main() -> None:
    """Print a table of costs and the promises with what was measured."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    files = generated(100_000 if quick else 1_000_000)
    peer = [sys.executable, "-m", "benchmarks.contestants.sklearn_report"]
    ours = Contestant("finegrain score", [str(BIN / "finegrain"), "score", *files, "--quiet"])
    plain = Contestant("the same, --no-intervals", [*ours.command, "--no-intervals"])
    arrays = Contestant("pandas + scikit-learn, object arrays", [*peer, "object", *files])
    strings = Contestant("pandas + scikit-learn, str columns", [*peer, "str", *files])
    race([ours, plain, arrays], rounds=1 if quick else 3)
    race([strings], rounds=1)
    print("| contestant | CPU s | peak MB |\n|:--|--:|--:|")
    for one in (ours, plain, arrays, strings):
        print(f"| {one.name} | {one.seconds:.2f} | {one.megabytes:.0f} |")
    targets = Targets()
    targets.check("times pandas + scikit-learn", arrays.seconds / ours.seconds, at_least=5)
    versions = (f"{name} {version(name)}" for name in ("numpy", "pandas", "scikit-learn"))
    print(f"\nPython {platform.python_version()}, {', '.join(versions)}\n")
    print(targets.table())
    sys.exit(targets.missed and not quick)


if __name__ == "__main__":
    main()
