"""Benchmarks of word vectors: pairs of words with what people say, and analogies.

    word1,word2,score          : capital-common-countries
    tiger,cat,7.35             Athens Greece Baghdad Iraq
    book,paper,7.46            Athens Greece Bangkok Thailand

>>> from finegrain.formats.source import source_of
>>> found = read(source_of("pairs", b"word1,word2,score\\ntiger,cat,7.35\\nbook,paper,7.46\\n"))
>>> found.words, found.scores, found.lines
((('tiger', 'cat'), ('book', 'paper')), (7.35, 7.46), (2, 3))
>>> read(source_of("questions", b": capitals\\nAthens Greece Oslo Norway\\n")).groups
('capitals',)

Cells are parted by tabs, commas, semicolons or blanks; a first line whose third cell is not a
number is a header. Four words in a line are an analogy: a is to b as c is to d; a line that begins
with a colon names those below it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from finegrain.errors import Collector, InputError
from finegrain.formats.source import Source

_SEPARATORS = ("\t", ",", ";")


@dataclass(frozen=True, slots=True)
class WordBenchmark:
    """``words`` of every line, two or four; ``scores`` of pairs, ``groups`` of analogies."""

    source: str
    words: tuple[tuple[str, ...], ...]
    scores: tuple[float, ...]
    groups: tuple[str, ...]
    lines: tuple[int, ...]


def read(source: Source, *, limit: int = 20) -> WordBenchmark:
    """Pairs with a score, or analogies."""
    lines = [(at, line.strip()) for at, line in enumerate(source.lines(), 1) if line.strip()]
    rows = [(at, line) for at, line in lines if not line.startswith("#")]
    first = next((line for _, line in rows if not line.startswith(":")), "")
    separator = next((one for one in _SEPARATORS if one in first), None)
    problems = Collector(source.name, limit=limit)
    if len(_cells(first, separator)) == 4 and _score(_cells(first, separator)[2]) is None:
        return _analogies(source.name, rows, separator, problems)
    return _pairs(source.name, rows, separator, problems)


def _cells(line: str, separator: str | None) -> list[str]:
    return [cell.strip() for cell in line.split(separator)]


def _score(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _analogies(
    name: str, rows: list[tuple[int, str]], separator: str | None, problems: Collector
) -> WordBenchmark:
    words, groups, lines, group = [], [], [], ""
    for at, line in rows:
        if line.startswith(":"):
            group = line.lstrip(": ")
            continue
        cells = _cells(line, separator)
        if len(cells) != 4 or not all(cells):
            problems.add(at, f"{len(cells)} words where 4 are expected", "Write a b c d.")
            continue
        words.append(tuple(cells))
        groups.append(group)
        lines.append(at)
    problems.raise_any()
    return WordBenchmark(name, tuple(words), (), tuple(groups), tuple(lines))


def _pairs(
    name: str, rows: list[tuple[int, str]], separator: str | None, problems: Collector
) -> WordBenchmark:
    words, scores, lines = [], [], []
    for place, (at, line) in enumerate(rows):
        cells = _cells(line, separator)
        number = _score(cells[2]) if len(cells) > 2 else None
        if number is None and place == 0 and len(cells) > 2:
            continue  # a header
        if number is None or not (cells[0] and cells[1]):
            what = (
                "expected two words and a number" if len(cells) < 3 else f"no number: {cells[2]!r}"
            )
            problems.add(at, what, "Write word1,word2,score in every line.")
            continue
        words.append((cells[0], cells[1]))
        scores.append(number)
        lines.append(at)
    problems.raise_any()
    if not words:
        raise InputError.at(name, 0, "there are no pairs of words with a number")
    return WordBenchmark(name, tuple(words), tuple(scores), (), tuple(lines))
