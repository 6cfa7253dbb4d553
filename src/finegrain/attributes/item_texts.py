"""Attributes of items that have texts: a second text, question words, what training has of them.

>>> from finegrain.attributes.units import Units
>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.classification import align
>>> gold = read(source_of("gold", b"id,premise,hypothesis,label\\n"
...     b"a,a man sleeps on a bench,A man sleeps,yes\\nb,two dogs run,who is there,no\\n"))
>>> train = read(source_of("train", b"id,premise,label\\nt,two dogs ran,no\\n"
...     b"u,a cat,no\\nv,so,yes\\n"))
>>> units = Units(align(gold, {}), train)
>>> second_text_length(units).tolist(), text_overlap(units).tolist()
([3.0, 3.0], [1.0, 0.0])
>>> label_frequency(units).round(2).tolist(), nearest_training(units).round(2).tolist()
([0.33, 0.67], [0.0, 0.73])

Texts are columns whose cells are mostly several words; the first is the one whose words are the
tokens of the item.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.classification import GOLD
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.surroundings import sentence_length
from finegrain.attributes.units import Units
from finegrain.corpus import Coded, Corpus
from finegrain.corpus.columns import cell
from finegrain.corpus.items import coded, text_field

Floats = NDArray[np.float64]
GRAM = 4  # characters of an n-gram
_FEATURES = 1 << 20  # to which n-grams are hashed
_BLOCK = 1 << 22  # similarities in memory at once
_LOOKED_AT = 200  # cells that tell whether a column holds texts
_QUESTIONS = ("who", "what", "when", "where", "why", "which", "how many", "how much", "how")
_QUESTION = re.compile(rf"(?<!\w)(?:{'|'.join(_QUESTIONS)}|whom|whose)(?!\w)", re.IGNORECASE)
_PERSON = {"whom": "who", "whose": "who"}
_OTHER = "none"


def text_fields(corpus: Corpus) -> list[str]:
    """The columns that hold texts; the first is the one whose words are tokens."""
    first = text_field(corpus.fields)
    others = [
        name
        for name in corpus.fields
        if name not in (first, "id", "document", *GOLD) and not name.startswith("@")
    ]
    return ([first] if first else []) + [name for name in others if _is_text(corpus, name)]


def _is_text(corpus: Corpus, name: str) -> bool:
    column = corpus.fields[name]
    cells = (cell(column, row) for row in range(min(len(column), _LOOKED_AT)))
    given = [value for value in cells if value]
    return 2 * sum(isinstance(value, str) and " " in value.strip() for value in given) > len(given)


def second_text_length(units: Units) -> Floats:
    """Words of the second text; nan for items that have none."""
    return _each(units, lambda _, second: float(len(second)))


def text_overlap(units: Units) -> Floats:
    """Distinct words that both texts have / distinct words of the text that has fewer."""
    return _each(units, _shared)


def _shared(first: list[str], second: list[str]) -> float:
    one, other = ({word.casefold() for word in text} for text in (first, second))
    fewer = min(len(one), len(other))
    return len(one & other) / fewer if fewer else np.nan


def _each(units: Units, of: Callable[[list[str], list[str]], float]) -> Floats:
    """A function of the words of both texts, for every unit."""
    corpus = units.table.corpus
    second = next(islice(text_fields(corpus), 1, None), None)
    if second is None:
        return np.full(len(units), np.nan)
    column, found = corpus.fields[second], np.empty(corpus.n_sentences)
    for item in range(corpus.n_sentences):
        words = str(cell(column, item) or "").split()
        found[item] = of(corpus.sentence(item), words) if words else np.nan
    values: Floats = found[units.table.sentence]
    return values


def question_word(units: Units) -> Coded:
    """The first question word of the text, ``whom`` and ``whose`` among ``who``; or none."""
    corpus = units.table.corpus
    found = []
    for item in range(corpus.n_sentences):
        match = _QUESTION.search(" ".join(corpus.sentence(item)))
        word = match[0].casefold() if match else _OTHER
        found.append(_PERSON.get(word, word))
    every = Coded.of(found)
    return Coded(every.codes[units.table.sentence], every.names)


def label_frequency(units: Units) -> Floats:
    """Training items with the item's gold label / training items with any."""
    train = units.learnt_from.corpus
    name = next((name for name in GOLD if name in train.fields), None)
    if name is None:
        return np.full(len(units), np.nan)
    column = coded(train.fields[name], missing="")
    counts = dict(zip(column.names, column.counts().tolist(), strict=True))
    counts.pop("", None)
    total = sum(counts.values())
    if not total:
        return np.full(len(units), np.nan)
    shares = np.array([counts.get(label, 0) / total for label in units.table.labels])
    found: Floats = shares[units.table.label]
    return found


def nearest_training(units: Units) -> Floats:
    """The largest cosine of the n-grams of the text with those of a training text.

    1 for a text that training has, case and blanks aside, 0 for one that shares nothing with any.
    """
    csr_array = import_module("scipy.sparse").csr_array  # takes time to import
    gold, train = (_grams(one) for one in (units.table.corpus, units.learnt_from.corpus))
    if not gold.n_items or not train.n_items:
        return np.full(len(units), np.nan)
    shape = (train.n_items, _FEATURES)
    known = csr_array((train.weight, train.feature, train.begin), shape=shape).T.tocsr()
    found = np.zeros(gold.n_items)
    step = max(1, _BLOCK // train.n_items)
    for begin in range(0, gold.n_items, step):
        end = min(begin + step, gold.n_items)
        low, high = gold.begin[begin], gold.begin[end]
        some = (gold.weight[low:high], gold.feature[low:high], gold.begin[begin : end + 1] - low)
        similar = csr_array(some, shape=(end - begin, _FEATURES)) @ known
        found[begin:end] = similar.max(axis=1).toarray().ravel()
    found = np.where(np.diff(gold.begin) > 0, np.clip(found, 0, 1), np.nan)
    values: Floats = found[units.table.sentence]
    return values


class _Grams:
    """N-grams of texts as rows of a sparse matrix, each of length 1."""

    def __init__(self, feature: NDArray[np.int64], weight: Floats, begin: NDArray[np.int64]):
        self.feature, self.weight, self.begin = feature, weight, begin

    @property
    def n_items(self) -> int:
        return len(self.begin) - 1


def _grams(corpus: Corpus) -> _Grams:
    """The n-grams of all texts at once; those that run over the end of a text are left out."""
    size = corpus.n_sentences
    texts = [f" {' '.join(corpus.sentence(item)).casefold()} " for item in range(size)]
    texts = [text if text.strip() else "" for text in texts]
    lengths = np.array([len(text) for text in texts], np.int64)
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    item = np.repeat(np.arange(size), lengths)
    last = len(codes) - GRAM + 1
    if last <= 0:
        return _Grams(np.empty(0, np.int64), np.empty(0), np.zeros(size + 1, np.int64))
    value = np.zeros(last, np.uint64)
    for place in range(GRAM):
        value = value * np.uint64(0x9E3779B97F4A7C15) + codes[place : place + last]
        value ^= value >> np.uint64(29)
    inside = item[:last] == item[GRAM - 1 :]
    feature = (value[inside] % np.uint64(_FEATURES)).astype(np.int64)
    keys, counts = np.unique(item[:last][inside] * _FEATURES + feature, return_counts=True)
    owner, weight = keys // _FEATURES, counts.astype(np.float64)
    norm = np.sqrt(np.bincount(owner, weight**2, minlength=size))
    begin = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=size))])
    return _Grams(keys % _FEATURES, weight / norm[owner], begin)


ITEM_ATTRIBUTES = (
    Attribute(
        "text_length", "number", sentence_length, "words of the item's text", "|t|", "words",
        needs=("texts",),
    ),
    Attribute(
        "second_text_length", "number", second_text_length,
        "words of the item's second text: a hypothesis, a context", "|t2|", "words",
        needs=("texts",),
    ),
    Attribute(
        "text_overlap", "number", text_overlap,
        "which part of the words of the shorter text the other one has, case folded",
        "|words(t1) and words(t2)| / min(|words(t1)|, |words(t2)|), distinct words", "share",
        needs=("texts",),
    ),
    Attribute(
        "question_word", "category", question_word,
        "the first question word of the text: who, what, how many ...; none without one",
        "first of who, what, when, where, why, which, how many, how much, how in t",
        needs=("texts",),
    ),
    Attribute(
        "label_frequency", "number", label_frequency,
        "which part of the training items has the item's gold label",
        "|{y in training : label(y) = label(x)}| / |training|", "share",
        needs=("texts", "classes"), needs_training=True,
    ),
    Attribute(
        "nearest_training", "number", nearest_training,
        "how similar the most similar training text is, by the cosine of character n-grams",
        f"max over y in training of cos({GRAM}-grams of x, {GRAM}-grams of y)", "share",
        needs=("texts",), needs_training=True,
    ),
)  # fmt: skip
