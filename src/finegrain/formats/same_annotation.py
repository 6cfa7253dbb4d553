"""Whether two corpora hold the same text and annotation; if not, the first thing that differs.

What only one of them has (text, documents, ids) is not compared, because not every format has it.
A second name of a layer does not count, nor does a column without anything in it.

>>> from finegrain.corpus import Corpus
>>> one = Corpus.of([["Ada"]], tags=[["B-PER"]])
>>> first_difference(one, one) is None
True
>>> first_difference(one, Corpus.of([["Ada"]], tags=[["B-LOC"]]))
"'B-PER' becomes 'B-LOC' in tags (sentence 1, token 1)"
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from finegrain.corpus import Clusters, Corpus, IntArray, Spans
from finegrain.corpus.clusters import WORD

_NOTHING = "_"  # in all columns of CoNLL-U


def first_difference(one: Corpus, two: Corpus) -> str | None:
    """What differs first when ``one`` becomes ``two``; ``None`` if nothing does."""
    two = _in_order_of(one, two)
    if one.n_sentences != two.n_sentences:
        return f"{one.n_sentences} sentences become {two.n_sentences}"
    for differing in (_text, _layers, _spans, _chains, _documents):
        found = differing(one, two)
        if found is not None:
            return found
    return None


def _in_order_of(one: Corpus, two: Corpus) -> Corpus:
    """The second corpus with its documents in the order of the first, by their ids."""
    ours, theirs = one.document_ids, two.document_ids
    if ours is None or theirs is None or ours == theirs or set(ours) != set(theirs):
        return two
    return two.with_documents([theirs.index(name) for name in ours])


def _text(one: Corpus, two: Corpus) -> str | None:
    if one.tokens is None or two.tokens is None:
        return None
    for at in range(one.n_sentences):
        ours, theirs = one.sentence(at), two.sentence(at)
        if ours == theirs:
            continue
        words = next((pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]), None)
        if words is None:
            return f"{len(ours)} tokens become {len(theirs)} (sentence {at + 1})"
        return f"the token {words[0]!r} becomes {words[1]!r} (sentence {at + 1})"
    return None


def _layers(one: Corpus, two: Corpus) -> str | None:
    for name, column in one.layers.items():
        if name not in two.layers and set(column.names) == {_NOTHING}:
            continue
        if name not in two.layers:
            same = [other for other, theirs in one.layers.items() if theirs is column]
            if any(other in two.layers for other in same):
                continue
            return f"the layer {name} is lost"
        pairs = zip(column, two.layers[name], strict=True)
        for token, (ours, theirs) in enumerate(pairs):
            if ours != theirs:
                sentence = one.sentence_of(token)
                place = f"sentence {sentence + 1}, token {token - one.offsets[sentence] + 1}"
                return f"{ours!r} becomes {theirs!r} in {name} ({place})"
    return None


def _spans(one: Corpus, two: Corpus) -> str | None:
    if (one.spans is None) != (two.spans is None):
        return "tags become spans" if one.spans is None else "spans become tags"
    if one.spans is None or two.spans is None:
        return None
    ours, theirs = _listed(one.spans), _listed(two.spans)
    for mine, other in zip(ours, theirs, strict=False):
        if mine != other:
            return f"the span {mine} becomes {other}"
    if len(ours) != len(theirs):
        return f"{len(ours)} spans become {len(theirs)}"
    return None


def _chains(one: Corpus, two: Corpus) -> str | None:
    """Mentions and which of them are in one chain; names of chains may change."""
    if one.clusters is None:
        return None
    if two.clusters is None:
        return "the chains of mentions are lost (conll2012, corefud and clusters hold them)"
    ours, theirs = _partition(one.clusters), _partition(two.clusters)
    if sum(map(len, ours)) != sum(map(len, theirs)):
        return f"{sum(map(len, ours))} mentions become {sum(map(len, theirs))}"
    lost = sorted(ours - theirs, key=sorted)
    return f"the chain of {sorted(lost[0])[0]} changes" if lost else None


def same_mentions(one: Clusters, two: Clusters) -> bool:
    """Whether both hold the same mentions in the same order, with chains, heads and types."""
    return _rows(one) == _rows(two)


def _rows(clusters: Clusters) -> list[tuple[int, tuple[int, ...], int, int, str]]:
    spans = clusters.spans
    columns = (spans.sentence, clusters.chain, clusters.head, spans.label)
    rows = enumerate(zip(*(column.tolist() for column in columns), strict=True))
    return [
        (sentence, clusters.nodes(row), chain, head, spans.labels[label])
        for row, (sentence, chain, head, label) in rows
    ]


class _Place(NamedTuple):
    """A mention, as messages name it."""

    sentence: int
    nodes: tuple[int, ...]

    def __str__(self) -> str:
        return f"the mention at word {self.nodes[0] // WORD} of sentence {self.sentence + 1}"


def _partition(clusters: Clusters) -> set[frozenset[_Place]]:
    chains: dict[int, set[_Place]] = {}
    for row, chain in enumerate(clusters.chain.tolist()):
        place = _Place(int(clusters.spans.sentence[row]), clusters.nodes(row))
        chains.setdefault(chain, set()).add(place)
    return set(map(frozenset, chains.values()))


class _Listed(NamedTuple):
    """A span; ``tokens`` only if it has gaps."""

    sentence: int
    begin: int
    end: int
    tokens: tuple[int, ...]
    label: str
    begin_cut: int
    end_cut: int

    def __str__(self) -> str:
        cut = " inside of a token" if self.begin_cut or self.end_cut else ""
        return f"{self.label} {self.begin + 1}-{self.end}{cut} (sentence {self.sentence + 1})"


def _listed(spans: Spans) -> list[_Listed]:
    """Every span, sentence by sentence, else in file order."""
    order: IntArray = np.argsort(spans.sentence, kind="stable")
    sets = [(), *spans.token_sets]
    columns = (spans.sentence, spans.begin, spans.end, spans.token_set, spans.label, *spans.cuts())
    rows = zip(*(column[order].tolist() for column in columns), strict=True)
    return [
        _Listed(sentence, begin, end, sets[tokens], spans.labels[label], *cuts)
        for sentence, begin, end, tokens, label, *cuts in rows
    ]


def _documents(one: Corpus, two: Corpus) -> str | None:
    if one.documents is None or two.documents is None:
        return None
    if one.documents.tolist() != two.documents.tolist():
        return f"{one.n_documents} documents become {two.n_documents}"
    if one.document_ids and two.document_ids and one.document_ids != two.document_ids:
        return "the ids of documents change"
    return None
