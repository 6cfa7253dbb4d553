"""Running text with spans by characters: how it is written, and its words and sentences.

>>> corpus = Corpus([])
>>> add_text(corpus, "I met Ada.\\nOh!", [("PER", [(6, 9)])], 0)
>>> corpus.words, corpus.spans[0].cuts
([['I', 'met', 'Ada.'], ['Oh!']], (0, 1))
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from tests.fuzz.corpora import Corpus, with_gaps

Part = tuple[int, int]  # where it begins, and one past its last character
Marked = tuple[str, Sequence[Part]]  # label and parts


def documents(rng: Random, corpus: Corpus) -> list[tuple[str, str, list[Marked]]]:
    """Names, texts and spans: words with a blank between them, a line for each sentence."""
    found = []
    for document, name in enumerate(corpus.names):
        lines: list[str] = []
        marked: list[Marked] = []
        at = 0
        for sentence, words in enumerate(corpus.words):
            if corpus.documents[sentence] != document:
                continue
            for _, label, begin, end, *_ in (one for one in corpus.spans if one[0] == sentence):
                start = at + sum(len(word) + 1 for word in words[:begin])
                stop = at + sum(len(word) + 1 for word in words[:end]) - 1
                cut = int(stop - start > 1 and rng.random() < 0.1)
                marked.append((label, [(start, stop - cut)]))
            lines.append(" ".join(words))
            at += len(lines[-1]) + 1
        found.append((name, "\n".join(lines), marked))
    return found


def add_text(corpus: Corpus, text: str, marked: list[Marked], document: int) -> None:
    """Words between white space; sentences end with lines, but not within a span."""
    words = [(one.start(), one.end()) for one in re.finditer(r"\S+", text)]
    inside = [(parts[0][0], parts[-1][1]) for _, parts in marked]
    ends = [one.start() for one in re.finditer("\n", text)
            if not any(begin < one.start() < end for begin, end in inside)]  # fmt: skip
    number = [sum(end < begin for end in ends) for begin, _ in words]
    firsts = [at for at, _ in enumerate(words) if not at or number[at] != number[at - 1]] or [0]
    base = len(corpus.words)
    corpus.words += [[] for _ in firsts]
    corpus.documents += [document] * len(firsts)
    sentence_of = [sum(first <= at for first in firsts) - 1 for at, _ in enumerate(words)]
    for sentence, (begin, end) in zip(sentence_of, words, strict=True):
        corpus.words[base + sentence].append(text[begin:end])
    placed = []
    for label, parts in marked:
        tokens = [at for at, (begin, end) in enumerate(words)
                  if any(begin < part[1] and end > part[0] for part in parts)]  # fmt: skip
        sentence = sentence_of[tokens[0]]
        here = [at - firsts[sentence] for at in tokens]
        cuts = (
            max(parts[0][0] - words[tokens[0]][0], 0),
            max(words[tokens[-1]][1] - parts[-1][1], 0),
        )
        placed.append(with_gaps(base + sentence, label, here, cuts))
    corpus.spans += sorted(placed, key=lambda one: one.sentence)
