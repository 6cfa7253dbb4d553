"""How a unit is written: its length, and which kinds of characters it has.

White space is no character here, neither between tokens nor in them. Of a unit that leaves out
characters of a token only those count that it covers.

>>> from finegrain.attributes.units import Units
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> gold = Corpus.of([["take", "N-3", "PUFA"]], tags=[["O", "B-C", "I-C"]])
>>> units = Units(align(gold, {"same": gold}))
>>> characters(units).tolist(), characters_per_token(units).tolist()
([7.0], [3.5])
>>> capital_share(units).round(2).tolist(), punctuation_share(units).round(2).tolist()
([0.71], [0.14])
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.units import Units
from finegrain.metrics.metric import ratio


def entity_length(units: Units) -> NDArray[np.float64]:
    """Tokens of the unit; of a unit with gaps, only those that belong to it."""
    return units.lengths


def characters(units: Units) -> NDArray[np.float64]:
    """Characters of the unit that are not white space."""
    return units.characters.visible


def characters_per_token(units: Units) -> NDArray[np.float64]:
    """Characters / tokens; nan for a unit without tokens."""
    return ratio(units.characters.visible, units.lengths)


def capital_share(units: Units) -> NDArray[np.float64]:
    """Characters of the Unicode categories Lu and Lt (upper and title case) / characters."""
    return ratio(units.characters.capitals, units.characters.visible)


def punctuation_share(units: Units) -> NDArray[np.float64]:
    """Characters of the Unicode categories P* and S* (punctuation and symbols) / characters."""
    return ratio(units.characters.punctuation, units.characters.visible)


def digit_share(units: Units) -> NDArray[np.float64]:
    """Characters of the Unicode category Nd (decimal digits of any script) / characters."""
    return ratio(units.characters.digits, units.characters.visible)
