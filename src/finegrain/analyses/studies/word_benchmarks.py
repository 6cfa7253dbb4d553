r"""Word vectors on benchmarks: similarity as numbers beside people's, analogies as answers.

Similarity is the cosine. An analogy a : b :: c : ? is answered by the word of the vocabulary, other
than these three, with the largest

.. math:: \cos(x, b) - \cos(x, a) + \cos(x, c) \quad\text{(3CosAdd)} \qquad
   \frac{\cos'(x, b) \cos'(x, c)}{\cos'(x, a) + 0.001} \quad\text{(3CosMul)}

where :math:`\cos' = (1 + \cos) / 2` (Mikolov et al. 2013; Levy and Goldberg 2014).

>>> words = ("man", "woman", "king", "queen", "apple")
>>> vectors = np.array([[1.0, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0.2, -1]])
>>> [words[at] for at in completed(vectors, np.array([[0, 1, 2]]), "3cosmul")]
['queen']

The result is a table of regression or of classification, so that every analysis applies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.stimuli import columns_of, ids_of
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column
from finegrain.corpus.items import of_fields
from finegrain.corpus.notes import Information
from finegrain.errors import InputError, UsageError
from finegrain.formats.source import open_source
from finegrain.formats.word_benchmarks import WordBenchmark, read
from finegrain.sizes import sized
from finegrain.table import OutcomeTable
from finegrain.tasks.classification import CLASSIFICATION
from finegrain.tasks.regression import REGRESSION

Method = Literal["3cosadd", "3cosmul"]
Floats = NDArray[np.float64]
_TILE = 1 << 22  # similarities at once
_SMALL = 0.001


class Answered(NamedTuple):
    """Gold and answers as corpora of items, and what must be known of words without vectors."""

    gold: Corpus
    answers: Mapping[str, Corpus]
    notes: tuple[str, ...]

    @property
    def table(self) -> OutcomeTable:
        """The table; pairs that some system lacks a word of are left out for all.

        An analogy without an answer is wrong.
        """
        if "score" in self.gold.fields:
            found: OutcomeTable = REGRESSION.align(self.gold, self.answers, missing="skip")
        else:
            found = CLASSIFICATION.align(self.gold, self.answers, missing="wrong")
        return found


def word_benchmark(
    benchmark: str,
    systems: Mapping[str, Corpus] | Iterable[tuple[str, Corpus]],
    *,
    method: Method = "3cosadd",
    fold_case: bool = True,
) -> Answered:
    """Answer pairs of words or analogies from word vectors.

    Parameters
    ----------
    benchmark: a file with ``word1,word2,score`` or ``a b c d`` in every line
    systems: name -> words with vectors (``fg.read``)
    method: of analogies: ``3cosadd`` or ``3cosmul``
    fold_case: words that have no vector as they are written are looked up without regard to case
    """
    if method not in get_args(Method):
        raise UsageError.unknown("method", method, get_args(Method))
    asked = read(open_source(benchmark))
    answers, notes = {}, []
    for name, corpus in systems.items() if isinstance(systems, Mapping) else systems:
        vocabulary = _Vocabulary.of(corpus, fold_case=fold_case)
        known, column = _answers(asked, vocabulary, method)
        if not known:
            what, mend = f"no line of {asked.source} has all its words here", "Check the language."
            raise InputError.at(corpus.source, 0, what, mend)
        ids = Texts.of(f"w{place + 1}" for place in known)
        answers[name] = of_fields(name, {"id": ids, **column}, format="csv")
        if len(known) < len(asked.words):
            lacking = sized(len(asked.words) - len(known), "line")
            notes.append(f"{name}: {lacking} with a word that has no vector")
        if vocabulary.repeated:
            words = sized(vocabulary.repeated, "word")
            told = f"{name}: {words} with several vectors, of which the first counts"
            notes.append(Information(told))
    return Answered(_gold(asked, fold_case=fold_case), answers, tuple(notes))


class _Vocabulary(NamedTuple):
    """Words with vectors of length 1; ``place`` of every word, ``folded`` if case may differ."""

    words: list[str]
    vectors: Floats
    place: dict[str, int]
    folded: dict[str, int]
    repeated: int

    @classmethod
    def of(cls, corpus: Corpus, *, fold_case: bool) -> _Vocabulary:
        columns = columns_of(corpus)
        ids = ids_of(corpus)
        if ids is None:
            mend = "Give word2vec text, or arrays with ids."
            raise InputError.at(corpus.source, 0, "the vectors have no words", mend)
        if len(columns) > 1:
            what = f"{len(columns)} columns of vectors: {', '.join(columns)}"
            raise InputError.at(corpus.source, 0, what, "Give a file with one of them.")
        words = ids.slice(0, len(ids))
        vectors = np.asarray(next(iter(columns.values())), np.float64)
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
        place: dict[str, int] = {}
        folded: dict[str, int] = {}
        for at, word in enumerate(words):
            place.setdefault(word, at)
            if fold_case:
                folded.setdefault(word.casefold(), at)
        unit = vectors / np.where(length > 0, length, 1)
        return cls(words, unit, place, folded, len(words) - len(place))

    def places(self, words: tuple[str, ...]) -> list[int]:
        """Where words stand; -1 for one without a vector."""
        return [
            self.place[word] if word in self.place else self.folded.get(word.casefold(), -1)
            for word in words
        ]


def _answers(
    asked: WordBenchmark, vocabulary: _Vocabulary, method: Method
) -> tuple[list[int], dict[str, Column]]:
    """Lines that can be answered, and the answers."""
    given = [vocabulary.places(words[:3] if asked.groups else words) for words in asked.words]
    known = [at for at, places in enumerate(given) if min(places) >= 0]
    width = 3 if asked.groups else 2
    rows = np.array([given[at] for at in known], np.int64).reshape(len(known), width)
    if asked.scores:
        one, other = (vocabulary.vectors[rows[:, side]] for side in (0, 1))
        return known, {"score": np.einsum("id,id->i", one, other)}
    found = completed(vocabulary.vectors, rows, method) if len(rows) else []
    return known, {"label": Texts.of(_written(vocabulary, at) for at in found)}


def _written(vocabulary: _Vocabulary, at: int) -> str:
    word = vocabulary.words[at]
    return word.casefold() if vocabulary.folded else word


def completed(vectors: Floats, rows: NDArray[np.int64], method: Method) -> list[int]:
    """The place of the fourth word of analogies ``[analogy, (a, b, c)]``."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(length > 0, length, 1)
    found: list[int] = []
    step = max(1, _TILE // max(1, len(unit)))
    for begin in range(0, len(rows), step):
        tile = rows[begin : begin + step]
        a, b, c = (unit[tile[:, side]] @ unit.T for side in range(3))
        if method == "3cosadd":
            scores = b - a + c
        else:
            a, b, c = ((one + 1) / 2 for one in (a, b, c))
            scores = b * c / (a + _SMALL)
        np.put_along_axis(scores, tile, -np.inf, axis=1)
        found += scores.argmax(axis=1).tolist()
    return found


def _gold(asked: WordBenchmark, *, fold_case: bool) -> Corpus:
    sides = list(zip(*asked.words, strict=True))
    fields: dict[str, Any] = {"id": Texts.of(f"w{at + 1}" for at in range(len(asked.words)))}
    if asked.scores:
        fields |= {"text": Texts.of(map(" ".join, asked.words)), "score": np.array(asked.scores)}
        fields |= {"word1": Texts.of(sides[0]), "word2": Texts.of(sides[1])}
    else:
        fields |= {"text": Texts.of(" ".join(words[:3]) for words in asked.words)}
        right = (word.casefold() if fold_case else word for word in sides[3])
        fields |= {"label": Texts.of(right)}
        if any(asked.groups):
            fields["group"] = Texts.of(asked.groups)
    return of_fields(asked.source, fields, format="csv")
