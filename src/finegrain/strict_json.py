r"""JSON as the standard has it: what readers disagree on is refused.

Python's own reader keeps the last of two equal keys, takes ``NaN`` and ``Infinity`` for numbers,
turns a number that is too large into infinity, and makes half a character of half an escape.

>>> parse('{"label": "PER", "end": 3}')
{'label': 'PER', 'end': 3}
>>> parse('{"spans": [1], "spans": []}')
Traceback (most recent call last):
finegrain.strict_json.BadJson: the key "spans" occurs twice in one object
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any

_SURROGATE = re.compile(r"\\ud[89a-f]", re.IGNORECASE)
_SHOWN = 40  # characters of a key or number in a message


class BadJson(ValueError):
    """What is wrong with a text, without a final full stop."""


def parse(text: str, *, any_name: bool = False) -> Any:
    """The value of a JSON text.

    ``any_name``: it may hold names of files that are not UTF-8, which Python writes with halves of
    surrogate pairs.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadJson(f"not JSON: {error.msg} (column {error.colno})") from None
    except BadJson:
        raise
    except (ValueError, RecursionError):  # a number of thousands of digits; thousands of brackets
        raise BadJson("JSON that is too large or too deep") from None
    if not any_name and _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except (UnicodeEncodeError, RecursionError):
            raise BadJson("half of a surrogate pair, which is no character") from None
    return value


def parse_at(text: str, at: int) -> tuple[Any, int]:
    """The value that begins at a character of a longer text, and where it ends.

    >>> parse_at('so: [1, 2] then', 4)
    ([1, 2], 10)
    """
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise BadJson(f"not JSON: {error.msg} (column {error.colno})") from None
    except BadJson:
        raise
    except (ValueError, RecursionError):
        raise BadJson("JSON that is too large or too deep") from None


def line_of_fault(text: str) -> int:
    """The line where a text breaks off; 0 if it is well-formed and something else is wrong.

    >>> line_of_fault('{"a": 1,\\n"b": }'), line_of_fault('{"a": 1, "a": 2}')
    (2, 0)
    """
    try:
        json.JSONDecoder().decode(text)
    except json.JSONDecodeError as error:
        return error.lineno
    except (ValueError, RecursionError):
        return 0
    return 0


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        shown = json.dumps(counts.most_common(1)[0][0][:_SHOWN])
        raise BadJson(f"the key {shown} occurs twice in one object")
    return found


def _constant(name: str) -> Any:
    raise BadJson(f"not JSON: {name} is not a number")


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise BadJson(f"the number {digits[:_SHOWN]} is too large")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
