"""Judged documents of queries (qrels) and ranked ones (runs), in fields between blanks.

>>> read(["1 0 d7 2", "1 0 d9 0", "2 0 d7 1", ""]).lists["documents"][0]
[{'id': 'd7', 'grade': '2'}, {'id': 'd9', 'grade': '0'}]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from tests.fuzz.corpora import Invalid
from tests.fuzz.items import Cell, Items, named, number

Ranked = Mapping[str, Sequence[tuple[str, float]]]  # documents with a grade or score, by query
_BLANKS = re.compile("[ \t]+")
_GRADE = re.compile("[+-]?[0-9]{1,9}")


def random_queries(rng: Random) -> dict[str, list[tuple[str, float]]]:
    """Two to four queries with some judged documents."""
    return {
        str(at + 1): [(f"d{at}", float(rng.choice((0, 0, 1, 1, 2, -1))))
                      for at in rng.sample(range(12), rng.randint(1, 7))]
        for at in range(rng.randint(2, 4))
    }  # fmt: skip


def random_run(rng: Random, queries: Ranked) -> dict[str, list[tuple[str, float]]]:
    """Documents of most queries; some scores are equal, also only as numbers of 32 bits."""
    scores = (0.5, 1.0, 1.00000001, 2.5, 3.0, 17.0, -1.25, 1e-3)
    return {
        query: [(f"d{at}", rng.choice(scores)) for at in rng.sample(range(15), rng.randint(1, 14))]
        for query in queries
        if rng.random() < 0.9
    } or {query: [("d1", 1.0)] for query in queries}  # fmt: skip


def write(rng: Random, queries: Ranked, *, judged: bool) -> bytes:
    """Lines of four or six fields."""
    blank = rng.choice((" ", " ", "\t"))
    lines = []
    for query, documents in queries.items():
        for rank, (document, value) in enumerate(documents, 1):
            row = [query, "0", document, f"{value:g}"]
            if not judged:
                row = [query, "Q0", document, str(rank), repr(value), "mine"]
            lines.append(blank.join(row))
    if rng.random() < 0.3:
        rng.shuffle(lines)
    return ("\n".join(lines) + "\n").encode()


def read(lines: list[str]) -> Items:
    """Queries as items, whose documents have a grade or a score."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    rows = [[field for field in _BLANKS.split(line) if field] for line in lines]
    judged = len(rows[0]) == 4
    if any((len(row) != 4) if judged else (len(row) < 6) for row in rows):
        raise Invalid("neither four fields everywhere nor six")
    found: dict[str, list[dict[str, Cell]]] = {}
    for row in rows:
        if judged and not _GRADE.fullmatch(row[3]):
            raise Invalid("a grade that is not an integer")
        document = {"id": row[2], "grade": row[3]} if judged else {"id": row[2], "score": row[4]}
        found.setdefault(row[0], []).append(dict(document))
    return Items(len(found), {"id": [*found]}, {"documents": [*found.values()]})


def documents_of(items: Items, value: str) -> dict[str, dict[str, float]]:
    """Of every query its documents with their grades or scores."""
    if "id" not in items.columns or "documents" not in items.lists:
        raise Invalid("no queries with documents")
    found: dict[str, dict[str, float]] = {}
    for query, rows in zip(items.columns["id"], items.lists["documents"], strict=True):
        if not named(query) or named(query) in found:
            raise Invalid("an id of a query that is missing or occurs twice")
        known = found[named(query)] = {}
        for row in rows:
            name, amount = named(row.get("id")), number(row.get(value))
            if amount is None or not name or name in known:
                raise Invalid("a document without a number, or one that occurs twice")
            if value == "grade" and amount % 1:
                raise Invalid("a grade that is not an integer")
            known[name] = amount
    if not any(value in row for rows in items.lists["documents"] for row in rows):
        raise Invalid(f"documents without a {value}")
    return found
