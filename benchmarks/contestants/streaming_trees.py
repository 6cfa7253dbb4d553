"""UAS, LAS and how two parsers differ, in a tuned loop: three files at once, nothing is kept."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

Word = tuple[str, str, str]  # form, head, relation without its subtype


def words(path: str) -> Iterator[Word]:
    with Path(path).open(encoding="utf-8") as lines:
        for line in lines:
            if line[0] not in "#\n":
                cells = line.split("\t")
                if cells[0].isdigit():
                    yield cells[1], cells[6], cells[7].partition(":")[0]


def main() -> None:
    attached, right, total = [0, 0], [0, 0], 0
    changes: dict[str, Counter[tuple[str, str]]] = {
        "corrections": Counter(), "new_errors": Counter(), "changed_errors": Counter(),
    }  # fmt: skip
    for gold, one, two in zip(*map(words, sys.argv[1:]), strict=True):
        if not gold[0] == one[0] == two[0]:
            sys.exit(f"other words: {gold[0]}, {one[0]}, {two[0]}")
        total += 1
        for system, answer in enumerate((one, two)):
            if answer[1] == gold[1]:
                attached[system] += 1
                if answer[2] == gold[2]:
                    right[system] += 1
        if one != two:
            kind = "corrections" if two == gold else "new_errors" if one == gold else ""
            changes[kind or "changed_errors"][one[2], two[2]] += 1
    found = {
        kind: sorted([*pair, count] for pair, count in changes[kind].items())
        for kind in ("corrections", "new_errors")
    }
    shares = {"uas": [n / total for n in attached], "las": [n / total for n in right]}
    print(json.dumps({**shares, **found, "changed_errors": changes["changed_errors"].total()}))


if __name__ == "__main__":
    main()
