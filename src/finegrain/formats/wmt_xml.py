"""`wmt`: sources, references and outputs of systems in one XML file, as WMT has them since 2021.

    <dataset id="news"><doc id="d1" origlang="en" domain="news">
    <src lang="en"><p><seg id="1">Guten Tag.</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">Good day.</seg></p></ref>
    <hyp system="mine"><p><seg id="1">Hello.</seg></p></hyp>
    </doc></dataset>

Entities are not declared in such files: a file that declares one, which could expand without end or
name another file, is refused.

>>> from finegrain.formats.source import source_of
>>> text = b'<dataset><doc id="d1"><src><p><seg id="1">Ahoj</seg></p></src>'
>>> text += b'<ref translator="A"><p><seg id="1">Hello</seg></p></ref></doc></dataset>'
>>> corpus = read(source_of("memory", text))
>>> corpus.fields["source"].tolist(), list(corpus.parts["references"].fields["name"])
(['Ahoj'], ['A'])
"""

from __future__ import annotations

import re
from html import escape
from typing import Any
from xml.parsers import expat

from finegrain.corpus import Corpus
from finegrain.corpus.columns import Rows, cell
from finegrain.errors import InputError, UsageError
from finegrain.formats.segment_sets import HYPOTHESES, REFERENCES, SOURCE, Gathered, Kind, Segment
from finegrain.formats.source import Source

_SETS: dict[str, Kind] = {"src": "source", "ref": "reference", "hyp": "hypothesis"}
_WRITER = {"src": "", "ref": "translator", "hyp": "system"}
_FACTS = ("domain", "origlang", "testsuite")
_OPENING = re.compile(r"\s*(<\?xml[^>]*\?>\s*)?(<!--.*?-->\s*|<!DOCTYPE[^>\[]*>\s*)*"
                      r"<(dataset|collection)\b", re.DOTALL)  # fmt: skip
_PEEK = 1 << 14


class _Refused(Exception):
    """What stands in the file that is not read."""


def looks_like(source: Source) -> bool:
    """True for XML whose first element is a dataset or a collection of it."""
    if source.folder:
        return False
    text = source.buffer[source.begin : source.begin + _PEEK].decode(errors="ignore")
    return _OPENING.match(text) is not None


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read segments; up to ``limit`` problems are gathered before giving up."""
    reader = _Reader(Gathered(source.name, limit=limit))
    try:
        reader.parser.Parse(bytes(source.buffer[source.begin : source.end]), True)  # noqa: FBT003
    except _Refused as error:
        mend = "Write the characters themselves, or &amp; &lt; &gt; &quot; &apos;."
        raise InputError.at(
            source.name, reader.parser.CurrentLineNumber, str(error), mend
        ) from None
    except expat.ExpatError as error:
        what = f"not well-formed XML ({expat.ErrorString(error.code)})"
        raise InputError.at(source.name, error.lineno, what, "The file may be cut off.") from None
    return reader.found.corpus("wmt")


class _Reader:
    """What the parser calls; elements other than documents, sets and segments are passed over."""

    def __init__(self, found: Gathered) -> None:
        self.found = found
        self.document: dict[str, str] = {}
        self.documents = 0  # that are open
        self.kind: Kind | None = None
        self.name = ""
        self.segment: tuple[str, int] | None = None
        self.text: list[str] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.EntityDeclHandler = self.refuse
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def refuse(self, *declared: Any) -> None:
        raise _Refused(
            f"the file declares an entity ({str(declared[0])[:40]!r}), which is not read"
        )

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if name == "doc":
            if self.documents:
                mend = "Close a <doc> before the next one begins."
                self.found.problems.add(line, "a document inside of another", mend)
            self.documents += 1
            self.document = attributes
        elif name in _SETS:
            self.kind, self.name = _SETS[name], attributes.get(_WRITER[name], "")
        elif name == "seg":
            if self.kind is None:
                mend = "Put segments into <src>, <ref> or <hyp>."
                self.found.problems.add(line, "a segment outside of a set", mend)
            self.segment, self.text = (attributes.get("id", ""), line), []

    def characters(self, text: str) -> None:
        if self.segment is not None:
            self.text.append(text)

    def end(self, name: str) -> None:
        if name in _SETS:
            self.kind = None
        elif name == "doc":
            self.documents -= 1
        elif name == "seg" and self.segment is not None:
            (number, line), document = self.segment, self.document.get("id", "")
            self.segment = None
            if self.kind is not None:
                text = " ".join("".join(self.text).split())
                self.found.add(self.kind, Segment(document, number, self.name, text, line))
                for fact in _FACTS:
                    self.found.tell(fact, document, number, self.document.get(fact, ""))


def write(corpus: Corpus) -> str:
    """One document after the other: sources, references, outputs of systems."""
    if "document" not in corpus.fields or "id" not in corpus.fields:
        raise UsageError("wmt: segments have a document and an id")
    documents: dict[str, list[int]] = {}
    for row in range(corpus.n_sentences):
        documents.setdefault(cell(corpus.fields["document"], row), []).append(row)
    tags = (("ref", REFERENCES), ("hyp", HYPOTHESES))
    listed = [(tag, _by_row(corpus.parts.get(part))) for tag, part in tags]
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<dataset>"]
    for name, rows in documents.items():
        told = "".join(_fact(corpus, fact, rows[0]) for fact in _FACTS)
        lines.append(f'<doc id="{escape(name)}"{told}>')
        if SOURCE in corpus.fields:
            texts = [(row, cell(corpus.fields[SOURCE], row)) for row in rows]
            lines += _set(
                corpus, "src", "", [(row, text) for row, text in texts if text is not None]
            )
        for tag, by_row in listed:
            for writer, texts in _by_writer(rows, by_row).items():
                lines += _set(corpus, tag, writer, texts)
        lines.append("</doc>")
    return "\n".join([*lines, "</dataset>\n"])


def _fact(corpus: Corpus, fact: str, row: int) -> str:
    value = cell(corpus.fields[fact], row) if fact in corpus.fields else None
    return f' {fact}="{escape(str(value))}"' if value else ""


def _by_row(part: Rows | None) -> dict[int, list[tuple[str, str]]]:
    """Writers and texts of every segment."""
    found: dict[int, list[tuple[str, str]]] = {}
    for place, parent in enumerate([] if part is None else part.parent.tolist()):
        if part is not None:
            own = cell(part.fields["name"], place), cell(part.fields["text"], place)
            found.setdefault(parent, []).append(own)
    return found


def _by_writer(
    rows: list[int], texts: dict[int, list[tuple[str, str]]]
) -> dict[str, list[tuple[int, str]]]:
    found: dict[str, list[tuple[int, str]]] = {}
    for row in rows:
        for name, text in texts.get(row, ()):
            found.setdefault(name, []).append((row, text))
    return found


def _set(corpus: Corpus, tag: str, writer: str, texts: list[tuple[int, str]]) -> list[str]:
    own = f' {_WRITER[tag]}="{escape(writer)}"' if _WRITER[tag] and writer else ""
    lines = [f"<{tag}{own}><p>"]
    for row, text in texts:
        document = cell(corpus.fields["document"], row)
        number = cell(corpus.fields["id"], row).removeprefix(f"{document}:")
        lines.append(f'<seg id="{escape(number)}">{escape(text, quote=False)}</seg>')
    return [*lines, f"</p></{tag}>"]
