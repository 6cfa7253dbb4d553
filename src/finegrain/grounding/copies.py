"""Where the characters of a copy stand in the original, whatever its white space.

>>> same_places("I met  Ada .", "I met Ada.", [(7, 10)])
[(6, 9)]
>>> same_places("Text: I met Ada!", "I met Ada.", [(12, 15)])      # not word for word
[(6, 9)]
"""

from __future__ import annotations

from collections.abc import Sequence

from finegrain.grounding.occurrences import Span

_LONGEST = 50_000  # characters of copies that are compared character by character


def same_places(copy: str, original: str, spans: Sequence[Span]) -> list[Span | None]:
    """The place in the original of stretches of a copy; ``None`` where it is not the same text."""
    ours, theirs = _visible(copy), _visible(original)
    one = "".join(copy[at] for at in ours)
    two = "".join(original[at] for at in theirs)
    if one == two:
        partner = dict(zip(ours, theirs, strict=True))
    else:
        partner = {ours[left]: theirs[right] for left, right in _common(one, two)}
    found: list[Span | None] = []
    for begin, end in spans:
        first, last = partner.get(begin), partner.get(end - 1)
        if first is None or last is None or last < first:
            found.append(None)
        else:
            found.append((first, last + 1))
    return found


def _visible(text: str) -> list[int]:
    return [at for at, character in enumerate(text) if not character.isspace()]


def _common(one: str, two: str) -> list[tuple[int, int]]:
    """Characters that both texts have, or that stand in place of each other."""
    if max(len(one), len(two)) > _LONGEST:
        return []
    try:
        from rapidfuzz.distance import Indel, Levenshtein  # noqa: PLC0415 - an extra
    except ImportError:
        return []
    if Indel.normalized_similarity(one, two) < 0.5:
        return []
    return [
        (operation.src_start + at, operation.dest_start + at)
        for operation in Levenshtein.opcodes(one, two)
        if operation.tag in ("equal", "replace")
        for at in range(operation.src_end - operation.src_start)
    ]
