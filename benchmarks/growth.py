"""How time and memory grow with hostile or huge input: ``python -m benchmarks.growth [NAME...]``.

A case keeps its target if time grows no faster than n log n, or if what is larger is refused at
once; no size may take more than ``MOST`` seconds. Exits with 1 if a target is missed.

Every case writes files of growing size and runs one command on them in a process of its own, with
at most ``SECONDS`` of CPU time and ``MEMORY`` of address space. Printed are CPU time (user +
system), peak memory, and the exponent of growth from size to size: time ~ size ** exponent, above
that of the smallest size. To add a case, write a function (folder, size) -> arguments and list it
in ``CASES``.
"""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import ROOT, Targets, usage_of

MOST = 10.0  # CPU s of any size
REFUSED = 1.0  # CPU s until what is too large is refused
GROWTH = 1.5  # from a size to the next, times that of n log n
NOTHING = 0.05  # CPU s: differences below it are chance
SECONDS = 120
MEMORY = 6_000_000_000
Arguments = list[str]


class Case(NamedTuple):
    """What is measured: files of these sizes, and the command on them."""

    name: str
    sizes: tuple[int, ...]
    make: Callable[[Path, int], Arguments]


class Cost(NamedTuple):
    """What one process took, and how it ended."""

    seconds: float
    megabytes: float
    exit_code: int


def _bad_columns(folder: Path, size: int) -> Path:
    """Every second line has a column too few."""
    path = folder / "bad.conll"
    path.write_text("New B-LOC\nYork\n" * (size // 2), encoding="utf-8")
    return path


def _check_bad_lines(folder: Path, size: int) -> Arguments:
    return ["check", str(_bad_columns(folder, size))]


def _score_bad_lines(folder: Path, size: int) -> Arguments:
    path = str(_bad_columns(folder, size))
    return ["score", path, f"system={path}"]


def _check_ill_formed_tags(folder: Path, size: int) -> Arguments:
    path = folder / "ill.conll"
    path.write_text("Ada B-PER\n\n" + "York I-LOC\n\n" * size, encoding="utf-8")
    return ["check", "--scheme", "iob2", str(path)]


def _check_bad_table(folder: Path, size: int) -> Arguments:
    path = folder / "bad.tsv"
    path.write_text("item\ta\tb\n" + "q\t1\t2\n" * size, encoding="utf-8")
    return ["check", "--input", "matrix", str(path)]


def _nested_spans(folder: Path, size: int) -> Arguments:
    """One sentence; every span lies inside of the one before it, in the system one token off."""
    paths = folder / "gold.spans", folder / "system.spans"
    for shift, path in enumerate(paths):
        lines = (f"X\t{1 + at + shift}\t{4 * size - at}\n" for at in range(size))
        path.write_text("".join(lines), encoding="utf-8")
    return ["score", "--no-intervals", *map(str, paths)]


def _spans_over_line_ends(folder: Path, size: int) -> Arguments:
    """One text of many lines; every span goes from its line to the end of the text."""
    text = "a b\n" * size
    spans = [{"start": 4 * at, "end": 4 * size - 1, "label": "X"} for at in range(size)]
    path = folder / "gold.jsonl"
    path.write_text(json.dumps({"text": text, "spans": spans}) + "\n", encoding="utf-8")
    return ["check", str(path)]


def _spans_across_two_lines(folder: Path, size: int) -> Arguments:
    """One text of many lines; every span goes from its line to the next."""
    text = "a b\n" * size
    spans = [{"start": 4 * at + 2, "end": 4 * at + 5, "label": "X"} for at in range(size - 1)]
    path = folder / "gold.jsonl"
    path.write_text(json.dumps({"text": text, "spans": spans}) + "\n", encoding="utf-8")
    return ["check", str(path)]


def _wide_table(folder: Path, size: int) -> Arguments:
    """Three units and many systems."""
    draw = random.Random(1)
    path = folder / "wide.tsv"
    rows = ("\t".join(draw.choices("01", k=size)) + "\n" for _ in range(3))
    path.write_text("".join(rows), encoding="utf-8")
    return ["check", "--input", "matrix", str(path)]


def _score_wide_table(folder: Path, size: int) -> Arguments:
    """Forty units and many systems, with an interval for each."""
    draw = random.Random(1)
    path = folder / "wide.tsv"
    rows = ("\t".join(draw.choices("01", k=size)) + "\n" for _ in range(40))
    path.write_text("".join(rows), encoding="utf-8")
    return ["score", "--input", "matrix", "--format", "json", str(path)]


CASES = (
    Case("check: bad lines", (64_000, 256_000, 1_024_000), _check_bad_lines),
    Case("score: bad lines", (64_000, 256_000, 1_024_000), _score_bad_lines),
    Case("check: ill-formed tags", (64_000, 256_000), _check_ill_formed_tags),
    Case("check: bad cells of a 0/1 table", (64_000, 256_000, 1_024_000), _check_bad_table),
    Case("score: nested spans in a sentence", (1_000, 2_000, 4_000, 8_000, 16_000), _nested_spans),
    Case("check: JSONL spans over all line ends", (1_000, 4_000, 16_000), _spans_over_line_ends),
    Case("check: JSONL spans over one line end", (4_000, 16_000, 64_000), _spans_across_two_lines),
    Case("check: 0/1 table, systems in a line", (16_000, 64_000, 256_000), _wide_table),
    Case("score: 0/1 table, intervals of systems", (1_000, 2_000, 4_000), _score_wide_table),
)  # fmt: skip


def _cost(arguments: Arguments) -> Cost:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "finegrain", *arguments]
    nowhere = subprocess.DEVNULL
    usage = usage_of(command, environment, errors=nowhere, seconds=SECONDS, memory=MEMORY)
    return Cost(usage.seconds, usage.memory / 1e6, usage.exit_code)


def exponent(sizes: tuple[int, int], seconds: tuple[float, float]) -> float:
    """The power of the size with which time grows."""
    return math.log(seconds[1] / seconds[0]) / math.log(sizes[1] / sizes[0])


def check(targets: Targets, case: Case, costs: list[Cost], start: float) -> None:
    """Note whether a case keeps to n log n, or to a limit that is told at once."""
    targets.check(f"{case.name}: most CPU s", max(one.seconds for one in costs), at_most=MOST)
    bad = [one.exit_code for one in costs if one.exit_code not in (0, 3)]
    size, last = case.sizes[len(costs) - 1], costs[-1]
    if bad:
        targets.check(f"{case.name}: exit code {bad[0]}", len(bad), at_most=0)
    elif last.exit_code:
        what = f"{case.name}, {size:,}: CPU s until it is refused"
        targets.check(what, last.seconds, at_most=REFUSED)
    else:
        before = case.sizes[len(costs) - 2]
        own = [max(one.seconds - start, NOTHING) for one in costs[-2:]]
        expected = size * math.log(size) / (before * math.log(before))
        what = f"{case.name}, {size:,}: growth against n log n"
        targets.check(what, own[1] / own[0] / expected, at_most=GROWTH)


def _print(case: Case, size: int, costs: list[Cost], start: float) -> None:
    cost, grown = costs[-1], ""
    if len(costs) > 1 and costs[-2].exit_code == cost.exit_code:
        own = tuple(max(one.seconds - start, 1e-3) for one in costs[-2:])
        before = case.sizes[len(costs) - 2]
        grown = f"{exponent((before, size), (own[0], own[1])):.1f}"
    ended = {0: "", 3: "refused", -9: "too slow", -24: "too slow"}.get(
        cost.exit_code, f"exit code {cost.exit_code}"
    )
    print(
        f"| {case.name} | {size:,} | {cost.seconds:.2f} | {grown} | {cost.megabytes:.0f} "
        f"| {ended} |",
        flush=True,
    )


def measure(targets: Targets, *, quick: bool, names: Sequence[str] = ()) -> None:
    """Print one table of all cases, or of those that are named, and note the targets."""
    with tempfile.TemporaryDirectory() as folder:
        start = min(_cost(_check_bad_lines(Path(folder), 2)).seconds for _ in range(3))
    print(f"Start-up takes {start:.2f} s, which the exponents leave out.\n")
    print("| case | size | CPU s | exponent | peak MB | |")
    print("|:--|--:|--:|--:|--:|:--|")
    for case in CASES:
        if names and not any(name in case.name for name in names):
            continue
        costs: list[Cost] = []
        for size in case.sizes[: 2 if quick else None]:
            with tempfile.TemporaryDirectory() as folder:
                costs.append(_cost(case.make(Path(folder), size)))
            _print(case, size, costs, start)
        if len(costs) == len(case.sizes):  # the sizes of --quick do not tell what is refused
            check(targets, case, costs, start)


def main() -> int:
    """Print the measurements and the targets; 1 if one is missed."""
    targets = Targets()
    measure(targets, quick=False, names=sys.argv[1:])
    print("\n" + targets.table())
    return int(targets.missed)


if __name__ == "__main__":
    sys.exit(main())
