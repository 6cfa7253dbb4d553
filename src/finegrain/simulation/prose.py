"""Text with entities, parts of speech and documents, made column by column.

A document is about a few entities (its *cast*), which recur; a sentence is a template whose word
slots are filled by Zipf's law and whose entity slots are filled from the cast. Text is made in
blocks of documents with their own random numbers, so a longer text begins like a shorter one.

>>> world = World(seed=1)
>>> text = write(world, tokens=40, seed=1, name="gold")
>>> " ".join(world.vocabulary.strings(text.words[: text.offsets[1]]))
'Henrik van der Berg ( June 21 , 1848 - July 8 , 1914 ) was a Hungarian historian and geneticist
 from Rådburg .'
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.simulation.dates import ERAS, DateSlots, Era, date_codes
from finegrain.simulation.entities import entity_types
from finegrain.simulation.templates import KINDS, PRONOUNS
from finegrain.simulation.world import TYPES, Found, World
from finegrain.simulation.zipf import zipf_ranks

SHORTEST, LONGEST = 3, 45  # tokens of a sentence
_DOCUMENTS = 128  # per block
_WORD_FLATNESS = 12.0
_CAST_FLATNESS = 1.5
_KIND_SHARES = (0.22, 0.18, 0.14, 0.14, 0.12, 0.10, 0.10)
# share of a document's companies that bear the name of one of its people, and so on
_NAMED_AFTER = {"COMPANY": ("PER", 0.5), "UNIVERSITY": ("CITY", 0.4), "CLUB": ("CITY", 0.8)}
_ERA_OF: dict[str, Era] = {
    "politics": "news", "business": "news", "sport": "news", "culture": "modern", "life": "life",
}  # fmt: skip
_ERA = np.array([ERAS.index(_ERA_OF.get(kind, "past")) for kind in KINDS])


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A text as columns: words and parts of speech, sentences, documents, and entities.

    Entities are ``begin .. end - 1`` in tokens of the whole text; labels are places in ``LABELS``;
    ``entity`` tells which entity of the world it is. ``pronoun`` are the tokens that stand for a
    person (``person``, an entity); ``possessive`` are some of them: his, her.
    """

    words: NDArray[np.int32]
    pos: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    documents: NDArray[np.int32]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    label: NDArray[np.uint8]
    entity: NDArray[np.int64]
    pronoun: NDArray[np.int64]
    person: NDArray[np.int64]
    possessive: NDArray[np.bool_]


class _Sentences(NamedTuple):
    """Columns ``[sentence]``: document, era, template; ``focus`` is [sentence, type]."""

    document: NDArray[np.int64]
    era: NDArray[np.int64]
    template: NDArray[np.int64]
    focus: NDArray[np.float64]
    fresh: NDArray[np.float64]


class _Slots(NamedTuple):
    """Columns ``[slot]``: sentence, symbol, and its place among the slots of its family."""

    sentence: NDArray[np.int64]
    symbol: NDArray[np.int32]
    nth: NDArray[np.int32]
    back: NDArray[np.int32]

    def take(self, rows: IntArray) -> _Slots:
        return _Slots(self.sentence[rows], self.symbol[rows], self.nth[rows], self.back[rows])


class _Mentions(NamedTuple):
    """Columns ``[mention]``: the slot, the entity and the form in which it is written."""

    slot: NDArray[np.int64]
    entity: NDArray[np.int64]
    form: NDArray[np.int64]


class _Pronouns(NamedTuple):
    """Columns ``[pronoun]``: the slot, the person, and which pronoun it is."""

    slot: NDArray[np.int64]
    person: NDArray[np.int64]
    kind: NDArray[np.int64]


def generator(seed: int, *purpose: str | int) -> np.random.Generator:
    """Random numbers for one purpose, whatever else is drawn from the same seed."""
    # not hash(), which differs from run to run
    key = [part if isinstance(part, int) else zlib.crc32(part.encode()) for part in purpose]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def positions(starts: IntArray, lengths: IntArray) -> NDArray[np.int64]:
    """start, start + 1, ... for every start, as many as its length says."""
    ends = np.cumsum(lengths, dtype=np.int64)
    shifts: NDArray[np.int64] = np.repeat(starts - (ends - lengths), lengths)
    return shifts + np.arange(len(shifts))


def write(world: World, *, tokens: int, seed: int, name: str) -> Text:
    """A text of at least ``tokens`` tokens that ends with a whole sentence."""
    blocks: list[Text] = []
    written = 0
    while written < tokens:
        blocks.append(_block(world, generator(seed, name, len(blocks))))
        written += len(blocks[-1].words)
    return _cut(_joined(blocks), tokens)


def _joined(blocks: list[Text]) -> Text:
    sizes = [len(block.words) for block in blocks]
    starts = np.cumsum(sizes) - sizes
    placed = list(zip(blocks, starts, strict=True))
    documents = [block.documents + _DOCUMENTS * number for number, block in enumerate(blocks)]
    return Text(
        np.concatenate([block.words for block in blocks]),
        np.concatenate([block.pos for block in blocks]),
        np.concatenate([[0], *(block.offsets[1:] + start for block, start in placed)]),
        np.concatenate(documents, dtype=np.int32),
        np.concatenate([block.begin + start for block, start in placed]),
        np.concatenate([block.end + start for block, start in placed]),
        np.concatenate([block.label for block in blocks]),
        np.concatenate([block.entity for block in blocks]),
        np.concatenate([block.pronoun + start for block, start in placed]),
        np.concatenate([block.person for block in blocks]),
        np.concatenate([block.possessive for block in blocks]),
    )


def _cut(text: Text, tokens: int) -> Text:
    sentences = int(np.searchsorted(text.offsets, tokens))
    size = text.offsets[sentences]
    spans = int(np.searchsorted(text.begin, size))
    spoken = int(np.searchsorted(text.pronoun, size))
    return Text(
        text.words[:size], text.pos[:size], text.offsets[: sentences + 1],
        text.documents[:sentences], text.begin[:spans], text.end[:spans], text.label[:spans],
        text.entity[:spans], text.pronoun[:spoken], text.person[:spoken], text.possessive[:spoken],
    )  # fmt: skip


def _block(world: World, rng: np.random.Generator) -> Text:
    """Some documents."""
    sentences = _sentences(world, rng)
    bank = world.bank
    lengths = bank.starts[sentences.template + 1] - bank.starts[sentences.template]
    at = positions(bank.starts[sentences.template], lengths)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    slots = _Slots(sentence, bank.slots[at], bank.nth[at], bank.back[at])
    words = _words(world, sentences, slots, rng)
    cast = _cast(rng)
    mentions = _mentions(world, sentences, slots, cast, rng)
    pronouns = _set_pronouns(world, sentences, slots, cast, words)
    return _written(world, sentences, slots, words, mentions, pronouns)


def _sentences(world: World, rng: np.random.Generator) -> _Sentences:
    """Which sentences the documents have: a line of the grammar at most once per document."""
    bank = world.bank
    kind_of = rng.choice(len(KINDS), _DOCUMENTS, p=_KIND_SHARES)
    counts = rng.integers(6, 21, _DOCUMENTS)
    document = np.repeat(np.arange(_DOCUMENTS), counts)
    size = len(document)
    nth = np.arange(size) - np.repeat(np.cumsum(counts) - counts, counts)
    opening = np.argmin(_waiting_times(bank.opening[kind_of], rng), axis=1)
    later = np.argsort(_waiting_times(bank.later[kind_of], rng), axis=1, kind="stable")
    line = np.where(nth == 0, opening[document], later[document, nth])
    template = line * bank.variants + rng.integers(0, bank.variants, size)
    # a sentence goes on about the same entities, or turns to others of the cast
    turns = (nth == 0) | ((rng.random(size) < 0.5) & ~bank.leaning[template])
    about = np.maximum.accumulate(np.where(turns, np.arange(size), 0))
    fresh = rng.random((size, len(TYPES)))
    return _Sentences(document, _ERA[kind_of][document], template, fresh[about], fresh)


def _waiting_times(weights: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Times whose order is a weighted draw without replacement; infinite for weight 0."""
    times = np.full(weights.shape, np.inf)
    np.divide(rng.standard_exponential(weights.shape), weights, out=times, where=weights > 0)
    return times


def _words(
    world: World, sentences: _Sentences, slots: _Slots, rng: np.random.Generator
) -> NDArray[np.int32]:
    """A word for every slot; slots of one family in a sentence get different words."""
    table, symbol = world.symbols, slots.symbol
    topics = rng.random((_DOCUMENTS, int(table.topic.max()) + 1))
    topic = table.topic[symbol]
    own = rng.random(len(symbol))
    base = np.where(topic >= 0, topics[sentences.document[slots.sentence], topic], own)
    first = base[np.arange(len(symbol)) - slots.back]
    other = (first + 0.382 * slots.nth + 0.2 * (own - 0.5)) % 1.0
    uniform = np.where(slots.nth > 0, other, base)
    rank = zipf_ranks(uniform, size=table.size[symbol], shift=_WORD_FLATNESS)
    words: NDArray[np.int32] = world.pool[table.start[symbol] + rank]
    rare = rng.random(len(symbol)) < table.share[symbol]
    rows = np.flatnonzero(rare & ((topic < 0) | (slots.nth > 0)))
    chosen = symbol[rows]
    numbers = zipf_ranks(
        rng.random(len(rows)), size=table.coined_size[chosen], shift=table.coined_shift[chosen]
    )
    words[rows] = world.coined(chosen, numbers)
    return words


def _cast(rng: np.random.Generator) -> NDArray[np.int64]:
    """``[document, type, member]`` the entities of each document."""
    kinds = entity_types().values()
    cast = np.zeros((_DOCUMENTS, len(kinds), max(kind.cast for kind in kinds)), np.int64)
    for kind in kinds:
        # one draw from each part of the distribution: the members of a cast are different
        parts = rng.permuted(np.tile(np.arange(kind.cast), (_DOCUMENTS, 1)), axis=1)
        uniform = (parts + rng.random(parts.shape)) / kind.cast
        cast[:, kind.place, : kind.cast] = zipf_ranks(
            uniform, size=kind.population, shift=kind.flatness
        )
    types = entity_types()
    for name, (origin, share) in _NAMED_AFTER.items():
        members = slice(min(types[name].cast, types[origin].cast))
        named = cast[:, types[name].place, members]
        after = cast[:, types[origin].place, members]
        named[...] = np.where(rng.random(named.shape) < share, after, named)
    return cast


def _member(
    sentences: _Sentences, cast: NDArray[np.int64], rows: IntArray, types: IntArray, nth: IntArray
) -> NDArray[np.int64]:
    """The number of the n-th entity of a type in some sentences."""
    members = np.array([kind.cast for kind in entity_types().values()])[types]
    lead = zipf_ranks(sentences.focus[rows, types], size=members, shift=_CAST_FLATNESS)
    found: NDArray[np.int64] = cast[sentences.document[rows], types, (lead + nth) % members]
    return found


def _mentions(
    world: World, sentences: _Sentences, slots: _Slots, cast: NDArray[np.int64],
    rng: np.random.Generator,
) -> _Mentions:  # fmt: skip
    """The entity of every entity slot: in full first, often shorter later in the document."""
    types = world.symbols.type[slots.symbol]
    rows = np.flatnonzero(types >= 0)
    types, sentence, nth = types[rows], slots.sentence[rows], slots.nth[rows]
    numbers = np.zeros(len(rows), np.int64)
    played = types < len(entity_types())
    numbers[played] = _member(sentences, cast, sentence[played], types[played], nth[played])
    dated = ~played
    numbers[dated] = _dates(sentences, slots.take(rows[dated]), types[dated], rng)
    found = world.entities(types, numbers)
    known = np.ones(len(rows), bool)
    _, first = np.unique(sentences.document[sentence] << 40 | found.form, return_index=True)
    known[first] = False
    return _Mentions(rows, found.form, found.form + _later_form(found, known, rng))


def _dates(
    sentences: _Sentences, slots: _Slots, types: IntArray, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The dates of date slots."""
    at = slots.sentence
    life = rng.random(_DOCUMENTS)
    return date_codes(
        DateSlots(
            types - len(entity_types()), sentences.era[at], slots.nth, rng.random(len(at)),
            sentences.fresh[at, -1], life[sentences.document[at]],
        )
    )  # fmt: skip


def _later_form(
    found: Found, known: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.int64]:
    """0, the full form, unless the entity is known and has others."""
    shortens = known & (found.forms > 1) & (rng.random(len(known)) < 0.8)
    other = 1 + (rng.random(len(known)) * (found.forms - 1)).astype(np.int64)
    return np.where(shortens, other, 0)


def _set_pronouns(
    world: World, sentences: _Sentences, slots: _Slots, cast: NDArray[np.int64],
    words: NDArray[np.int32],
) -> _Pronouns:  # fmt: skip
    """Write he or she, by the person that the sentence is about."""
    pronoun = world.symbols.pronoun[slots.symbol]
    rows = np.flatnonzero(pronoun >= 0)
    person = np.full(len(rows), TYPES.index("PER"))
    numbers = _member(sentences, cast, slots.sentence[rows], person, np.zeros(len(rows), np.int64))
    found = world.entities(person, numbers)
    words[rows] = world.pronouns[pronoun[rows], found.female.astype(np.int64)]
    return _Pronouns(rows, found.form, pronoun[rows])


def _written(
    world: World,
    sentences: _Sentences,
    slots: _Slots,
    words: NDArray[np.int32],
    mentions: _Mentions,
    pronouns: _Pronouns,
) -> Text:
    """Put the words of entities in their slots and leave out sentences that became too long."""
    distinct, place = np.unique(mentions.form, return_inverse=True)
    forms = world.forms(distinct)
    length = np.ones(len(words), np.int64)
    length[mentions.slot] = forms.length[place]
    sizes = np.bincount(slots.sentence, weights=length).astype(np.int64)
    kept = (sizes >= SHORTEST) & (sizes <= LONGEST)
    length *= kept[slots.sentence]
    start = np.cumsum(length) - length
    pos = np.repeat(world.symbols.pos[slots.symbol], length)
    words = np.repeat(words, length)
    here = kept[slots.sentence[mentions.slot]]
    slot, place = mentions.slot[here], place[here]
    into = positions(start[slot], length[slot])
    source = positions((np.cumsum(forms.length) - forms.length)[place], length[slot])
    words[into], pos[into] = forms.words[source], forms.pos[source]
    offsets = np.concatenate([[0], np.cumsum(sizes[kept])])
    _polish(world, words, offsets)
    spoken = kept[slots.sentence[pronouns.slot]]
    return Text(
        words, pos, offsets, sentences.document[kept].astype(np.int32),
        start[slot] + forms.begin[place], start[slot] + forms.end[place], forms.label[place],
        mentions.entity[here], start[pronouns.slot[spoken]], pronouns.person[spoken],
        pronouns.kind[spoken] == list(PRONOUNS).index("{his}"),
    )  # fmt: skip


def _polish(world: World, words: NDArray[np.int32], offsets: IntArray) -> None:
    """Choose a or an, and begin every sentence with a capital letter."""
    vocabulary = world.vocabulary
    follows = vocabulary.takes_an(words[1:])
    for short, long in (("a", "an"), ("A", "An")):
        words[:-1][(words[:-1] == vocabulary.code(short)) & follows] = vocabulary.code(long)
    begins = offsets[:-1]
    begins = begins + (words[begins] == vocabulary.code('"'))
    words[begins] = vocabulary.capitalised(words[begins])
