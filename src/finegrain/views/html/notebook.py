"""Results in a notebook: their tables as HTML, with everything in them escaped.

>>> import finegrain as fg
>>> table = fg.from_matrix([[1, 1], [1, 0]], systems=["<b>", "gru"])
>>> "&lt;b&gt;" in as_tables(fg.score(table)) and "<b>" not in as_tables(fg.score(table))
True
"""

from __future__ import annotations

from html import escape

from finegrain.analyses.listing import Cell, Listing
from finegrain.analyses.result import Result
from finegrain.views.escape import visible
from finegrain.views.numbers import written

_MOST = 100  # rows of a table


def as_tables(result: Result) -> str:
    """The tables of a result, its notes and its signature."""
    tables = "".join(_table(one) for one in result.listings())
    notes = "".join(f"<p>{_safe(note)}</p>" for note in result.notes)
    return f"{tables}{notes}<p><code>{_safe(result.signature)}</code></p>"


def _table(listing: Listing) -> str:
    heads = "".join(
        f"<th>{_safe(f'{column.group} {column.name}'.strip())}</th>" for column in listing.columns
    )
    rows = "".join(
        f"<tr>{_row(row, listing)}</tr>" for row in (*listing.rows[:_MOST], *listing.footer)
    )
    cut = len(listing.rows) - _MOST
    more = f"<p>and {cut:,} more rows</p>" if cut > 0 else ""
    note = f"<p>{_safe(listing.note)}</p>" if listing.note else ""
    caption = f"<caption>{_safe(listing.title)}</caption>"
    head, body = f"<thead><tr>{heads}</tr></thead>", f"<tbody>{rows}</tbody>"
    return f"<table>{caption}{head}{body}</table>{more}{note}"


def _row(row: tuple[Cell, ...], listing: Listing) -> str:
    pairs = zip(row, listing.columns, strict=True)
    texts = (written(cell, column.kind, column.scale) for cell, column in pairs)
    return "".join(f"<td>{_safe(text)}</td>" for text in texts)


def _safe(text: str) -> str:
    return escape(visible(text))
