"""Segments by their references: how many numbers and names there are to keep.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> units = Units(fg.align(*small_corpora("generation"), task="generation"))
>>> numbers_in_reference(units).tolist(), names_in_reference(units).tolist()
([1.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import EqualFrequency
from finegrain.attributes.units import Units
from finegrain.plugins import Late

_ZERO_APART = EqualFrequency(4, reserved=(0, 1))


def numbers_in_reference(units: Units) -> NDArray[np.float64]:
    """Numbers of the first reference."""
    return _counted(units, Late("finegrain.alignment.kept_words:numbers"))


def names_in_reference(units: Units) -> NDArray[np.float64]:
    """Capitalised words of the first reference that do not begin a sentence."""
    return _counted(units, Late("finegrain.alignment.kept_words:names"))


def _counted(units: Units, of: Callable[[str], list[str]]) -> NDArray[np.float64]:
    corpus = units.table.corpus
    found = np.array(
        [float(len(of(" ".join(corpus.sentence(item))))) for item in range(corpus.n_sentences)]
    )
    values: NDArray[np.float64] = found[units.table.sentence]
    return values


SEGMENT_ATTRIBUTES = (
    Attribute(
        "numbers_in_reference", "number", numbers_in_reference, "numbers of the reference",
        "numbers of r", "numbers", needs=("segments",), bucketing=_ZERO_APART,
    ),
    Attribute(
        "names_in_reference", "number", names_in_reference,
        "capitalised words of the reference that do not begin a sentence",
        "capitalised words of r", "words", needs=("segments",), bucketing=_ZERO_APART,
    ),
)  # fmt: skip
