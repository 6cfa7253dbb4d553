"""Columns: a token per line, tags in one of the schemes or plain ones, also gold and answer.

>>> read("New B-LOC\\nYork I-LOC\\n\\nYes O".split("\\n"), {}).words
[['New', 'York'], ['Yes']]
>>> decoded(Corpus([["a", "b"]], tags=[["I-X", "E-X"]]), "bioes")
[Span(sentence=0, label='X', begin=0, end=2, some=frozenset(), cuts=(0, 0))]
"""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random
from typing import Any

from tests.fuzz.corpora import Corpus, Invalid, Span

SCHEMES = {  # the letters of the roles first, inside, last and single
    "iob1": "BI--", "iob2": "BI--", "ioe1": "-IE-", "ioe2": "-IE-", "io": "-I--",
    "bioes": "BIES", "bilou": "BILU", "bmes": "BMES", "bmewo": "BMEW",
}  # fmt: skip
OUTSIDE = ("O", "_", "")
_TELLING = (("bilou", "LU"), ("bmewo", "W"), ("bmes", "M"), ("bioes", "S"))


def tags_of(corpus: Corpus, scheme: str) -> list[list[str]]:
    """Spans side by side as tags."""
    found = [["O"] * len(one) for one in corpus.words]
    where = {(one.sentence, one.begin, one.label) for one in corpus.spans}
    ends = {(one.sentence, one.end, one.label) for one in corpus.spans}
    for sentence, label, begin, end, *_ in corpus.spans:
        marks_begin = {"iob2": True, "iob1": (sentence, begin, label) in ends}.get(scheme, False)
        marks_end = {"ioe2": True, "ioe1": (sentence, end, label) in where}.get(scheme, False)
        letters = ["I"] * (end - begin)
        if "-" not in SCHEMES[scheme]:
            first, inside, last, single = SCHEMES[scheme]
            letters = [first, *[inside] * (end - begin - 2), last] if end - begin > 1 else [single]
        letters[0] = "B" if marks_begin else letters[0]
        letters[-1] = "E" if marks_end else letters[-1]
        found[sentence][begin:end] = [f"{letter}-{label}" for letter in letters]
    return found


def write(rng: Random, corpus: Corpus, columns: list[list[list[str]]]) -> bytes:
    """Columns behind the tokens."""
    separator = rng.choice(("\t", "\t", " ", "  "))
    marked = rng.random() < 0.4
    lines = []
    for at, words in enumerate(corpus.words):
        document = corpus.documents[at]
        if marked and (not at or document != corpus.documents[at - 1]):
            lines += [separator.join(["-DOCSTART-", *["O"] * len(columns)]), ""]
        rows = zip(words, *(column[at] for column in columns), strict=True)
        lines += [*map(separator.join, rows), ""]
    if rng.random() < 0.2:
        lines.insert(0, "# a comment of some words")
    if rng.random() < 0.2:
        names = ["Token", "POS", "Chunk"][: len(columns)]
        lines.insert(0, separator.join([*names, "NER"]))
    return "\n".join(lines).encode()


def read(lines: list[str], columns: dict[str, int]) -> Corpus:
    """Read columns, from 1; by default the last one holds the tags."""
    head = [line for line in lines if line.strip(" \t") and not line.startswith("#")]
    head = [line for line in head if not line.startswith("-DOCSTART-")] or head
    head = head or [line for line in lines if line.strip(" \t")]
    tabs = "\t" in head[0]
    rows = [_cells(line, tabs) for line in head[:400]]
    width = len(rows[0])
    if width < 2 or max(columns.values(), default=0) > width:
        raise Invalid("not all columns are there")
    header = _names_columns(rows)
    wanted = columns or {"token": 1, "tags": width}
    kept, breaks = _sentences(lines, tabs, width, head[0] if header else None)
    if not kept:
        raise Invalid("no tokens")
    corpus = Corpus([])
    layers: dict[str, list[list[str]]] = {name: [] for name in wanted}
    for begin, end in pairwise([*sorted(breaks), len(kept)]):
        for name, column in wanted.items():
            layers[name].append([cells[column - 1] for cells in kept[begin:end]])
        corpus.documents.append(breaks[begin])
    corpus.words = layers.pop("token")
    _layers(corpus, layers, kept, width, columns)
    return corpus


def _names_columns(rows: list[list[str]]) -> bool:
    """Whether the first line is a header: by its first cell, or it alone has no number last."""
    first, below = rows[0], rows[1:]
    usual = re.fullmatch("(token|word|form)s?", first[0], re.IGNORECASE) is not None
    number = re.compile(r"[+-]?\d+([.,]\d+)?")
    alone = not number.fullmatch(first[-1]) and all(number.fullmatch(row[-1]) for row in below)
    return bool(below) and (usual or alone) and all(row[-1] != first[-1] for row in below)


def _layers(corpus: Corpus, layers: Any, kept: list[list[str]], width: int, columns: Any) -> None:
    stripped = {name: [[tag.strip(" ") for tag in one] for one in column]
                for name, column in layers.items()}  # fmt: skip
    if any(
        not cell for column in (corpus.words, *stripped.values()) for one in column for cell in one
    ):
        raise Invalid("an empty token or tag")
    corpus.tags = stripped.get("tags") or stripped["answer"]
    corpus.relations = stripped.get("gold", [])
    if not all(map(all, kept)):
        corpus.doubts.add("an empty cell in a column that is not read")
    last = {cells[-1] for cells in kept} - {"O"}
    if not columns and any(last & {cells[at] for cells in kept} for at in range(1, width - 1)):
        corpus.doubts.add("two columns with the same tags")


def _cells(line: str, tabs: bool) -> list[str]:
    return line.split("\t") if tabs else re.split("[ \t]+", line.strip(" \t"))


def _sentences(
    lines: list[str], tabs: bool, width: int, header: str | None
) -> tuple[list[list[str]], dict[int, int]]:
    """The cells of tokens, and for the first token of every sentence its document."""
    kept: list[list[str]] = []
    breaks: dict[int, int] = {}
    document, inside, broken = 0, False, True
    for line in lines:
        cells = _cells(line, tabs)
        if line == header:
            header = None
        elif header and line.startswith("#"):
            continue
        elif line.startswith("-DOCSTART-"):
            document, inside, broken = document + 1, False, True
        elif not line.strip(" \t"):
            inside, broken = False, True
        elif len(cells) == width:
            if broken:
                breaks[len(kept)] = document
            kept.append(cells)
            inside, broken = True, False
        elif inside or not line.startswith("#"):
            raise Invalid(f"not {width} columns: {line[:40]!r}")
    return kept, breaks


def scheme_of(corpus: Corpus) -> str:
    """The scheme of tags: by letters that only some have, and by how chunks begin or end."""
    levels = {level for one in corpus.tags for tag in one for level in tag.split("|")}
    letters = {level[0] for level in levels if level not in OUTSIDE}
    for scheme, telling in _TELLING:
        if letters & set(telling):
            return scheme
    if letters >= {"B", "E"}:
        return "bioes"
    return "ioe2" if "E" in letters else "iob2"  # the spans of ioe1 and iob1 are the same


def _parsed(tag: str, scheme: str) -> tuple[str, str]:
    """Role (O, B, I, E or S) and label of a tag."""
    if tag in OUTSIDE:
        return "O", ""
    prefix, hyphen, label = tag.partition("-")
    if len(prefix) != 1 or prefix not in SCHEMES[scheme] or (hyphen and not label):
        raise Invalid(f"the tag {tag[:20]!r} is not of the scheme")
    return "BIES"[SCHEMES[scheme].index(prefix)], label or "span"


def decoded(corpus: Corpus, scheme: str) -> list[Span]:
    """Spans of tags by the rule of conlleval, level by level: outer spans bound inner ones.

    A token continues a chunk if it is inside or last, the one before is first or inside, and both
    have one label.
    """
    found: list[tuple[tuple[int, int, int, int], Span]] = []
    for sentence, tags in enumerate(corpus.tags):
        stacks = [tag.split("|") for tag in tags]
        if any(not any(one) for one in stacks):
            raise Invalid("nothing but empty levels in a stack of tags")
        fences: set[int] = set()
        for level in range(max(map(len, stacks))):
            row = [_parsed(one[level] if level < len(one) else "O", scheme) for one in stacks]
            begins = [
                at for at, (role, label) in enumerate(row)
                if role != "O" and not (
                    at and at not in fences and role in "IE" and row[at - 1][0] in "BI"
                    and row[at - 1][1] == label)
            ]  # fmt: skip
            for begin in begins:
                end = begin + 1
                while end < len(row) and row[end][0] != "O" and end not in begins:
                    end += 1
                fences |= {begin, end}
                span = Span(sentence, row[begin][1], begin, end)
                found.append(((sentence, begin, -end, level), span))
    return [span for _, span in sorted(found)]
