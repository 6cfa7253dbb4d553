"""The verb that runs every analysis that fits a table: report.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> report = fg.report(fg.align(*small_corpora("tags")), title="A small corpus")
>>> report.title, "confusion" in report.results, "invented" in report.results
('A small corpus', True, False)

What fits is decided by the table: comparisons need two systems, labels something that has labels,
words a text. A result is the same as that of its own command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from finegrain.analyses.compare.bin_features import bin_features
from finegrain.analyses.compare.difference_matrix import differences
from finegrain.analyses.compare.difficulty import bins, difficulty
from finegrain.analyses.compare.invented import invented
from finegrain.analyses.compare.oracle import oracle
from finegrain.analyses.compare.triage import Triage, triage
from finegrain.analyses.compare.word_bins import WordBins, word_bins
from finegrain.analyses.explain.buckets import buckets
from finegrain.analyses.explain.diagnosis import diagnosis
from finegrain.analyses.reports import facts
from finegrain.analyses.reports.embedded_buckets import (
    bucket_codes,
    bucket_masks,
    divided,
    suspicion,
)
from finegrain.analyses.reports.embedded_units import MOST, embedded_units
from finegrain.analyses.reports.report import Report, ranked
from finegrain.analyses.reports.report import report as put_together
from finegrain.analyses.result import Result
from finegrain.analyses.scores.confusion import confusion
from finegrain.analyses.scores.error_types import error_types
from finegrain.analyses.scores.score import Scores, score
from finegrain.analyses.trust.significance import significance
from finegrain.analyses.trust.slices import slices
from finegrain.attributes.surfaces import surfaces
from finegrain.attributes.training import prepare
from finegrain.corpus import Corpus, IntArray
from finegrain.corpus.document import MEMORY
from finegrain.errors import UsageError
from finegrain.formats.source import stem
from finegrain.formats.standard_input import STANDARD_INPUT
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import RESAMPLES, Drawing
from finegrain.sizes import sized
from finegrain.table import OutcomeTable
from finegrain.table.outside import is_outside

_NAMED, _LINE = 3, 60  # systems, and characters of their names, that a title has room for
COMPARED = 16  # systems: so many have 120 pairs, which is what a reader can look through
WORDS, SUSPECTS = 12, 20
Run = Callable[[], Result]


def report(
    table: OutcomeTable,
    *,
    train: Corpus | None = None,
    title: str | None = None,
    instances: int = MOST,
    seed: int = 1,
    **learning: Any,
) -> Report:
    """Run all analyses that fit the table and write down what they come to.

    Parameters
    ----------
    train: training data, for attributes that are learnt
    title: of the page; default: what the systems and the gold file are called
    instances: units that a page holds at most, chosen so that there are some behind every number
    seed: of intervals and tests
    learning: how the training data are read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    if not isinstance(table, OutcomeTable):
        raise UsageError("report takes an outcome table: fg.align(gold, systems)")
    if not table.n_systems:
        raise UsageError("a report needs at least one system")
    if instances < 1:
        raise UsageError(f"a page holds at least one instance, not {instances}")
    metric = table.task.first_metric()
    results = dict(_results(table, metric, train, seed, learning))
    data = None if train is None else prepare(train, table, **learning)
    found = divided(results)
    codes = {**bucket_codes(table, found, data), **suspicion(table, results)}
    masks, named = bucket_masks(found), _named(table, results)
    return put_together(
        table,
        results,
        metric,
        title=title or _title(table),
        units=embedded_units(table, most=instances, columns=codes, masks=masks, asked=named),
        codes=codes,
        drawing=Drawing(seed=seed),
    )


def _title(table: OutcomeTable) -> str:
    """Few systems by their names, many by their number; of files, the name without its folder."""
    *others, last = table.systems
    said = f"{', '.join(others)} and {last}" if others else last
    if table.n_systems > _NAMED or len(said) > _LINE:
        said = sized(table.n_systems, "system")
    gold = table.corpus.source
    return said if gold in (MEMORY, STANDARD_INPUT) else f"{said} on {stem(gold)}"


def _named(table: OutcomeTable, results: Mapping[str, Result]) -> IntArray:
    """Rows that the page leads to one by one: suspects, and every word in every bin."""
    rows = [suspects.rows] if isinstance(suspects := results.get("triage"), Triage) else []
    if isinstance(words := results.get("words"), WordBins):
        known = surfaces(table)
        if known is not None:
            listed = [known.find(word) for word in words.words]
            mentions = np.flatnonzero(table.is_gold & np.isin(known.codes, listed))
            places = known.codes[mentions] * (table.n_systems + 1) + bins(table)[mentions]
            rows.append(mentions[np.unique(places, return_index=True)[1]])
    return np.unique(np.concatenate(rows)) if rows else np.zeros(0, np.int64)


def _results(
    table: OutcomeTable, metric: Metric, train: Corpus | None, seed: int, learning: dict[str, Any]
) -> Iterator[tuple[str, Result]]:
    """Results by the names of their commands, in the order of the page."""
    schemes = ("all",) if "schemes" in table.task.choices else ()
    scores = score(table, intervals=RESAMPLES, seed=seed, schemes=schemes)
    yield "score", scores
    several, answered = table.n_systems > 1, table.task.tells_errors_apart
    has_text = table.corpus.tokens is not None
    has_gold = bool(table.is_gold.any())
    if several and has_gold:
        yield "significance", significance(table, metric, seed=seed)
    if answered:
        yield "errors", error_types(table)
        if table.task.confusable:
            yield "confusion", confusion(table)
    if several:
        best = ranked(table.systems, scores.overall[metric.name])[:COMPARED]
        names = [table.systems[place] for place in sorted(best)]
        yield (
            "differences",
            differences(table, systems=names, intervals=RESAMPLES, seed=seed),
        )
    if not has_gold:
        return
    if several:
        yield "difficulty", difficulty(table)
        if has_text or table.task.words.context:
            yield "features", bin_features(table)
        if has_text:
            yield "words", word_bins(table, limit=WORDS)
        if table.task.open or is_outside(table).any():
            yield "invented", invented(table)
        yield "triage", triage(table, limit=SUSPECTS)
        yield "oracle", oracle(table)
    if table.task.attributes and has_text:
        yield from _by_attributes(table, metric, scores, train, seed, learning)


def _by_attributes(
    table: OutcomeTable,
    metric: Metric,
    scores: Scores,
    train: Corpus | None,
    seed: int,
    learning: dict[str, Any],
) -> Iterator[tuple[str, Result]]:
    """Buckets, what they come to, and slices: where the best is weak, where the next differs."""
    of_units = table.task.unit_metric() if metric.whole_documents else metric
    scored = buckets(
        table, train=train, metric=of_units, intervals=RESAMPLES, seed=seed, **learning
    )
    yield "buckets", scored
    if scored.attributes:
        yield "diagnose", diagnosis(table, scored)
    if table.n_gold > facts.SLICED:
        return
    names = [table.systems[place] for place in ranked(table.systems, scores.overall[metric.name])]
    yield "slices", slices(table, names[0], train=train, seed=seed, **learning)
    if len(names) > 1:
        pair = (names[0], names[1])
        yield "pair_slices", slices(table, pair, train=train, seed=seed, **learning)
