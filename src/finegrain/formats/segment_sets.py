"""Sources, references and hypotheses of segments, as files of shared tasks hold them.

>>> found = Gathered("memory", limit=20)
>>> found.add("source", Segment("d1", "1", "", "Dobry den", 3))
>>> found.add("reference", Segment("d1", "1", "A", "Good day", 6))
>>> found.add("reference", Segment("d1", "1", "B", "Hello", 9))
>>> corpus = found.corpus("wmt")
>>> list(corpus.fields["id"]), list(corpus.parts["references"].fields["text"])
(['d1:1'], ['Good day', 'Hello'])

A segment is known by its document and its number in it; references and hypotheses are rows of their
own that belong to it, with the name of the translator or system.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import of_fields
from finegrain.errors import Collector, InputError

Kind = Literal["source", "reference", "hypothesis"]
REFERENCES, HYPOTHESES, SOURCE = "references", "hypotheses", "source"
_LISTS: dict[Kind, str] = {"reference": REFERENCES, "hypothesis": HYPOTHESES}
_TWICE = "Number the segments of a document, and name translators and systems apart."


class Segment(NamedTuple):
    """A text: its document, its number there, who wrote it, and its line."""

    document: str
    number: str
    name: str
    text: str
    line: int


class Gathered:
    """Texts of segments in the order in which segments occur first."""

    def __init__(self, name: str, *, limit: int) -> None:
        self.name = name
        self.problems = Collector(name, limit=limit)
        self.place: dict[tuple[str, str], int] = {}
        self.lines: list[int] = []
        self.texts: dict[Kind, dict[tuple[int, str], str]] = {
            "source": {}, "reference": {}, "hypothesis": {},
        }  # fmt: skip
        self.facts: dict[str, dict[int, str]] = {}

    def add(self, kind: Kind, one: Segment) -> None:
        """Add the text of a segment; a second one of the same name is a problem."""
        if not one.number:
            self.problems.add(one.line, "a segment without an id", 'Write <seg id="1">.')
            return
        key = (one.document, one.number)
        if key not in self.place:
            self.place[key] = len(self.place)
            self.lines.append(one.line)
        at = (self.place[key], one.name)
        if at in self.texts[kind]:
            who = f" by {one.name[:40]!r}" if one.name else ""
            what = f"segment {one.number[:40]!r} of document {one.document[:40]!r} has a second"
            self.problems.add(one.line, f"{what} {kind}{who}", _TWICE)
            return
        self.texts[kind][at] = one.text

    def tell(self, fact: str, document: str, number: str, value: str) -> None:
        """What else is known of a segment, such as its domain."""
        if value and (document, number) in self.place:
            self.facts.setdefault(fact, {})[self.place[document, number]] = value

    def corpus(self, format: str) -> Corpus:  # noqa: A002 - the corpus calls it so
        """All that was gathered; problems are raised."""
        self.problems.raise_any()
        if not self.place:
            raise InputError.at(
                self.name, 0, "there is no segment", 'Write <seg id="1">text</seg>.'
            )
        size = len(self.place)
        fields: dict[str, Column] = {
            "id": Texts.of(f"{document}:{number}" for document, number in self.place),
            "document": Texts.of(document for document, _ in self.place),
        }
        if self.texts["source"]:
            found = {at: text for (at, _), text in self.texts["source"].items()}
            fields[SOURCE] = _column([found.get(at) for at in range(size)])
        for fact, values in self.facts.items():
            fields[fact] = _column([values.get(at) for at in range(size)])
        parts = {_LISTS[kind]: _rows(self.texts[kind]) for kind in _LISTS if self.texts[kind]}
        lines = np.array(self.lines, np.int64)
        return of_fields(self.name, fields, lines=lines, parts=parts, format=format)


def _column(cells: list[str | None]) -> Column:
    found = np.empty(len(cells), object)
    found[:] = cells
    return found


def _rows(texts: dict[tuple[int, str], str]) -> Rows:
    order = sorted(texts, key=lambda key: key[0])  # of one segment as they came
    return Rows(
        np.array([at for at, _ in order], np.int64),
        {
            "text": Texts.of(texts[key] for key in order),
            "name": Texts.of(name for _, name in order),
        },
    )
