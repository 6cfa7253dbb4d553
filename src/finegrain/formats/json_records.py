r"""The records of a JSON file, one in each line or all in one array, and the lines they begin in.

>>> from finegrain.formats.source import source_of
>>> lines = source_of("memory", b'{"a": 1}\n\n{"a": 2}\n')
>>> array = source_of("memory", b'[\n  {"a": 1},\n  {"a": 2}\n]\n')
>>> first_records(lines), first_records(array)
([{'a': 1}, {'a': 2}], [{'a': 1}, {'a': 2}])
>>> [(record, line) for record, line in records(array, Collector("memory"))]
[({'a': 1}, 2), ({'a': 2}, 3)]

A file that begins with ``[`` is an array of records, unless its first line is a whole array and
further lines follow (records may be lists), or ``is_record`` says that the array itself is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from finegrain import strict_json
from finegrain.errors import Collector, InputError
from finegrain.formats.source import Source

_PEEK = 1 << 16  # bytes in which the first records are looked for
_FIRST = 50  # records that are looked at
_BETWEEN = " \t\r\n,"
_PLAIN = re.compile(r"\s*\[")
_WRAPPED = re.compile(
    r'\s*(\[|\{(?:(?!\[).)*?"(predictions|items|examples|data)"\s*:\s*\[)\s*(?=\{)', re.DOTALL
)


class Numbered(NamedTuple):
    """A record and the line where it begins."""

    record: Any
    line: int


def _never(_: Any) -> bool:
    return False


def first_records(
    source: Source, is_record: Callable[[Any], bool] = _never, *, wrapped: bool = False
) -> list[Any]:
    """The first records, as far as they are whole and well-formed.

    wrapped: the array may stand under a key of an object (``{"predictions": [...]}``)
    """
    if source.folder or source.binary:
        return []
    text = source.buffer[source.begin : min(source.end, source.begin + _PEEK)].decode(
        errors="ignore"
    )
    opening = _opening(text, is_record, wrapped=wrapped)
    if opening:
        return [record for record, _ in islice(_elements(text, opening), _FIRST)]
    found = []
    for line in text.split("\n")[:_FIRST]:
        if line.strip():
            try:
                found.append(strict_json.parse(line))
            except strict_json.BadJson:
                break
    return found


def records(
    source: Source,
    problems: Collector,
    is_record: Callable[[Any], bool] = _never,
    *,
    wrapped: bool = False,
) -> Iterator[Numbered]:
    """All records; what is not JSON is gathered as a problem of its line."""
    text = source.buffer[source.begin : source.end].decode()
    opening = _opening(text, is_record, wrapped=wrapped)
    if opening:
        whole, lines = _array(source.name, text), [line for _, line in _elements(text, opening)]
        if len(whole) != len(lines):
            what = "the list of records is not where the file begins, or under a key of its object"
            raise InputError.at(source.name, 1, what, "Write one array of objects.")
        yield from map(Numbered, whole, lines)
        return
    for number, content in enumerate(text.split("\n"), 1):
        if not content.strip():
            continue
        try:
            record = strict_json.parse(content)
        except strict_json.BadJson as fault:
            problems.add(number, str(fault), "One object per line, without repeated keys.")
            continue
        yield Numbered(record, number)


def _array(name: str, text: str) -> list[Any]:
    """The array of a whole text, which may stand under the only key of an object with a list."""
    try:
        whole = strict_json.parse(text)
    except strict_json.BadJson as fault:
        line = strict_json.line_of_fault(text)
        raise InputError.at(name, line, str(fault), "Write one array of objects.") from None
    if isinstance(whole, dict):
        arrays = [key for key, value in whole.items() if isinstance(value, list)]
        if len(arrays) != 1:
            what = (
                f"several keys hold lists: {', '.join(arrays)}" if arrays else "no key holds a list"
            )
            raise InputError.at(name, 1, what, "Write one array of objects.")
        whole = whole[arrays[0]]
    return list(whole)


def _opening(text: str, is_record: Callable[[Any], bool], *, wrapped: bool) -> int:
    """Where the first element of an array of records may begin; 0 if a text is no such array."""
    array = (_WRAPPED if wrapped else _PLAIN).match(text)
    if array is None:
        return 0
    line, _, rest = text.lstrip().partition("\n")
    if line.startswith("["):
        try:
            whole = strict_json.parse(line)
        except strict_json.BadJson:
            return array.end()
        if rest.strip() or is_record(whole):
            return 0
    return array.end()


def _elements(text: str, at: int) -> Iterator[Numbered]:
    """The elements of an array, as far as the text goes, with the lines where they begin."""
    decoder = json.JSONDecoder()
    line, before = 1, 0
    while True:
        while at < len(text) and text[at] in _BETWEEN:
            at += 1
        if at >= len(text) or text[at] == "]":
            return
        line += text.count("\n", before, at)
        before = at
        try:
            record, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield Numbered(record, line)
