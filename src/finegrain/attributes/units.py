"""The units of a table as attributes see them: what several attributes need is made once.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> units = Units(fg.align(*small_corpora("tags")))
>>> units.surfaces is units.surfaces
True
"""

from __future__ import annotations

import unicodedata
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.surfaces import Surfaces, surfaces, unit_words
from finegrain.attributes.training import TrainingData, UnitCounts, prepare
from finegrain.corpus import Corpus, IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.table.restriction import in_whole


class Characters(NamedTuple):
    """``[unit]`` how many characters a unit has, white space aside, and how many of each kind."""

    visible: NDArray[np.float64]
    capitals: NDArray[np.float64]
    punctuation: NDArray[np.float64]
    digits: NDArray[np.float64]


class Units:
    """A table, training data for attributes that are learnt, and what is made of both on demand."""

    def __init__(self, table: OutcomeTable, training: TrainingData | Corpus | None = None) -> None:
        self.table = table
        self.training = prepare(training, table) if isinstance(training, Corpus) else training

    def __len__(self) -> int:
        return len(self.table)

    @cached_property
    def among(self) -> tuple[Units, IntArray] | None:
        """Of a restricted table: all units, which attributes are about, and which of them count."""
        found = in_whole(self.table)
        return None if found is None else (Units(found[0], self.training), found[1])

    @cached_property
    def surfaces(self) -> Surfaces | None:
        """The words of units, case folded; ``None`` for a corpus without text."""
        return surfaces(self.table)

    @property
    def are_tokens(self) -> bool:
        """Whether every unit is a token: of tags, and of spans looked at token by token.

        Spans that happen to have one token each are none; texts that are classified are none.
        """
        if self.among is not None:
            return self.among[0].are_tokens
        if self.table.task.open:
            return self.table.settings.get("level") == "token"
        return bool((self.lengths == 1).all())

    @property
    def learnt_from(self) -> TrainingData:
        """The training data, for attributes that need them."""
        if self.training is None:
            raise UsageError("this attribute is learnt: give training data")
        return self.training

    @cached_property
    def in_training(self) -> UnitCounts:
        """What the training data show of every unit."""
        return self.learnt_from.counts(self.table)

    @cached_property
    def characters(self) -> Characters:
        """Characters by kind; nan for a corpus without text."""
        found = unit_words(self.table, fold_case=False)
        if found is None:
            return Characters(*np.full((4, len(self)), np.nan))
        units = found.units
        used, place = np.unique(units.words, return_inverse=True)
        words = found.vocabulary.words
        kinds = np.array([_kinds(words[code]) for code in used.tolist()] or [(0, 0, 0, 0)])
        sums = np.zeros((4, len(place) + 1), np.int64)
        np.cumsum(kinds.T[:, place], axis=1, out=sums[:, 1:])
        counts = sums[:, units.starts + units.lengths] - sums[:, units.starts]
        return Characters(*counts.astype(np.float64))

    @cached_property
    def lengths(self) -> NDArray[np.float64]:
        """Tokens of every unit, without the gaps."""
        table = self.table
        sizes = np.array([0, *map(len, table.token_sets)], np.int64)
        with_gaps = table.token_set > 0
        lengths = np.where(with_gaps, sizes[table.token_set], table.end - table.begin)
        return lengths.astype(np.float64)


def _kinds(word: str) -> tuple[int, int, int, int]:
    """How many characters of a word are visible, capitals, punctuation and digits."""
    categories = [unicodedata.category(char) for char in word if not char.isspace()]
    return (
        len(categories),
        sum(one in ("Lu", "Lt") for one in categories),
        sum(one[0] in "PS" for one in categories),
        categories.count("Nd"),
    )
