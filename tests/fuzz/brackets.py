"""Mentions in brackets, as CoNLL 2012 and CorefUD write them.

>>> brackets = Brackets()
>>> brackets.cell("(5|(1)", 0, [(1, 0)])
>>> brackets.cell("5)", 0, [(1, 0), (2, 0)])
>>> brackets.mentions()[0]
Mention(sentence=0, nodes=((1, 0), (2, 0)), chain=' 5')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from tests.fuzz.corpora import Corpus, Invalid, Mention

Node = tuple[int, int]
_BRACKET = re.compile(r"\|?(?:\(([^()|]+)(\)?)|([^()|]+)\))")
_PART = re.compile(r"(.+)\[([0-9]+)/([0-9]+)\]")


def cells(rng: Random, corpus: Corpus, fields: str = "") -> dict[tuple[int, int], str]:
    """The brackets of every word (sentence, number): outer mentions open first and close last."""
    opening: dict[tuple[int, int], list[tuple[int, str]]] = {}
    closing: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for sentence, nodes, chain in corpus.mentions:
        first, last = nodes[0][0], nodes[-1][0]
        if fields and last - first > 1 and rng.random() < 0.3:  # a mention with a gap
            opening.setdefault((sentence, first), []).append((-first, f"({chain}[1/2]{fields})"))
            opening.setdefault((sentence, last), []).append((-last, f"({chain}[2/2])"))
            continue
        single = ")" if first == last else ""
        opening.setdefault((sentence, first), []).append((-last, f"({chain}{fields}{single}"))
        if not single:
            closing.setdefault((sentence, last), []).append((-first, f"{chain})"))
    glue = "" if fields else rng.choice(("|", "|", ""))
    return {
        key: glue.join(text for side in (closing, opening) for _, text in sorted(side.get(key, ())))
        for key in {*opening, *closing}
    }


class Brackets:
    """Mentions between brackets; they end in their sentence, the last opened one first.

    ``fields`` are those of CorefUD: the names behind ``global.Entity``, of which the first is the
    chain; CoNLL 2012 has none.
    """

    def __init__(self, fields: Sequence[str] = ()) -> None:
        self.found: list[tuple[int, Mention]] = []  # with the place at which they were opened
        self.open: dict[str, list[tuple[int, int, list[str]]]] = {}
        self.parts: dict[tuple[str, int], list[tuple[int, int, tuple[Node, ...], list[str]]]] = {}
        self.fields = list(fields)
        self.count = 0

    def cell(self, text: str, sentence: int, nodes: list[Node], document: str = "") -> None:
        """Read the brackets at the last of the nodes of a sentence."""
        at = 0
        while at < len(text):
            match = _BRACKET.match(text, at)
            if match is None or (at == 0 and text[0] == "|"):
                raise Invalid(f"no brackets: {text[:40]!r}")
            name, *values = (
                (match[1] or match[3]).split("-") if self.fields else [match[1] or match[3]]
            )
            if match[1]:
                self.open.setdefault(name, []).append((self.count, len(nodes) - 1, values))
                self.count += 1
            if match[2] or match[3]:
                self._close(name, sentence, nodes, document)
            at = match.end()

    def _close(self, name: str, sentence: int, nodes: list[Node], document: str) -> None:
        if not self.open.get(name):
            raise Invalid(f"{name[:20]}) closes nothing")
        order, begin, values = self.open[name].pop()
        covered = tuple(nodes[begin:])
        part = _PART.fullmatch(name) if self.fields else None
        if part:
            name, number, total = part[1], int(part[2][:9]), int(part[3][:9])
            waiting = self.parts.setdefault((name, total), [])
            if number > 1:
                before = [one for one in waiting if one[1] == number - 1]
                if not before:
                    raise Invalid("a part without the one before it")
                waiting.remove(before[-1])
                order, _, known, values = before[-1]
                covered = tuple(sorted((*known, *covered)))
            if number != total:
                waiting.append((order, number, covered, values))
                return
        self._require_head(values, len(covered))
        self.found.append((order, Mention(sentence, covered, f"{document} {name}")))

    def _require_head(self, values: list[str], size: int) -> None:
        place = self.fields.index("head") - 1 if "head" in self.fields else -1
        head = values[place] if 0 <= place < len(values) else ""
        if head and not (re.fullmatch("[0-9]+", head) and 0 < int(head[:9]) <= size):
            raise Invalid(f"the head {head[:20]!r} is not a word of the mention")

    def end(self) -> None:
        """The end of a sentence."""
        if any(self.open.values()) or any(self.parts.values()):
            raise Invalid("a mention that its sentence does not close")

    def mentions(self) -> list[Mention]:
        """All mentions in the order in which they were opened."""
        return [mention for _, mention in sorted(self.found, key=lambda pair: pair[0])]
