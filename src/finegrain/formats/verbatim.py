r"""Some sentences of a file, line by line as they stand there: nothing is lost, not even comments.

Known for formats in which sentences are blocks of lines (conll, conllu, corefud, conll2012) or
lines (jsonl). What begins a document (``-DOCSTART-``, ``# newdoc``, ``#begin document``) goes with
its first sentence that is copied, what ends it (``#end document``) with the last. What a comment
says of all lines below it (``# global.Entity``) goes with the first of them that is copied.

>>> from finegrain.formats.source import source_of
>>> source = source_of("a.conll", b"-DOCSTART- -X- O\n\nAda x B-PER\n\nHi y O\n")
>>> copied(pieces(source, "conll"), [1])
'-DOCSTART- -X- O\n\nHi y O\n\n'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from finegrain.formats.source import Source

_DOCUMENT = {
    "conll": "-DOCSTART-",
    "conllu": "# newdoc",
    "corefud": "# newdoc",
    "conll2012": "#begin document",
}
_FOR_ALL = re.compile(r"#\s*(global\.[^\s=]+)")  # how all lines below are to be read
_END = "#end document"


class Piece(NamedTuple):
    """The lines of a sentence, and the line that begins its document with a number of its own.

    ``in_force`` are the comments on all lines that hold for it, in its own lines or above them.
    """

    text: str
    document: tuple[int, str] | None
    in_force: tuple[str, ...] = ()


class Pieces(NamedTuple):
    """All sentences of a file, and the line above all of them that names columns."""

    sentences: list[Piece]
    header: str
    format: str


def pieces(source: Source, format_: str, *, header: bool = False) -> Pieces | None:
    """The sentences of a file; ``None`` for formats whose sentences are not lines of their own."""
    lines = source.lines()
    if format_ == "jsonl":
        return Pieces([Piece(f"{one}\n", None) for one in lines if one.strip()], "", format_)
    if format_ not in _DOCUMENT:
        return None
    top = f"{lines.pop(0)}\n" if header else ""
    sentences: list[Piece] = []
    document: tuple[int, str] | None = None
    block: list[str] = []
    said: dict[str, str] = {}  # comments on all lines, by what they are about

    def close() -> None:
        if any(not line.startswith("#") or "\t" in line for line in block):
            text = "".join(f"{line}\n" for line in block)
            sentences.append(Piece(text, document, tuple(said.values())))
            block.clear()  # comments alone stay, for the next sentence

    for line in lines:
        if line.startswith(_DOCUMENT[format_]):
            close()
            document = (len(sentences), f"{line}\n")
        elif line.strip() and not (format_ == "conll2012" and line.startswith(_END)):
            block.append(line)
            if for_all := _FOR_ALL.match(line):
                said[for_all[1]] = f"{line}\n"
        else:
            close()
    close()
    return Pieces(sentences, top, format_)


def copied(given: Pieces, sentences: Iterable[int]) -> str:
    """The text of some sentences."""
    text = [given.header]
    last: tuple[int, str] | None = None
    in_force: tuple[str, ...] = ()
    between = "" if given.format == "jsonl" else "\n"
    end = f"{_END}\n" if given.format == "conll2012" else ""
    for number in sentences:
        piece = given.sentences[number]
        if piece.document is not None and piece.document != last:
            text.append("" if last is None else end)
            text.append(piece.document[1] + ("\n" if given.format == "conll" else ""))
            last = piece.document
        text += (one for one in piece.in_force if one not in in_force and one not in piece.text)
        in_force = piece.in_force
        text.append(piece.text + between)
    text.append("" if last is None else end)
    return "".join(text)
