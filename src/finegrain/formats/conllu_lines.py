"""What stands in the lines of CoNLL-U: the columns of words, and the comment of a document.

>>> NEW_DOCUMENT.match("# newdoc id = weblog-17")[1].strip()
'weblog-17'
"""

from __future__ import annotations

import re
from dataclasses import replace

from finegrain.corpus.texts import PADDING
from finegrain.formats.source import Source
from finegrain.sizes import sized

WIDTH = 10
CELLS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")  # behind ID
COLUMNS = CELLS[1:5]  # those that are layers at once
NEW_DOCUMENT = re.compile(r"#[ \t]*newdoc\b(?:[ \t]+id[ \t]*=(.*))?", re.DOTALL)
_WORD = re.compile(rb"^[0-9][^\n]*", re.MULTILINE)
_FORM = 1  # behind ID


def with_cells_filled(source: Source) -> tuple[Source, tuple[str, ...]]:
    r"""A source with ``_`` in the empty cells of words, but for their forms, and a note of it.

    >>> from finegrain.formats.source import source_of
    >>> cells = ["1", "Ada", "", "PROPN", "_", "", "0", "root", "_", ""]
    >>> filled, notes = with_cells_filled(source_of("crf.conllu", "\t".join(cells).encode()))
    >>> filled.lines()[0].split("\t"), notes
    (['1', 'Ada', '_', 'PROPN', '_', '_', '0', 'root', '_', '_'], ('3 empty cells read as _',))
    """
    if source.buffer.find(b"\t\t") < 0 and source.buffer.find(b"\t\n") < 0:
        return source, ()
    count = 0

    def filled(line: re.Match[bytes]) -> bytes:
        nonlocal count
        cells = line[0].split(b"\t")
        if len(cells) != WIDTH:  # a fault, which is told where the line is read
            return line[0]
        places = [place for place, cell in enumerate(cells) if not cell and place > _FORM]
        count += len(places)
        for place in places:
            cells[place] = b"_"
        return b"\t".join(cells)

    text = _WORD.sub(filled, bytes(source.buffer[source.begin : source.end]))
    buffer = bytearray(text) + bytes(PADDING)
    notes = (f"{sized(count, 'empty cell')} read as _",) if count else ()
    return replace(source, buffer=buffer, begin=0, end=len(text)), notes
