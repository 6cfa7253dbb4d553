"""What columns of a table are, where systems were run under several conditions.

``facets["system"]`` and ``facets["condition"]`` tell a system from its condition; the changes of
texts stand in ``corpus.parts``, a row each.

>>> column_name("crf", "typos")
'crf@typos'
>>> segments(["so", "it", "is"], [Changed(1, 1, "it", "IT")])
[Segment(text='so', old='', new=''), Segment(text='', old='it', new='IT'), \
Segment(text='is', old='', new='')]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from finegrain.corpus import Corpus
from finegrain.corpus.columns import cell

ORIGINAL = "original"
CHANGES = "changes"  # of ``corpus.parts``
PRESENT = "present"  # of ``table.details``: which units there are under a condition
EXPECTED = "expected"  # of ``table.facets``: whether answers should stay the same, or change
SAME, CHANGING = "same", "changes"


def column_name(system: str, condition: str) -> str:
    """What a system under a condition is called."""
    return f"{system}@{condition}"


class Changed(NamedTuple):
    """``size`` words from ``word`` on, which counts from 0, became others."""

    word: int
    size: int
    old: str
    new: str
    field: str = ""


class Segment(NamedTuple):
    """A stretch of a text that stayed as it was, or the old and the new text of what did not."""

    text: str
    old: str = ""
    new: str = ""


def changes_of(corpus: Corpus, sentence: int, condition: str) -> list[Changed]:
    """What was changed in a sentence under a condition, from left to right."""
    rows = corpus.parts.get(CHANGES)
    if rows is None:
        return []
    first, last = np.searchsorted(rows.parent, [sentence, sentence + 1]).tolist()
    field = rows.fields
    found = [
        Changed(
            int(cell(field["word"], at)), int(cell(field["words"], at)),
            str(cell(field["old"], at) or ""), str(cell(field["new"], at) or ""),
            str(cell(field["field"], at) or ""),
        )
        for at in range(first, last)
        if cell(field["condition"], at) == condition
    ]  # fmt: skip
    return sorted(found)


def segments(words: Sequence[str], changes: Sequence[Changed]) -> list[Segment]:
    """A text with its changes; neighbouring words that changed are one."""
    found: list[Segment] = []
    at = 0
    for change in changes:
        if change.word > at:
            found.append(Segment(" ".join(words[at : change.word])))
        beside = found.pop() if found and not found[-1].text else Segment("")
        old, new = f"{beside.old} {change.old}", f"{beside.new} {change.new}"
        found.append(Segment("", old.strip(), new.strip()))
        at = max(at, change.word + change.size)
    rest = " ".join(words[at:])
    return [*found, *([Segment(rest)] if rest else [])]
