"""Bare 0/1 tables: units in lines, systems in columns.

>>> read(["item\\ta\\tb", "x\\t1\\t0"]).items
{'a': [1], 'b': [0]}
"""

from __future__ import annotations

import re
from random import Random

from tests.fuzz.corpora import Corpus, Invalid, looks

_COLUMN_OF_NAMES = re.compile(
    "(|(unit|item|id|input|name|question|example|instance)s?)", re.IGNORECASE
)
_NUMBER = re.compile(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", re.IGNORECASE)


def write(rng: Random, corpus: Corpus) -> bytes:
    """Units in lines, two or three systems in columns."""
    separator = rng.choice("\t, ")
    names = rng.sample(("crf", "neural", "rules", "s-4"), rng.choice((2, 2, 3)))
    header, named = rng.random() < 0.7, rng.random() < 0.6
    rows = [[*(["item"] if named else []), *names]] if header else []
    rows += (
        [*([f"q{at}"] if named else []), *(rng.choice("0111") for _ in names)]
        for at in range(sum(map(len, corpus.words)) + 1)
    )
    return "".join(separator.join(row) + "\n" for row in rows).encode()


def read(lines: list[str]) -> Corpus:
    """Answers of all systems; see the format's rules on headers and names of units."""
    lines = lines[:-1] if lines[-1] == "" else lines
    separator = next((one for one in "\t," if one in lines[0]), "")
    rows = [line.split(separator) if separator else re.split("[ \t]+", line.strip(" \t"))
            for line in lines]  # fmt: skip
    if any(not line.strip() for line in lines):
        raise Invalid("a blank line")
    digits = {"0", "1"}
    header = not digits.issuperset(rows[0][1:] or rows[0])
    data = rows[1:] if header else rows
    if not data:
        raise Invalid("a header alone")
    wider = header and len(data[0]) == len(rows[0]) + 1
    first = [row[0] for row in data[: 400 - header] if len(row) == len(data[0])]
    said = header and len(rows[0]) == len(data[0]) and _COLUMN_OF_NAMES.fullmatch(rows[0][0])
    named = len(data[0]) > 1 and bool(
        wider or said or 2 * sum(cell not in digits for cell in first) >= len(first)
    )
    width = len(data[0]) - named
    names = [f"s{at + 1}" for at in range(width)]
    if header:
        names = rows[0] if wider or not named else rows[0][1:]
    if header and (digits & set(names) or (width == 1 and _NUMBER.fullmatch(names[0]))):
        raise Invalid("a system called by a number, or a unit with a wrong cell")
    if len(names) != width or len({looks(one) for one in names} - {""}) < width:
        raise Invalid("systems that are not named apart")
    cells = [row[named:] for row in data]
    if any(len(row) != width or not digits.issuperset(row) for row in cells):
        raise Invalid("not 0 and 1 in every cell")
    doubts = set()
    if named and (
        width < 2 or len(set(first)) < len(first) or not any("0" in row for row in cells)
    ):
        doubts.add("a 0/1 table that may be tokens with numbers")
    columns = zip(*cells, strict=True)
    found = {name: [int(cell) for cell in one] for name, one in zip(names, columns, strict=True)}
    return Corpus([[""] for _ in cells], items=found, text=False, doubts=doubts)
