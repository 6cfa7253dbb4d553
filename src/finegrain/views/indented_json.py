r"""JSON with a line for every value: what ``json.dumps(..., indent=1)`` writes, in half the time.

The standard library writes indented JSON by generators within generators, one for every level; the
files of a page of many systems and labels hold millions of values.

>>> print(indented({"f1": 0.5, "systems": ["crf", None], "notes": []}))
{
 "f1": 0.5,
 "systems": [
  "crf",
  null
 ],
 "notes": []
}
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from math import isfinite
from typing import Any


def indented(value: Any, line: str = "\n") -> str:
    """The text of a value; ``line`` begins lines at its level. Numbers must be finite."""
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, float) and isfinite(value):
        return float.__repr__(value)
    if isinstance(value, dict) and value:
        below = f"{line} "
        items = [f"{encode_basestring(key)}: {indented(one, below)}" for key, one in value.items()]
        return f"{{{below}{f',{below}'.join(items)}{line}}}"
    if isinstance(value, list | tuple) and value:
        below = f"{line} "
        return f"[{below}{f',{below}'.join([indented(one, below) for one in value])}{line}]"
    return json.dumps(value, allow_nan=False)
