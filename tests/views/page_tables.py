"""The tables of a page as rows of texts, by the name that they carry."""

from __future__ import annotations

import base64
import gzip
import json
from html.parser import HTMLParser
from typing import Any


class PageTables(HTMLParser):
    """Collects ``rows[name]``, the cells of bodies of tables with ``data-table``.

    ``nameless`` counts tables that nobody could check; small figures of findings are none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self.nameless = 0
        self.findings: list[str] = []
        self._name = ""
        self._in_head = self._in_cell = self._in_list = self._in_finding = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        style = given.get("class") or ""
        if tag == "table" and style != "mini":
            self._name = given.get("data-table") or ""
            self.nameless += not self._name
            self.rows.setdefault(self._name, [])
        elif tag == "thead":
            self._in_head = True
        elif self._name and not self._in_head and tag == "tr":
            self.rows[self._name].append([])
        elif self._name and not self._in_head and tag in ("td", "th"):
            self.rows[self._name][-1].append("")
            self._in_cell = True
        elif tag == "ol" and style == "findings":
            self._in_list = True
        elif tag == "li" and self._in_list:
            self.findings.append("")
            self._in_finding = True
        elif tag == "div" and style == "strip":
            self._in_finding = False  # the sentence stands before its figure

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self._name = ""
        elif tag == "thead":
            self._in_head = False
        elif tag in ("td", "th"):
            self._in_cell = False
        elif tag == "ol":
            self._in_list = False

    def handle_data(self, data: str) -> None:
        if self._in_cell and self._name:
            self.rows[self._name][-1][-1] += data
        elif self._in_finding and self.findings:
            self.findings[-1] += data


def tables_of(page: str) -> PageTables:
    """Read a page; blanks at the ends of cells say nothing."""
    found = PageTables()
    found.feed(page)
    for rows in found.rows.values():
        rows[:] = [[" ".join(cell.split()) for cell in row] for row in rows]
    found.findings = [" ".join(one.split()) for one in found.findings]
    return found


def files_of(data: dict[str, Any]) -> dict[str, Any]:
    """The JSON documents that the data of a page holds, by result."""
    packed = {name: files["json"] for name, files in data["downloads"].items() if "json" in files}
    return {
        name: json.loads(gzip.decompress(base64.b64decode(text))) for name, text in packed.items()
    }


def same_numbers(page: Any, command: Any) -> bool:
    """Whether a page has what a command prints; it may leave out intervals that it does not show.

    >>> same_numbers({"f1": 1}, {"f1": 1, "intervals": [0, 1]}), same_numbers({"f1": 1}, {"f1": 2})
    (True, False)
    """
    if isinstance(page, dict) and isinstance(command, dict):
        left_out = command.keys() - page.keys()
        known = page.keys() <= command.keys() and left_out <= {"intervals"}
        return known and all(same_numbers(page[key], command[key]) for key in page)
    if isinstance(page, list) and isinstance(command, list):
        return len(page) == len(command) and all(map(same_numbers, page, command))
    return bool(page == command)
