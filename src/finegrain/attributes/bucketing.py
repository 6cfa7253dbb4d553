"""How units fall into buckets by an attribute: every unit into exactly one.

>>> lengths = np.array([1, 1, 1, 2, 2, 3, 5, 9.0])
>>> division = EqualFrequency(4, reserved=(1, 2, 3)).divide(lengths, np.ones(8, bool))
>>> [(bucket.name, bucket.range()) for bucket in division.buckets]
[('XS', '1'), ('S', '2'), ('L', '3'), ('XL', '5 to 9')]
>>> division.codes(np.array([2, 4, 99.0])).tolist()      # also what is not gold, and out of range
[1, 3, 3]

Borders come from the values of gold units alone, so no system can move them. *Reserved* values are
taken out first and are buckets of their own if a gold unit has them; the rest is divided. A bucket
holds what is above its lower border, up to and with its upper border; the first also takes all that
is below, the last all that is above. Equal values are never parted. Units without a value (nan)
are one more bucket, the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded
from finegrain.errors import UsageError

Numbers = NDArray[np.float64]
BUCKETS = 4  # Fu, Liu and Neubig (2020), appendix B
Strategy = Literal["frequency", "width"]
STRATEGIES: dict[Strategy, str] = {
    "frequency": "equally many gold units in every bucket, as far as equal values allow",
    "width": "equally wide buckets",
}
UNDEFINED, REST = "n/a", "(others)"
_SIZES = {4: ("XS", "S", "L", "XL"), 5: ("XS", "S", "M", "L", "XL")}


@dataclass(frozen=True, slots=True)
class Bucket:
    """One value, an interval (``above``, ``up_to``], a category, other categories, or no value.

    ``least`` and ``most`` are the extreme values of gold units in an interval; nan without any.
    """

    name: str
    kind: Literal["value", "interval", "category", "rest", "undefined"]
    value: float | None = None
    above: float | None = None
    up_to: float | None = None
    least: float = float("nan")
    most: float = float("nan")

    def range(self) -> str:
        """What it holds, for people."""
        if self.kind == "value":
            return f"{self.value:.4g}"
        if self.kind != "interval":
            return self.name
        if not np.isnan(self.least):
            same = self.least == self.most
            return f"{self.least:.4g}" if same else f"{self.least:.4g} to {self.most:.4g}"
        above = "" if self.above is None else f"> {self.above:.4g}"
        up_to = "" if self.up_to is None else f"<= {self.up_to:.4g}"
        return " and ".join(filter(None, (above, up_to))) or "all"


@dataclass(frozen=True, slots=True)
class Division:
    """Buckets in the order of their values; of categories, the largest first."""

    buckets: tuple[Bucket, ...]

    def __len__(self) -> int:
        return len(self.buckets)

    @property
    def ordered(self) -> bool:
        """Whether buckets have an order: those of numbers do, those of categories do not."""
        return any(bucket.kind in ("value", "interval") for bucket in self.buckets)

    @property
    def has_intervals(self) -> bool:
        """Whether there is a place for values that are not reserved."""
        return bool(self._places("interval"))

    def _places(self, *kinds: str) -> list[int]:
        return [place for place, bucket in enumerate(self.buckets) if bucket.kind in kinds]

    @property
    def edges(self) -> tuple[float, ...]:
        """The borders between intervals."""
        intervals = [self.buckets[place] for place in self._places("interval")]
        return tuple(one.up_to for one in intervals if one.up_to is not None)

    @property
    def values(self) -> tuple[float, ...]:
        """The reserved values that have a bucket."""
        found = (self.buckets[place].value for place in self._places("value"))
        return tuple(value for value in found if value is not None)

    def codes(self, values: Numbers | Coded) -> NDArray[np.int64]:
        """``[unit]`` the bucket of each value."""
        if isinstance(values, Coded):
            return self._of_categories(values)
        intervals = np.array(self._places("interval"), np.int64)
        reserved = np.array(self.values)
        places = np.array(self._places("value"), np.int64)
        if len(intervals):
            found = intervals[np.searchsorted(np.array(self.edges), values)]
        elif len(places):  # the nearest: there is nowhere else to go
            between = (reserved[1:] + reserved[:-1]) / 2
            found = places[np.searchsorted(between, values)]
        else:
            found = np.zeros(len(values), np.int64)
        for value, place in zip(reserved.tolist(), places.tolist(), strict=True):
            found[values == value] = place
        if self._places("undefined"):
            found[np.isnan(values)] = self._places("undefined")[0]
        return found

    def _of_categories(self, values: Coded) -> NDArray[np.int64]:
        place_of = {self.buckets[place].name: place for place in self._places("category")}
        last = len(self.buckets) - 1
        rest = next(iter(self._places("rest")), last)
        undefined = next(iter(self._places("undefined")), last)
        places = [place_of.get(name, rest) for name in values.names]
        return np.array([*places, undefined], np.int64)[values.codes]  # the last serves -1


@dataclass(frozen=True, slots=True)
class EqualFrequency:
    """Parts with equally many gold units, as far as equal values allow.

    ``reserved`` values leave ``buckets - len(reserved)`` parts, at least one, for the rest. With
    ``closing="quantile"`` borders are the k/p quantiles (the value at rank ceil(n k / p)); with
    ``"average"`` a part is closed by the value that takes it above the average, as in the program
    that Fu, Liu and Neubig (2020) released, where absent reserved values leave more parts.
    """

    buckets: int = BUCKETS
    reserved: tuple[float, ...] = ()
    closing: Literal["quantile", "average"] = "quantile"

    def __post_init__(self) -> None:
        _require_some(self.buckets)

    def divide(self, values: Numbers, is_gold: NDArray[np.bool_]) -> Division:
        """The buckets for the values ``[unit]``."""
        kept, rest = _set_apart(values[is_gold], self.reserved)
        if self.closing == "average":
            edges = _by_average(rest, max(1, self.buckets - len(kept)))
        else:
            edges = _by_quantiles(rest, max(1, self.buckets - len(self.reserved)))
        return _division(kept, edges, rest, undefined=bool(np.isnan(values).any()))


@dataclass(frozen=True, slots=True)
class EqualWidth:
    """Parts of equal width between the least and the largest gold value that is not reserved."""

    buckets: int = BUCKETS
    reserved: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        _require_some(self.buckets)

    def divide(self, values: Numbers, is_gold: NDArray[np.bool_]) -> Division:
        """The buckets for the values ``[unit]``."""
        kept, rest = _set_apart(values[is_gold], self.reserved)
        parts = max(1, self.buckets - len(self.reserved))
        edges: list[float] = []
        if len(rest) and rest.max() > rest.min():
            edges = np.linspace(rest.min(), rest.max(), parts + 1)[1:-1].tolist()
        return _division(kept, edges, rest, undefined=bool(np.isnan(values).any()))


@dataclass(frozen=True, slots=True)
class Edges:
    """Borders as given; all intervals are kept, also those without a gold unit."""

    edges: tuple[float, ...]
    reserved: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if any(not np.isfinite(edge) for edge in self.edges) or list(self.edges) != sorted(
            set(self.edges)
        ):
            raise UsageError(f"edges must be rising numbers, not {list(self.edges)}")

    def divide(self, values: Numbers, is_gold: NDArray[np.bool_]) -> Division:
        """The buckets for the values ``[unit]``."""
        kept, rest = _set_apart(values[is_gold], self.reserved)
        undefined = bool(np.isnan(values).any())
        return _division(kept, self.edges, rest, undefined=undefined, keep="all")


@dataclass(frozen=True, slots=True)
class Categories:
    """The ``top`` values by gold units (ties by name), and all others as one bucket."""

    top: int = 20

    def __post_init__(self) -> None:
        _require_some(self.top)

    def divide(self, values: Coded, is_gold: NDArray[np.bool_]) -> Division:
        """The buckets for the values ``[unit]``."""
        size = len(values.names)
        codes = values.codes[is_gold]
        counts = np.bincount(codes[codes >= 0], minlength=size) if size else np.zeros(0, int)
        used = np.flatnonzero(counts)
        order = sorted(used.tolist(), key=lambda code: (-counts[code], values.names[code]))
        buckets = [Bucket(values.names[code], "category") for code in order[: self.top]]
        present = np.bincount(values.codes[values.codes >= 0], minlength=size) > 0
        if present.sum() > len(buckets):
            buckets.append(Bucket(REST, "rest"))
        if (values.codes < 0).any() or not buckets:
            buckets.append(Bucket(UNDEFINED, "undefined"))
        return Division(tuple(buckets))


Bucketing = EqualFrequency | EqualWidth | Edges | Categories


def with_buckets(bucketing: Bucketing, buckets: int) -> Bucketing:
    """The same bucketing with another number of buckets; explicit edges stay.

    Reserved values are given up from the last on if there are too many of them.

    >>> in_words(with_buckets(EqualFrequency(4, reserved=(1, 2, 3)), 3))
    '1; 2; the rest'
    """
    if isinstance(bucketing, Edges):
        return bucketing
    if isinstance(bucketing, Categories):
        return replace(bucketing, top=buckets)
    kept = bucketing.reserved[: max(buckets - 1, 0)]
    return replace(bucketing, buckets=buckets, reserved=kept)


def by_strategy(bucketing: Bucketing, strategy: Strategy) -> Bucketing:
    """Parts of equal frequency or width, with the number and the reserved values of a bucketing.

    Categories stay.
    """
    if strategy not in STRATEGIES:
        raise UsageError.unknown("strategy", strategy, STRATEGIES)
    if isinstance(bucketing, Categories):
        return bucketing
    size = BUCKETS if isinstance(bucketing, Edges) else bucketing.buckets
    if strategy == "width":
        return EqualWidth(size, bucketing.reserved)
    return EqualFrequency(size, bucketing.reserved)


def in_words(bucketing: Bucketing) -> str:
    """What a bucketing does, in one line.

    >>> in_words(EqualFrequency(4, reserved=(0, 1)))
    '0; 1; the rest in 2 parts of equal frequency'
    """
    if isinstance(bucketing, Categories):
        return f"the {bucketing.top} most frequent values; all others"
    alone = "".join(f"{value:g}; " for value in bucketing.reserved)
    if isinstance(bucketing, Edges):
        return f"{alone}borders at {', '.join(f'{edge:g}' for edge in bucketing.edges)}"
    parts = max(1, bucketing.buckets - len(bucketing.reserved))
    if parts == 1:
        return f"{alone}the rest"
    how = "width" if isinstance(bucketing, EqualWidth) else "frequency"
    return f"{alone}{'the rest in ' if alone else ''}{parts} parts of equal {how}"


def bucket_names(count: int) -> tuple[str, ...]:
    """XS, S, L, XL from the smallest values on; five have an M, and more are numbered.

    >>> bucket_names(3), bucket_names(6)
    (('XS', 'S', 'L'), ('1', '2', '3', '4', '5', '6'))
    """
    if count in _SIZES:
        return _SIZES[count]
    return _SIZES[4][:count] if count < 4 else tuple(str(place + 1) for place in range(count))


def _require_some(buckets: int) -> None:
    if buckets < 1:
        raise UsageError(f"the number of buckets must be at least 1, not {buckets}")


def _set_apart(values: Numbers, reserved: Sequence[float]) -> tuple[list[float], Numbers]:
    """The reserved values that occur, and the values that are not reserved."""
    defined = values[~np.isnan(values)]
    kept = [value for value in sorted(set(reserved)) if (defined == value).any()]
    return kept, defined[~np.isin(defined, kept)] if kept else defined


def _by_quantiles(rest: Numbers, parts: int) -> list[float]:
    """Distinct k/p quantiles by the inverted distribution; a border at the maximum parts nothing.

    >>> _by_quantiles(np.array([1, 1, 1, 2, 3, 4.0]), 3)      # ranks 2 and 4
    [1.0, 2.0]
    """
    if not len(rest) or parts == 1:
        return []
    ranks = [-(-len(rest) * k // parts) - 1 for k in range(1, parts)]
    cuts = np.partition(rest, ranks)[ranks]
    return sorted(set(cuts[cuts < rest.max()].tolist()))


def _by_average(rest: Numbers, parts: int) -> list[float]:
    """Borders at the values that take a part above the average; what is left is the last part.

    >>> _by_average(np.array([1, 1, 1, 2, 3, 4.0]), 3)        # average 2: 3 > 2, then 1 + 1 + 1
    [1.0]
    """
    if not len(rest):
        return []
    values, counts = np.unique(rest, return_counts=True)
    average, filled, edges = len(rest) / parts, 0, []
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        filled += count
        if filled > average:
            edges.append(value)
            filled = 0
    return [edge for edge in edges if edge < values[-1]]


def _division(
    reserved: list[float],
    edges: Iterable[float],
    rest: Numbers,
    *,
    undefined: bool,
    keep: Literal["with gold", "all"] = "with gold",
) -> Division:
    """Intervals and reserved values in ascending order, named."""
    borders = [None, *edges, None]
    found: list[Bucket] = []
    if len(rest) or keep == "all" or not reserved:
        place = np.searchsorted(np.array(borders[1:-1], float), rest)
        for number, (above, up_to) in enumerate(pairwise(borders)):
            inside = rest[place == number]
            ends = (float(inside.min()), float(inside.max())) if len(inside) else (np.nan,) * 2
            found.append(Bucket("", "interval", None, above, up_to, *ends))
    for value in reserved:
        before = sum(_is_below(bucket, value) for bucket in found)
        found.insert(before, Bucket("", "value", value))
    named = zip(found, bucket_names(len(found)), strict=True)
    buckets = [replace(bucket, name=name) for bucket, name in named]
    if undefined:
        buckets.append(Bucket(UNDEFINED, "undefined"))
    return Division(tuple(buckets))


def _is_below(bucket: Bucket, value: float) -> bool:
    """Whether a bucket stands before the bucket of a reserved value."""
    if bucket.value is not None:
        return bucket.value < value
    if bucket.above is not None and bucket.above >= value:
        return False
    return (bucket.up_to is not None and bucket.up_to < value) or bucket.least < value
