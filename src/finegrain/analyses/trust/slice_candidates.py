"""Candidates for slices: buckets of one attribute, and of two at once, with enough units.

>>> import finegrain as fg
>>> from finegrain.analyses.explain.bucket_selection import GOLD
>>> from finegrain.attributes import by_name
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> attributes = [by_name("label"), by_name("entity_length")]
>>> found = candidates(Units(table), attributes, table.is_gold, fewest=2)
>>> [one.name for one in found.slices][:4]
['LOC', 'PER', 'entity_length 1', 'entity_length 2']
>>> found.slices[2].where(GOLD)
'entity_length=1'

Borders come from gold units. Units without a value, and rare categories taken together, are no
slices; of slices with the same units the simplest one is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain.bucket_selection import Part, selection
from finegrain.analyses.selection.expressions import Field
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import Division
from finegrain.attributes.units import Units
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.resampling.subsets import Subsets

FEWEST = 30  # units of a slice


@dataclass(frozen=True, slots=True)
class Slice:
    """Units that are alike in one or two attributes; all units without any."""

    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        """``ORG with entity_length 3 to 9``."""
        if not self.parts:
            return "all units"
        first, *others = (part.name for part in self.parts)
        between = " with " if self.parts[0].attribute.name == "label" else " and "
        return between.join([first, *others])

    @property
    def attributes(self) -> tuple[str, ...]:
        """What its units are alike in."""
        return tuple(part.attribute.name for part in self.parts)

    def where(self, label: Field, layers: Collection[str] = ()) -> str:
        """The selection of its units.

        ``label``: the field that holds the label, such as gold; ``layers``: columns of the gold
        file, of which the first token of a unit counts
        """
        return selection(self.parts, label, layers)


class Candidates(NamedTuple):
    """Slices, and which of the items are in them; ``codes`` ``[attribute][unit]`` are buckets."""

    slices: tuple[Slice, ...]
    subsets: Subsets
    codes: dict[str, NDArray[np.int64]]

    def units_of(self, one: Slice) -> NDArray[np.bool_]:
        """``[unit]`` of the table: which are in a slice, also those that are not tested."""
        inside = np.ones(len(next(iter(self.codes.values()))), bool)
        for part in one.parts:
            inside &= self.codes[part.attribute.name] == part.place
        return inside


def candidates(
    units: Units,
    attributes: Sequence[Attribute],
    items: NDArray[np.bool_],
    *,
    fewest: int = FEWEST,
    clusters: NDArray[np.integer] | None = None,
    least_clusters: int = 0,
    through: str = "",
    crossed: bool = True,
) -> Candidates:
    """Slices with at least ``fewest`` of the items ``[unit]``, in so many clusters ``[unit]``.

    ``through``: only slices that this attribute takes part in; ``crossed``: also those of two
    """
    divided = [_divided(units, attribute) for attribute in attributes]
    codes = {one.attribute.name: one.codes for one in divided}
    rows = np.flatnonzero(items)
    weights = np.random.default_rng(0).integers(0, 2**62, len(rows), np.int64)
    slices, columns, known = list[Slice](), list[NDArray[np.int32]](), set[int]()
    pairs = combinations(divided, 2) if crossed else ()
    for given in [*((one,) for one in divided), *pairs]:
        if through and through not in (one.attribute.name for one in given):
            continue
        code, size = np.zeros(len(rows), np.int64), 1
        for one in given:
            code, size = code * len(one.division) + one.codes[rows], size * len(one.division)
        number = np.full(size, -1, np.int32)
        counts = np.bincount(code, minlength=size)
        hashes = np.zeros(size, np.int64)
        np.add.at(hashes, code, weights)
        enough = (counts >= fewest) & (counts < len(rows))
        if clusters is not None and least_clusters:
            enough &= _spread(code, clusters[rows], size) >= least_clusters
        for place in np.flatnonzero(enough).tolist():
            made = _slice(given, place)
            if made is None or int(hashes[place]) in known:
                continue
            known.add(int(hashes[place]))
            number[place] = len(slices)
            slices.append(made)
        columns.append(number[code])
    table = np.stack(columns) if columns else np.zeros((0, len(rows)), np.int32)
    return Candidates(tuple(slices), Subsets(table, len(slices)), codes)


def _spread(code: IntArray, cluster: IntArray, size: int) -> NDArray[np.int64]:
    """``[code]`` in how many clusters it is found."""
    clusters = max(1, int(cluster.max(initial=-1)) + 1)
    found = np.unique(code * np.int64(clusters) + cluster)
    return np.bincount(found // clusters, minlength=size)


class _Divided(NamedTuple):
    attribute: Attribute
    division: Division
    codes: NDArray[np.int64]


def _divided(units: Units, attribute: Attribute) -> _Divided:
    if attribute.level == "token" and not units.are_tokens:
        whole = units.table.task.words.units
        raise UsageError(f"{attribute.name} describes tokens: it makes no slices of {whole}")
    values = attribute.of(units)
    division = attribute.default_bucketing.divide(values, units.table.is_gold)  # type: ignore[arg-type]  # that of its kind
    return _Divided(attribute, division, division.codes(values))


def _slice(crossed: Sequence[_Divided], place: int) -> Slice | None:
    """The slice at a place of crossed attributes; ``None`` for what describes nothing."""
    places = np.unravel_index(place, [len(one.division) for one in crossed])
    parts = tuple(
        Part(one.attribute, one.division, int(at)) for one, at in zip(crossed, places, strict=True)
    )
    dull = any(part.bucket.kind in ("rest", "undefined") for part in parts)
    return None if dull else Slice(parts)
