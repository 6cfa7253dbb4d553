"""Would you sign the sentences of a report? ``python -m benchmarks.findings_study``.

Corpora are simulated and their claims counted: sentences of kind ``tested``. Null corpora have
systems with the same chance of an error everywhere, so that every claim about them is false; at
most 5 % of reports may contain one. In planted corpora the chance of an error is 15 % and 14
points higher in one bucket of about 200 of 1,300 units, for one system, for most or for all; a
sentence must name the bucket (or one that shares half of its units) and at least one of the
systems. Prints the table of docs/report.md; ``+-`` is one Monte Carlo standard error.

Documents have log-normal sizes (a standard deviation of 0.8 in the log). Whether a unit is wrong
follows from a normal variable (a copula) that is made of parts for the document, the sentence, the
word in its document (a name is found or missed all through a text) and the unit; half of the
variance of each is common to all systems. Where errors cluster, sentences have a quarter of the
variance. Units are spans with names from a lexicon with Zipf frequencies, words with tags, or words
of trees; one label has 2 % of the units. Wrong spans are missed, too long or have a wrong label,
and some spans are invented.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import finegrain as fg
from finegrain.analyses.reports.finding import Finding
from finegrain.analyses.reports.report import claims
from finegrain.analyses.reports.slice_evidence import in_words
from finegrain.analyses.trust.slice_candidates import Candidates
from finegrain.analyses.trust.weaknesses import bucket_candidates
from finegrain.corpus import Corpus
from finegrain.resampling.quantiles import normal_quantile
from finegrain.table import OutcomeTable

ERRORS, DROP, UNITS, PLANTED = 0.15, 0.14, 1300, 200
Floats = NDArray[np.float64]


class Design(NamedTuple):
    """``weak``: systems with the planted weakness; ``sentences``: whether errors cluster there."""

    task: str
    documents: int
    systems: int
    labels: int = 5
    train: bool = False
    sentences: bool = False
    weak: int = 0
    errors: float = ERRORS

    def __str__(self) -> str:
        said = [self.task, f"{self.documents} documents",
                f"{self.systems} systems" if self.systems > 1 else "1 system",
                f"{self.labels} labels" if self.task != "trees" else ""]  # fmt: skip
        said += ["training data"] * self.train + ["errors cluster in sentences"] * self.sentences
        said += [f"errors {100 * self.errors:.0f} %"] * (self.errors != ERRORS)
        return ", ".join(filter(None, said))


class World(NamedTuple):
    """A gold corpus and training data; units: their document, sentence and word."""

    gold: Corpus
    train: Corpus
    document: NDArray[np.int64]
    sentence: NDArray[np.int64]
    word: NDArray[np.int64]
    text: list[list[str]]
    documents: list[int]


def _shape(design: Design, draw: np.random.Generator, per_sentence: float) -> NDArray[np.int64]:
    """``[sentence]`` its document: sizes are log-normal, every document has two sentences."""
    share = np.exp(draw.normal(0, 0.8, design.documents))
    sizes = np.maximum(2, np.round(UNITS / per_sentence * share / share.sum())).astype(int)
    return np.repeat(np.arange(design.documents), sizes)


def _label_shares(labels: int) -> Floats:
    rest = np.linspace(2, 1, labels - 1) if labels < 10 else np.ones(labels - 1)
    return np.array([*(0.98 * rest / rest.sum()), 0.02])


def _spans(design: Design, draw: np.random.Generator) -> tuple[World, list[list[Any]]]:
    """Sentences with names; also ``[sentence]`` their ``(begin, end, label)``."""
    documents = _shape(design, draw, 2.0)
    names = 500
    length = 1 + np.minimum(draw.geometric(0.55, names) - 1, 4)
    label = draw.choice(design.labels, names, p=_label_shares(design.labels))
    zipf = 1 / np.arange(1, names + 1) ** 0.8
    known = draw.random(names) < 0.6
    made: list[tuple[list[str], list[str]]] = []
    spans: list[list[Any]] = []
    units: list[tuple[int, int, int]] = []
    for at, document in enumerate(documents.tolist()):
        words, tags, here = [], [], []
        for name in draw.choice(names, draw.geometric(0.5), p=zipf / zipf.sum()).tolist():
            before = int(draw.integers(1, 9))
            words += [f"w{draw.integers(400)}" for _ in range(before)]
            tags += ["O"] * before
            here.append((len(words), len(words) + int(length[name]), int(label[name])))
            words += [f"N{name}x{part}" for part in range(length[name])]
            tags += [f"B-L{label[name]}"] + [f"I-L{label[name]}"] * (int(length[name]) - 1)
            units.append((document, at, name))
        words.append(".")
        tags.append("O")
        made.append((words, tags))
        spans.append(here)
    gold = Corpus.of([one for one, _ in made], tags=[one for _, one in made],
                     documents=documents.tolist())  # fmt: skip
    taught = np.flatnonzero(known).tolist()
    train = Corpus.of(
        [["w1", *(f"N{name}x{part}" for part in range(length[name])), "."] for name in taught],
        tags=[["O", f"B-L{label[name]}", *[f"I-L{label[name]}"] * (int(length[name]) - 1), "O"]
              for name in taught],
    )  # fmt: skip
    of = np.array(units)
    text = [words for words, _ in made]
    return World(gold, train, *of.T, text, documents.tolist()), spans


def _tagged(design: Design, draw: np.random.Generator) -> tuple[World, NDArray[np.int64]]:
    """Sentences of tagged words; also the label of every unit."""
    documents = _shape(design, draw, 13.0)
    lengths = draw.integers(4, 23, len(documents))
    size, words = int(lengths.sum()), 500
    zipf = 1 / np.arange(1, words + 1) ** 0.8
    word = draw.choice(words, size, p=zipf / zipf.sum())
    usual = draw.choice(design.labels, words, p=_label_shares(design.labels))
    other = draw.choice(design.labels, size, p=_label_shares(design.labels))
    label = np.where(draw.random(size) < 0.85, usual[word], other)
    sentence = np.repeat(np.arange(len(documents)), lengths)
    ends = np.cumsum(lengths)[:-1]
    text = [[f"w{one}" for one in part.tolist()] for part in np.split(word, ends)]
    tags = [[f"L{one}" for one in part.tolist()] for part in np.split(label, ends)]
    gold = Corpus.of(text, tags=tags, documents=documents.tolist())
    taught = np.flatnonzero(draw.random(words) < 0.6).tolist()
    train = Corpus.of([[f"w{one}"] for one in taught], tags=[[f"L{usual[one]}"] for one in taught])
    return World(gold, train, documents[sentence], sentence, word, text, documents.tolist()), label


def _trees(design: Design, draw: np.random.Generator) -> tuple[World, Any]:
    """Words with heads and relations; also both of every unit."""
    documents = _shape(design, draw, 13.0)
    lengths = draw.integers(4, 23, len(documents))
    size = int(lengths.sum())
    sentence = np.repeat(np.arange(len(documents)), lengths)
    relation = draw.choice(design.labels, size, p=_label_shares(design.labels))
    heads = [  # the first word is the root, others hang on one before them
        [0, *(int(draw.integers(max(0, at - 4), at)) + 1 for at in range(1, length))]
        for length in lengths.tolist()
    ]
    ends = np.cumsum(lengths)[:-1]
    text = [[f"w{one}" for one in part] for part in np.split(draw.integers(0, 300, size), ends)]
    gold = _treebank(text, heads, np.split(relation, ends), documents)
    word = np.arange(size)
    of = documents[sentence], sentence, word
    return World(gold, gold, *of, text, documents.tolist()), (heads, relation, ends)


def _treebank(text: Any, heads: Any, relations: Any, documents: Any) -> Corpus:
    lines = ["# newdoc id = 0"]
    last = 0
    for at, words in enumerate(text):
        if documents[at] != last:
            last = int(documents[at])
            lines.append(f"# newdoc id = {last}")
        lines += [
            f"{place}\t{word}\t_\tX\t_\t_\t{head}\tr{relation}\t_\t_"
            for place, (word, head, relation) in enumerate(
                zip(words, heads[at], relations[at].tolist(), strict=True), 1
            )
        ]
        lines.append("")
    return _read("\n".join([*lines, ""]))


def _read(text: str) -> Corpus:
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile("w", suffix=".conllu") as file:
        file.write(text)
        file.flush()
        return fg.read(file.name)


def wrong(
    design: Design, world: World, weak: NDArray[np.bool_], draw: np.random.Generator
) -> NDArray[np.bool_]:
    """``[unit, system]`` whether a system is wrong; more often where ``weak``."""
    parts = {"document": 0.06, "sentence": 0.25 if design.sentences else 0.02, "word": 0.1}
    codes = {
        "document": world.document,
        "sentence": world.sentence,
        "word": world.document * 100_000 + world.word,
    }
    total = np.zeros((len(world.word), design.systems))
    for name, share in [*parts.items(), ("unit", 1 - sum(parts.values()))]:
        of = codes.get(name, np.arange(len(world.word)))
        _, place = np.unique(of, return_inverse=True)
        size = int(place.max()) + 1
        common, own = draw.normal(size=(size, 1)), draw.normal(size=(size, design.systems))
        total += np.sqrt(share / 2) * (common + own)[place]
    limit = np.full(total.shape, normal_quantile(1 - design.errors))
    limit[weak, : design.weak] = normal_quantile(1 - design.errors - DROP)
    return np.asarray(total > limit)


def table_of(design: Design, seed: int) -> tuple[OutcomeTable, World]:
    """A table and the world it comes from."""
    draw = np.random.default_rng([seed, design.documents, design.systems, design.labels])
    make = {"spans": _spans, "tags": _tagged, "trees": _trees}[design.task]
    world, about = make(design, draw)  # type: ignore[operator]  # each has what its answers need
    weak = np.zeros(len(world.word), bool)
    if design.weak:
        weak = _planted(design, world)
    bad = wrong(design, world, weak, draw)
    answers = {
        f"s{at}": _answers(design, world, about, bad[:, at], draw) for at in range(design.systems)
    }
    return fg.align(world.gold, answers, task=_task(design)), world


def _task(design: Design) -> str:
    return "dependencies" if design.task == "trees" else design.task


def _planted(design: Design, world: World) -> NDArray[np.bool_]:
    """``[unit]`` the bucket whose size is nearest to 200; of equals the first."""
    table = fg.align(world.gold, {"gold": world.gold}, task=_task(design))
    found = bucket_candidates(table, train=world.train if design.train else None)
    return found.subsets.members(_place(found))


def _place(found: Candidates) -> int:
    """The bucket that is planted: of those with a size near 200 the first."""
    return int(np.abs(found.subsets.counts() - PLANTED).argmin())


def _answers(
    design: Design, world: World, about: Any, bad: NDArray[np.bool_], draw: np.random.Generator
) -> Corpus:
    if design.task == "trees":
        return _parsed(design, world, about, bad, draw)
    text, documents = world.text, world.documents
    if design.task == "tags":
        other = (about + draw.integers(1, design.labels, len(about))) % design.labels
        given = np.where(bad, other, about)
        ends = np.cumsum([len(one) for one in text])[:-1]
        tags = [[f"L{one}" for one in part] for part in np.split(given, ends)]
        return Corpus.of(text, tags=tags, documents=documents)
    tags, unit = [], 0
    for words, here in zip(text, about, strict=True):
        own = ["O"] * len(words)
        for begin, end, label in here:
            kind = draw.random() if bad[unit] else 1.0
            unit += 1
            if kind < 0.4:
                continue  # missed
            said = (label + 1 + draw.integers(design.labels - 1)) % design.labels
            given = said if kind < 0.7 else label
            first = begin - 1 if 0.7 <= kind < 1.0 else begin  # too long
            own[first:end] = [f"B-L{given}", *[f"I-L{given}"] * (end - first - 1)]
        free = own[0] == "O" and draw.random() < 0.05 * len(here)
        if free and own[1] == "O":
            own[0] = f"B-L{draw.integers(design.labels)}"  # invented
        tags.append(own)
    return Corpus.of(text, tags=tags, documents=documents)


def _parsed(
    design: Design, world: World, about: Any, bad: NDArray[np.bool_], draw: np.random.Generator
) -> Corpus:
    heads, relation, ends = about
    bad = bad.copy()
    given, unit = [list(one) for one in heads], 0
    for own in given:
        for place, head in enumerate(own):
            others = [one for one in range(1, place + 1) if one != head]
            if bad[unit] and head and others and draw.random() < 0.6:
                own[place] = int(draw.choice(others))
                bad[unit] = False
            unit += 1
    labels = np.where(bad, (relation + 1) % design.labels, relation)  # what is wrong still
    return _treebank(world.text, given, np.split(labels, ends), world.documents)


def run(design: Design, seed: int) -> tuple[tuple[Finding, ...], bool]:
    """The claims of a report, and whether one of them names the planted weakness."""
    table, world = table_of(design, seed)
    told = claims(table, train=world.train if design.train else None)
    return told, any(_names(one, design, table, world) for one in told)


def _names(one: Finding, design: Design, table: OutcomeTable, world: World) -> bool:
    """Whether a claim is about the planted bucket, or one that shares half of its units."""
    systems = {f"s{at}" for at in range(design.weak)}
    if one.rule != "weakness" or not systems & set(one.subject.systems):
        return False
    found = bucket_candidates(table, train=world.train if design.train else None)
    units = [in_words(each) for each in found.slices]
    told, weak = (found.subsets.members(at)
                  for at in (units.index(one.subject.units), _place(found)))  # fmt: skip
    return bool((told & weak).sum() >= 0.5 * (told | weak).sum())


NULL = (
    Design("spans", 5, 3), Design("spans", 10, 1), Design("spans", 10, 5, train=True),
    Design("spans", 20, 2, train=True), Design("spans", 50, 1, train=True),
    Design("spans", 50, 3, 25, train=True), Design("spans", 30, 12),
    Design("spans", 10, 2, sentences=True), Design("spans", 50, 3, train=True, sentences=True),
    Design("tags", 10, 2), Design("tags", 20, 5, 25), Design("tags", 50, 1, train=True),
    Design("tags", 50, 12, train=True), Design("tags", 20, 3, sentences=True),
    Design("trees", 10, 2), Design("trees", 30, 3), Design("trees", 50, 1, sentences=True),
)  # fmt: skip
PLANTS = (
    Design("spans", 30, 1, weak=1), Design("spans", 50, 1, weak=1),
    Design("spans", 30, 2, weak=1), Design("spans", 50, 2, weak=1),
    Design("spans", 30, 5, weak=1), Design("spans", 50, 5, weak=1),
    Design("spans", 50, 12, weak=1), Design("spans", 30, 5, weak=5), Design("spans", 50, 5, weak=5),
    Design("spans", 50, 5, weak=3), Design("tags", 50, 2, weak=1), Design("tags", 50, 5, weak=1),
    Design("spans", 50, 2, weak=1, errors=0.4), Design("spans", 50, 5, weak=1, errors=0.4),
)  # fmt: skip


def rows(runs: int, first: int = 0) -> Iterator[str]:
    """The table, line by line."""
    for design in (*NULL, *PLANTS):
        told = [run(design, seed) for seed in range(first, first + runs)]
        named = sum(one for _, one in told)
        false = sum(bool(some) for some, _ in told)
        count = named if design.weak else false
        share = count / runs
        error = 100 * math.sqrt(max(share * (1 - share), 1 / runs / 4) / runs)
        what = "nothing" if not design.weak else f"{design.weak} of {design.systems}"
        rules = sorted({one.rule for some, _ in told for one in some}) if not design.weak else []
        yield (
            f"| {design} | {what} | {count} of {runs} | {100 * share:.1f} +- {error:.1f} | "
            f"{', '.join(rules)} |"
        )


def main() -> None:
    """Run the study and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="seed")
    options = parser.parse_args()
    print("| corpus | weak | reports with a (false, or the planted) claim | % | false claims by |")
    print("|:--|:--|--:|--:|:--|")
    for row in rows(options.runs, options.first):
        print(row, flush=True)


if __name__ == "__main__":
    main()
