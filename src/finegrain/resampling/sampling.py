"""What is resampled: documents, or sentences where the corpus has no documents.

Units of one document are not independent: the same name is found or missed all through a text.
Resampling units or sentences then takes repetition for evidence; in simulations with differing
documents such tests reject several times as many true null hypotheses as they promise (the
calibration study in docs/significance.md).

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["a"], ["b"], ["c"]], documents=[0, 0, 1], tags=[["N"], ["V"], ["N"]])
>>> sampling_of(align(gold, {"s": gold})).said()
{'sample': 'document', 'n': '2'}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.corpus.items import coded
from finegrain.errors import UsageError
from finegrain.metrics.document_scores import unlabelled
from finegrain.metrics.label_counts import OverLabels
from finegrain.metrics.label_statistics import Cells, LabelStatistics
from finegrain.metrics.metric import Metric, Score, Statistics
from finegrain.metrics.values import OfParts
from finegrain.metrics.weighing import Observing
from finegrain.resampling.distinct import Distinct, Repeated, distinct, flattened, merged
from finegrain.resampling.labelled import Labelled, Size, distinct_cells
from finegrain.resampling.sample_weights import Floats, document_weights
from finegrain.resampling.weighted import Observed
from finegrain.table import OutcomeTable
from finegrain.table.samples import FEWEST, Samples, documents, sentences

Counts = TypeVar("Counts")
_CELLS = 1 << 18  # of statistics in memory at once


@dataclass(frozen=True, slots=True, eq=False)
class Sampling:
    """How units fall into the samples that are drawn: documents, or what units stand in.

    ``further``: what else is drawn, such as raters: a unit then weighs how often its sample was
    drawn times how often its rater was. Exchanges are those of samples. ``inside``: the same of
    parts of units, as where several raters rated a unit; name -> how many there are.
    """

    kind: str
    samples: Samples
    further: Mapping[str, Samples] = field(default_factory=dict)
    inside: Mapping[str, int] = field(default_factory=dict)

    @property
    def factors(self) -> tuple[Samples, ...]:
        """All that is drawn at once; the weight of a unit is the product over them."""
        return (self.samples, *self.further.values())

    @property
    def crossed(self) -> bool:
        """Whether units belong to several samples, so that these have no sums of their own."""
        return bool(self.further or self.inside) or self.samples.codes.ndim > 1

    def summed(self, rows: IntArray | slice, values: NDArray[np.float64]) -> Distinct:
        """What units contribute, ``[unit, ...]`` for the given rows, as samples are drawn of it.

        Added up by sample, unless units belong to several samples: then kept, to be weighed.
        """
        codes, size = self.samples.codes[rows], self.samples.size
        if codes.ndim > 1:
            return Observed.of_rows(flattened(values), [codes], [size], shape=values.shape[1:])
        return distinct(self.sums(rows, values))

    def sums(self, rows: IntArray | slice, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """``[sample, ...]`` the same added up, where units belong to one sample each."""
        codes, size = self.samples.codes[rows], self.samples.size
        sums = np.array([np.bincount(codes, own, minlength=size) for own in flattened(values).T])
        return sums.T.reshape(size, *values.shape[1:])

    def where(self, rows: NDArray[np.bool_]) -> Sampling:
        """The same samples of some units."""
        first, *others = (Samples(one.codes[rows], one.size) for one in self.factors)
        return Sampling(self.kind, first, dict(zip(self.further, others, strict=True)), self.inside)

    def said(self) -> dict[str, str]:
        """What the signature says of it."""
        sizes = {name: one.size for name, one in self.further.items()} | dict(self.inside)
        further = ",".join(f"{name}={size}" for name, size in sizes.items())
        drawn = {"sample": self.kind, "n": str(self.samples.size)}
        return drawn | ({"crossed": further} if further else {})


def sampling_of(
    table: OutcomeTable, *, kind: Literal["document", "sentence"] | None = None
) -> Sampling:
    """Documents if there are any, else sentences, or units that stand alone; or ``kind``."""
    if table.task.members:
        return Sampling(table.task.words.member, members(table))
    has_documents = table.corpus.documents is not None
    inside = _inside(table)
    outside = [name for name in table.task.factors if name not in inside]
    further = {name: _values(table, name) for name in outside}
    drawn = {name: size for name, size in inside.items() if size >= FEWEST}
    if has_documents if kind is None else kind == "document":
        return Sampling("document", documents(table), further, drawn)
    return Sampling(table.task.words.place, sentences(table), further, drawn)


def units_in(table: OutcomeTable, sampling: Sampling) -> NDArray[np.int64]:
    """``[sample]`` how many gold units each has; of units without gold ones all count."""
    codes, size = sampling.samples
    some = table.is_gold if table.is_gold.any() else slice(None)
    found: NDArray[np.int64] = np.bincount(codes[some].ravel(), minlength=size).astype(np.int64)
    return found


def effective_number(table: OutcomeTable, sampling: Sampling) -> float:
    """How many samples of equal size say as much as those that there are (Kish 1965).

    >>> from finegrain.corpus import Corpus
    >>> from finegrain.tasks.tags import align
    >>> gold = Corpus.of([["a"], ["b"], ["c"]], documents=[0, 0, 1], tags=[["N"], ["V"], ["N"]])
    >>> table = align(gold, {"s": gold})
    >>> effective_number(table, sampling_of(table))                                # 3^2 / (4 + 1)
    1.8
    """
    units = units_in(table, sampling).astype(float)
    squares = float((units**2).sum())
    return float(units.sum()) ** 2 / squares if squares else float(sampling.samples.size)


def weights_of(table: OutcomeTable, metric: Metric, sampling: Sampling) -> Floats | None:
    """``[sample]`` how much tests make of documents; ``None`` of anything else."""
    if sampling.kind != "document" or sampling.crossed or not metric.additive:
        return None
    return document_weights(units_in(table, sampling))


def members(table: OutcomeTable) -> Samples:
    """``[unit, member]`` what units are made of, such as the two stimuli of a pair."""
    columns = [table.columns[name].tolist() for name in table.task.members]
    number = {name: at for at, name in enumerate(dict.fromkeys(chain.from_iterable(columns)))}
    codes = np.array([[number[name] for name in column] for column in columns], np.int64)
    return Samples(codes.reshape(len(columns), len(table)).T, len(number))


def _inside(table: OutcomeTable) -> dict[str, int]:
    """How many values factors have that are columns of parts of units."""
    columns = {name: one for part in table.parts.values() for name, one in part.fields.items()}
    factors = [name for name in table.task.factors if name not in table.columns]
    return {
        name: len(coded(columns[name], missing="").names) for name in factors if name in columns
    }


def _values(table: OutcomeTable, column: str) -> Samples:
    """Units by what they have in a column: who rated them."""
    if column not in table.columns:
        raise UsageError.unknown("column", column, table.columns)
    names, codes = np.unique(table.columns[column].astype(str), return_inverse=True)
    return Samples(codes.ravel(), len(names))


def counted(
    table: OutcomeTable, statistics: Statistics, sampling: Sampling, *, narrow: Score | None = None
) -> tuple[Distinct, ...]:
    """The statistics of all samples, for each system apart; ``narrow`` as in ``Metric``.

    Counted a part of the corpus at a time. What does not add up, and what several factors weigh, is
    not counted but kept (``weighted``).
    """
    if isinstance(statistics, Observing) or sampling.crossed:
        return _observed(table, statistics, sampling, narrow)
    table = _needed(table, narrow)
    parts: list[list[Distinct]] = []
    for rows, samples in _parts(table, sampling.samples):
        values = statistics(table.where(rows), samples)
        values = values if narrow is None else narrow(values)
        parts.append([distinct(values[:, system]) for system in range(values.shape[1])])
    return tuple(merged(of_system) for of_system in zip(*parts, strict=True))


def counted_by(table: OutcomeTable, metric: Metric, sampling: Sampling) -> tuple[Distinct, ...]:
    """The statistics that the score of a metric needs."""
    return counted(table, metric.statistics, sampling, narrow=metric.narrow)


def compared(
    table: OutcomeTable, metric: Metric, sampling: Sampling
) -> tuple[Distinct | Labelled, ...]:
    """What comparisons by a metric need to know of each system.

    Counts by label where the score needs labels and is made of sums over them, else whole vectors.
    """
    if not by_label(metric, sampling):
        return counted(table, metric.statistics, sampling, narrow=metric.narrow)
    size = Size(sampling.samples.size, table.n_labels)
    return tuple(distinct_cells(cells, size) for cells in _cells(table, metric, sampling.samples))


def by_label(metric: Metric, sampling: Sampling) -> bool:
    """Whether the score of a metric needs labels and is made of sums over them."""
    additive = isinstance(metric.score, OverLabels) and not sampling.crossed
    return additive and metric.narrow is None and isinstance(metric.statistics, LabelStatistics)


def labelled_apart(
    table: OutcomeTable, metric: Metric, sampling: Sampling, groups: Samples
) -> Iterator[tuple[Labelled, ...]]:
    """``[group][system]`` counts by label for groups of units, such as buckets, in all samples."""
    codes, size = sampling.samples
    both = Samples(codes.astype(np.int64) * groups.size + groups.codes, size * groups.size)
    found = _cells(table, metric, both)
    for group in range(groups.size):
        yield tuple(
            distinct_cells(_of_group(cells, group, groups.size), Size(size, table.n_labels))
            for cells in found
        )


def _of_group(cells: Cells, group: int, groups: int) -> Cells:
    sample, place = np.divmod(cells.sample, groups)
    own = place == group
    return Cells(sample[own], cells.label[own], cells.counts[own])


def _cells(table: OutcomeTable, metric: Metric, samples: Samples) -> tuple[Cells, ...]:
    if not isinstance(metric.statistics, LabelStatistics):
        raise TypeError(f"{metric.name} is not counted by label")
    return metric.statistics.cells(table, samples)


def on_common_units(
    table: OutcomeTable,
    metric: Metric,
    sampling: Sampling,
    count: Callable[[OutcomeTable, Metric, Sampling], Sequence[Counts]],
) -> Callable[[Sequence[int]], Sequence[Counts]]:
    """Places of systems -> what is counted of them where all of them have a value.

    ``count``: as ``compared``; where no value is undefined, all systems are counted once.
    """
    known, every = metric.defined(table), count(table, metric, sampling)

    def of_some(systems: Sequence[int]) -> Sequence[Counts]:
        if known is None or known[:, list(systems)].all():
            return [every[system] for system in systems]
        rows = np.logical_and.reduce(known[:, list(systems)], axis=1)
        return count(table.where(rows).only(systems), metric, sampling.where(rows))

    return of_some


def _observed(
    table: OutcomeTable, statistics: Statistics, sampling: Sampling, narrow: Score | None
) -> tuple[Observed, ...]:
    """``[system]`` the rows of all samples; of statistics that add up, one for each combination."""
    sizes = [one.size for one in sampling.factors]
    if isinstance(statistics, OfParts) and sampling.inside:
        return _of_parts(table, statistics, sampling)
    if isinstance(statistics, Observing):
        found = statistics.rows(table)
        return tuple(
            Observed.of_rows(own.values, [one.codes[own.sample] for one in sampling.factors], sizes)
            for own in found
        )
    columns = [one.codes.reshape(len(table), -1) for one in sampling.factors]
    cells, code = np.unique(np.concatenate(columns, axis=1), axis=0, return_inverse=True)
    counts = statistics(table, Samples(code.ravel(), len(cells)))
    counts = counts if narrow is None else narrow(counts)
    ends = np.cumsum([column.shape[1] for column in columns])[:-1]
    factors = [part if part.shape[1] > 1 else part[:, 0] for part in np.split(cells, ends, axis=1)]
    return tuple(
        Observed.of_rows(flattened(own), factors, sizes, shape=own.shape[1:])
        for own in np.swapaxes(counts, 0, 1)
    )


def _of_parts(table: OutcomeTable, statistics: OfParts, sampling: Sampling) -> tuple[Observed, ...]:
    """``[system]`` what every part contributes, weighed by its unit's samples and its own."""
    part = table.parts[statistics.part]
    given = statistics.contributed(table)
    own = [coded(part.fields[name], missing="").codes for name in sampling.inside]
    factors = [one.codes[part.parent] for one in sampling.factors] + own
    sizes = [*(one.size for one in sampling.factors), *sampling.inside.values()]
    found = []
    for rows in np.swapaxes(given, 0, 1):
        kept = flattened(rows).any(axis=1)
        codes = [one[kept] for one in factors]
        found.append(Observed.of_rows(flattened(rows)[kept], codes, sizes, shape=rows.shape[1:]))
    return tuple(found)


def counted_apart(
    table: OutcomeTable,
    statistics: Statistics,
    sampling: Sampling,
    groups: Samples,
    *,
    narrow: Score | None = None,
) -> list[tuple[Repeated, ...]]:
    """``[group][system]`` the same for groups of units, such as buckets, in the same samples.

    A group has units in some samples only; of those the others have, nothing is counted.
    """
    if isinstance(statistics, Observing) or sampling.crossed:
        members = (groups.codes == group for group in range(groups.size))
        return [
            _observed(table.where(rows), statistics, sampling.where(rows), narrow)
            for rows in members
        ]
    table = _needed(table, narrow)
    parts: list[list[Distinct]] = []
    for rows, samples in _parts(table, sampling.samples):
        code = samples.codes.astype(np.int64) * groups.size + groups.codes[rows]
        held = np.zeros(samples.size * groups.size, bool)
        held[code] = True
        values = statistics(table.where(rows), Samples((np.cumsum(held) - 1)[code], held.sum()))
        values = values if narrow is None else narrow(values)
        group = np.flatnonzero(held) % groups.size
        parts.append(
            [
                distinct(values[group == place, system])
                for place in range(groups.size)
                for system in range(values.shape[1])
            ]
        )
    size = sampling.samples.size
    found = [_with_empty(merged(of_one), size) for of_one in zip(*parts, strict=True)]
    step = len(found) // max(1, groups.size)
    return [tuple(found[begin : begin + step]) for begin in range(0, len(found), step)]


def _with_empty(given: Repeated, n_samples: int) -> Repeated:
    """The same with all other samples, in which nothing was counted."""
    some = flattened(given.vectors).any(axis=1)
    empty = np.zeros((1, *given.vectors.shape[1:]))
    counts = np.append(n_samples - given.counts[some].sum(), given.counts[some])
    kept = counts > 0
    return Repeated(np.concatenate([empty, given.vectors[some]])[kept], counts[kept])


def _needed(table: OutcomeTable, narrow: Score | None) -> OutcomeTable:
    """Spans without labels where labels are added up anyway: there is less to count."""
    return unlabelled(table) if narrow is not None and table.task.detects else table


def _parts(
    table: OutcomeTable, samples: Samples
) -> Iterator[tuple[NDArray[np.bool_] | slice, Samples]]:
    """Units of some samples at a time, so that their statistics stay in the cache."""
    cells = table.n_systems * table.n_labels * len(table.outcomes)
    step = max(1, _CELLS // max(1, cells))
    if samples.size <= step:
        yield slice(None), samples
        return
    in_order = bool((np.diff(samples.codes) >= 0).all())
    for begin in range(0, samples.size, step):
        size = min(step, samples.size - begin)
        rows = _between(samples, begin, begin + size, in_order=in_order)
        yield rows, Samples(samples.codes[rows] - begin, size)


def _between(
    samples: Samples, begin: int, end: int, *, in_order: bool
) -> NDArray[np.bool_] | slice:
    """The units whose sample is in the range."""
    if in_order:
        ends = np.array([begin, end], samples.codes.dtype)  # of another type all would be copied
        return slice(*np.searchsorted(samples.codes, ends).tolist())
    inside: NDArray[np.bool_] = (samples.codes >= begin) & (samples.codes < end)
    return inside
