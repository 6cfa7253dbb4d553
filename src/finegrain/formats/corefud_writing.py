r"""Chains in the lines of CoNLL-U: as they stood in the file, or written anew.

>>> from dataclasses import replace
>>> from finegrain.corpus import Clusters
>>> clusters = Clusters.of([(0, 0, 2, "ada"), (0, 1, 2, "king")], documents=[0])
>>> corpus = replace(Corpus.of([["Ada", "King"]]), clusters=clusters)
>>> print(written_anew(corpus, clusters).replace("\t_" * 7, " ...").replace("\t", " "))
# global.Entity = eid-etype
1 Ada ... Entity=(ada-
2 King ... Entity=ada)(king-)
<BLANKLINE>
<BLANKLINE>

Which fields an entity has is said in a comment that holds until the next one, so a sentence that is
taken out of its file takes that comment with it. Heads are written where all mentions have one: to
CorefUD, a mention without a head would be one whose first word is the head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import numpy as np

from finegrain.corpus import Clusters, Corpus
from finegrain.corpus.clusters import WORD
from finegrain.formats import conllu
from finegrain.formats.chain_limits import NO_EMPTY_NODES, require
from finegrain.formats.conllu_lines import NEW_DOCUMENT

FIELDS = re.compile(r"#\s*global\.Entity\s*=\s*(\S+)")
_FIELDS_LINE = re.compile(
    rb"^(?:\xef\xbb\xbf)?(#[ \t]*global\.Entity[ \t]*=[^\r\n]*)", re.MULTILINE
)
_ENTITY = "Entity="
_NOTHING = "_"


def node_of(identifier: str) -> int:
    """A word or an empty node as a number.

    >>> node_of("15"), node_of("15.1")
    (15000, 15001)
    """
    word, _, empty = identifier.partition(".")
    return int(word) * WORD + int(empty or 0)


def as_read(corpus: Corpus) -> str:
    """The lines of the file that the corpus comes from, under the fields that hold for them."""
    said: str | None = None
    blocks = _blocks(corpus)
    for lines, fields in zip(blocks, _fields_of_sentences(corpus), strict=True):
        own = [line for line in lines if FIELDS.match(line)]
        if not own and fields != said:
            _put_fields(lines, fields)
        said = own[-1] if own else fields
    return _text(blocks)


def written_anew(corpus: Corpus, clusters: Clusters) -> str:
    """The lines of the corpus with the given chains; all but ``Entity=`` stays as it is."""
    blocks = [[line for line in lines if not FIELDS.match(line)] for lines in _blocks(corpus)]
    nodes = [[node_of(name) for name in _identifiers(lines)] for lines in blocks]
    known = [{*row} for row in nodes]
    rows = range(len(clusters))
    fits = [known[clusters.spans.sentence[row]].issuperset(clusters.nodes(row)) for row in rows]
    require(
        corpus, np.array(fits, bool),
        "corefud cannot hold a mention with an empty node that has no line", NO_EMPTY_NODES,
    )  # fmt: skip
    has_heads = bool(clusters.head.all())
    cells = _cells(clusters, nodes, "with" if has_heads else "without")
    for lines, own in zip(blocks, cells, strict=True):
        at = 0
        for number, line in enumerate(lines):
            if _is_node(line):
                lines[number] = _with_entity(line, own[at])
                at += 1
    _put_fields(blocks[0], f"# global.Entity = eid-etype{'-head' if has_heads else ''}")
    return _text(blocks)


def _blocks(corpus: Corpus) -> list[list[str]]:
    """The lines of each sentence."""
    sentences = conllu.write(corpus).removesuffix("\n\n").split("\n\n")
    return [sentence.split("\n") for sentence in sentences]


def _text(blocks: list[list[str]]) -> str:
    return "".join("\n".join(lines) + "\n\n" for lines in blocks)


def _fields_of_sentences(corpus: Corpus) -> Iterator[str]:
    """The comment on fields that holds for each sentence in its file; "" for none."""
    if corpus.further is None:
        raise ValueError("this corpus was not read from CoNLL-U")
    found = [*_FIELDS_LINE.finditer(corpus.further.buffer)]
    said = ["", *(match[1].decode() for match in found)]
    begins = [match.start() for match in found]
    first = corpus.further.starts[corpus.offsets[:-1]]
    return (said[at] for at in np.searchsorted(begins, first).tolist())


def _put_fields(lines: list[str], fields: str) -> None:
    """Put the comment on fields at the top, behind that of a document."""
    if fields:
        lines.insert(1 if NEW_DOCUMENT.match(lines[0]) else 0, fields)


def _is_node(line: str) -> bool:
    """True for lines of words and of empty nodes."""
    return not line.startswith("#") and "-" not in line.partition("\t")[0]


def _identifiers(lines: list[str]) -> Iterator[str]:
    return (line.partition("\t")[0] for line in lines if _is_node(line))


def _with_entity(line: str, entity: str) -> str:
    """A line with these brackets instead of its own.

    >>> _with_entity("1\\tAda\\tEntity=(e1-x-1)|SpaceAfter=No", "(e2-x-1)")
    '1\\tAda\\tSpaceAfter=No|Entity=(e2-x-1)'
    """
    before, _, misc = line.rpartition("\t")
    kept = [one for one in misc.split("|") if one != _NOTHING and not one.startswith(_ENTITY)]
    kept += [_ENTITY + entity] if entity else []
    return f"{before}\t{'|'.join(kept) or _NOTHING}"


def _cells(
    clusters: Clusters, sentences: list[list[int]], heads: Literal["with", "without"]
) -> list[list[str]]:
    """The brackets of every node: what ends here, then what begins, the longest first."""
    opening: list[list[list[tuple[int, str]]]] = [[[] for _ in row] for row in sentences]
    closing: list[list[list[tuple[int, str]]]] = [[[] for _ in row] for row in sentences]
    places = [{node: at for at, node in enumerate(row)} for row in sentences]
    for row, code in enumerate(clusters.chain.tolist()):
        sentence = int(clusters.spans.sentence[row])
        nodes = clusters.nodes(row)
        fields = clusters.spans.labels[int(clusters.spans.label[row])]
        if heads == "with":
            fields += f"-{nodes.index(int(clusters.head[row])) + 1}"
        parts = _runs([places[sentence][node] for node in nodes])
        for number, (begin, end) in enumerate(parts, 1):
            name = clusters.names[code] + (f"[{number}/{len(parts)}]" if len(parts) > 1 else "")
            closed = ")" if begin == end else ""
            opening[sentence][begin].append((end, f"({name}-{fields}{closed}"))
            if begin < end:
                closing[sentence][end].append((begin, f"{name})"))
    return [
        [_joined(closed) + _joined(opened) for opened, closed in zip(*both, strict=True)]
        for both in zip(opening, closing, strict=True)
    ]


def _joined(found: list[tuple[int, str]]) -> str:
    return "".join(text for _, text in sorted(found, key=lambda one: -one[0]))


def _runs(places: list[int]) -> list[tuple[int, int]]:
    """The parts of a mention, as first and last place.

    >>> _runs([2, 3, 5])
    [(2, 3), (5, 5)]
    """
    runs: list[tuple[int, int]] = []
    for place in places:
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs
