"""p as papers print it: three decimals, no zero before the point, and never 0.

>>> written_p(0.0184), written_p(0.0004), written_p(0.35), written_p(1.0)
('.018', '< .001', '.350', '1.000')
>>> told_p(0.0184), told_p(0.0004), told_p(math.nan)              # in a sentence
('p = .018', 'p < .001', 'p n/a')
>>> written_level(0.05), written_level(0.016)                     # levels have no digits to align
('.05', '.016')

JSON and CSV have all digits.
"""

from __future__ import annotations

import math


def written_p(p: float) -> str:
    """A p in a column of its own."""
    if math.isnan(p):
        return "n/a"
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def told_p(p: float) -> str:
    """The same in a sentence, with its name."""
    written = written_p(p)
    return f"p = {written}" if written.startswith((".", "1")) else f"p {written}"


def written_level(level: float) -> str:
    """A probability that p is held against, with two digits."""
    return f"{level:.2g}".removeprefix("0")
