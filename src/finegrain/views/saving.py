"""Results as files: the suffix chooses the form.

>>> form_of("scores.tex"), form_of("scores.JSON")
('latex', 'json')
"""

from __future__ import annotations

import os.path

from finegrain.analyses.result import Result
from finegrain.complete_file import write_complete
from finegrain.errors import UsageError

FORMS = ("table", "json", "csv", "latex", "markdown")
SUFFIXES = {
    ".json": "json",
    ".csv": "csv",
    ".tex": "latex",
    ".md": "markdown",
    ".txt": "table",
    "": "table",
}


def is_page(path: str) -> bool:
    """Whether a file name asks for the page of a result.

    >>> is_page("suite.html"), is_page("suite.json")
    (True, False)
    """
    return path.lower().endswith((".html", ".htm"))


def form_of(path: str) -> str:
    """The form that a file name asks for; a suffix that is not known is refused."""
    suffix = os.path.splitext(path)[1].lower()  # noqa: PTH122 - a name, not a file
    if suffix not in SUFFIXES:
        known = ", ".join(filter(None, SUFFIXES))
        raise UsageError(f"{path}: no form goes with {suffix!r}; known: {known}")
    return SUFFIXES[suffix]


def render(result: Result, form: str, *, command: str = "") -> str:
    """A result as text."""
    if form == "table":
        from finegrain.views import terminal  # noqa: PLC0415 - rich only when needed

        return terminal.as_text(result)
    from finegrain.views import text_formats  # noqa: PLC0415 - only when needed

    if form == "json":
        return text_formats.as_json(result, command=command)
    if form == "csv":
        return text_formats.as_csv(result)
    if form == "latex":
        return text_formats.as_latex(result)
    return text_formats.as_markdown(result)


def save(result: Result, path: str) -> None:
    """Write a result to a file that appears only when it is complete."""
    if not is_page(path):
        write_complete(path, render(result, form_of(path)))
        return
    from finegrain.views.html.pages import page_of  # noqa: PLC0415 - an extra, only when needed

    write_complete(path, page_of(result))
