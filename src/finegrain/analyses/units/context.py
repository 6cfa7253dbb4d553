"""A unit with what stands left and right of it, as in a concordance.

>>> import numpy as np
>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> place = Places.of(table, np.array([1])).context(0, around=2)
>>> place.before, place.text, place.after
('... Lovelace met', 'Charles Babbage', 'in London ...')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from finegrain.corpus import IntArray
from finegrain.table import OutcomeTable


class Context(NamedTuple):
    """The words of a unit between those around it; dots where the sentence goes on."""

    before: str
    text: str
    after: str


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where some rows of a table stand: their lines in the file, looked up all at once."""

    table: OutcomeTable
    rows: IntArray
    lines: IntArray

    @classmethod
    def of(cls, table: OutcomeTable, rows: IntArray) -> Places:
        return cls(table, rows, table.lines(rows))

    def document(self, at: int) -> str | int | None:
        """The name of the document, or its number from 1; ``None`` without documents."""
        return self.table.corpus.document_of(int(self.table.sentence[self.rows[at]]))

    def sentence(self, at: int) -> int:
        """The sentence, from 1."""
        return int(self.table.sentence[self.rows[at]]) + 1

    def line(self, at: int) -> int | None:
        """The line in the gold file, from 1; ``None`` without a file."""
        return int(self.lines[at]) or None

    def words(self, at: int) -> list[str]:
        """The words of the sentence; none for a corpus without text."""
        return self.table.corpus.sentence(int(self.table.sentence[self.rows[at]]))

    def context(self, at: int, *, around: int = 6) -> Context:
        """The unit and up to ``around`` words on either side."""
        row = int(self.rows[at])
        words = self.words(at)
        tokens = self.table.tokens(row)
        at = int(self.table.begin[row])
        begin, end = (min(tokens), max(tokens) + 1) if tokens else (at, at)
        before, after = words[max(0, begin - around) : begin], words[end : end + around]
        return Context(
            " ".join(["..."] * (begin > around) + before),
            self.table.text(row),
            " ".join(after + ["..."] * (len(words) > end + around)),
        )
