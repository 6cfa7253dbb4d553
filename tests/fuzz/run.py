"""``python -m tests.fuzz.run 100000``: many cases on all cores, and a table of what happened.

Failing cases are kept as files with the command that gives them anew; any of them makes the exit
code 1. ``--seed N 1`` replays a case, ``--show`` prints its files.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.cases import RECIPES, Case, made
from tests.fuzz.oddities import ODDITIES
from tests.fuzz.verdicts import BAD, VERDICTS, Judged, judged

BLOCK = 200  # cases that a process takes at once
MEMORY = 6 << 30  # bytes: what needs more fails
Outcome = tuple[int, str, int, Judged]  # seed, recipe, damaged files, verdict


class Counts(NamedTuple):
    """How often each verdict was reached by format, each oddity, and the cases that failed."""

    verdicts: Counter[tuple[str, str]]
    files: Counter[str]
    oddities: Counter[str]
    failures: list[Outcome]

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Counts:
        counts = cls(Counter(), Counter(), Counter(), [])
        for outcome in outcomes:
            _, recipe, files, (verdict, why) = outcome
            counts.verdicts[recipe, verdict] += 1
            counts.files[recipe] += files
            if verdict == "accepted oddity":
                counts.oddities[why] += 1
            if verdict in BAD:
                counts.failures.append(outcome)
        return counts


def outcome(seed: int) -> Outcome:
    """Make and judge one case."""
    case = made(seed)
    return seed, case.recipe, case.damaged, judged(case)


def outcomes(first: int, number: int, jobs: int) -> Iterator[Outcome]:
    """The outcomes of consecutive seeds, in no order."""
    seeds = range(first, first + number)
    if jobs == 1:
        yield from map(outcome, seeds)
        return
    with get_context("spawn").Pool(jobs, initializer=_limit_memory) as pool:
        yield from pool.imap_unordered(outcome, seeds, chunksize=BLOCK)


def _limit_memory() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))


def _with_progress(found: Iterable[Outcome], number: int) -> Iterator[Outcome]:
    began = time.monotonic()
    for done, one in enumerate(found, 1):
        if done % 5_000 == 0 or done == number:
            print(
                f"{done:,} of {number:,} cases, {time.monotonic() - began:.0f} s", file=sys.stderr
            )
        yield one


def markdown(counts: Counts) -> str:
    """The counts as the tables of docs/reliability.md."""
    lines = [
        "| format | cases | damaged files | " + " | ".join(VERDICTS) + " |",
        "|:--" + "|--:" * 10 + "|",
    ]
    rows = [*RECIPES, "all"]
    for recipe in rows:
        chosen = [recipe] if recipe in RECIPES else list(RECIPES)
        cells = [sum(counts.verdicts[one, verdict] for one in chosen) for verdict in VERDICTS]
        files = sum(counts.files[one] for one in chosen)
        lines.append(
            "| " + " | ".join([recipe, *(f"{n:,}" for n in (sum(cells), files, *cells))]) + " |"
        )
    lines += ["", "| accepted oddity | cases | why |", "|:--|--:|:--|"]
    lines += (f"| {name} | {counts.oddities[name]:,} | {why} |" for name, why in ODDITIES.items())
    return "\n".join(lines)


def put(tables: str, page: Path) -> None:
    """Replace what stands between the marks of a page."""
    before, begin, rest = page.read_text().partition("<!-- results -->\n")
    _, end, after = rest.partition("<!-- end of results -->")
    page.write_text(f"{before}{begin}\n{tables}\n\n{end}{after}")


def kept(case: Case, verdict: Judged, folder: Path) -> Path:
    """Save a case as files, with what was found and the commands to see it again."""
    target = folder / str(case.seed)
    for name, data in case.files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(data)
    said = {"verdict": verdict.verdict, "why": verdict.why, "command": " ".join(case.command()),
            "replay": f"python -m tests.fuzz.run 1 --seed {case.seed} --show"}  # fmt: skip
    (target / "case.json").write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n")
    return target


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.run")
    parser.add_argument("number", type=int, nargs="?", default=2_000, help="of cases")
    parser.add_argument("--seed", type=int, default=0, help="of the first case")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument(
        "--failures", type=Path, default=Path("fuzz-failures"), help="folder for them"
    )
    parser.add_argument("--show", action="store_true", help="print the files of the cases")
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    chosen = parser.parse_args()
    if chosen.show:
        for seed in range(chosen.seed, chosen.seed + chosen.number):
            _show(made(seed))
        return 0
    found = outcomes(chosen.seed, chosen.number, chosen.jobs if chosen.number > BLOCK else 1)
    counts = Counts.of(_with_progress(found, chosen.number))
    for seed, _, _, verdict in sorted(counts.failures)[:100]:
        place = kept(made(seed), verdict, chosen.failures)
        print(f"{place}: {verdict.verdict}: {verdict.why.strip()[-300:]}", file=sys.stderr)
    print(markdown(counts))
    if chosen.write:
        put(markdown(counts), chosen.write)
    return 1 if counts.failures else 0


def _show(case: Case) -> None:
    print(f"seed {case.seed}, {case.recipe}: {' '.join(case.command())}")
    for name, data in case.files.items():
        print(f"--- {name}\n{data!r}")
    print(*judged(case), sep=": ")


if __name__ == "__main__":
    sys.exit(main())
