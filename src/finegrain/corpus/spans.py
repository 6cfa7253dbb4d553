"""Labelled spans of sentences, as columns.

A span covers the tokens ``begin .. end - 1`` of its sentence (counted from 0) or, when it is
discontinuous, some of them. Rows stand in file order, which decides ties among nested or
crossing spans.

>>> spans = Spans.of([(0, 1, 3, "PER"), (0, 5, 9, "ORG", (5, 8))])
>>> len(spans), spans.labels
(2, ('ORG', 'PER'))
>>> spans.tokens(0), spans.tokens(1)
((1, 2), (5, 8))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.texts import Coded, IntArray

Row = tuple[int, int, int, str] | tuple[int, int, int, str, tuple[int, ...] | None]


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Columns ``[span]``; ``token_set`` is 0 without gaps, else 1 + a place in ``token_sets``.

    ``begin_cut`` and ``end_cut`` tell how many characters of its first and last token a span
    leaves out; ``None`` where all spans fit their tokens.
    """

    sentence: IntArray
    begin: IntArray
    end: IntArray
    label: IntArray
    labels: tuple[str, ...]
    token_set: IntArray
    token_sets: tuple[tuple[int, ...], ...] = ()
    begin_cut: IntArray | None = None
    end_cut: IntArray | None = None

    def __len__(self) -> int:
        return len(self.sentence)

    @classmethod
    def contiguous(
        cls,
        sentence: IntArray,
        begin: IntArray,
        end: IntArray,
        label: IntArray,
        labels: tuple[str, ...],
    ) -> Spans:
        """Spans without gaps."""
        return cls(sentence, begin, end, label, labels, np.zeros(len(sentence), np.int32))

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Spans:
        """Build from rows ``(sentence, begin, end, label[, tokens])``."""
        listed = [row if len(row) == 5 else (*row, None) for row in rows]
        known: dict[tuple[int, ...], int] = {}
        sets = [
            0 if tokens is None or tokens == tuple(range(begin, end))
            else known.setdefault(tokens, len(known) + 1)
            for _, begin, end, _, tokens in listed
        ]  # fmt: skip
        label = Coded.of(row[3] for row in listed)

        def column(place: int) -> NDArray[np.int32]:
            return np.array([row[place] for row in listed], np.int32)

        return cls(
            column(0), column(1), column(2), label.codes, label.names,
            np.array(sets, np.int32), tuple(known),
        )  # fmt: skip

    def tokens(self, row: int) -> tuple[int, ...]:
        """The token positions that the span covers, in its sentence."""
        code = int(self.token_set[row])
        if code:
            return self.token_sets[code - 1]
        return tuple(range(int(self.begin[row]), int(self.end[row])))

    def take(self, rows: IntArray) -> Spans:
        """The given rows, in the given order."""
        return Spans(
            self.sentence[rows], self.begin[rows], self.end[rows], self.label[rows],
            self.labels, self.token_set[rows], self.token_sets,
            None if self.begin_cut is None else self.begin_cut[rows],
            None if self.end_cut is None else self.end_cut[rows],
        )  # fmt: skip

    def in_sentences(self, order: IntArray) -> Spans:
        """The same spans when sentences stand in another order, without those of no sentence."""
        size = 1 + max(self.sentence.max(initial=-1), order.max(initial=-1))
        number = np.full(size, -1, np.int32)
        number[order] = np.arange(len(order))
        moved = replace(self, sentence=number[self.sentence])
        rows = np.argsort(moved.sentence, kind="stable")
        return moved.take(rows[moved.sentence[rows] >= 0])

    def cuts(self) -> tuple[IntArray, IntArray]:
        """``begin_cut`` and ``end_cut``, as zeros where there are none."""
        none = np.zeros(len(self), np.int32)
        return (
            none if self.begin_cut is None else self.begin_cut,
            none if self.end_cut is None else self.end_cut,
        )

    @property
    def n_repeated(self) -> int:
        """How many spans are listed again: equal in place, tokens and label to one before them.

        >>> Spans.of([(0, 1, 3, "PER"), (0, 1, 3, "LOC"), (0, 1, 3, "PER")]).n_repeated
        1
        """
        apart = self.sentence[1:] > self.sentence[:-1]
        apart |= (self.sentence[1:] == self.sentence[:-1]) & (self.begin[1:] >= self.end[:-1])
        if apart.all():
            return 0
        places = (self.sentence, self.begin, self.end, self.label, self.token_set, *self.cuts())
        order = np.lexsort(places)
        same = np.ones(len(order) - 1, bool)
        for column in places:
            same &= np.diff(column[order]) == 0
        return int(np.count_nonzero(same))

    @property
    def n_cut(self) -> int:
        """How many spans do not fit their tokens."""
        begin, end = self.cuts()
        return int(np.count_nonzero((begin > 0) | (end > 0)))
