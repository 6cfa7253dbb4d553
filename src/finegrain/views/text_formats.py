"""Results as JSON, CSV, LaTeX and Markdown text."""

from __future__ import annotations

import csv
import io
import json
import math

from finegrain.analyses.listing import Cell, Listing
from finegrain.analyses.result import Result
from finegrain.version import __version__
from finegrain.views.escape import csv_cell, latex, markdown, visible
from finegrain.views.numbers import best_cells, groups, written


def as_json(result: Result, *, command: str) -> str:
    """One object: version, signature, command, task, systems, result, notes."""
    document = {
        "finegrain": __version__,
        "signature": result.signature,
        "command": command,
        "task": result.task,
        "systems": list(result.systems),
        "result": result.to_json(),
        "notes": list(result.notes),
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def as_csv(result: Result) -> str:
    """All numbers as one tidy table; proportions unrounded, undefined cells empty."""
    records = result.records()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(column.name for column in records.columns)
    for row in records.rows:
        writer.writerow(_csv_value(cell) for cell in row)
    return out.getvalue()


def _csv_value(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return csv_cell(cell)
    return "" if cell is None or math.isnan(cell) else cell


def as_latex(result: Result) -> str:
    """One booktabs table per listing, with the signature as a comment."""
    tables = [_latex_table(listing) for listing in result.listings()]
    return (
        f"% finegrain {visible(result.signature)}\n% needs \\usepackage{{booktabs}}\n"
        + "\n".join(tables)
    )


def _latex_table(listing: Listing) -> str:
    marked = best_cells(listing)
    alignment = "".join("l" if column.kind == "text" else "r" for column in listing.columns)
    lines = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    runs = groups(listing.columns)
    if any(name for name, _ in runs):
        cells = [rf"\multicolumn{{{width}}}{{c}}{{{latex(name)}}}" for name, width in runs]
        lines.append(" & ".join(cells) + r" \\")
    lines.append(" & ".join(latex(column.name) for column in listing.columns) + r" \\")
    lines.append(r"\midrule")
    for number, row in enumerate(listing.rows):
        cells = []
        for place, (cell, column) in enumerate(zip(row, listing.columns, strict=True)):
            text = latex(written(cell, column.kind))
            cells.append(rf"\textbf{{{text}}}" if (number, place) in marked else text)
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    caption = listing.title + (f" ({listing.note})" if listing.note else "")
    return "\n".join([*lines, rf"\caption{{{latex(caption)}}}", r"\end{table}", ""])


def as_markdown(result: Result) -> str:
    """One pipe table per listing, then the signature."""
    parts = [_markdown_table(listing) for listing in result.listings()]
    return "\n".join([*parts, f"`{visible(result.signature).replace('`', '')}`", ""])


def _markdown_table(listing: Listing) -> str:
    marked = best_cells(listing)
    names = [markdown(f"{column.group} {column.name}".strip()) for column in listing.columns]
    lines = [f"**{markdown(listing.title)}**", "", f"| {' | '.join(names)} |"]
    rules = (":--" if column.kind == "text" else "--:" for column in listing.columns)
    lines.append(f"|{'|'.join(rules)}|")
    for number, row in enumerate(listing.rows):
        cells = []
        for place, (cell, column) in enumerate(zip(row, listing.columns, strict=True)):
            text = markdown(written(cell, column.kind))
            cells.append(f"**{text}**" if (number, place) in marked else text)
        lines.append(f"| {' | '.join(cells)} |")
    if listing.note:
        lines += ["", markdown(listing.note)]
    return "\n".join([*lines, ""])
