"""Segments by their references and sources: how many numbers and names there are to keep.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> units = Units(fg.align(*small_corpora("generation"), task="generation"))
>>> numbers_in_reference(units).tolist(), names_in_reference(units).tolist()
([1.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
>>> numbers_in_source(units).tolist(), names_in_source(units).tolist()
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

NUMBERS: Callable[[str], list[str]] = Late("finegrain.alignment.kept_words:numbers")
NAMES: Callable[[str], list[str]] = Late("finegrain.alignment.kept_words:names")
_ZERO_APART = EqualFrequency(4, reserved=(0, 1))


def numbers_in_reference(units: Units) -> NDArray[np.float64]:
    """Numbers of the first reference."""
    return _of_references(units, NUMBERS)


def names_in_reference(units: Units) -> NDArray[np.float64]:
    """Capitalised words of the first reference that do not begin a sentence."""
    return _of_references(units, NAMES)


def numbers_in_source(units: Units) -> NDArray[np.float64]:
    """Numbers of the source."""
    return _of_sources(units, NUMBERS)


def names_in_source(units: Units) -> NDArray[np.float64]:
    """Capitalised words of the source that do not begin a sentence."""
    return _of_sources(units, NAMES)


def _of_references(units: Units, of: Callable[[str], list[str]]) -> NDArray[np.float64]:
    corpus = units.table.corpus
    found = np.array(
        [float(len(of(" ".join(corpus.sentence(item))))) for item in range(corpus.n_sentences)]
    )
    values: NDArray[np.float64] = found[units.table.sentence]
    return values


def _of_sources(units: Units, of: Callable[[str], list[str]]) -> NDArray[np.float64]:
    Late("finegrain.alignment.segment_texts:require_sources")(units.table)
    texts = units.table.columns["source"].tolist()
    return np.array([float(len(of(text or ""))) for text in texts])


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
    Attribute(
        "numbers_in_source", "number", numbers_in_source, "numbers of the source",
        "numbers of s", "numbers", needs=("segments",), bucketing=_ZERO_APART,
    ),
    Attribute(
        "names_in_source", "number", names_in_source,
        "capitalised words of the source that do not begin a sentence",
        "capitalised words of s", "words", needs=("segments",), bucketing=_ZERO_APART,
    ),
)  # fmt: skip
