"""What ROUGE says of segments: F1 of words, of pairs of words, of the longest common subsequence.

>>> texts = SegmentTexts((("the dog sat",),), (("the cat sat down",),), None)
>>> counts(texts, {})[0, 0].round(4).tolist()                       # ROUGE-1, ROUGE-2, ROUGE-L
[0.5714, 0.0, 0.5714]

Words are those of ``segment_words``, in any script; with ``stem=porter`` those of more than three
letters are stemmed, as rouge-score does. Of several references the best one counts (Lin 2004).

``words=ascii`` has the words of rouge-score, for which all letters but a to z are blanks; texts of
which nothing is left then are refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.porter import stem
from finegrain.alignment.segment_texts import SegmentTexts
from finegrain.alignment.segment_words import split
from finegrain.alignment.word_edits import common_length
from finegrain.errors import MissingExtra, UsageError

STEM = "stem"
"""The setting: ``no`` or ``porter``."""
WORDS = "words"
"""The setting: ``unicode`` or ``ascii``."""
KINDS = ("rouge1", "rouge2", "rougeL")
_LETTERS = re.compile("[a-z0-9]+")
_UNSTEMMED = 3  # letters of words that stay as they are


def words_of(text: str, settings: Mapping[str, str]) -> Sequence[str]:
    """The words that are compared."""
    found = split(text) if settings.get(WORDS) != "ascii" else _ascii(text)
    if settings.get(STEM) != "porter":
        return found
    return [stem(word) if len(word) > _UNSTEMMED else word for word in found]


def _ascii(text: str) -> tuple[str, ...]:
    found = tuple(_LETTERS.findall(text.lower()))
    if not found and split(text):
        told = text.strip()[:30]
        raise UsageError(f"--set words=ascii: nothing is left of {told!r}; leave it out")
    return found


def counts(texts: SegmentTexts, settings: Mapping[str, str]) -> NDArray[np.float64]:
    """``[segment, system, (ROUGE-1, ROUGE-2, ROUGE-L)]``, F1 with the best reference of each."""
    found = np.zeros((texts.n_segments, texts.n_systems, len(KINDS)))
    for at, references in enumerate(texts.references):
        wanted = [_counted(words_of(one, settings)) for one in references]
        for system in range(texts.n_systems):
            own = _counted(words_of(texts.outputs[system][at], settings))
            for place in range(len(KINDS)):
                found[at, system, place] = max(_f1(own, one, place) for one in wanted)
    return found


_Counted = tuple[Sequence[str], Counter[Any], Counter[Any]]


def _counted(words: Sequence[str]) -> _Counted:
    return words, Counter(words), Counter(pairwise(words))


def _f1(own: _Counted, wanted: _Counted, kind: int) -> float:
    if kind == len(KINDS) - 1:
        shared = common_length(own[0], wanted[0])
        every = len(own[0]) + len(wanted[0])
    else:
        one, other = (own[1], wanted[1]) if not kind else (own[2], wanted[2])
        smaller, larger = (one, other) if len(one) < len(other) else (other, one)
        shared = sum(min(count, larger[gram]) for gram, count in smaller.items() if gram in larger)
        every = max(len(own[0]) - kind, 0) + max(len(wanted[0]) - kind, 0)
    return 2 * shared / every if shared else 0.0


def summary_counts(texts: SegmentTexts, settings: Mapping[str, str]) -> NDArray[np.float64]:
    """``[segment, system, 1]`` ROUGE-Lsum: unions of common subsequences of sentences in lines.

    Texts of one line have that of ROUGE-L; others are scored by rouge-score.
    """
    found = counts(texts, settings)[..., 2:]
    for at, references in enumerate(texts.references):
        for system in range(texts.n_systems):
            own = texts.outputs[system][at]
            if "\n" in own or any("\n" in one for one in references):
                found[at, system] = max(_summary(one, own, settings) for one in references)
    return found


def _summary(reference: str, output: str, settings: Mapping[str, str]) -> float:
    try:
        scorers = import_module("rouge_score.rouge_scorer")  # takes time to import
    except ImportError:
        raise MissingExtra("ROUGE-Lsum of several lines", "generation") from None
    scorer = scorers.RougeScorer(["rougeLsum"], tokenizer=_Tokenizer(settings))
    return float(scorer.score(reference, output)["rougeLsum"].fmeasure)


class _Tokenizer:
    """What rouge-score asks for words."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.settings = settings

    def tokenize(self, text: str) -> list[str]:
        return list(words_of(text, self.settings))
