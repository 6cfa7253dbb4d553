r"""Answers that list items line by line, behind a bullet or a number.

    - Ada (PER)      1. Ada [PER]          words and a label in brackets
    * Ada: PER       * Ada - PER, Ada → PER      or behind a colon, a dash, an arrow
    * PER: Ada                             or the label first
    PER:                                   or under a heading that is a label
    - Ada

>>> found = entries("The names are:\n- Ada (PER)\n- **Ghent** (LOC)", Schema.of(["PER", "LOC"]))
>>> [(item.words, item.label) for item in found.items]
[('Ada', 'PER'), ('Ghent', 'LOC')]

Only labels of the schema are labels; in brackets any other single word is one, too, so that it
can be told as out of the schema. An entry that is no item is told. Behind a label nothing is split
at commas, as names have them: ``- PER: Ada, Bob`` is no item.
"""

from __future__ import annotations

import re

from finegrain.grounding.listed import Item, Listed, Schema

_ENTRY = re.compile(r"[ \t]*(?:[-*+•–‣·]|\(?\d{1,3}[.)])[ \t]+(\S.*)")
_HEADING = re.compile(r"[ \t]*(?:#{1,6}[ \t]*)?(\S.{0,60}?)[ \t]*:?[ \t]*\Z")
_BRACKETS = re.compile(r"(.*\S)[ \t]*(?:\(([^()\s]+)\)|\[([^\[\]\s]+)\])[.,;]?\Z")
_BEHIND = re.compile(r"(?:[ \t]*:[ \t]+|[ \t]+(?:[-–—]|->|=>|→)[ \t]+)")
_AROUND = ("**", "__", "*", "_", "`", '"', "'", "“”", "‘’", "«»")  # emphasis, quotation marks
_NOTHING = frozenset(("none", "n/a", "nothing", "-", "–", "(none)", "[none]", "not found"))


def entries(answer: str, schema: Schema) -> Listed:
    """The items of a list; not understood if no entry is one."""
    items: list[Item] = []
    faulty: list[str] = []
    heading, group = "", 0
    for line in answer.split("\n"):
        entry = _ENTRY.match(line)
        text = entry[1].strip() if entry else line.strip()
        if (label := _heading(text, schema)) is not None:
            heading, group = label, group + 1
            continue
        if entry is None:
            heading = heading if not text else ""  # a blank line may stand before a list
            continue
        if heading and _bare(text).casefold() in _NOTHING:
            continue
        found = _item(text, schema, heading, group)
        if found is None:
            faulty.append(text)
        else:
            items.append(found)
    return Listed(items, faulty if items else [], bool(items))


def _heading(text: str, schema: Schema) -> str | None:
    """The label that a line names and nothing else."""
    found = _HEADING.match(text)
    return None if found is None else _label(found[1], schema)


def _label(text: str, schema: Schema) -> str | None:
    """A label of the schema as it is written, without what stands around it."""
    name = _bare(_bare(text).removesuffix(":"))
    return name if schema.labels and name and schema.label(name) is not None else None


def _item(text: str, schema: Schema, heading: str, group: int) -> Item | None:
    if found := _BRACKETS.match(text):
        return _labelled(found[1], _bare(found[2] or found[3]), 0)
    places = list(_BEHIND.finditer(text))
    if places:
        first, last = places[0], places[-1]
        if (label := _label(text[last.end() :], schema)) is not None:
            return _labelled(text[: last.start()], label, 0)
        if (label := _label(text[: first.start()], schema)) is not None:
            words = text[first.end() :]
            return None if "," in words else _labelled(words, label, 0)
    return _labelled(text, heading, group) if heading else None


def _labelled(words: str, label: str, group: int) -> Item | None:
    bare = _bare(words)
    return Item(bare, label, group=group) if bare and label else None


def _bare(text: str) -> str:
    """Words without emphasis and quotation marks around all of them.

    >>> _bare('**"Ada"**'), _bare("'tis"), _bare("O'Neil's")
    ('Ada', "'tis", "O'Neil's")
    """
    text = text.strip()
    for marks in _AROUND:
        begin, end = (marks[0], marks[1]) if marks in ("“”", "‘’", "«»") else (marks, marks)
        if len(text) > len(begin + end) and text.startswith(begin) and text.endswith(end):
            return _bare(text[len(begin) : -len(end)])
    return text
