"""Docstrings as Markdown: what the code says about itself, on a page.

Knows what docstrings of this project hold: prose, ``.. math::``, doctests, indented examples,
tables of equals signs, and sections underlined with hyphens.

>>> print(markdown('''Share of ``right`` ones.
...
... .. math:: P = TP / n
... '''))
Share of `right` ones.
<BLANKLINE>
```math
P = TP / n
```

Doctests get the imports in front that they need to run outside their module.
"""

from __future__ import annotations

import ast
import builtins
import doctest
import inspect
import re
from collections.abc import Iterator
from textwrap import dedent
from types import ModuleType

_MATH = ".. math::"
_CODE = re.compile(r"(`[^`]*`)")
_ENTRY = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*):\s+(.*)\Z", re.DOTALL)


def markdown(docstring: str, *, module: ModuleType | None = None) -> str:
    """A docstring as Markdown; ``module`` is where it stands."""
    text = inspect.cleandoc(docstring)
    imports = needed_imports(text, module) if module else []
    parts: list[str] = []
    for block in _blocks(text):
        if block.startswith(">>>"):
            parts.append(_fence("pycon", "\n".join([*imports, block])))
            imports = []
        elif block.startswith(_MATH):
            lines = block.removeprefix(_MATH).strip().splitlines()
            parts.append(_fence("math", "\n".join(line.strip() for line in lines)))
        elif block.startswith("    "):
            parts.append(_fence("text", dedent(block)))
        elif re.match(r"=+( +=+)+$", block.splitlines()[0]):
            parts.append(_table(block))
        elif re.match(r"\w[\w ]*\n-+$", "\n".join(block.splitlines()[:2])):
            parts.append(_section(block))
        else:
            parts.append(prose(block))
    return "\n\n".join(parts)


def prose(text: str) -> str:
    """Text with code marked as in Markdown, and nothing that could be taken for a tag."""
    single = re.sub(r"``([^`]+)``", r"`\1`", re.sub(r":math:`([^`]+)`", r"$`\1`$", text))
    return "".join(
        part if part.startswith("`") else part.replace("&", "&amp;").replace("<", "&lt;")
        for part in _CODE.split(single)
    )


def first_paragraph(docstring: str | None) -> str:
    """The first paragraph of a docstring, on one line."""
    return prose(" ".join(inspect.cleandoc(docstring or "").split("\n\n")[0].split()))


def needed_imports(docstring: str, module: ModuleType) -> list[str]:
    """Import lines for the names that doctests take from their module."""
    used: list[str] = []
    given: set[str] = set()
    for example in doctest.DocTestParser().get_examples(docstring):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Name):
                (used.append if isinstance(node.ctx, ast.Load) else given.add)(node.id)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                given |= {alias.asname or alias.name for alias in node.names}
            elif isinstance(node, ast.arg):
                given.add(node.arg)
    wanted = {name for name in used if name in vars(module)} - given - set(dir(builtins))
    modules = {name for name in wanted if isinstance(vars(module)[name], ModuleType)}
    lines = [_module_import(name, vars(module)[name].__name__) for name in sorted(modules)]
    if wanted - modules:
        lines.append(f">>> from {module.__name__} import {', '.join(sorted(wanted - modules))}")
    return lines


def _module_import(name: str, full: str) -> str:
    return f">>> import {full}" if name == full else f">>> import {full} as {name}"


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs; blank lines inside an indented example or a display equation do not end it."""
    pending: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        indented = paragraph.startswith("    ")
        if pending and not (indented and pending[-1].startswith(("    ", _MATH))):
            yield "\n\n".join(pending)
            pending = []
        pending.append(paragraph)
    if pending:
        yield "\n\n".join(pending)


def _fence(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def _section(block: str) -> str:
    """A titled list of names and meanings, such as the parameters."""
    title, _, *lines = block.splitlines()
    entries: list[str] = []
    for line in lines:
        if line.startswith(" ") and entries:
            entries[-1] += " " + line.strip()
        else:
            entries.append(line.strip())
    items = [_entry(entry) for entry in entries]
    return f"**{title}**\n\n" + "\n".join(f"- {item}" for item in items)


def _entry(entry: str) -> str:
    match = _ENTRY.match(entry)
    return f"`{match[1]}`: {prose(match[2])}" if match else prose(entry)


def _table(block: str) -> str:
    """A table between lines of equals signs."""
    rule, *lines = block.splitlines()
    begins = [match.start() for match in re.finditer(r"=+", rule)]
    ends = [*begins[1:], None]
    rows: list[list[str]] = []
    for line in (line for line in lines if not line.startswith("=")):
        cells = [line[begin:end].strip() for begin, end in zip(begins, ends, strict=True)]
        if rows and not cells[0]:
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells, strict=True)]
        else:
            rows.append(cells)
    return table(rows[0], [[prose(one) for one in row] for row in rows[1:]])


def table(heading: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [heading, [":--"] * len(heading), *([cell(one) for one in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(text: str) -> str:
    """Text for a cell: one line, without a bar that would end it."""
    return " ".join(text.split()).replace("|", "\\|")
