"""Items as plain columns: made at random, answered with some errors, and what their cells mean.

>>> made = random_items(Random(1), ("pos", "neg"))
>>> made.gold[:2], len(made.ids) == len(made.gold)
(['neg', 'neg'], True)
>>> named(1.0), named(None), number(" 2.5 "), number("")
('1', '', 2.5, None)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from random import Random
from typing import Any

from tests.fuzz.corpora import WORDS, Invalid

Cell = str | float | None
CLASSES: tuple[tuple[str, ...], ...] = (
    ("pos", "neg", "neutral"), ("0", "1"), ("a b", "Zürich", 'say "x"'), ("yes", "no"),
)  # fmt: skip
LONGEST = 40  # characters of a number
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass
class Items:
    """Columns of a file, and its lists: of every item a list of rows."""

    size: int
    columns: dict[str, list[Cell]] = field(default_factory=dict)
    lists: dict[str, list[list[dict[str, Cell]]]] = field(default_factory=dict)
    doubts: set[str] = field(default_factory=set)


@dataclass
class Made:
    """What a case is about; ``ids`` are none where items are matched by their order."""

    ids: list[str]
    texts: list[str]
    gold: list[str]
    separator: str = ","
    header: bool = True


def random_items(rng: Random, labels: Sequence[str]) -> Made:
    """Three to nine items with labels."""
    size = rng.randint(3, 9)
    ids = (
        [f"q{at}" for at in range(size)] if rng.random() < 0.5 else [str(at) for at in range(size)]
    )
    texts = [" ".join(rng.choices(WORDS, k=rng.randint(1, 5))) for _ in ids]
    return Made(ids if rng.random() < 0.8 else [], texts, rng.choices(labels, k=size))


def answered(rng: Random, made: Made, labels: Sequence[str]) -> list[str]:
    """The gold labels with some errors."""
    return [rng.choice(labels) if rng.random() < 0.3 else label for label in made.gold]


def named(cell: Cell) -> str:
    """A cell as a label or an id; nothing is the empty one."""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return cell or ""


def number(cell: Cell) -> float | None:
    """A cell as a number, nothing where it is empty."""
    if isinstance(cell, float):
        return cell
    if not cell:
        return None
    text = cell.strip(" \t\n\v\f\r")
    if len(cell.encode()) > LONGEST or not _NUMBER.fullmatch(text) or not isfinite(float(text)):
        raise Invalid("a cell that is not a number")
    return float(text)


def first(items: Items, names: Sequence[str]) -> list[Cell]:
    """The first of some columns that there is."""
    found = next((name for name in names if name in items.columns), None)
    if found is None:
        raise Invalid("a file without the column that counts")
    return items.columns[found]


def rows_in_gold_order(gold: Items, system: Items) -> list[int | None]:
    """Of every gold item its place in the file of a system; by ids, or by order without any."""
    mine, theirs = (one.columns.get("id") for one in (gold, system))
    if (mine is None) != (theirs is None):
        raise Invalid("ids on one side only")
    if mine is None or theirs is None:
        if gold.size != system.size:
            raise Invalid("another number of items, and no ids")
        return [*range(gold.size)]
    for ids in (mine, theirs):
        if not all(map(named, ids)) or len(set(map(named, ids))) < len(ids):
            raise Invalid("ids that are missing or occur twice")
    place = {named(name): at for at, name in enumerate(theirs)}
    if not set(place) <= set(map(named, mine)):
        raise Invalid("an item that is not in the gold file")
    return [place.get(named(name)) for name in mine]


def system_columns(rng: Random, made: Made, answers: Sequence[Any], name: str) -> dict[str, Any]:
    """Columns of the file of a system, in an order of its own where ids tell them."""
    order = [*range(len(answers))]
    if made.ids and rng.random() < 0.4:
        rng.shuffle(order)
    found: dict[str, Any] = {"id": [made.ids[at] for at in order]} if made.ids else {}
    return found | {name: [answers[at] for at in order]}
