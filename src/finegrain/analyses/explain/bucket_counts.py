"""Units fall into the buckets of attributes, and are counted and scored there.

>>> from finegrain.attributes import by_name
>>> from finegrain.corpus import Corpus
>>> from finegrain.metrics import METRICS
>>> from finegrain.tasks.spans import align
>>> text = [["Ada", "saw", "New", "York"]]
>>> gold = Corpus.of(text, tags=[["B-PER", "O", "B-LOC", "I-LOC"]])
>>> found, = bucket_counts(
...     align(gold, {"same": gold}), [by_name("entity_length")], [METRICS["traditional_f1"]]
... )
>>> found.gold.tolist()
[1, 1]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.entity_tokens import TokensOf, entity_tokens, tokens_of
from finegrain.analyses.explain.bucket_intervals import bucket_intervals
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.bucket_units import MOST, BucketUnits, holding
from finegrain.analyses.scores.breakdown import sample_scores
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import Bucketing, Categories, Division, with_buckets
from finegrain.attributes.training import TrainingData
from finegrain.attributes.units import Units
from finegrain.corpus import Coded
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import NO_INTERVALS, Drawing
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples, whole
from finegrain.table.verdicts import costs, produced, right, right_or_wrong

Crossed = tuple[Attribute, Attribute]


@dataclass(frozen=True, slots=True)
class Divisions:
    """How values are divided, where not as their attribute says.

    ``bucketing``: of attributes by name, in place of their own; ``number``: of buckets, in place
    of what the bucketing says.
    """

    bucketing: Mapping[str, Bucketing] = field(default_factory=dict)
    number: int | None = None


_AS_THEY_ARE = Divisions()


def bucket_counts(
    table: OutcomeTable,
    by: Sequence[Attribute | Crossed],
    metrics: Sequence[Metric],
    *,
    training: TrainingData | None = None,
    divisions: Divisions = _AS_THEY_ARE,
    drawing: Drawing = NO_INTERVALS,
) -> tuple[BucketScores, ...]:
    """Count and score all systems in the buckets of every attribute.

    Parameters
    ----------
    by: attributes, or pairs of attributes to be crossed
    metrics: what to score; the first one is compared across buckets
    training: for attributes that are learnt
    drawing: of intervals of the first metric
    """
    for metric in metrics:
        _require_units(metric)
    levels = _Levels(Units(table, training), metrics[0])
    found: list[BucketScores] = []
    for one in by:
        crossed = (one,) if isinstance(one, Attribute) else one
        sides = levels.units if _level(crossed) == "unit" else levels.tokens()
        parts = [_part(sides.units, attribute, divisions) for attribute in crossed]
        scored = _scored(sides, crossed, parts, tuple(metrics), drawing)
        found.append(scored if len(parts) > 1 else _with_units(scored, levels, sides, parts[0]))
    return tuple(found)


class _Sides(NamedTuple):
    """Units; ``[unit, system]`` which of them systems have, are hits, are errors; their score."""

    units: Units
    predicted: NDArray[np.bool_]
    hits: NDArray[np.bool_]
    errors: NDArray[np.bool_]
    overall: NDArray[np.float64]

    @classmethod
    def of(cls, units: Units, metric: Metric) -> _Sides:
        table = units.table
        hits = right(table) & table.is_gold[:, None]
        overall = metric.score(metric.statistics(table, whole(table)))[0]
        return cls(units, produced(table), hits, costs(table), overall)


class _Levels:
    """The units of a table, and their tokens, which are made when they are first needed."""

    def __init__(self, units: Units, metric: Metric) -> None:
        self.units = _Sides.of(units, metric)
        self._metric = metric
        self._tokens: _Sides | None = None
        self._tokens_of: TokensOf | None = None

    def tokens(self) -> _Sides:
        if self._tokens is None:
            units = self.units.units
            tokens = entity_tokens(units.table)
            same = tokens is units.table
            own = Units(tokens, units.training)
            self._tokens = self.units if same else _Sides.of(own, self._metric)
        return self._tokens

    def tokens_of(self) -> TokensOf:
        if self._tokens_of is None:
            self._tokens_of = tokens_of(self.units.units.table)
        return self._tokens_of


def _with_units(scored: BucketScores, levels: _Levels, sides: _Sides, part: _Part) -> BucketScores:
    """The same with the units of the table behind its buckets."""
    table, errors = levels.units.units.table, levels.units.errors
    graded = not right_or_wrong(table)
    if sides is levels.units:
        units = BucketUnits(table.systems, scored.gold, scored.errors, graded=graded)
        return replace(scored, units=units)
    size = len(part.division)
    if size > MOST:
        return scored
    columns = np.column_stack([table.is_gold, errors])
    masks, counts = holding(levels.tokens_of(), part.codes, size, columns)
    units = BucketUnits(table.systems, counts[:, 0], counts[:, 1:], masks, graded)
    return replace(scored, units=units)


def _require_units(metric: Metric) -> None:
    if metric.whole_documents or metric.whole_sentences:
        cut = "documents" if metric.whole_documents else "sentences"
        raise UsageError(f"{metric.name} is about whole {cut}, which buckets of units would cut")


def _level(crossed: tuple[Attribute, ...]) -> Literal["unit", "token"]:
    levels = {one.level for one in crossed}
    if len(levels) > 1:
        named = " and ".join(f"{one.name} ({one.level})" for one in crossed)
        raise UsageError(f"attributes of units and of tokens cannot be crossed: {named}")
    return crossed[0].level


class _Part(NamedTuple):
    """Buckets of one attribute: ``codes`` ``[unit]``; ``zeta``, the mean of gold values."""

    division: Division
    codes: NDArray[np.int64]
    zeta: float


def _part(units: Units, attribute: Attribute, divisions: Divisions) -> _Part:
    bucketing = divisions.bucketing.get(attribute.name, attribute.default_bucketing)
    if divisions.number is not None:
        bucketing = with_buckets(bucketing, divisions.number)
    values = attribute.of(units)
    gold = units.table.is_gold
    if isinstance(values, Coded) != isinstance(bucketing, Categories):
        what = "categories" if isinstance(values, Coded) else "numbers"
        how = type(bucketing).__name__
        raise UsageError(f"{attribute.name} has {what}: {how} does not divide them")
    division = bucketing.divide(values, gold)  # type: ignore[arg-type]  # of its kind: see above
    zeta = float("nan")
    if not isinstance(values, Coded):
        defined = values[gold & ~np.isnan(values)]
        zeta = float(defined.mean()) if len(defined) else zeta
    return _Part(division, division.codes(values), zeta)


def _scored(
    sides: _Sides,
    attributes: tuple[Attribute, ...],
    parts: Sequence[_Part],
    metrics: tuple[Metric, ...],
    drawing: Drawing,
) -> BucketScores:
    table = sides.units.table
    of_tokens = attributes[0].level == "token"
    codes, size = parts[0].codes, len(parts[0].division)
    for part in parts[1:]:
        codes, size = codes * len(part.division) + part.codes, size * len(part.division)

    def count(rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        """``[bucket, system]``."""
        columns = [np.bincount(codes[column], minlength=size) for column in rows.T]
        return np.array(columns, np.int64).reshape(len(columns), size).T

    return BucketScores(
        attributes,
        tuple(part.division for part in parts),
        count(table.is_gold[:, None])[:, 0],
        count(sides.predicted),
        count(sides.hits),
        count(sides.errors),
        metrics,
        sample_scores(table, Samples(codes, size), metrics),
        parts[0].zeta if len(parts) == 1 else float("nan"),
        sides.overall,
        bucket_intervals(table, Samples(codes, size), metrics[0], drawing),
        tokens_of=table.task.words.units if table.task.open and of_tokens else "",
    )
