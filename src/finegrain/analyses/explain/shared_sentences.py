"""Which sentences of two corpora are the same, word by word as they are written.

>>> from finegrain.corpus import Corpus
>>> test = Corpus.of([["Go", "!"], ["Ada", "ran"], ["Go", "!"]])
>>> train = Corpus.of([["ada", "ran"], ["Go", "!"]])
>>> found = shared_sentences(test, train)
>>> found.seen.tolist(), found.again.tolist()
([True, False, True], [False, False, True])

Sentences are phrases, so equal ones lead to one state of a trie. No two empty ones are the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, IntArray
from finegrain.corpus.phrases import Phrases, SharedWords, Trie, shared_words

Mask = NDArray[np.bool_]


class SharedSentences(NamedTuple):
    """Sentences as numbers, the same for equal ones, and what that says of the first corpus.

    ``seen`` and ``again`` ``[sentence]``: whether the other corpus has it, and whether it stood in
    the same corpus before; ``own`` and ``other`` ``[sentence]``: the numbers.
    """

    seen: Mask
    again: Mask
    own: IntArray
    other: IntArray


def shared_sentences(
    corpus: Corpus, other: Corpus | None, words: SharedWords | None = None
) -> SharedSentences:
    """Compare the sentences of a corpus with those of another, and with each other.

    ``words``: those of the other corpus and of this one, case kept, where they are known already
    """
    words = words or shared_words(other or corpus, corpus, fold_case=False)
    sentences = _sentences(corpus, words.gold)
    trie = Trie.of(sentences)
    own = trie.find(sentences)
    theirs = np.zeros(0, np.int64)
    seen = np.zeros(len(trie), bool)
    if other is not None:
        theirs = trie.find(_sentences(other, words.train))
        seen[theirs] = True
        seen[0] = False
        theirs[theirs == 0] = len(trie)  # not a sentence of this corpus, and none of its numbers
    _, first = np.unique(own, return_index=True)
    again = own > 0
    again[first] = False
    return SharedSentences(seen[own], again, own, theirs)


def _sentences(corpus: Corpus, words: IntArray) -> Phrases:
    return Phrases(words, corpus.offsets[:-1], np.diff(corpus.offsets))
