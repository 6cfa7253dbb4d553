"""Small corpora of items, two systems with errors: the ``example`` of tasks of items.

>>> gold, systems = classification()
>>> gold.sentence(0), list(systems)
(['a', 'fine', 'film'], ['keen', 'glum'])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import of_fields

Example = tuple[Corpus, dict[str, Corpus]]
_TEXTS = [
    ("r1", "a fine film", "pos", "films"),
    ("r2", "dull and long", "neg", "films"),
    ("r3", "a plot , of a kind", "neutral", "books"),
    ("r4", "not bad at all", "pos", "books"),
    ("r5", "I want my money back", "neg", "films"),
    ("r6", "neither here nor there", "neutral", "films"),
    ("r7", "a joy", "pos", "books"),
    ("r8", "no", "neg", "books"),
]
_KEEN = ["pos", "neg", "neutral", "neg", "neg", "pos", "pos", "neg"]
_GLUM = ["pos", "neg", "neg", "neg", "neg", "neutral", "neg", "neg"]
_SURE = [0.9, 0.8, 0.6, 0.5, 0.9, 0.4, 0.7, 0.6]
_LABELS = ("neg", "neutral", "pos")


def _columns(rows: Iterable[Sequence[str]], names: Sequence[str]) -> dict[str, Column]:
    return dict(zip(names, map(Texts.of, zip(*rows, strict=True)), strict=True))


def classification() -> Example:
    """Eight reviews; one system says how sure it is."""
    gold = of_fields("gold", _columns(_TEXTS, ("id", "text", "label", "domain")), format="csv")
    ids = [row[0] for row in _TEXTS]
    sure = np.array(_SURE)
    chances: dict[str, Column] = {
        f"probabilities.{label}": np.where(
            np.array(_KEEN) == label, sure, (1 - sure) / (len(_LABELS) - 1)
        )
        for label in _LABELS
    }
    keen = of_fields("keen", {**_columns(zip(ids, _KEEN, strict=True), ("id", "label")), **chances})
    glum = of_fields("glum", _columns(zip(ids, _GLUM, strict=True), ("id", "label")))
    return gold, {"keen": keen, "glum": glum}


_PASSAGES = (
    "The Rhine rises in the Swiss Alps and flows 1,233 km to the North Sea .",
    "Ada Lovelace wrote the first program in 1843 while she lived in London .",
)
_QUESTIONS = [
    ("q1", "Who wrote the first program ?", 1, ("Ada Lovelace", "Lovelace")),
    ("q2", "When was it written ?", 1, ("1843", "in 1843")),
    ("q3", "Where did she live ?", 1, ("in London", "London , England")),
    ("q4", "Where does the Rhine rise ?", 0, ("the Swiss Alps",)),
    ("q5", "How long is the Rhine ?", 0, ("1,233 km", "1,233 kilometres")),
    ("q6", "What does the Rhine flow to ?", 0, ("the North Sea",)),
    ("q7", "Who dammed the Rhine ?", 0, ()),
    ("q8", "Which prize did she win ?", 1, ()),
]
_CURT = ["Lovelace", "1843", "London", "Swiss Alps", "1,233", "North Sea", "", "program"]
_TALKATIVE = [
    "Ada Lovelace wrote it", "1834", "she lived in London", "Alps of the Swiss", "1,233 km",
    "", "Swiss", "",
]  # fmt: skip


def qa() -> Example:
    """Eight questions about two passages, of which two have no answer."""
    names = [name for name, *_ in _QUESTIONS]
    fields: dict[str, Column] = {
        "id": Texts.of(names),
        "question": Texts.of(question for _, question, _, _ in _QUESTIONS),
        "context": Texts.of(_PASSAGES[place] for _, _, place, _ in _QUESTIONS),
        "topic": Texts.of(("rivers", "computing")[place] for _, _, place, _ in _QUESTIONS),
    }
    parent = [place for place, (*_, references) in enumerate(_QUESTIONS) for _ in references]
    texts = [text for *_, references in _QUESTIONS for text in references]
    parts = {"answers": Rows(np.array(parent), {"text": Texts.of(texts)})}
    gold = of_fields("gold", fields, parts=parts, format="items")
    systems = {"curt": _CURT, "talkative": _TALKATIVE}
    return gold, {
        name: of_fields(name, {"id": Texts.of(names), "answer": Texts.of(given)}, format="items")
        for name, given in systems.items()
    }


def regression() -> Example:
    """The similarity of eight pairs of sentences; one system exaggerates, one hardly differs."""
    names = [f"p{number}" for number in range(1, 9)]
    domain = ["news", "forum"] * 4
    numbers = {
        "gold": [5.0, 0.2, 3.4, 4.0, 1.5, 2.6, 0.0, 4.6],
        "bold": [5.0, 0.0, 4.9, 4.2, 0.3, 2.0, 0.1, 4.8],
        "flat": [3.1, 2.0, 2.7, 2.4, 2.2, 2.9, 2.0, 3.0],
    }
    corpora = {}
    for source, column in numbers.items():
        fields: dict[str, Column] = {"id": Texts.of(names), "score": np.array(column)}
        if source == "gold":
            fields["domain"] = Texts.of(domain)
            fields["sentence1"] = Texts.of(text for _, text, _, _ in _TEXTS)
        corpora[source] = of_fields(source, fields, format="csv")
    return corpora.pop("gold"), corpora


def ratings() -> Example:
    """Two raters of eight answers of two systems; the file holds the systems."""
    given = {
        ("ann", "bright"): [4, 5, 3, 4, 2, 5, 4, 3],
        ("ann", "plain"): [3, 3, 3, 2, 2, 4, 1, 3],
        ("ben", "bright"): [3, 4, 4, 3, 2, 4, 3, 3],
        ("ben", "plain"): [2, 4, 3, 2, 1, 4, 2, 4],
    }
    rows = [
        (rater, f"q{item + 1}", system, str(score), _TEXTS[item][1], _TEXTS[item][3])
        for (rater, system), scores in given.items()
        for item, score in enumerate(scores)
    ]
    names = ("rater", "item", "system", "score", "text", "domain")
    return of_fields("ratings", _columns(rows, names), format="csv"), {}
