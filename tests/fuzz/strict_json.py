"""JSON lines, read strictly: one object per line, every key once, nothing that is not JSON.

>>> list(records(['{"a": 1, "a": 2}'], set()))
Traceback (most recent call last):
tests.fuzz.corpora.Invalid: the key 'a' occurs twice
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.fuzz.corpora import Invalid


def records(lines: list[str], doubts: set[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with their lines."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            if line:
                doubts.add("a line of white space among JSON lines")
            continue
        found = parse(line)
        if not isinstance(found, dict):
            raise Invalid("not an object")
        yield number, found


def parse(text: str) -> Any:
    """The value of a JSON text."""
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_refused)
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise Invalid(f"not JSON: {error}") from None
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, _ in pairs if [one for one, _ in pairs].count(key) > 1)
        raise Invalid(f"the key {twice[:20]!r} occurs twice")
    return found


def _refused(constant: str) -> None:
    raise Invalid(f"{constant} is not JSON")
