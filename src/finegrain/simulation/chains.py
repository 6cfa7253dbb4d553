"""Documents with chains of mentions, and resolvers with known weaknesses, from one seed.

>>> simulation = simulate_chains(tokens=60, systems={"deaf": ["pronouns"]}, noise=0.0)
>>> gold, deaf = simulation.gold, simulation.systems["deaf"]
>>> names, chain = gold.clusters.names, gold.clusters.chain.tolist()
>>> [names[code] for code in chain[:5]]          # Henrik van der Berg, Rådburg, He, Rådburg, Martin
['0', '1', '0', '1', '2']
>>> simulation.planted
{'deaf': ('links pronouns to what else was named last, people first',)}

People, places, organisations and works are mentioned by name, in full or shorter, and people by
pronouns, too; what is mentioned once is a chain of its own. A resolver takes one decision after the
other, as systems do: a mention goes to the chain of its gold antecedent, to another chain (a wrong
link), to none, or is not found at all; whatever goes back to it follows it there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Clusters, Coded, Corpus, Spans
from finegrain.errors import UsageError
from finegrain.simulation.entities import LABELS
from finegrain.simulation.output import parts_of_speech
from finegrain.simulation.prose import Text, generator, write
from finegrain.simulation.scenario import Simulation, require_sizes, training_size
from finegrain.simulation.world import World

BoolArray = NDArray[np.bool_]
Error = Literal["linked", "alone", "missed"]  # to another chain, to none, not found at all
_RIGHT, _LINKED, _ALONE, _MISSED = range(4)
_CODE: dict[Error, int] = {"linked": _LINKED, "alone": _ALONE, "missed": _MISSED}
_NOISE = (0.4, 0.8)  # up to here wrong links, up to here none; the rest is not found
_INVENTED_PER_NOISE = 0.35  # share of first mentions that are linked to something
_FAR = 3  # sentences
_LONG = 3  # words
_DATE = LABELS.index("DATE")
_TAGS = {
    "ADJ": "JJ", "ADP": "IN", "ADV": "RB", "AUX": "VBD", "CCONJ": "CC", "DET": "DT", "NOUN": "NN",
    "NUM": "CD", "PART": "TO", "PRON": "PRP", "PROPN": "NNP", "PUNCT": ".", "SCONJ": "IN",
    "SYM": "SYM", "VERB": "VBD",
}  # fmt: skip
_POSSESSIVE = "PRP$"


class Mentions(NamedTuple):
    """What weaknesses can see of the gold mentions; columns ``[mention]``, in the order of text.

    ``before`` is the mention of the same chain before it, -1 for the first of a chain;
    ``sentences`` is how far away that stands, ``same`` whether it has the same words.
    """

    sentence: NDArray[np.int64]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    document: NDArray[np.int64]
    chain: NDArray[np.int64]
    person: BoolArray
    pronoun: BoolArray
    possessive: BoolArray
    before: NDArray[np.int64]
    sentences: NDArray[np.int64]
    same: BoolArray

    @property
    def first(self) -> BoolArray:
        """Whether it opens its chain."""
        return self.before < 0


@dataclass(frozen=True, slots=True)
class ChainWeakness:
    """Where a resolver errs more often than elsewhere, and how."""

    name: str
    summary: str
    where: Callable[[Mentions], BoolArray]
    rate: float
    error: Error


CHAIN_WEAKNESSES: dict[str, ChainWeakness] = {
    one.name: one
    for one in (
        ChainWeakness(
            "pronouns", "links pronouns to what else was named last, people first",
            lambda them: them.pronoun & ~them.possessive & ~them.first, 0.5, "linked",
        ),
        ChainWeakness(
            "possessives", "links possessives to what else was named last, people first",
            lambda them: them.possessive & ~them.first, 0.5, "linked",
        ),
        ChainWeakness(
            "far-antecedents", f"gives up on antecedents {_FAR} or more sentences away",
            lambda them: ~them.first & (them.sentences >= _FAR), 0.6, "alone",
        ),
        ChainWeakness(
            "name-variants", "does not know names again that are written in another way",
            lambda them: ~them.first & ~them.pronoun & ~them.same, 0.6, "alone",
        ),
        ChainWeakness(
            "long-mentions", f"does not find mentions of {_LONG} or more words",
            lambda them: them.end - them.begin >= _LONG, 0.4, "missed",
        ),
        ChainWeakness(
            "over-merging", "links things that are new to something that was named before",
            lambda them: them.first, 0.15, "linked",
        ),
    )
}  # fmt: skip
CHAIN_SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "rules": ("name-variants", "far-antecedents"),
    "neural": ("pronouns", "over-merging"),
}


def chain_weakness(name: str) -> ChainWeakness:
    """A weakness by its name."""
    if name not in CHAIN_WEAKNESSES:
        raise UsageError.unknown("weakness", name, CHAIN_WEAKNESSES)
    return CHAIN_WEAKNESSES[name]


def simulate_chains(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make documents with chains of mentions and the outputs of resolvers with known weaknesses.

    Parameters
    ----------
    tokens: the gold ends with the first sentence that reaches this number
    seed: the same seed gives the same corpora; a longer corpus begins like a shorter one
    systems: names of weaknesses (see ``CHAIN_WEAKNESSES``) by system; a showcase of two without it
    noise: the share of mentions with an antecedent that any system gets wrong, whatever they are
        like: linked to another chain, to none, or not found; of first mentions, about a third of
        this share is linked to something
    train_tokens: four times the gold, but a million at most, without it
    """
    require_sizes(tokens, seed, noise, train_tokens)
    asked = CHAIN_SHOWCASE if systems is None else systems
    planted = {name: tuple(map(chain_weakness, names)) for name, names in asked.items()}
    world = World(seed)
    text = write(world, tokens=tokens, seed=seed, name="gold")
    training = write(world, tokens=training_size(tokens, train_tokens), seed=seed, name="train")
    mentions = _mentions(text)
    everything = np.ones(len(mentions.chain), bool)
    gold = _corpus(world, text, mentions, mentions.chain, everything, "gold")
    made = {}
    for name, weaknesses in planted.items():
        chain, found = _resolved(mentions, weaknesses, noise, partial(generator, seed, name))
        clusters = _clusters(text, mentions, chain, found)
        made[name] = replace(gold, source=name, clusters=clusters)
    learnt = _mentions(training)
    every = np.ones(len(learnt.chain), bool)
    return Simulation(
        gold,
        _corpus(world, training, learnt, learnt.chain, every, "train"),
        made,
        {name: tuple(one.summary for one in several) for name, several in planted.items()},
        format="conll2012",
    )


def _mentions(text: Text) -> Mentions:
    """Names and pronouns in the order of the text; dates are not mentions."""
    named = np.flatnonzero(text.label != _DATE)
    begin = np.concatenate([text.begin[named], text.pronoun])
    end = np.concatenate([text.end[named], text.pronoun + 1])
    entity = np.concatenate([text.entity[named], text.person])
    pronoun = np.arange(len(begin)) >= len(named)
    possessive = np.append(np.zeros(len(named), bool), text.possessive)
    person = np.append(text.label[named] == LABELS.index("PER"), np.ones(len(text.pronoun), bool))
    order = np.argsort(begin, kind="stable")
    begin, end, entity = begin[order], end[order], entity[order]
    sentence = np.searchsorted(text.offsets, begin, side="right") - 1
    document = text.documents[sentence].astype(np.int64)
    _, chain = np.unique(np.column_stack([document, entity]), axis=0, return_inverse=True)
    before = _previous(chain.ravel())
    length = end - begin
    words = [text.words[at:to].tobytes() for at, to in zip(begin, end, strict=True)]
    same = [at >= 0 and words[at] == one for one, at in zip(words, before.tolist(), strict=True)]
    return Mentions(
        sentence, begin, begin + length, document, chain.ravel().astype(np.int64),
        person[order], pronoun[order], possessive[order], before,
        np.where(before >= 0, sentence - sentence[before], 0), np.array(same, bool),
    )  # fmt: skip


def _previous(chain: NDArray[np.int64]) -> NDArray[np.int64]:
    """``[mention]`` the one before it in its chain, -1 for none.

    >>> _previous(np.array([0, 1, 0, 0])).tolist()
    [-1, -1, 0, 2]
    """
    found = np.full(len(chain), -1, np.int64)
    order = np.argsort(chain, kind="stable")
    same = chain[order][1:] == chain[order][:-1]
    found[order[1:][same]] = order[:-1][same]
    return found


def _resolved(
    mentions: Mentions, weaknesses: Sequence[ChainWeakness], noise: float,
    randomness: Callable[[str], np.random.Generator],
) -> tuple[NDArray[np.int64], BoolArray]:  # fmt: skip
    """``[mention]`` the chain that a resolver puts it into, and whether it finds it."""
    size = len(mentions.chain)
    error = np.full(size, _RIGHT, np.int64)
    for one in weaknesses:
        struck = randomness(one.name).random(size) < one.rate
        error[struck & one.where(mentions) & (error == _RIGHT)] = _CODE[one.error]
    draws = randomness("noise").random((size, 2))  # a longer text begins with the same ones
    hit, which = draws[:, 0], draws[:, 1]
    kind = np.searchsorted(_NOISE, which, side="right") + _LINKED
    rate = np.where(mentions.first, noise * _INVENTED_PER_NOISE, noise)
    spared = (error == _RIGHT) & (hit < rate)
    error[spared] = np.where(mentions.first, _LINKED, kind)[spared]
    return _decided(mentions, error), error != _MISSED


def _decided(mentions: Mentions, error: NDArray[np.int64]) -> NDArray[np.int64]:
    """The chains that decisions lead to, one mention after the other."""
    chain = np.full(len(error), -1, np.int64)
    heard: list[int] = []  # mentions of this document so far
    document = -1
    for here, (kind, before) in enumerate(
        zip(error.tolist(), mentions.before.tolist(), strict=True)
    ):
        if mentions.document[here] != document:
            document, heard = int(mentions.document[here]), []
        goal = before
        while goal >= 0 and error[goal] == _MISSED:
            goal = int(mentions.before[goal])
        if kind == _LINKED:
            other = _somebody_else(mentions, heard, here)
            goal = goal if other < 0 else other
        alone = kind == _ALONE or goal < 0
        chain[here] = here if alone else chain[goal]
        if kind != _MISSED:
            heard.append(here)
    return chain


def _somebody_else(mentions: Mentions, heard: list[int], here: int) -> int:
    """The last mention of another chain, of its kind (people, other things) if there is one.

    -1 for none.
    """
    others = [one for one in reversed(heard) if mentions.chain[one] != mentions.chain[here]]
    kin = (one for one in others if mentions.person[one] == mentions.person[here])
    return next(kin, others[0] if others else -1)


def _clusters(
    text: Text, mentions: Mentions, chain: NDArray[np.int64], found: BoolArray
) -> Clusters:
    """Mentions that are found; chains are numbered from 0 in every document."""
    rows = np.flatnonzero(found)
    _, first, codes = np.unique(chain[rows], return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    opened = mentions.document[rows][np.sort(first)]
    number = np.arange(len(first)) - np.searchsorted(opened, opened)
    start = text.offsets[mentions.sentence[rows]]
    none = np.zeros(len(rows), np.int32)
    begin, end = ((one[rows] - start).astype(np.int32) for one in (mentions.begin, mentions.end))
    sentence = mentions.sentence[rows].astype(np.int32)
    return Clusters(
        Spans.contiguous(sentence, begin, end, none, ("",)),
        rank[codes.ravel()].astype(np.int32),
        tuple(map(str, number.tolist())),
        none, none, none, none,
    )  # fmt: skip


def _corpus(
    world: World, text: Text, mentions: Mentions, chain: NDArray[np.int64], found: BoolArray,
    source: str,
) -> Corpus:  # fmt: skip
    tags = parts_of_speech(text.pos)
    names = (*sorted(set(_TAGS.values())), _POSSESSIVE)
    codes = np.array([names.index(_TAGS[name]) for name in tags.names])[tags.codes]
    codes[text.pronoun[text.possessive]] = names.index(_POSSESSIVE)
    used, dense = np.unique(codes, return_inverse=True)
    xpos = Coded(dense.ravel(), tuple(names[code] for code in used.tolist()))
    return Corpus(
        source, text.offsets, world.vocabulary.texts(text.words), {"xpos": xpos},
        documents=text.documents, clusters=_clusters(text, mentions, chain, found),
    )  # fmt: skip
