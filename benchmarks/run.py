"""Measure finegrain against its peers: ``make bench``, or ``python -m benchmarks.run --quick``.

Whole processes, CPU time (user + system, medians) and peak memory, contestants in turn in one
run, so that the ratios hold on a busy machine too. The data are simulated; every contestant must
find the same F1 for every label. Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks import all_pairs
from benchmarks.measuring import ROOT, Contestant, Targets, race

DATA = ROOT / "build" / "benchmarks"
BIN = Path(sys.executable).parent
PEERS = ("seqeval_default", "nervaluate_schemas", "plain_python")


def _python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


def _contestants(folder: Path, names: tuple[str, ...]) -> dict[str, Contestant]:
    files = [str(folder / f"{name}.conll") for name in ("gold", "hasty", "careful")]
    score = [
        str(BIN / "finegrain"),
        "score",
        *files,
        "--format",
        "json",
        "--quiet",
        "--no-intervals",
    ]
    found = {"finegrain_command": Contestant("finegrain score", score)}
    for name in ("finegrain_library", *names):
        module = f"benchmarks.contestants.{name}"
        found[name] = Contestant(name.replace("_", " "), _python("-m", module, *files))
    return found


def _data(tokens: int) -> Path:
    """Simulated files of this size; made once."""
    folder = DATA / str(tokens)
    if not (folder / "careful.conll").exists():
        made = Contestant(
            "simulate",
            [str(BIN / "finegrain"), "simulate", str(folder), "--tokens", str(tokens),
             "--system", "hasty=long-entities,spurious", "--system", "careful="],
        )  # fmt: skip
        race([made], rounds=1)
    return folder


def _scores_of(contestant: Contestant) -> list[dict[str, float]]:
    found = json.loads(contestant.output)
    if isinstance(found, list):
        return found
    return [
        {
            **{label: row["traditional"]["f1"] for label, row in result["labels"].items()},
            "overall": result["overall"]["traditional"]["f1"],
        }
        for result in found["result"].values()
    ]


def _agree(contestants: dict[str, Contestant]) -> None:
    """Every contestant found the same F1 for every label of both systems."""
    expected = _scores_of(contestants["finegrain_command"])
    for contestant in contestants.values():
        for ours, theirs in zip(expected, _scores_of(contestant), strict=True):
            same = ours.keys() == theirs.keys() and all(
                math.isclose(ours[label], theirs[label], abs_tol=1e-9) for label in ours
            )
            if not same:
                sys.exit(f"{contestant.name} finds other scores: {theirs} instead of {ours}")


def _table(title: str, contestants: dict[str, Contestant]) -> list[str]:
    best = contestants["finegrain_library"]
    head = "| program | CPU s | x finegrain | peak MB |"
    lines = [f"### {title}", "", head, "|:--|--:|--:|--:|"]
    for one in contestants.values():
        ratio = one.seconds / best.seconds
        lines.append(f"| {one.name} | {one.seconds:.2f} | {ratio:.1f} | {one.megabytes:.0f} |")
    return [*lines, ""]


def _race_at(tokens: int, names: tuple[str, ...], rounds: int) -> dict[str, Contestant]:
    contestants = _contestants(_data(tokens), names)
    race(list(contestants.values()), rounds=rounds)
    _agree(contestants)
    return contestants


def _million(targets: Targets, report: list[str], rounds: int) -> None:
    found = _race_at(1_000_000, PEERS, rounds)
    report += _table("1 million tokens, gold and 2 systems", found)
    own = found["finegrain_library"]
    for peer, factor in (("seqeval_default", 25), ("nervaluate_schemas", 15), ("plain_python", 2)):
        ratio = found[peer].seconds / own.seconds
        targets.check(f"1M: times faster than {found[peer].name}", ratio, at_least=factor)
    share = own.megabytes / found["seqeval_default"].megabytes
    targets.check("1M: memory against seqeval default", share, at_most=0.5)


def _ten_million(targets: Targets, report: list[str], rounds: int) -> None:
    found = _race_at(10_000_000, ("plain_python",), rounds)
    report += _table("10 million tokens, gold and 2 systems", found)
    folder = DATA / "10000000"
    size = sum((folder / f"{name}.conll").stat().st_size for name in ("gold", "hasty", "careful"))
    share = found["finegrain_library"].megabytes / (size / 1e6)
    targets.check(
        f"10M: memory against the {size / 1e6:.0f} MB of the three files", share, at_most=2
    )


def starting(targets: Targets, report: list[str]) -> None:
    found = {
        "help": Contestant("finegrain --help", [str(BIN / "finegrain"), "--help"]),
        "typer": Contestant("import typer", _python("-c", "import typer")),
        "finegrain": Contestant("import finegrain", _python("-c", "import finegrain")),
        "use": Contestant(
            "import finegrain, first use", _python("-c", "import finegrain; finegrain.score")
        ),
        "numpy": Contestant("import numpy", _python("-c", "import numpy")),
        "tiny": _contestants(_data(2_000), ())["finegrain_command"],
    }
    found["tiny"].name = "finegrain score of 2,000 tokens"
    race(list(found.values()), rounds=11)
    report += ["### Starting", "", "| process | CPU s | peak MB |", "|:--|--:|--:|"]
    report += [
        f"| {one.name} | {one.seconds:.3f} | {one.megabytes:.0f} |" for one in found.values()
    ]
    report.append("")
    targets.check(
        "finegrain --help against import typer",
        found["help"].seconds / found["typer"].seconds,
        at_most=2.5,
    )
    targets.check(
        "import finegrain against import numpy",
        found["finegrain"].seconds / found["numpy"].seconds,
        at_most=1.3,
    )
    targets.check(
        "finegrain score of 2,000 tokens against import numpy",
        found["tiny"].seconds / found["numpy"].seconds,
        at_most=1.6,
    )


def _all_pairs(targets: Targets, report: list[str], rounds: int) -> None:
    head = "| task | align 12 systems, CPU s | all 66 pairs, CPU s | ratio |"
    report += ["### All pairs of 12 systems, 1 million tokens", "", head, "|:--|--:|--:|--:|"]
    for task in all_pairs.LAYERS:
        cost = all_pairs.measure(task, rounds)
        row = f"| {task} | {cost.align:.2f} | {cost.pairs:.2f} | {cost.ratio:.2f} |"
        report.append(row)
        targets.check(f"{task}: 66 differences against aligning", cost.ratio, at_most=1)
    report.append("")


def main() -> None:
    """Run the benchmarks and print the report; --write puts it into docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round, without 10 million tokens")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()
    rounds = 1 if options.quick else 5
    targets, report = Targets(), []
    starting(targets, report)
    report += _table("50,000 tokens, gold and 2 systems", _race_at(50_000, PEERS, rounds))
    _million(targets, report, rounds)
    _all_pairs(targets, report, rounds)
    if not options.quick:
        _ten_million(targets, report, rounds)
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "seqeval", "nervaluate"))
    how = (
        f"Measured with Python {platform.python_version()}, {versions} on {platform.machine()}: "
        f"whole processes, CPU time (user + system), median of {rounds} rounds in turn, "
        "peak resident memory."
    )
    text = "\n".join([how, "", "### Targets", "", targets.table(), "", *report])
    print(text)
    if options.write:
        page = ROOT / "docs" / "benchmarks.md"
        intro = page.read_text().split("<!-- measured -->")[0]
        page.write_text(f"{intro}<!-- measured -->\n\n{text}")
    sys.exit(1 if targets.missed else 0)


if __name__ == "__main__":
    main()
