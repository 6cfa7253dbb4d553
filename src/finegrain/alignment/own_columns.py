"""What tasks have beyond what every table has: columns and layers of their own.

>>> from finegrain import Corpus, align
>>> gold = Corpus.of([["time"]], tags=[["NOUN"]])
>>> table = align(gold, {"flat": gold})
>>> require_trees(table)
Traceback (most recent call last):
ValueError: the layer head is not there
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.coreference import chain_column, met_column
from finegrain.corpus.trees import HEAD, RELATION
from finegrain.table import OutcomeTable


def require_trees(table: OutcomeTable) -> None:
    """Raise ``ValueError`` unless the gold text has heads and relations."""
    for name in (HEAD, RELATION):
        if name not in table.corpus.layers:
            raise ValueError(f"the layer {name} is not there")


def require_chains(table: OutcomeTable) -> None:
    """Raise ``ValueError`` unless every side has its chains, numbered."""
    needed = ["chain", *map(chain_column, table.systems)]
    possible = [name for name in map(met_column, table.systems) if name in table.columns]
    for name in (*needed, *possible):
        column = table.columns.get(name)
        if column is None or not np.issubdtype(column.dtype, np.integer):
            raise ValueError(f"the column {name} is not there or has the wrong type")
        if len(column) and not -1 <= column.min() <= column.max() < len(column):
            raise ValueError(f"a number in the column {name} stands for nothing")


def annotated(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit]`` the mentions of the gold standard, also those without an antecedent."""
    mentions: NDArray[np.bool_] = table.columns["chain"] >= 0
    return mentions
