"""What words have beside a head: parts of speech, features, lemmas, functional children.

Compared as in the CoNLL 2018 shared task (Zeman et al. 2018): of the features only the universal
ones count, in any order; a lemma counts as right where the gold has none; the functional children
of a word (auxiliaries, determiners, case markers) are the same if the system has just these, with
the same relation, part of speech and features.

>>> universal_features("Typo=Yes|Number=Sing|Case=Nom")
'Case=Nom|Number=Sing'
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus
from finegrain.corpus.trees import base
from finegrain.tasks.word_alignment import Alignment

UPOS, XPOS, FEATS, LEMMA, CHILDREN, TOKEN, SENTENCE = (1 << place for place in range(7))
LAYERS = {"upos": UPOS, "xpos": XPOS, "feats": FEATS, "lemma": LEMMA}
UNIVERSAL_FEATURES = frozenset((
    "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number",
    "Case", "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident",
    "Polarity", "Person", "Polite",
))  # fmt: skip
_NOTHING = "_"


def universal_features(features: str) -> str:
    """The universal features in alphabetical order."""
    kept = (one for one in features.split("|") if one.partition("=")[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(kept))


class Words(NamedTuple):
    """Columns of the words of a corpus; layers it has not are missing."""

    head: NDArray[np.int32]
    relation: Coded
    layers: dict[str, Coded]

    @classmethod
    def of(cls, corpus: Corpus, head: NDArray[np.int32], relation: Coded) -> Words:
        given = {"upos": corpus.layers.get("tags"), **corpus.layers}
        layers = {name: one for name in LAYERS if (one := given.get(name)) is not None}
        if "feats" in layers:
            column = layers["feats"]
            plain = Coded.of(universal_features(name) for name in column.names)
            layers["feats"] = Coded(plain.codes[column.codes], plain.names)
        return cls(head, relation, layers)


def same_words(
    gold: Words, system: Words, found: Alignment, *, functional: frozenset[str]
) -> NDArray[np.uint8]:
    """``[gold word]`` which of these are the same, as bits."""
    bits = np.zeros(len(gold.head), np.uint8)
    for name, bit in LAYERS.items():
        if name in gold.layers and name in system.layers:
            equal = _equal(gold.layers[name], system.layers[name], found)
            if name == "lemma":
                equal |= _is_nothing(gold.layers[name]) & (found.to_system >= 0)
            bits[equal] |= bit
    bits[_same_children(gold, system, found, bits, functional)] |= CHILDREN
    bits[found.tokens.same] |= TOKEN
    bits[found.sentences.same] |= SENTENCE
    return bits


def _equal(gold: Coded, system: Coded, found: Alignment) -> NDArray[np.bool_]:
    """``[gold word]`` whether the system's word has the same value."""
    number = {name: code for code, name in enumerate(gold.names)}
    translated = np.array([number.get(name, -1) for name in system.names] or [-1], np.int64)
    aligned = found.to_system >= 0
    answer = translated[system.codes[np.where(aligned, found.to_system, 0)]]
    same: NDArray[np.bool_] = aligned & (answer == gold.codes)
    return same


def _is_nothing(column: Coded) -> NDArray[np.bool_]:
    nothing: NDArray[np.bool_] = np.array([name == _NOTHING for name in column.names] or [False])
    return nothing[column.codes]


def _same_children(
    gold: Words,
    system: Words,
    found: Alignment,
    bits: NDArray[np.uint8],
    functional: frozenset[str],
) -> NDArray[np.bool_]:
    """``[gold word]`` whether the functional children are the same."""
    size = len(gold.head)
    mine, theirs = _functional(gold, functional), _functional(system, functional)
    aligned = found.to_system >= 0
    rows = np.where(aligned, found.to_system, 0)
    same_head = gold.head >= 0
    above = found.to_system[np.where(same_head, gold.head, 0)]
    same_head &= (above >= 0) & (system.head[rows] == above)
    equal = _equal(gold.relation, system.relation, found) & same_head & mine
    for name in ("upos", "feats"):
        equal &= (bits & LAYERS[name]) > 0
    matched = _children(gold.head, equal, size)
    ours = _children(gold.head, mine, size)
    other = _children(system.head, theirs, len(system.head))
    same: NDArray[np.bool_] = aligned & (matched == ours) & (ours == other[rows])
    return same


def _functional(words: Words, functional: frozenset[str]) -> NDArray[np.bool_]:
    """``[word]`` whether a word is a functional child of another."""
    wanted = np.array([base(name) in functional for name in words.relation.names] or [False])
    return wanted[words.relation.codes] & (words.head >= 0)


def _children(head: NDArray[np.int32], counted: NDArray[np.bool_], size: int) -> NDArray[np.int64]:
    """``[word]`` how many of the counted words it is the head of."""
    return np.bincount(head[counted], minlength=size)
