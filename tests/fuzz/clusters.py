"""Clusters: coreference as JSON lines, mentions by their first and last word in the document.

>>> line = '{"doc_key": "a", "sentences": [["Ada"], ["She"]], "clusters": [[[0, 0], [1, 1]]]}'
>>> [one.sentence for one in read([line]).mentions]
[0, 1]
"""

from __future__ import annotations

import json
from random import Random

from tests.fuzz.corpora import Corpus, Invalid, Mention
from tests.fuzz.strict_json import records


def write(rng: Random, corpus: Corpus) -> bytes:
    """One JSON object per document."""
    lines = []
    for document, name in enumerate(corpus.names):
        here = [at for at, one in enumerate(corpus.documents) if one == document]
        start = {at: sum(len(corpus.words[one]) for one in here if one < at) for at in here}
        chains: dict[str, list[list[int]]] = {}
        for sentence, nodes, chain in corpus.mentions:
            if sentence in start:
                bounds = [start[sentence] + nodes[0][0] - 1, start[sentence] + nodes[-1][0] - 1]
                chains.setdefault(chain, []).append(bounds)
        words = [corpus.words[at] for at in here]
        record = {"doc_key": name, "sentences": words, "clusters": list(chains.values())}
        lines.append(json.dumps(record, ensure_ascii=rng.random() < 0.3))
    return ("\n".join(lines) + "\n").encode()


def read(lines: list[str]) -> Corpus:
    """Sentences and clusters of every record."""
    corpus = Corpus([])
    for line, record in records(lines, corpus.doubts):
        words = record.get("sentences", record.get("tokens"))
        if not isinstance(words, list) or not isinstance(record.get("clusters"), list):
            raise Invalid("no sentences and clusters")
        nested = words if words and isinstance(words[0], list) else [words]
        if not all(
            isinstance(one, list) and all(isinstance(w, str) and w for w in one) for one in nested
        ):
            raise Invalid("words that are none")
        name = record.get("doc_key", record.get("id", line))
        if not isinstance(name, str | int) or str(name) in corpus.names:
            raise Invalid("no name of its own")
        corpus.names.append(str(name))
        place = [(len(corpus.words) + at, number)
                 for at, one in enumerate(one for one in nested if one)
                 for number, _ in enumerate(one, 1)]  # fmt: skip
        for chain, mentions in enumerate(record["clusters"]):
            _cluster(corpus, place, mentions, f"{name} {chain}")
        corpus.words += [one for one in nested if one]
        corpus.documents += [len(corpus.names) - 1] * sum(map(bool, nested))
    if not corpus.words:
        raise Invalid("no words")
    return corpus


def _cluster(corpus: Corpus, place: list[tuple[int, int]], mentions: object, chain: str) -> None:
    if not isinstance(mentions, list):
        raise Invalid("a cluster that is not a list")
    for one in mentions:
        if not (isinstance(one, list) and len(one) == 2 and all(type(at) is int for at in one)):
            raise Invalid("a mention that is no pair of numbers")
        if not 0 <= one[0] <= one[1] < len(place) or place[one[0]][0] != place[one[1]][0]:
            raise Invalid("a mention outside of its sentence")
        nodes = tuple((place[at][1], 0) for at in range(one[0], one[1] + 1))
        corpus.mentions.append(Mention(place[one[0]][0], nodes, chain))
