"""brat: a text with standoff annotation beside it, in folders of such pairs.

>>> files = {"a.txt": b"I met Ada.", "a.ann": b"T1\\tPER 6 9\\tAda\\n"}
>>> read(files).spans
[Span(sentence=0, label='PER', begin=2, end=3, some=frozenset(), cuts=(0, 1))]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from tests.fuzz.corpora import Corpus, Invalid
from tests.fuzz.running_text import Marked, Part, add_text, documents

_LINE = re.compile(r"(T\S+)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)\t(.*)", re.DOTALL)


def write(rng: Random, corpus: Corpus) -> dict[str, bytes]:
    """A text and its annotation for every document; some spans have a gap."""
    found = {}
    for name, text, marked in documents(rng, corpus):
        lines = []
        for number, (label, ((begin, end), *_)) in enumerate(marked, 1):
            parts = [(begin, end)]
            first, last = text.find(" ", begin, end), text.rfind(" ", begin, end)
            if first < last and rng.random() < 0.5:
                parts = [(begin, first), (last + 1, end)]
            offsets = ";".join(f"{one} {two}" for one, two in parts)
            lines.append(f"T{number}\t{label} {offsets}\t{_surface(text, parts)}\n")
        if rng.random() < 0.2:
            lines.append("R1\tlikes Arg1:T1 Arg2:T1\n")
        found[f"{name}.txt"] = (text + "\n").encode()
        found[f"{name}.ann"] = "".join(lines).encode()
    return found


def _surface(text: str, parts: Sequence[Part]) -> str:
    return " ".join(re.sub(r"[\r\n\t]", " ", text[begin:end]) for begin, end in parts)


def read(files: Mapping[str, bytes]) -> Corpus:
    """The pairs of a folder."""
    corpus = Corpus(
        [], documents=[], names=sorted(name[:-4] for name in files if name.endswith(".txt"))
    )
    for document, name in enumerate(corpus.names):
        try:
            text, lines = files[f"{name}.txt"].decode(), files[f"{name}.ann"].decode()
        except UnicodeDecodeError:
            raise Invalid("not UTF-8") from None
        if text.startswith("\ufeff"):
            text = " " + text[1:]
        known: set[str] = set()
        marked = [
            _standoff(line.removesuffix("\r"), text, known)
            for line in lines.removeprefix("\ufeff").split("\n")
            if line.strip() and not re.match(r"[EMRAN#*]\S*\t", line)
        ]
        add_text(corpus, text, marked, document)
    if not any(corpus.words):
        raise Invalid("no text")
    return corpus


def _standoff(line: str, text: str, known: set[str]) -> Marked:
    match = _LINE.fullmatch(line)
    if not match or match[1] in known:
        raise Invalid(f"no span of its own: {line[:40]!r}")
    known.add(match[1])
    parts = sorted(
        (int(one[:19]), int(two[:19]))
        for one, _, two in (part.partition(" ") for part in match[3].split(";"))
    )
    for begin, end in parts:
        if not begin < end <= len(text) or not text[begin:end].strip():
            raise Invalid("a span outside of its text, or of white space")
    if any(one[1] > two[0] for one, two in pairwise(parts)):
        raise Invalid("parts that overlap")
    if match[4].strip() != _surface(text, parts).strip():
        raise Invalid("another text than between the offsets")
    return match[2], parts
