"""What a corpus holds, in words, and what is odd about it: what ``finegrain check`` says.

>>> from finegrain.corpus import Corpus
>>> corpus = Corpus.of([["in", "New", "York"]], source="a.conll", tags=[["O", "I-LOC", "I-LOC"]])
>>> scheme = schemes.by_name("iob2")
>>> found = spans(corpus, corpus, scheme=scheme)
>>> found.summary, [one.what for one in found.oddities]
('1 span, scheme iob2, 1 ill-formed tag', ["tag 'I-LOC' is ill-formed in the scheme iob2"])
>>> tags(corpus, corpus).summary
'tags with 2 labels'

Each of these belongs to a task (``Task.contents``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from finegrain.alignment.label_sets import require_distinct
from finegrain.alignment.mention_policy import repeated, require_clusters
from finegrain.alignment.spans import decoded_spans, ill_formed, labels_used
from finegrain.alignment.tags import layer_of
from finegrain.corpus import LAYER, Corpus
from finegrain.corpus import tag_schemes as schemes
from finegrain.corpus.label_rules import ALL_LABELS, LabelRules
from finegrain.corpus.scheme_detection import detect
from finegrain.corpus.trees import RELATION, sentence_faults, with_trees
from finegrain.errors import TOO_MANY, Problem
from finegrain.sizes import sized
from finegrain.table.task import Contents


def spans(
    corpus: Corpus,
    model: Corpus,
    *,
    layer: str = LAYER,
    scheme: schemes.Scheme | None = None,
    policy: schemes.Policy = "conlleval",
    rules: LabelRules = ALL_LABELS,
) -> Contents:
    """How many spans there are; odd are ill-formed tags, and spans that are listed twice.

    Without a scheme, that of the tags of ``model`` is detected. The policy ``error`` refuses
    ill-formed tags; labels that look the same are refused, as ``rules`` rename them.
    """
    if scheme is None and model.spans is None:
        scheme = detect(layer_of(model, layer), model.offsets)
    strictness: schemes.Policy = "error" if policy == "error" else "conlleval"
    found = decoded_spans(corpus, scheme=scheme, policy=strictness, layer=layer, limit=TOO_MANY)
    require_distinct([(corpus.source, labels_used(rules.on_spans(found.spans)))])
    copies = found.spans.n_repeated
    twice = [Problem(corpus.source, 0, f"spans listed twice: {copies:,}")] if copies else []
    if found.scheme is None:
        return Contents(sized(len(found.spans), "span"), tuple(twice))
    column = corpus.layers[layer]
    broken = schemes.decode(column, corpus.offsets, found.scheme).ill_formed.tolist()
    what = [ill_formed(column[token], found.scheme) for token in broken[:TOO_MANY]]
    number, ill = sized(len(found.spans), "span"), sized(len(broken), "ill-formed tag")
    summary = f"{number}, scheme {found.scheme.name}, {ill}"
    return Contents(summary, (*twice, *_of_tokens(corpus, broken, what)), _more(broken))


def tags(
    corpus: Corpus, _: Corpus, *, layer: str = LAYER, rules: LabelRules = ALL_LABELS
) -> Contents:
    """How many labels there are; those that look the same are refused, as ``rules`` rename them."""
    labels = rules.on_tags(layer_of(corpus, layer)).names
    require_distinct([(corpus.source, labels)])
    return Contents(f"tags with {sized(len(labels), 'label')}")


def trees(corpus: Corpus, _: Corpus, *, rules: LabelRules = ALL_LABELS) -> Contents:
    """How many relations there are; odd are trees that are none."""
    read = with_trees(corpus)
    require_distinct([(corpus.source, rules.on_tags(read.layers[RELATION]).names)])
    broken = sentence_faults(read)
    valid = "valid trees" if not broken else "trees that are not all valid"
    tokens = [token for token, _ in broken]
    return Contents(
        f"{valid} with {len(read.layers[RELATION].names)} relations",
        _of_tokens(corpus, tokens, [what for _, what in broken]),
        _more(tokens),
    )


def chains(corpus: Corpus, _: Corpus) -> Contents:
    """How many mentions and chains there are; odd are mentions that occur twice."""
    clusters = require_clusters(corpus)
    summary = f"{sized(len(clusters), 'mention')} in {sized(clusters.n_chains, 'chain')}"
    return Contents(
        summary, tuple(Problem(corpus.source, 0, what) for what in repeated(clusters).said())
    )


def items(corpus: Corpus, _: Corpus) -> Contents:
    """How many systems a 0/1 table has."""
    return Contents(f"0 and 1 of {len(corpus.layers)} systems")


def _of_tokens(corpus: Corpus, tokens: Sequence[int], what: Sequence[str]) -> tuple[Problem, ...]:
    """What is odd about some tokens, with their lines; not more than anybody reads."""
    listed = tokens[:TOO_MANY]
    lines = corpus.lines(np.array(listed, np.int64)).tolist()
    pairs = zip(lines, what[: len(listed)], strict=True)
    return tuple(Problem(corpus.source, line, one) for line, one in pairs)


def _more(tokens: Sequence[int]) -> int:
    return max(len(tokens) - TOO_MANY, 0)
