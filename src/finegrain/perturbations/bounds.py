"""Where annotation begins and ends, so that no edit cuts through it.

>>> from finegrain.corpus import Corpus, Spans
>>> from dataclasses import replace
>>> corpus = Corpus.of([["in", "New", "York", "City", "today"]])
>>> found = Bounds.of(replace(corpus, spans=Spans.of([(0, 1, 4, "LOC")])))
>>> found.edges.tolist(), found.cuttable.tolist()       # before each token, and behind the last
([False, True, False, False, True, False], [True, True, False, False, True, True])
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import LAYER, Corpus, IntArray, Spans
from finegrain.corpus.cells import sentence_lines
from finegrain.corpus.clusters import WORD
from finegrain.corpus.tag_schemes import levels_of, looks_like_spans
from finegrain.corpus.trees import HEAD, heads, with_trees

BoolArray = NDArray[np.bool_]
_BEGINNING = frozenset("BSUW")  # prefixes with which a span always begins
_ENHANCED = re.compile(r"(?:^|\|)(\d+)(\.\d+)?:")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What annotation says of tokens.

    Parameters
    ----------
    edges: ``[token + 1]`` whether a span, a mention or a part of one begins or ends before it
    cuttable: ``[token + 1]`` whether a text can end before it
    within: token -> the characters before which a span begins or ends inside of it
    tagged: whether every token has annotation of its own: a head, a tag that is not a span's
    fixed: ``[token]`` words of a multi-word token, whose form would not be theirs any more
    """

    edges: BoolArray
    cuttable: BoolArray
    within: dict[int, frozenset[int]]
    tagged: bool
    fixed: BoolArray

    @classmethod
    def of(cls, corpus: Corpus) -> Bounds:
        """The bounds of all annotation that a corpus has."""
        size = corpus.n_tokens
        edges = np.zeros(size + 1, bool)
        crossed = np.zeros(size + 2, np.int64)  # changes of how much is cut through, by place
        within: dict[int, set[int]] = {}
        mentions = None if corpus.clusters is None else corpus.clusters.spans
        for spans in (corpus.spans, mentions, corpus.multiword):
            if spans is not None:
                begin, end = _places(corpus, spans)
                edges[begin] = edges[end] = True
                _cross(crossed, begin, end)
                _inside(corpus, spans, edges, within)
        tags = corpus.layers.get(LAYER)
        spans_as_tags = tags is not None and looks_like_spans(tags.names)
        cuttable = np.ones(size + 1, bool)
        if tags is not None and spans_as_tags and size:
            cuttable[:-1] &= ~_continued(tags.names)[tags.codes]
            inner = _inner(tags.names)[tags.codes]
            edges[1:-1] |= (tags.codes[1:] != tags.codes[:-1]) | ~inner[1:]
        if corpus.further is not None or HEAD in corpus.layers:
            _cross_arcs(corpus, crossed)
        cuttable &= np.cumsum(crossed)[:-1] == 0
        fixed = np.zeros(size, bool)
        if corpus.multiword is not None:
            begin, end = _places(corpus, corpus.multiword)
            step = np.zeros(size + 1, np.int64)
            np.add.at(step, begin, 1)
            np.add.at(step, end, -1)
            fixed = np.cumsum(step)[:-1] > 0
        trees = corpus.further is not None or HEAD in corpus.layers
        tagged = trees or (tags is not None and not spans_as_tags)
        known = {token: frozenset(places) for token, places in within.items()}
        return cls(edges, cuttable, known, tagged, fixed)


def _places(corpus: Corpus, spans: Spans) -> tuple[IntArray, IntArray]:
    """The first tokens of spans in the corpus, and those behind the last."""
    base = np.asarray(corpus.offsets, np.int64)[spans.sentence]
    return base + spans.begin, base + spans.end


def _cross(crossed: NDArray[np.int64], begin: IntArray, end: IntArray) -> None:
    """A text cannot end between two places, both excluded."""
    some = end > begin + 1
    np.add.at(crossed, begin[some] + 1, 1)
    np.add.at(crossed, end[some], -1)


def _inside(corpus: Corpus, spans: Spans, edges: BoolArray, within: dict[int, set[int]]) -> None:
    """Parts of spans with gaps, and where spans leave out characters of a token."""
    base = np.asarray(corpus.offsets, np.int64)[spans.sentence]
    for row in np.flatnonzero(spans.token_set).tolist():
        for token in spans.tokens(row):
            edges[base[row] + token] = edges[base[row] + token + 1] = True
    begin_cut, end_cut = spans.cuts()
    tokens = corpus.tokens
    if tokens is None:
        return
    for row in np.flatnonzero(begin_cut).tolist():
        token = int(base[row] + spans.begin[row])
        within.setdefault(token, set()).add(int(begin_cut[row]))
    for row in np.flatnonzero(end_cut).tolist():
        token = int(base[row] + spans.end[row]) - 1
        within.setdefault(token, set()).add(len(tokens[token]) - int(end_cut[row]))


def _continued(names: tuple[str, ...]) -> BoolArray:
    """``[name]`` whether a tag may go on with what the tag before it began."""
    return np.array([
        any(level.prefix not in _BEGINNING and level.prefix != "O"
            for level in levels_of(name) or ())
        for name in names
    ], bool)  # fmt: skip


def _inner(names: tuple[str, ...]) -> BoolArray:
    """``[name]`` whether nothing begins or ends between two words with this tag."""
    return np.array(
        [all(level.prefix in "OIM" for level in levels_of(name) or ()) for name in names], bool
    )


def _cross_arcs(corpus: Corpus, crossed: NDArray[np.int64]) -> None:
    """No word stays whose head goes, in the tree or in the enhanced graph.

    Sentences with empty nodes, which are lines between words, are not cut.
    """
    head = heads(with_trees(corpus)).astype(np.int64)
    token = np.arange(len(head))
    later = np.flatnonzero(head > token)
    _cross(crossed, token[later], head[later] + 1)
    if corpus.further is None:
        return
    offsets = corpus.offsets.tolist()
    deps = corpus.further.texts("deps").coded()
    told = {code for code, name in enumerate(deps.names) if name != "_"}
    sentence = corpus.sentence_of_tokens()
    for at in np.flatnonzero(np.isin(deps.codes, list(told))).tolist():
        base = offsets[sentence[at]]
        for word, _ in _ENHANCED.findall(deps[at]):
            if int(word) > at - base + 1:
                _cross(crossed, np.array([at]), np.array([base + int(word)]))
    for begin, end in pairwise(offsets):
        if end > begin and any(
            "." in line.partition("\t")[0]
            for line in sentence_lines(corpus.further, begin, end)
            if not line.startswith("#")
        ):
            _cross(crossed, np.array([begin]), np.array([end]))


def mention_ends(nodes: tuple[int, ...]) -> int:
    """How many words a text must have to hold a mention with all its nodes."""
    return max(nodes) // WORD
