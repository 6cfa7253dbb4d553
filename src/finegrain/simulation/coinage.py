"""Words and names that are made on the spot.

A text that grows must bring new words, as real text does, so rare words, numbers and names are not
listed but computed from a number: the n-th word of a kind is always the same word.

>>> [COINED["trade"].word(n) for n in range(4)]
['woodspinner', 'bonecarrier', 'waxsorter', 'brickburner']
>>> [COINED["count"].word(n) for n in (0, 1500)], ordinal(22)
(['140', '1,640'], '22nd')
>>> [surname(n) for n in (0, 1, 5000, 5001)], town(5000)
(['Weston', 'Keller', 'Nores', 'Pelfield'], 'Thalcombe')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd, prod

from finegrain.simulation.sections import sections, words


@dataclass(frozen=True, slots=True)
class Coined:
    """A kind of words: how many there are, how flat their distribution is, and the n-th of them."""

    size: int
    shift: float
    word: Callable[[int], str]


def combination(number: int, inventories: Sequence[Sequence[str]]) -> str:
    """The n-th way to take one part of each inventory, in an order that looks random."""
    size = prod(map(len, inventories))
    left = (number + 1) * _stride(size) % size
    parts = []
    for inventory in inventories:
        left, place = divmod(left, len(inventory))
        parts.append(inventory[place])
    return "".join(parts)


@cache
def _stride(size: int) -> int:
    """A step with which one meets every number below ``size`` once, neighbours far apart."""
    return next(step for step in range(int(0.618 * size) + 1, 2 * size + 2) if gcd(step, size) == 1)


@cache
def _parts(file: str, heading: str) -> tuple[str, ...]:
    return words(sections(file)[heading])


def _coined(shift: float, *headings: str, hyphen: bool = False) -> Coined:
    """Words that are put together from parts of coinage.txt."""
    inventories = [_parts("coinage.txt", heading) for heading in headings]
    if hyphen:
        inventories.insert(1, ("-",))
    size = prod(map(len, inventories))
    return Coined(size, shift, lambda number: combination(number, inventories))


def _genus(number: int) -> str:
    onset, middle = _parts("names.txt", "onset"), _parts("names.txt", "middle")
    return combination(number, (onset, middle, _parts("coinage.txt", "genus_end")))


def ordinal(number: int) -> str:
    """22 as 22nd."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number in (11, 12, 13) else ending}"


COINED: dict[str, Coined] = {
    "trade": _coined(20.0, "stuff", "maker"),
    "goods": _coined(20.0, "stuff", "holder"),
    "scheme": _coined(20.0, "prefix", "scheme"),
    "quality": _coined(20.0, "quality_first", "quality_last", hyphen=True),
    "prefixed": _coined(20.0, "adjective_prefix", "adjective"),
    "substance": _coined(40.0, "substance_start", "substance_middle", "substance_end"),
    "genus": Coined(9_000, 60.0, _genus),
    "count": Coined(90_000, 300.0, lambda number: f"{number + 140:,}"),
    "percent": Coined(600, 60.0, lambda number: f"{(number + 4) / 10:.1f}".removesuffix(".0")),
    "amount": Coined(900, 30.0, lambda number: f"{(number + 11) / 10:.1f}".removesuffix(".0")),
    "result": Coined(20, 6.0, lambda number: f"{number // 4 + 1}-{number % 4 % (number // 4 + 1)}"),
    "many": Coined(900, 20.0, lambda number: str(number + 12)),
    "minute": Coined(60, 90.0, lambda number: str(number + 13)),
    "minuteth": Coined(88, 200.0, lambda number: ordinal(number + 2)),
}  # fmt: skip


def _name(number: int, listed: str, endings: str) -> str:
    """A listed name, else syllables; every third made name is both a surname and a town."""
    known = _parts("names.txt", listed)
    if number < len(known):
        return known[number].replace("_", " ")
    made, kind = divmod(number - len(known), 3)
    if kind == 0:
        return _syllables(made, "shared_end")
    return _syllables(2 * made + kind - 1, endings)


def _syllables(number: int, endings: str) -> str:
    """The n-th made name; short names come before longer ones."""
    onset, end = _parts("names.txt", "onset"), _parts("names.txt", endings)
    short = len(onset) * len(end)
    if number < short:
        return combination(number, (onset, end))
    return combination(number - short, (onset, _parts("names.txt", "middle"), end))


def surname(number: int) -> str:
    """The n-th surname."""
    return _name(number, "surname", "surname_end")


def town(number: int) -> str:
    """The n-th town."""
    return _name(number, "town", "town_end")


@cache
def names_available() -> int:
    """How many different surnames, or towns, there are at least."""
    made = len(_parts("names.txt", "onset")) * len(_parts("names.txt", "middle"))
    return 3 * made * len(_parts("names.txt", "shared_end"))


def coined_company(number: int) -> str:
    """The n-th invented brand: Halvora, Norix."""
    return combination(
        number,
        (
            _parts("names.txt", "onset"),
            _parts("names.txt", "middle"),
            _parts("names.txt", "coined_end"),
        ),
    )
