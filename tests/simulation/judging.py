"""What a system got right, by the simplest rule: the same span with the same label."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, IntArray
from finegrain.corpus.tag_schemes import SCHEMES, decode


class Entities(NamedTuple):
    """Columns ``[entity]``; begin and end count the tokens of the whole corpus."""

    sentence: IntArray
    begin: IntArray
    end: IntArray
    label: NDArray[np.str_]

    @property
    def length(self) -> IntArray:
        return self.end - self.begin

    def rows(self) -> list[tuple[int, int, str]]:
        return list(zip(self.begin.tolist(), self.end.tolist(), self.label.tolist(), strict=True))


def entities(corpus: Corpus) -> Entities:
    spans = decode(corpus.layers["tags"], corpus.offsets, SCHEMES["iob2"]).spans
    start = corpus.offsets[spans.sentence]
    label = np.array(spans.labels)[spans.label]
    return Entities(spans.sentence, start + spans.begin, start + spans.end, label)


def right(gold: Corpus, system: Corpus) -> NDArray[np.bool_]:
    """``[gold entity]`` whether the system has it exactly."""
    found = set(entities(system).rows())
    return np.array([key in found for key in entities(gold).rows()])


def words(corpus: Corpus) -> list[str]:
    assert corpus.tokens is not None
    return corpus.tokens.slice(0, corpus.n_tokens)


def surfaces(corpus: Corpus) -> list[str]:
    """``[entity]`` its text."""
    text = words(corpus)
    return [" ".join(text[begin:end]) for begin, end, _ in entities(corpus).rows()]
