"""CorefUD: CoNLL-U with mentions in brackets in ``Entity=`` of the last column.

>>> line = "\\t".join(["1", "Ada", *"_______", "Entity=(e1-p-1)"])
>>> read(["# global.Entity = eid-etype-head", line]).mentions
[Mention(sentence=0, nodes=((1, 0),), chain='0 e1')]
"""

from __future__ import annotations

import re
from random import Random

from tests.fuzz import conllu
from tests.fuzz.brackets import Brackets, Node, cells
from tests.fuzz.corpora import Corpus, Invalid

_ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")
_DEPS = re.compile(r"_|[0-9]{1,9}(\.[0-9]{1,9})?:[^|]+(\|[0-9]{1,9}(\.[0-9]{1,9})?:[^|]+)*")
_FIELDS = re.compile(r"#\s*global\.Entity\s*=\s*(\S+)")


def write(rng: Random, corpus: Corpus) -> bytes:
    """CoNLL-U with ``Entity=``; empty nodes are mentions, too."""
    found = cells(rng, corpus, "-x-1")

    def misc(sentence: int, node: Node) -> str:
        cell = found.get((sentence, node[0]), "")
        if node[1]:
            cell = rng.choice(("", f"({rng.randint(1, 3)}-x-1)"))
        return f"Entity={cell}" if cell else "_"

    return b"# global.Entity = eid-etype-head\n" + conllu.write(rng, corpus, misc)


def read(lines: list[str]) -> Corpus:
    """CoNLL-U, and the mentions in its last column."""
    brackets = Brackets(["eid"])
    odd: set[str] = set()
    now, said_fields = -1, False

    def line_read(sentence: int, line: str, nodes: list[Node]) -> None:
        nonlocal now, said_fields
        if line.startswith("#"):
            said = _FIELDS.match(line)
            if said:
                brackets.fields, said_fields = said[1].split("-"), True
            return
        if sentence != now:
            brackets.end()
            now = sentence
        cells = line.split("\t")
        if cells[9].count("Entity=") > 1:
            raise Invalid("Entity= twice")
        entity = _ENTITY.search(cells[9])
        if entity:
            brackets.cell(entity[1], sentence, nodes)
            odd.update([] if said_fields else ["no comment global.Entity"])
        if entity and nodes[-1][1] and not _DEPS.fullmatch(cells[8]):
            odd.add("an empty node that depends on no node")

    corpus = conllu.read(lines, line_read)
    if corpus.empty_cells:
        raise Invalid("an empty cell")
    corpus.doubts |= odd
    if any(re.match("[0-9]+-", line) and _ENTITY.search(line.split("\t")[9]) for line in lines):
        raise Invalid("Entity= on the line of a multi-word token")
    brackets.end()
    if not said_fields:
        corpus.doubts.add("no comment global.Entity")
    documents = corpus.documents or [0] * len(corpus.words)
    corpus.mentions = [
        one._replace(chain=f"{documents[one.sentence]}{one.chain}") for one in brackets.mentions()
    ]
    return corpus
