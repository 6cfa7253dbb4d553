"""The buckets that a reader of a report can ask for: those of attributes and those of slices.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> found = divided({"buckets": fg.buckets(table, "entity_length")})
>>> found["entity_length"].ranges
('1', '2', '4')
>>> bucket_codes(table, found, None)["entity_length"][:3].tolist()
[1, 1, 0]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from finegrain.analyses.compare.bin_features import BinFeatures
from finegrain.analyses.compare.difficulty import BY_VERDICT, Difficulty
from finegrain.analyses.compare.triage import Triage
from finegrain.analyses.compare.value_bins import ValueBins
from finegrain.analyses.compare.word_bins import WordBins
from finegrain.analyses.evidence import GOLD, in_bucket, solved_by
from finegrain.analyses.explain.buckets import Buckets
from finegrain.analyses.result import Result
from finegrain.analyses.selection.expressions import Expression, all_of
from finegrain.analyses.trust.slice_candidates import Slice
from finegrain.analyses.trust.slices import Slices
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import Division
from finegrain.attributes.training import TrainingData
from finegrain.attributes.units import Units
from finegrain.corpus import IntArray
from finegrain.table import OutcomeTable


class Divided(NamedTuple):
    """An attribute and its buckets; ``masks`` ``[unit]`` where units have tokens in buckets."""

    attribute: Attribute
    division: Division
    masks: IntArray | None = None

    @property
    def ranges(self) -> tuple[str, ...]:
        """What every bucket holds."""
        return tuple(bucket.range() for bucket in self.division.buckets)


def divided(results: Mapping[str, Result], weak: Sequence[Slice] = ()) -> dict[str, Divided]:
    """Attributes by name, with the buckets that results put their units, or tokens, into.

    ``weak``: what findings tell of, beside results.

    A slice has the buckets that its attribute has by itself, so one name means one division.
    """
    found: dict[str, Divided] = {}
    for result in results.values():
        if isinstance(result, Buckets):
            for one in result.attributes:
                if one.units is not None:
                    attribute, division = one.attributes[0], one.divisions[0]
                    found[one.name] = Divided(attribute, division, one.units.masks)
        elif isinstance(result, Slices):
            weak = [*weak, *(finding.slice for finding in result.findings)]
    for part in (part for one in weak for part in one.parts):
        if part.attribute.name != "label":
            found.setdefault(part.attribute.name, Divided(part.attribute, part.division))
    return found


SUSPECTED = "suspected"  # a property like those of attributes, with two buckets
SUSPICIONS = ("no", "yes")


def suspicion(table: OutcomeTable, results: Mapping[str, Result]) -> dict[str, IntArray]:
    """``[unit]`` 1 for likely errors of the gold standard, if they were looked for."""
    found = results.get("triage")
    if not isinstance(found, Triage):
        return {}
    codes = np.zeros(len(table), np.int64)
    codes[found.suspected] = 1
    return {SUSPECTED: codes}


def of_values(results: Mapping[str, Result]) -> dict[str, IntArray]:
    """``[unit]`` the bin of a graded unit by its mean value, if there are such bins."""
    found = results.get("difficulty")
    if not isinstance(found, Difficulty) or found.graded is None:
        return {}
    return {value_name(found.graded): found.graded.codes}


def value_name(found: ValueBins) -> str:
    """What the bins of mean values are called beside attributes."""
    return f"mean_{found.value}"


def in_bin(found: BinFeatures | WordBins, place: int) -> Expression:
    """The gold units of a bin, by how many systems are right or by the mean of their values."""
    if found.by == BY_VERDICT:
        return solved_by(place)
    return all_of(GOLD, in_bucket(f"mean_{found.task.value}", place))


def bucket_codes(
    table: OutcomeTable, found: Mapping[str, Divided], training: TrainingData | None
) -> dict[str, IntArray]:
    """``[unit]`` the bucket of every unit by attribute of units, gold or not."""
    units = Units(table, training)
    return {
        name: one.division.codes(one.attribute.of(units))
        for name, one in found.items()
        if one.masks is None
    }


def bucket_masks(found: Mapping[str, Divided]) -> dict[str, IntArray]:
    """``[unit]`` the buckets of every unit by attribute of tokens: bit b for bucket b."""
    return {name: one.masks for name, one in found.items() if one.masks is not None}
