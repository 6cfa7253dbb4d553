"""Putting things into a page so that they stay what they are: data, a script, a style sheet.

>>> as_data({"text": "</script><!--"})
'{"text":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
>>> policy(["run();"], ["p{}"])[:60]
"default-src 'none'; script-src 'sha256-vUOElbTHLp1UxxGV/I6te"
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

_LONG = 200_000  # characters, of which the last few per cent would take three times as long
# what could end the element, begin a comment, or be a line end to a script
_HARMLESS = {char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def as_data(value: Any) -> str:
    """JSON for a ``<script type="application/json">`` that nothing in it can break out of."""
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for char, harmless in _HARMLESS.items():
        written = written.replace(char, harmless)
    return written.encode("utf-8", "backslashreplace").decode()


def packed(parts: Iterable[str], *, largest: int) -> str | None:
    """A file that the reader may take along, compressed: a page of many systems has many.

    ``None`` as soon as it is larger than ``largest`` characters; further parts are not asked for.

    >>> import gzip
    >>> gzip.decompress(base64.b64decode(packed(["system", ",f1"], largest=99))).decode()
    'system,f1'
    >>> packed(["system", ",f1"], largest=20) is None
    True
    """
    asked = iter(parts)
    first = _first(asked)
    level = 9 if len(first) < _LONG else 6
    compressor = zlib.compressobj(level, wbits=16 + zlib.MAX_WBITS)  # as gzip does
    content = bytearray()
    for part in chain([first], asked):
        content += compressor.compress(part.encode())
        if len(content) * 4 > largest * 3:
            return None
    text = base64.b64encode(content + compressor.flush()).decode()
    return text if len(text) <= largest else None


def _first(parts: Iterator[str]) -> str:
    """The beginning of a text: all of it, unless it is long."""
    found, size = [], 0
    for part in parts:
        found.append(part)
        size += len(part)
        if size >= _LONG:
            break
    return "".join(found)


def policy(scripts: Iterable[str], styles: Iterable[str], *more: str) -> str:
    """A Content-Security-Policy under which nothing is loaded and only these scripts run.

    ``more`` are further directives.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_hash, scripts))}",
            f"style-src {' '.join(map(_hash, styles))}",
            "base-uri 'none'",
            "form-action 'none'",
            *more,
        )
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
