"""How units fall into samples: the whole corpus, its sentences, its documents.

Statistics are summed per sample; corpus scores come from one sample, resampling from many.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from finegrain.corpus import IntArray
from finegrain.table.outcome_table import OutcomeTable

FEWEST = 6  # samples that can show anything: n signs are all alike with probability 2^-(n-1)


class Samples(NamedTuple):
    """``codes``: ``[unit]`` the sample of each unit; ``size``: how many samples there are."""

    codes: IntArray
    size: int


def whole(table: OutcomeTable) -> Samples:
    """All units in one sample."""
    return Samples(np.zeros(len(table), np.int32), 1)


def sentences(table: OutcomeTable) -> Samples:
    """One sample per sentence, also for sentences without units."""
    return Samples(table.sentence, table.corpus.n_sentences)


def documents(table: OutcomeTable) -> Samples:
    """One sample per document; one in all for a corpus without documents."""
    if table.corpus.documents is None:
        return whole(table)
    return Samples(table.corpus.documents[table.sentence], table.corpus.n_documents)
