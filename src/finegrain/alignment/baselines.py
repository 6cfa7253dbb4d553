"""Floors: what a system without any skill gets, learnt from the training data by counting.

>>> from finegrain.corpus import Corpus
>>> train = Corpus.of(
...     [["in", "New", "York"], ["New", "York", "Times"], ["New", "York"]],
...     tags=[["O", "B-LOC", "I-LOC"], ["B-ORG", "I-ORG", "I-ORG"], ["B-LOC", "I-LOC"]])
>>> gold = Corpus.of([["New", "York", "in", "New", "York", "Times"]], tags=[["O"] * 6])
>>> list(baseline("gazetteer", train, gold).layers["tags"])
['B-LOC', 'I-LOC', 'O', 'B-ORG', 'I-ORG', 'I-ORG']
>>> list(baseline("most-frequent", train, gold).layers["tags"])
['B-LOC', 'I-LOC', 'O', 'B-LOC', 'I-LOC', 'B-ORG']

``most-frequent`` gives every word the tag that it has most often in training. A word that is not
there gets the tag that is most frequent among the words that occur once in training, for these
are the most like unknown words (Baayen and Sproat 1996); if no word occurs once, the most frequent
tag of all. For spans the tags are those of IOB2, and the answers are repaired as conlleval reads
them: an I- that does not continue opens a span.

``gazetteer`` is the floor for spans: from left to right, the longest sequence of words that is an
entity somewhere in training becomes a span with its most frequent label (the baseline of the
CoNLL-2003 shared task, Tjong Kim Sang and De Meulder 2003, which however leaves entities with two
labels out: ``ambiguous="skip"``).

Among equally frequent labels the one more frequent in all of training wins, then the first in the
alphabet, so the order of the training data does not matter. Words are compared to the letter,
unless ``fold_case`` is set. The gold is only asked for its words and for the notation of its tags.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.kind_of_tags import holds_spans
from finegrain.alignment.side_by_side import require_decided
from finegrain.alignment.spans import decoded_spans
from finegrain.corpus import Coded, Corpus, IntArray, Spans
from finegrain.corpus import tag_schemes as schemes
from finegrain.corpus.phrases import SharedWords, Trie, phrases, shared_words
from finegrain.corpus.scheme_detection import detect
from finegrain.corpus.tag_schemes import SCHEMES, Policy, Scheme
from finegrain.errors import InputError, UsageError

BASELINES: dict[str, str] = {
    "most-frequent": "every word gets its most frequent tag in training",
    "gazetteer": "the longest entities known from training, with their most frequent label (spans)",
}
_TASKS = ("spans", "tags")
Ambiguous = Literal["most-frequent", "skip"]


class _Reading(NamedTuple):
    """How tags of spans are read: scheme (``None``: detected), policy, layer."""

    scheme: Scheme | None
    policy: Policy
    layer: str


def baseline(
    kind: str,
    train: Corpus,
    gold: Corpus,
    *,
    task: str | None = None,
    scheme: str | Scheme | None = None,
    policy: Policy = "conlleval",
    ambiguous: Ambiguous = "most-frequent",
    fold_case: bool = False,
    layer: str = "tags",
) -> Corpus:
    """The text of ``gold`` as a floor learnt from ``train`` annotates it.

    Parameters
    ----------
    kind: ``most-frequent`` or ``gazetteer``
    task: found out from the gold annotation if not given
    scheme: how the tags of both files are written; detected in each if not given
    policy: what happens to ill-formed tags of the training data
    ambiguous: what the gazetteer does with entities that have several labels in training
    fold_case: whether words that differ in case only are the same
    layer: the layer that holds the tags, in both corpora and in the answer
    """
    if task not in (None, *_TASKS):
        raise UsageError(f"there is no baseline for the task {task}")
    if kind not in BASELINES:
        raise UsageError.unknown("baseline", kind, BASELINES)
    if ambiguous not in ("most-frequent", "skip"):
        raise UsageError.unknown(
            "way with ambiguous entities", ambiguous, ("most-frequent", "skip")
        )
    chosen = task or ("spans" if holds_spans(gold, layer) else "tags")
    words = shared_words(train, gold, fold_case=fold_case)
    source = f"{kind} from {train.source}"
    if chosen == "tags":
        if kind != "most-frequent":
            raise UsageError(f"the baseline {kind} is for spans; tags have most-frequent")
        tags = _most_frequent_tags(training_layer(train, layer), words)
        return replace(gold, source=source, layers={layer: tags}, spans=None, notes=())
    given = schemes.by_name(scheme) if isinstance(scheme, str) else scheme
    decoded = decoded_spans(train, scheme=given, policy=policy, layer=layer)
    if kind == "gazetteer":
        spans = _gazetteer(decoded.spans, train, gold, words, ambiguous)
    else:
        spans = _repaired(_most_frequent_tags(_flat_tags(decoded.spans, train), words), gold)
    return _annotated(gold, spans, _Reading(given, policy, layer), source)


def training_layer(corpus: Corpus, layer: str) -> Coded:
    """A layer of tags of training data; refused where there is none."""
    require_decided(corpus, layer)
    if layer not in corpus.layers:
        have = ", ".join(corpus.layers) or "none"
        raise InputError.at(
            corpus.source,
            0,
            f"the training data have no layer {layer!r} with tags (layers: {have})",
        )
    return corpus.layers[layer]


def _most_frequent_tags(tags: Coded, words: SharedWords) -> Coded:
    """The tag of each word of the gold text."""
    if not len(tags):
        raise UsageError("the training data are empty: nothing can be learnt from them")
    frequency = np.bincount(words.train, minlength=words.known)
    rare = np.flatnonzero(frequency[words.train] == 1)
    overall = tags.counts()
    among = np.bincount(tags.codes[rare], minlength=len(tags.names)) if len(rare) else overall
    unknown = int(np.lexsort((-overall, -among))[0])
    tag_of = np.full(len(words.vocabulary), unknown, np.int64)
    known, tag = _favourites(words.train, tags.codes, overall)
    tag_of[known] = tag
    codes = tag_of[words.gold]
    used = np.unique(codes)  # names that the answer uses, still in alphabetical order
    names = tuple(tags.names[code] for code in used.tolist())
    return Coded(np.searchsorted(used, codes).astype(tags.codes.dtype), names)


def _favourites(
    things: IntArray, labels: IntArray, overall: NDArray[np.int64]
) -> tuple[IntArray, IntArray]:
    """Every thing once, with its most frequent label; ties go to ``overall``, then the alphabet."""
    size = max(len(overall), 1)
    pairs, counts = np.unique(things.astype(np.int64) * size + labels, return_counts=True)
    thing, label = pairs // size, pairs % size
    order = np.lexsort((label, -overall[label], -counts, thing))
    first = np.ones(len(order), bool)
    first[1:] = thing[order][1:] != thing[order][:-1]
    return thing[order][first], label[order][first]


def _flat_tags(spans: Spans, train: Corpus) -> Coded:
    try:
        return schemes.encode(spans, train.offsets)
    except ValueError:
        raise UsageError(
            f"{train.source} has nested, crossing or discontinuous spans, which words cannot have "
            "as tags; use the baseline gazetteer"
        ) from None


def _repaired(tags: Coded, gold: Corpus) -> Spans:
    return schemes.decode(tags, gold.offsets, SCHEMES["iob2"]).spans


def _gazetteer(
    known: Spans, train: Corpus, gold: Corpus, words: SharedWords, ambiguous: Ambiguous
) -> Spans:
    """The longest known entities from left to right."""
    surfaces = phrases(known, train, words.train, vocabulary=words.vocabulary)
    trie = Trie.of(surfaces)
    states = trie.find(surfaces)
    overall = np.bincount(known.label, minlength=len(known.labels))
    state, label = _favourites(states, known.label, overall)
    label_of = np.full(len(trie), -1, np.int64)
    label_of[state] = label
    if ambiguous == "skip":
        pairs = np.unique(np.stack([states, known.label.astype(np.int64)]), axis=1)[0]
        label_of[pairs[1:][pairs[1:] == pairs[:-1]]] = -1
    match = trie.longest(words.gold, gold.offsets, label_of >= 0)
    begin = _from_left_to_right(match.length)
    sentence = np.searchsorted(gold.offsets, begin, side="right").astype(np.int32) - 1
    first = (begin - gold.offsets[sentence]).astype(np.int32)
    return Spans.contiguous(
        sentence,
        first,
        (first + match.length[begin]).astype(np.int32),
        label_of[match.state[begin]].astype(np.int32),
        known.labels,
    )


def _from_left_to_right(length: IntArray) -> NDArray[np.int64]:
    """Where the chosen matches begin: each is the first that begins behind the one before."""
    begins = np.flatnonzero(length)
    following = np.searchsorted(begins, begins + length[begins]).tolist()
    chosen: list[int] = []
    at = 0
    while at < len(following):
        chosen.append(at)
        at = following[at]
    found: NDArray[np.int64] = begins[chosen] if chosen else begins[:0]
    return found


def _annotated(gold: Corpus, spans: Spans, reading: _Reading, source: str) -> Corpus:
    """The gold text with the spans, in the notation of the gold."""
    if gold.spans is not None or reading.layer not in gold.layers:
        return replace(gold, source=source, layers={}, spans=spans, notes=())
    scheme = reading.scheme or detect(gold.layers[reading.layer], gold.offsets)
    tags = schemes.encode(spans, gold.offsets, scheme)
    return replace(gold, source=source, layers={reading.layer: tags}, spans=None, notes=())
