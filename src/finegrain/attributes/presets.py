"""Attributes as a published program computes and buckets them, its mistakes mended.

``interpreteval`` is the program that Fu, Liu and Neubig (2020) released: consistency rounded to
three decimals and cut at 0.5; out-of-vocabulary words by case; a bucket closed by the value that
takes it above the average. Values are those of the paper's definitions, unseen tokens have the
value 0, and every prediction is in a bucket, which is not so in the program.

>>> PRESETS["interpreteval"]["token_consistency"].bucketing
Edges(edges=(0.5,), reserved=(0, 1))
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes import ATTRIBUTES, learnt
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import Categories, Edges, EqualFrequency
from finegrain.attributes.units import Units
from finegrain.errors import UsageError

_AVERAGE = EqualFrequency(4, closing="average")
_ZERO_APART = replace(_AVERAGE, reserved=(0,))
_CONSISTENCY = Edges((0.5,), reserved=(0, 1))


def rounded_entity_consistency(units: Units) -> NDArray[np.float64]:
    """``entity_consistency``, rounded to three decimals."""
    return learnt.entity_consistency(units).round(3)


def rounded_token_consistency(units: Units) -> NDArray[np.float64]:
    """``token_consistency``, rounded to three decimals."""
    return learnt.token_consistency(units).round(3)


_INTERPRETEVAL = (
    replace(ATTRIBUTES["entity_length"], bucketing=replace(_AVERAGE, reserved=(1, 2, 3))),
    replace(ATTRIBUTES["sentence_length"], bucketing=_AVERAGE),
    replace(ATTRIBUTES["entity_density"], bucketing=_AVERAGE),
    replace(ATTRIBUTES["oov_density"], compute=learnt.oov_density_by_case, bucketing=_ZERO_APART),
    replace(ATTRIBUTES["entity_frequency"], bucketing=_ZERO_APART),
    replace(ATTRIBUTES["token_frequency"], bucketing=_ZERO_APART),
    replace(
        ATTRIBUTES["entity_consistency"],
        compute=rounded_entity_consistency,
        bucketing=_CONSISTENCY,
    ),
    replace(
        ATTRIBUTES["token_consistency"],
        compute=rounded_token_consistency,
        bucketing=_CONSISTENCY,
    ),
    replace(ATTRIBUTES["label"], bucketing=Categories(6)),
)
PRESETS: dict[str, dict[str, Attribute]] = {
    "interpreteval": {attribute.name: attribute for attribute in _INTERPRETEVAL},
}


def preset(name: str | None) -> dict[str, Attribute]:
    """The attributes that a preset changes; none without a name."""
    if name is None:
        return {}
    if name not in PRESETS:
        raise UsageError.unknown("preset", name, PRESETS)
    return PRESETS[name]
