"""Results as JSON, CSV, LaTeX and Markdown text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from finegrain.analyses.listing import Cell, Kind, Listing, Value, plain
from finegrain.analyses.result import Result
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.files_read import files_read
from finegrain.table import Task
from finegrain.table.scale import Scale
from finegrain.version import __version__
from finegrain.views.escape import csv_cell, json_text, latex, markdown, visible
from finegrain.views.indented_json import in_parts
from finegrain.views.numbers import groups, marks, written

if TYPE_CHECKING:  # few results have examples
    from finegrain.analyses.units.instances import Instance
    from finegrain.table.marks import Mark

_WIDE = 12  # columns that fit the width of a page
_KEPT = 1 << 12  # cells: large tables have few different ones
_ROWS = 1_000  # of CSV that are written at once


def as_json(result: Result, *, command: str) -> str:
    """One object: version, signature, command, task, systems, inputs, result, notes.

    ``inputs`` are the files that were read, if they were recorded.
    """
    return "".join(json_parts(result, result.to_json(), command=command))


def json_parts(result: Result, written_out: dict[str, Any], *, command: str) -> Iterator[str]:
    """The same in parts; ``written_out`` is what ``to_json`` of the result gives."""
    document = {
        "finegrain": __version__,
        "signature": result.signature,
        "command": command,
        "task": str(result.task),
        "systems": list(result.systems),
        "inputs": [one.to_json() for one in files_read()],
        "result": written_out,
        "notes": list(result.notes),
    }
    yield from map(json_text, in_parts(document))
    yield "\n"


def as_csv(result: Result) -> str:
    """All numbers as one tidy table; proportions unrounded, undefined cells empty."""
    return "".join(csv_parts(result))


def csv_parts(result: Result) -> Iterator[str]:
    """The same, some rows at a time."""
    records, texts = result.records(), _Texts()
    yield _csv([[texts[column.name] for column in records.columns]])
    for at in range(0, len(records.rows), _ROWS):
        rows = records.rows[at : at + _ROWS]
        yield _csv(
            [
                [texts[one] if isinstance(one, str) else _known(one) for one in row]
                for row in map(plain, rows)
            ]
        )


def _csv(rows: list[list[Value]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _known(cell: float | None) -> float | str | None:
    """A number as it is written, nan as nothing."""
    return "" if cell != cell else cell  # noqa: PLR0124 - nan is not equal to itself


class _Texts(dict[str, str]):
    """Texts as cells of CSV: large tables have few different ones."""

    def __missing__(self, text: str) -> str:
        self[text] = csv_cell(text)
        return self[text]


def as_latex(result: Result) -> str:
    """One booktabs table per listing, with the signature as a comment."""
    return "".join(latex_parts(result))


def latex_parts(result: Result) -> Iterator[str]:
    """The same, table by table."""
    listings = result.listings()
    wide = any(len(listing.columns) > _WIDE for listing in listings)
    packages = "booktabs,graphicx" if wide else "booktabs"
    yield f"% finegrain {visible(result.signature)}\n% needs \\usepackage{{{packages}}}\n"
    names = _latex_names([listing.title for listing in listings])
    for place, (one, name) in enumerate(zip(listings, names, strict=True)):
        yield ("\n" if place else "") + _latex_table(one, name)


def _latex_names(titles: list[str]) -> list[str]:
    """A different label for every table, made of the words of its title."""
    names: list[str] = []
    for title in titles:
        plain = "-".join(re.findall("[a-z0-9]+", title.lower())) or "table"
        same = sum(name == plain or name.startswith(f"{plain}+") for name in names)
        names.append(f"{plain}+{same + 1}" if same else plain)
    return names


def _latex_table(listing: Listing, name: str) -> str:
    marked = marks(listing)
    alignment = "".join("l" if column.kind == "text" else "r" for column in listing.columns)
    wide = len(listing.columns) > _WIDE
    lines = [r"\begin{table*}" if wide else r"\begin{table}", r"\centering"]
    lines += [r"\resizebox{\textwidth}{!}{%"] if wide else []
    lines += [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", *_latex_groups(listing)]
    lines.append(_latex_row([latex(column.name) for column in listing.columns]))
    lines.append(r"\midrule")
    marked_in = marked.by_row()
    for number, row in enumerate(listing.rows):
        cells = _latex_cells(listing, row)
        for place in marked_in.get(number, ()):
            look = "textbf" if (number, place) in marked.best else "underline"
            cells[place] = rf"\{look}{{{cells[place]}}}"
        lines.append(_latex_row(cells))
    lines += [r"\midrule"] if listing.footer else []
    lines += (_latex_row(_latex_cells(listing, row)) for row in listing.footer)
    lines += [r"\bottomrule", r"\end{tabular}" + ("}" if wide else "")]
    caption = listing.title + (f" ({listing.note})" if listing.note else "")
    caption += ". Best in bold, worst underlined." if marked.worst else ""
    lines += [rf"\caption{{{latex(caption)}}}", rf"\label{{tab:{name}}}"]
    return "\n".join([*lines, r"\end{table*}" if wide else r"\end{table}", ""])


def _latex_row(cells: list[str]) -> str:
    """Cells of a line; what the line before would take for its argument or star is in braces."""
    row = " & ".join(cells)
    if row.lstrip().startswith(("[", "*")):
        row = f"{{{row.lstrip()[0]}}}{row.lstrip()[1:]}"
    return rf"{row} \\"


def _latex_cells(listing: Listing, row: tuple[Cell, ...]) -> list[str]:
    kinds, scales = zip(*((column.kind, column.scale) for column in listing.columns), strict=True)
    return list(map(_latex_cell, plain(row), kinds, scales))


@lru_cache(_KEPT, typed=True)
def _latex_cell(cell: Value, kind: Kind, scale: Scale) -> str:
    return latex(written(cell, kind, scale))


def _latex_groups(listing: Listing) -> list[str]:
    """The line of group names, with a rule below each group."""
    runs = groups(listing.columns)
    if not any(name for name, _ in runs):
        return []
    cells, rules, place = [], [], 1
    for name, width in runs:
        cells.append(
            rf"\multicolumn{{{width}}}{{c}}{{{latex(name)}}}" if name else "&" * (width - 1)
        )
        if name:
            rules.append(rf"\cmidrule(lr){{{place}-{place + width - 1}}}")
        place += width
    return [" & ".join(cells) + r" \\", " ".join(rules)]


def as_markdown(result: Result) -> str:
    """One pipe table per listing, then the signature."""
    return "".join(markdown_parts(result))


def markdown_parts(result: Result) -> Iterator[str]:
    """The same, table by table."""
    for listing in result.listings():
        yield f"{_markdown_table(listing)}\n"
    if isinstance(result, ErrorTypes):
        for example in result.examples:
            yield f"{_markdown_example(example, result.task)}\n"
    yield f"`{visible(result.signature).replace('`', '')}`\n"


def _markdown_example(example: Instance, task: Task) -> str:
    """A block quote: the outcome, the sentence, what gold and system have in it."""
    place = f"sentence {example.sentence + 1}" + (f", line {example.line}" if example.line else "")
    meaning = task.outcomes[example.outcome].meaning
    head = f"**{example.outcome}** {meaning} ({markdown(example.system)}, {place})"
    sides = f"gold: {_marked(example, example.gold)}; answer: {_marked(example, example.answer)}"
    words = [markdown(" ".join(example.words))] if example.words else []
    return "".join(f"> {line}  \n" for line in (head, *words, sides))


def _marked(example: Instance, one: Mark | None) -> str:
    if one is None:
        return "nothing"
    words = [example.words[token] for token in one.tokens if token < len(example.words)]
    return markdown(f"{' '.join(words)} {one.told}".strip())


def _markdown_table(listing: Listing) -> str:
    marked = marks(listing)
    names = [markdown(f"{column.group} {column.name}".strip()) for column in listing.columns]
    lines = [f"**{markdown(listing.title)}**", "", f"| {' | '.join(names)} |"]
    rules = (":--" if column.kind == "text" else "--:" for column in listing.columns)
    lines.append(f"|{'|'.join(rules)}|")
    kinds, scales = zip(*((column.kind, column.scale) for column in listing.columns), strict=True)
    marked_in = marked.by_row()
    for number, row in enumerate((*listing.rows, *listing.footer)):
        cells = list(map(_markdown_cell, plain(row), kinds, scales))
        for place in marked_in.get(number, ()):
            stars = "**" if (number, place) in marked.best else "*"
            cells[place] = f"{stars}{cells[place]}{stars}"
        lines.append(f"| {' | '.join(cells)} |")
    if marked.worst:
        lines += ["", "Best in bold, worst in italics."]
    if listing.note:
        lines += ["", markdown(listing.note)]
    return "\n".join([*lines, ""])


@lru_cache(_KEPT, typed=True)
def _markdown_cell(cell: Value, kind: Kind, scale: Scale) -> str:
    return markdown(written(cell, kind, scale))
