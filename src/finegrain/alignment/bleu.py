"""What BLEU counts of segments: lengths, and n-grams that references have, too.

>>> texts = SegmentTexts((("the cat sat",),), (("the cat sat down", "a cat sat"),), None)
>>> counts(texts, {})[0, 0].astype(int).tolist()          # length, reference, shared, all n-grams
[3, 3, 3, 2, 1, 0, 3, 2, 1, 0]

The words are those of sacrebleu's tokenizers, and so are the numbers: an n-gram counts as often as
the reference has it that has it most often, and the reference length is the nearest one, of two
the shorter (Papineni et al. 2002; Post 2018).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.ngram_matches import Sided, blocks, ngrams
from finegrain.alignment.segment_texts import SegmentTexts
from finegrain.errors import MissingExtra, UsageError

ORDER = 4
TOKENIZE, CASE = "tokenize", "case"
"""Settings: sacrebleu's tokenizer for BLEU; whether case counts, ``mixed`` or ``lower``."""
DEFAULT_TOKENIZER = "13a"
_Floats = NDArray[np.float64]
_ABSENT = -1  # of a reference that a segment does not have: its length


def sacrebleu(module: str) -> Any:
    """A module of sacrebleu, which takes time to import."""
    from importlib import import_module  # noqa: PLC0415 - with what it imports

    try:
        return import_module(f"sacrebleu.{module}" if module else "sacrebleu")
    except ImportError:
        raise MissingExtra("BLEU and TER", "generation") from None


@cache
def metric(tokenize: str, *, lower: bool) -> Any:
    """Sacrebleu's own BLEU, for its tokenizer and its signature."""
    found = sacrebleu("metrics.bleu")
    if tokenize not in found.BLEU.TOKENIZERS:
        raise UsageError.unknown("tokenizer", tokenize, sorted(found.BLEU.TOKENIZERS))
    try:
        return found.BLEU(tokenize=tokenize, lowercase=lower)
    except (ImportError, RuntimeError) as error:
        what = str(error).strip().splitlines()
        raise UsageError(f"--set tokenize={tokenize}: {what[0] if what else error}") from None


def tokenizer(settings: Mapping[str, str]) -> Callable[[str], str]:
    """A text -> its words with blanks between them."""
    lower = settings.get(CASE) == "lower"
    own = metric(settings.get(TOKENIZE, DEFAULT_TOKENIZER), lower=lower).tokenizer
    if lower:
        return lambda text: str(own(text.lower().rstrip()))
    return lambda text: str(own(text.rstrip()))


def counts(texts: SegmentTexts, settings: Mapping[str, str]) -> _Floats:
    """``[segment, system, (length, reference length, shared n-grams, n-grams)]``."""
    tokenize = tokenizer(settings)
    sides = (*texts.by_reference(), *texts.outputs)
    numbers: dict[str, int] = {}
    coded = [[_coded(tokenize, one, numbers) for one in side] for side in sides]
    return matched(coded, len(texts.by_reference()), texts.n_systems, texts.n_segments)


def _coded(
    tokenize: Callable[[str], str], text: str | None, numbers: dict[str, int]
) -> list[int] | None:
    if text is None:
        return None
    return [numbers.setdefault(word, len(numbers)) for word in tokenize(text).split()]


def matched(
    sides: list[list[list[int] | None]], n_references: int, n_systems: int, n_segments: int
) -> _Floats:
    """The same of words as numbers, ``[side][segment]``, references first."""
    size = len(sides)
    flat = [sides[side][at] for at in range(n_segments) for side in range(size)]
    lengths = np.array([_ABSENT if one is None else len(one) for one in flat], np.int64)
    known = np.maximum(lengths, 0)
    symbols = np.fromiter(
        (word for text in flat if text for word in text), np.int64, int(known.sum())
    )
    segment, side = np.repeat(np.arange(n_segments), size), np.tile(np.arange(size), n_segments)
    found = np.zeros((n_segments, n_systems, 2 + 2 * ORDER))
    by_side = lengths.reshape(n_segments, size)
    own = by_side[:, n_references:]
    found[..., 0], found[..., 1] = own, _nearest(own, by_side[:, :n_references])
    for n in range(ORDER):
        found[..., 2 + ORDER + n] = np.maximum(own - n, 0)
    for block in blocks(Sided(symbols, known, segment, side)):
        for n, order in enumerate(ngrams(block, n_sides=size, longest=ORDER)):
            most = order.counts[:, :n_references].max(axis=1, initial=0)
            shared = np.minimum(order.counts[:, n_references:], most[:, None])
            for system in range(n_systems):
                found[:, system, 2 + n] += np.bincount(
                    order.segment, shared[:, system], minlength=n_segments
                )
    return found


def _nearest(own: NDArray[np.int64], references: NDArray[np.int64]) -> NDArray[np.int64]:
    """``[segment, system]`` the length of the nearest reference; the shorter one of two."""
    apart = np.abs(own[:, :, None] - references[:, None, :])
    apart = np.where(references[:, None, :] == _ABSENT, np.iinfo(np.int64).max, apart)
    near = apart == apart.min(axis=2, keepdims=True, initial=np.iinfo(np.int64).max)
    lengths = np.broadcast_to(references[:, None, :], near.shape)
    nearest: NDArray[np.int64] = np.where(near, lengths, np.iinfo(np.int64).max).min(axis=2)
    return nearest
