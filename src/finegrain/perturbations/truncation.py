"""Texts that are cut off: a share of the words at the end is gone.

>>> from finegrain.perturbations.perturbation import Draw, Text
>>> text = Text(tuple("abcdefghij"))
>>> list(TRUNCATION.words(text, Draw(0.3, 1, "truncation", "x")))
[Edit(begin=7, end=10, new=())]

No annotation is cut through: a text is cut where it can be, at the place nearest to the one that
the rate asks for, and stays whole where there is none. At least one word stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from finegrain.perturbations.perturbation import Draw, Edit, Perturbation, Text


def _truncated(text: Text, draw: Draw) -> Iterator[Edit]:
    size = len(text.words)
    wanted = size - round(size * draw.rate)
    places = range(1, size) if text.cuts is None else sorted(text.cuts & {*range(1, size)})
    if wanted < size and places:
        yield Edit(min(places, key=lambda place: (abs(place - wanted), place)), size, ())


TRUNCATION = Perturbation(
    "truncation",
    "the end of every text is cut off",
    _truncated,
    rate=0.3,
    share="the words of every text",
)
