"""All scores of chains from CoNLL 2012 files, in plain Python: lines, stacks and sets."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

Chains = list[list[set[int]]]  # [document][chain] mentions
FAMILIES = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "links", "other_links", "lea")


def read(path: str) -> tuple[list[str], Chains]:
    """The words, and the chains of every document; a mention is a number made of its two ends."""
    words: list[str] = []
    chains: list[dict[str, set[int]]] = []
    with Path(path).open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#begin"):
                chains.append({})
                waiting: dict[str, list[int]] = {}
            cells = line.split()
            if not cells or line.startswith("#"):
                continue
            words.append(cells[3])
            for bracket in () if cells[-1] == "-" else cells[-1].split("|"):
                name = bracket.strip("()")
                if bracket[0] == "(":
                    waiting.setdefault(name, []).append(len(words))
                if bracket[-1] == ")":
                    mention = waiting[name].pop() << 32 | len(words)
                    chains[-1].setdefault(name, set()).add(mention)
    return words, [list(document.values()) for document in chains]


def f1(counts: list[float]) -> float:
    """Of what is found, of how much, and the same the other way round."""
    recall = counts[0] / counts[1] if counts[1] else 0.0
    precision = counts[2] / counts[3] if counts[3] else 0.0
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def plain(key: Chains, response: Chains) -> dict[str, float]:
    """Metrics as their papers write them, on sets."""
    sums = dict.fromkeys(FAMILIES, np.zeros(4))
    for ours, theirs in zip(key, response, strict=True):
        for name, half in (("muc", _muc), ("b_cubed", _b_cubed), ("lea", _lea)):
            sums[name] = sums[name] + [*half(ours, theirs), *half(theirs, ours)]
        shared = np.array([[len(k & r) for r in theirs] for k in ours])
        sizes = np.array([[len(k) + len(r) for r in theirs] for k in ours])
        mine, other = set().union(*ours), set().union(*theirs)
        for name, gain, n, m in (
            ("ceaf_m", shared, len(mine), len(other)),
            ("ceaf_e", 2 * shared / sizes, len(ours), len(theirs)),
        ):
            best = float(gain[linear_sum_assignment(-gain)].sum())
            sums[name] = sums[name] + [best, n, best, m]
        both = len(mine & other)
        sums["mentions"] = sums["mentions"] + [both, len(mine), both, len(other)]
        for name, one, two in _links(ours, theirs, mine, other):
            both = len(one & two)
            sums[name] = sums[name] + [both, len(one), both, len(two)]
    return {name: f1(counts.tolist()) for name, counts in sums.items()}


def _links(
    ours: list[set[int]], theirs: list[set[int]], mine: set[int], other: set[int]
) -> Iterator[tuple[str, set[tuple[int, int]], set[tuple[int, int]]]]:
    """Pairs of one chain, and of two chains."""
    same = [
        {pair for chain in chains for pair in combinations(sorted(chain), 2)}
        for chains in (ours, theirs)
    ]
    every = [set(combinations(sorted(mentions), 2)) for mentions in (mine, other)]
    yield "links", same[0], same[1]
    yield "other_links", every[0] - same[0], every[1] - same[1]


def _of(chains: list[set[int]]) -> dict[int, int]:
    return {mention: place for place, chain in enumerate(chains) for mention in chain}


def _muc(one: list[set[int]], other: list[set[int]]) -> tuple[float, float]:
    there = _of(other)
    parts = [{there.get(mention, -1 - mention) for mention in chain} for chain in one]
    found = sum(len(chain) - len(part) for chain, part in zip(one, parts, strict=True))
    return found, sum(len(chain) - 1 for chain in one)


def _b_cubed(one: list[set[int]], other: list[set[int]]) -> tuple[float, float]:
    there = _of(other)
    found = 0.0
    for chain in one:
        for mention in chain:
            if mention in there:
                found += len(chain & other[there[mention]]) / len(chain)
    return found, sum(map(len, one))


def _lea(one: list[set[int]], other: list[set[int]]) -> tuple[float, float]:
    there = _of(other)
    found = 0.0
    for chain in one:
        if len(chain) == 1:
            found += chain in other
            continue
        members = [there.get(mention, -1 - mention) for mention in chain]
        same = sum(
            members[a] == members[b]
            for a in range(len(members))
            for b in range(a + 1, len(members))
        )
        found += len(chain) * same / (len(chain) * (len(chain) - 1) / 2)
    return found, sum(map(len, one))


def main() -> None:
    gold, *systems = (read(path) for path in sys.argv[1:])
    if any(words != gold[0] for words, _ in systems):
        sys.exit("other words")
    print(json.dumps([plain(gold[1], chains) for _, chains in systems]))


if __name__ == "__main__":
    main()
