"""Answers that repeat the text with marks in it: inline tags and words with tags.

>>> copy = inline("I met <PER>Ada <LOC>Lovelace</LOC></PER>.", Schema())
>>> copy.text, [(item.words, item.label) for item in copy.items]
('I met Ada Lovelace.', [('Ada Lovelace', 'PER'), ('Lovelace', 'LOC')])
>>> inline("I met @@Ada## today.", Schema.of(["PER"])).items
[Item(words='Ada', label='PER', begin=6, end=9, group=0)]
>>> copy = in_columns("Here you are:\\n\\nI O\\nmet O\\nAda B-PER\\nLovelace I-PER\\n")
>>> copy.text, [item.words for item in copy.items]
('I met Ada Lovelace', ['Ada Lovelace'])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from finegrain.corpus.tag_schemes import parse
from finegrain.grounding.listed import Item, Schema

_TAG = re.compile(r"<(/?)([^\W\d][\w.:-]*)[ \t]*>")
_AT = re.compile(r"@@(.*?)##", re.DOTALL)
_ROW = re.compile(
    r"[ \t|]*([^\s|]+)[ \t|]+(?:[^\s|]+[ \t|]+){0,8}?((?:[BIESLUM]-[^\s|]+)|O)[ \t|]*\Z"
)
_HTML = frozenset((
    "p", "b", "i", "em", "strong", "br", "div", "span", "ul", "ol", "li", "code", "pre", "a",
    "table", "tr", "td", "th", "h1", "h2", "h3",
))  # fmt: skip
_WRAPPERS = frozenset(("answer", "output", "result", "response", "text", "entities", "final"))
_FEWEST = 2  # rows


class Copy(NamedTuple):
    """The text as an answer repeats it, and the items with their place in it.

    ``faulty``: marks that open and do not close, or the other way round.
    """

    text: str
    items: list[Item]
    faulty: Sequence[str] = ()


def inline(answer: str, schema: Schema) -> Copy | None:
    """Of ``<PER>Ada</PER>`` and ``@@Ada##``; ``None`` if there is no mark."""
    if "@@" in answer and _AT.search(_closed(answer)) and not _TAG.search(answer):
        return _between_signs(answer, schema)
    pieces: list[str] = []
    size = at = 0
    opened: list[tuple[str, int]] = []
    items: list[Item] = []
    faulty: list[str] = []
    for tag in _TAG.finditer(answer):
        closing, name = tag[1], tag[2]
        if not _is_label(name, schema):
            continue
        pieces.append(answer[at : tag.start()])
        size += len(pieces[-1])
        at = tag.end()
        if not closing:
            opened.append((name, size))
            continue
        level = next((n for n in range(len(opened) - 1, -1, -1) if opened[n][0] == name), -1)
        if level < 0:
            faulty.append(tag[0])
            continue
        _, begin = opened.pop(level)
        items.append(Item("", name, begin, size))
    text = "".join([*pieces, answer[at:]])
    faulty += [f"<{name}>" for name, _ in opened]
    items = [item._replace(words=text[item.begin : item.end]) for item in items]
    faulty += [f"<{item.label}></{item.label}>" for item in items if not item.words.strip()]
    items = [_trimmed(item) for item in items if item.words.strip()]
    items.sort(key=lambda item: (item.begin, -item.end))
    return Copy(text, items, faulty) if items or faulty else None


def _is_label(name: str, schema: Schema) -> bool:
    if schema.labels and schema.label(name) is not None:
        return True
    return name.casefold() not in _HTML and name.casefold() not in _WRAPPERS


def _between_signs(answer: str, schema: Schema) -> Copy:
    """Of ``@@Ada##``: the one label of the schema."""
    pieces: list[str] = []
    items: list[Item] = []
    size = at = 0
    for match in _AT.finditer(_closed(answer)):
        pieces += [answer[at : match.start()], match[1]]
        begin = size + len(pieces[-2])
        size = begin + len(match[1])
        at = match.end()
        if match[1].strip():
            items.append(_trimmed(Item(match[1], schema.single, begin, size)))
    return Copy("".join([*pieces, answer[at:]]), items)


def _closed(answer: str) -> str:
    """An answer up to its last closing sign: behind it every opening one is looked for in vain."""
    return answer[: answer.rfind("##") + 2]


def _trimmed(item: Item) -> Item:
    words = item.words.strip()
    begin = item.begin + item.words.index(words)
    return item._replace(words=words, begin=begin, end=begin + len(words))


def in_columns(answer: str) -> Copy | None:
    """Of lines of a word and a tag; ``None`` if there are none, or a line among them is other."""
    rows = [(match[1], match[2]) for match in map(_ROW.match, answer.split("\n")) if match]
    if len(rows) < _FEWEST or not any(tag != "O" for _, tag in rows):
        lines = [line for line in answer.split("\n") if line.strip()]
        if len(rows) < _FEWEST or len(rows) < len(lines) / 2:
            return None
    items: list[Item] = []
    label, begin, size = "", 0, 0
    for word, tag in [*rows, ("", "O")]:
        parsed = parse(tag)
        prefix, name = (parsed.prefix, parsed.label) if parsed else ("O", "")
        continues = prefix in ("I", "E", "M", "L") and name == label
        if label and not continues:
            items.append(Item("", label, begin, size - 1))
            label = ""
        if prefix != "O" and not continues:
            label, begin = name, size
        size += len(word) + 1
    text = " ".join(word for word, _ in rows)
    return Copy(text, [item._replace(words=text[item.begin : item.end]) for item in items])
