"""What a seed's text is made of, as tables: words of every symbol, and entities.

A world remembers the words and entities that it has met, because numbers are cheaper than strings.

>>> world = World(seed=1)
>>> animal = world.bank.symbols.index("{animal.pl}")
>>> first = world.symbols.start[animal]
>>> world.vocabulary.strings(world.pool[first : first + 4])
['birds', 'bats', 'bees', 'wolves']
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.simulation.coinage import COINED
from finegrain.simulation.dates import DATE_TYPES
from finegrain.simulation.entities import LABELS, Names, entity_types
from finegrain.simulation.lexicon import Entry, read_lexicon
from finegrain.simulation.templates import PRONOUNS, family, template_bank
from finegrain.simulation.vocabulary import Vocabulary

POS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB",
)  # fmt: skip
TYPES = (*entity_types(), *DATE_TYPES)
_SHIFT = 40  # bits of a number below the type or symbol in a key


class Symbols(NamedTuple):
    """Columns ``[symbol]``: the words a slot can hold, or the type of entity, or the pronoun.

    ``topic`` numbers the classes of which a document keeps to one word; -1 for all others.
    """

    start: NDArray[np.int64]
    size: NDArray[np.int64]
    pos: NDArray[np.uint8]
    topic: NDArray[np.int64]
    share: NDArray[np.float64]
    coined_size: NDArray[np.int64]
    coined_shift: NDArray[np.float64]
    type: NDArray[np.int64]
    pronoun: NDArray[np.int64]


class Forms(NamedTuple):
    """Ways to write entities as columns ``[form]``, and their words one behind the other."""

    length: NDArray[np.int64]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    label: NDArray[np.uint8]
    words: NDArray[np.int32]
    pos: NDArray[np.uint8]


class Found(NamedTuple):
    """Entities as columns: their first form, how many forms they have, and their gender."""

    form: NDArray[np.int64]
    forms: NDArray[np.int64]
    female: NDArray[np.bool_]


class _Form(NamedTuple):
    words: list[int]
    pos: list[int]
    begin: int
    end: int
    label: int


class World:
    """Vocabulary, symbol tables and entities of one seed."""

    def __init__(self, seed: int) -> None:
        self.bank = template_bank()
        self.vocabulary = Vocabulary()
        self._names = Names(seed)
        self._entries = [_entry(symbol) for symbol in self.bank.symbols]
        self._entities: dict[int, tuple[int, int, bool]] = {}
        self._forms: list[_Form] = []
        self._coined: dict[int, int] = {}
        self.pool = self.vocabulary.codes(word for entry in self._entries for word in entry.words)
        self.symbols = self._symbols()
        self.pronouns = np.stack([self.vocabulary.codes(pair) for pair in PRONOUNS.values()])

    def _symbols(self) -> Symbols:
        names, entries = self.bank.symbols, self._entries
        size = np.array([len(entry.words) for entry in entries])
        coined = [COINED.get(entry.tail, COINED["count"]) for entry in entries]
        pronouns = list(PRONOUNS)
        topics = list(read_lexicon().classes)
        return Symbols(
            start=np.cumsum(size) - size,
            size=size,
            pos=np.array([POS.index(entry.pos) for entry in entries], np.uint8),
            topic=np.array(
                [
                    topics.index(family(name)) if entry.topical else -1
                    for name, entry in zip(names, entries, strict=True)
                ]
            ),
            share=np.array([entry.share for entry in entries]),
            coined_size=np.array([kind.size for kind in coined]),
            coined_shift=np.array([kind.shift for kind in coined]),
            type=np.array([TYPES.index(name[1:-1]) if name[0] == "<" else -1 for name in names]),
            pronoun=np.array([pronouns.index(name) if name in pronouns else -1 for name in names]),
        )

    def coined(self, symbols: IntArray, numbers: IntArray) -> NDArray[np.int32]:
        """The n-th coined word of each symbol, in the symbol's form."""
        keys, place = np.unique(symbols.astype(np.int64) << _SHIFT | numbers, return_inverse=True)
        codes = [self._coined_word(key) for key in keys.tolist()]
        return np.array(codes, np.int32)[place]

    def _coined_word(self, key: int) -> int:
        code = self._coined.get(key)
        if code is None:
            entry = self._entries[key >> _SHIFT]
            word = COINED[entry.tail].word(key & ((1 << _SHIFT) - 1))
            code = self._coined[key] = self.vocabulary.code(entry.inflect(word))
        return code

    def entities(self, types: IntArray, numbers: IntArray) -> Found:
        """The n-th entity of each type."""
        keys, place = np.unique(types.astype(np.int64) << _SHIFT | numbers, return_inverse=True)
        rows = [self._entity(key) for key in keys.tolist()]
        table = np.array(rows, np.int64).reshape(-1, 3)[place]
        return Found(table[:, 0], table[:, 1], table[:, 2].astype(bool))

    def _entity(self, key: int) -> tuple[int, int, bool]:
        found = self._entities.get(key)
        if found is None:
            entity = self._names.entity(TYPES[key >> _SHIFT], key & ((1 << _SHIFT) - 1))
            found = len(self._forms), len(entity.mentions), entity.female
            self._entities[key] = found
            label = LABELS.index(entity.label)
            self._forms += [
                _Form(
                    [self.vocabulary.code(word) for word in mention.words],
                    [POS.index(pos) for pos in mention.pos],
                    mention.begin, mention.end, label,
                )
                for mention in entity.mentions
            ]  # fmt: skip
        return found

    def forms(self, numbers: IntArray) -> Forms:
        """The given forms, in the given order."""
        forms = [self._forms[number] for number in numbers.tolist()]
        return Forms(
            np.array([len(form.words) for form in forms], np.int64),
            np.array([form.begin for form in forms], np.int64),
            np.array([form.end for form in forms], np.int64),
            np.array([form.label for form in forms], np.uint8),
            np.array([word for form in forms for word in form.words], np.int32),
            np.array([pos for form in forms for pos in form.pos], np.uint8),
        )


def _entry(symbol: str) -> Entry:
    """The words that a slot can hold; entities and pronouns are filled in elsewhere."""
    if symbol[0] == "<":
        return Entry("PROPN", ("",))
    if symbol in PRONOUNS:
        return Entry("PRON", ("",))
    if symbol[0] == "{":
        entry = read_lexicon().entry(symbol[1:-1])
        return entry if entry.words else replace(entry, words=("",))
    word, slash, pos = symbol.rpartition("/")
    return Entry(pos, (word,)) if slash else Entry(read_lexicon().part_of_speech(symbol), (symbol,))
