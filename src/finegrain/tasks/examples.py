"""Small corpora of the built-in tasks: four sentences in two documents, two systems with errors.

>>> gold, systems = spans()
>>> gold.sentence(1), list(systems["short"].layers["tags"])[8:12]
(['She', 'wrote', 'notes', '.'], ['B-PER', 'O', 'O', 'O'])

They are the ``example`` of their tasks, which ``finegrain.testing`` and doctests use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from finegrain.corpus import Clusters, Corpus
from finegrain.corpus.tag_schemes import SCHEMES, decode
from finegrain.formats.grounded_items import GroundedItems

Rows = list[list[str]]
Example = tuple[Corpus, dict[str, Corpus]]

_TEXT = [
    ["Ada", "Lovelace", "met", "Charles", "Babbage", "in", "London", "."],
    ["She", "wrote", "notes", "."],
    ["The", "Royal", "Society", "of", "London", "is", "old", ",", "said", "Ada", "."],
    ["London", "Bridge", "is", "not", "Tower", "Bridge", "."],
]
_DOCUMENTS = [0, 0, 1, 1]
_ENTITIES = [
    ["B-PER", "I-PER", "O", "B-PER", "I-PER", "O", "B-LOC", "O"],
    ["O", "O", "O", "O"],
    ["O", "B-ORG", "I-ORG", "I-ORG", "I-ORG", "O", "O", "O", "O", "B-PER", "O"],
    ["B-LOC", "I-LOC", "O", "O", "B-LOC", "I-LOC", "O"],
]
_PARTS_OF_SPEECH = [
    ["PROPN", "PROPN", "VERB", "PROPN", "PROPN", "ADP", "PROPN", "PUNCT"],
    ["PRON", "VERB", "NOUN", "PUNCT"],
    ["DET", "ADJ", "NOUN", "ADP", "PROPN", "AUX", "ADJ", "PUNCT", "VERB", "PROPN", "PUNCT"],
    ["PROPN", "PROPN", "AUX", "PART", "PROPN", "PROPN", "PUNCT"],
]
_ARCS = [  # head and relation
    ["3 nsubj", "1 flat", "0 root", "3 obj", "4 flat", "7 case", "3 obl", "3 punct"],
    ["2 nsubj", "0 root", "2 obj", "2 punct"],
    ["3 det", "3 amod", "7 nsubj", "5 case", "3 nmod", "7 cop", "9 ccomp", "9 punct",
     "0 root", "9 nsubj", "9 punct"],
    ["2 compound", "6 nsubj", "6 cop", "6 advmod", "6 compound", "0 root", "6 punct"],
]  # fmt: skip
_CHAINS: dict[str, list[tuple[int, int, int, str]]] = {  # sentence, begin, end, chain
    "gold": [(0, 0, 2, "ada"), (0, 3, 5, "charles"), (0, 6, 7, "london"), (1, 0, 1, "ada"),
             (2, 0, 5, "society"), (2, 4, 5, "london"), (2, 9, 10, "ada"), (3, 0, 2, "bridge"),
             (3, 0, 1, "london"), (3, 4, 6, "tower")],
    "split": [(0, 0, 2, "a"), (0, 3, 5, "b"), (1, 0, 1, "b"), (2, 4, 5, "c"), (2, 9, 10, "d"),
              (3, 0, 1, "c"), (3, 4, 5, "c")],
    "lumped": [(0, 0, 2, "a"), (0, 6, 7, "a"), (1, 0, 1, "a"), (1, 2, 3, "a"), (2, 0, 5, "x"),
               (3, 0, 2, "x"), (3, 4, 6, "x")],
}  # fmt: skip


def spans() -> Example:
    """Entities."""
    return _changed(
        _tagged,
        _ENTITIES,
        short={(2, 1): "O", (2, 2): "B-ORG", (3, 0): "O", (3, 1): "B-LOC", (1, 0): "B-PER"},
        mixed={(0, 6): "B-ORG", (0, 0): "O", (0, 1): "O", (2, 4): "B-LOC", (3, 5): "I-ORG"},
    )


def extraction() -> Example:
    """Entities; one system says how its items were grounded, and lists some that have no place."""
    gold, systems = spans()
    for name in systems:
        spans_of = decode(systems[name].layers["tags"], gold.offsets, SCHEMES["iob2"], "conlleval")
        items = GroundedItems()
        items.any = True
        items.kinds = [
            ("exact", "normalised", "moved")[at % 3] for at in range(len(spans_of.spans))
        ]
        listed = [(0, "hallucinated", "LOC", "Rome"), (0, "hallucinated", "LOC", "Rome"),
                  (2, "duplicate", "PER", "Ada"), (3, "out-of-schema", "CITY", "Bath")]  # fmt: skip
        listed = listed[:3] if name == "short" else [*listed[1:], (1, "refused", "", "I cannot.")]
        items.unplaced = sorted(listed)
        price = 0.25 if name == "short" else 0.5
        items.usage = [(at, [0.5, 40.0, 10.0, price]) for at in (0, 2)]
        systems[name] = items.on(replace(systems[name], layers={}, spans=spans_of.spans))
    return gold, systems


def tags() -> Example:
    """Parts of speech."""
    return _changed(
        _tagged,
        _PARTS_OF_SPEECH,
        nouns={(0, 0): "NOUN", (2, 1): "NOUN", (3, 1): "NOUN", (1, 2): "VERB"},
        mixed={(0, 5): "PART", (2, 8): "X", (3, 3): "ADV"},
    )


def trees() -> Example:
    """Dependency trees; parts of speech, lemmas and features are those of the gold."""
    return _changed(
        _parsed,
        _ARCS,
        near={(0, 6): "5 nmod", (2, 4): "7 nmod", (2, 1): "3 compound", (3, 3): "3 advmod"},
        flat={(0, 1): "3 flat", (0, 6): "5 obl", (2, 4): "9 nmod", (3, 0): "6 nsubj"},
    )


def chains() -> Example:
    """Chains of mentions."""
    corpora = {
        name: replace(
            Corpus.of(_TEXT, source=name, documents=_DOCUMENTS, upos=_PARTS_OF_SPEECH),
            clusters=Clusters.of(rows, documents=_DOCUMENTS),
        )
        for name, rows in _CHAINS.items()
    }
    return corpora.pop("gold"), corpora


def items() -> Example:
    """A 0/1 table, which holds its systems itself."""
    names = [[f"q{number}"] for number in range(1, 7)]
    crf, neural = ([[cell] for cell in cells] for cells in ("110010", "101011"))
    return Corpus.of(names, source="gold", crf=crf, neural=neural), {}


def _changed(
    made: Callable[[str, Rows], Corpus], gold: Rows, **systems: Mapping[tuple[int, int], str]
) -> Example:
    """The gold, and systems by the tokens (sentence, place in it) where they differ from it."""
    corpora = {}
    for name, changes in systems.items():
        rows = [list(row) for row in gold]
        for (sentence, token), tag in changes.items():
            rows[sentence][token] = tag
        corpora[name] = made(name, rows)
    return made("gold", gold), corpora


def _tagged(source: str, rows: Rows) -> Corpus:
    return Corpus.of(_TEXT, source=source, documents=_DOCUMENTS, tags=rows)


def _parsed(source: str, arcs: Rows) -> Corpus:
    return Corpus.of(
        _TEXT,
        source=source,
        documents=_DOCUMENTS,
        head=[[arc.split()[0] for arc in row] for row in arcs],
        deprel=[[arc.split()[1] for arc in row] for row in arcs],
        deps=[[arc.replace(" ", ":") for arc in row] for row in arcs],
        upos=_PARTS_OF_SPEECH,
        xpos=_PARTS_OF_SPEECH,
        lemma=[[word.lower() for word in row] for row in _TEXT],
        feats=[["_" for _ in row] for row in _TEXT],
    )
