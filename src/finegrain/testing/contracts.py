"""The promises, as functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from finegrain.alignment.entity_tokens import entity_tokens
from finegrain.attributes.attribute import Attribute
from finegrain.corpus import Clusters, Coded, Corpus
from finegrain.formats import Format
from finegrain.formats.source import open_source, source_of
from finegrain.metrics.metric import Metric
from finegrain.table import OutcomeTable
from finegrain.table.samples import sentences, whole
from finegrain.table.verdicts import right
from finegrain.tasks import Task, by_name, guess

Corpora = Mapping[str, Corpus]

_TEXT = [
    ["Ada", "Lovelace", "met", "Charles", "Babbage", "in", "London", "."],
    ["She", "wrote", "notes", "."],
    ["The", "Royal", "Society", "of", "London", "is", "old", ",", "said", "Ada", "."],
    ["London", "Bridge", "is", "not", "Tower", "Bridge", "."],
]
_GOLD = {
    "spans": [
        ["B-PER", "I-PER", "O", "B-PER", "I-PER", "O", "B-LOC", "O"],
        ["O", "O", "O", "O"],
        ["O", "B-ORG", "I-ORG", "I-ORG", "I-ORG", "O", "O", "O", "O", "B-PER", "O"],
        ["B-LOC", "I-LOC", "O", "O", "B-LOC", "I-LOC", "O"],
    ],
    "tags": [
        ["PROPN", "PROPN", "VERB", "PROPN", "PROPN", "ADP", "PROPN", "PUNCT"],
        ["PRON", "VERB", "NOUN", "PUNCT"],
        ["DET", "ADJ", "NOUN", "ADP", "PROPN", "AUX", "ADJ", "PUNCT", "VERB", "PROPN", "PUNCT"],
        ["PROPN", "PROPN", "AUX", "PART", "PROPN", "PROPN", "PUNCT"],
    ],
    "dependencies": [  # head and relation
        ["3 nsubj", "1 flat", "0 root", "3 obj", "4 flat", "7 case", "3 obl", "3 punct"],
        ["2 nsubj", "0 root", "2 obj", "2 punct"],
        [
            "3 det", "3 amod", "7 nsubj", "5 case", "3 nmod", "7 cop", "9 ccomp", "9 punct",
            "0 root", "9 nsubj", "9 punct",
        ],
        ["2 compound", "6 nsubj", "6 cop", "6 advmod", "6 compound", "0 root", "6 punct"],
    ],
}  # fmt: skip
_CHANGES = {
    "spans": {
        "short": {(2, 1): "O", (2, 2): "B-ORG", (3, 0): "O", (3, 1): "B-LOC", (1, 0): "B-PER"},
        "mixed": {(0, 6): "B-ORG", (0, 0): "O", (0, 1): "O", (2, 4): "B-LOC", (3, 5): "I-ORG"},
    },
    "tags": {
        "nouns": {(0, 0): "NOUN", (2, 1): "NOUN", (3, 1): "NOUN", (1, 2): "VERB"},
        "mixed": {(0, 5): "PART", (2, 8): "X", (3, 3): "ADV"},
    },
    "dependencies": {
        "near": {(0, 6): "5 nmod", (2, 4): "7 nmod", (2, 1): "3 compound", (3, 3): "3 advmod"},
        "flat": {(0, 1): "3 flat", (0, 6): "5 obl", (2, 4): "9 nmod", (3, 0): "6 nsubj"},
    },
}


# sentence, begin, end, chain; names of chains say which file they are of
_CHAINS: dict[str, list[tuple[int, int, int, str]]] = {
    "gold": [(0, 0, 2, "ada"), (0, 3, 5, "charles"), (0, 6, 7, "london"), (1, 0, 1, "ada"),
             (2, 0, 5, "society"), (2, 4, 5, "london"), (2, 9, 10, "ada"), (3, 0, 2, "bridge"),
             (3, 0, 1, "london"), (3, 4, 6, "tower")],
    "split": [(0, 0, 2, "a"), (0, 3, 5, "b"), (1, 0, 1, "b"), (2, 4, 5, "c"), (2, 9, 10, "d"),
              (3, 0, 1, "c"), (3, 4, 5, "c")],
    "lumped": [(0, 0, 2, "a"), (0, 6, 7, "a"), (1, 0, 1, "a"), (1, 2, 3, "a"), (2, 0, 5, "x"),
               (3, 0, 2, "x"), (3, 4, 6, "x")],
}  # fmt: skip


def small_corpora(task: str) -> tuple[Corpus, dict[str, Corpus]]:
    """A gold corpus of four sentences in two documents and two systems with errors in them."""
    if task == "coreference":
        here = [0, 0, 1, 1]
        chains = {
            name: replace(
                Corpus.of(_TEXT, source=name, documents=here, upos=_GOLD["tags"]),
                clusters=Clusters.of(rows, documents=here),
            )
            for name, rows in _CHAINS.items()
        }
        return chains.pop("gold"), chains
    gold = _GOLD[task]
    made = _tree_corpus if task == "dependencies" else _tag_corpus
    corpora = {}
    for name, changes in _CHANGES[task].items():
        tags = [list(row) for row in gold]
        for (sentence, token), tag in changes.items():
            tags[sentence][token] = tag
        corpora[name] = made(name, tags)
    return made("gold", gold), corpora


def _tag_corpus(source: str, tags: list[list[str]]) -> Corpus:
    return Corpus.of(_TEXT, source=source, documents=[0, 0, 1, 1], tags=tags)


def _tree_corpus(source: str, arcs: list[list[str]]) -> Corpus:
    """Parts of speech, lemmas and features are those of the gold."""
    return Corpus.of(
        _TEXT,
        source=source,
        documents=[0, 0, 1, 1],
        head=[[arc.split()[0] for arc in row] for row in arcs],
        deprel=[[arc.split()[1] for arc in row] for row in arcs],
        deps=[[arc.replace(" ", ":") for arc in row] for row in arcs],
        upos=_GOLD["tags"],
        xpos=_GOLD["tags"],
        lemma=[[word.lower() for word in row] for row in _TEXT],
        feats=[["_" for _ in row] for row in _TEXT],
    )


def reordered(corpus: Corpus, order: Sequence[int]) -> Corpus:
    """The same corpus with its sentences in another order (or fewer of them)."""
    offsets = corpus.offsets.tolist()
    layers = {
        name: [list(column)[offsets[at] : offsets[at + 1]] for at in order]
        for name, column in corpus.layers.items()
    }
    words = [corpus.sentence(at) for at in order]
    documents = None if corpus.documents is None else corpus.documents[list(order)].tolist()
    turned = Corpus.of(words, source=corpus.source, documents=documents, **layers)
    if corpus.clusters is None:
        return turned
    clusters = corpus.clusters.in_sentences(np.array(order), corpus.n_sentences)
    return replace(turned, clusters=clusters)


def turned_order(corpus: Corpus) -> list[int]:
    """All sentences in an order that must not matter: backwards; of chains, whole documents."""
    backwards = list(reversed(range(corpus.n_sentences)))
    if corpus.clusters is None or corpus.documents is None:
        return backwards
    order: list[int] = np.argsort(-corpus.documents, kind="stable").tolist()
    return order


def renamed(corpus: Corpus, suffix: str) -> Corpus:
    """The same corpus with every label renamed, order preserved; O and heads stay."""
    offsets = corpus.offsets.tolist()
    layers = {
        name: [
            [
                value if value == "O" or name == "head" else value + suffix
                for value in list(column)[begin:end]
            ]
            for begin, end in pairwise(offsets)
        ]
        for name, column in corpus.layers.items()
    }
    words = [corpus.sentence(at) for at in range(corpus.n_sentences)]
    documents = None if corpus.documents is None else corpus.documents.tolist()
    named = Corpus.of(words, source=corpus.source, documents=documents, **layers)
    if corpus.clusters is None:
        return named
    names = tuple(name + suffix for name in corpus.clusters.names)
    return replace(named, layers=corpus.layers, clusters=replace(corpus.clusters, names=names))


def check_metric(
    metric: Metric, gold: Corpus, systems: Corpora, *, task: Task | None = None
) -> None:
    """Perfect output is perfect; order and names are irrelevant; statistics add up.

    ``task``: found out from the gold annotation if it is not given.
    """
    task = task or guess(gold)
    table = task.align(gold, systems)
    scores = _scores(metric, table)
    perfect = _scores(metric, task.align(gold, {"gold": gold}))
    assert perfect["gold"] == 1, f"{metric}: gold against itself gives {perfect['gold']}"
    order = turned_order(gold)
    turned = {name: reordered(corpus, order) for name, corpus in systems.items()}
    backwards = task.align(reordered(gold, order), turned)
    assert _scores(metric, backwards) == scores, f"{metric}: the order of sentences matters"
    flipped = task.align(gold, dict(reversed(list(systems.items()))))
    assert _scores(metric, flipped) == scores, f"{metric}: the order of systems matters"
    for name, corpus in systems.items():
        alone = _scores(metric, task.align(gold, {name: corpus}))
        assert alone[name] == scores[name], f"{metric}: another system changes the score of {name}"
    # some relations are content relations by their name, whatever their subtype
    suffix = ":x" if task.name == "dependencies" else "x"
    other = {name: renamed(corpus, suffix) for name, corpus in systems.items()}
    again = _scores(metric, task.align(renamed(gold, suffix), other))
    assert again == scores, f"{metric}: names of labels matter"
    parts = metric.statistics(table, sentences(table)).sum(axis=0)
    total = metric.statistics(table, whole(table))[0]
    assert np.allclose(parts, total, atol=1e-12), f"{metric}: statistics do not add up"
    if metric.narrow is not None:
        same = np.allclose(metric.score(metric.narrow(total)), metric.score(total), equal_nan=True)
        assert same, f"{metric}: narrow changes the score"


def _scores(metric: Metric, table: OutcomeTable) -> dict[str, float]:
    values = metric.score(metric.statistics(table, whole(table)))[0]
    return {
        name: round(float(value), 12) for name, value in zip(table.systems, values, strict=True)
    }


def check_attribute(
    attribute: Attribute,
    gold: Corpus,
    systems: Corpora,
    *,
    task: str,
    training: Corpus | None = None,
) -> None:
    """Every unit has a value of the right kind; order and other systems are irrelevant."""
    align = by_name(task).align
    if attribute.level == "token":
        align = _by_token(align)
    table = align(gold, systems)
    values = _values(attribute, table, training)
    assert len(values) == len(table), f"{attribute}: {len(values)} values, {len(table)} units"
    order = turned_order(gold)
    alone = align(reordered(gold, order), {})
    values_alone = _values(attribute, alone, training)
    turned = zip(_places(alone, order), values_alone, alone.is_gold, strict=True)
    straight = zip(_places(table, range(gold.n_sentences)), values, table.is_gold, strict=True)
    expected = sorted((place, value) for place, value, of_gold in straight if of_gold)
    found = sorted((place, value) for place, value, of_gold in turned if of_gold)
    assert found == expected, f"{attribute}: order of sentences or other systems matter"


def _by_token(align: Callable[..., OutcomeTable]) -> Callable[..., OutcomeTable]:
    def aligned(gold: Corpus, systems: Corpora) -> OutcomeTable:
        return entity_tokens(align(gold, systems))

    return aligned


def _values(attribute: Attribute, table: OutcomeTable, training: Corpus | None) -> list[str]:
    """Values as text, so that undefined ones compare equal."""
    values = attribute.values(table, training)
    coded = isinstance(values, Coded)
    assert coded == (attribute.kind == "category"), f"{attribute}: not of the kind it says"
    return [str(value) for value in values]


def _places(table: OutcomeTable, order: Sequence[int]) -> list[tuple[int, int, int, str]]:
    """Where units stand, sentences numbered as in the original order, and their labels."""
    sentences = [order[sentence] for sentence in table.sentence.tolist()]
    labels = [table.labels[code] for code in table.label.tolist()]
    return list(zip(sentences, table.begin.tolist(), table.end.tolist(), labels, strict=True))


def check_task(task: Task, gold: Corpus, systems: Corpora) -> None:
    """Codes are known, gold rows are the gold units, and systems do not touch each other."""
    table = task.align(gold, systems)
    assert table.outcomes == task.outcomes, f"{task.name}: foreign outcomes"
    assert table.outcome.shape == (len(table), len(systems)), f"{task.name}: shape of outcomes"
    assert int(table.outcome.max(initial=0)) < len(task.outcomes), f"{task.name}: unknown code"
    perfect = task.align(gold, {"gold": gold})
    correct = perfect.outcome == task.outcomes.correct_code
    assert correct[perfect.is_gold].all(), f"{task.name}: gold against itself has errors"
    assert right(perfect).all(), f"{task.name}: gold against itself has invented units"
    for name, corpus in systems.items():
        alone = task.align(gold, {name: corpus})
        ours = table.outcome[table.is_gold, table.system(name)]
        theirs = alone.outcome[alone.is_gold, 0]
        assert (ours == theirs).all(), f"{task.name}: adding a system changes {name}"


def check_format(format_: Format, corpus: Corpus) -> None:
    """What is written and read back is the same, in a folder for formats that are folders."""
    with TemporaryDirectory() as folder:
        if format_.files is None:
            source = source_of("written", format_.write(corpus).encode())
        else:
            for name, text in format_.files(corpus).items():
                Path(folder, name).write_text(text, encoding="utf-8", newline="")
            source = open_source(folder)
        assert format_.looks_like(source), f"{format_.name}: does not recognise what it wrote"
        same_corpus(corpus, format_.read(source))


def same_corpus(one: Corpus, two: Corpus) -> None:
    """Raise unless two corpora hold the same text and annotation."""
    assert one.n_sentences == two.n_sentences, "different number of sentences"
    for at in range(one.n_sentences):
        assert one.sentence(at) == two.sentence(at), f"sentence {at + 1} differs"
    assert one.layers.keys() == two.layers.keys(), "different layers"
    for name, column in one.layers.items():
        assert list(column) == list(two.layers[name]), f"layer {name} differs"
    assert _spans(one) == _spans(two), "spans differ"
    assert _chains(one) == _chains(two), "chains of mentions differ"
    assert (one.documents is None) == (two.documents is None), "documents differ"
    if one.documents is not None and two.documents is not None:
        assert one.documents.tolist() == two.documents.tolist(), "documents differ"


def _spans(corpus: Corpus) -> list[tuple[int, tuple[int, ...], str]]:
    spans = corpus.spans
    if spans is None:
        return []
    return [
        (int(spans.sentence[row]), spans.tokens(row), spans.labels[spans.label[row]])
        for row in range(len(spans))
    ]


def _chains(corpus: Corpus) -> set[frozenset[tuple[int, tuple[int, ...]]]]:
    clusters = corpus.clusters
    if clusters is None:
        return set()
    members: dict[int, set[tuple[int, tuple[int, ...]]]] = {}
    for row, chain in enumerate(clusters.chain.tolist()):
        mention = (int(clusters.spans.sentence[row]), clusters.nodes(row))
        members.setdefault(chain, set()).add(mention)
    return {frozenset(mentions) for mentions in members.values()}
