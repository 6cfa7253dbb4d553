"""Questions and their answers: lengths, and where the answer stands in the context.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> units = Units(fg.align(*small_corpora("qa"), task="qa"))
>>> answer_length(units)[:3].tolist()
[1.0, 1.0, 2.0]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import EqualFrequency
from finegrain.attributes.units import Units
from finegrain.corpus.columns import cell

_CONTEXT, _REFERENCES = "context", "references"


def context_length(units: Units) -> NDArray[np.float64]:
    """Words of the context, apart by blanks; nan without one."""
    column = units.table.columns.get(_CONTEXT)
    if column is None:
        return np.full(len(units), np.nan)
    known: dict[object, float] = {}
    for text in column.tolist():
        if text not in known:
            known[text] = float(len(str(text).split())) if text else np.nan
    return np.array([known[text] for text in column.tolist()], np.float64)


def answer_length(units: Units) -> NDArray[np.float64]:
    """Words of the shortest reference; nan for a question without an answer."""
    parts = units.table.parts.get(_REFERENCES)
    found = np.full(len(units), np.inf)
    if parts is not None and "text" in parts.fields:
        lengths = [len(str(cell(parts.fields["text"], at)).split()) for at in range(parts.size)]
        np.minimum.at(found, parts.parent, np.array(lengths, np.float64))
    return np.where(np.isinf(found), np.nan, found)


def answer_position(units: Units) -> NDArray[np.float64]:
    """Where the first reference begins in the context, from 0 to 1; nan if it is not in it."""
    parts = units.table.parts.get(_REFERENCES)
    column = units.table.columns.get(_CONTEXT)
    found = np.full(len(units), np.inf)
    if parts is None or column is None or "begin" not in parts.fields:
        return np.full(len(units), np.nan)
    sizes = np.array([max(len(text or ""), 1) for text in column.tolist()], np.float64)
    begin = np.asarray(parts.fields["begin"], np.float64)
    inside = ~np.isnan(begin)
    owner = parts.parent[inside]
    np.minimum.at(found, owner, begin[inside] / sizes[owner])
    return np.where(np.isinf(found), np.nan, found)


QUESTION_ATTRIBUTES = (
    Attribute(
        "context_length",
        "number",
        context_length,
        "words of the context that a question is about",
        "|c|",
        "words",
        needs=("references",),
    ),
    Attribute(
        "answer_length",
        "number",
        answer_length,
        "words of the shortest reference",
        "min |r|",
        "words",
        needs=("references",),
        bucketing=EqualFrequency(4, reserved=(1, 2, 3)),
    ),
    Attribute(
        "answer_position",
        "number",
        answer_position,
        "where the first reference begins in the context, from 0 to 1",
        "min characters before r / characters of c",
        "share",
        needs=("references",),
    ),
)
