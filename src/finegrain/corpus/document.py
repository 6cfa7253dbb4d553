"""The text of a file and what is annotated on it.

A ``Corpus`` is what every format is read into: tokens in sentences in documents, any number of
*layers* (one name per token: a part of speech, a BIO tag) and, for formats that have them,
labelled spans. It knows no files and no metrics.

>>> corpus = Corpus.of([["Ada", "wrote", "it"], ["Yes"]], tags=[["B-PER", "O", "O"], ["O"]])
>>> corpus.n_sentences, corpus.n_tokens, corpus.sentence(0)
(2, 4, ['Ada', 'wrote', 'it'])
>>> list(corpus.layers["tags"])
['B-PER', 'O', 'O', 'O']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from finegrain.corpus.cells import Cells, taken
from finegrain.corpus.clusters import Clusters
from finegrain.corpus.columns import Column, Rows, chosen
from finegrain.corpus.spans import Spans
from finegrain.corpus.texts import Coded, IntArray, Texts
from finegrain.errors import Problem

LAYER = "tags"  # where the annotation of tokens stands, unless another layer is named
MEMORY = "memory"  # the source of what was not read from a file
_FEW = 4  # lines that are counted one by one, which needs no table of all lines


CELLS = ("0", "1")  # of a 0/1 table of items


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class Corpus:
    """Tokens, sentences, documents, layers and spans of one file.

    Parameters
    ----------
    source: the file as the user named it
    offsets: ``[sentence + 1]`` where each sentence begins in the token column; for a corpus
        without text, a sentence counts as long as its farthest span unless ``lengths_known``
    tokens: the words; ``None`` for formats that carry spans only
    layers: one coded column per annotation of tokens
    spans: labelled spans, where the format has them
    clusters: mentions and their chains, where the format has them
    documents: ``[sentence]`` the document of each sentence; ``None`` without documents
    document_ids: the name of each document, where documents have one
    notes: what the reader met that a user should know
    format: the name of the format it was read from
    further: all columns of a word's line in CoNLL-U, of which HEAD and DEPREL become layers if
        asked for (``corpus.trees``)
    multiword: tokens of the text that are several words (``don't``), as spans labelled with their
        form
    undecided: of a file with gold and answer side by side that nobody named, what to tell whoever
        asks for its tags
    running_text: the tokens are only the white-space separated words of running text, so that a
        system's annotation is compared by characters
    lengths_known: how long sentences are is known, also without text
    fields: ``[sentence]`` columns of what else is known of a sentence; of an item, its ``id``, its
        texts, its answer, whatever the file has
    parts: further rows, each of a sentence: the documents of a query, the references of a text
    begins: ``[token]`` of running text, the character of its document where each token begins
    """

    source: str
    offsets: IntArray
    tokens: Texts | None = None
    layers: Mapping[str, Coded] = field(default_factory=dict)
    spans: Spans | None = None
    documents: IntArray | None = None
    document_ids: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    format: str = ""
    running_text: bool = False
    further: Cells | None = None
    multiword: Spans | None = None
    clusters: Clusters | None = None
    undecided: Problem | None = None
    lengths_known: bool = False
    fields: Mapping[str, Column] = field(default_factory=dict)
    parts: Mapping[str, Rows] = field(default_factory=dict)
    begins: IntArray | None = None

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sequence[str]],
        *,
        source: str = MEMORY,
        documents: Sequence[int] | None = None,
        **layers: Sequence[Sequence[str]],
    ) -> Corpus:
        """Build from lists; every layer has the shape of ``sentences``."""
        lengths = [len(sentence) for sentence in sentences]
        coded = {}
        for name, rows in layers.items():
            if [len(row) for row in rows] != lengths:
                raise ValueError(f"layer {name!r} does not have the shape of the sentences")
            coded[name] = Coded.of(value for row in rows for value in row)
        return cls(
            source,
            np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
            Texts.of(token for sentence in sentences for token in sentence),
            coded,
            documents=None if documents is None else np.asarray(documents, np.int32),
        )

    def __repr__(self) -> str:
        size = f"{self.n_sentences} sentences, {self.n_tokens} tokens"
        return f"<Corpus {self.source!r}: {size}, layers: {', '.join(self.layers) or 'none'}>"

    @property
    def n_sentences(self) -> int:
        return len(self.offsets) - 1

    @property
    def n_tokens(self) -> int:
        return int(self.offsets[-1])

    @property
    def n_documents(self) -> int:
        """Number of documents; 0 for a corpus without document boundaries."""
        return 0 if self.documents is None else int(self.documents.max(initial=-1)) + 1

    @property
    def holds_items(self) -> bool:
        """Whether all that it has is layers of 0 and 1: items, which are in no sentences."""
        return (
            bool(self.layers)
            and self.spans is None
            and LAYER not in self.layers
            and all(set(CELLS).issuperset(layer.names) for layer in self.layers.values())
        )

    def sentence(self, number: int) -> list[str]:
        """The words of a sentence; empty for a corpus without text."""
        if self.tokens is None:
            return []
        return self.tokens.slice(int(self.offsets[number]), int(self.offsets[number + 1]))

    def document_of(self, sentence: int) -> str | int | None:
        """The name of a sentence's document, or its number from 1; ``None`` without documents."""
        if self.documents is None:
            return None
        number = int(self.documents[sentence])
        return number + 1 if self.document_ids is None else self.document_ids[number]

    def sentence_of(self, token: int) -> int:
        """The sentence that holds a token."""
        return int(np.searchsorted(self.offsets, token, side="right")) - 1

    def sentence_of_tokens(self) -> IntArray:
        """``[token]`` the sentence of each token."""
        return np.repeat(np.arange(self.n_sentences, dtype=np.int32), np.diff(self.offsets))

    def line(self, token: int) -> int:
        """The line of the source where a token stands, counted from 1; 0 without a file."""
        if self.tokens is None or b"\n" not in self.tokens.buffer:
            return 0
        return self.tokens.buffer.count(b"\n", 0, int(self.tokens.starts[token])) + 1

    def lines(self, tokens: IntArray) -> IntArray:
        """``line`` of many tokens at once."""
        if self.tokens is None or b"\n" not in self.tokens.buffer:
            return np.zeros(len(tokens), np.int64)
        if len(tokens) < _FEW:
            return np.array([self.line(token) for token in tokens.tolist()], np.int64)
        breaks = np.flatnonzero(np.frombuffer(self.tokens.buffer, np.uint8) == ord("\n"))
        return np.searchsorted(breaks, self.tokens.starts[tokens]) + 1

    def with_documents(self, order: Sequence[int]) -> Corpus:
        """The same corpus with its documents in another order.

        >>> corpus = Corpus.of([["a"], ["b", "c"]], documents=[0, 1], tags=[["X"], ["Y", "Z"]])
        >>> turned = corpus.with_documents([1, 0])
        >>> turned.sentence(0), list(turned.layers["tags"])
        (['b', 'c'], ['Y', 'Z', 'X'])
        """
        if self.documents is None:
            raise ValueError("this corpus has no documents")
        rank = np.empty(len(order), np.int64)
        rank[list(order)] = np.arange(len(order))
        sentences = np.argsort(rank[self.documents], kind="stable")
        lengths = np.diff(self.offsets)[sentences]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        shift = self.offsets[:-1][sentences] - offsets[:-1]
        tokens = np.arange(offsets[-1]) + np.repeat(shift, lengths)
        ids = self.document_ids
        return replace(
            self,
            offsets=offsets,
            tokens=None if self.tokens is None else self.tokens.take(tokens),
            layers=taken(self.layers, tokens),
            spans=None if self.spans is None else self.spans.in_sentences(sentences),
            further=None if self.further is None else self.further.take(tokens),
            multiword=None if self.multiword is None else self.multiword.in_sentences(sentences),
            documents=rank[self.documents][sentences].astype(np.int32),
            begins=None if self.begins is None else self.begins[tokens],
            document_ids=None if ids is None else tuple(ids[number] for number in order),
            fields={name: chosen(one, sentences) for name, one in self.fields.items()},
            parts={name: one.of(sentences) for name, one in self.parts.items()},
            clusters=None
            if self.clusters is None
            else self.clusters.in_sentences(sentences, len(sentences)),
        )
