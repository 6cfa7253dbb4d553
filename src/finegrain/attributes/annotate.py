"""Attributes as columns of the table, so that selections and other analyses can use them.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> longer = annotate(fg.align(*small_corpora("spans")), ["entity_length"])
>>> len(fg.select(longer, "entity_length > 3"))
1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.choosing import Wanted, as_column, chosen
from finegrain.attributes.joined import from_array
from finegrain.attributes.training import Reading, learnt_from
from finegrain.attributes.units import Units
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable

Own = Mapping[str, Any]  # name -> one value per unit, or a function of the table that gives them


def annotate(
    table: OutcomeTable,
    attributes: Sequence[Wanted] | Own,
    *,
    train: Corpus | None = None,
    fold_case: bool = True,
    **learning: Unpack[Reading],
) -> OutcomeTable:
    """The table with a column for every attribute, which ``select``, ``show`` and others can use.

    Parameters
    ----------
    attributes: names or values; or of your own: a dictionary of name -> array with one value per
        unit (numbers or text), or name -> function of the table that returns such an array
    train: training data, for attributes that are learnt
    fold_case: whether words that differ in case only are the same
    learning: how the training data are read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    if isinstance(attributes, Mapping):
        found = [_own(table, name, given) for name, given in attributes.items()]
    else:
        found = [one for one in chosen(table, attributes) if isinstance(one, Attribute)]
        if len(found) < len(attributes):
            raise UsageError("a column holds one attribute; cross them in buckets")
    needed = any(one.needs_training for one in found)
    units = Units(table, learnt_from(train, table, needed=needed, fold_case=fold_case, **learning))
    for one in found:
        table = table.with_column(one.name, as_column(one.of(units)))
    return table


def _own(table: OutcomeTable, name: str, given: Any) -> Attribute:
    if name in ATTRIBUTES:
        raise UsageError(f"{name!r} is built in: choose another name")
    values = given(table) if callable(given) else given
    return from_array(name, values if isinstance(values, np.ndarray) else np.array(values, object))
