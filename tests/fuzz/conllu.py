"""CoNLL-U: parts of speech and trees, multi-word tokens, empty nodes.

>>> line = "\\t".join(["1", "Yes", "yes", "INTJ", "_", "_", "0", "root", "_", "_"])
>>> found = read([line, ""])
>>> found.words, found.tags, found.heads
([['Yes']], [['INTJ']], [['0']])
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from tests.fuzz.corpora import Corpus, Invalid

Node = tuple[int, int]
Watch = Callable[[int, str, list[Node]], object]
BEGUN = (0, -1)  # of a sentence of which only a multi-word token is known
_DOCUMENT = re.compile(r"#[ \t]*newdoc\b(?:[ \t]+id[ \t]*=(.*))?", re.DOTALL)


def write(rng: Random, corpus: Corpus, misc: Callable[[int, Node], str] | None = None) -> bytes:
    """Ten columns; ``misc`` gives the last cell of a word, and of empty nodes if there are some."""
    lines: list[str] = []
    for at, words in enumerate(corpus.words):
        document = corpus.documents[at]
        if not at or document != corpus.documents[at - 1]:
            lines.append(f"# newdoc id = {corpus.names[document]}")
        lines.append(f"# sent_id = s{at}")
        joined = rng.randint(1, len(words)) if rng.random() < 0.15 else 0
        for number, word in enumerate(words, 1):
            if number == joined and number < len(words):
                lines.append(f"{number}-{number + 1}\t{word}{words[number]}" + "\t_" * 8)
            cells = [str(number), word, "_", corpus.tags[at][number - 1], "_", "_",
                     corpus.heads[at][number - 1], corpus.relations[at][number - 1]]  # fmt: skip
            lines.append("\t".join([*cells, "_", misc(at, (number, 0)) if misc else "_"]))
            if misc and rng.random() < 0.1:
                cells = [f"{number}.1", *"_______", f"{number}:dep", misc(at, (number, 1))]
                lines.append("\t".join(cells))
        lines.append("")
    return "\n".join([*lines, ""]).encode()


def read(lines: list[str], watch: Watch = lambda *_: None) -> Corpus:
    """Words, tags, trees; ``watch`` sees every comment, word and empty node with its sentence."""
    corpus = Corpus([])
    names: list[str] = []
    nodes: list[Node] = []
    for line in lines:
        if line.startswith("#"):
            watch(len(corpus.words) - 1, line, nodes)
            found = _DOCUMENT.match(line)
            if found and nodes:
                raise Invalid("a document begins in a sentence")
            names += [(found[1] or "").strip()] if found else []
        elif not line.strip():
            _end_of_sentence(corpus, nodes)
            nodes = []
        else:
            if not nodes:
                for column in (corpus.words, corpus.tags, corpus.heads, corpus.relations):
                    column.append([])
                corpus.ranges.append([])
                corpus.documents.append(len(names))
            node = _node(_cells(line, corpus), nodes, corpus)
            if node:
                nodes.append(node)
                watch(len(corpus.words) - 1, line, [one for one in nodes if one != BEGUN])
    _end_of_sentence(corpus, nodes)
    if not any(corpus.words):
        raise Invalid("no words")
    _name(corpus, names)
    return corpus


def _cells(line: str, corpus: Corpus) -> list[str]:
    cells = line.split("\t")
    if len(cells) != 10 or (cells[0].isdigit() and not cells[1]):
        raise Invalid(f"not ten columns: {line[:40]!r}")
    if cells[0].isdigit():  # of multi-word tokens and empty nodes only some are read
        corpus.empty_cells += cells.count("")
        cells = [cell or "_" for cell in cells]
    return cells


def _node(cells: list[str], nodes: list[Node], corpus: Corpus) -> Node | None:
    """The word or empty node of a line; a multi-word token is kept as a range of words."""
    words = len(corpus.words[-1])
    number = re.fullmatch(r"([0-9]{1,9})(?:([-.])([1-9][0-9]{0,8}))?", cells[0], re.ASCII)
    if not number:
        raise Invalid(f"no ID: {cells[0][:20]!r}")
    first, kind, second = int(number[1]), number[2], int(number[3] or 0)
    if kind == "-":
        ranges = corpus.ranges[-1]
        if (
            cells[0] != f"{first}-{second}"
            or second < first
            or first != words + 1
            or (ranges and ranges[-1][1] >= first)
        ):
            raise Invalid("a range that does not fit")
        ranges.append((first, second, cells[1]))
        if not nodes:
            nodes.append(BEGUN)
        return None
    if kind == ".":
        return first, second
    if first != words + 1 or cells[0] != str(first):
        raise Invalid(f"the ID {cells[0]} where {words + 1} comes next")
    corpus.words[-1].append(cells[1])
    corpus.tags[-1].append(cells[3])
    corpus.heads[-1].append(cells[6])
    corpus.relations[-1].append(cells[7])
    return first, 0


def _end_of_sentence(corpus: Corpus, nodes: list[Node]) -> None:
    if nodes and corpus.ranges[-1] and corpus.ranges[-1][-1][1] > len(corpus.words[-1]):
        raise Invalid("a range beyond the sentence")
    if nodes and not corpus.words[-1]:
        raise Invalid("a sentence without words")


def _name(corpus: Corpus, names: list[str]) -> None:
    """Documents have names if all of those with sentences have one, and no two the same."""
    used = sorted(set(corpus.documents))
    known = ["", *names]
    listed = [known[at] for at in used]
    corpus.documents = [used.index(at) for at in corpus.documents]
    if names and all(listed) and len(set(listed)) == len(listed):
        corpus.names = listed
    if not names:
        corpus.documents = []
