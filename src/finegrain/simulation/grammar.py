"""Trees over parts of speech: a few rules of attachment, settled for a whole text at once.

The first verb is the root. Verbs depend on verbs to their left, nouns on a verb or on a noun to
their left, and everything else on a noun or a verb, so that there never is a cycle.

>>> words = "DET ADJ NOUN VERB ADP DET NOUN PUNCT".split()    # the old man slept in the garden .
>>> pos = np.array([POS.index(word) for word in words], np.uint8)
>>> trees = attach(pos, np.array([0, len(pos)]))
>>> trees.head.tolist()
[2, 2, 3, -1, 6, 6, 3, 3]
>>> [RELATIONS[code] for code in trees.relation]
['det', 'amod', 'nsubj', 'root', 'case', 'det', 'obl', 'punct']
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.corpus.trees import ROOT
from finegrain.simulation.world import POS

RELATIONS = (
    "acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "compound", "conj", "cop",
    "dep", "det", "flat", "mark", "nmod", "nsubj", "nummod", "obj", "obl", "punct", "root", "xcomp",
)  # fmt: skip
BoolArray = NDArray[np.bool_]
_NONE = -1


class Trees(NamedTuple):
    """``[token]``: the head as a token of the text (-1 for the root), a place in ``RELATIONS``."""

    head: NDArray[np.int64]
    relation: NDArray[np.uint8]


class _Words:
    """Words of a text, and which words are near them in their sentence."""

    def __init__(self, pos: NDArray[np.uint8], offsets: IntArray) -> None:
        self.pos = pos
        self.size = len(pos)
        lengths = np.diff(offsets)
        self.first = np.repeat(offsets[:-1], lengths)  # token of the sentence
        self.end = np.repeat(offsets[1:], lengths)
        self.here = np.arange(self.size)
        before, after = np.roll(pos, 1), np.roll(pos, -1)
        none = np.uint8(len(POS))
        self.before = np.where(self.here == self.first, none, before)
        self.after = np.where(self.here + 1 == self.end, none, after)

    def are(self, *names: str) -> BoolArray:
        return _among(self.pos, names)

    def last(self, wanted: BoolArray) -> NDArray[np.int64]:
        """``[token]`` the nearest wanted word to the left; -1 for none."""
        seen = np.maximum.accumulate(np.where(wanted, self.here, _NONE))
        left = np.append(_NONE, seen[:-1]) if self.size else seen
        return np.where(left >= self.first, left, _NONE)

    def next(self, wanted: BoolArray) -> NDArray[np.int64]:
        """``[token]`` the nearest wanted word to the right; -1 for none."""
        places = np.append(np.flatnonzero(wanted), self.size)
        right = places[np.searchsorted(places[:-1], self.here, side="right")]
        return np.where(right < self.end, right, _NONE)


def _among(pos: NDArray[np.uint8], names: tuple[str, ...]) -> BoolArray:
    found: BoolArray = np.isin(pos, [POS.index(name) for name in names])
    return found


class _Arcs:
    """Heads and relations as they are settled, the first rule that fits a word first."""

    def __init__(self, size: int) -> None:
        self.head = np.full(size, ROOT, np.int64)
        self.relation = np.full(size, RELATIONS.index("root"), np.uint8)
        self.open = np.ones(size, bool)

    def settle(self, where: BoolArray, head: NDArray[np.int64], relation: str) -> None:
        """Attach the words in question that have no head yet, where there is such a head."""
        rows = np.flatnonzero(self.open & where & (head != _NONE))
        self.head[rows] = head[rows]
        self.relation[rows] = RELATIONS.index(relation)
        self.open[rows] = False


def attach(pos: NDArray[np.uint8], offsets: IntArray) -> Trees:
    """The tree of every sentence."""
    words = _Words(pos, offsets)
    noun = words.are("NOUN") & ~_among(words.after, ("NOUN",))  # the last of a compound
    name = words.are("PROPN") & ~_among(words.before, ("PROPN",))  # the first of a name
    number = words.are("NUM") & ~_among(words.after, ("NOUN",))
    nominal = noun | name | number | words.are("PRON", "SYM")
    verb = words.are("VERB")
    root = _roots(words, verb, nominal)
    arcs = _Arcs(words.size)
    arcs.open[root[words.here == root]] = False
    _verbs(words, arcs, verb)
    _inside_of_nominals(words, arcs, noun, name)
    _nominals(words, arcs, nominal, verb, root)
    _function_words(words, arcs, nominal, verb, root)
    arcs.settle(arcs.open, root, "dep")
    return Trees(arcs.head, arcs.relation)


def _roots(words: _Words, verb: BoolArray, nominal: BoolArray) -> NDArray[np.int64]:
    """``[token]`` the root of its sentence: the first verb, or noun, or anything."""
    root: NDArray[np.int64] = words.first.astype(np.int64)
    for wanted in (~words.are("PUNCT"), nominal, verb):
        places = np.append(np.flatnonzero(wanted), words.size)
        found = places[np.searchsorted(places[:-1], words.first)]
        root = np.where(found < words.end, found, root)
    return root


def _verbs(words: _Words, arcs: _Arcs, verb: BoolArray) -> None:
    left = words.last(verb)
    for before, relation in (("CCONJ", "conj"), ("PART", "xcomp"), ("SCONJ", "advcl")):
        arcs.settle(verb & _among(words.before, (before,)), left, relation)
    arcs.settle(verb, left, "acl")


def _inside_of_nominals(words: _Words, arcs: _Arcs, noun: BoolArray, name: BoolArray) -> None:
    arcs.settle(words.are("NOUN") & ~noun, words.next(noun), "compound")
    arcs.settle(words.are("PROPN") & ~name, words.last(name), "flat")
    arcs.settle(words.are("NUM") & _among(words.after, ("NOUN",)), words.next(noun), "nummod")


def _nominals(
    words: _Words, arcs: _Arcs, nominal: BoolArray, verb: BoolArray, root: NDArray[np.int64]
) -> None:
    left, left_verb = words.last(nominal), words.last(verb)
    marked = words.last(words.are("ADP")) > np.maximum(left, left_verb)
    arcs.settle(nominal & marked & (left > left_verb), left, "nmod")
    arcs.settle(nominal & marked, np.where(left_verb == _NONE, root, left_verb), "obl")
    arcs.settle(nominal & _among(words.before, ("CCONJ",)), left, "conj")
    arcs.settle(nominal & _among(words.before, ("PUNCT",)) & (left > left_verb), left, "appos")
    arcs.settle(nominal & (left_verb == _NONE) & verb[root], root, "nsubj")
    arcs.settle(nominal, left_verb, "obj")
    arcs.settle(nominal, left, "nmod")


def _function_words(
    words: _Words, arcs: _Arcs, nominal: BoolArray, verb: BoolArray, root: NDArray[np.int64]
) -> None:
    right, right_verb, left_verb = words.next(nominal), words.next(verb), words.last(verb)
    content = words.next(nominal | verb)
    within = (right_verb == _NONE) | (right < right_verb)  # no verb stands between
    for name, relation in (("DET", "det"), ("ADJ", "amod"), ("ADP", "case")):
        arcs.settle(words.are(name) & within, right, relation)
    arcs.settle(words.are("AUX"), right_verb, "aux")
    arcs.settle(words.are("AUX"), right, "cop")
    arcs.settle(words.are("SCONJ", "PART"), right_verb, "mark")
    arcs.settle(words.are("CCONJ"), content, "cc")
    arcs.settle(words.are("ADV") & _among(words.after, ("VERB",)), right_verb, "advmod")
    arcs.settle(words.are("ADV"), left_verb, "advmod")
    arcs.settle(words.are("PUNCT") & (words.here + 1 < words.end), content, "punct")
    arcs.settle(words.are("PUNCT"), root, "punct")
