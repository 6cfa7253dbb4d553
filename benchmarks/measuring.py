"""CPU time and peak memory of whole processes."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIRST = "fd600df"  # the commit of the first version that was reviewed for speed


@dataclass(slots=True)
class Contestant:
    """A command and what it cost, run by run."""

    name: str
    command: list[str]
    cpu: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    output: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        return statistics.median(self.cpu)

    @property
    def megabytes(self) -> float:
        return statistics.median(self.memory) / 1e6


class Targets:
    """Promises with their measured values."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.missed = False

    def check(
        self,
        what: str,
        value: float,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
    ) -> None:
        """Note one promise: a value that must not be below or above a bound."""
        kept = value >= at_least if at_least is not None else value <= (at_most or 0)
        bound = f">= {at_least:g}" if at_least is not None else f"<= {at_most:g}"
        self.missed |= not kept
        self.lines.append(f"| {what} | {bound} | {value:.2f} | {'yes' if kept else 'NO'} |")

    def table(self) -> str:
        """All promises in Markdown."""
        return "\n".join(("| what | target | measured | kept |", "|:--|--:|--:|:--|", *self.lines))


def earlier(commit: str) -> dict[str, str] | None:
    """The environment in which Python imports finegrain as it was; None without that commit."""
    folder = ROOT / "build" / "benchmarks" / commit
    if not (folder / "src").exists():
        archive = ["git", "archive", commit, "src"]
        packed = subprocess.run(archive, cwd=ROOT, capture_output=True, check=False)
        if packed.returncode:
            print(f"no {commit} in this clone: comparisons with it are left out", file=sys.stderr)
            return None
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "-x", "-C", str(folder)], input=packed.stdout, check=True)
    return {"PYTHONPATH": str(folder / "src")}


def run_once(contestant: Contestant, *, record: bool = True) -> None:
    """Run a command; note user + system time and peak resident memory of the process."""
    # as an installed program runs: with byte code cached
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(ROOT / "src")))  # this checkout
    environment |= contestant.environment
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(contestant.command, stdout=out, env=environment, cwd=ROOT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{contestant.name} failed with exit code {process.returncode}")
        out.seek(0)
        contestant.output = out.read().decode()
    if record:
        contestant.cpu.append(usage.ru_utime + usage.ru_stime)
        contestant.memory.append(usage.ru_maxrss * 1024)


def race(contestants: list[Contestant], *, rounds: int) -> None:
    """Run all contestants in turn, ``rounds`` times, after one run that is not counted."""
    for contestant in contestants:
        if rounds > 1:
            run_once(contestant, record=False)
    for _ in range(rounds):
        for contestant in contestants:
            run_once(contestant)
