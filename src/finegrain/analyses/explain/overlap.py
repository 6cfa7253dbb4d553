"""What parts of a data set have in common: sentences, documents, names, words.

>>> from finegrain.corpus import Corpus
>>> train = Corpus.of([["Ada", "slept"], ["Go", "!"]], tags=[["B-PER", "O"], ["O", "O"]])
>>> test = Corpus.of([["Go", "!"], ["Ada", "ran"]], tags=[["O", "O"], ["B-PER", "O"]])
>>> found = overlap({"train": train, "test": test})
>>> pair = found.pair("test", "train")
>>> pair.sentences, pair.surfaces, pair.words                   # so many of test, that train has
((1, 2), (1, 1), (3, 4))

A sentence that stands in training and test data is learnt by heart; names that do are easier than
new ones. Two documents are the same if they have the same words or the same id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.side_by_side import require_decided
from finegrain.alignment.spans import decoded_spans
from finegrain.analyses.explain.shared_sentences import SharedSentences, shared_sentences
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed
from finegrain.corpus import LAYER, Corpus, IntArray, Spans
from finegrain.corpus.phrases import Phrases, SharedWords, Trie, phrases, shared_words
from finegrain.corpus.tag_schemes import looks_like_spans
from finegrain.errors import InputError, UsageError
from finegrain.sizes import sized
from finegrain.version import __version__

Share = tuple[int, int]  # so many of so many
_KINDS = ("sentences", "documents", "surfaces", "words")


class Shared(NamedTuple):
    """What of one part the other has; ``None`` where there is no such thing."""

    part: str
    other: str
    sentences: Share
    documents: Share | None
    surfaces: Share | None
    words: Share


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Overlap(Printed):
    """Every part against every other."""

    systems: tuple[str, ...]
    pairs: tuple[Shared, ...]
    signature: str
    notes: tuple[str, ...]

    @property
    def task(self) -> str:
        """No task: corpora are compared, not judged."""
        return "corpus"

    def pair(self, part: str, other: str) -> Shared:
        """What of a part the other has."""
        for one in self.pairs:
            if (one.part, one.other) == (part, other):
                return one
        raise UsageError.unknown("part", part if part not in self.systems else other, self.systems)

    def to_json(self) -> dict[str, Any]:
        return {"pairs": [_pair_json(one) for one in self.pairs]}

    def listings(self) -> tuple[Listing, ...]:
        kinds = [kind for kind in _KINDS if any(getattr(one, kind) for one in self.pairs)]
        columns = [Column("of"), Column("are in")]
        for kind in kinds:
            columns += [Column("number", "count", group=kind), Column("share", "score", group=kind)]
        rows: list[tuple[Cell, ...]] = []
        for one in self.pairs:
            row: list[Cell] = [one.part, one.other]
            for kind in kinds:
                share = getattr(one, kind)
                row += [None, None] if share is None else [share[0], _quotient(share)]
            rows.append(tuple(row))
        note = "surfaces: annotated spans whose words are annotated in the other part, too"
        return (Listing("What parts have in common", tuple(columns), tuple(rows), note),)

    def records(self) -> Listing:
        columns = (
            Column("part"), Column("other"), Column("what"), Column("shared", "count"),
            Column("total", "count"),
        )  # fmt: skip
        rows = tuple(
            (one.part, one.other, kind, *share)
            for one in self.pairs
            for kind in _KINDS
            if (share := getattr(one, kind)) is not None
        )
        return Listing("overlap", columns, rows)


def _quotient(share: Share) -> float | None:
    return share[0] / share[1] if share[1] else None


def _pair_json(one: Shared) -> dict[str, Any]:
    found: dict[str, Any] = {"part": one.part, "other": one.other}
    for kind in _KINDS:
        share = getattr(one, kind)
        found[kind] = (
            None
            if share is None
            else {"shared": share[0], "total": share[1], "share": _quotient(share)}
        )
    return found


def overlap(parts: Mapping[str, Corpus]) -> Overlap:
    """Compare the parts of a data set, two by two, in both directions."""
    if len(parts) < 2:
        raise UsageError("an overlap is looked for between two parts or more")
    spans = {name: _spans(corpus) for name, corpus in parts.items()}
    pairs = tuple(
        _shared(_Part(one, parts[one], spans[one]), _Part(other, parts[other], spans[other]))
        for one, other in permutations(parts, 2)
    )
    notes = tuple(
        f"{sized(one.sentences[0], 'sentence')} of {one.part} "
        f"{'is' if one.sentences[0] == 1 else 'are'} in {one.other}, word by word"
        for one in pairs
        if one.sentences[0]
    )
    return Overlap(tuple(parts), pairs, f"overlap:{len(parts)} parts|v:{__version__}", notes)


class _Part(NamedTuple):
    """A part with its annotated spans, ``None`` for what holds no spans."""

    name: str
    corpus: Corpus
    spans: Spans | None


def _spans(corpus: Corpus) -> Spans | None:
    if corpus.tokens is None:
        raise InputError.at(corpus.source, 0, "there is no text in it to compare")
    require_decided(corpus)
    tags = corpus.layers.get(LAYER)
    if corpus.spans is None and not (tags is not None and looks_like_spans(tags.names)):
        return None
    return decoded_spans(corpus, scheme=None, policy="conlleval").spans


def _shared(one: _Part, other: _Part) -> Shared:
    words = shared_words(other.corpus, one.corpus, fold_case=False)
    same = shared_sentences(one.corpus, other.corpus, words)
    return Shared(
        one.name,
        other.name,
        _share(same.seen),
        _documents(one.corpus, other.corpus, same),
        _surfaces(one, other, words),
        _share(words.gold < words.known),
    )


def _share(seen: NDArray[np.bool_]) -> Share:
    return int(seen.sum()), len(seen)


def _documents(one: Corpus, other: Corpus, same: SharedSentences) -> Share | None:
    """Documents with the same sentences or the same id."""
    if one.documents is None or other.documents is None:
        return None
    own, others = _sequences(one, same.own), _sequences(other, same.other)
    seen = _found(own, others)
    known = set(other.document_ids or ())
    ids = one.document_ids or ()
    seen[: len(ids)] |= np.array([name in known for name in ids], bool)
    return _share(seen)


def _sequences(corpus: Corpus, sentences: IntArray) -> Phrases:
    """Documents as sequences of sentences."""
    documents = np.zeros(0, np.int32) if corpus.documents is None else corpus.documents
    lengths = np.bincount(documents, minlength=corpus.n_documents)
    order = np.argsort(documents, kind="stable")
    return Phrases(sentences[order], np.cumsum(lengths) - lengths, lengths)


def _surfaces(one: _Part, other: _Part, words: SharedWords) -> Share | None:
    """Annotated spans whose words are annotated in the other part, too."""
    if one.spans is None or other.spans is None:
        return None
    vocabulary = words.vocabulary
    own = phrases(one.spans, one.corpus, words.gold, vocabulary=vocabulary)
    others = phrases(other.spans, other.corpus, words.train, vocabulary=vocabulary)
    return _share(_found(own, others))


def _found(wanted: Phrases, others: Phrases) -> NDArray[np.bool_]:
    """``[phrase]`` which of the wanted ones are among the others."""
    trie = Trie.of(wanted)
    known = np.zeros(len(trie), bool)
    known[trie.find(others)] = True
    known[0] = False
    return known[trie.find(wanted)]
