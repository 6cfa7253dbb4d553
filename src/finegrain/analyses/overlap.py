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

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed
from finegrain.corpus import Corpus
from finegrain.corpus.tag_schemes import looks_like_spans
from finegrain.errors import InputError, UsageError
from finegrain.tasks.spans import decoded_spans
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


class _Seen(NamedTuple):
    """What a part consists of, with how often each thing occurs."""

    sentences: Counter[str]
    documents: list[set[str]] | None  # the words and the id of each
    surfaces: Counter[str] | None
    words: Counter[str]


def overlap(parts: Mapping[str, Corpus]) -> Overlap:
    """Compare the parts of a data set, two by two, in both directions."""
    if len(parts) < 2:
        raise UsageError("an overlap is looked for between two parts or more")
    seen = {name: _seen(corpus) for name, corpus in parts.items()}
    pairs = tuple(
        _shared(one, other, seen[one], seen[other]) for one, other in permutations(parts, 2)
    )
    notes = tuple(
        f"{one.sentences[0]:,} sentences of {one.part} are in {one.other}, word by word"
        for one in pairs
        if one.sentences[0]
    )
    return Overlap(tuple(parts), pairs, f"overlap:{len(parts)} parts|v:{__version__}", notes)


def _seen(corpus: Corpus) -> _Seen:
    if corpus.tokens is None:
        raise InputError.at(corpus.source, 0, "there is no text in it to compare")
    texts = ["\t".join(corpus.sentence(at)) for at in range(corpus.n_sentences)]
    coded = corpus.tokens.coded()
    words = Counter(dict(zip(coded.names, coded.counts().tolist(), strict=True)))
    return _Seen(Counter(texts), _documents(corpus, texts), _surfaces(corpus), words)


def _documents(corpus: Corpus, texts: list[str]) -> list[set[str]] | None:
    if corpus.documents is None:
        return None
    found: list[list[str]] = [[] for _ in range(corpus.n_documents)]
    for text, document in zip(texts, corpus.documents.tolist(), strict=True):
        found[document].append(text)
    keys = [{"text\n" + "\n".join(one)} for one in found]
    for key, name in zip(keys, corpus.document_ids or (), strict=False):
        key.add("id\n" + name)
    return keys


def _surfaces(corpus: Corpus) -> Counter[str] | None:
    """The words of all annotated spans; ``None`` for what holds no spans."""
    tags = corpus.layers.get("tags")
    if corpus.spans is None and not (tags is not None and looks_like_spans(tags.names)):
        return None
    spans = decoded_spans(corpus, scheme=None, policy="conlleval").spans
    words = [corpus.sentence(at) for at in range(corpus.n_sentences)]
    return Counter(
        " ".join(words[sentence][token] for token in spans.tokens(row))
        for row, sentence in enumerate(spans.sentence.tolist())
    )


def _shared(part: str, other: str, one: _Seen, two: _Seen) -> Shared:
    documents = None
    if one.documents is not None and two.documents is not None:
        known = set().union(*two.documents)
        documents = (sum(bool(keys & known) for keys in one.documents), len(one.documents))
    surfaces = None
    if one.surfaces is not None and two.surfaces is not None:
        surfaces = _of(one.surfaces, two.surfaces)
    return Shared(
        part,
        other,
        _of(one.sentences, two.sentences),
        documents,
        surfaces,
        _of(one.words, two.words),
    )


def _of(one: Counter[str], two: Counter[str]) -> Share:
    return sum(count for key, count in one.items() if key in two), one.total()
