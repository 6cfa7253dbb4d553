"""Do tests and intervals keep what they promise? ``python -m benchmarks.calibration --jobs 2``.

Pairs of systems that are equally good are simulated again and again; a test at 5 % must reject 5 %
of them. Intervals must cover the score of the population, which is known here. Prints the tables
of docs/significance.md; ``--runs 200`` is quick, 2,000 runs are the study. Exits with 1 if a
promise is not kept.

Worlds of documents of unequal size, with clustered errors, names that repeat and rare labels, are
in ``benchmarks.worlds``, what is asked of them in ``benchmarks.document_studies``. A second
simulation has sentences: documents of sentences of gold units. A unit's difficulty, its
document's, and what
a system makes of the document add up to the log odds of being right. Errors are missed spans,
wrong boundaries and wrong labels; both systems also invent spans. Without document effects,
sentences are independent.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks import document_studies
from finegrain.metrics.label_counts import accuracy, f1, micro
from finegrain.metrics.metric import Score
from finegrain.metrics.span_scores import WEIGHTS, narrowed, weighed
from finegrain.resampling import tests
from finegrain.resampling.distinct import Distinct, Vectors, distinct
from finegrain.resampling.drawing import bootstrap
from finegrain.resampling.jackknife import left_out
from finegrain.resampling.paired import paired
from finegrain.resampling.pairs import sample_scores
from finegrain.table.scale import PROPORTION
from finegrain.tasks.spans import SPANS

RESAMPLES = 999
KEPT = len(SPANS.outcomes)
SHARES = {"FN": 0.4, "BES": 0.3, "LE": 0.3}  # of the errors on gold units
FAIR = WEIGHTS["fair"]
SCORES: dict[str, Score] = {
    "accuracy": lambda counts: accuracy(counts[..., KEPT:]),
    "F1": weighed(micro(f1), None),
    "fair F1": weighed(micro(f1), FAIR),
}
NARROW = {"accuracy": narrowed(None), "F1": narrowed(None), "fair F1": narrowed(FAIR)}


class Design(NamedTuple):
    """So many documents of so many sentences; spread of documents and of systems in them."""

    documents: int
    sentences: int
    units: float
    shared: float
    own: float


INDEPENDENT = Design(600, 1, 2.0, 0.0, 0.0)
CLUSTERED = Design(0, 12, 4.0, 0.5, 0.5)


class Outputs(NamedTuple):
    """Statistics ``[sentence, system, 1, outcome + 5]``, and what is right ``[unit, system]``."""

    statistics: Vectors
    right: NDArray[np.bool_]
    document: NDArray[np.int64]


def simulated(design: Design, generator: np.random.Generator) -> Outputs:
    """Two equally good systems on one corpus."""
    document = np.repeat(np.arange(design.documents), design.sentences)
    size = generator.poisson(design.units, len(document))
    sentence = np.repeat(np.arange(len(document)), size)
    hard = generator.normal(0, design.shared, design.documents)[:, None]
    hard = hard + generator.normal(0, design.own, (design.documents, 2))
    odds = 1.5 + generator.normal(0, 1, len(sentence))[:, None] + hard[document[sentence]]
    right = generator.random(odds.shape) < 1 / (1 + np.exp(-odds))
    counts = np.zeros((len(document), 2, 1, KEPT + 5))
    kinds = np.array([SPANS.outcomes.code(name) for name in SHARES])
    for system in (0, 1):
        outcome = generator.choice(kinds, len(sentence), p=list(SHARES.values()))
        outcome[right[:, system]] = SPANS.outcomes.code("TP")
        np.add.at(counts[:, system, 0], (sentence, outcome), 1)
        invented = generator.poisson(0.15 * np.exp(-hard[document, system]))
        counts[:, system, 0, SPANS.outcomes.code("FP")] = invented
        hits = counts[:, system, 0, SPANS.outcomes.code("TP")]
        answered = size - counts[:, system, 0, SPANS.outcomes.code("FN")]
        extra = answered - hits + invented
        counts[:, system, 0, KEPT:] = np.stack([hits, extra, size - hits, size, hits + extra], -1)
    return Outputs(counts, right, document)


def by_document(outputs: Outputs) -> Vectors:
    """The statistics summed by document."""
    size = int(outputs.document.max()) + 1
    summed = np.zeros((size, *outputs.statistics.shape[1:]))
    np.add.at(summed, outputs.document, outputs.statistics)
    return summed


def _systems(statistics: Vectors, name: str) -> list[Distinct]:
    narrow = NARROW[name](statistics)
    return [distinct(narrow[:, system]) for system in (0, 1)]


Found = Iterator[tuple[tuple[str, str, str], float]]


def independent(seed: int) -> Found:
    """p of all tests on sentences that are independent, and on single units."""
    outputs = simulated(INDEPENDENT, np.random.default_rng([1, seed]))
    for name, score in SCORES.items():
        yield from _resampled(outputs.statistics, name, score, seed, "sentences")
    for name in ("accuracy", "F1"):
        one, other = sample_scores(*_systems(outputs.statistics, name), SCORES[name])
        yield ("Wilcoxon", f"{name} of sentences", "600 sentences"), tests.wilcoxon(one, other)
        yield ("paired t", f"{name} of sentences", "600 sentences"), tests.paired_t(one, other)
    counts = _discordant(outputs)
    yield ("exact McNemar", "right or wrong", "1,200 units"), tests.binomial(*counts).p
    yield ("mid-p McNemar", "right or wrong", "1,200 units"), tests.binomial(*counts).mid_p
    one, other = sample_scores(*_systems(outputs.statistics, "F1"), SCORES["F1"])
    change = other - one
    better, worse = int((change > 1e-12).sum()), int((change < -1e-12).sum())
    yield ("exact sign", "F1 of sentences", "600 sentences"), tests.binomial(better, worse).p
    yield ("mid-p sign", "F1 of sentences", "600 sentences"), tests.binomial(better, worse).mid_p


def _discordant(outputs: Outputs) -> tuple[int, int]:
    one, other = outputs.right.T
    return int((one & ~other).sum()), int((other & ~one).sum())


def _resampled(statistics: Vectors, name: str, score: Score, seed: int, what: str) -> Found:
    pair = paired(*_systems(statistics, name))
    size = len(statistics)
    found = tests.randomisation(pair, score, resamples=RESAMPLES, seed=seed)
    yield ("randomisation", name, f"{size:,} {what}"), found.p
    found = tests.bootstrap_test(pair, score, samples=size, resamples=RESAMPLES, seed=seed)
    yield ("bootstrap", name, f"{size:,} {what}"), found.p


def clustered(documents: int, seed: int) -> Found:
    """p with document effects, by document and, as it should not be done, by sentence and unit."""
    design = CLUSTERED._replace(documents=documents)
    outputs = simulated(design, np.random.default_rng([2, documents, seed]))
    for name, score in SCORES.items():
        yield from _resampled(by_document(outputs), name, score, seed, "documents")
    pair = paired(*_systems(outputs.statistics, "F1"))
    found = tests.randomisation(pair, SCORES["F1"], resamples=RESAMPLES, seed=seed)
    yield ("randomisation of sentences", "F1", f"{documents} documents"), found.p
    exact = tests.binomial(*_discordant(outputs))
    yield ("exact McNemar of units", "right or wrong", f"{documents} documents"), exact.p


@cache
def truth(design: Design) -> dict[str, float]:
    """The scores of the population."""
    large = design._replace(documents=200_000 // design.sentences)
    outputs = simulated(large, np.random.default_rng(0))
    sums = outputs.statistics.sum(axis=(0, 1))
    return {name: float(score(sums)) for name, score in SCORES.items()}


def covered(design: Design, seed: int) -> Found:
    """Whether intervals cover the score of the population (1 or 0)."""
    outputs = simulated(design, np.random.default_rng([3, design.documents, seed]))
    what = "sentences" if design.sentences == 1 else "documents"
    for name, score in SCORES.items():
        given = _systems(by_document(outputs), name)[0]
        drawn = score(bootstrap(given, resamples=RESAMPLES, seed=seed))
        real = truth(design)[name]
        found = left_out(given, score).interval(PROPORTION)
        where = f"{design.documents} {what}"
        yield ("t of the logit", name, where), float(found.low <= real <= found.high)
        low, high = np.quantile(drawn, [0.025, 0.975])
        yield ("plain percentiles", name, where), float(low <= real <= high)


def _one_run(seed: int) -> list[tuple[str, tuple[str, str, str], float]]:
    found = [("rejected", key, p <= 0.05) for key, p in independent(seed)]
    for documents in (8, 15, 30, 60):
        found += [("rejected", key, p <= 0.05) for key, p in clustered(documents, seed)]
    designs = [INDEPENDENT._replace(documents=size) for size in (200, 600)]
    designs += [CLUSTERED._replace(documents=size) for size in (8, 15, 30, 60)]
    for design in designs:
        found += [("covered", key, hit) for key, hit in covered(design, seed)]
    return [(table, key, float(value)) for table, key, value in found]


def _promise(table: str, key: tuple[str, str, str]) -> tuple[float, float] | None:
    """The range, in percent, that must be kept; ``None`` for what shows how not to do it."""
    how, _, where = key
    if "of sentences" in how or "of units" in how or how == "plain percentiles":
        return None
    if table == "covered":
        return (92, 98) if "documents" in where else (93, 97)
    if how == "bootstrap" and "documents" in where:
        return None
    return (0, 6.5) if how.startswith("exact") else (3.5, 6.5)


def _one_study(seed: int) -> list[tuple[document_studies.Key, float]]:
    """What one test set of every world shows."""
    return [found for study in document_studies.STUDIES for found in study(seed)]


def _error(share: float, runs: int) -> float:
    """The Monte Carlo standard error of a share, in percent."""
    return 100 * float(np.sqrt(share * (1 - share) / runs))


def _print(heads: str, rows: list[tuple[str, list[float], tuple[float, float] | None]]) -> int:
    """A table; how many promises are broken by more than two standard errors."""
    broken = 0
    print(f"| {heads} | measured % | error | promised | kept |")
    print("|:--" * (1 + heads.count("|")) + "|--:|--:|:--|:--|")
    for name, values, promise in rows:
        share, error = float(np.mean(values)), _error(float(np.mean(values)), len(values))
        said, mark = "", ""
        if promise is not None:
            low, high = promise
            kept = low - 2 * error <= 100 * share <= high + 2 * error
            said, mark = f"{low:g} to {high:g}", "yes" if kept else "no"
            broken += not kept
        print(f"| {name} | {100 * share:.1f} | {error:.1f} | {said} | {mark} |")
    print(flush=True)
    return broken


def main() -> None:
    """Run the study and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--documents", action="store_true", help="only the worlds of documents")
    options = parser.parse_args()
    broken = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        values: dict[document_studies.Key, list[float]] = defaultdict(list)
        for run in pool.map(_one_study, range(options.runs), chunksize=10):
            for key, value in run:
                values[key].append(value)
        by_table: dict[str, list[document_studies.Key]] = defaultdict(list)
        for key in values:
            by_table[key[0]].append(key)
        for table, keys in by_table.items():
            rows = [
                (f"{name} | {size}", values[table, name, size],
                 document_studies.promised(table, name, size))
                for _, name, size in keys
            ]  # fmt: skip
            broken += _print(f"{table} | documents", rows)
        if not options.documents:
            broken += _sentences(pool, options.runs)
    print(f"{options.runs:,} runs, {RESAMPLES} resamples each")
    sys.exit(1 if broken else 0)


def _sentences(pool: ProcessPoolExecutor, runs: int) -> int:
    """Worlds of sentences, and how not to test documents."""
    found: dict[tuple[str, tuple[str, str, str]], list[float]] = defaultdict(list)
    for run in pool.map(_one_run, range(runs), chunksize=10):
        for table, key, value in run:
            found[table, key].append(value)
    broken = 0
    for table, heads in (("rejected", "test"), ("covered", "interval")):
        rows = [
            (" | ".join(key), values, _promise(table, key))
            for (of, key), values in found.items()
            if of == table
        ]
        broken += _print(f"{heads} | score | samples", rows)
    return broken


if __name__ == "__main__":
    main()
