"""Every analysis that fits a table, in the order of the page.

What fits is decided by the table: comparisons need two systems, labels something that has labels,
words a text. A result is the same as that of its own command.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("tags"))
>>> [name for name, _ in every_result(table, table.task.first_metric(), None, 1, {})][:4]
['score', 'significance', 'errors', 'confusion']
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from finegrain.analyses.compare.bin_features import features
from finegrain.analyses.compare.difference_intervals import Ends
from finegrain.analyses.compare.difference_matrix import between
from finegrain.analyses.compare.difficulty import difficulty
from finegrain.analyses.compare.invented import invented
from finegrain.analyses.compare.oracle import oracle
from finegrain.analyses.compare.triage import triage
from finegrain.analyses.compare.word_bins import words
from finegrain.analyses.explain.buckets import buckets
from finegrain.analyses.explain.diagnosis import diagnosis
from finegrain.analyses.reports import facts
from finegrain.analyses.result import Result
from finegrain.analyses.scores.confusion import confusion
from finegrain.analyses.scores.error_types import error_types
from finegrain.analyses.scores.score import Scores, score
from finegrain.analyses.studies import available
from finegrain.analyses.trust.significance import Significance, significance
from finegrain.analyses.trust.slices import slices
from finegrain.attributes.choosing import of_items
from finegrain.attributes.training import Reading
from finegrain.corpus import Corpus
from finegrain.metrics.choosing import compared
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import RESAMPLES, Drawing
from finegrain.resampling.pairs import SILENT
from finegrain.table import OutcomeTable
from finegrain.table.outside import is_outside

COMPARED = 16  # systems: so many have 120 pairs, which is what a reader can look through
WORDS, SUSPECTS = 12, 20


def every_result(
    table: OutcomeTable, metric: Metric, train: Corpus | None, seed: int, learning: Reading
) -> Iterator[tuple[str, Result]]:
    """Results by the names of their commands, in the order of the page."""
    schemes = ("all",) if "schemes" in table.task.choices else ()
    scores = score(table, intervals=RESAMPLES, seed=seed, schemes=schemes)
    yield "score", scores
    several, answered = table.n_systems > 1, table.task.tells_errors_apart
    has_text = table.corpus.tokens is not None
    has_gold = bool(table.is_gold.any())
    known: dict[tuple[int, int], Ends] = {}
    if several and has_gold:
        tested = significance(table, metric, seed=seed)
        known = _known(table, tested)
        yield "significance", tested
    if answered:
        yield "errors", error_types(table)
        if table.task.confusable:
            yield "confusion", confusion(table)
    if several:
        best = ranked(table.systems, metric.scale.quality(scores.overall[metric.name]))[:COMPARED]
        names = [table.systems[place] for place in sorted(best)]
        yield (
            "differences",
            between(table, systems=names, drawing=Drawing(RESAMPLES, seed=seed), known=known),
        )
    if not has_gold:
        return
    if several:
        yield "difficulty", difficulty(table)
        if has_text or table.task.words.context:
            yield "features", features(table)
        if has_text and "texts" not in table.task.has:  # the words of an item hardly recur
            yield "words", words(table, limit=WORDS)
        if table.task.open or (table.task.can_invent and is_outside(table).any()):
            yield "invented", invented(table)
        yield "triage", triage(table, limit=SUSPECTS)
        yield "oracle", oracle(table)
    if (table.task.attributes and has_text) or of_items(table):
        yield from _by_attributes(table, metric, scores, train, seed, learning)
    for name, make in available(table).items():
        if (found := make(table, Drawing(seed=seed))) is not None:
            yield f"study-{name}", found


def _known(table: OutcomeTable, tested: Significance) -> dict[tuple[int, int], Ends]:
    """The intervals of pairs that differences would draw again: of the same score, drawn alike."""
    metric, drawn = tested.metric, tested.settings
    alike = Drawing(drawn.intervals, drawn.level, drawn.seed) == Drawing(seed=drawn.seed)
    if not alike or compared(table, None) != metric or metric.silent != SILENT:
        return {}
    found = ((one.first, one.second, one.comparison) for one in tested.pairs)
    return {(first, second): Ends(one.low, one.high) for first, second, one in found}


def _by_attributes(
    table: OutcomeTable,
    metric: Metric,
    scores: Scores,
    train: Corpus | None,
    seed: int,
    learning: Reading,
) -> Iterator[tuple[str, Result]]:
    """Buckets, what they come to, and slices: where the best is weak, where the next differs."""
    of_units = table.task.unit_metric() if metric.whole_documents else metric
    scored = buckets(
        table, train=train, metric=of_units, intervals=RESAMPLES, seed=seed, **learning
    )
    yield "buckets", scored
    if scored.attributes:
        yield "diagnose", diagnosis(table, scored)
    if table.n_gold > facts.SLICED or table.task.members:
        return
    order = ranked(table.systems, metric.scale.quality(scores.overall[metric.name]))
    names = [table.systems[place] for place in order]
    yield "slices", slices(table, names[0], train=train, seed=seed, **learning)
    if len(names) > 1:
        pair = (names[0], names[1])
        yield "pair_slices", slices(table, pair, train=train, seed=seed, **learning)


def ranked(names: tuple[str, ...], values: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """Places from the highest value to the lowest; undefined ones last, equals by name.

    >>> ranked(("a", "b", "c"), np.array([0.5, np.nan, 0.9]))
    (2, 0, 1)
    """
    known = np.nan_to_num(values, nan=-np.inf).tolist()
    return tuple(sorted(range(len(names)), key=lambda place: (-known[place], names[place])))
