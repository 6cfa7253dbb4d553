"""Twelve systems on BC5 chemicals: values as seqeval has them, groups and ranks that agree."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from tests.conftest import Run


def test_twelve_systems_in_one_table(run: Run, shared: Path) -> None:
    """F1 from reference.json of the data; the two best cannot be told apart, the last one can."""
    folder = shared / "data" / "ner" / "bc5-chemical"
    files = [path.name for path in sorted(folder.glob("*-s1.tsv.gz"))]
    done = run(
        "significance", *files, "--columns", "token=1,gold=2,answer=3", "--format", "json",
        "--resamples", "2000", cwd=folder,
    )  # fmt: skip
    found = json.loads(done.stdout)["result"]
    systems, pairs = found["systems"], found["pairs"]
    assert len(pairs) == found["tests"] == 66
    values = [round(100 * one["value"], 2) for one in systems.values()]
    assert (min(values), max(values)) == (74.15, 91.79)
    for one in systems.values():
        low, high = one["interval"]
        assert low < one["value"] < high
    equal = {(pair["first"], pair["second"]) for pair in pairs if not pair["significant"]}
    for first, second in combinations(systems, 2):
        shared_letter = set(systems[first]["group"]) & set(systems[second]["group"])
        assert bool(shared_letter) == ((first, second) in equal)
    assert systems["fasttext-random-s1"]["rank"] == [12, 12]
    best = [name for name, one in systems.items() if one["rank"] == [1, 2]]
    assert sorted(best) == [
        "characterbert-from_general-128-s1",
        "enhanced-characterbert-from_general-128+node2vec-s1",
    ]
    assert {pair["first"] for pair in pairs} < set(systems)
    assert pairs[0]["p"] == pytest.approx(1 / 2001)
