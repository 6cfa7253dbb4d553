"""The words of units as numbers: units with the same words, case folded, have one surface.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("tags"))
>>> found = surfaces(table)
>>> found.name(found.codes[6]), int(found.occurrences[found.codes[6]])
('london', 3)

Only distinct words are ever looked at one by one. A unit that leaves out characters of its first
or last token has the surface of what it covers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.corpus.phrases import Phrases, Trie, Vocabulary, phrases
from finegrain.table import OutcomeTable
from finegrain.table.unit_spans import unit_spans


class UnitWords(NamedTuple):
    """The words of all units, and of the text, as numbers of one vocabulary."""

    units: Phrases
    text: IntArray
    vocabulary: Vocabulary


def unit_words(table: OutcomeTable, *, fold_case: bool) -> UnitWords | None:
    """The words of the table's units; ``None`` for a corpus without text."""
    corpus = table.corpus
    if corpus.tokens is None:
        return None
    vocabulary = Vocabulary(fold_case=fold_case)
    text = vocabulary.codes(corpus.tokens)
    words = phrases(unit_spans(table), corpus, text, vocabulary=vocabulary)
    return UnitWords(words, text, vocabulary)


@dataclass(frozen=True, slots=True, eq=False)
class Surfaces:
    """``codes``: ``[unit]`` the surface of each unit, or -1 for none.

    ``occurrences``: ``[surface]`` how often the text has these words, annotated or not, in any
    case; ``example``: ``[surface]`` a unit that has it.
    """

    codes: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    example: NDArray[np.int64]
    units: Phrases
    words: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.example)

    def name(self, surface: int) -> str:
        """The words of a surface, case folded, with blanks between them."""
        row = int(self.example[surface])
        start = int(self.units.starts[row])
        codes = self.units.words[start : start + int(self.units.lengths[row])]
        return " ".join(self.words[code] for code in codes.tolist())

    def find(self, text: str) -> int:
        """The surface of these words, which are case folded and have blanks between them, or -1."""
        number = {word: code for code, word in enumerate(self.words)}
        wanted = [number.get(word, -1) for word in text.split()]
        start = self.units.starts[self.example]
        same = np.flatnonzero(self.units.lengths[self.example] == len(wanted))
        for depth, code in enumerate(wanted):
            same = same[self.units.words[start[same] + depth] == code]
        return int(same[0]) if len(same) and wanted else -1


_KNOWN: WeakKeyDictionary[OutcomeTable, Surfaces | None] = WeakKeyDictionary()


def surfaces(table: OutcomeTable) -> Surfaces | None:
    """The surfaces of the table's units; ``None`` for a corpus without text.

    They are made once, and kept as long as the table: several analyses of a report ask for them.
    """
    if table not in _KNOWN:
        _KNOWN[table] = _surfaces(table)
    return _KNOWN[table]


def _surfaces(table: OutcomeTable) -> Surfaces | None:
    found = unit_words(table, fold_case=True)
    if found is None:
        return None
    trie = Trie.of(found.units)
    state, example, codes = np.unique(
        trie.find(found.units), return_index=True, return_inverse=True
    )
    occurrences = trie.occurrences(found.text, table.corpus.offsets)[state]
    no_words = int(len(state) > 0 and state[0] == 0)  # state 0 is that of units without words
    return Surfaces(
        codes.astype(np.int64) - no_words,
        occurrences[no_words:],
        example[no_words:],
        found.units,
        found.vocabulary.words,
    )


def occurrences_of(table: OutcomeTable, text: str) -> int:
    """How often a corpus has the words of ``text``, in any case."""
    if table.corpus.tokens is None:
        return 0
    vocabulary = Vocabulary(fold_case=True)
    words = vocabulary.codes(table.corpus.tokens)
    wanted = np.array([vocabulary.code(word) for word in text.split()], np.int64)
    trie = Trie.of(Phrases(wanted, np.zeros(1, np.int64), np.array([len(wanted)])))
    return int(trie.occurrences(words, table.corpus.offsets)[-1]) if len(wanted) else 0
