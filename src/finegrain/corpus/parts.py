"""Some sentences of a corpus, as a corpus of their own.

>>> from finegrain.corpus import Corpus
>>> text, tags = [["a"], ["b", "c"], ["d"]], [["X"], ["Y", "Z"], ["X"]]
>>> corpus = Corpus.of(text, documents=[0, 0, 1], tags=tags)
>>> some = part(corpus, np.array([1, 2]))
>>> some.sentence(0), list(some.layers["tags"]), some.documents.tolist()
(['b', 'c'], ['Y', 'Z', 'X'], [0, 1])
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from finegrain.corpus.cells import taken
from finegrain.corpus.columns import chosen
from finegrain.corpus.document import Corpus
from finegrain.corpus.spans import Spans
from finegrain.corpus.texts import IntArray


def part(corpus: Corpus, sentences: IntArray) -> Corpus:
    """The given sentences, in the given order; documents are numbered as they come."""
    lengths = np.diff(corpus.offsets)[sentences]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    shift = corpus.offsets[:-1][sentences] - offsets[:-1]
    tokens = np.arange(offsets[-1]) + np.repeat(shift, lengths)
    documents, ids = corpus.documents, corpus.document_ids
    if documents is not None:
        kept, first, number = np.unique(
            documents[sentences], return_index=True, return_inverse=True
        )
        order = np.argsort(first)
        rank = np.argsort(order)
        documents = rank[number.ravel()].astype(np.int32)
        ids = None if ids is None else tuple(ids[int(kept[at])] for at in order)
    return replace(
        corpus,
        offsets=offsets,
        tokens=None if corpus.tokens is None else corpus.tokens.take(tokens),
        layers=taken(corpus.layers, tokens),
        spans=_spans(corpus.spans, sentences, corpus.n_sentences),
        further=None if corpus.further is None else corpus.further.take(tokens),
        multiword=_spans(corpus.multiword, sentences, corpus.n_sentences),
        documents=documents,
        document_ids=ids,
        clusters=None
        if corpus.clusters is None
        else corpus.clusters.in_sentences(sentences, corpus.n_sentences),
        notes=(),
        fields={name: chosen(one, sentences) for name, one in corpus.fields.items()},
        parts={name: one.of(sentences) for name, one in corpus.parts.items()},
    )


def _spans(spans: Spans | None, sentences: IntArray, size: int) -> Spans | None:
    if spans is None:
        return None
    number = np.full(size, -1, np.int32)
    number[sentences] = np.arange(len(sentences))
    rows = np.flatnonzero(number[spans.sentence] >= 0)
    kept = spans.take(rows)
    moved = replace(kept, sentence=number[kept.sentence])
    return moved.take(np.argsort(moved.sentence, kind="stable"))
