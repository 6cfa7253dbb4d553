"""Where a mention stands in its chain, and how far away its antecedent is.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> units = Units(fg.align(*small_corpora("coreference")))
>>> [units.table.text(row) for row in np.flatnonzero(units.table.is_gold)]
['She', 'London']
>>> chain_length(units)[units.table.is_gold].tolist(), chain_position(units)[units.table.is_gold]
([2.0, 2.0], array([2., 2.]))
>>> sentence_distance(units)[units.table.is_gold].tolist()
[1.0, 1.0]
>>> mention_distance(units)[units.table.is_gold].tolist()      # two, and one, in between
[3.0, 2.0]
>>> same_words(units)[units.table.is_gold].tolist()            # London is London
[0.0, 1.0]

All of it is read off the gold chains, and undefined (nan) for mentions that are not gold; distances
are undefined for the first mention of a chain, too. The antecedent is the closest one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.antecedents import antecedents
from finegrain.attributes.units import Units
from finegrain.corpus import IntArray
from finegrain.table.samples import documents


def chain_length(units: Units) -> NDArray[np.float64]:
    """Mentions of the chain."""
    chain = _chain(units)
    sizes = np.bincount(chain[chain >= 0], minlength=1)
    return np.where(chain >= 0, sizes[chain], np.nan)


def chain_position(units: Units) -> NDArray[np.float64]:
    """Place of the mention in its chain, from 1."""
    chain = _chain(units)
    order = np.argsort(chain, kind="stable")
    ordered = chain[order]
    place = np.arange(len(chain))
    new = np.append(True, ordered[1:] != ordered[:-1])[: len(chain)]
    position = np.empty(len(chain))
    position[order] = place - np.maximum.accumulate(np.where(new, place, 0)) + 1
    return np.where(chain >= 0, position, np.nan)


def sentence_distance(units: Units) -> NDArray[np.float64]:
    """Sentences between the mention and its closest antecedent; 0 in the same sentence."""
    before = _antecedent(units)
    distance = units.table.sentence - units.table.sentence[before]
    return np.where(before >= 0, distance, np.nan)


def mention_distance(units: Units) -> NDArray[np.float64]:
    """Gold mentions from the closest antecedent to the mention; 1 if none stands between them."""
    before = _antecedent(units)
    counted = np.cumsum(_chain(units) >= 0)
    return np.where(before >= 0, counted - counted[before], np.nan)


def same_words(units: Units) -> NDArray[np.float64]:
    """1 if the closest antecedent has the same words, case folded, else 0."""
    found = units.surfaces
    if found is None:
        return np.full(len(units), np.nan)
    before = _antecedent(units)
    same = (found.codes == found.codes[before]) & (found.codes >= 0)
    return np.where(before >= 0, same, np.nan)


def document_length(units: Units) -> NDArray[np.float64]:
    """Tokens of the document that the unit is in."""
    corpus = units.table.corpus
    if corpus.documents is None:
        return np.full(len(units), float(corpus.n_tokens))
    lengths = np.bincount(corpus.documents, weights=np.diff(corpus.offsets))
    return lengths[documents(units.table).codes].astype(np.float64)


def _chain(units: Units) -> IntArray:
    chain: IntArray = units.table.columns["chain"]
    return chain


def _antecedent(units: Units) -> NDArray[np.int64]:
    """``[unit]`` the row of the closest mention of its chain before it, -1 for none."""
    chain = _chain(units)
    return antecedents(chain, np.ones(len(chain), bool), "any")
