r"""Attributes that come from the training data: how frequent, how consistent, how new.

For a unit x with label y, E the annotated units of training and T its tokens (Fu, Liu and Neubig
2020, equations 3 to 6):

.. math::
   \text{entity frequency} = \frac{|\{e \in E : words(e) = words(x)\}|}{|E|} \quad
   \text{entity consistency} =
   \frac{|\{e \in E : words(e) = words(x), label(e) = y\}|}{\text{occurrences of } words(x)}

and the same for tokens. What training does not show has the value 0.

>>> from finegrain.attributes.training import prepare
>>> from finegrain.attributes.units import Units
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> train = Corpus.of([["ada", "saw", "Ada", "today"]], tags=[["O", "O", "B-PER", "B-DAY"]])
>>> gold = Corpus.of([["Ada", "left", "Rome"]], tags=[["B-PER", "O", "B-LOC"]])
>>> table = align(gold, {"same": gold})
>>> units = Units(table, prepare(train, table))
>>> entity_frequency(units).tolist()      # Ada: one of two training entities
[0.5, 0.0]
>>> entity_consistency(units).tolist()    # Ada: a person in one of two occurrences
[0.5, 0.0]
>>> oov_density(units).round(2).tolist()  # left, Rome
[0.67, 0.67]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.training import UnitCounts
from finegrain.attributes.units import Units
from finegrain.corpus import Coded
from finegrain.corpus.phrases import shared_words
from finegrain.table import OutcomeTable

SEEN, OTHER, UNSEEN = range(3)
CLASSES = ("seen", "other_label", "unseen")
MEANINGS = ("seen with this label", "seen with other labels only", "unseen")
UNLABELLED = ("seen", "", "unseen")  # the same where training data say nothing of labels


def entity_frequency(units: Units) -> NDArray[np.float64]:
    """Training units with these words, whatever their label / all training units."""
    return _share(units.in_training.annotated, units.learnt_from.n_units)


def entity_consistency(units: Units) -> NDArray[np.float64]:
    """Training units with these words and this label / all occurrences of the words in the text.

    Occurrences within longer units, or outside of units, count below the line only; 0 for words
    that never occur.
    """
    return _share(units.in_training.same_label, units.in_training.occurrences)


def token_frequency(units: Units) -> NDArray[np.float64]:
    """Occurrences of the token in training / all tokens of training, annotated or not."""
    return _share(units.in_training.occurrences, units.learnt_from.corpus.n_tokens)


def token_consistency(units: Units) -> NDArray[np.float64]:
    """Occurrences of the token with this label in training / all its occurrences there.

    For spans, a token has the label of the span it stands in, wherever it stands in it.
    """
    return _share(units.in_training.same_label, units.in_training.occurrences)


def oov_density(units: Units) -> NDArray[np.float64]:
    """Tokens of the sentence that are not words of the training text / tokens of the sentence."""
    return of_sentences(units.table, units.learnt_from.unknown)


def oov_density_by_case(units: Units) -> NDArray[np.float64]:
    """``oov_density`` with words that differ in case taken for different words."""
    if not units.learnt_from.fold_case:
        return oov_density(units)
    words = shared_words(units.learnt_from.corpus, units.table.corpus, fold_case=False)
    return of_sentences(units.table, words.gold >= words.known)


def training_ambiguity(units: Units) -> NDArray[np.float64]:
    """How many labels the training units with these words have; 0 for words that are none."""
    return units.in_training.labels.astype(np.float64)


def unknown_word(units: Units) -> Coded:
    """Whether the words never occur in the training text."""
    return Coded((units.in_training.occurrences == 0).astype(np.int8), ("known", "unknown"))


def novelty(units: Units) -> Coded:
    """Whether training has units with these words: with this label, with others only, or none."""
    return Coded(novelty_classes(units.in_training), CLASSES)


def novelty_classes(counts: UnitCounts) -> NDArray[np.int8]:
    """``[unit]`` SEEN, OTHER or UNSEEN."""
    classes = np.select([counts.same_label > 0, counts.annotated > 0], [SEEN, OTHER], UNSEEN)
    return classes.astype(np.int8)


def of_sentences(table: OutcomeTable, marked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """``[unit]`` the share of tokens of the unit's sentence that are marked; nan without tokens."""
    offsets = table.corpus.offsets
    before = np.concatenate([[0], np.cumsum(marked)])
    lengths = np.diff(offsets)
    shares = np.full(len(lengths), np.nan)
    np.divide(np.diff(before[offsets]), lengths, out=shares, where=lengths > 0)
    found: NDArray[np.float64] = shares[table.sentence]
    return found


def _share(part: NDArray[np.int64], whole: NDArray[np.int64] | int) -> NDArray[np.float64]:
    """A share of training; 0 where training has nothing."""
    shares = np.zeros(len(part))
    np.divide(part, whole, out=shares, where=np.asarray(whole) > 0)
    return shares
