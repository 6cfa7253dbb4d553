"""Floors for sets of labels, learnt from training items: what a system without any skill gets.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> train = read(source_of("train", b"id,text,labels\\nt,so so,joy|fear\\nu,fine,joy\\nv,dull,\\n"))
>>> gold = read(source_of("gold", b"id,text,labels\\na,dull,fear\\nb,fine,joy\\n"))
>>> found = label_set("majority", train, gold).parts["labels"]
>>> list(zip(found.parent.tolist(), found.fields["value"]))
[(0, 'joy'), (1, 'joy')]

``majority`` gives every item the label that most training items have, the first in the alphabet
among equals; ``random`` gives every label to as many items as have it in training, always the same
ones; ``bag-of-words`` decides on every label by logistic regression on the words of the text, which
needs scikit-learn. The gold labels have no say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.item_baselines import SEED, answered, classifier, require_known, word_texts
from finegrain.alignment.item_labels import GOLD_NAMES, LabelSets, label_sets
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.errors import InputError

OF_LABEL_SETS: Mapping[str, str] = {
    "majority": "the most frequent label of the training items",
    "random": "every label for as many items as have it in training, at random",
    "bag-of-words": "logistic regression on the words of the text for every label (scikit-learn)",
}


def label_set(kind: str, train: Corpus, gold: Corpus, **_: Any) -> Corpus:
    """The items of ``gold`` with the labels of a floor; ``kind``: one of ``OF_LABEL_SETS``."""
    require_known(kind, OF_LABEL_SETS)
    known = label_sets(train, GOLD_NAMES)
    if not len(known.label):
        raise InputError.at(train.source, 0, "no training item has a label")
    names = sorted({known.names[code] for code in known.label.tolist()})
    given = _matrix(known, names)
    size = gold.n_sentences
    chances: dict[str, Column] = {}
    if kind == "majority":
        answer = np.zeros((size, len(names)), bool)
        answer[:, int(given.sum(axis=0).argmax())] = True
    elif kind == "random":
        answer = np.random.default_rng(SEED).random((size, len(names))) < given.mean(axis=0)
    else:
        probability = _fitted(known, train, gold, given)
        answer = probability >= 0.5
        chances = {f"scores.{name}": probability[:, at] for at, name in enumerate(names)}
    item, label = np.nonzero(answer)
    lists = {"labels": Rows(item, {"value": Texts.of(names[code] for code in label.tolist())})}
    return answered(kind, train, gold, chances, lists)


def _matrix(known: LabelSets, names: list[str]) -> NDArray[np.bool_]:
    """``[training item, label]`` of the items whose labels are given."""
    place = {name: at for at, name in enumerate(names)}
    found = np.zeros((len(known.known), len(names)), bool)
    found[known.item, [place[known.names[code]] for code in known.label.tolist()]] = True
    return found[known.known]


def _fitted(
    known: LabelSets, train: Corpus, gold: Corpus, given: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """``[item, label]`` probabilities by a model of each label; a label of all items is certain."""
    texts = word_texts(train, np.flatnonzero(known.known))
    asked = word_texts(gold, np.arange(gold.n_sentences))
    found = np.empty((len(asked), given.shape[1]))
    for at, column in enumerate(given.T):
        if column.all():
            found[:, at] = 1.0
        else:
            found[:, at] = classifier().fit(texts, column).predict_proba(asked)[:, 1]
    return found
