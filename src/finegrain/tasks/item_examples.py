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


def clustering() -> Example:
    """Eight texts of three classes; one system has two clusters, one nearly one for each text."""
    clusters = {
        "coarse": ["c1", "c2", "c2", "c1", "c2", "c2", "c1", "c2"],
        "fine": ["k1", "k2", "k3", "k1", "k4", "k3", "k5", "k2"],
    }
    ids = [row[0] for row in _TEXTS]
    gold = of_fields("gold", _columns(_TEXTS, ("id", "text", "label", "domain")), format="csv")
    systems = {
        name: of_fields(name, _columns(zip(ids, own, strict=True), ("id", "label")), format="csv")
        for name, own in clusters.items()
    }
    return gold, systems


_EMOTIONS = {
    "gold": ["joy", "anger|sadness", "surprise", "joy|surprise", "anger", "sadness", "joy|love",
             "anger"],
    "broad": ["joy|love", "anger|sadness", "surprise", "joy", "anger|sadness", "sadness|fear",
              "joy|love", "anger"],
    "terse": ["joy", "anger", "", "surprise", "anger", "", "joy", "sadness"],
}  # fmt: skip


def multilabel() -> Example:
    """The emotions of eight texts; one system says too much, with scores, one too little."""
    corpora = {}
    for source, cells in _EMOTIONS.items():
        fields = _columns(_TEXTS, ("id", "text", "label", "domain"))
        kept = ("id", "text", "domain") if source == "gold" else ("id",)
        own = {name: fields[name] for name in kept}
        if source == "broad":
            own |= {
                f"scores.{name}": np.array([0.9 if name in cell else 0.1 for cell in cells])
                for name in ("anger", "fear", "joy", "love", "sadness", "surprise")
            }
        corpora[source] = of_fields(source, own, parts=_lists(cells), format="items")
    return corpora.pop("gold"), corpora


def _lists(cells: Sequence[str]) -> dict[str, Rows]:
    pairs = [(at, label) for at, cell in enumerate(cells) for label in cell.split("|") if label]
    labels = np.array([label for _, label in pairs], object)
    return {"labels": Rows(np.array([at for at, _ in pairs]), {"value": labels})}


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
