"""The files of a result that a reader of a page may take along: those that its command writes.

>>> import finegrain as fg
>>> found = fg.score(fg.from_matrix([[1, 1], [1, 0]], systems=["a", "b"]))
>>> list(files(found, command="finegrain score"))
['csv', 'tex', 'md', 'json']
"""

from __future__ import annotations

from typing import Any

from finegrain.analyses.result import Result
from finegrain.views.html.embedding import packed
from finegrain.views.text_formats import csv_parts, json_parts, latex_parts, markdown_parts

_LARGEST = 1_000_000  # characters of a compressed file


def files(
    result: Result, *, command: str, written_out: dict[str, Any] | None = None
) -> dict[str, str]:
    """The files, compressed, by suffix; without those that are too large for a page.

    ``written_out``: what ``to_json`` of the result gives, where that is known.
    """
    known = result.to_json() if written_out is None else written_out
    made = {
        "csv": csv_parts(result),
        "tex": latex_parts(result),
        "md": markdown_parts(result),
        "json": json_parts(result, known, command=command),
    }
    kept = {suffix: packed(parts, largest=_LARGEST) for suffix, parts in made.items()}
    return {suffix: text for suffix, text in kept.items() if text is not None}
