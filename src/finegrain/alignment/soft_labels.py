"""Gold that is not certain: a probability for every label, such as the shares of a crowd.

A gold file with a column for each label (``probabilities.pos``), as ``finegrain crowd`` writes it,
keeps them as columns of the table, beside the entropy of each item (``gold_entropy``, in bits).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.label_rules import LabelRules
from finegrain.table import OutcomeTable

SOFT, ENTROPY = "probabilities.", "gold_entropy"


def with_soft_labels(
    table: OutcomeTable,
    given: dict[str, NDArray[np.float64]],
    rules: LabelRules,
    own: dict[str, str],
) -> OutcomeTable:
    """The table with the probabilities of its labels, if gold has them.

    given: label -> ``[item]`` its probability; own: label -> the column of the gold file
    """
    if not given:
        return table
    soft = {f"{SOFT}{label}": np.zeros(len(table)) for label in table.labels}
    missing = np.isnan(np.stack(list(given.values()))).all(axis=0)
    for name, values in given.items():
        column = f"{SOFT}{rules.name(name)}"
        if column in soft:
            soft[column] = soft[column] + np.nan_to_num(values)
    stacked = np.stack(list(soft.values()))
    entropy = -(stacked * np.log2(np.where(stacked > 0, stacked, 1))).sum(axis=0)
    kept = {name: one for name, one in table.columns.items() if name not in own.values()}
    soft = {name: np.where(missing, np.nan, one) for name, one in soft.items()}
    told = {ENTROPY: np.where(missing, np.nan, np.maximum(entropy, 0.0))}
    return replace(table, columns={**kept, **soft, **told})


def soft_labels(table: OutcomeTable) -> NDArray[np.float64]:
    """``[unit, label]`` the probabilities that gold has; nan without any."""
    none = np.full(len(table), np.nan)
    columns = [table.columns.get(f"{SOFT}{label}", none) for label in table.labels]
    return np.stack(columns, axis=1).astype(np.float64)
