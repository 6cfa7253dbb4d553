"""Which column of a file of chains is which: CoNLL 2012, SemEval 2010, or chains only.

>>> from finegrain.formats.source import source_of
>>> def layout(*lines: str) -> Layout:
...     text = "\\n".join(["#begin document (a)", *lines, ""])
...     return layout_of(source_of("memory", text.encode()))
>>> layout("a 0 0 Ada NNP (0)", "a 0 1 left VBD -").columns
{'word': 3, 'xpos': 4}
>>> layout("1 Ada Ada Ada NNP (0)", "2 left leave leave VBD _").columns
{'word': 1, 'lemma': 2, 'xpos': 4}
>>> layout("a (0)", "a -").columns
{}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from finegrain.errors import InputError
from finegrain.formats.source import Source

_LINES = 400  # looked at
_NARROW = 5  # with fewer columns, CoNLL 2012 has no words
_NO_WORD = 2  # with so few, SemEval 2010 has none
_WIDE = 10  # with so many, CoNLL 2012 has lemmas in the seventh column
_MEND = (
    "Columns are document, part, number of the word, word, ... (CoNLL 2012), or number of the "
    "word, word, lemma, ... (SemEval 2010)."
)


class Layout(NamedTuple):
    """The columns of a file, counted from 0; the last column, which holds the chains, is none.

    ``number``: where words are numbered; ``fixed``: so many columns, with that of the chains,
    before there are columns of predicates.
    """

    columns: dict[str, int]
    number: int
    fixed: int

    @property
    def least(self) -> int:
        """How many columns a line has at least: all that are read, and that of the chains."""
        return max((*self.columns.values(), self.number)) + 2

    @property
    def layers(self) -> list[str]:
        """What the file says of words."""
        return [name for name in self.columns if name != "word"]

    def misnumbered(self, cell: str) -> tuple[str, str]:
        """What is wrong with a word that is not numbered, and how to fix it."""
        what = f"column {self.number + 1} is {cell[:40]!r}, not the number of the word"
        return what, _MEND


class _Line(NamedTuple):
    number: int  # from 1
    cells: list[str]


_CONLL = Layout({"word": 3, "xpos": 4, "lemma": 6}, number=2, fixed=12)
_CONLL_WITHOUT_LEMMAS = _CONLL._replace(columns={"word": 3, "xpos": 4})
_SEMEVAL = Layout({"word": 1, "lemma": 2, "xpos": 4}, number=0, fixed=17)
_CHAINS_ONLY = Layout({}, number=-1, fixed=12)


def layout_of(source: Source) -> Layout:
    """The layout of a file by its first lines."""
    sentences = list(_sentences(source.head(_LINES)))
    width = len(sentences[0][0].cells) if sentences else 0
    least = min(width, _NARROW)  # a line with fewer is uneven: it is told when the file is read
    unnumbered = [
        line
        for sentence in sentences
        for line in sentence
        if len(line.cells) >= least >= _NARROW and not line.cells[2][:1].isdigit()
    ]
    if width >= _NARROW and not unnumbered:
        return _narrowed(_CONLL if width >= _WIDE else _CONLL_WITHOUT_LEMMAS, width)
    counted = all(
        line.cells[0] == str(number) or len(line.cells) < least
        for sentence in sentences
        for number, line in enumerate(sentence, 1)
    )
    if width > _NO_WORD and counted:
        return _narrowed(_SEMEVAL, width)
    if width >= _NARROW:
        line = unnumbered[0]
        raise InputError.at(source.name, line.number, *_CONLL.misnumbered(line.cells[2]))
    return _CHAINS_ONLY


def _narrowed(layout: Layout, width: int) -> Layout:
    """Without the columns that lines of this width do not have, or have for chains."""
    kept = {name: column for name, column in layout.columns.items() if column < width - 1}
    return layout._replace(columns=kept)


def _sentences(lines: list[str]) -> Iterator[list[_Line]]:
    """Lines of words, by sentence."""
    sentence: list[_Line] = []
    for number, line in enumerate([*lines, ""], 1):
        cells = line.replace("\t", " ").split(" ")
        cells = [cell for cell in cells if cell]
        if cells and not line.startswith("#"):
            sentence.append(_Line(number, cells))
        elif sentence:
            yield sentence
            sentence = []
