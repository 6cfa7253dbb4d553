r"""Probes: how well a label can be read off vectors, and how much effort that takes.

*Folds* are by type: all items of one type (a word, a lemma) are in the same one, so that a probe
is tested on types that it has not seen. The *control task* (Hewitt and Liang 2019) gives every type
a random label: what a probe reaches there, it has memorised. As a random label can only be known
from other items of the type, it is tested in folds of single items, and so is the label beside it:

.. math:: \mathrm{selectivity} = \mathrm{accuracy}_{\mathrm{label}} -
   \mathrm{accuracy}_{\mathrm{control}}

The *online code length* (Voita and Titov 2020) is what it takes to send the labels to somebody who
has the vectors: each block of items by a probe that was trained on all blocks before it,

.. math:: L = t_1 \log_2 K - \sum_{i} \sum_{t_i < j \le t_{i+1}} \log_2 p_{\theta_i}(y_j \mid x_j)

with K labels and blocks that end after 0.1, 0.2, 0.4, ..., 50, 100 % of the items.

>>> data = Data(np.array([[0.0], [0.1], [1.0], [1.1]] * 9), np.array([0, 0, 1, 1] * 9),
...             np.arange(36), 2)
>>> answers = out_of_fold(data, LINEAR, folds=3, seed=1, by_type=True)
>>> float((answers == data.label).mean()), code_length(data, LINEAR, seed=1).bits < 36
(1.0, True)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import MissingExtra

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
_SHARES = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.0625, 0.125, 0.25, 0.5, 1.0)
_UNIFORM = 0.01  # of a code that gives every label the same length: none is impossible
_FEWEST = 4  # items that a probe learns from


class Data(NamedTuple):
    """``[item]`` vectors, labels and types as codes; ``labels``: how many there are."""

    vectors: Floats
    label: Codes
    type: Codes
    labels: int


class Probe(NamedTuple):
    """A kind of classifier; ``made``: a seed -> one that is not trained."""

    name: str
    summary: str
    made: Callable[[int], Any]


def _module(name: str) -> Any:
    try:
        return import_module(f"sklearn.{name}")
    except ImportError:
        raise MissingExtra("probing", "probe") from None


@contextmanager
def single_thread() -> Iterator[None]:
    """Linear algebra on one thread: probes are so small that more of them only wait."""
    _module("base")  # which says what is missing
    with import_module("threadpoolctl").threadpool_limits(1):
        yield


def _linear(seed: int) -> Any:
    return _module("linear_model").LogisticRegression(max_iter=1000, random_state=seed)


def _mlp(seed: int) -> Any:
    network = _module("neural_network").MLPClassifier
    return network(hidden_layer_sizes=(100,), max_iter=400, random_state=seed)


LINEAR = Probe("linear", "logistic regression", _linear)
MLP = Probe("mlp", "a network with one hidden layer of 100 units", _mlp)
PROBES = {one.name: one for one in (LINEAR, MLP)}


class Trained(NamedTuple):
    """A probe with the mean and spread of the vectors that it was trained on."""

    model: Any
    known: Codes
    mean: Floats
    spread: Floats

    def chances(self, vectors: Floats, labels: int) -> Floats:
        """``[item, label]`` probabilities; 0 for labels that it has not seen."""
        found = np.zeros((len(vectors), labels))
        if self.model is None:
            found[:, self.known[0]] = 1.0
        else:
            found[:, self.known] = self.model.predict_proba((vectors - self.mean) / self.spread)
        return found


def trained(data: Data, rows: Codes, probe: Probe, seed: int) -> Trained:
    """A probe that has learnt from some items; where these have one label, it always says that."""
    vectors, label = data.vectors[rows], data.label[rows]
    known = np.unique(label)
    mean, spread = vectors.mean(axis=0), vectors.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    if len(known) == 1:
        return Trained(None, known, mean, spread)
    with warnings.catch_warnings():
        # after so many steps a probe that has not converged is still a probe
        warnings.simplefilter("ignore", _module("exceptions").ConvergenceWarning)
        model = probe.made(seed).fit((vectors - mean) / spread, label)
    return Trained(model, known, mean, spread)


def out_of_fold(data: Data, probe: Probe, *, folds: int, seed: int, by_type: bool) -> Codes:
    """``[item]`` the label that a probe gives that was trained on the other folds."""
    found = np.full(len(data.label), -1, np.int64)
    for train, test in _folds(data, folds, seed, by_type=by_type):
        chances = trained(data, train, probe, seed).chances(data.vectors[test], data.labels)
        found[test] = chances.argmax(axis=1)
    return found


def most_frequent(data: Data, *, folds: int, seed: int) -> Codes:
    """``[item]`` the most frequent label of the other folds."""
    found = np.full(len(data.label), -1, np.int64)
    for train, test in _folds(data, folds, seed, by_type=True):
        found[test] = np.bincount(data.label[train], minlength=data.labels).argmax()
    return found


def _folds(data: Data, folds: int, seed: int, *, by_type: bool) -> Iterator[tuple[Codes, Codes]]:
    """Training and test items; every fold has labels in the proportions of all."""
    made = _module("model_selection").StratifiedGroupKFold
    groups = data.type if by_type else np.arange(len(data.label))
    splitter = made(n_splits=folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        yield from splitter.split(data.vectors, data.label, groups)


def control(data: Data, seed: int) -> Data:
    """The same items with a random label for each type, drawn as often as labels occur."""
    types = int(data.type.max(initial=-1)) + 1
    drawn = np.random.default_rng([seed, 1]).choice(data.label, types)
    return data._replace(label=drawn[data.type])


def random_vectors(data: Data, seed: int) -> Data:
    """The same items with a random vector for each type: what a probe memorises of types."""
    types = int(data.type.max(initial=-1)) + 1
    drawn = np.random.default_rng([seed, 2]).normal(size=(types, data.vectors.shape[1]))
    return data._replace(vectors=drawn[data.type])


class Step(NamedTuple):
    """A probe on ``size`` items, and how many of the next block it gets right."""

    size: int
    accuracy: float


class Code(NamedTuple):
    """The length of the labels in bits, that without a probe, and the steps on the way."""

    bits: float
    uniform: float
    steps: tuple[Step, ...]

    @property
    def compression(self) -> float:
        """How many times shorter the code is than one that knows only which labels there are."""
        return self.uniform / self.bits if self.bits else math.nan


def code_length(data: Data, probe: Probe, *, seed: int) -> Code:
    """The online code length of labels, in an order of items that is drawn."""
    size = len(data.label)
    order = np.random.default_rng([seed, 3]).permutation(size)
    ends = sorted({max(_FEWEST, math.ceil(share * size)) for share in _SHARES if size})
    ends = [end for end in ends if end <= size]
    uniform = size * math.log2(data.labels) if data.labels > 1 else 0.0
    bits = ends[0] * math.log2(max(data.labels, 1)) if ends else 0.0
    steps = []
    for begin, end in pairwise(ends):
        block = order[begin:end]
        model = trained(data, order[:begin], probe, seed)
        chances = model.chances(data.vectors[block], data.labels)
        mixed = (1 - _UNIFORM) * chances + _UNIFORM / data.labels
        bits -= float(np.log2(mixed[np.arange(len(block)), data.label[block]]).sum())
        right = chances.argmax(axis=1) == data.label[block]
        steps.append(Step(begin, float(right.mean())))
    return Code(bits, uniform, tuple(steps))
