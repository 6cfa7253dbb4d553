"""What a perturbation is: a name, how strong it is, and one function that proposes edits of words.

>>> def shout(text: Text, draw: Draw) -> Iterator[Edit]:
...     for at in draw.hits(range(len(text.words))):
...         yield Edit.word(at, text.words[at] + "!")
>>> loud = Perturbation("loud", "adds exclamation marks to words", shout, rate=1.0)
>>> text = Text(("so", "it", "is"))
>>> [edit.new for edit in loud.words(text, Draw(1.0, 1, "loud", "so it is"))]
[('so!',), ('it!',), ('is!',)]

The function sees a sentence (or a text of an item) as words and says what becomes of which; where
annotation goes is not its business. Most texts are read by many people and systems in the way in
which they were written, so a perturbation names how often it strikes (``rate``) in units of its own
(``share``), and everything that is drawn comes from the seed, the perturbation and the text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from finegrain.errors import UsageError

_Value = TypeVar("_Value")


class Edit(NamedTuple):
    """The words ``begin .. end - 1`` become the words ``new``.

    As many as before, or one for several, several for one, none up to the end; in texts without
    annotation also some where there were none.
    """

    begin: int
    end: int
    new: tuple[str, ...]

    @classmethod
    def word(cls, at: int, new: str) -> Edit:
        """One word becomes another."""
        return cls(at, at + 1, (new,))


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence, or a text of an item.

    Parameters
    ----------
    words: its tokens; of running text, what stands between white space
    labels: the labels of each word: of the spans around it, or its tag; empty without annotation
    document: what it belongs to: names are the same within one document
    cuts: before which words it can be truncated; ``None`` for all
    running: whether words are what stands between white space: ``don't``, not ``do n't``
    """

    words: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...] = ()
    document: str = ""
    cuts: frozenset[int] | None = None
    running: bool = True

    def labels_of(self, word: int) -> tuple[str, ...]:
        return self.labels[word] if self.labels else ()


class Draw:
    """Chances of one perturbation in one text; the same seed and text give the same draws."""

    def __init__(self, rate: float, seed: int, name: str, text: str, document: str = "") -> None:
        self.rate = rate
        self._fixed = (seed, name, document)
        self._random = random.Random(f"{seed}\x00{name}\x00{text}")

    def hits(self, places: Iterable[_Value]) -> list[_Value]:
        """Each of the given with the probability ``rate``."""
        return [place for place in places if self._random.random() < self.rate]

    def chance(self) -> bool:
        """Whether it strikes at all."""
        return self._random.random() < self.rate

    def pick(self, among: Sequence[_Value]) -> _Value:
        return among[int(self._random.random() * len(among))]

    def below(self, size: int) -> int:
        """A number from 0 to size - 1."""
        return int(self._random.random() * size)

    def order(self, size: int) -> list[int]:
        """The numbers from 0 to size - 1 in another order, if there is one."""
        ascending = list(range(size))
        mixed = ascending.copy()
        while size > 1 and mixed == ascending:
            self._random.shuffle(mixed)
        return mixed

    def always(self, key: str, among: Sequence[_Value]) -> _Value:
        """The same for the same key everywhere in the document."""
        seed, name, document = self._fixed
        fixed = random.Random(f"{seed}\x00{name}\x00{document}\x00{key}")
        return among[int(fixed.random() * len(among))]


Words = Callable[[Text, Draw], Iterable[Edit]]
Choices = Callable[[int, Draw], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A way to change texts that a system should be able to stand.

    Parameters
    ----------
    name, summary: as ``finegrain list perturbations`` shows them
    words: text and chances -> edits of its words, from left to right
    rate: its default strength, the probability of one ``share``
    share: what the rate is a share of: ``words``, ``texts``
    options: of multiple choice: number of options and chances -> their new order
    items_only: it adds to texts, and there is no annotation of what it adds
    takes: which list of its own a user can give: ``names``, ``synonyms``, ``sentences``
    with_list: such a list -> the same perturbation with it
    """

    name: str
    summary: str
    words: Words | None = None
    rate: float = 0.1
    share: str = "words"
    options: Choices | None = None
    items_only: bool = False
    takes: str = ""
    with_list: Callable[[Mapping[str, Any]], Perturbation] | None = None

    def __post_init__(self) -> None:
        if (self.words is None) == (self.options is None):
            raise UsageError(f"the perturbation {self.name!r} changes words or options: give one")
        require_rate(self.rate)


def require_rate(rate: float) -> None:
    """Raise unless it is a probability."""
    if not 0 <= rate <= 1:
        raise UsageError(f"a rate is a number from 0 to 1, not {rate:g}")


def core(word: str) -> tuple[str, str, str]:
    """A word of running text without the punctuation around it.

    >>> core('"Rome,'), core("--"), core("don't")
    (('"', 'Rome', ','), ('', '--', ''), ('', "don't", ''))
    """
    letters = [at for at, char in enumerate(word) if char.isalnum()]
    if not letters:
        return "", word, ""
    begin, end = letters[0], letters[-1] + 1
    return word[:begin], word[begin:end], word[end:]


def in_case_of(model: str, word: str) -> str:
    """A word written as another one is: THIS, This or this.

    >>> in_case_of("Big", "large"), in_case_of("BIG", "large"), in_case_of("big", "large")
    ('Large', 'LARGE', 'large')
    """
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def worded(edits: Iterable[Edit], text: Text) -> Iterator[Edit]:
    """Edits that change something."""
    return (edit for edit in edits if text.words[edit.begin : edit.end] != edit.new)
