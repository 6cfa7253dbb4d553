"""The best documents of every system side by side, and what is relevant but not among them.

>>> from finegrain.tasks.item_examples import ranking
>>> from finegrain.tasks.ranking import align
>>> for row in side_by_side(align(*ranking()), 0).rows: print(row)
('1', 'd3 (0)', 'd2 (1)')
('2', 'd1 (2)', 'd1 (2)')
('3', 'd2 (1)', '')
('4', 'd9 (–)', '')

Grades stand in parentheses; a dash where nobody judged the document.
"""

from __future__ import annotations

import numpy as np

from finegrain.alignment.run_documents import DOCUMENT, DOCUMENTS, GRADE, RANK, TOP
from finegrain.corpus.columns import cell
from finegrain.table import OutcomeTable
from finegrain.table.marks import Lists

_MISSED = 5  # documents that are named


def side_by_side(table: OutcomeTable, row: int) -> Lists:
    """Ranks in rows, systems in columns; below them the relevant documents that are not there."""
    parts = table.parts[DOCUMENTS]
    begin, end = np.searchsorted(parts.parent, (row, row + 1)).tolist()
    grades, ranks = np.asarray(parts.fields[GRADE])[begin:end], parts.by_system[RANK][begin:end]
    names = [
        f"{cell(parts.fields[DOCUMENT], begin + at)} ({'–' if np.isnan(grade) else f'{grade:g}'})"
        for at, grade in enumerate(grades.tolist())
    ]
    depth = int(np.nan_to_num(np.where(ranks > TOP, 0, ranks)).max(initial=0))
    lines = [[str(rank), *[""] * table.n_systems] for rank in range(1, depth + 1)]
    missed = [""] * table.n_systems
    for system, own in enumerate(ranks.T):
        for at in np.flatnonzero(own <= TOP).tolist():
            lines[int(own[at]) - 1][system + 1] = names[at]
        below = np.flatnonzero((grades > 0) & ~(own <= TOP))
        below = below[np.lexsort((np.nan_to_num(own[below], nan=np.inf), -grades[below]))]
        told = [
            f"{names[at]} {'not retrieved' if np.isnan(own[at]) else f'at {own[at]:.0f}'}"
            for at in below[:_MISSED].tolist()
        ]
        more = [f"and {len(below) - _MISSED} more"] if len(below) > _MISSED else []
        missed[system] = ", ".join(told + more)
    if any(missed):
        lines.append(["missed", *missed])
    return Lists(DOCUMENTS, ("rank", *table.systems), tuple(map(tuple, lines)))
