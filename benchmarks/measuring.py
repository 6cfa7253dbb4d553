"""CPU time and peak memory of whole processes."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

ROOT = Path(__file__).parents[1]
FIRST = "fd600df"  # the commit of the first version that was reviewed for speed


# A new process counts the memory of the one that starts it as its own peak: a small one starts it.
_STARTER = """
import json, os, resource, sys
pipe, seconds, memory, *command = sys.argv[1:]
for limit, most in ((resource.RLIMIT_CPU, int(seconds)), (resource.RLIMIT_AS, int(memory))):
    if most:
        resource.setrlimit(limit, (most, most))
started = os.posix_spawnp(command[0], command, os.environ)
_, status, usage = os.wait4(started, 0)
told = [os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024]
os.write(int(pipe), json.dumps(told).encode())
"""


class Usage(NamedTuple):
    """What a process took, and how it ended."""

    exit_code: int
    seconds: float
    memory: int


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


def usage_of(
    command: list[str],
    environment: dict[str, str],
    *,
    out: IO[bytes] | int = subprocess.DEVNULL,
    errors: int | None = None,
    seconds: int = 0,
    memory: int = 0,
) -> Usage:
    """Run a command: user + system time and peak resident memory; limits where they are not 0."""
    told, write = os.pipe()
    starter = [sys.executable, "-I", "-S", "-c", _STARTER, *map(str, (write, seconds, memory))]
    with os.fdopen(told, "rb") as end, subprocess.Popen(
        [*starter, *command], stdout=out, stderr=errors, env=environment, cwd=ROOT,
        pass_fds=(write,),
    ):  # fmt: skip
        os.close(write)
        answer = end.read()
    return Usage(*json.loads(answer))


def run_once(contestant: Contestant, *, record: bool = True) -> None:
    """Run a command; note user + system time and peak resident memory of the process."""
    # as an installed program runs: with byte code cached
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(ROOT / "src")))  # this checkout
    environment |= contestant.environment
    with tempfile.TemporaryFile() as out:
        usage = usage_of(contestant.command, environment, out=out)
        if usage.exit_code:
            sys.exit(f"{contestant.name} failed with exit code {usage.exit_code}")
        out.seek(0)
        contestant.output = out.read().decode()
    if record:
        contestant.cpu.append(usage.seconds)
        contestant.memory.append(usage.memory)


def race(contestants: list[Contestant], *, rounds: int) -> None:
    """Run all contestants in turn, ``rounds`` times, after one run that is not counted."""
    for contestant in contestants:
        if rounds > 1:
            run_once(contestant, record=False)
    for _ in range(rounds):
        for contestant in contestants:
            run_once(contestant)
