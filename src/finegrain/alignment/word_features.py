"""What words have beside a head: parts of speech, features, lemmas, functional children.

Compared as in the CoNLL 2018 shared task (Zeman et al. 2018): of the features only the universal
ones count, in any order; a lemma counts as right where the gold has none; the functional children
of a word (auxiliaries, determiners, case markers) are the same if the system has just these, with
the same relation, part of speech and features.

>>> universal_features("Typo=Yes|Number=Sing|Case=Nom")
'Case=Nom|Number=Sing'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.word_alignment import Alignment
from finegrain.corpus import Coded, IntArray
from finegrain.corpus.cells import Layers, layer_rows
from finegrain.corpus.trees import base

UPOS, XPOS, FEATS, LEMMA, CHILDREN, TOKEN, SENTENCE = (1 << place for place in range(7))
ALL = (1 << 7) - 1
LAYERS = {"upos": UPOS, "xpos": XPOS, "feats": FEATS, "lemma": LEMMA}
UNIVERSAL_FEATURES = frozenset((
    "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number",
    "Case", "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident",
    "Polarity", "Person", "Polite",
))  # fmt: skip
_NOTHING = "_"
_LOOKED_AT = 1_000  # words, which mostly tell that a column is not empty


def universal_features(features: str) -> str:
    """The universal features in alphabetical order."""
    kept = (one for one in features.split("|") if one.partition("=")[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(kept))


class Words(NamedTuple):
    """Columns of the words of a corpus; missing layers stay missing."""

    head: NDArray[np.int32]
    relation: Coded
    layers: Mapping[str, Coded]

    def layer(self, name: str) -> str | None:
        """Under which name it has a layer; tags serve as parts of speech."""
        known = (name, "tags") if name == "upos" else (name,)
        return next((one for one in known if one in self.layers), None)


def lacking(gold: Words, system: Words) -> int:
    """Bits of the layers that the gold has and the system lacks."""
    return sum(bit for name, bit in LAYERS.items() if gold.layer(name) and not system.layer(name))


def blank(gold: Words, system: Words) -> int:
    """Bits of the layers that both have, but with nothing in them, in the gold or in the system."""
    return sum(
        bit
        for name, bit in LAYERS.items()
        if gold.layer(name)
        and system.layer(name)
        and (_holds_nothing(gold, name) or _holds_nothing(system, name))
    )


def _holds_nothing(words: Words, name: str) -> bool:
    layer = words.layer(name) or name
    if isinstance(words.layers, Layers):
        first = np.arange(min(_LOOKED_AT, len(words.head)))
        texts = words.layers.texts(layer, first)
        return bool(texts.are(_NOTHING).all() and words.layers.texts(layer).are(_NOTHING).all())
    return set(words.layers[layer].names) <= {_NOTHING}


def same_words(
    gold: Words, system: Words, found: Alignment, *, functional: frozenset[str]
) -> NDArray[np.uint8]:
    """``[gold word]`` which of these are the same, as bits."""
    rows = _rows_with_other_features(gold, system, found)
    bits = np.full(len(gold.head), CHILDREN, np.uint8)
    for name, bit in LAYERS.items():
        if gold.layer(name) is not None and system.layer(name) is not None:
            bits |= bit
            bits[rows[_differ(gold, system, name, rows, found.to_system[rows])]] ^= bit
    bits[_with_other_children(gold, system, found, bits, functional)] &= ALL ^ CHILDREN
    if not found.same_words:
        bits[found.to_system < 0] = 0
    bits |= np.uint8(TOKEN) * found.tokens.same
    bits |= np.uint8(SENTENCE) * found.sentences.same
    return bits


def _rows_with_other_features(gold: Words, system: Words, found: Alignment) -> IntArray:
    """Aligned gold words but for those that are known to have the same features."""
    of_lines = isinstance(gold.layers, Layers) and isinstance(system.layers, Layers)
    if of_lines and found.unlike is not None:
        return found.unlike
    return np.flatnonzero(found.to_system >= 0)


def _differ(
    gold: Words, system: Words, name: str, ours: IntArray, theirs: IntArray
) -> NDArray[np.bool_]:
    """``[row]`` whether a layer differs in what counts of it."""
    mine, other = gold.layer(name) or name, system.layer(name) or name
    different = np.ones(len(ours), bool)
    if isinstance(gold.layers, Layers) and isinstance(system.layers, Layers):
        texts = gold.layers.texts(mine, ours)
        different = texts.differ(system.layers.texts(other, theirs))
        if name == "lemma":
            different &= ~texts.are(_NOTHING)
        if name != "feats":
            return different
    rows = np.flatnonzero(different)  # only those are coded
    one = layer_rows(gold.layers, mine, ours[rows])
    two = layer_rows(system.layers, other, theirs[rows])
    if name == "feats":
        one, two = _universal(one), _universal(two)
    different[rows] = _translated(two, one) != one.codes
    if name == "lemma":
        different[rows] &= ~_is_nothing(one)
    return different


def _universal(features: Coded) -> Coded:
    plain = Coded.of(universal_features(name) for name in features.names)
    return Coded(plain.codes[features.codes], plain.names)


def _translated(column: Coded, to: Coded) -> NDArray[np.int32]:
    """``[row]`` the codes of a column with the names of another; -1 for names it does not have."""
    number = {name: code for code, name in enumerate(to.names)}
    codes = np.array([number.get(name, -1) for name in column.names] or [-1], np.int32)
    translated: NDArray[np.int32] = codes[column.codes]
    return translated


def _is_nothing(column: Coded) -> NDArray[np.bool_]:
    nothing: NDArray[np.bool_] = np.array([name == _NOTHING for name in column.names] or [False])
    return nothing[column.codes]


def _with_other_children(
    gold: Words,
    system: Words,
    found: Alignment,
    bits: NDArray[np.uint8],
    functional: frozenset[str],
) -> IntArray:
    """Gold words with a functional child that the other lacks, or has otherwise."""
    equal = gold.head >= 0
    answer, head, above = system.relation, system.head, gold.head
    if not found.same_words:
        other = np.where(found.to_system >= 0, found.to_system, 0)
        answer = Coded(answer.codes[other], answer.names)
        head, above = head[other], np.where(equal, found.to_system[gold.head], -1)
        equal &= (found.to_system >= 0) & (above >= 0)
    equal &= (head == above) & (_translated(answer, gold.relation) == gold.relation.codes)
    equal &= (bits & (UPOS | FEATS)) == UPOS | FEATS
    mine = _functional(gold, functional) & ~equal
    theirs = _functional(system, functional)
    theirs[np.flatnonzero(equal) if found.same_words else found.to_system[equal]] = False
    heads = np.concatenate([gold.head[mine], found.to_gold[system.head[theirs]]])
    return heads[heads >= 0]


def _functional(words: Words, functional: frozenset[str]) -> NDArray[np.bool_]:
    """``[word]`` whether a word is a functional child of another."""
    wanted = np.array([base(name) in functional for name in words.relation.names] or [False])
    return wanted[words.relation.codes] & (words.head >= 0)
