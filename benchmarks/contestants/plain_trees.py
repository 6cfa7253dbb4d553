"""UAS, LAS and how two parsers differ, in plain Python: sentences of words, then a loop."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

Word = tuple[str, str, str]  # form, head, relation without its subtype


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
                sentences[-1].append((cells[1], cells[6], relation))
    return [sentence for sentence in sentences if sentence]


def main() -> None:
    files = [read(path) for path in sys.argv[1:]]
    attached, right, total = [0, 0], [0, 0], 0
    changes: Counter[tuple[str, str, str]] = Counter()
    for sentences in zip(*files, strict=True):
        for gold, one, two in zip(*sentences, strict=True):
            if not gold[0] == one[0] == two[0]:
                sys.exit(f"other words: {gold[0]}, {one[0]}, {two[0]}")
            total += 1
            for system, answer in enumerate((one, two)):
                attached[system] += answer[1] == gold[1]
                right[system] += answer == gold
            if one != two:
                kind = "corrections" if two == gold else "new_errors" if one == gold else "changed"
                changes[kind, one[2], two[2]] += 1
    shares = {"uas": [n / total for n in attached], "las": [n / total for n in right]}
    pairs = {
        kind: sorted([one, two, count] for (of, one, two), count in changes.items() if of == kind)
        for kind in ("corrections", "new_errors")
    }
    others = sum(count for (kind, _, _), count in changes.items() if kind == "changed")
    print(json.dumps({**shares, **pairs, "changed_errors": others}))


if __name__ == "__main__":
    main()
