"""What the site does beyond MkDocs: equations without scripts, pages from outside docs/, globs.

MkDocs calls these functions by name (``hooks`` in mkdocs.yml).

- A ```` ```math ```` block, and ``$`...`$`` in a line, becomes MathML, which browsers draw themselves.
- CHANGELOG.md and CONTRIBUTING.md become pages.
- ``*.md`` in ``nav`` stands for the pages in docs/ that are named nowhere else in it, and
  ``folder/*.md`` for those in a folder.

>>> equation("F = TP")
'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mrow><mi>F</mi><mo>&#x0003D;</mo><mtext>TP</mtext></mrow></math>'
"""  # noqa: E501 - what it really prints

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_MATH = re.compile(r"^```math\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
_IN_LINE = re.compile(r"\$`([^`\n]+)`\$")
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
_CODE = re.compile(r"`[^`]*`")
_WORD = re.compile(r"\\(?:text|mathrm|operatorname)\{[^}]*\}|\\[A-Za-z]+|([A-Za-z]{2,})")
_OUTSIDE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
_REST = "*.md"


def equation(latex: str, display: Literal["block", "inline"] = "block") -> str:
    """LaTeX as MathML; names of several letters, such as TP, stay together."""
    whole = _WORD.sub(lambda match: rf"\text{{{match[1]}}}" if match[1] else match[0], latex)
    mathml: str = convert(" ".join(whole.split()), display=display)
    return mathml


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Put equations where they can be seen, and give the first page the whole width."""
    if page.is_homepage:
        page.meta["hide"] = ["navigation", "toc"]
    text = _MATH.sub(lambda match: f'<div class="equation">{equation(match[1])}</div>', markdown)
    return "".join(
        part if part.startswith("```") else _outside_code_blocks(part)
        for part in _FENCE.split(text)
    )


def _outside_code_blocks(text: str) -> str:
    """Equations in a line; and a bar in code needs no backslash here, as it does elsewhere."""
    drawn = _IN_LINE.sub(lambda match: f"<span>{equation(match[1], 'inline')}</span>", text)
    return _ROW.sub(lambda row: _CODE.sub(lambda code: code[0].replace(r"\|", "|"), row[0]), drawn)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand outside docs/."""
    for source, page in _OUTSIDE.items():
        text = (Path(config.config_file_path).parent / source).read_text(encoding="utf-8")
        for name, place in _OUTSIDE.items():
            text = text.replace(f"]({name})", f"]({place})")
        files.append(File.generated(config, page, content=text.replace("](docs/", "](")))
    return files


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages that ``nav`` does not name where it says ``*.md``."""
    docs = Path(config.docs_dir)
    pages = {page.relative_to(docs).as_posix() for page in docs.rglob("*.md")}
    config.nav = _filled(config.nav, sorted(pages - set(_names(config.nav))))
    return config


def _names(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, dict):
        for inner in nav.values():
            yield from _names(inner)
    else:
        for inner in nav:
            yield from _names(inner)


def _filled(nav: Any, rest: list[str]) -> Any:
    if isinstance(nav, list):
        filled: list[Any] = []
        for entry in nav:
            if isinstance(entry, str) and entry.endswith(_REST):
                filled += (page for page in rest if page.rpartition("/")[0] == entry[:-5])
            else:
                filled.append(_filled(entry, rest))
        return filled
    if isinstance(nav, dict):
        return {title: _filled(inner, rest) for title, inner in nav.items()}
    return nav
