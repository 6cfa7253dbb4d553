"""The files of a result that a reader of a page may take along: those that its command writes.

>>> import finegrain as fg
>>> found = fg.score(fg.from_matrix([[1, 1], [1, 0]], systems=["a", "b"]))
>>> list(files(found, command="finegrain score"))
['csv', 'tex', 'md', 'json']
"""

from __future__ import annotations

from finegrain.analyses.result import Result
from finegrain.views.html.embedding import packed
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown

_LARGEST = 1_000_000  # characters of a compressed file


def files(result: Result, *, command: str) -> dict[str, str]:
    """The files, compressed, by suffix; without those that are too large for a page."""
    made = {
        "csv": packed(as_csv(result)),
        "tex": packed(as_latex(result)),
        "md": packed(as_markdown(result)),
        "json": packed(as_json(result, command=command)),
    }
    return {suffix: text for suffix, text in made.items() if len(text) <= _LARGEST}
