"""Gold units as lines with the number of systems that are right about them, for spreadsheets.

>>> import finegrain as fg
>>> table = fg.from_matrix([[1, 0], [1, 1]], systems=["crf", "gru"], units=["q1", "q2"])
>>> print(*annotated_units(table), sep="", end="")                 # doctest: +NORMALIZE_WHITESPACE
sentence text label crf gru bin
1        q1   right 1   0   1
2        q2   right 1   1   2
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import numpy as np

from finegrain.analyses.compare.difficulty import bins
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import right
from finegrain.views.escape import csv_cell, visible

_ROWS = 1 << 12  # units written at once


def annotated_units(table: OutcomeTable) -> Iterator[str]:
    """A line of names, then one per gold unit: sentence, text, label, 0 or 1 per system, bin."""
    heads = ["sentence", "text", "label", *table.systems, "bin"]
    yield _lines([[csv_cell(visible(head)) for head in heads]])
    number = bins(table)
    for at in range(0, len(table), _ROWS):
        rows = np.flatnonzero(number[at : at + _ROWS] >= 0) + at
        solved = right(table, slice(at, at + _ROWS))[rows - at].astype(int)
        yield _lines(
            [
                [
                    str(int(table.sentence[row]) + 1),
                    csv_cell(visible(table.text(row))),
                    csv_cell(visible(table.labels[table.label[row]])),
                    *map(str, answers),
                    str(number[row]),
                ]
                for row, answers in zip(rows.tolist(), solved.tolist(), strict=True)
            ]
        )


def _lines(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, dialect="excel-tab", lineterminator="\n").writerows(rows)
    return out.getvalue()
