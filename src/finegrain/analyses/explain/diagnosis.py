"""What the buckets of attributes say of systems, of attributes, and of two systems compared.

Model-wise: how the score of a system goes with an attribute (Spearman's correlation of score and
bucket, S_rho) and how much it varies (standard deviation, S_sigma). Attribute-wise: the mean value
of gold units (zeta), and the mean size of S_rho over systems (rho). Bucket-wise: the buckets in
which a system is best and worst, and those in which it is farthest ahead of another and farthest
behind (Fu, Liu and Neubig 2020, section 5).

>>> import finegrain as fg
>>> play = fg.simulate(tokens=4_000, seed=1)
>>> found = fg.diagnose(fg.align(play.gold, play.systems), system="crf", against="neural")
>>> lengths = found.to_json()["attributes"]["entity_length"]["self_diagnosis"]["crf"]
>>> lengths["best"], lengths["worst"]             # planted: it cuts or misses long entities
('S', 'XL')
>>> found.to_json()["comparisons"][0]["attributes"]["entity_length"]["smallest"]
'XL'

Of equal buckets the lowest is named. Buckets without a score, and the bucket of units without a
value, are not compared. Limits: a bucket with few gold units says little, whatever its score; it is
named all the same, with its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain import diagnosis_listings
from finegrain.analyses.explain.bucket_extremes import best_other
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.buckets import Buckets, Choices, Pair, buckets
from finegrain.analyses.listing import Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed
from finegrain.analyses.scores.breakdown import sample_scores
from finegrain.attributes.choosing import Wanted
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric
from finegrain.table import OutcomeTable, Task
from finegrain.table.samples import whole


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """How a system differs from another, bucket by bucket.

    ``against`` is ``None`` for the best of the others, which may be another system in every bucket.
    ``differences`` (how much better the system is) and ``rivals`` are ``[bucket]`` for each
    attribute; rivals are places of systems, -1 where none has a score.
    """

    system: int
    against: int | None
    differences: tuple[NDArray[np.float64], ...]
    rivals: tuple[NDArray[np.int64], ...]

    def turned(self) -> Comparison:
        """The same from the other side; one with the best of the others has none.

        >>> one = Comparison(0, 1, (np.array([0.25]),), (np.array([1]),))
        >>> one.turned()
        Comparison(system=1, against=0, differences=(array([-0.25]),), rivals=(array([0]),))
        """
        if self.against is None:
            return self
        differences = tuple(-one for one in self.differences)
        rivals = tuple(np.full_like(one, self.system) for one in self.rivals)
        return Comparison(self.against, self.system, differences, rivals)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Diagnosis(Printed):
    """Attributes, systems and comparisons; ``overall`` ``[system]`` is the score of all units."""

    task: Task
    systems: tuple[str, ...]
    metric: Metric
    overall: NDArray[np.float64]
    attributes: tuple[BucketScores, ...]
    comparisons: tuple[Comparison, ...]
    signature: str
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return diagnosis_listings.to_json(self)

    def listings(self) -> tuple[Listing, ...]:
        return diagnosis_listings.listings(self)

    def records(self) -> Listing:
        return diagnosis_listings.records(self)


def diagnose(
    table: OutcomeTable,
    by: Wanted | Sequence[Wanted | Pair] | None = None,
    *,
    system: str | None = None,
    against: str | None = None,
    train: Corpus | None = None,
    where: str = "",
    **choices: Unpack[Choices],
) -> Diagnosis:
    """Say what goes with the scores of systems, and in which buckets they are good and bad.

    Parameters
    ----------
    by: attributes, as in ``buckets``; default: those of the task
    system: the system to compare with others; default: every one, or the first of two
    against: the system it is compared with; default: the best of the others in every bucket
    where: only the units that this holds for, as in ``score``
    train: training data, for attributes that are learnt from them
    choices: ``metric``, ``buckets``, ``bucketing``, ``strategy``, ``preset``,
        ``fold_case`` and how training data are read, as in ``buckets``
    """
    table = restrict(table, where)
    return diagnosis(
        table, buckets(table, by, train=train, **choices), system=system, against=against
    )


def diagnosis(
    table: OutcomeTable, found: Buckets, *, system: str | None = None, against: str | None = None
) -> Diagnosis:
    """Read the buckets of a table.

    Parameters
    ----------
    found: scores by bucket of the same table
    system: the system that is compared; default: every one, or the first of two
    against: the system it is compared with; default: the best of the others in every bucket
    """
    if not found.attributes:
        raise UsageError("a diagnosis needs at least one attribute")
    metric = found.attributes[0].metrics[0]
    overall = sample_scores(table, whole(table), [metric])[metric.name][0]
    comparisons = tuple(
        _comparison(found, one, other)
        for one, other in _wanted(table, system=system, against=against)
    )
    return Diagnosis(
        found.task,
        found.systems,
        metric,
        overall,
        found.attributes,
        comparisons,
        found.signature,
        found.notes,
    )


def _wanted(
    table: OutcomeTable, *, system: str | None, against: str | None
) -> list[tuple[int, int | None]]:
    """Pairs of places of systems, ``None`` for the best of the others."""
    if system is not None and system == against:
        raise UsageError(f"{system!r} is not compared with itself")
    other = None if against is None else table.system(against)
    if system is not None:
        one = table.system(system)
        return [(one, other)] if table.n_systems > 1 else []
    if other is not None:
        return [(one, other) for one in range(table.n_systems) if one != other]
    if table.n_systems == 2:
        return [(0, 1)]
    return [(one, None) for one in range(table.n_systems)] if table.n_systems > 2 else []


def _comparison(found: Buckets, one: int, other: int | None) -> Comparison:
    differences, rivals = [], []
    for attribute in found.attributes:
        scores, scale = attribute.main(), attribute.scale
        rival = np.full(len(scores), other) if other is not None else None
        rival = best_other(scale.quality(scores), one, found.systems) if rival is None else rival
        rivals.append(rival)
        padded = np.column_stack([scores, np.full(len(scores), np.nan)])  # the last serves -1
        differences.append(scale.gain(padded[np.arange(len(scores)), rival], scores[:, one]))
    return Comparison(one, other, tuple(differences), tuple(rivals))
