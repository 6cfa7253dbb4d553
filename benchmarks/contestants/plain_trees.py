"""UAS, LAS and how two parsers differ, in plain Python: sentences of words, then a loop."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple


class Word(NamedTuple):
    form: str
    head: int
    relation: str


def read(path: str) -> list[list[Word]]:
    sentences: list[list[Word]] = [[]]
    with Path(path).open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#"):
                continue
            cells = line.rstrip("\n").split("\t")
            if len(cells) == 1:
                sentences.append([])
            elif cells[0].isdigit():
                relation = cells[7].partition(":")[0]
                sentences[-1].append(Word(cells[1], int(cells[6]), relation))
    return [sentence for sentence in sentences if sentence]


def main() -> None:
    files = [read(path) for path in sys.argv[1:]]
    counts: Counter[str] = Counter()
    changes: Counter[tuple[str, str, str]] = Counter()
    for sentences in zip(*files, strict=True):
        for gold, one, two in zip(*sentences, strict=True):
            if not gold.form == one.form == two.form:
                sys.exit(f"other words: {gold.form}, {one.form}, {two.form}")
            counts["words"] += 1
            for name, answer in (("one", one), ("two", two)):
                counts[f"{name}_attached"] += answer.head == gold.head
                counts[f"{name}_right"] += answer == gold
            if one != two:
                kind = "corrections" if two == gold else "new_errors" if one == gold else "changed"
                changes[kind, one.relation, two.relation] += 1
    shares = {
        score: [counts[f"{name}_{part}"] / counts["words"] for name in ("one", "two")]
        for score, part in (("uas", "attached"), ("las", "right"))
    }
    pairs = {
        kind: sorted([one, two, count] for (of, one, two), count in changes.items() if of == kind)
        for kind in ("corrections", "new_errors")
    }
    others = sum(count for (kind, _, _), count in changes.items() if kind == "changed")
    print(json.dumps({**shares, **pairs, "changed_errors": others}))


if __name__ == "__main__":
    main()
