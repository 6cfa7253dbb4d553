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
from finegrain.corpus.vectors import VECTOR, of_vectors

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


_STIMULI = {
    "cat": (0.9, 0.1, 0.3), "dog": (0.8, 0.3, 0.2), "cow": (0.6, 0.4, 0.5), "car": (0.1, 0.9, 0.2),
    "bus": (0.2, 0.8, 0.4), "van": (0.1, 0.7, 0.1), "pear": (0.3, 0.1, 0.9),
}  # fmt: skip


def representations() -> Example:
    """Seven things; one model has nearly the same geometry, the other one of its own."""
    ids: dict[str, Column] = {"id": Texts.of(_STIMULI)}
    kinds: dict[str, Column] = {"kind": Texts.of(["animal"] * 3 + ["vehicle"] * 3 + ["fruit"])}
    vectors = np.array(list(_STIMULI.values()))
    near = vectors @ [[1.0, 0.0], [0.2, 0.9], [0.1, 0.6]]
    other = vectors[::-1] ** 2 + [0.1, 0.0, 0.2]
    return (
        of_vectors("gold", {VECTOR: vectors}, {**ids, **kinds}, format="vectors"),
        {
            "near": of_vectors("near", {VECTOR: near}, ids, format="vectors"),
            "other": of_vectors("other", {VECTOR: other}, ids, format="vectors"),
        },
    )


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


_GRADES = {
    "q1": {"d1": 2, "d2": 1, "d3": 0, "d4": 0},
    "q2": {"d1": 1, "d5": 0, "d6": -1},
    "q3": {"d2": 3, "d3": 1, "d7": 1, "d8": 0},
    "q4": {"d4": 1},
    "q5": {"d1": 0, "d9": 0},
    "q6": {"d6": 2, "d7": 2, "d8": 1},
}
_RUNS = {
    "lexical": {"q1": "d1 d3 d2 d9", "q2": "d5 d6 d1", "q3": "d8 d2 d5 d3", "q4": "d1 d2 d3",
                "q5": "d1 d2", "q6": "d1 d2 d3 d4 d5 d9 d10 d11 d12 d13 d7 d6"},
    "dense": {"q1": "d2 d1", "q2": "d1 d5", "q3": "d3 d9 d7 d2", "q4": "d4", "q5": "d3",
              "q6": "d6 d1 d8"},
}  # fmt: skip


def ranking() -> Example:
    """Six queries with graded documents; in each ranking the first two are tied."""
    queries = [text for _, text, _, _ in _TEXTS[: len(_GRADES)]]
    parent = [at for at, judged in enumerate(_GRADES.values()) for _ in judged]
    documents: dict[str, Column] = {
        "id": Texts.of(name for judged in _GRADES.values() for name in judged),
        "grade": np.array([float(one) for judged in _GRADES.values() for one in judged.values()]),
    }
    fields: dict[str, Column] = {"id": Texts.of(_GRADES), "query": Texts.of(queries)}
    fields["domain"] = Texts.of(row[3] for row in _TEXTS[: len(_GRADES)])
    gold = of_fields(
        "gold", fields, parts={"documents": Rows(np.array(parent), documents)}, format="items"
    )
    return gold, {name: _run(name, {q: one.split() for q, one in own.items()})
                  for name, own in _RUNS.items()}  # fmt: skip


def _run(source: str, ranked: dict[str, list[str]]) -> Corpus:
    """A run whose first two documents have the same score."""
    parent = [at for at, names in enumerate(ranked.values()) for _ in names]
    scores = [float(-max(at, 1)) for names in ranked.values() for at in range(len(names))]
    names = Texts.of(name for names in ranked.values() for name in names)
    rows = Rows(np.array(parent), {"id": names, "score": np.array(scores)})
    return of_fields(source, {"id": Texts.of(ranked)}, parts={"documents": rows}, format="trec")


_SEGMENTS = (
    ("s1", "Mlyn bol postaveny v roku 1843 .", ("The mill was built in 1843 .",), "history"),
    ("s2", "Ada zije v Londyne .", ("Ada lives in London .", "Ada is living in London ."),
     "people"),
    ("s3", "Rieka je dlha 1,233 km .", ("The river is 1,233 km long .",), "rivers"),
    ("s4", "Predava sol a vlnu .", ("He sells salt and wool .", "He deals in salt and wool ."),
     "people"),
    ("s5", "Nikto to nevie .", ("Nobody knows it .",), "people"),
    ("s6", "Most spadol do rieky .", ("The bridge fell into the river .",), "rivers"),
)  # fmt: skip
_CAREFUL = [
    "The mill was built in 1843 .",
    "Ada lives in London .",
    "The river is 1,233 km .",
    "He sells the salt and wool .",
    "Nobody knows .",
    "The bridge fell in the river .",
]
_CARELESS = ["A mill in 1843", "Ada zije v Londyne .", "The river is long long long long long",
             "He sells salt", "", "The river fell into a bridge ."]  # fmt: skip


def generation() -> Example:
    """Six segments with one or two references; one system has every plain fault."""
    names = [name for name, *_ in _SEGMENTS]
    fields: dict[str, Column] = {
        "id": Texts.of(names),
        "source": Texts.of(source for _, source, _, _ in _SEGMENTS),
        "domain": Texts.of(domain for *_, domain in _SEGMENTS),
    }
    parent = [place for place, (_, _, references, _) in enumerate(_SEGMENTS) for _ in references]
    texts = [text for _, _, references, _ in _SEGMENTS for text in references]
    parts = {"references": Rows(np.array(parent), {"value": Texts.of(texts)})}
    gold = of_fields("gold", fields, parts=parts, format="items")
    systems = {"careful": _CAREFUL, "careless": _CARELESS}
    return gold, {
        name: of_fields(name, {"id": Texts.of(names), "output": Texts.of(own)}, format="items")
        for name, own in systems.items()
    }
