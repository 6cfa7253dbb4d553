"""The JSON in an answer: alone, as lines, in Markdown fences or in prose.

Of several values, objects in a row are the lines of one list; otherwise the last value counts, as
models draft before they answer. What is not JSON is refused, or repaired if that is asked for.

>>> values_in('Sure! Here:\\n```json\\n[{"text": "Ada", "type": "PER"}]\\n```\\nAnything else?')
Values(value=[{'text': 'Ada', 'type': 'PER'}], repairs=(), fault='')
>>> values_in('{"text": "Ada", "type": "PER",}').fault
'not JSON: Expecting property name enclosed in double quotes (column 31)'
>>> values_in('{"text": "Ada", "type": "PER",}', repair=True).repairs
('trailing comma',)
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from finegrain import strict_json
from finegrain.grounding.broken_json import Hopeless, read_from

_FENCE = re.compile(r"```[ \t]{0,8}(\w{0,20})[^\n`]{0,80}\n(.*?)(?:```|\Z)", re.DOTALL)
_OPENING = re.compile(r"[\[{]")
_LIKELY = re.compile(r'\{\s*["\'“\w}]|\[\s*(?:[\[{"\'“\]]|\d)')
_TRIES = 200  # brackets in prose that are tried


class Values(NamedTuple):
    """What an answer holds as JSON; ``fault``: why it holds none, if something looks like it."""

    value: Any = None
    repairs: tuple[str, ...] = ()
    fault: str = ""

    @property
    def found(self) -> bool:
        return self.value is not None


def values_in(text: str, *, repair: bool = False) -> Values:
    """The JSON value of an answer."""
    stretches = [match[2] for match in _FENCE.finditer(text)] or [text]
    read = [_in_stretch(stretch, repair=repair) for stretch in stretches]
    values = [value for one in read for value in one.values]
    repairs = tuple(dict.fromkeys(kind for one in read for kind in one.repairs))
    fault = next((one.fault for one in read if one.fault), "")
    if not values and stretches != [text]:
        return values_in(_FENCE.sub(" ", text), repair=repair) if not fault else Values(fault=fault)
    if not values:
        return Values(fault=fault)
    if fault:  # a part of the answer would be missing
        return Values(fault=fault)
    return Values(_combined(values), repairs)


def _combined(values: list[Any]) -> Any:
    if len(values) == 1:
        return values[0]
    return values if all(map(_is_line, values)) else values[-1]


def _is_line(value: Any) -> bool:
    """Whether a value is one item: an object whose lists, if any, are pairs of offsets."""
    if not isinstance(value, dict) or not value:
        return False
    lists = [one for one in value.values() if isinstance(one, list)]
    return all(one and all(isinstance(number, int) for number in one) for one in lists)


class _Stretch(NamedTuple):
    values: list[Any]
    repairs: list[str]
    fault: str


def _in_stretch(text: str, *, repair: bool) -> _Stretch:
    """The values in a stretch of text, one after the other."""
    values: list[Any] = []
    repairs: dict[str, None] = {}
    fault = ""
    at = 0
    for _ in range(_TRIES):
        opening = _OPENING.search(text, at)
        if opening is None:
            break
        at = opening.start()
        try:
            value, at = strict_json.parse_at(text, at)
            if isinstance(value, dict | list) and _sound(value):
                values.append(value)
            continue
        except strict_json.BadJson as error:
            if not _LIKELY.match(text, at):  # a bracket in prose
                at += 1
                continue
            if not repair:
                fault = fault or str(error)
                break
        try:
            value, at, kinds = _repaired(text, at)
        except Hopeless as error:
            fault = fault or f"JSON beyond repair: {error}"
            break
        values.append(value)
        repairs |= dict.fromkeys(kinds)
    return _Stretch(values, list(repairs), fault)


def _repaired(text: str, at: int) -> tuple[Any, int, list[str]]:
    value, past, kinds = read_from(text, at)
    if not _sound(value):
        raise Hopeless("half of a surrogate pair")
    return value, past, kinds


def _sound(value: Any) -> bool:
    """Whether its strings can be written."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True
