"""The output of a simulated system: the gold annotation with errors.

Every entity is struck by at most one error: by the first weakness that strikes it, else by the
noise that strikes all entities alike. Each weakness has its own random numbers, so a system's
noise stays the same whatever its weaknesses are.

>>> noise = generator(1, "doctest")
>>> struck(noise, size=10, rate=1.0).tolist()
[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, IntArray, Spans
from finegrain.corpus.tag_schemes import encode
from finegrain.corpus.texts import smallest_type
from finegrain.simulation.entities import LABELS
from finegrain.simulation.prose import Text, generator, positions
from finegrain.simulation.weaknesses import (
    ERRORS,
    INVENTED_PER_ERROR,
    BoolArray,
    Entities,
    Tokens,
    Weakness,
    evenly,
)
from finegrain.simulation.world import POS

_NONE = -1
_CODE = {error: code for code, error in enumerate(ERRORS)}
_PUNCT = POS.index("PUNCT")
_MISTAGGING_PER_NOISE = 0.5  # part-of-speech taggers err less often than entity recognisers
_LEFT = 0.7  # share of entities made too long that take in the word before


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """A text, and what weaknesses can see of it."""

    text: Text
    entities: Entities
    tokens: Tokens


class _Chosen(NamedTuple):
    """Columns ``[entity]``: the error (a place in ``ERRORS`` or -1) and the label it leads to."""

    error: NDArray[np.int8]
    label: NDArray[np.uint8]


class _Predicted(NamedTuple):
    """Predicted entities, in tokens of the whole text."""

    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    label: NDArray[np.uint8]


def struck(rng: np.random.Generator, *, size: int, rate: float) -> NDArray[np.int64]:
    """The places 0 .. size - 1 that are struck when each is struck with probability ``rate``."""
    if rate <= 0.0:
        return np.empty(0, np.int64)
    # gaps between strikes are geometric: no random number for places that are spared
    enough = int(size * rate + 8 * (size * rate) ** 0.5 + 16)
    places = np.cumsum(rng.geometric(min(rate, 1.0), enough)) - 1
    return places[places < size]


def predict(
    gold: Gold, *, name: str, seed: int, weaknesses: Sequence[Weakness], noise: float,
    ill_formed: float,
) -> dict[str, Coded]:  # fmt: skip
    """The layers of a system."""
    base = generator(seed, "system", name)
    own = [generator(seed, "system", name, weakness.name) for weakness in weaknesses]
    chosen = _Chosen(np.full(len(gold.text.label), _NONE, np.int8), gold.text.label.copy())
    for weakness, rng in zip((*weaknesses, evenly(noise)), (*own, base), strict=True):
        _strike(gold, chosen, weakness, rng)
    kept = _with_errors(gold.text, chosen, base)
    invented = _invented(gold, kept, weaknesses, own, noise, base)
    return {
        "tags": _tags(gold.text, kept, invented, ill_formed, generator(seed, "ill-formed", name)),
        "pos": _parts_of_speech(gold, weaknesses, own, noise, base),
    }


def _strike(gold: Gold, chosen: _Chosen, weakness: Weakness, rng: np.random.Generator) -> None:
    """Choose an error for the entities that a weakness strikes and nothing has struck before."""
    size = len(gold.text.label)
    uniform, which, other = rng.random((3, size))
    rows = np.flatnonzero(
        weakness.where(gold.entities) & (uniform < weakness.rate) & (chosen.error == _NONE)
    )
    if not len(rows):
        return
    weights = np.array([weakness.errors.get(error, 0.0) for error in ERRORS])
    bounds = np.cumsum(weights / weights.sum())
    chosen.error[rows] = np.searchsorted(bounds[:-1], which[rows], side="right")
    if weakness.label is None:
        chosen.label[rows] = _other_label(gold.text.label, rows, other[rows])
    else:
        chosen.label[rows] = LABELS.index(weakness.label)


def _other_label(
    label: NDArray[np.uint8], rows: NDArray[np.int64], uniform: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """A wrong label, as frequent as it is in the gold: no label is predicted worse than others."""
    counts = np.bincount(label, minlength=len(LABELS)) + 1e-9
    others = np.where(np.eye(len(LABELS), dtype=bool), 0.0, counts)
    bounds = np.cumsum(others / others.sum(axis=1, keepdims=True), axis=1)[:, :-1]
    passed: NDArray[np.uint8] = (uniform[:, None] >= bounds[label[rows]]).sum(
        axis=1, dtype=np.uint8
    )
    return passed


def _with_errors(text: Text, chosen: _Chosen, rng: np.random.Generator) -> _Predicted:
    """Gold entities as the system finds them."""
    side, amount, place = rng.random((3, len(text.begin)))
    length = text.end - text.begin
    sentence = np.searchsorted(text.offsets, text.begin, side="right") - 1
    before = np.concatenate([[0], text.end])[:-1]
    after = np.append(text.begin, text.offsets[-1])[1:]
    left = text.begin > np.maximum(before, text.offsets[sentence])
    right = text.end < np.minimum(after, text.offsets[sentence + 1])
    error = _possible(chosen.error, length, left | right)
    is_error = {name: error == code for name, code in _CODE.items()}
    to_left = left & ((side < _LEFT) | ~right)
    longer, shifted, shorter = is_error["longer"], is_error["shifted"], is_error["shorter"]
    dropped = 1 + (amount * np.maximum(length // 2, 1)).astype(np.int64)
    from_left = side < 0.5
    begin = text.begin - ((longer | shifted) & to_left) + (shifted & ~to_left)
    end = text.end + ((longer | shifted) & ~to_left) - (shifted & to_left)
    begin += np.where(shorter & from_left, dropped, 0)
    end -= np.where(shorter & ~from_left, dropped, 0)
    missed = is_error["missed"]
    missed[:-1] |= end[:-1] > begin[1:]  # two entities took in the same word
    kept = ~missed
    label = np.where(is_error["label"], chosen.label, text.label)
    cut = np.flatnonzero(is_error["split"] & kept)
    middle = begin[cut] + 1 + (place[cut] * (length[cut] - 1)).astype(np.int64)
    tail = end[cut]
    end[cut] = middle
    return _Predicted(
        np.concatenate([begin[kept], middle]),
        np.concatenate([end[kept], tail]),
        np.concatenate([label[kept], label[cut]]),
    )


def _possible(
    error: NDArray[np.int8], length: NDArray[np.int64], free: BoolArray
) -> NDArray[np.int8]:
    """Another error where the chosen one cannot be: an entity stays struck, whatever its shape."""
    single = length == 1
    error = np.where(single & (error == _CODE["split"]), _CODE["label"], error)
    edges = (error == _CODE["shorter"]) | (error == _CODE["shifted"])
    error = np.where(single & edges, _CODE["longer"], error)
    stuck = ~free & ((error == _CODE["longer"]) | (error == _CODE["shifted"]))
    return np.where(stuck, _CODE["missed"], error).astype(np.int8)


def _invented(
    gold: Gold, kept: _Predicted, weaknesses: Sequence[Weakness],
    own: Sequence[np.random.Generator], noise: float, rng: np.random.Generator,
) -> _Predicted:  # fmt: skip
    """Entities where the gold has none."""
    text, size = gold.text, len(gold.text.words)
    if not len(text.begin):
        return _Predicted(text.begin, text.end, text.label)
    free = gold.tokens.pos != _PUNCT
    free[positions(text.begin, text.end - text.begin)] = False
    free[positions(kept.begin, kept.end - kept.begin)] = False
    rate = noise * INVENTED_PER_ERROR * len(text.begin) / max(int(np.count_nonzero(free)), 1)
    found = [struck(rng, size=size, rate=min(rate, 1.0))]
    for weakness, random in zip(weaknesses, own, strict=True):
        if weakness.invents:
            places = struck(random, size=size, rate=weakness.invention)
            found.append(places[weakness.invents(gold.tokens)[places]])
    begin = np.unique(np.concatenate(found))
    begin = begin[free[begin]]
    fence = ~free
    fence[text.offsets[:-1]] = True
    fences = np.append(np.flatnonzero(fence), size)
    model = rng.integers(0, len(text.begin), len(begin))  # as long, and labelled, as some entity
    end = np.minimum(begin + (text.end - text.begin)[model], np.append(begin, size)[1:])
    end = np.minimum(end, fences[np.searchsorted(fences, begin, side="right")])
    return _Predicted(begin, end, text.label[rng.integers(0, len(text.begin), len(begin))])


def _tags(
    text: Text, kept: _Predicted, invented: _Predicted, ill_formed: float,
    rng: np.random.Generator,
) -> Coded:  # fmt: skip
    """Predictions as IOB2 tags; a share of them begins with I- where that does not change them."""
    order = np.argsort(np.concatenate([kept.begin, invented.begin]))
    begin = np.concatenate([kept.begin, invented.begin])[order]
    end = np.concatenate([kept.end, invented.end])[order]
    label = np.concatenate([kept.label, invented.label])[order]
    tags = iob2(text.offsets, begin, end, label)
    if ill_formed <= 0.0:
        return tags
    joins = np.zeros(len(begin), bool)
    joins[1:] = (begin[1:] == end[:-1]) & (label[1:] == label[:-1])
    first = begin[(rng.random(len(begin)) < ill_formed) & ~joins]
    begun = [name.replace("B-", "I-", 1) for name in tags.names]
    names = tuple(sorted({*tags.names, *begun}))
    codes = np.array([names.index(name) for name in tags.names], np.uint8)[tags.codes]
    codes[first] = np.array([names.index(name) for name in begun])[tags.codes[first]]
    return Coded(codes, names)


def iob2(offsets: IntArray, begin: IntArray, end: IntArray, label: IntArray) -> Coded:
    """Entities as a column of tags."""
    sentence = np.searchsorted(offsets, begin, side="right") - 1
    start = offsets[sentence]
    tags = encode(Spans.contiguous(sentence, begin - start, end - start, label, LABELS), offsets)
    return Coded(tags.codes.astype(smallest_type(len(tags.names))), tags.names)


def _parts_of_speech(
    gold: Gold, weaknesses: Sequence[Weakness], own: Sequence[np.random.Generator], noise: float,
    rng: np.random.Generator,
) -> Coded:  # fmt: skip
    """The gold tags, some of them replaced."""
    pos = gold.tokens.pos.copy()
    places = struck(rng, size=len(pos), rate=noise * _MISTAGGING_PER_NOISE)
    _replace(pos, places, None, rng)
    for weakness, random in zip(weaknesses, own, strict=True):
        if weakness.mistags:
            places = struck(random, size=len(pos), rate=weakness.mistagging)
            places = places[weakness.mistags(gold.tokens)[places]]
            places = places[pos[places] == gold.tokens.pos[places]]
            _replace(pos, places, weakness.tag, random)
    return parts_of_speech(pos)


def _replace(
    pos: NDArray[np.uint8], places: NDArray[np.int64], tag: str | None, rng: np.random.Generator
) -> None:
    """Write a given tag, or any other one than the right one."""
    other = (pos[places] + rng.integers(1, len(POS), len(places))) % len(POS)
    pos[places] = other if tag is None else POS.index(tag)


def parts_of_speech(pos: NDArray[np.uint8]) -> Coded:
    """A column of tags that names only those that occur."""
    used = np.flatnonzero(np.bincount(pos, minlength=len(POS)))
    rank = np.zeros(len(POS), np.uint8)
    rank[used] = np.arange(len(used))
    return Coded(rank[pos], tuple(POS[code] for code in used))
