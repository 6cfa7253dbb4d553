"""Likely errors of the gold standard: units with the same words and label are one line.

>>> import finegrain as fg
>>> from finegrain.analyses.selection.expressions import written
>>> from finegrain.corpus import Corpus
>>> words = [["Use", "contrast", "."], ["No", "Contrast", "."]]
>>> gold = Corpus.of(words, tags=[["O", "B-C", "O"]] * 2)
>>> none = Corpus.of(words, tags=[["O", "O", "O"]] * 2)
>>> found = fg.triage(fg.align(gold, {"one": none, "two": none}))
>>> [(one.text, one.count, one.where and written(one.where)) for one in grouped(found, {0, 1})]
[('contrast', 2, 'folded_text=contrast and gold!=none and label=C and bucket[suspected]=1')]

The first of them, the most suspicious one, tells what systems answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass

from finegrain.analyses.compare.triage import Suspect, Triage
from finegrain.analyses.evidence import (
    GOLD,
    NOT_GOLD,
    has_label,
    in_bucket,
    of_row,
    with_words,
)
from finegrain.analyses.reports.embedded_buckets import SUSPECTED
from finegrain.analyses.selection.expressions import Expression, all_of
from finegrain.table import OutcomeTable


@dataclass(frozen=True, slots=True)
class Suspects:
    """So many units like the first; the selection that lists them, if the page holds some.

    ``text``: the words of the first, or its number where there are none.
    """

    first: Suspect
    text: str
    count: int
    where: Expression | None


def grouped(found: Triage, embedded: Container[int]) -> list[Suspects]:
    """The listed units, the most suspicious first; ``count`` is among all that were found."""
    table = found.table
    counts = Counter(_kind(table, row) for row in found.suspected.tolist())
    groups: dict[tuple[str, bool, str], tuple[int, Suspect]] = {}
    for row, one in zip(found.rows.tolist(), found.units(), strict=True):
        groups.setdefault(_kind(table, row), (row, one))
    return [
        Suspects(
            one,
            one.text or f"#{row + 1:,}",
            counts[kind],
            _where(kind, counts[kind], row, embedded),
        )
        for kind, (row, one) in groups.items()
    ]


def _kind(table: OutcomeTable, row: int) -> tuple[str, bool, str]:
    """The words of a unit, whether it is gold, its label; a unit without text is alone."""
    words = table.text(row).casefold() or f"#{row}"
    return words, bool(table.is_gold[row]), table.labels[table.label[row]]


def _where(
    kind: tuple[str, bool, str], count: int, row: int, embedded: Container[int]
) -> Expression | None:
    if row not in embedded:
        return None
    if count == 1:
        return of_row(row)
    words, is_gold, label = kind
    unit = GOLD if is_gold else NOT_GOLD
    return all_of(with_words(words), unit, has_label(label), in_bucket(SUSPECTED, 1))
