"""The works that methods and metrics refer to, in full: those that a text names.

>>> (found,) = cited(["Ortmann 2022"])
>>> found.name, found.title
('Ortmann (2022)', 'Fine-Grained Error Analysis and Fair Evaluation of Labeled Spans.')
>>> [work.name for work in cited(["Yeh 2000; Holm 1979", ""])]
['Holm (1979)', 'Yeh (2000)']

``literature.md`` has a heading for each, and is a page of the documentation as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import NamedTuple

_NAMED = re.compile(r"^(.+) (\d{4})$")


class Work(NamedTuple):
    """``authors``, ``title`` and ``place`` as they follow each other."""

    name: str
    authors: str
    title: str
    place: str


def text() -> str:
    """All works, as Markdown."""
    return (resources.files("finegrain.views") / "literature.md").read_text("utf-8")


def cited(sources: Iterable[str]) -> list[Work]:
    """The works that sources such as ``Yeh 2000; Holm 1979`` name, in the order of their names."""
    named = {
        f"{found[1]} ({found[2]})"
        for source in sources
        for one in source.split("; ")
        if (found := _NAMED.match(one))
    }
    return [work for work in works() if work.name in named]


@cache
def works() -> tuple[Work, ...]:
    """All works, in the order of their names."""
    found = []
    for part in re.split(r"^## ", text(), flags=re.MULTILINE)[1:]:
        name, _, body = part.partition("\n")
        authors, title, place = " ".join(body.split()).split("*", 2)
        found.append(Work(name, authors.strip(), title, place.strip()))
    return tuple(found)
