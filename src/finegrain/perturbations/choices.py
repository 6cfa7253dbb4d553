"""The order of the options of multiple choice.

>>> from finegrain.perturbations.perturbation import Draw
>>> OPTIONS.options(4, Draw(1.0, 1, "options", "which?"))
[1, 2, 3, 0]

Options stand in a list (``options``, ``choices``) or in columns of their own (``A``, ``B``, ...);
the gold answer, a letter, a number or the text of an option, goes where its option goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from finegrain.perturbations.perturbation import Draw, Perturbation


def _order(size: int, draw: Draw) -> Sequence[int]:
    return draw.order(size) if draw.chance() else range(size)


OPTIONS = Perturbation(
    "options", "the options of multiple choice in another order (items)",
    rate=1.0, share="questions", options=_order, items_only=True,
)  # fmt: skip
