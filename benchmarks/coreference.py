"""Scores of coreference beside plain Python on sets: ``python -m benchmarks.coreference``.

500 documents of 80 mentions, and single documents of 1,250 to 20,000 mentions, whose time must grow
no faster than n log n. Both sides start from chains in memory and must find the same scores.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

from finegrain.corpus import Clusters, Corpus, Spans, Texts
from finegrain.metrics.coreference import chain_counts
from finegrain.metrics.coreference.scores import FAMILIES, f1
from finegrain.table.samples import whole
from finegrain.tasks.coreference import align

Chains = list[list[set[int]]]  # [document][chain] mentions
FASTER = 5.0
GROWTH = 1.5  # from the smallest to the largest document, times that of n log n


def corpora(documents: int, mentions: int, seed: int = 1) -> tuple[Corpus, Corpus]:
    """A gold standard of chains of about five mentions, and a system with one in five moved."""
    random = np.random.default_rng(seed)
    total, chains = documents * mentions, max(mentions // 5, 1)
    document = np.repeat(np.arange(documents, dtype=np.int32), mentions)
    gold = random.integers(0, chains, total) + document * chains
    moved = random.random(total) < 0.2
    system = np.where(moved, random.integers(0, chains, total) + document * chains, gold)
    dropped = random.random(total) < 0.1
    text = Corpus("simulated", np.arange(total + 1), Texts.of(["word"] * total), documents=document)
    return (
        replace(text, clusters=_clusters(gold, np.arange(total))),
        replace(text, clusters=_clusters(system[~dropped], np.flatnonzero(~dropped))),
    )


def _clusters(chain: np.ndarray, place: np.ndarray) -> Clusters:  # type: ignore[type-arg]
    kinds, codes = np.unique(chain, return_inverse=True)
    none = np.zeros(len(chain), np.int32)
    spans = Spans.contiguous(place.astype(np.int32), none, none + 1, none, ("",))
    names = tuple(str(kind) for kind in kinds.tolist())
    return Clusters(spans, codes.ravel().astype(np.int32), names, none, none, none, none)


def columnar(gold: Corpus, system: Corpus) -> dict[str, float]:
    table = align(gold, {"s": system})
    sums = chain_counts(table, whole(table))[0, 0]
    return {name: float(f1(sums[place])) for place, name in enumerate(FAMILIES)}


def as_sets(corpus: Corpus) -> Chains:
    found: list[dict[int, set[int]]] = [{} for _ in range(corpus.n_documents)]
    if corpus.clusters is None or corpus.documents is None:
        return []
    document = corpus.documents.tolist()
    rows = zip(corpus.clusters.spans.sentence.tolist(), corpus.clusters.chain.tolist(), strict=True)
    for mention, chain in rows:
        found[document[mention]].setdefault(chain, set()).add(mention)
    return [list(one.values()) for one in found]


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
    return {name: float(f1(counts)) for name, counts in sums.items()}


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


def best_of(rounds: int, call: Callable[[], object]) -> float:
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


def main() -> int:
    """Print the ratios; 1 if a target is missed."""
    gold, system = corpora(500, 80)
    key, response = as_sets(gold), as_sets(system)
    ours, theirs = columnar(gold, system), plain(key, response)
    for name, value in theirs.items():
        if abs(ours[name] - value) > 1e-9:
            raise ValueError(f"{name}: {ours[name]} and {value}")
    fast, slow = (
        best_of(5, lambda: columnar(gold, system)),
        best_of(3, lambda: plain(key, response)),
    )
    print(
        f"500 x 80 mentions: {1000 * fast:.0f} ms, sets {1000 * slow:.0f} ms: {slow / fast:.1f} x"
    )
    sizes = (1250, 2500, 5000, 10000, 20000)
    times = [best_of(5, partial(columnar, *corpora(1, size))) for size in sizes]
    expected = [size * math.log(size) for size in sizes]
    print("\n| mentions of one document | CPU ms | x the smallest | n log n would be |")
    print("|--:|--:|--:|--:|")
    for size, seconds, goal in zip(sizes, times, expected, strict=True):
        grown = f"{seconds / times[0]:.1f} | {goal / expected[0]:.1f}"
        print(f"| {size:,} | {1000 * seconds:.1f} | {grown} |")
    growth = (times[-1] / times[0]) / (expected[-1] / expected[0])
    return int(slow / fast < FASTER or growth > GROWTH)


if __name__ == "__main__":
    sys.exit(main())
