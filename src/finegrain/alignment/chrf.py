"""What chrF counts of segments: character n-grams of output and reference, and shared ones.

>>> texts = SegmentTexts((("a cat",),), (("the cat", "a cart"),), None)
>>> counts(texts, {})[0, 0, :6].astype(int).tolist()      # 1-grams and 2-grams of the second one
[4, 5, 4, 3, 4, 2]

White space does not count. Of several references the one counts for which the segment scores best,
the first of equals, as in sacrebleu (Popović 2015, 2017; Post 2018).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.bleu import CASE
from finegrain.alignment.ngram_matches import Sided, blocks, ngrams
from finegrain.alignment.segment_texts import SegmentTexts

CHARACTERS, WORDS, BETA = 6, 2, 2
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_Floats = NDArray[np.float64]
_Texts = Sequence[Sequence[str | None]]


def f_score(sums: _Floats) -> _Floats:
    """``[...]`` the F-score from 0 to 100 of ``[..., (output, reference, shared) per order]``.

    Precisions and recalls are averaged over the orders that both sides have.
    """
    by_order = sums.reshape(*sums.shape[:-1], sums.shape[-1] // 3, 3)
    output, reference, shared = (by_order[..., place] for place in range(3))
    there = (output > 0) & (reference > 0)
    number = np.maximum(there.sum(axis=-1), 1)
    precision = (np.where(there, shared, 0) / np.where(there, output, 1)).sum(axis=-1) / number
    recall = (np.where(there, shared, 0) / np.where(there, reference, 1)).sum(axis=-1) / number
    below = BETA**2 * precision + recall
    score: _Floats = 100 * (1 + BETA**2) * precision * recall / np.where(below > 0, below, 1)
    return score


def counts(texts: SegmentTexts, settings: Mapping[str, str]) -> _Floats:
    """``[segment, system, 18]``: n-grams of the output, of the reference, shared, for each n."""
    return _best(_of_characters(texts, settings))


def counts_with_words(texts: SegmentTexts, settings: Mapping[str, str]) -> _Floats:
    """The same with n-grams of one and two words behind: what chrF++ counts."""
    both = _of_characters(texts, settings), _of_words(texts, settings)
    return _best(np.concatenate(both, axis=-1))


def _best(every: _Floats) -> _Floats:
    """``[segment, system, k]`` those of the best reference of ``[reference, segment, ...]``."""
    if len(every) == 1:
        only: _Floats = every[0]
        return only
    if not every.size:  # no system: the table describes references
        return np.zeros(every.shape[1:])
    scores = f_score(np.maximum(every, 0))
    absent = (every < 0).any(axis=-1)
    place = np.where(absent, -1.0, scores).argmax(axis=0)
    found: _Floats = np.take_along_axis(every, place[None, ..., None], axis=0)[0]
    return found


def _of_characters(texts: SegmentTexts, settings: Mapping[str, str]) -> _Floats:
    lower = settings.get(CASE) == "lower"
    sides: _Texts = (*texts.by_reference(), *texts.outputs)
    size, n_segments = len(sides), texts.n_segments
    flat = [
        None if (text := sides[side][at]) is None
        else "".join((text.lower() if lower else text).split())
        for at in range(n_segments) for side in range(size)
    ]  # fmt: skip
    lengths = np.array([-1 if one is None else len(one) for one in flat], np.int64)
    codes = "".join(one for one in flat if one).encode("utf-32-le", "surrogatepass")
    symbols = np.frombuffer(codes, np.uint32).astype(np.int64)
    return _matched(symbols, lengths, size, texts, CHARACTERS)


def _of_words(texts: SegmentTexts, settings: Mapping[str, str]) -> _Floats:
    lower = settings.get(CASE) == "lower"
    sides: _Texts = (*texts.by_reference(), *texts.outputs)
    size, numbers = len(sides), dict[str, int]()
    flat: list[list[int] | None] = []
    for at in range(texts.n_segments):
        for side in range(size):
            text = sides[side][at]
            words = None if text is None else words_of(text.lower() if lower else text)
            flat.append(
                None if words is None else [numbers.setdefault(one, len(numbers)) for one in words]
            )
    lengths = np.array([-1 if one is None else len(one) for one in flat], np.int64)
    total = int(np.maximum(lengths, 0).sum())
    symbols = np.fromiter((word for text in flat if text for word in text), np.int64, total)
    return _matched(symbols, lengths, size, texts, WORDS)


def words_of(text: str) -> list[str]:
    """Words between blanks, a punctuation mark at an end of one apart.

    >>> words_of('"Yes," (he) said.')
    ['"Yes,', '"', '(he', ')', 'said', '.']
    """
    found: list[str] = []
    for word in text.split():
        if len(word) == 1:
            found.append(word)
        elif word[-1] in _PUNCTUATION:
            found += (word[:-1], word[-1])
        elif word[0] in _PUNCTUATION:
            found += (word[0], word[1:])
        else:
            found.append(word)
    return found


def _matched(
    symbols: NDArray[np.int64],
    lengths: NDArray[np.int64],
    size: int,
    texts: SegmentTexts,
    longest: int,
) -> _Floats:
    """``[reference, segment, system, (output, reference, shared) per order]``; -1 for none."""
    n_references, n_systems, n_segments = size - texts.n_systems, texts.n_systems, texts.n_segments
    shared = np.zeros((n_references, longest, n_systems, n_segments))
    segment, side = np.repeat(np.arange(n_segments), size), np.tile(np.arange(size), n_segments)
    for block in blocks(Sided(symbols, np.maximum(lengths, 0), segment, side)):
        for n, order in enumerate(ngrams(block, n_sides=size, longest=longest)):
            own = order.counts[:, n_references:]
            for place in range(n_references):
                both = np.minimum(own, order.counts[:, place, None])
                for system in range(n_systems):
                    shared[place, n, system] += np.bincount(
                        order.segment, both[:, system], minlength=n_segments
                    )
    by_side = lengths.reshape(n_segments, size)
    found = np.empty((n_references, n_segments, n_systems, longest, 3))
    for n in range(longest):
        reference = np.maximum(by_side[:, :n_references] - n, 0).T[:, :, None]
        output = np.maximum(by_side[:, n_references:] - n, 0)[None]
        found[..., n, 0] = np.where(reference > 0, output, 0)
        found[..., n, 1] = reference
        found[..., n, 2] = shared[:, n].transpose(0, 2, 1)
    found[(by_side[:, :n_references] < 0).T] = -1
    return found.reshape(n_references, n_segments, n_systems, 3 * longest)
