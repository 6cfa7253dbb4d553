"""Which words outputs get right: by frequency, by label, and n-grams that only one system gets.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("generation"), task="generation")
>>> found = fg.study(table, "shared_words", intervals=0)
>>> name, words, f1, other = found.tables[0].rows[1]                        # words of references
>>> name, words, round(f1, 3), round(other, 3)
('1', 16, 0.897, 0.519)

A word of an output is right as often as the nearest reference has it, too. Words fall into buckets
by how often they stand in the file of ``--set frequencies=FILE`` (training text, or lines of a word
and its count), else in the references; with ``--set word_labels=FILE`` (lines of a word, a tab and
a label) also by their labels, and with ``--set token_labels=FILE`` by those of the tokens of the
first reference: a word that is not there has the label that it mostly has elsewhere. After
compare-mt (Neubig et al. 2019).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.error_rates import nearest
from finegrain.alignment.references import strings
from finegrain.alignment.segment_texts import of_table
from finegrain.alignment.segment_words import split
from finegrain.alignment.token_labels import LABEL, TOKEN_LABELS, WORD
from finegrain.alignment.word_lists import FREQUENCIES, LABELS, frequencies, word_labels
from finegrain.analyses.interval_cells import bracketed, interval_heading
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Floats, Plot, Series, Study
from finegrain.corpus.columns import Rows
from finegrain.metrics.metric import ratio
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.sampling import Sampling, sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.scale import PROPORTION

EDGES = (0, 1, 2, 5, 10, 100, 1000)  # frequencies at which buckets begin
SHOWN, LONGEST, MOST_PAIRS = 8, 4, 6
_UNLABELLED = "(no label)"
Words = Counter[tuple[str, ...]]


def shared_words(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """F1 of words by bucket, and n-grams that tell systems apart; ``None`` without segments."""
    if not len(table) or not table.n_systems:
        return None
    texts = of_table(table)
    outputs = [[split(text) for text in own] for own in texts.outputs]
    wanted = [[split(text) for text in own] for own in texts.references]
    beside = [
        [nearest(references, text) for references, text in zip(wanted, own, strict=True)]
        for own in outputs
    ]
    groups = _groupings(table, wanted)
    tables, data, plots = [], {}, []
    for title, (names, buckets) in groups.items():
        counts = np.stack(
            [
                _counts(own, near, buckets, len(names))
                for own, near in zip(outputs, beside, strict=True)
            ],
            axis=1,
        )
        kept = np.flatnonzero(counts[..., 1:].sum(axis=(0, 1, 3)))
        listing, told = _by_bucket(
            table, title, [names[at] for at in kept], counts[:, :, kept], drawing
        )
        tables.append(listing)
        data[title] = told
        plots.append(_plot(table, title, [names[at] for at in kept], counts[:, :, kept]))
    pairs = list(combinations(range(table.n_systems), 2))[:MOST_PAIRS]
    listing, told = _ngrams(table, pairs, outputs, beside)
    tables += [listing] if pairs else []
    data["ngrams"] = told
    return Study(
        "shared_words", "Words", "Which words do systems get right?", table.task, table.systems,
        tuple(tables), data, signature(table, **sampling_of(table).said(), **drawing.said()),
        tuple(plots), table.notes,
    )  # fmt: skip


_Buckets = Callable[[int, str, int], Sequence[int]]
"""Of a segment, a word, and how often the word is there: the bucket of each time."""
_Grouping = tuple[tuple[str, ...], _Buckets]


def _groupings(table: OutcomeTable, wanted: list[list[tuple[str, ...]]]) -> dict[str, _Grouping]:
    """By title, the names of buckets, and which words are in which."""
    path = table.settings.get(FREQUENCIES)
    known: Mapping[str, int]
    if path:
        known, where = frequencies(path), "in the training data"
    else:
        known = Counter(word for own in wanted for text in own for word in text)
        where = "in the references"
    ends = [*EDGES[1:], 0]
    names = tuple(
        f"{low}" if high == low + 1 else f"{low} to {high - 1}" if high else f"{low} and more"
        for low, high in zip(EDGES, ends, strict=True)
    )
    edges = np.array(EDGES)

    @cache
    def by_frequency(word: str) -> int:
        return int(np.searchsorted(edges, known.get(word, 0), side="right")) - 1

    found: dict[str, _Grouping] = {
        f"by frequency {where}": (names, lambda _, word, count: [by_frequency(word)] * count)
    }
    if LABELS in table.settings:
        labels = word_labels(table.settings[LABELS])
        kinds = (*sorted(set(labels.values())), _UNLABELLED)
        place = {name: at for at, name in enumerate(kinds)}
        found["by label"] = (
            kinds, lambda _, word, count: [place[labels.get(word, _UNLABELLED)]] * count
        )  # fmt: skip
    if TOKEN_LABELS in table.parts:
        found["by label in the first reference"] = _by_token(table.parts[TOKEN_LABELS])
    return found


def _by_token(rows: Rows) -> _Grouping:
    """By the labels of the tokens of references."""
    words, labels = (list(map(str, strings(rows.fields[name]))) for name in (WORD, LABEL))
    kinds = (*sorted(set(labels)), _UNLABELLED)
    place = {name: at for at, name in enumerate(kinds)}
    here: dict[tuple[int, str], list[int]] = defaultdict(list)
    mostly: dict[str, Counter[int]] = defaultdict(Counter)
    for segment, word, label in zip(rows.parent.tolist(), words, labels, strict=True):
        here[segment, word].append(place[label])
        mostly[word][place[label]] += 1
    usual = {  # of several, the first by name
        word: min(counts, key=lambda one, counts=counts: (-counts[one], one))  # type: ignore[misc]
        for word, counts in mostly.items()
    }
    unlabelled = place[_UNLABELLED]

    def buckets(segment: int, word: str, count: int) -> Sequence[int]:
        known = here.get((segment, word), [])[:count]
        return [*known, *[usual.get(word, unlabelled)] * (count - len(known))]

    return kinds, buckets


def _counts(
    outputs: list[tuple[str, ...]], beside: list[Any], buckets: _Buckets, size: int
) -> NDArray[np.float64]:
    """``[segment, bucket, (right, of the output, of the reference)]``."""
    found = np.zeros((len(outputs), size, 3))
    for at, (own, near) in enumerate(zip(outputs, beside, strict=True)):
        mine, theirs = Counter(own), Counter(near)
        for word in mine.keys() | theirs.keys():
            one, other = mine[word], theirs[word]
            for time, bucket in enumerate(buckets(at, word, max(one, other))):
                found[at, bucket] += (time < min(one, other), time < one, time < other)
    return found


def _f1(sums: Floats) -> Floats:
    return ratio(2 * sums[..., 0], sums[..., 1] + sums[..., 2])


def _by_bucket(
    table: OutcomeTable, title: str, names: list[str], counts: Floats, drawing: Drawing
) -> tuple[Listing, list[dict[str, Any]]]:
    """F1 of the words of every bucket, with intervals; all numbers as data."""
    sums = counts.sum(axis=0)
    scores = _f1(sums)
    ends = _ends(counts, sampling_of(table), drawing)
    rows: list[tuple[Cell, ...]] = []
    data = []
    for at, name in enumerate(names):
        cells: list[Cell] = []
        for system in range(table.n_systems):
            low, high = ends[system, at]
            cells.append(float(scores[system, at]))
            if drawing.resamples:
                cells.append(bracketed(low, high, scale=PROPORTION))
        rows.append((name, int(sums[:, at, 2].max()), *cells))
        data.append({
            "bucket": name,
            "systems": {
                system: {
                    "f1": number(float(scores[place, at])),
                    "precision": number(float(ratio(sums[place, at, 0], sums[place, at, 1]))),
                    "recall": number(float(ratio(sums[place, at, 0], sums[place, at, 2]))),
                    "interval": [number(float(one)) for one in ends[place, at]],
                }
                for place, system in enumerate(table.systems)
            },
        })  # fmt: skip
    columns = [Column("words"), Column("in references", "count")]
    for name in table.systems:
        columns.append(Column(name, "score", "row", "F1"))
        if drawing.resamples:
            heading = f"{name} {interval_heading(drawing.level)}"
            columns.append(Column(heading, "number", group="F1"))
    note = "F1 of words with the nearest reference; in references: words of references"
    return Listing(f"Words {title}", tuple(columns), tuple(rows), note), data


def _ends(counts: Floats, sampling: Sampling, drawing: Drawing) -> Floats:
    """``[system, bucket, (low, high)]``; nan without intervals."""
    size, n_systems = sampling.samples.size, counts.shape[1]
    found = np.full((*counts.shape[1:3], 2), np.nan)
    if not drawing.resamples:
        return found
    for system in range(n_systems):
        by_sample = np.zeros((size, *counts.shape[2:]))
        np.add.at(by_sample, sampling.samples.codes, counts[:, system])
        found[system] = drawn(distinct(by_sample), drawing).ends(_f1, PROPORTION)
    return found


def _plot(table: OutcomeTable, title: str, names: list[str], counts: Floats) -> Plot:
    scores = _f1(counts.sum(axis=0))
    places = np.arange(len(names), dtype=float)
    series = tuple(
        Series(
            name, np.nan_to_num(scores[system]), places, "dots",
            text=tuple(f"{name}: {score:.1%} of {one}" for one, score in
                       zip(names, scores[system].tolist(), strict=True)),
        )
        for system, name in enumerate(table.systems)
    )  # fmt: skip
    return Plot(
        f"F1 of words {title}", Axis("F1", (0.0, 1.0), "percent"),
        Axis("words", names=tuple(names)), series,
    )  # fmt: skip


def _ngrams(
    table: OutcomeTable,
    pairs: list[tuple[int, int]],
    outputs: list[list[tuple[str, ...]]],
    beside: list[list[Any]],
) -> tuple[Listing, list[dict[str, Any]]]:
    """For each pair, n-grams that one system gets right more often than the other one."""
    right = [_right(own, near) for own, near in zip(outputs, beside, strict=True)]
    rows: list[tuple[Cell, ...]] = []
    data: list[dict[str, Any]] = []
    for one, other in pairs:
        for better, worse in ((one, other), (other, one)):
            mine, theirs = right[better], right[worse]
            lead = sorted(
                (gram for gram in mine if mine[gram] > theirs[gram]),
                key=lambda gram: (-_preference(mine[gram], theirs[gram]), -mine[gram], gram),
            )[:SHOWN]
            for gram in lead:
                text, counts = " ".join(gram), (mine[gram], theirs[gram])
                rows.append((table.systems[better], table.systems[worse], text, *counts))
                data.append({
                    "better": table.systems[better], "worse": table.systems[worse], "ngram": text,
                    "right": counts[0], "right_of_worse": counts[1],
                })  # fmt: skip
    columns = (
        Column("system"), Column("against"), Column("words in a row"), Column("right", "count"),
        Column("of the other", "count"),
    )  # fmt: skip
    note = f"n-grams of 1 to {LONGEST} words, by (right + 1) / (right + right of the other + 2)"
    return Listing("N-grams that one system gets right and another one misses", columns,
                   tuple(rows), note), data  # fmt: skip


def _preference(mine: int, theirs: int) -> float:
    return (mine + 1) / (mine + theirs + 2)


def _right(outputs: list[tuple[str, ...]], beside: list[Any]) -> Words:
    found: Words = Counter()
    for own, near in zip(outputs, beside, strict=True):
        for n in range(1, LONGEST + 1):
            mine = Counter(zip(*(own[at:] for at in range(n)), strict=False))
            theirs = Counter(zip(*(near[at:] for at in range(n)), strict=False))
            found.update(mine & theirs)
    return found
