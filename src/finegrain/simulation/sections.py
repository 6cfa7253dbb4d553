"""The data files of simulated text: lines under headings that begin with ``==``.

>>> sections("names.txt")["weekday"]
['Monday Tuesday Wednesday Thursday Friday Saturday Sunday']
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def sections(name: str) -> dict[str, list[str]]:
    """The lines of a data file by heading, without comments and empty lines."""
    text = files("finegrain.simulation").joinpath("data", name).read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    heading = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("== "):
            heading = line[3:]
            if heading in found:
                raise ValueError(f"{name}: heading {heading!r} occurs twice")
            found[heading] = []
        elif line and not line.startswith("#"):
            found[heading].append(line)
    return found


def words(lines: list[str]) -> tuple[str, ...]:
    """The words of some lines; an underscore holds a name of several words together."""
    return tuple(word for line in lines for word in line.split())
