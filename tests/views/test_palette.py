"""Colours that stand for something are told apart by colour-blind readers, on both grounds.

Vision is simulated as in Machado, Oliveira and Fernandes (2009), with their matrices for complete
loss of one kind of cones; distances are Euclidean in OKLab (Ottosson 2020).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from finegrain.views.charts.palette import ACCENT, ERRORS, LABELS, OTHER_LABEL, THIRD, Colour

VISIONS = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
OPPONENTS = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]
APART = 0.075  # white and black are 1 apart


def seen(colour: str, vision: str) -> NDArray[np.float64]:
    """A colour as it is seen, in OKLab."""
    shares = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    simulated = np.clip(np.array(VISIONS[vision]) @ linear, 0, 1)
    return np.asarray(np.array(OPPONENTS) @ np.cbrt(np.array(CONES) @ simulated))


def closest(colours: tuple[Colour, ...], ground: str, vision: str) -> float:
    looks = [seen(getattr(one, ground), vision) for one in colours]
    return min(float(np.linalg.norm(one - other)) for one, other in combinations(looks, 2))


def test_white_and_black_are_one_apart() -> None:
    apart = np.linalg.norm(seen("#ffffff", "normal") - seen("#000000", "normal"))
    assert apart == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("ground", ["light", "dark"])
def test_colours_are_told_apart(ground: str, vision: str) -> None:
    assert closest(LABELS, ground, vision) > APART
    assert closest(tuple(ERRORS.values()), ground, vision) > APART
    assert closest((ACCENT, LABELS[1], THIRD), ground, vision) > APART  # corrections, new errors
    assert closest((ACCENT, LABELS[1], OTHER_LABEL), ground, vision) > APART  # of systems
