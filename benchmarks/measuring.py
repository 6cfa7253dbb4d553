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
