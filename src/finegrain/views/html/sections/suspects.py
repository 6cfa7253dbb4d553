"""Likely errors of the gold standard: units with the same words and label are one line.

>>> import finegrain as fg
>>> from finegrain.corpus import Corpus
>>> words = [["Use", "contrast", "."], ["No", "Contrast", "."]]
>>> gold = Corpus.of(words, tags=[["O", "B-C", "O"]] * 2)
>>> none = Corpus.of(words, tags=[["O", "O", "O"]] * 2)
>>> found = fg.triage(fg.align(gold, {"one": none, "two": none}))
>>> [(one.text, one.count, one.conditions) for one in grouped(found, {0, 1})]
[('contrast', 2, {'word': 'contrast', 'unit': 'gold', 'label': 'C', 'bucket.suspected': 1})]

The first of them, the most suspicious one, tells what systems answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass

from finegrain.analyses.compare.triage import Suspect, Triage
from finegrain.analyses.reports.embedded_buckets import SUSPECTED
from finegrain.table import OutcomeTable


@dataclass(frozen=True, slots=True)
class Suspects:
    """So many units like the first; the conditions that list them, if the page holds some.

    ``text``: the words of the first, or its number where there are none.
    """

    first: Suspect
    text: str
    count: int
    conditions: dict[str, str | int] | None


def grouped(found: Triage, embedded: Container[int]) -> list[Suspects]:
    """The listed units, the most suspicious first; ``count`` is among all that were found."""
    table = found.table
    counts = Counter(_kind(table, row) for row in found.suspected.tolist())
    groups: dict[tuple[str, str, str], tuple[int, Suspect]] = {}
    for row, one in zip(found.rows.tolist(), found.units(), strict=True):
        groups.setdefault(_kind(table, row), (row, one))
    return [
        Suspects(
            one,
            one.text or f"#{row + 1:,}",
            counts[kind],
            _conditions(kind, counts[kind], row, embedded),
        )
        for kind, (row, one) in groups.items()
    ]


def _kind(table: OutcomeTable, row: int) -> tuple[str, str, str]:
    """The words of a unit, whether it is gold, its label; a unit without text is alone."""
    words = table.text(row).casefold() or f"#{row}"
    unit = "gold" if table.is_gold[row] else "not-gold"
    return words, unit, table.labels[table.label[row]]


def _conditions(
    kind: tuple[str, str, str], count: int, row: int, embedded: Container[int]
) -> dict[str, str | int] | None:
    if row not in embedded:
        return None
    if count == 1:
        return {"row": row + 1}
    words, unit, label = kind
    return {"word": words, "unit": unit, "label": label, f"bucket.{SUSPECTED}": 1}
