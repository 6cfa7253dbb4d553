"""Floors for items, learnt from training items: what a system without any skill gets.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> train = read(source_of("train", b"id,text,label\\nt,so so,pos\\nu,fine,pos\\nv,dull,neg\\n"))
>>> gold = read(source_of("gold", b"id,text,label\\na,dull,neg\\nb,fine,pos\\n"))
>>> list(labels("majority", train, gold).fields["answer"])
['pos', 'pos']

``majority`` gives every item the label that most training items have, the first in the alphabet
among equals; ``random`` draws labels as often as training has them, always the same ones;
``bag-of-words`` is logistic regression on the words of the text (for numbers, ridge regression),
which needs scikit-learn. For numbers, ``mean`` gives every item the mean of the training numbers.
Training items have the columns of the gold file. The gold answers have no say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.classification import GOLD
from finegrain.alignment.item_tables import label_field, number_field
from finegrain.alignment.regression import GOLD_NAMES
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import LINE, of_fields
from finegrain.errors import InputError, MissingExtra, UsageError

SEED = 1
NOTHING: Mapping[str, Rows] = MappingProxyType({})
OF_LABELS: Mapping[str, str] = {
    "majority": "the most frequent label of the training items",
    "random": "labels drawn as often as the training items have them",
    "bag-of-words": "logistic regression on the words of the text (scikit-learn)",
}
OF_NUMBERS: Mapping[str, str] = {
    "mean": "the mean of the training numbers",
    "bag-of-words": "ridge regression on the words of the text (scikit-learn)",
}


def labels(kind: str, train: Corpus, gold: Corpus, **_: Any) -> Corpus:
    """The items of ``gold`` with the labels of a floor; ``kind``: one of ``OF_LABELS``."""
    require_known(kind, OF_LABELS)
    column = label_field(train, GOLD, "gold label")
    kept = np.flatnonzero(column.codes != _code(column.names, ""))
    if not len(kept):
        raise InputError.at(train.source, 0, "no training item has a label")
    names, codes = np.array(column.names, object), column.codes[kept]
    size = gold.n_sentences
    if kind == "majority":
        counts = np.bincount(codes, minlength=len(names))
        best = min(range(len(names)), key=lambda code: (-counts[code], names[code]))
        return answered(kind, train, gold, {"answer": Texts.of([names[best]] * size)})
    if kind == "random":
        drawn = np.random.default_rng(SEED).choice(np.sort(names[codes].astype(str)), size)
        return answered(kind, train, gold, {"answer": Texts.of(drawn.tolist())})
    model = _fitted(classifier, train, kept, names[codes].astype(str))
    chances = model.predict_proba(word_texts(gold, np.arange(size)))
    classes = [str(name) for name in model.classes_]
    answer = [classes[code] for code in chances.argmax(axis=1).tolist()]
    columns: dict[str, Column] = {"answer": Texts.of(answer)}
    columns |= {f"probabilities.{name}": chances[:, at] for at, name in enumerate(classes)}
    return answered(kind, train, gold, columns)


def numbers(kind: str, train: Corpus, gold: Corpus, **_: Any) -> Corpus:
    """The items of ``gold`` with the numbers of a floor; ``kind``: one of ``OF_NUMBERS``."""
    require_known(kind, OF_NUMBERS)
    known = number_field(train, GOLD_NAMES, "gold number")
    kept = np.flatnonzero(~np.isnan(known))
    if not len(kept):
        raise InputError.at(train.source, 0, "no training item has a number")
    if kind == "mean":
        answer = np.full(gold.n_sentences, known[kept].mean())
    else:
        model = _fitted(_regressor, train, kept, known[kept])
        answer = model.predict(word_texts(gold, np.arange(gold.n_sentences)))
    return answered(kind, train, gold, {"prediction": np.asarray(answer, np.float64)})


def require_known(kind: str, kinds: Mapping[str, str]) -> None:
    """Raise for a baseline that is none of these."""
    if kind not in kinds:
        raise UsageError.unknown("baseline", kind, kinds)


def _code(names: tuple[str, ...], name: str) -> int:
    return names.index(name) if name in names else -1


def answered(
    kind: str,
    train: Corpus,
    gold: Corpus,
    columns: Mapping[str, Column],
    parts: Mapping[str, Rows] = NOTHING,
) -> Corpus:
    """The items of ``gold`` with answers: columns, or lists of them."""
    own = {name: gold.fields[name] for name in ("id", LINE) if name in gold.fields}
    source = f"{kind} from {train.source}"
    return of_fields(source, {**own, **columns}, parts=dict(parts), format=gold.format)


def _fitted(
    made: Callable[[], Any], train: Corpus, rows: NDArray[np.int64], answers: NDArray[Any]
) -> Any:
    """A model of the words of training texts."""
    if len(set(answers.tolist())) < 2:
        what = "all training items have one answer: nothing can be learnt from their words"
        raise InputError.at(train.source, 0, what, "Take another baseline.")
    return made().fit(word_texts(train, rows), answers)


def word_texts(corpus: Corpus, rows: NDArray[np.int64]) -> list[str]:
    """The words of items, parted by blanks; an error where no item has any."""
    if corpus.tokens is None or not corpus.n_tokens:
        what = f"the items of {corpus.source} have no text, from whose words could be learnt"
        raise InputError.at(corpus.source, 0, what, "Name the column: --gold-columns text=NAME.")
    return [" ".join(corpus.sentence(row)) for row in rows.tolist()]


def classifier() -> Any:
    """Logistic regression on words."""
    linear = _scikit_learn("linear_model")
    return _on_words(linear.LogisticRegression(max_iter=1000))


def _regressor() -> Any:
    return _on_words(_scikit_learn("linear_model").Ridge())


def _on_words(model: Any) -> Any:
    """Words and pairs of words by TF-IDF, in front of a model."""
    text = _scikit_learn("feature_extraction.text")
    between_blanks = {"token_pattern": r"\S+"}
    weights = text.TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, **between_blanks)
    return _scikit_learn("pipeline").make_pipeline(weights, model)


def _scikit_learn(module: str) -> Any:
    try:
        return import_module(f"sklearn.{module}")
    except ModuleNotFoundError:
        raise MissingExtra("the baseline bag-of-words", "baselines") from None
