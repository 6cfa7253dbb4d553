"""What segments are compared by: the outputs of systems, references, sources.

>>> texts = SegmentTexts((("a b", "c"),), (("a b", "b a"), ("c",)), None)
>>> texts.n_systems, texts.n_references, texts.by_reference()
(1, 2, [('a b', 'c'), ('b a', None)])

They are read off a table, whole or a part of it:

>>> from finegrain.tasks.item_examples import generation
>>> from finegrain.tasks.generation import align
>>> of_table(align(*generation())).outputs[0][0]
'The mill was built in 1843 .'
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.references import strings
from finegrain.corpus.columns import Rows
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable

OUTPUT, SOURCE, REFERENCES = "output", "source", "references"
"""The texts of systems in ``table.details``, sources in ``columns``, references in ``parts``."""


class SegmentTexts(NamedTuple):
    """``outputs`` ``[system][segment]``, ``references`` ``[segment]``, ``sources`` ``[segment]``.

    A segment that a system does not have is an empty text here.
    """

    outputs: tuple[tuple[str, ...], ...]
    references: tuple[tuple[str, ...], ...]
    sources: tuple[str | None, ...] | None

    @property
    def n_systems(self) -> int:
        return len(self.outputs)

    @property
    def n_segments(self) -> int:
        return len(self.references)

    @property
    def n_references(self) -> int:
        """The most that a segment has."""
        return max(map(len, self.references), default=0)

    def by_reference(self) -> list[tuple[str | None, ...]]:
        """``[reference][segment]``, ``None`` where a segment has fewer."""
        return [
            tuple(own[place] if place < len(own) else None for own in self.references)
            for place in range(self.n_references)
        ]


def of_table(table: OutcomeTable, rows: NDArray[np.int64] | None = None) -> SegmentTexts:
    """The texts of all units of a table, or of some."""
    wanted = np.arange(len(table)) if rows is None else rows
    given = table.details[OUTPUT][wanted]
    sources = table.columns.get(SOURCE)
    return SegmentTexts(
        tuple(tuple("" if one is None else one for one in own.tolist()) for own in given.T),
        references_of(table.parts[REFERENCES], wanted),
        None if sources is None else tuple(sources[wanted].tolist()),
    )


def references_of(rows: Rows, wanted: NDArray[np.int64]) -> tuple[tuple[str, ...], ...]:
    """The references of each unit."""
    if len(wanted) and (np.diff(wanted) == 1).all() and not wanted[0]:
        part, size = rows, len(wanted)
    else:
        part, size = rows.of(wanted), len(wanted)
    found: list[list[str]] = [[] for _ in range(size)]
    texts = strings(part.fields["text"])
    for parent, text in zip(part.parent.tolist(), texts, strict=True):
        if parent < size:
            found[parent].append(text or "")
    return tuple(map(tuple, found))


def require_sources(table: OutcomeTable) -> None:
    """Refuse a table without sources."""
    if SOURCE not in table.columns:
        raise UsageError(
            "the segments have no sources: give a gold file that has a column of them, or the file "
            "of the sources: --set source=FILE"
        )
