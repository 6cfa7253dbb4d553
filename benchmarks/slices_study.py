"""Are slices real? ``python -m benchmarks.slices_study --jobs 2``.

Corpora of 3,000 units are simulated. Without a weakness, at most 29 of 400 may report a slice (if
the promised 5 % are kept, the chance of more is 2 %); a drop of 15 points of recall on 200 units
must be reported in 80 of 100. Prints the table of docs/slices.md and exits with 1 if a promise is
not kept.

A unit has a label and four other attributes, which makes about 170 slices. Documents differ in what
they are about (their own mix of every attribute) and in how hard they are: a standard deviation of
0.5 in the log odds of being right, half of whose variance two systems share. Units differ too (3.0,
shared): 15 % of them are wrong, and two systems differ on 13 %. With *names*, documents also have
attributes that are hard in them alone (0.3 for each of the five): a stress test without a promise.
The last lines show how power falls with more slices, and for two systems that err independently.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.table import OutcomeTable

UNITS, SENTENCE = 3_000, 10
SHARES = (
    (0.4, 0.3, 0.2, 0.1), (0.5, 0.3, 0.12, 0.08), (0.25, 0.25, 0.25, 0.25), (0.5, 0.3, 0.2),
    (0.2, 0.2, 0.2, 0.2, 0.2), (0.25, 0.25, 0.25, 0.25), (0.4, 0.2, 0.2, 0.2),
)  # fmt: skip
NAMES = ("label", *(f"attribute_{number}" for number in range(1, len(SHARES))))
ODDS = {3.0: 3.6, 0.0: 1.735}  # spread of the units' log odds -> their mean: recall 85 %
Floats = NDArray[np.float64]


class Design(NamedTuple):
    """``documents``: 0 for none; ``systems``: 1 or 2; ``drop``: of recall on 200 units."""

    documents: int
    systems: int
    drop: float = 0.0
    names: float = 0.0
    attributes: int = 5
    spread: float = 3.0

    def __str__(self) -> str:
        samples = f"{self.documents} documents" if self.documents else "no documents"
        what = "one system" if self.systems == 1 else "a pair"
        extra = ", names" if self.names else ""
        extra += f", {self.attributes} attributes" if self.attributes != 5 else ""
        extra += ", independent errors" if not self.spread else ""
        return f"{what} | {samples}{extra}"


class World(NamedTuple):
    """Units: their document, attributes ``[attribute, unit]`` and odds ``[unit, system]``."""

    document: NDArray[np.int64]
    values: NDArray[np.int64]
    odds: Floats


def world(design: Design, generator: np.random.Generator) -> World:
    """A corpus in which no system has a weakness."""
    size = max(1, design.documents)
    document = np.sort(generator.integers(0, size, UNITS // SENTENCE)).repeat(SENTENCE)
    values = []
    for shares in SHARES[: design.attributes]:
        mix = generator.dirichlet(12 * np.array(shares), size)
        drawn = generator.random(UNITS)[:, None] > np.cumsum(mix, axis=1)[document]
        values.append(np.minimum(drawn.sum(axis=1), len(shares) - 1))
    spread = 0.5 / np.sqrt(design.systems) if design.documents else 0.0
    hard = generator.normal(0, spread, (size, 1)) * (design.systems > 1)
    hard = hard + generator.normal(0, spread, (size, design.systems))
    hard_units = generator.normal(0, design.spread, UNITS)[:, None]
    odds = ODDS[design.spread] + hard_units + hard[document]
    for one in values:
        own = generator.normal(0, design.names, (size, one.max() + 1, design.systems))
        odds = odds + own[document, one]
    return World(document, np.array(values), odds)


def table_of(design: Design, made: World, wrong: NDArray[np.bool_]) -> OutcomeTable:
    """Units as tagged tokens; a wrong answer has a label of its own."""
    sentences = UNITS // SENTENCE
    text = [["w"] * SENTENCE] * sentences
    documents = made.document[::SENTENCE]
    _, documents = np.unique(documents, return_inverse=True)
    options = {"documents": documents.tolist()} if design.documents else {}
    labels = np.array([f"L{code}" for code in made.values[0]], object)

    def corpus(tags: NDArray[np.object_]) -> Corpus:
        return Corpus.of(text, tags=tags.reshape(sentences, SENTENCE).tolist(), **options)

    answers = {
        f"s{system}": corpus(np.where(wrong[:, system], "X", labels).astype(object))
        for system in range(design.systems)
    }
    table = fg.align(corpus(labels), answers, task="tags")
    for name, values in zip(NAMES[1 : design.attributes], made.values[1:], strict=True):
        table = table.with_column(name, np.array([f"v{code}" for code in values], object))
    return table


def planted(made: World) -> NDArray[np.bool_]:
    """``[unit]`` the slice of two attributes that is nearest to 200 units."""
    best = np.zeros(UNITS, bool)
    for one in range(len(made.values)):
        for other in range(one):
            code = made.values[one] * 10 + made.values[other]
            for value in np.unique(code):
                inside = code == value
                if abs(int(inside.sum()) - 200) < abs(int(best.sum()) - 200):
                    best = inside
    return best


def run(design: Design, seed: int, resamples: int) -> tuple[bool, bool]:
    """Whether anything is reported, and whether the planted slice is."""
    generator = np.random.default_rng([design.documents, design.systems, seed])
    made = world(design, generator)
    right = 1 / (1 + np.exp(-made.odds))
    weak = planted(made) if design.drop else np.zeros(UNITS, bool)
    right[weak, -1] *= 1 - design.drop / 0.85
    wrong = generator.random(right.shape) > right
    table = table_of(design, made, wrong)
    found = fg.slices(table, by=list(NAMES[: design.attributes]), resamples=resamples, seed=seed)
    reported = [fg.select(table, one.where) for one in found.findings]
    exact = any(_is(one, table, weak) for one in reported) if design.drop else False
    return bool(found.findings), exact


def _is(selected: OutcomeTable, table: OutcomeTable, weak: NDArray[np.bool_]) -> bool:
    rows = selected.sentence.astype(np.int64) * SENTENCE + selected.begin
    return np.array_equal(np.sort(rows), np.flatnonzero(weak)) and len(table) == UNITS


def designs() -> Iterator[tuple[Design, str]]:
    """What is simulated, and what is promised of it."""
    for systems in (1, 2):
        for documents in (0, 15, 60):
            yield Design(documents, systems), "at most 29 of 400 report anything"
    yield Design(60, 1, names=0.3), ""
    for systems, documents in ((1, 0), (1, 15), (1, 60), (2, 0)):
        yield Design(documents, systems, drop=0.15), "at least 80 of 100 report it"
    for documents in (15, 60):
        yield Design(documents, 2, drop=0.15), ""
    yield Design(0, 1, attributes=7), ""
    for documents in (0, 60):
        yield Design(documents, 1, drop=0.15, attributes=7), ""
    yield Design(0, 2, drop=0.15, attributes=7), ""
    yield Design(0, 2, drop=0.15, spread=0.0), ""


def main() -> None:
    """Run the study and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nulls", type=int, default=400)
    parser.add_argument("--planted", type=int, default=100)
    parser.add_argument("--resamples", type=int, default=499)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    print("| searched | corpus | planted | report anything | report it | promised | kept |")
    print("|:--|:--|:--|--:|--:|:--|:--|")
    broken = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for design, promise in designs():
            runs = options.planted if design.drop else options.nulls
            seeds, many = range(runs), [options.resamples] * runs
            found = list(pool.map(run, [design] * runs, seeds, many, chunksize=5))
            counts = Counter[str]()
            for anything, exact in found:
                counts["anything"] += anything
                counts["exact"] += exact
            enough, most = math.ceil(0.8 * runs), math.floor(29 * runs / 400)
            kept = counts["exact"] >= enough if design.drop else counts["anything"] <= most
            broken += bool(promise) and not kept
            it = f"{counts['exact']} of {runs}" if design.drop else ""
            what = "15 points on 200 units" if design.drop else "nothing"
            said = "" if not promise else "yes" if kept else "no"
            any_of = f"{counts['anything']} of {runs}"
            print(f"| {design} | {what} | {any_of} | {it} | {promise} | {said} |", flush=True)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
