"""Segmented text: words with blanks between them, which are spans of characters.

>>> read(["我们  爱", "", "好"]).words
[['我', '们', '爱'], ['好']]
"""

from __future__ import annotations

import re
from random import Random

from tests.fuzz.corpora import Corpus, Invalid, Span


def write(rng: Random, corpus: Corpus) -> bytes:
    """The words of a corpus, some of them joined and some divided."""
    blank = rng.choice((" ", "  ", "\u3000"))
    lines = []
    for words in corpus.words:
        line = words[0]
        for word in words[1:]:
            line += ("" if rng.random() < 0.2 else blank) + word
        at = rng.randrange(len(line))
        divided = line[:at] + blank + line[at:]
        lines.append(divided if at and rng.random() < 0.3 else line)
    return ("\n".join(lines) + "\n").encode()


def read(lines: list[str]) -> Corpus:
    """Characters as words, and words as spans of them."""
    corpus = Corpus([])
    for line in lines:
        words = [word for word in re.split("[ \t\u3000]+", line) if word]
        if not words:
            continue
        at = 0
        for word in words:
            corpus.spans.append(Span(len(corpus.words), "span", at, at + len(word)))
            at += len(word)
        corpus.words.append([character for word in words for character in word])
    if not corpus.words:
        raise Invalid("no words")
    return corpus
