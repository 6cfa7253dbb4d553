"""CoNLL 2012: chains in brackets in the last column, words in the fourth.

>>> lines = ["#begin document (a); part 000", "a 0 0 Ada NNP (0)", "a 0 1 saw VBD -", "",
...          "#end document"]
>>> read(lines).mentions
[Mention(sentence=0, nodes=((1, 0),), chain='a 0')]
"""

from __future__ import annotations

import re
from random import Random

from tests.fuzz.brackets import Brackets, cells
from tests.fuzz.corpora import Corpus, Invalid

_BEGIN = re.compile(r"#begin document\s*\(?(.*?)\)?\s*(?:;\s*(?:part\s+(\d{1,18}))?\s*)?$")


def write(rng: Random, corpus: Corpus) -> bytes:
    """Six or eleven columns, or two without words."""
    width = rng.choice((6, 6, 11, 2))
    separator = rng.choice(("\t", "   "))
    found = cells(rng, corpus)
    lines: list[str] = []
    for at, words in enumerate(corpus.words):
        name = corpus.names[corpus.documents[at]]
        if not at or corpus.documents[at] != corpus.documents[at - 1]:
            lines += (["#end document"] if at else []) + [f"#begin document ({name}); part 000"]
        for number, word in enumerate(words):
            row = [name, "0", str(number), word, corpus.tags[at][number], *["x"] * (width - 6)]
            lines.append(separator.join([*row[: width - 1], found.get((at, number + 1), "-")]))
        lines.append("")
    return "\n".join([*lines, "#end document", ""]).encode()


def read(lines: list[str]) -> Corpus:
    """Documents between ``#begin document`` lines, words in the fourth of three or more columns."""
    corpus, brackets = Corpus([]), Brackets()
    names: list[str] = []
    widths: set[int] = set()
    inside = False
    for line in lines:
        row = re.split("[ \t]+", line.strip(" \t")) if line.strip(" \t") else []
        if line.startswith("#") or not row:
            if inside:
                brackets.end()
            inside = False
            begin = _BEGIN.match(line.rstrip())
            if line.startswith("#") and begin:
                names.append(f"{begin[1]}:{int(begin[2])}" if int(begin[2] or 0) else begin[1])
            continue
        if not names:
            raise Invalid("a word in front of the first document")
        if not inside:
            inside = True
            corpus.words.append([])
            corpus.documents.append(len(names) - 1)
        widths.add(len(row))
        if len(row) > 4 and not re.match("[0-9]", row[2]):
            raise Invalid("a word without its number")
        corpus.words[-1].append(row[3] if len(row) > 4 else "")
        if row[-1] not in ("-", "_", "*"):
            nodes = [(number, 0) for number, _ in enumerate(corpus.words[-1], 1)]
            brackets.cell(row[-1], len(corpus.words) - 1, nodes, names[-1])
    brackets.end()
    if not corpus.words:
        raise Invalid("no words")
    if len(widths) > 1:
        raise Invalid("lines with different numbers of columns")
    if len(set(names)) < len(names):
        raise Invalid("a document occurs twice")
    used = sorted(set(corpus.documents))
    corpus.names = [names[at] for at in used]
    corpus.documents = [used.index(at) for at in corpus.documents]
    corpus.text = min(widths) > 4
    corpus.mentions = brackets.mentions()
    return corpus
