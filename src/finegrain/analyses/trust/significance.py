"""Which differences between systems are more than chance: all pairs, with correction.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=5_000, seed=1)
>>> table = fg.align(play.gold, play.systems)
>>> found = fg.significance(table, metric="fair_f1", seed=1)
>>> found.test, found.sampling, len(found.pairs)
('randomisation', ('document', 21), 6)

Documents are what is exchanged and drawn, sentences where the corpus has no documents. The p of
several pairs are corrected (Holm by default), groups and rank intervals come from the corrected
ones; intervals of differences are for one pair each. With a margin, pairs that do not differ may
still be shown to be equivalent: both one-sided tests of the margin reject (Schuirmann 1987).

>>> narrow, wide = (fg.significance(table, "fair_f1", margin=margin) for margin in (0.01, 0.2))
>>> [one.verdict(one.pairs[-1]) for one in (narrow, wide)]
['undecided', 'equivalent']
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.interval_cells import interval_notes
from finegrain.analyses.listing import Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed
from finegrain.analyses.scores.score_intervals import ScoreIntervals, score_intervals
from finegrain.analyses.signature import signature
from finegrain.analyses.trust import significance_listings, significance_notes
from finegrain.analyses.trust import significance_requirements as requirements
from finegrain.errors import UsageError
from finegrain.metrics.choosing import ranked
from finegrain.metrics.metric import Metric
from finegrain.resampling import many, margins
from finegrain.resampling.distinct import said_of_pooling
from finegrain.resampling.intervals import Interval
from finegrain.resampling.pairs import (
    EXACT_TESTS,
    Comparison,
    Settings,
    System,
    Test,
    compare,
    moved,
    sample_scores,
)
from finegrain.resampling.power import Spread, detectable, detectable_range, needed
from finegrain.resampling.sampling import (
    Sampling,
    compared,
    effective_number,
    on_common_units,
    sampling_of,
    weights_of,
)
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import Scale
from finegrain.table.verdicts import of_pair, right

Verdict = Literal["better", "worse", "equivalent", "undecided"]
Progress = Callable[[Iterator[Comparison]], Iterable[Comparison]]


class Compared(NamedTuple):
    """Two systems by their places, how they compare, and p corrected for all pairs.

    ``equivalence``: the corrected p of the hypothesis that they differ by the margin or more.
    """

    first: int
    second: int
    comparison: Comparison
    adjusted: float
    equivalence: float = math.nan


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Significance(Printed):
    """Scores ``[system]`` with intervals, all pairs, groups that may be equal, possible ranks.

    ``sampling`` is what was drawn and how much of it there is; ``detect`` the difference that
    power is told for; ``groups`` are letters, two systems share one unless they differ;
    ``effective`` is how many samples of equal size say as much; ``margin``: differences below it do
    not matter, nan if none was named.
    """

    task: Task
    systems: tuple[str, ...]
    metric: Metric
    test: Test
    correction: str
    settings: Settings
    sampling: tuple[str, int]
    effective: float
    sentences: int
    detect: float
    margin: float
    values: NDArray[np.float64]
    interval: Interval
    pairs: tuple[Compared, ...]
    groups: tuple[str, ...]
    ranks: many.Ranks
    signature: str
    notes: tuple[str, ...]

    def pair(self, first: str, second: str) -> Comparison:
        """How the second system compares with the first."""
        for name in (first, second):
            if name not in self.systems:
                raise UsageError.unknown("system", name, self.systems)
        wanted = (self.systems.index(first), self.systems.index(second))
        for one in self.pairs:
            if (one.first, one.second) == wanted:
                return one.comparison
            if (one.second, one.first) == wanted:
                return _mirrored(one.comparison)
        raise UsageError(f"{first!r} is not compared with itself")

    def significant(self, tested: Compared) -> bool:
        """Whether a pair differs at the level that was chosen."""
        return tested.adjusted <= 1 - self.settings.level + 1e-12

    def verdict(self, tested: Compared) -> Verdict:
        """What is shown of the second system, at the corrected level."""
        alpha = 1 - self.settings.level + 1e-12
        if tested.adjusted <= alpha:
            gained = float(self.metric.scale.quality(np.array(tested.comparison.difference)))
            return "better" if gained > 0 else "worse"
        return "equivalent" if tested.equivalence <= alpha else "undecided"

    @property
    def corrected_level(self) -> float:
        """At which each pair is tested if none differs: for Holm, that of Bonferroni."""
        tests = sum(not math.isnan(one.comparison.p) for one in self.pairs)
        several = max(1, tests) if self.correction == "holm" else 1
        return 1 - (1 - self.settings.level) / several

    def spread(self, tested: Compared) -> Spread:
        """How exactly the test sees the difference of a pair."""
        scores = self.metric.scale.quality(self.values[[tested.first, tested.second]])
        return spread_of(tested.comparison, float(scores.max()), self.metric.scale)

    def detectable(self, tested: Compared) -> float | None:
        """The difference that is found with a power of 80 %; ``None`` if too few samples tell."""
        spread = self.spread(tested)
        return detectable(spread, level=self.corrected_level) if spread.tells else None

    def detectable_range(self, tested: Compared) -> tuple[float, float] | None:
        """Where that difference may lie, as it is known from this test set alone."""
        spread = self.spread(tested)
        return detectable_range(spread, level=self.corrected_level) if spread.tells else None

    def needed(self, tested: Compared) -> int | None:
        """How many samples find the difference ``detect`` with this power, if it can be told."""
        return needed(self.spread(tested), self.detect, level=self.corrected_level)

    def to_json(self) -> dict[str, Any]:
        return significance_listings.to_json(self)

    def listings(self) -> tuple[Listing, ...]:
        return significance_listings.listings(self)

    def records(self) -> Listing:
        return significance_listings.records(self)


def spread_of(found: Comparison, best: float, scale: Scale) -> Spread:
    """How exactly a test sees a difference; ``best``: the better score."""
    tested, spread = found.tested, found.spread
    if tested is not None:
        spread = spread._replace(error=tested.error)
    return spread._replace(share=best if scale.range == (0.0, 1.0) and scale.higher else math.nan)


def _mirrored(found: Comparison) -> Comparison:
    return found._replace(
        tested=None if found.tested is None else found.tested.mirrored(),
        lower=found.higher,
        higher=found.lower,
        difference=-found.difference,
        low=-found.high,
        high=-found.low,
        better=found.worse,
        worse=found.better,
    )


def significance(
    table: OutcomeTable,
    metric: str | Metric | None = None,
    *,
    test: Test = "randomisation",
    correction: str = "holm",
    assume_independent: bool = False,
    detect: float = 0.005,
    margin: float | None = None,
    resamples: int = 10_000,
    intervals: int = 1_000,
    confidence: float = 0.95,
    seed: int = 1,
    jobs: int = 1,
    progress: Progress | None = None,
    where: str = "",
) -> Significance:
    """Which systems differ by more than chance: all pairs, groups, possible ranks, power.

    Parameters
    ----------
    metric: by name or as a value; default: traditional F1 of spans, accuracy of tags
    test: ``randomisation``, ``bootstrap``, ``mcnemar``, ``sign``, ``wilcoxon`` or ``t``; scores of
        outputs that cannot be exchanged, such as clusters, are tested by ``bootstrap``
    correction: of p for all pairs: ``holm``, ``benjamini-hochberg`` or ``none``
    assume_independent: sentences and units of a document do not depend on each other
    detect: the difference, e.g. 0.005, to tell power and a sufficient size for; of a score that is
        no proportion, its share of the best score
    margin: differences below it do not matter; pairs may then be found equivalent. In the same unit
        as ``detect``
    resamples, intervals: number of resamples for p, and for intervals
    confidence: of intervals; a pair differs if its corrected p is at most 1 - confidence
    seed: the same seed, files and version of numpy give the same digits
    jobs: pairs that are compared at the same time
    progress: goes through the comparisons as they are made, to show how far it is
    where: only the units that this holds for, as in ``score``
    """
    table = restrict(table, where)
    return _all_pairs(
        table,
        ranked(table, metric),
        settings=Settings(test, resamples, intervals, confidence, seed),
        correction=correction,
        assume_independent=assume_independent,
        detect=detect,
        margin=margin,
        jobs=jobs,
        progress=progress,
    )


def _all_pairs(
    table: OutcomeTable,
    metric: Metric,
    *,
    settings: Settings,
    correction: str,
    assume_independent: bool,
    detect: float,
    margin: float | None,
    jobs: int,
    progress: Progress | None,
) -> Significance:
    requirements.require(table, metric, settings, correction, {"detect": detect, "margin": margin})
    if settings.test == "randomisation" and not metric.exchangeable:
        settings = replace(settings, test="bootstrap")
    of_sentences = assume_independent or settings.test == "sign"
    if metric.whole_documents and (of_sentences or table.corpus.documents is None):
        parts = table.task.words.places
        raise UsageError(
            f"{metric.name} scores whole documents, so that {parts} cannot be compared by it"
        )
    sampling = sampling_of(table, kind="sentence" if of_sentences else None)
    if settings.test in EXACT_TESTS and not assume_independent:
        requirements.require_single(table, settings.test)
    counted = on_common_units(table, metric, sampling, compared)
    one_pair = _comparing(table, metric, counted, settings, sampling)
    places = list(combinations(range(table.n_systems), 2))
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        comparisons = list((progress or list)(pool.map(one_pair, places)))
    own = (counted([system])[0] for system in range(table.n_systems))
    values = np.array([float(metric.score(one.total())) for one in own])
    unit = _unit(metric.scale, values)
    within = math.nan if margin is None else margin * unit
    correct = many.CORRECTIONS[correction]
    adjusted = correct([found.p for found in comparisons])
    same = correct([margins.equivalence(found, within) for found in comparisons])
    pairs = tuple(map(Compared, *zip(*places, strict=True), comparisons, adjusted, same))
    ends = score_intervals(
        table, [metric], resamples=settings.intervals, seed=settings.seed,
        confidence=settings.level, sampling=sampling,
    )  # fmt: skip
    return _result(
        table, metric, settings, pairs, values, ends,
        correction=correction, sampling=sampling, assume_independent=assume_independent,
        detect=detect * unit, margin=within,
    )  # fmt: skip


def _comparing(
    table: OutcomeTable,
    metric: Metric,
    counted: Callable[[Sequence[int]], Sequence[System]],
    settings: Settings,
    sampling: Sampling,
) -> Callable[[tuple[int, int]], Comparison]:
    """Two places of systems -> how the second compares with the first."""
    verdict = right(table) if settings.test == "mcnemar" else None
    weights = weights_of(table, metric, sampling)

    def one_pair(places: tuple[int, int]) -> Comparison:
        one, other = counted(places)
        counts = None
        if verdict is not None:
            counts = _only_one_right(table, verdict, *places)
        elif settings.test == "sign":
            counts = _only_one_better(one, other, metric)
        how: dict[str, Any] = {"scale": metric.scale, "silent": metric.silent, "counts": counts}
        how["weights"] = weights
        return compare(one, other, metric.score, settings, **how)

    return one_pair


def _unit(scale: Scale, values: NDArray[np.float64]) -> float:
    """What a share of it is a share of: 1 of proportions, else the best score."""
    best = 1.0 if scale.shown == "percent" else abs(float(scale.top(values)))
    return 0.0 if math.isnan(best) else best


def _result(
    table: OutcomeTable,
    metric: Metric,
    settings: Settings,
    pairs: tuple[Compared, ...],
    values: NDArray[np.float64],
    ends: ScoreIntervals,
    *,
    correction: str,
    sampling: Sampling,
    assume_independent: bool,
    detect: float,
    margin: float,
) -> Significance:
    alpha = 1 - settings.level + 1e-12
    different = np.zeros((table.n_systems, table.n_systems), bool)
    for one in pairs:
        different[one.first, one.second] = different[one.second, one.first] = one.adjusted <= alpha
    said = {"metric": metric.name, "test": settings.test, "correction": correction}
    said |= {"sample": "unit"} if settings.test == "mcnemar" else sampling.said()
    drawn_in_blocks = [found.comparison.pooled for found in pairs]
    said |= said_of_pooling(drawn_in_blocks)
    said |= {} if math.isnan(margin) else {"margin": f"{margin:g}"}
    said |= {"resamples": str(settings.resamples)} if settings.resampled else {}
    said |= {"intervals": str(settings.intervals), "confidence": f"{settings.level:g}"}
    said["seed"] = str(settings.seed)
    bounds = Interval(*ends.overall[metric.name].T)
    missing = bool(np.isnan(bounds.low).any())
    effective = effective_number(table, sampling)
    told = interval_notes(
        sampling.kind, missing=missing, independent=assume_independent,
        effective=effective if sampling.kind == "document" else math.inf,
    )  # fmt: skip
    return Significance(
        table.task,
        table.systems,
        metric,
        settings.test,
        correction,
        settings,
        (sampling.kind, sampling.samples.size),
        effective,
        table.corpus.n_sentences,
        detect,
        margin,
        values,
        bounds,
        pairs,
        tuple(many.letters(metric.scale.order(values), different)),
        many.ranks(metric.scale.quality(values), different),
        signature(table, **said),
        (
            *table.notes,
            *significance_notes.notes(pairs, metric, settings, sampling, correction),
            *significance_notes.without_value(table, metric),
            *told,
        ),
    )


def _only_one_right(
    table: OutcomeTable, verdict: NDArray[np.bool_], one: int, other: int
) -> tuple[int, int]:
    """How many units only the first and only the second system is right about."""
    rows = of_pair(table, one, other)
    first, second = verdict[rows, one], verdict[rows, other]
    return int((first & ~second).sum()), int((second & ~first).sum())


def _only_one_better(one: System, other: System, metric: Metric) -> tuple[int, int]:
    """How many samples the first and the second system is better in."""
    scores = sample_scores(one, other, metric.score, silent=metric.silent)
    found = moved(scores, metric.scale)
    return found.worse, found.better
