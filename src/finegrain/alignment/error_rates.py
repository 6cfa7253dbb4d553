"""What word and character error rates count of segments: edits, and the length of the reference.

>>> texts = SegmentTexts((("the cat sit down now",),), (("the cat sat now",),), None)
>>> of_words(texts, {})[0, 0].tolist()                  # substituted, deleted, inserted, reference
[1.0, 0.0, 1.0, 4.0]
>>> of_characters(texts, {})[0, 0].tolist()                                    # edits, reference
[6.0, 15.0]

Words stand between white space, as they are written; with ``normalise=yes`` they are in lower case
and without punctuation (``segment_words``). Of several references the one counts that makes the
lowest rate, the first of equals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.segment_texts import SegmentTexts
from finegrain.alignment.segment_words import split
from finegrain.alignment.word_edits import Kind, distance, edits

NORMALISE = "normalise"
"""The setting: ``yes`` or ``no``."""
KINDS: tuple[Kind, ...] = ("substituted", "deleted", "inserted")
Floats = NDArray[np.float64]


def tokens(text: str, settings: Mapping[str, str]) -> Sequence[str]:
    """The words of a text that are compared."""
    return split(text) if settings.get(NORMALISE) == "yes" else text.split()


def of_words(texts: SegmentTexts, settings: Mapping[str, str]) -> Floats:
    """``[segment, system, (substituted, deleted, inserted, words of the reference)]``."""
    found = np.zeros((texts.n_segments, texts.n_systems, len(KINDS) + 1))
    for at, references in enumerate(texts.references):
        wanted = [tokens(one, settings) for one in references]
        for system in range(texts.n_systems):
            own = tokens(texts.outputs[system][at], settings)
            best = nearest(wanted, own)
            kinds = [one.kind for one in edits(best, own)]
            found[at, system] = (*(kinds.count(kind) for kind in KINDS), len(best))
    return found


def of_characters(texts: SegmentTexts, settings: Mapping[str, str]) -> Floats:
    """``[segment, system, (edits, characters of the reference)]``; white space is one blank."""
    found = np.zeros((texts.n_segments, texts.n_systems, 2))
    for at, references in enumerate(texts.references):
        wanted = [" ".join(tokens(one, settings)) for one in references]
        for system in range(texts.n_systems):
            own = " ".join(tokens(texts.outputs[system][at], settings))
            best = nearest(wanted, own)
            found[at, system] = distance(best, own), len(best)
    return found


def nearest(references: Sequence[Sequence[str]], output: Sequence[str]) -> Sequence[str]:
    """The reference with the lowest error rate."""
    if len(references) == 1:
        return references[0]
    return min(references, key=lambda one: distance(one, output) / max(len(one), 1))
