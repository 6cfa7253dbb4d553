"""Enhanced dependencies: how many arcs of the column DEPS a system has right.

A word may have several arcs there. Compared as in the shared tasks of IWPT 2020 and 2021 (Bouma,
Seddah and Zeman 2020): an arc is right if the aligned words have it with the aligned head and the
same label, ``4:nsubj:pass``; of the universal labels only the part before the colon counts.
Empty nodes have no word to be aligned with, so paths through them become arcs whose labels tell
the way: ``5.1:obj`` of a word below the empty node ``5.1``, which is ``2:conj``, is ``2:conj>obj``.
An arc counts once, and is right once: the programs of the tasks count pairs of arcs, and so more
than there are where labels differ behind the colon only.

>>> from finegrain.formats.conllu import read
>>> from finegrain.formats.source import source_of
>>> def corpus(*arcs: str):
...     rows = [f"{n}\\tw\\t_\\t_\\t_\\t_\\t0\\tdep\\t{one}\\t_" for n, one in enumerate(arcs, 1)]
...     return read(source_of("memory", ("\\n".join(rows) + "\\n\\n").encode()))
>>> one, two = corpus("0:root", "1:obj|0:dep"), corpus("0:root", "1:iobj|0:dep")
>>> from finegrain.alignment.word_alignment import align_words
>>> compared(graphs(one), two, align_words(one, two))["arcs_right"].tolist()
[1, 1]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.word_alignment import Alignment
from finegrain.corpus import Coded, Corpus
from finegrain.corpus.cells import sentence_lines
from finegrain.corpus.trees import NOWHERE, ROOT

_NOTHING = "_"


class Arc(NamedTuple):
    """The head as it is written (``4``, ``4.1``), and the labels on the way to it."""

    head: str
    label: str


def arcs_of(deps: str) -> tuple[Arc, ...]:
    """The arcs of a word, each once.

    >>> arcs_of("4:nsubj|7.1:conj:and|4:nsubj")
    (Arc(head='4', label='nsubj'), Arc(head='7.1', label='conj:and'))
    """
    if deps == _NOTHING:
        return ()
    return tuple(dict.fromkeys(Arc(*one.partition(":")[::2]) for one in deps.split("|")))


def universal(label: str) -> str:
    """A label, or a path of them, without what follows colons.

    >>> universal("conj:and>nsubj:pass")
    'conj>nsubj'
    """
    return ">".join(one.partition(":")[0] for one in label.split(">"))


class Graphs:
    """The enhanced graphs of a corpus."""

    def __init__(self, corpus: Corpus, deps: Coded) -> None:
        self.corpus = corpus
        self.deps = deps
        self.arcs = [arcs_of(name) for name in deps.names]
        self.sentence = corpus.sentence_of_tokens()
        self._empty: tuple[int, dict[str, tuple[Arc, ...]]] = (-1, {})

    def counts(self) -> NDArray[np.uint16]:
        """``[word]`` how many arcs it has."""
        sizes = np.array([len(arcs) for arcs in self.arcs] or [0], np.uint16)
        sizes = sizes[self.deps.codes]
        for word in np.flatnonzero(self.through_empty()).tolist():
            sizes[word] = len(self.of(word))
        return sizes

    def through_empty(self) -> NDArray[np.bool_]:
        """``[word]`` whether an arc leads to an empty node."""
        through = np.array([any("." in arc.head for arc in arcs) for arcs in self.arcs] or [False])
        found: NDArray[np.bool_] = through[self.deps.codes]
        return found

    def of(self, word: int) -> list[tuple[int, str]]:
        """The arcs of a word: heads as words of the corpus (or ``ROOT``, ``NOWHERE``), labels."""
        begin, end = self._bounds(word)
        found = []
        for arc in dict.fromkeys(self._real(self.arcs[self.deps.codes[word]], word, ())):
            number = int(arc.head) if arc.head.isdecimal() else -1
            inside = 0 < number <= end - begin
            head = begin + number - 1 if inside else ROOT if number == 0 else NOWHERE
            found.append((head, arc.label))
        return found

    def _real(self, arcs: tuple[Arc, ...], word: int, passed: tuple[str, ...]) -> Iterator[Arc]:
        """The same arcs with paths in place of empty nodes, none of which is ``passed`` twice."""
        for arc in arcs:
            if "." not in arc.head:
                yield arc
            elif arc.head not in passed:
                above = self._nodes(word).get(arc.head, (Arc("", ""),))
                for head, label in self._real(above, word, (*passed, arc.head)):
                    yield Arc(head, f"{label}>{arc.label}")

    def _nodes(self, word: int) -> dict[str, tuple[Arc, ...]]:
        """The arcs of the empty nodes of a word's sentence."""
        sentence = int(self.sentence[word])
        if self._empty[0] != sentence and self.corpus.further is not None:
            rows = (
                line.split("\t")
                for line in sentence_lines(self.corpus.further, *self._bounds(word))
            )
            nodes = {row[0]: arcs_of(row[8]) for row in rows if len(row) > 8 and "." in row[0]}
            self._empty = (sentence, nodes)
        return self._empty[1]

    def _bounds(self, word: int) -> tuple[int, int]:
        sentence = int(self.sentence[word])
        return int(self.corpus.offsets[sentence]), int(self.corpus.offsets[sentence + 1])


def compared(key: Graphs | None, system: Corpus, found: Alignment) -> dict[str, NDArray[np.uint16]]:
    """``[gold word]`` arcs of the gold, of the system, and right ones; nothing if either has none.

    Arcs of words that only the system has count with the gold word in which they begin.
    """
    answer = graphs(system) if key else None
    if key is None or answer is None:
        return {}
    size = len(found.to_system)
    counts = answer.counts()
    place = np.where(found.to_gold >= 0, found.to_gold, found.begins_in)
    arcs = {
        "arcs_gold": key.counts(),
        "arcs_system": np.bincount(place, weights=counts, minlength=size).astype(np.uint16),
    }
    right, loosely = _right(key, answer, found, arcs["arcs_gold"])
    return {**arcs, "arcs_right": right, "arcs_right_universal": loosely}


def graphs(corpus: Corpus) -> Graphs | None:
    """The enhanced graphs of a corpus; ``None`` if no word has an arc."""
    if "deps" in corpus.layers:
        layer = corpus.layers["deps"]
        return None if set(layer.names) <= {_NOTHING} else Graphs(corpus, layer)
    if corpus.further is None:
        return None
    deps = corpus.further.texts("deps")
    return None if deps.are(_NOTHING).all() else Graphs(corpus, deps.coded())


def _right(
    gold: Graphs, system: Graphs, found: Alignment, counts: NDArray[np.uint16]
) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """``[gold word]`` arcs that are right, and that are but for the parts behind colons."""
    words = np.flatnonzero(found.to_system >= 0)
    right = np.zeros_like(counts)
    alike = np.array_equal(gold.corpus.offsets, system.corpus.offsets)
    if found.same_words and alike:  # the same arcs in writing are the same arcs
        known = {name: code for code, name in enumerate(gold.deps.names)}
        code = np.array([known.get(name, -1) for name in system.deps.names] or [-1], np.int64)
        same = code[system.deps.codes] == gold.deps.codes
        same &= ~gold.through_empty()
        right[same] = counts[same]
        words = np.flatnonzero(~same)
    loosely = right.copy()
    for word in words.tolist():
        right[word], loosely[word] = _shared(gold, system, found, word)
    return right, loosely


def _shared(gold: Graphs, system: Graphs, found: Alignment, word: int) -> tuple[int, int]:
    """How many arcs of two words are the same, each counted once."""
    ours = gold.of(word)
    theirs = []
    for head, label in system.of(int(found.to_system[word])):
        if head == ROOT:
            theirs.append((ROOT, label))
        elif head >= 0 and found.to_gold[head] >= 0:
            theirs.append((int(found.to_gold[head]), label))
    same = Counter(ours) & Counter(theirs)
    loose = _universally(ours) & _universally(theirs)
    return same.total(), loose.total()


def _universally(arcs: list[tuple[int, str]]) -> Counter[tuple[int, str]]:
    return Counter((head, universal(label)) for head, label in arcs)
