"""Gold trees, training data and parsers with known weaknesses from one seed.

>>> simulation = simulate_trees(tokens=200, systems={"near": ["long-arcs"]}, noise=0.0)
>>> gold, near = simulation.gold, simulation.systems["near"]
>>> rows = zip(gold.layers["head"], near.layers["head"], gold.layers["deprel"], strict=True)
>>> [row for row in rows if row[0] != row[1]][:2]
[('1', '6', 'punct'), ('6', '11', 'conj')]
>>> simulation.planted
{'near': ('misattaches words whose head is 6 or more words away',)}

A word that a parser attaches wrongly goes to its gold grandparent or to the nearest gold sibling to
its left, so that the output is a tree again: both stand before the word if a tree is told from the
root downwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus, IntArray
from finegrain.corpus.trees import ROOT
from finegrain.errors import UsageError
from finegrain.simulation.grammar import RELATIONS, BoolArray, Trees, attach
from finegrain.simulation.output import parts_of_speech, struck
from finegrain.simulation.prose import Text, generator, write
from finegrain.simulation.scenario import Simulation, require_sizes, training_size
from finegrain.simulation.world import POS, World

_LONG = 6  # words
_MOVED = 0.6  # share of the errors of noise that are wrong heads; the others are wrong relations
_MISTAGGING_PER_NOISE = 0.5
_FEATURES = {
    "ADJ": ("JJ", "Degree=Pos"), "ADP": ("IN", "_"), "ADV": ("RB", "_"), "AUX": ("VBD", "_"),
    "CCONJ": ("CC", "_"), "DET": ("DT", "PronType=Art"), "NOUN": ("NN", "Number=Sing"),
    "NUM": ("CD", "NumForm=Digit|NumType=Card"), "PART": ("TO", "_"),
    "PRON": ("PRP", "Case=Nom|Number=Sing|Person=3|PronType=Prs"), "PROPN": ("NNP", "Number=Sing"),
    "PUNCT": (".", "_"), "SCONJ": ("IN", "_"), "SYM": ("SYM", "_"),
    "VERB": ("VBD", "Mood=Ind|Tense=Past|VerbForm=Fin"),
}  # fmt: skip


class Arcs(NamedTuple):
    """What weaknesses can see of the gold trees; columns ``[token]``."""

    length: NDArray[np.int64]  # words between, and one; 0 for the root
    relation: NDArray[np.uint8]
    sentence_length: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TreeWeakness:
    """Where a parser errs more often than elsewhere: ``moved`` is the share of wrong heads."""

    name: str
    summary: str
    where: Callable[[Arcs], BoolArray]
    rate: float
    moved: float


def _of_relations(*names: str) -> Callable[[Arcs], BoolArray]:
    codes = [RELATIONS.index(name) for name in names]

    def where(arcs: Arcs) -> BoolArray:
        found: BoolArray = np.isin(arcs.relation, codes)
        return found

    return where


def _long_arcs(arcs: Arcs) -> BoolArray:
    return arcs.length >= _LONG


def _long_sentences(arcs: Arcs) -> BoolArray:
    return arcs.sentence_length >= 25


TREE_WEAKNESSES: dict[str, TreeWeakness] = {
    one.name: one
    for one in (
        TreeWeakness(
            "long-arcs", f"misattaches words whose head is {_LONG} or more words away",
            _long_arcs, 0.5, 1.0,
        ),
        TreeWeakness(
            "prepositions", "misattaches prepositional phrases (nmod, obl)",
            _of_relations("nmod", "obl"), 0.4, 1.0,
        ),
        TreeWeakness(
            "coordination", "misattaches coordinated words (conj, cc)",
            _of_relations("conj", "cc"), 0.5, 1.0,
        ),
        TreeWeakness(
            "long-sentences", "errs in sentences of 25 or more words", _long_sentences,
            0.25, 0.5,
        ),
        *(
            TreeWeakness(
                f"relation={name}", f"mislabels {name}", _of_relations(name), 0.5, 0.0
            )
            for name in RELATIONS
            if name not in ("dep", "root")
        ),
    )
}  # fmt: skip
TREE_SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "transition": ("long-arcs", "coordination"),
    "graph": ("relation=obl",),
}


def tree_weakness(name: str) -> TreeWeakness:
    """A weakness by its name."""
    if name not in TREE_WEAKNESSES:
        raise UsageError.unknown("weakness", name, TREE_WEAKNESSES)
    return TREE_WEAKNESSES[name]


def simulate_trees(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make a corpus of dependency trees and the outputs of parsers with known weaknesses.

    Parameters
    ----------
    tokens: the gold ends with the first sentence that reaches this number
    seed: the same seed gives the same corpora; a longer corpus begins like a shorter one
    systems: names of weaknesses (see ``TREE_WEAKNESSES``) by system; a showcase of two without it
    noise: the share of words that any system gets wrong, whatever they are like: the head of six
        of ten, the relation of the others; half this share of parts of speech is wrong
    train_tokens: four times the gold, but a million at most, without it
    """
    require_sizes(tokens, seed, noise, train_tokens)
    asked = TREE_SHOWCASE if systems is None else systems
    planted = {name: tuple(map(tree_weakness, names)) for name, names in asked.items()}
    world = World(seed)
    text = write(world, tokens=tokens, seed=seed, name="gold")
    training = write(world, tokens=training_size(tokens, train_tokens), seed=seed, name="train")
    trees = attach(text.pos, text.offsets)
    gold = _corpus(world, text, trees, text.pos, "gold")
    made = {}
    for name, weaknesses in planted.items():
        random = generator(seed, "parser", name)
        answer = _parsed(text, trees, weaknesses, noise, random)
        pos = _mistagged(text.pos, noise, random)
        made[name] = _corpus(world, text, answer, pos, name)
    learnt = attach(training.pos, training.offsets)
    return Simulation(
        gold,
        _corpus(world, training, learnt, training.pos, "train"),
        made,
        {name: tuple(one.summary for one in several) for name, several in planted.items()},
        format="conllu",
        suffix=".conllu",
    )


def _corpus(world: World, text: Text, trees: Trees, pos: NDArray[np.uint8], source: str) -> Corpus:
    upos = parts_of_speech(pos)
    first = np.repeat(text.offsets[:-1], np.diff(text.offsets))
    number = np.where(trees.head == ROOT, 0, trees.head - first + 1)
    layers = {
        "lemma": _lemmas(world, text.words),
        "upos": upos,
        "xpos": _renamed(upos, [_FEATURES[name][0] for name in upos.names]),
        "feats": _renamed(upos, [_FEATURES[name][1] for name in upos.names]),
        "head": Coded(number, tuple(str(place) for place in range(int(number.max()) + 1))),
        "deprel": _renamed(Coded(trees.relation, RELATIONS), RELATIONS),
    }
    tokens = world.vocabulary.texts(text.words)
    return Corpus(source, text.offsets, tokens, layers, documents=text.documents)


def _renamed(column: Coded, names: Sequence[str]) -> Coded:
    """The same column under other names, those that occur."""
    used = np.flatnonzero(column.counts())
    coded = Coded.of(names[code] for code in used.tolist())
    rank = np.zeros(len(column.names), coded.codes.dtype)
    rank[used] = coded.codes
    return Coded(rank[column.codes], coded.names)


def _lemmas(world: World, words: NDArray[np.int32]) -> Coded:
    used, codes = np.unique(words, return_inverse=True)
    lower = Coded.of(word.lower() for word in world.vocabulary.strings(used))
    return Coded(lower.codes[codes.ravel()], lower.names)


def _parsed(
    text: Text, gold: Trees, weaknesses: Sequence[TreeWeakness], noise: float,
    random: np.random.Generator,
) -> Trees:  # fmt: skip
    """The gold trees with errors."""
    head, relation = gold.head.copy(), gold.relation.copy()
    above, beside = _grandparents(gold.head), _left_siblings(gold.head)
    arcs = _arcs(text, gold)
    free = np.ones(len(head), bool)
    for one in (*weaknesses, _evenly(noise)):
        hit, which, side, other = random.random((4, len(head)))
        rows = np.flatnonzero(free & one.where(arcs) & (hit < one.rate) & (gold.head != ROOT))
        free[rows] = False
        target = np.where(side < 0.5, above, beside)
        target = np.where(target < 0, np.maximum(above, beside), target)
        moved = (which < one.moved) & (target >= 0)
        move, rename = rows[moved[rows]], rows[~moved[rows]]
        head[move] = target[move]
        relation[rename] = _other(relation[rename], other[rename])
    return Trees(head, relation)


def _evenly(noise: float) -> TreeWeakness:
    return TreeWeakness("noise", "", lambda arcs: np.ones(len(arcs.length), bool), noise, _MOVED)


def _arcs(text: Text, trees: Trees) -> Arcs:
    here = np.arange(len(trees.head))
    lengths = np.diff(text.offsets)
    length = np.where(trees.head == ROOT, 0, np.abs(trees.head - here))
    return Arcs(length, trees.relation, np.repeat(lengths, lengths))


def _grandparents(head: NDArray[np.int64]) -> NDArray[np.int64]:
    """``[token]`` the head of the head; -1 for none."""
    return np.where(head == ROOT, ROOT, head[head])


def _left_siblings(head: NDArray[np.int64]) -> NDArray[np.int64]:
    """``[token]`` the nearest word to the left with the same head; -1 for none.

    >>> _left_siblings(np.array([1, -1, 1, 1])).tolist()
    [-1, -1, 0, 2]
    """
    found: NDArray[np.int64] = np.full(len(head), -1, np.int64)
    order = np.argsort(head, kind="stable")
    same = (head[order][1:] == head[order][:-1]) & (head[order][1:] != ROOT)
    found[order[1:][same]] = order[:-1][same]
    return found


def _other(relation: NDArray[np.uint8], uniform: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Any other relation but root."""
    others = [code for code, name in enumerate(RELATIONS) if name != "root"]
    place = np.searchsorted(others, relation)
    step = 1 + (uniform * (len(others) - 1)).astype(np.int64)
    chosen: NDArray[np.uint8] = np.array(others, np.uint8)[(place + step) % len(others)]
    return chosen


def _mistagged(
    pos: NDArray[np.uint8], noise: float, random: np.random.Generator
) -> NDArray[np.uint8]:
    answer = pos.copy()
    places: IntArray = struck(random, size=len(pos), rate=noise * _MISTAGGING_PER_NOISE)
    answer[places] = (pos[places] + random.integers(1, len(POS), len(places))) % len(POS)
    return answer
