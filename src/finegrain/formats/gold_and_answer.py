"""Whether columns without names hold tags of one label set, as gold and answer of conlleval do.

    New      B-LOC  B-LOC
    York     I-LOC  O

Read by its last column alone, such a file would make the answers of a system a gold standard.
Columns of other layers have labels of their own: parts of speech, chunks (NP, VP) and entities
(PER, LOC) are never taken for each other.

>>> one_label_set(Counter(["B-LOC", "I-LOC", "O"]), Counter(["B-LOC", "O", "O"]))
True
>>> chunks, entities = Counter(["B-NP", "I-NP"] * 20), Counter(["B-LOC", "O"] * 20)
>>> one_label_set(chunks, entities)
False
>>> one_label_set(Counter(["B-NP", "I-NP"]), Counter(["B-LOC", "O"]))        # more lines may tell
True
"""

from __future__ import annotations

import re
from collections import Counter

from finegrain.corpus.tag_schemes import levels_of, looks_like_spans

_ENOUGH = 20  # tokens in spans on either side
_FILLER = re.compile(r"[-_*]+\Z|-X-\Z")  # in columns without annotation


def one_label_set(one: Counter[str], two: Counter[str], *, whole: bool = False) -> bool:
    """Whether two columns, given as counts of their tags, may be tags of one kind.

    Tags of spans may be if they have a label in common, and plain tags if most tokens of one
    column have a tag that the other has too. A column of nothing but O may be anything: what there
    is to find, or what a system found. Other tags of spans are two layers, but where these are not
    the ``whole`` columns that takes some of them on either side.
    """
    if any(all(map(_FILLER.match, column)) for column in (one, two)):
        return False
    spans = [looks_like_spans(tuple(column)) for column in (one, two)]
    if spans[0] != spans[1]:
        return False
    if not spans[0]:
        return max(_shared(one, two), _shared(two, one)) > 0.5
    first, second = _labels(one), _labels(two)
    needed = 1 if whole else _ENOUGH
    return bool(first.keys() & second.keys()) or min(first.total(), second.total()) < needed


def _shared(one: Counter[str], two: Counter[str]) -> float:
    """The share of the tokens of one column whose tags occur in the other."""
    return sum(count for tag, count in one.items() if tag in two) / one.total()


def _labels(column: Counter[str]) -> Counter[str]:
    """How many tokens are in spans of each label."""
    found: Counter[str] = Counter()
    for tag, count in column.items():
        for label in {level.label for level in levels_of(tag) or [] if level.prefix != "O"}:
            found[label] += count
    return found
