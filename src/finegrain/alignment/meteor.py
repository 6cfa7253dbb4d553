"""METEOR of segments: words that match exactly, by their stems, or as synonyms; and their order.

>>> score("the cat sat on the mat".split(), "on the mat sat the cat".split()).__round__(4)
0.5
>>> score("the cats sit".split(), "the cat sits".split()).__round__(4)            # stems
0.9815

Words are matched from the end of the output, each with the last free one of the reference; exact
matches first, then equal stems (Porter), then synonyms if files of WordNet are given. With m
matches in c chunks, P and R of words (Banerjee and Lavie 2005, with the weights of nltk):

    (1 - 0.5 (c / m)^3) P R / (0.9 P + 0.1 R)

Synonyms are those of the words themselves; nltk looks up their stems (happi), which WordNet mostly
does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.porter import stem
from finegrain.alignment.segment_texts import SegmentTexts
from finegrain.alignment.segment_words import split
from finegrain.alignment.wordnet import WordNet

ALPHA, BETA, GAMMA = 0.9, 3, 0.5
WORDNET = "wordnet"
"""The setting: the folder with the files of WordNet."""
_Synonyms = Callable[[str], frozenset[str]]


class _Free(NamedTuple):
    """Words that have no partner yet, by their places."""

    output: dict[int, str]
    reference: dict[int, str]


def counts(texts: SegmentTexts, settings: Mapping[str, str]) -> NDArray[np.float64]:
    """``[segment, system, 1]`` METEOR with the best reference."""
    folder = settings.get(WORDNET)
    synonyms = WordNet.read(folder).synonyms if folder else None
    found = np.zeros((texts.n_segments, texts.n_systems, 1))
    for at, references in enumerate(texts.references):
        for system in range(texts.n_systems):
            own = split(texts.outputs[system][at])
            found[at, system] = max(score(split(one), own, synonyms) for one in references)
    return found


def score(
    reference: Sequence[str], output: Sequence[str], synonyms: _Synonyms | None = None
) -> float:
    """METEOR of one output with one reference; 0 if no word matches."""
    pairs = matches(reference, output, synonyms)
    if not pairs:
        return 0.0
    precision, recall = len(pairs) / len(output), len(pairs) / len(reference)
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    return (1 - GAMMA * (_chunks(pairs) / len(pairs)) ** BETA) * mean


def matches(
    reference: Sequence[str], output: Sequence[str], synonyms: _Synonyms | None = None
) -> list[tuple[int, int]]:
    """Places of words in the output and in the reference that match, in the output's order."""
    free = _Free(dict(enumerate(output)), dict(enumerate(reference)))
    found = _equal(free, lambda word: word)
    if free.output and free.reference:
        found += _equal(free, stem)
    if synonyms is not None and free.output and free.reference:
        found += _synonymous(free, synonyms)
    return sorted(found)


def _equal(free: _Free, form: Callable[[str], str]) -> list[tuple[int, int]]:
    """Matches of words of one form, which then are no longer free."""
    places: dict[str, list[int]] = {}
    for place, word in free.reference.items():
        places.setdefault(form(word), []).append(place)
    found: list[tuple[int, int]] = []
    for place in reversed(list(free.output)):
        own = places.get(form(free.output[place]))
        if own:
            found.append((place, own.pop()))
            del free.output[place], free.reference[found[-1][1]]
    return found


def _synonymous(free: _Free, synonyms: _Synonyms) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for place in reversed(list(free.output)):
        word = free.output[place]
        same = synonyms(word) | {word}
        other = next((at for at in reversed(free.reference) if free.reference[at] in same), None)
        if other is not None:
            found.append((place, other))
            del free.output[place], free.reference[other]
    return found


def _chunks(pairs: Sequence[tuple[int, int]]) -> int:
    """Stretches that stand in both texts in the same order, without a gap."""
    breaks = sum((one[0] + 1, one[1] + 1) != other for one, other in pairwise(pairs))
    return breaks + 1
