r"""Texts in segments, one in each line: places between characters where segments end.

>>> read(["So it is.", " No.", "", "Yes."])
[('Soitis.No.', {10, 7}), ('Yes.', {4})]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from tests.fuzz.corpora import WORDS, Invalid
from tests.fuzz.scores import Values, ratio

Segments = list[tuple[str, set[int]]]
"""By text, its characters without white space and where its segments end."""
_BLANKS = re.compile("[\t\n\x0b\x0c\r ]+")  # what separates words in plain text


def random_texts(rng: Random) -> list[list[list[str]]]:
    """By text and line, words."""
    return [
        [rng.choices(WORDS, k=rng.randint(1, 6)) for _ in range(rng.randint(1, 5))]
        for _ in range(rng.randint(1, 3))
    ]


def resegmented(rng: Random, texts: list[list[list[str]]]) -> list[list[list[str]]]:
    """The same words in other lines."""
    found = []
    for text in texts:
        words = [word for line in text for word in line]
        lines: list[list[str]] = [[]]
        ends = {sum(map(len, text[: at + 1])) for at in range(len(text))}
        for place, word in enumerate(words, 1):
            lines[-1].append(word)
            if place < len(words) and (place in ends) != (rng.random() < 0.2):
                lines.append([])
        found.append(lines)
    return found


def write(rng: Random, texts: list[list[list[str]]]) -> bytes:
    """Lines, with blank lines between texts."""
    gap = rng.choice(("\n", "\n", "\n\n"))
    blocks = ["".join(" ".join(line) + "\n" for line in text) for text in texts]
    return gap.join(blocks).encode()


def read(lines: Sequence[str]) -> Segments:
    """Blank lines separate texts."""
    found: Segments = []
    opened = False
    for line in lines:
        ink = _BLANKS.sub("", line)
        if not ink:
            opened = False
            continue
        if not opened:
            found.append(("", set()))
            opened = True
        text, ends = found[-1]
        found[-1] = (text + ink, ends | {len(text + ink)})
    if not found:
        raise Invalid("no words")
    return found


def segment_scores(gold: Segments, system: Segments) -> Values:
    """Boundaries, windows and whole segments; raises ``Invalid`` for other characters or texts."""
    if [text for text, _ in gold] != [text for text, _ in system]:
        raise Invalid("other characters, or other texts")
    size = sum(len(text) for text, _ in gold)
    k = max(2, round(size / (2 * sum(len(ends) for _, ends in gold))))
    shared = expected = predicted = windows = different = apart = 0
    right = 0
    for (text, wanted), (_, own) in zip(gold, system, strict=True):
        inner, mine = (ends - {len(text)} for ends in (wanted, own))
        shared += len(inner & mine)
        expected += len(inner)
        predicted += len(mine)
        right += len(_segments(wanted) & _segments(own))
        for at in range(1, len(text) - k + 1):  # between the characters at and at + k
            inside = range(at, at + k)
            one, two = (sum(place in ends for place in inside) for ends in (inner, mine))
            windows += 1
            different += one != two
            apart += (one > 0) != (two > 0)
    segments, found = (sum(len(ends) for _, ends in one) for one in (gold, system))
    return {
        "units": float(segments),
        "boundary_precision": ratio(shared, predicted),
        "boundary_recall": ratio(shared, expected),
        "boundary_f1": ratio(2 * shared, expected + predicted),
        "window_diff": ratio(different, windows),
        "pk": ratio(apart, windows),
        "segment_precision": ratio(right, found),
        "segment_recall": ratio(right, segments),
        "segment_f1": ratio(2 * right, segments + found),
    }


def _segments(ends: set[int]) -> set[tuple[int, int]]:
    ordered = sorted(ends)
    return set(zip([0, *ordered], ordered, strict=False))
