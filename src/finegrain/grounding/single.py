r"""Answers that are one label, one option or one short text, whatever a model writes around them.

============= ==============================================================================
answered
------------- ------------------------------------------------------------------------------
exact         the answer is a label, a letter or, as a text, all there is
normalised    it is one with other case, white space or punctuation
verbose       it stands in prose: behind *the answer is*, in a box, as the only label there is
------------- ------------------------------------------------------------------------------
not answered
------------- ------------------------------------------------------------------------------
several       different labels or options, and nothing says which is meant
abstained     it says that it does not know, or that there is no answer
out-of-schema a short answer that is none of the labels
unparseable   no answer in it
refused       the model declined to answer
============= ==============================================================================

What is announced counts before what only occurs: JSON, ``\boxed{}``, then the last *answer: ...*,
then the last line if it is an answer, then all of the text. Of announcements the last counts; a
label behind a negation (*not positive*) is none.

>>> labels = Schema.of(["positive", "negative"])
>>> label_in("The film is not negative at all.\nAnswer: **Positive**", labels)
Single(kind='verbose', answer='positive')
>>> label_in("It could be positive or negative.", labels)
Single(kind='several', answer=None)
>>> option_in("I think (B) is right.", ["A", "B", "C"]), option_in("C", ["A", "B", "C"])
(Single(kind='verbose', answer='B'), Single(kind='exact', answer='C'))
>>> text_in("The answer is: Ghent."), text_in("I don't know.")
(Single(kind='verbose', answer='Ghent'), Single(kind='abstained', answer=None))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from finegrain.grounding.folding import words_only
from finegrain.grounding.json_answers import values_in
from finegrain.grounding.listed import Schema
from finegrain.grounding.parsing import refuses, without_thinking

ANSWERED = ("exact", "normalised", "verbose")
NOT_ANSWERED = ("several", "abstained", "out-of-schema", "unparseable", "refused")
SINGLE = (*ANSWERED, *NOT_ANSWERED)
LETTERS = tuple("ABCDEFGHIJ")
_KEYS = (
    "answer", "label", "final_answer", "prediction", "class", "category", "choice", "option",
    "sentiment", "result", "output",
)  # fmt: skip
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]{1,200})\}")
_ANNOUNCED = re.compile(
    r"(?:(?:final |correct |best |right )?(?:answer|label|option|choice|category|class|sentiment)"
    r"(?: (?:is|would be|should be)\b ?:?|\W{0,4}:))[ \t*_`]*(?=[^\s])",
    re.IGNORECASE,
)
_ABSTAINS = re.compile(
    r"(?:\b(?:I (?:do not|don't|am not|cannot|can't) (?:know|sure|tell|determine|say)|not sure|"
    r"unanswerable|no answer|cannot be (?:determined|answered)|"
    r"(?:is )?not (?:mentioned|stated|given|provided|specified)(?: in)?|"
    r"insufficient information|not enough information|unknown)\b)",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<![\w'])\(?([A-J])(?:\)|[.:](?!\w)|(?![\w']))")
_ALONE = re.compile(r"\W*([A-Ja-j])\W*\Z")
_LED = re.compile(r"\W{0,3}([A-J])(?:\W*[).:]\W|\)?\s*[-–—]\s)")
_NEGATED = frozenset(("not", "never", "neither", "nor", "t", "no", "without", "instead", "than"))
_SHORT = 60  # characters of an answer that is meant to be a label
_TYPOGRAPHIC = str.maketrans("’‘", "''")


class Single(NamedTuple):
    """The class of an answer and the answer, ``None`` where there is none."""

    kind: str
    answer: str | None = None


def label_in(answer: str, schema: Schema) -> Single:
    """The label that an answer gives."""

    def among(text: str) -> list[str]:
        words = _words(text)
        found = [label for label in schema.labels if _occurs(_words(label), words)]
        return [  # a label within another one is not meant
            one for one in found
            if not any(one != other and words_only(one) in words_only(other) for other in found)
        ]  # fmt: skip

    def whole(text: str) -> str | None:
        return schema.label(text) or schema.label(words_only(text))

    return _decided(answer, whole, among, schema.labels)


def option_in(answer: str, letters: Sequence[str] = LETTERS) -> Single:
    """The letter of the option that an answer gives."""
    known = set(letters)

    def whole(text: str) -> str | None:
        match = _ALONE.match(text) or _LED.match(text)
        return match[1].upper() if match and match[1].upper() in known else None

    def among(text: str) -> list[str]:
        found = [match[1] for match in _LETTER.finditer(text)]
        # a capital A at the beginning of a sentence is an article
        return list(dict.fromkeys(one for one in found if one in known and not _article(one, text)))

    return _decided(answer, whole, among, letters)


def likeliest(options: Sequence[float], letters: Sequence[str]) -> Single:
    """The letter of the option with the highest log-likelihood.

    >>> likeliest([-2.5, -0.1], ["A", "B"]), likeliest([-0.1, -0.1], ["A", "B"])
    (Single(kind='exact', answer='B'), Single(kind='several', answer=None))
    """
    best = [at for at, one in enumerate(options) if one == max(options)]
    if len(best) > 1:
        return Single("several")
    if best[0] >= len(letters):
        return Single("out-of-schema")
    return Single("exact", letters[best[0]])


def _article(letter: str, text: str) -> bool:
    if letter not in "AI":
        return False
    return not re.search(rf"\({letter}\)|(?<!\w){letter}[).:]|(?<!\w){letter}\W*\Z", text)


def text_in(answer: str) -> Single:
    """The short text that an answer gives; without what announces it."""
    stripped = without_thinking(answer).strip()
    if not stripped:
        return Single("unparseable")
    announced = _announced(stripped)
    given = (announced or stripped).strip(" \t\n*_`\"'")
    if _ABSTAINS.search(given.translate(_TYPOGRAPHIC)) and len(given) < 4 * _SHORT:
        return Single("abstained")
    if refuses(stripped):
        return Single("refused")
    given = given.removesuffix(".") if given.count(".") == 1 else given
    kind = "verbose" if announced else "exact" if given == stripped else "normalised"
    return Single(kind, given)


def _announced(text: str) -> str:
    """What an answer says is its answer; the last of several. Empty if there is none."""
    value = values_in(text).value
    found = _of_json(value)
    if found:
        return found
    boxed = _BOXED.findall(text)
    if boxed:
        return str(boxed[-1]).strip()
    said = list(_ANNOUNCED.finditer(text))
    return text[said[-1].end() :].split("\n", 1)[0].strip() if said else ""


def _of_json(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    given = {key.casefold(): one for key, one in value.items()}
    return next((given[key] for key in _KEYS if isinstance(given.get(key), str)), "")


def _decided(
    answer: str,
    whole: Callable[[str], str | None],
    among: Callable[[str], list[str]],
    exact: Sequence[str],
) -> Single:
    """The one answer that a text gives, where there are only so many."""
    text = without_thinking(answer).strip()
    if not text:
        return Single("unparseable")
    if text in exact:
        return Single("exact", text)
    alone = whole(text) if len(text) <= 2 * _SHORT else None
    if alone is not None:
        return Single("normalised", alone)
    announced = _announced(text)
    last = text.splitlines()[-1].strip()
    for stretch in filter(None, (announced, last if last != text else "")):
        found = whole(stretch)
        named = [found] if found is not None else among(stretch)
        if named:
            return Single("verbose", named[0]) if len(named) == 1 else Single("several")
    return _in_prose(text, among(text), announced)


def _in_prose(text: str, named: list[str], announced: str) -> Single:
    """What an answer says that announces none of the labels."""
    abstains = _ABSTAINS.search(text.translate(_TYPOGRAPHIC))
    if len(named) > 1:
        return Single("several")
    if named and not abstains:
        return Single("verbose", named[0])
    if abstains:
        return Single("abstained")
    if refuses(text):
        return Single("refused")
    return Single("out-of-schema" if len(announced or text) <= _SHORT else "unparseable")


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", words_only(text))


def _occurs(label: list[str], words: list[str]) -> bool:
    """Whether words have a label that is not negated: ``not positive`` is not a label."""
    size = len(label)
    return any(
        words[at : at + size] == label and not _NEGATED.intersection(words[max(at - 3, 0) : at])
        for at in range(len(words) - size + 1)
    )
