"""Scores of coreference beside plain Python on sets: ``python -m benchmarks.coreference``.

500 documents of 80 mentions, and single documents of 1,250 to 20,000 mentions, whose time must grow
no faster than n log n. Both sides start from chains in memory and must find the same scores. Then
the same from files: gold and two systems in the twelve columns of CoNLL 2012, 497,000 tokens, as
whole processes, also against the first version of finegrain.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.contestants.plain_chains import Chains, plain
from benchmarks.measuring import FIRST, ROOT, Contestant, Targets, earlier, race
from finegrain.corpus import Clusters, Corpus, Spans, Texts
from finegrain.metrics.coreference import chain_counts
from finegrain.metrics.coreference.scores import FAMILIES, f1
from finegrain.table.samples import whole
from finegrain.tasks.coreference import align

FASTER = 5.0
FASTER_FROM_FILES = 3.0  # than plain Python, and than the first version
DATA = ROOT / "build" / "benchmarks" / "chains-500"
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


def best_of(rounds: int, call: Callable[[], object]) -> float:
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


def files(seed: int = 1) -> list[str]:
    """Gold and two systems in the columns of CoNLL 2012; made once."""
    paths = [DATA / f"{name}.conll" for name in ("gold", "one", "two")]
    if not all(path.exists() for path in paths):
        DATA.mkdir(parents=True, exist_ok=True)
        random = np.random.default_rng(seed)
        for number, path in enumerate(paths):
            _write(path, np.random.default_rng(0), random, moved=0.2 if number else 0.0)
    return [str(path) for path in paths]


def _write(
    path: Path, text: np.random.Generator, random: np.random.Generator, *, moved: float
) -> None:
    """500 documents of 994 words with 80 mentions; a share of mentions is moved to other chains."""
    size, mentions = 994, 80
    lines: list[str] = []
    for document in range(500):
        name = f"nw/simulated/{document:04d}"
        words = text.integers(0, 3000, size)
        starts = 6 * np.sort(text.permutation(size // 6)[:mentions])
        lengths, chains = text.integers(0, 3, mentions), text.integers(0, 16, mentions)
        chains = np.where(random.random(mentions) < moved, random.integers(0, 16, mentions), chains)
        cells = ["-"] * size
        for begin, length, chain in zip(starts, lengths, chains, strict=True):
            if random.random() < moved / 2:
                continue
            cells[begin] = f"({chain}" if length else f"({chain})"
            if length:
                cells[begin + length] = f"{chain})"
        lines.append(f"#begin document ({name}); part 000")
        for at, (word, cell) in enumerate(zip(words.tolist(), cells, strict=True)):
            lines += [""] if at and at % 18 == 0 else []
            number = f"{name}   0   {at % 18:3}   w{word:<6}   NN   (NP*)   w{word:<6}"
            lines.append(f"{number}   -   -   -   *   {cell}")
        lines += ["", "#end document"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def from_files(targets: Targets, rounds: int) -> None:
    """Print CPU time and memory of whole processes: scores, and the command of two versions."""
    found = [
        Contestant(name, [sys.executable, "-m", f"benchmarks.contestants.{name}_chains", *files()])
        for name in ("finegrain", "plain")
    ]
    race(found, rounds=rounds)
    ours, theirs = ([*json.loads(one.output)] for one in found)
    for one, other in zip(ours, theirs, strict=True):
        for name, value in other.items():
            if abs(one[name] - value) > 1e-9:
                raise ValueError(f"{name}: {one[name]} and {value}")
    print("\n| from files | CPU s | x finegrain | peak MB |", "|:--|--:|--:|--:|", sep="\n")
    for contestant in found:
        ratio = contestant.seconds / found[0].seconds
        row = f"| {contestant.name} | {contestant.seconds:.2f} | {ratio:.1f} "
        print(f"{row}| {contestant.megabytes:.0f} |")
    ratio = found[1].seconds / found[0].seconds
    targets.check("chains from files: times faster than plain", ratio, at_least=FASTER_FROM_FILES)
    environment = earlier(FIRST)
    if environment is None:
        return
    command = [sys.executable, "-m", "finegrain", "score", *files(), "--no-intervals", "--quiet"]
    both = [Contestant("now", command), Contestant(FIRST, command, environment=environment)]
    race(both, rounds=rounds)
    ratio = both[1].seconds / both[0].seconds
    what = f"chains from files: score, times faster than {FIRST}"
    targets.check(what, ratio, at_least=FASTER_FROM_FILES)


def measure(targets: Targets, *, quick: bool) -> None:
    """Print the measurements and note the targets."""
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
    targets.check("chains in memory: times faster than plain", slow / fast, at_least=FASTER)
    targets.check("chains of a document: growth against n log n", growth, at_most=GROWTH)
    from_files(targets, rounds=1 if quick else 3)


def main() -> int:
    """Print the measurements and the targets; 1 if one is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round instead of three")
    targets = Targets()
    measure(targets, quick=parser.parse_args().quick)
    print("\n" + targets.table())
    return int(targets.missed)


if __name__ == "__main__":
    sys.exit(main())
