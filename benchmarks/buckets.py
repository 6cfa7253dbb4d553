"""The eight attributes and their buckets: ``python -m benchmarks.buckets [--quick]``.

Whole processes from files, gold and two systems, CPU time (user + system): ``finegrain buckets``
against an implementation in plain Python that goes entity by entity, and against ``finegrain
score --no-intervals`` on the same files; then from 100,000 to 10 million tokens. Sizes and F1 of
all buckets must be the same. Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

from benchmarks.measuring import Contestant, Targets, race
from benchmarks.run import BIN, _data, _python

SIZES = (100_000, 1_000_000, 10_000_000)


def _files(folder: Path) -> list[str]:
    return [str(folder / f"{name}.conll") for name in ("gold", "hasty", "careful")]


def _own(command: str, tokens: int, *options: str) -> Contestant:
    files = _files(_data(tokens))
    whole = [str(BIN / "finegrain"), command, *files, *options, "--format", "json", "--quiet"]
    return Contestant(f"finegrain {command}", whole)


def _agree(ours: Contestant, theirs: Contestant) -> None:
    """Both found the same buckets and the same F1."""
    expected = json.loads(theirs.output)
    for name, found in json.loads(ours.output)["result"].items():
        f1 = [one["f1"] for one in found["systems"].values()]
        same = found["gold_sizes"] == expected[name]["gold"] and all(
            math.isclose(one, two, abs_tol=1e-9)
            for mine, other in zip(f1, expected[name]["f1"], strict=True)
            for one, two in zip(mine, other, strict=True)
        )
        if not same:
            sys.exit(f"{name}: {found['gold_sizes']}, {f1} instead of {expected[name]}")


def _million(targets: Targets, rounds: int) -> None:
    folder = _data(1_000_000)
    train = str(folder / "train.conll")
    gold, *systems = _files(folder)
    plain = _python("-m", "benchmarks.contestants.plain_attributes", gold, train, *systems)
    found = [
        _own("buckets", 1_000_000, "--train", train, "--no-intervals"),
        _own("score", 1_000_000, "--no-intervals"),
        Contestant("plain Python", plain),
    ]
    race(found, rounds=rounds)
    buckets, score, other = found
    _agree(buckets, other)
    print("| 1 million tokens, 1 million of training | CPU s | peak MB |\n|:--|--:|--:|")
    for one in found:
        print(f"| {one.name} | {one.seconds:.2f} | {one.megabytes:.0f} |")
    targets.check(
        "buckets: times faster than plain Python", other.seconds / buckets.seconds, at_least=10
    )
    targets.check("buckets: times the cost of score", buckets.seconds / score.seconds, at_most=4)


def _growth(targets: Targets, rounds: int) -> None:
    """From size to size, with training data of the same size, the cost grows as they do."""
    found = [
        _own("buckets", tokens, "--train", str(_data(tokens) / "gold.conll")) for tokens in SIZES
    ]
    race(found, rounds=rounds)
    print("\n| tokens, as many of training | CPU s | microseconds per token |\n|--:|--:|--:|")
    for tokens, one in zip(SIZES, found, strict=True):
        print(f"| {tokens:,} | {one.seconds:.2f} | {1e6 * one.seconds / tokens:.2f} |")
    _, middle, last = (one.seconds for one in found)
    targets.check("buckets: 10M against 1M, per token", last / middle / 10, at_most=1.5)


def main() -> None:
    """Print the measurements and the targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round, without 10 million tokens")
    quick = parser.parse_args().quick
    targets = Targets()
    _million(targets, 1 if quick else 3)
    if not quick:
        _growth(targets, 1)
    print("\n" + targets.table())
    sys.exit(1 if targets.missed else 0)


if __name__ == "__main__":
    main()
