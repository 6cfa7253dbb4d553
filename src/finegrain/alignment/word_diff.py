"""Texts word by word beside each other: what one has more than the other, and what it lacks.

>>> " ".join(one.told for one in compared("a b c d".split(), "a x c c d e".split()))
'a [-b-] {+x+} c {+c+} d {+e+}'

Words stand between white space. The fewest words are inserted and deleted that can be
(``word_edits``); a word that takes the place of another is both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from finegrain.alignment.error_rates import nearest
from finegrain.alignment.segment_texts import references_of
from finegrain.alignment.word_edits import edits
from finegrain.table import OutcomeTable
from finegrain.table.marks import Piece


def pieces(
    table: OutcomeTable, row: int, system: int, other: int | None = None
) -> tuple[Piece, ...] | None:
    """The output of a system beside another one, or the nearest reference; ``None`` for none."""
    given = table.details[table.task.answer_column]
    own = given[row, system]
    if own is None:
        return None
    words = own.split()
    if other is not None:
        theirs = given[row, other]
        return None if theirs is None else compared(theirs.split(), words)
    (texts,) = references_of(table.parts[table.task.drawn_beside], np.array([row]))
    return compared(nearest([text.split() for text in texts], words), words)


def compared(first: Sequence[str], second: Sequence[str]) -> tuple[Piece, ...]:
    """Pieces of the second text beside the first one."""
    found: list[Piece] = []
    lacks: list[str] = []
    has: list[str] = []
    same: list[str] = []

    def close() -> None:
        for kind, words in (("same", same), ("deleted", lacks), ("inserted", has)):
            if words:
                found.append(Piece(kind, " ".join(words)))  # type: ignore[arg-type]
                words.clear()

    for one in edits(first, second):
        if (one.kind == "same") == bool(lacks or has):
            close()
        if one.kind == "same":
            same.append(second[one.output])
            continue
        if same:
            close()
        if one.kind != "inserted":
            lacks.append(first[one.reference])
        if one.kind != "deleted":
            has.append(second[one.output])
    close()
    return tuple(found)
