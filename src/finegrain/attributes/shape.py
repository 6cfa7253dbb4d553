"""The shape of a unit: which kinds of characters follow each other.

Capitals are X, other letters x, digits 9, all else -; what repeats is written once, and words are
kept apart.

>>> [word_shape(word) for word in ("London", "iPhone-7", "1,000", "NATO", "東京")]
['Xx', 'xXx-9', '9-9', 'X', 'x']
>>> from finegrain.attributes.units import Units
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> gold = Corpus.of([["in", "New", "York"]], tags=[["B-P", "B-LOC", "I-LOC"]])
>>> list(shape(Units(align(gold, {"same": gold}))))
['x', 'Xx Xx']
"""

from __future__ import annotations

import unicodedata
from itertools import groupby

import numpy as np

from finegrain.attributes.surfaces import unit_words
from finegrain.attributes.units import Units
from finegrain.corpus import Coded
from finegrain.corpus.phrases import Phrases, Trie


def shape(units: Units) -> Coded:
    """Kinds of characters in a row: X capitals, x other letters, 9 digits, - all else.

    Undefined for units without words.
    """
    found = unit_words(units.table, fold_case=False)
    if found is None:
        return Coded(np.full(len(units), -1, np.int64), ())
    of_words = Coded.of(word_shape(word) for word in found.vocabulary.words)
    rows = found.units
    shaped = of_words.codes[rows.words] if len(of_words) else rows.words
    sequences = Phrases(shaped, rows.starts, rows.lengths)
    state, example, codes = np.unique(
        Trie.of(sequences).find(sequences), return_index=True, return_inverse=True
    )
    names = [
        " ".join(
            of_words.names[code]
            for code in shaped[rows.starts[row] : rows.starts[row] + rows.lengths[row]].tolist()
        )
        for row in example.tolist()
    ]
    wordless = int(len(state) > 0 and state[0] == 0)  # state 0 is that of units without words
    return Coded(codes.astype(np.int64) - wordless, tuple(names[wordless:]))


def word_shape(word: str) -> str:
    """The shape of one word."""
    return "".join(kind for kind, _ in groupby(map(_kind, word)))


def _kind(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Lu", "Lt"):
        return "X"
    if category[0] in "LM":
        return "x"
    return "9" if category == "Nd" else "-"
