"""Case, punctuation, white space and numbers.

>>> from finegrain.perturbations.perturbation import Draw, Text
>>> def shown(name: str, *words: str) -> list[tuple[str, ...]]:
...     edits = SURFACE[name].words(Text(words), Draw(1.0, 1, name, " ".join(words)))
...     return [edit.new for edit in edits]
>>> shown("lower", "Ada", "wrote"), shown("title", "of", "USA"), shown("swap-case", "McKay")
([('ada',)], [('Of',), ('Usa',)], [('mCkAY',)])
>>> shown("no-punctuation", "Yes,", "so!", "."), shown("numbers", "in", "1984", "3.5%")
([('Yes',), ('so',)], [('5170',), ('6.2%',)])
>>> shown("split-words", "together"), shown("join-words", "at", "once")
([('to', 'gether')], [('atonce',)])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from finegrain.perturbations.perturbation import Draw, Edit, Perturbation, Text

_MARKS = ".,;:!?\"'()[]…“”‘’«»"
_ENDS = {".": ("!", "...", ""), "!": (".", "!!"), "?": ("??", "."), ",": (";", ""), ";": (",",)}
_SHORTEST = 4  # letters of a word that is split


def _each(change: Callable[[str], str]) -> Callable[[str], str]:
    """Character by character, where that gives one character."""

    def changed(word: str) -> str:
        return "".join(new if len(new := change(char)) == 1 else char for char in word)

    return changed


_lower, _upper, _swap = _each(str.lower), _each(str.upper), _each(str.swapcase)


def _title(word: str) -> str:
    first = next((at for at, char in enumerate(word) if char.isalpha()), 0)
    return word[:first] + _upper(word[first : first + 1]) + _lower(word[first + 1 :])


def _case(change: Callable[[str], str]) -> Callable[[Text, Draw], Iterator[Edit]]:
    def rewrite(text: Text, draw: Draw) -> Iterator[Edit]:
        for at in draw.hits(range(len(text.words))):
            if change(text.words[at]) != text.words[at]:
                yield Edit.word(at, change(text.words[at]))

    return rewrite


def _without_marks(text: Text, draw: Draw) -> Iterator[Edit]:
    """Marks at the edges of words; a token that is nothing else stays, or there would be none."""
    for at in draw.hits(range(len(text.words))):
        kept = text.words[at].strip(_MARKS)
        if kept and kept != text.words[at]:
            yield Edit.word(at, kept)


def _other_marks(text: Text, draw: Draw) -> Iterator[Edit]:
    """The last mark of a word, or a token that is a mark, becomes another one."""
    ends = [at for at, word in enumerate(text.words) if word[-1:] in _ENDS]
    for at in draw.hits(ends):
        word = text.words[at]
        new = word[:-1] + draw.pick([one for one in _ENDS[word[-1]] if one or len(word) > 1])
        yield Edit.word(at, new)


def _split(text: Text, draw: Draw) -> Iterator[Edit]:
    long = [at for at, word in enumerate(text.words) if len(word) >= _SHORTEST and word.isalpha()]
    for at in draw.hits(long):
        place = 1 + draw.below(len(text.words[at]) - 1)
        yield Edit(at, at + 1, (text.words[at][:place], text.words[at][place:]))


def _join(text: Text, draw: Draw) -> Iterator[Edit]:
    free = 0
    for at in draw.hits(range(len(text.words) - 1)):
        pair = text.words[at : at + 2]
        if at >= free and all(word.isalpha() for word in pair):
            yield Edit(at, at + 2, ("".join(pair),))
            free = at + 2


def _numbers(text: Text, draw: Draw) -> Iterator[Edit]:
    """Every digit another one; the first is not 0, so that a number stays as long as it was."""
    for at in draw.hits([at for at, word in enumerate(text.words) if _has_digits(word)]):
        chars = list(text.words[at])
        for place, char in enumerate(chars):
            if char in "0123456789":
                leads = not (place and chars[place - 1] in "0123456789")
                others = [one for one in "0123456789" if one != char and not (leads and one == "0")]
                chars[place] = draw.pick(others)
        yield Edit.word(at, "".join(chars))


def _has_digits(word: str) -> bool:
    return any(char in "0123456789" for char in word)


SURFACE = {
    one.name: one
    for one in (
        Perturbation("lower", "lower case", _case(_lower), rate=1.0),
        Perturbation("upper", "upper case", _case(_upper), rate=1.0),
        Perturbation("title", "Title Case", _case(_title), rate=1.0),
        Perturbation("swap-case", "upper case for lower case and back", _case(_swap), rate=1.0),
        Perturbation("no-punctuation", "takes marks off words", _without_marks, rate=1.0),
        Perturbation("punctuation", "other marks at the end of words", _other_marks, rate=0.5),
        Perturbation("split-words", "white space inside of words", _split, rate=0.05),
        Perturbation("join-words", "white space lost between words", _join, rate=0.05),
        Perturbation("numbers", "other digits in numbers", _numbers, rate=1.0),
    )
}
