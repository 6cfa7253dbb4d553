"""A streaming decoder in plain Python with sets: strict matching only, no token check."""

import json
import sys
from collections import Counter

Span = tuple[int, int, str]


def spans(path: str) -> set[Span]:
    """Spans of an IOB2 file: begin, end, label."""
    found: set[Span] = set()
    begin, label, at = -1, "", 0
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - the plainest way
        for line in file:
            columns = line.split()
            at += 1
            tag = columns[-1] if columns else "O"
            if tag[:2] == "I-" and begin >= 0 and tag[2:] == label:
                continue
            if begin >= 0:
                found.add((begin, at, label))
                begin = -1
            if tag != "O":
                begin, label = at, tag[2:]
    if begin >= 0:
        found.add((begin, at + 1, label))
    return found


def scores(gold: set[Span], system: set[Span]) -> dict[str, float]:
    """F1 per label and overall."""
    hits, expected, made = (
        Counter(one[2] for one in part) for part in (gold & system, gold, system)
    )
    f1 = {label: 2 * hits[label] / (expected[label] + made[label]) for label in expected | made}
    return {**f1, "overall": 2 * hits.total() / (expected.total() + made.total())}


if __name__ == "__main__":
    first = spans(sys.argv[1])
    print(json.dumps([scores(first, spans(path)) for path in sys.argv[2:]]))
