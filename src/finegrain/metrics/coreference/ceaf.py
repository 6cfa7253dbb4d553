r"""CEAF: every chain is paired with at most one chain of the other side, as well as possible.

.. math:: \Phi = \max_g \sum_{k} \varphi(k, g(k)), \quad
          \varphi_m(k, r) = |k \cap r|, \quad \varphi_e(k, r) = \frac{2 |k \cap r|}{|k| + |r|}

>>> pairs = Contingency.of(["a", "bc", "def"], ["a", "bcx", "dy", "z"])
>>> ceaf(pairs, by="mentions").tolist()            # 1 + 2 + 1 of 6 and of 7 mentions
[[4.0, 6.0, 4.0, 7.0]]
>>> ceaf(pairs, by="entities").round(4).tolist()   # 1 + 4/5 + 2/5 of 3 and of 4 chains
[[2.2, 3.0, 2.2, 4.0]]

Only chains that share a mention can be paired with profit, so the best pairing is sought among
these, and only where there is a choice.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from finegrain.alignment.assignment import best_pairs
from finegrain.metrics.coreference.contingency import (
    Contingency,
    Floats,
    per_document,
    per_document_of_cells,
)


def ceaf(pairs: Contingency, *, by: Literal["mentions", "entities"]) -> Floats:
    """``[document, (similarity, key, similarity, response)]``, by mentions or by chains."""
    sizes = pairs.key.sizes, pairs.response.sizes
    if by == "mentions":
        gain = pairs.shared.astype(float)
        counted = [size.astype(float) for size in sizes]
    else:
        together = sizes[0][pairs.key_chain] + sizes[1][pairs.response_chain]
        gain = 2 * pairs.shared / together
        counted = [(size > 0).astype(float) for size in sizes]
    document = pairs.key.document[pairs.key_chain]
    paired = best_pairs(pairs.key_chain, pairs.response_chain, gain, document)
    similarity = per_document_of_cells(pairs, np.where(paired, gain, 0.0))
    key = per_document(pairs, pairs.key, counted[0])
    response = per_document(pairs, pairs.response, counted[1])
    return np.stack([similarity, key, similarity, response], axis=-1)
