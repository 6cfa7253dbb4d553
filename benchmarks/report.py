"""Reports against the scores of the same files: ``python -m benchmarks.report``.

Whole processes from files, CPU time (user + system) and peak memory, all with intervals:
``finegrain report -o page.html`` against ``finegrain score`` of 12 systems x 130,000 simulated
tokens, and of 20 systems x 200 labels; a page of a tiny corpus against scores of it, and what the
first page of an installation costs; a report from Python with all threads of numpy's linear algebra
against one; and the explorer, until it serves its page. Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import IO, cast

from benchmarks.measuring import Contestant, Targets, race, run_once
from benchmarks.run import BIN, DATA

WEAK = ("long-entities", "rare-words", "long-sentences", "too-short", "too-long", "spurious")
# times the cost of score, MB more than score, MB of the page
TIMES, MEMORY, PAGE = 5, 400, 6
MANY_LABELS = 10  # times the cost of score
TWENTY = 9  # CPU s
TINY = 4  # times the cost of score
START = 0.6  # CPU s of a tiny report, and of the explorer until it serves
THREADS = 1.15  # times the cost with one thread
LIBRARY = """
import sys
import finegrain as fg
gold, *systems = sys.argv[1:]
fg.report(fg.align(fg.read(gold), {path: fg.read(path) for path in systems}))
"""


def _data(folder: Path, systems: int, tokens: int) -> list[str]:
    """Gold and systems with weaknesses, made when they are not there yet."""
    names = [f"s{place:02}" for place in range(systems)]
    files = [folder / f"{name}.conll" for name in ("gold", *names)]
    if not all(one.exists() for one in files):
        options = [
            option
            for place, name in enumerate(names)
            for option in ("--system", f"{name}={WEAK[place % len(WEAK)] if place else ''}")
        ]
        command = [str(BIN / "finegrain"), "simulate", str(folder), "--tokens", str(tokens)]
        subprocess.run([*command, *options], check=True, capture_output=True)
    return [str(one) for one in files]


def _with_many_labels(files: list[str], folder: Path) -> list[str]:
    """The same files with about fifty labels in place of each, by the first word of a span."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        kind, lines = "", []
        for line in Path(file).read_text().splitlines():
            *columns, tag = line.split("\t")
            if tag.startswith("B-"):
                kind = f"{zlib.crc32(columns[0].encode()) % 50:02}"
            spans = columns and tag[:2] in ("B-", "I-")
            lines.append("\t".join([*columns, tag + kind]) if spans else line)
        (folder / Path(file).name).write_text("\n".join(lines) + "\n")
    return [str(folder / Path(file).name) for file in files]


class Pair:
    """Scores of some files, and a report of them."""

    def __init__(self, files: list[str]) -> None:
        program = str(BIN / "finegrain")
        self.page = Path(files[0]).parent / "page.html"
        score = [program, "score", *files, "--format", "json", "--quiet"]
        self.score = Contestant("finegrain score", score)
        report = [program, "report", *files, "-o", str(self.page), "--quiet"]
        self.report = Contestant("finegrain report", report)

    @property
    def ratio(self) -> float:
        return self.report.seconds / self.score.seconds

    def race(self, title: str, rounds: int) -> None:
        """Run both, and print what they cost."""
        race([self.score, self.report], rounds=rounds)
        _print(title, [self.score, self.report])


def _print(title: str, contestants: list[Contestant]) -> None:
    print(f"| {title} | CPU s | peak MB |\n|:--|--:|--:|")
    for one in contestants:
        print(f"| {one.name} | {one.seconds:.2f} | {one.megabytes:.0f} |")
    print()


def _twelve(targets: Targets, rounds: int) -> None:
    pair = Pair(_data(DATA / "report", 12, 130_000))
    pair.race("130,000 tokens, 12 systems", rounds)
    targets.check("12 systems: report, times the cost of score", pair.ratio, at_most=TIMES)
    more = pair.report.megabytes - pair.score.megabytes
    targets.check("12 systems: report, MB more than score", more, at_most=MEMORY)
    size = pair.page.stat().st_size / 1e6
    targets.check("12 systems: MB of the page", size, at_most=PAGE)


def _many_labels(targets: Targets, rounds: int) -> None:
    files = _data(DATA / "report20", 20, 50_000)
    pair = Pair(_with_many_labels(files, DATA / "report20x200"))
    pair.race("50,000 tokens, 20 systems, 200 labels", rounds)
    targets.check("200 labels: report, times the cost of score", pair.ratio, at_most=MANY_LABELS)
    targets.check("20 systems x 200 labels: report, CPU s", pair.report.seconds, at_most=TWENTY)


def _tiny(targets: Targets, rounds: int) -> None:
    """A small page, and the first one of an installation, which puts scripts together."""
    pair = Pair(_data(DATA / "report2", 2, 2_000))
    pair.race("2,000 tokens, 2 systems", rounds)
    first = Contestant("the first report", pair.report.command)
    with tempfile.TemporaryDirectory() as nothing:
        first.environment["XDG_CACHE_HOME"] = nothing
        run_once(first)
    _print("2,000 tokens, 2 systems", [first])
    targets.check("tiny: report, times the cost of score", pair.ratio, at_most=TINY)
    targets.check("tiny: report, CPU s", pair.report.seconds, at_most=START)


def _explorer(targets: Targets, rounds: int) -> None:
    files = _data(DATA / "report2", 2, 2_000)
    seconds = min(_until_it_serves(files) for _ in range(rounds))
    print(f"explorer of 2,000 tokens, 2 systems: serves after {seconds:.2f} CPU s\n")
    targets.check("tiny: explore until it serves, CPU s", seconds, at_most=START)


def _until_it_serves(files: list[str]) -> float:
    """CPU time of ``finegrain explore`` until it tells its address, and ends."""
    command = [str(BIN / "finegrain"), "explore", *files, "--quiet"]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    with cast("IO[str]", process.stdout) as told:
        address = told.readline()
        process.terminate()  # a job in the background of a shell does not heed SIGINT
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if not address.startswith("http"):
        sys.exit(f"finegrain explore failed with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def _threads(targets: Targets, rounds: int) -> None:
    command = [sys.executable, "-c", LIBRARY, *_data(DATA / "report", 12, 130_000)]
    threads = Contestant("fg.report, all threads", command)
    alone = Contestant("fg.report, one thread", command)
    alone.environment["OPENBLAS_NUM_THREADS"] = "1"
    race([threads, alone], rounds=rounds)
    _print("130,000 tokens, 12 systems", [threads, alone])
    ratio = threads.seconds / alone.seconds
    targets.check("Python: all threads, times the cost of one", ratio, at_most=THREADS)


def measure(targets: Targets, *, quick: bool) -> None:
    """Print the measurements and note the targets."""
    for part in (_tiny, _explorer, _twelve, _many_labels, _threads):
        part(targets, 1 if quick else 3)


def main() -> None:
    """Print the measurements and the targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round instead of three")
    targets = Targets()
    measure(targets, quick=parser.parse_args().quick)
    print(targets.table())
    sys.exit(1 if targets.missed else 0)


if __name__ == "__main__":
    main()
