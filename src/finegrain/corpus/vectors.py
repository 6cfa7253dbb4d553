"""Vectors of items: columns of a corpus with a row of numbers for each item.

A file may hold several such columns: the layers of a model, or the same stimuli seen by several
people.

>>> from finegrain.corpus.texts import Texts
>>> columns = {"lower": np.zeros((2, 3)), "upper": np.ones((2, 4))}
>>> corpus = of_vectors("model.npz", columns, {"id": Texts.of(["cat", "dog"])})
>>> {name: column.shape for name, column in vectors_of(corpus).items()}
{'lower': (2, 3), 'upper': (2, 4)}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.columns import Column
from finegrain.corpus.document import Corpus
from finegrain.corpus.items import of_fields

VECTOR = "vector"
"""The column of a file that holds a single one."""
Vectors = NDArray[np.floating]
"""``[item, dimension]``."""


def of_vectors(
    source: str,
    columns: Mapping[str, Vectors],
    fields: Mapping[str, Column] | None = None,
    *,
    notes: tuple[str, ...] = (),
    format: str = "",  # noqa: A002 - the corpus calls it so
) -> Corpus:
    """A corpus of items with columns of vectors, and other fields such as their ids."""
    found = of_fields(source, {**(fields or {}), **columns}, notes=notes, format=format)
    return replace(found, tokens=None) if not fields else found


def vectors_of(corpus: Corpus) -> dict[str, Vectors]:
    """The columns of vectors by name; none for a corpus of anything else."""
    return {
        name: column
        for name, column in corpus.fields.items()
        if isinstance(column, np.ndarray) and column.ndim == 2 and column.dtype.kind == "f"
    }
