"""The texts that a model was given, by id and as they are: white space counts in offsets.

>>> from finegrain.formats.source import source_of
>>> of_source(source_of("memory", b'{"id": "d1", "text": "I  met Ada."}'))
[SourceText(id='d1', text='I  met Ada.')]
>>> of_source(source_of("memory", b"I O\\nmet O\\nAda B-PER\\n\\nOh O\\n"))
[SourceText(id='', text='I met Ada'), SourceText(id='', text='Oh')]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from finegrain import strict_json
from finegrain.corpus import Corpus
from finegrain.corpus.columns import cell
from finegrain.corpus.items import TEXT, text_field
from finegrain.errors import Collector, InputError
from finegrain.formats import by_name, read_source, recognise
from finegrain.formats.running_text import texts
from finegrain.formats.source import Source, open_source

_KEYS = ("text", *TEXT)


class SourceText(NamedTuple):
    """A text and its id, which is empty where texts have none."""

    id: str
    text: str


def read_texts(path: str, format_: str | None = None) -> list[SourceText]:
    """The texts of a corpus in any format."""
    return of_source(open_source(path), format_)


def of_source(source: Source, format_: str | None = None) -> list[SourceText]:
    """The texts of a source: documents or, where there are none, sentences; or items."""
    found = None if source.folder or format_ else _of_json_lines(source)
    if found is None:
        known = by_name(format_) if format_ else recognise(source)
        found = _of_corpus(read_source(source, known))
    seen: dict[str, int] = {}
    for number, one in enumerate(found, 1):
        if one.id and seen.setdefault(one.id, number) != number:
            raise InputError.at(
                source.name, 0, f"two texts have the id {one.id!r}", "Ids are unique."
            )
    return found


def given_texts(given: Corpus | Mapping[str, str] | Sequence[str]) -> list[SourceText]:
    """Texts from memory."""
    if isinstance(given, Corpus):
        return _of_corpus(given)
    if isinstance(given, Mapping):
        return [SourceText(str(name), text) for name, text in given.items()]
    return [SourceText("", text) for text in given]


def _of_json_lines(source: Source) -> list[SourceText] | None:
    """Texts as they stand; ``None`` if records have tokens, or there are no records."""
    lines = source.lines()
    first = next((line for line in lines if line.strip()), "")
    if not first.lstrip().startswith("{"):
        return None
    problems = Collector(source.name)
    found: list[SourceText] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = strict_json.parse(line)
        except strict_json.BadJson as fault:
            if not found and number == 1 and len(lines) > 1:
                return None  # one value over several lines, say
            problems.add(number, str(fault), "One object per line.")
            continue
        text = _text(record)
        if text is None:
            if not found:
                return None
            problems.add(number, "a record without a text", 'Write "text": "..."')
            continue
        found.append(SourceText(_id(record), text))
    problems.raise_any()
    return found


def _text(record: Any) -> str | None:
    if not isinstance(record, dict):
        return None
    return next((record[key] for key in _KEYS if isinstance(record.get(key), str)), None)


def _id(record: dict[str, Any]) -> str:
    value = record.get("id")
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _of_corpus(corpus: Corpus) -> list[SourceText]:
    ids = corpus.fields.get("id")
    name = text_field(corpus.fields)
    if name is not None:
        column = corpus.fields[name]
        rows = range(corpus.n_sentences)
        return [
            SourceText("" if ids is None else str(cell(ids, row)), str(cell(column, row) or ""))
            for row in rows
        ]
    plain = replace(corpus, spans=None)
    return [SourceText(one.name or "", one.text) for one in texts(plain)]
