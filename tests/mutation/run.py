"""``python -m tests.mutation.run 300``: put faults into the product, and see if the tests notice.

Each mutant is run in a process of its own, which loads the changed module in place of the file;
nothing is written into the source. The tests that call the changed function run first to last by
their time, until one fails. What survives is printed and makes the exit code 1, unless
``justified.txt`` says why it is no fault.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import SourceFileLoader
from pathlib import Path

import numpy  # noqa: F401 - loaded once, for all mutants
import pytest

from tests.mutation.mutants import ROOT, Mutant, mutated, sample
from tests.mutation.reached import record

REACHED = ROOT / "mutants" / "reached.json"
JUSTIFIED = Path(__file__).with_name("justified.txt")
KILLED, SURVIVED, UNREACHED = "killed", "survived", "not reached"
BUDGET = 30.0  # seconds of tests for a mutant, as they take without tracing
WAITED = 240  # seconds after which a mutant is caught: it does not come to an end


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="record anew which test reaches what")
    parser.add_argument("--part", default="1/1", help="2/3: the second of three parts")
    parser.add_argument("--only", default="", help="mutants of files whose path has this in it")
    given = parser.parse_args()
    if given.again or not REACHED.exists():
        record_apart()
    reaching = tests_by_function()
    counts: Counter[tuple[str, str]] = Counter()
    alive = []
    excuses = justified()
    part, parts = map(int, given.part.split("/"))
    for mutant in sample(given.number, given.seed)[part - 1 :: parts]:
        if given.only not in mutant.path:
            continue
        verdict = judged(mutant, reaching)
        if verdict != KILLED and key(mutant) in excuses:
            verdict = "justified"
        elif verdict != KILLED:
            alive.append(mutant)
            print(f"{verdict}: {mutant.path}:{mutant.line}: {mutant.change}", flush=True)
        counts[_folder(mutant.path), verdict] += 1
    print(table(counts))
    return 1 if alive else 0


def key(mutant: Mutant) -> str:
    """A mutant by its file and change: lines move."""
    return f"{mutant.path}: {mutant.change}"


def justified() -> dict[str, str]:
    """Mutants that are no fault, and why: a line each, and an indented reason."""
    found: dict[str, str] = {}
    last = ""
    for line in JUSTIFIED.read_text("utf-8").splitlines() if JUSTIFIED.exists() else []:
        if line.startswith("    "):
            found[last] = line.strip()
        elif line.strip() and not line.startswith("#"):
            last = line.rstrip()
    return found


def record_apart() -> None:
    """Record which test reaches what, in a process of its own: this one loads nothing."""
    child = os.fork()
    if child == 0:
        record(REACHED)
        os._exit(0)
    os.waitpid(child, 0)


def tests_by_function() -> dict[str, list[tuple[float, str]]]:
    """The tests that reach a function (``path:line``) or a file (``path``), fastest first."""
    found: dict[str, set[tuple[float, str]]] = defaultdict(set)
    for test, (seconds, functions) in json.loads(REACHED.read_text("utf-8")).items():
        for function in functions:
            found[function].add((seconds, test))
            found[function.rpartition(":")[0]].add((seconds, test))
    return {name: sorted(tests) for name, tests in found.items()}


def judged(mutant: Mutant, reaching: dict[str, list[tuple[float, str]]]) -> str:
    """Whether a test notices the mutant; tests of the same name first, which mostly do."""
    tests = reaching.get(f"{mutant.path}:{mutant.function}") or reaching.get(mutant.path, [])
    chosen = list(_within(tests, BUDGET))
    if not chosen:
        return UNREACHED
    near = [test for test in chosen if _name(mutant.path) & _name(test.partition("::")[0])]
    noticed = any(_noticed(mutant, some) for some in (near, chosen) if some)
    return KILLED if noticed else SURVIVED


def _name(path: str) -> set[str]:
    """The words of a file's name.

    >>> _name("tests/analyses/test_oracle.py") & _name("analyses/compare/oracle_listings.py")
    {'oracle'}
    """
    return {*Path(path).stem.split("_")} - {"test"}


def _noticed(mutant: Mutant, tests: list[str]) -> bool:
    """Whether one of the tests fails, or does not come to an end."""
    child = os.fork()
    if child == 0:
        os._exit(_run(mutant, tests))
    until = time.monotonic() + WAITED
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) != 0
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def _within(tests: list[tuple[float, str]], budget: float) -> Iterator[str]:
    spent = 0.0
    for seconds, test in tests:
        spent += seconds
        if spent > budget:
            return
        yield test


def _run(mutant: Mutant, tests: list[str]) -> int:
    """Run tests with the mutant in place of its file; 0 if all of them pass."""
    path = str(ROOT / mutant.path)
    original = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, fullname: str) -> object:
        if loader.path == path:
            return compile(mutated(mutant), path, "exec")
        return original(loader, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    silent = io.StringIO()
    with redirect_stdout(silent), redirect_stderr(silent):
        # plain: pytest would load the files of doctests itself, without the mutant
        fixed = ("-q", "-x", "-p", "no:cacheprovider", "--tb=no", "--assert=plain")
        return int(pytest.main([*fixed, *tests]))


def _folder(path: str) -> str:
    return "/".join(Path(path).parts[2:-1])


def table(counts: Counter[tuple[str, str]]) -> str:
    """Mutants by folder and verdict, as Markdown."""
    verdicts = (KILLED, "justified", SURVIVED, UNREACHED)
    folders = sorted({folder for folder, _ in counts})
    lines = [f"| folder | mutants | {' | '.join(verdicts)} |", f"|:--|{'--:|' * 5}"]
    for folder in [*folders, "all"]:
        own = [
            sum(n for (home, verdict), n in counts.items()
                if verdict == wanted and folder in (home, "all"))
            for wanted in verdicts
        ]  # fmt: skip
        lines.append(f"| {folder} | {sum(own)} | {' | '.join(map(str, own))} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
