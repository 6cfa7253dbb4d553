"""How many there are, in words: ``1 sentence``, ``2,077 sentences``.

>>> sized(1, "sentence"), sized(2077, "sentence"), sized(0, "mention")
('1 sentence', '2,077 sentences', '0 mentions')
>>> sized(1, "mention", "with an antecedent")
'1 mention with an antecedent'
"""

from __future__ import annotations


def sized(count: int, noun: str, which: str = "") -> str:
    """A count and its noun, which takes an s unless there is one; ``which`` comes behind it."""
    return f"{count:,} {noun if count == 1 else noun + 's'} {which}".strip()
