"""Contractions, synonyms, and sentences that change nothing.

>>> from finegrain.perturbations.perturbation import Draw, Text
>>> def shown(name: str, *words: str) -> list[tuple[str, ...]]:
...     text = Text(words, running="n't" not in words and name != "contractions")
...     edits = WORDING[name].words(text, Draw(1.0, 2, name, " ".join(words)))
...     return [edit.new for edit in edits]
>>> shown("contractions", "I", "do", "not", "know"), shown("expansions", "They", "Don't", "go")
([('do', "n't")], [('Do', 'not')])
>>> shown("contractions", "it", "is", "n't"), shown("expansions", "We", "Ca", "n't")
([], [('Can', 'not')])
>>> shown("synonyms", "A", "Big", "movie")
[('Huge',), ('film',)]
>>> shown("negation", "Fine", "film", ".")
[('and', 'no', 'is', 'not', 'yes', '.')]

``negation`` adds what is true whatever the text says, as in the stress tests of Naik et al. (2018):
labels stay as they are, and a system that looks for ``not`` falls for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from finegrain.perturbations.lexicons import listed, synonyms
from finegrain.perturbations.perturbation import Draw, Edit, Perturbation, Text, core, in_case_of

_NOT = {
    "is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "do": "don't",
    "does": "doesn't", "did": "didn't", "has": "hasn't", "have": "haven't", "had": "hadn't",
    "can": "can't", "could": "couldn't", "will": "won't", "would": "wouldn't",
    "should": "shouldn't", "must": "mustn't", "need": "needn't",
}  # fmt: skip
_SHORT = {("i", "am"): "i'm", ("it", "is"): "it's", ("that", "is"): "that's"} | {
    (who, verb): f"{who}'{short}"
    for who in ("i", "you", "we", "they")
    for verb, short in (("have", "ve"), ("will", "ll"), ("are", "re"))
    if (who, verb) != ("i", "are")
}
CONTRACTIONS: Mapping[tuple[str, str], str] = {
    **{(verb, "not"): short for verb, short in _NOT.items()}, **_SHORT
}  # fmt: skip
_EXPANSIONS = {short: pair for pair, short in CONTRACTIONS.items()}
_TAUTOLOGIES = ("and false is not true", "and no is not yes", "and nothing is not something")


def _clitics(short: str) -> tuple[str, str]:
    """A contraction as two words, as in treebanks.

    >>> _clitics("don't"), _clitics("can't"), _clitics("they've")
    (('do', "n't"), ('ca', "n't"), ('they', "'ve"))
    """
    at = len(short) - 3 if short.endswith("n't") else short.index("'")
    return short[:at], short[at:]


_OF_CLITICS = {_clitics(short): pair for short, pair in _EXPANSIONS.items()}


def _contracted(text: Text, draw: Draw) -> Iterator[Edit]:
    free = 0
    for at in draw.hits(range(len(text.words) - 1)):
        before, first, mark = core(text.words[at])
        front, second, behind = core(text.words[at + 1])
        short = CONTRACTIONS.get((first.lower(), second.lower()))
        if not short or mark or front or at < free or text.words[at + 2 : at + 3] == ("n't",):
            continue
        free = at + 2
        if text.running:
            yield Edit(at, at + 2, (before + _as(first, short) + behind,))
        else:
            stem, clitic = _clitics(short)
            yield Edit(at, at + 2, (before + _as(first, stem), clitic + behind))


def _as(model: str, word: str) -> str:
    """``I`` is one capital letter, whatever the rest of the text is like."""
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def _expanded(text: Text, draw: Draw) -> Iterator[Edit]:
    """``don't`` becomes two words, and the two words ``do n't`` of treebanks ``do not``."""
    plain = [word.replace("\u2019", "'") for word in text.words]
    for at in draw.hits(range(len(plain))):
        following = plain[at + 1].lower() if at + 1 < len(plain) else ""
        pair = _OF_CLITICS.get((plain[at].lower(), following))
        if pair:
            yield Edit(at, at + 2, (_as(plain[at], pair[0]), pair[1]))
            continue
        before, middle, behind = core(plain[at])
        pair = _EXPANSIONS.get(middle.lower())
        if pair:
            yield Edit(at, at + 1, (before + _as(middle, pair[0]), pair[1] + behind))


def _synonyms(known: Mapping[str, Sequence[str]]) -> Perturbation:
    def rewrite(text: Text, draw: Draw) -> Iterator[Edit]:
        cores = [core(word) for word in text.words]
        for at in draw.hits([at for at, one in enumerate(cores) if one[1].lower() in known]):
            before, word, behind = cores[at]
            new = in_case_of(word, draw.pick(known[word.lower()]))
            yield Edit.word(at, before + new + behind)

    return Perturbation(
        "synonyms", "words with the same meaning, from a list", rewrite, rate=0.5, takes="synonyms",
        share="words in the list", with_list=_synonyms,
    )  # fmt: skip


def _added(sentences: Sequence[str], *, inside: bool) -> Callable[[Text, Draw], Iterator[Edit]]:
    """At the end; ``inside``: before the mark that ends the text."""

    def rewrite(text: Text, draw: Draw) -> Iterator[Edit]:
        if not text.words or not draw.chance():
            return
        new, size = tuple(draw.pick(sentences).split()), len(text.words)
        _, word, mark = core(text.words[-1])
        if not inside:
            yield Edit(size, size, new)
        elif mark or not any(char.isalnum() for char in word):
            kept = text.words[-1].removesuffix(mark) if mark else ""
            end = mark or text.words[-1]
            if kept:
                yield Edit(size - 1, size, (kept, *new[:-1], new[-1] + end))
            else:
                yield Edit(size - 1, size, (*new, end))
        else:
            yield Edit(size, size, new)

    return rewrite


def _irrelevant(sentences: Mapping[str, Any]) -> Perturbation:
    return Perturbation(
        "irrelevant", "adds a sentence that has nothing to do with the text (items)",
        _added(tuple(sentences), inside=False), rate=1.0, share="texts", items_only=True,
        takes="sentences", with_list=_irrelevant,
    )  # fmt: skip


WORDING = {
    one.name: one
    for one in (
        Perturbation("contractions", "don't for do not", _contracted, rate=1.0),
        Perturbation("expansions", "do not for don't", _expanded, rate=1.0),
        _synonyms(synonyms()),
        Perturbation(
            "negation", "adds a tautology with a negation: and false is not true (items)",
            _added(_TAUTOLOGIES, inside=True), rate=1.0, share="texts", items_only=True,
        ),
        _irrelevant(dict.fromkeys(listed("sentences"))),
    )
}  # fmt: skip
