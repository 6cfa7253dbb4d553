"""`clusters`: coreference as JSON lines, one document per line, chains as lists of mentions.

    {"doc_key": "a", "sentences": [["Ada", "left"], ["She", "ran"]], "clusters": [[[0, 0], [2, 2]]]}

A mention is its first and its last word, counted from 0 over the whole document, as in the files of
the end-to-end coreference models. ``doc_key`` may be called ``id``, and the words ``tokens``; a
flat list of words is one sentence. A ``pos`` of the same shape as the words is read as part of
speech.

>>> from finegrain.formats.source import source_of
>>> line = b'{"sentences": [["Ada", "left"], ["She"]], "clusters": [[[0, 0], [2, 2]]]}'
>>> corpus = read(source_of("memory", line))
>>> corpus.clusters.spans.sentence.tolist(), corpus.clusters.chain.tolist()
([0, 1], [0, 0])
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from finegrain import strict_json
from finegrain.corpus import Coded, Corpus, Texts
from finegrain.corpus.clusters import WORD, ClustersBuilder
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.chain_limits import chains_of, require_plain
from finegrain.formats.source import Source

Record = dict[str, Any]
_FORM = 'Write {"doc_key": "a", "sentences": [["Ada", "left"]], "clusters": [[[0, 0]]]}.'


def looks_like(source: Source) -> bool:
    """True if the first line is an object with words and clusters."""
    first = next((line for line in source.head(400) if line.strip()), "")
    if not first.startswith("{") or '"clusters"' not in first:
        return False
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and "clusters" in record and _words_key(record) is not None


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read a file of chains; up to ``limit`` problems are gathered before giving up."""
    reader = _Reader(Collector(source.name, limit=limit))
    for number, line in enumerate(source.lines(), 1):
        if line.strip():
            reader.record(line, number)
    reader.problems.raise_any()
    return reader.corpus(source.name)


class _Fault(ValueError):
    """What is wrong with a record."""


class _Reader:
    """Gathers documents."""

    def __init__(self, problems: Collector) -> None:
        self.problems = problems
        self.builder = ClustersBuilder()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.lengths: list[int] = []
        self.documents: list[int] = []
        self.names: dict[str, int] = {}
        self.tagged = True

    def record(self, line: str, number: int) -> None:
        """Take in one line."""
        try:
            record = _parsed(line)
            sentences = _sentences(record, _words_key(record))
            given = record.get("doc_key", record.get("id", number))
            if not isinstance(given, str | int):
                raise _Fault("the name of the document is neither a text nor a number")
            name = str(given)
            if self.names.setdefault(name, number) != number:
                raise _Fault(f"the document {name[:40]!r} is on line {self.names[name]}, too")
            self._mentions(record, [len(one) for one in sentences], number)
            self._tags(record, sentences)
        except _Fault as fault:
            self.problems.add(number, str(fault), _FORM)
            return
        self.documents += [len(self.names) - 1] * len(sentences)
        self.lengths += map(len, sentences)
        self.words += (word for sentence in sentences for word in sentence)

    def _tags(self, record: Record, sentences: list[list[str]]) -> None:
        self.tagged &= "pos" in record
        if self.tagged:
            tags = _sentences(record, "pos")
            if [len(one) for one in tags] != [len(one) for one in sentences]:
                raise _Fault("pos does not have the shape of the words")
            self.tags += (tag for sentence in tags for tag in sentence)

    def _mentions(self, record: Record, lengths: list[int], number: int) -> None:
        ends = np.cumsum(lengths)
        for place, chain in enumerate(_listed(record["clusters"], "clusters")):
            for mention in _listed(chain, "a cluster"):
                begin, end = _bounds(mention, int(ends[-1]) if lengths else 0)
                sentence = int(np.searchsorted(ends, begin, side="right"))
                if end >= ends[sentence]:
                    raise _Fault(f"the mention [{begin}, {end}] goes beyond its sentence")
                first = begin - int(ends[sentence]) + lengths[sentence]
                nodes = range((first + 1) * WORD, (first + end - begin + 2) * WORD, WORD)
                where = len(self.lengths) + sentence
                document = len(self.names) - 1
                self.builder.add(where, tuple(nodes), (document, str(place)), line=number)

    def corpus(self, source: str) -> Corpus:
        """All that was read."""
        if not self.lengths:
            raise InputError.at(source, 0, "the file has no sentences")
        return Corpus(
            source,
            np.append(0, np.cumsum(self.lengths)).astype(np.int64),
            Texts.of(self.words),
            {"xpos": Coded.of(self.tags)} if self.tagged else {},
            documents=np.array(self.documents, np.int32),
            document_ids=tuple(self.names),
            clusters=self.builder.clusters(),
        )


def _parsed(line: str) -> Record:
    try:
        record = strict_json.parse(line)
    except strict_json.BadJson as fault:
        raise _Fault(str(fault)) from None
    if not isinstance(record, dict) or "clusters" not in record or _words_key(record) is None:
        raise _Fault("no object with sentences and clusters")
    return record


def _words_key(record: Record) -> str | None:
    return next((key for key in ("sentences", "tokens") if key in record), None)


def _listed(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise _Fault(f"{what} is not a list")
    return value


def _sentences(record: Record, key: str | None) -> list[list[str]]:
    value = _listed(record[key or ""], key or "")
    sentences = value if value and all(isinstance(one, list) for one in value) else [value]
    if any(not isinstance(word, str) or not word for one in sentences for word in one):
        raise _Fault(f"{key} holds something that is not a word")
    return [one for one in sentences if one]


def _bounds(mention: Any, size: int) -> tuple[int, int]:
    whole = (
        isinstance(mention, list) and len(mention) == 2 and all(type(one) is int for one in mention)
    )
    if not whole or not 0 <= mention[0] <= mention[1] < size:
        raise _Fault(
            f"the mention {json.dumps(mention)[:40]} is not first and last of {size} words"
        )
    return mention[0], mention[1]


def write(corpus: Corpus) -> str:
    """The corpus as JSON lines, one document on each."""
    clusters = chains_of(corpus, "clusters")
    require_plain(corpus, clusters, "clusters")
    if corpus.documents is None:
        raise UsageError(f"{corpus.source}: clusters are of documents, and there are none in it.")
    sentences: dict[int, list[int]] = {}
    for sentence, document in enumerate(corpus.documents.tolist()):
        sentences.setdefault(document, []).append(sentence)
    start = {rows[0]: int(corpus.offsets[rows[0]]) for rows in sentences.values()}
    chains: dict[int, dict[int, list[list[int]]]] = {document: {} for document in sentences}
    for row, chain in enumerate(clusters.chain.tolist()):
        sentence = int(clusters.spans.sentence[row])
        document = int(corpus.documents[sentence])
        base = int(corpus.offsets[sentence]) - start[sentences[document][0]]
        bounds = [base + int(clusters.spans.begin[row]), base + int(clusters.spans.end[row]) - 1]
        chains[document].setdefault(chain, []).append(bounds)
    lines = []
    for document, rows in sentences.items():
        record: Record = {"doc_key": str(corpus.document_of(rows[0]))}
        record["sentences"] = [corpus.sentence(row) for row in rows]
        if "xpos" in corpus.layers:
            tags, offsets = list(corpus.layers["xpos"]), corpus.offsets.tolist()
            record["pos"] = [tags[offsets[row] : offsets[row + 1]] for row in rows]
        record["clusters"] = list(chains[document].values())
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)
