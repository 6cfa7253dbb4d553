"""The promises, as functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from inspect import Parameter, signature
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from finegrain.alignment.entity_tokens import entity_tokens
from finegrain.attributes.attribute import Attribute
from finegrain.corpus import Coded, Corpus
from finegrain.corpus.columns import Rows, cell
from finegrain.corpus.items import LINE
from finegrain.errors import InputError, UsageError
from finegrain.formats import Format
from finegrain.formats.source import open_source, source_of
from finegrain.metrics.metric import Metric, applicable
from finegrain.table import OutcomeTable
from finegrain.table.samples import sentences, whole
from finegrain.table.verdicts import right
from finegrain.tasks import Task, by_name, guess, known
from finegrain.testing.analyses import check_analyses, check_explorer, check_page, check_saved
from finegrain.testing.items import renamed_items, reordered_items

Corpora = Mapping[str, Corpus]


def small_corpora(task: str | Task) -> tuple[Corpus, dict[str, Corpus]]:
    """The small example of a task: of built-in ones four sentences and two systems with errors.

    >>> gold, systems = small_corpora("spans")
    >>> gold.n_sentences, list(systems)
    (4, ['short', 'mixed'])
    """
    chosen = by_name(task) if isinstance(task, str) else task
    if chosen.example is None:
        raise UsageError(f"the task {chosen} has no example of its own: give gold and systems")
    gold, systems = chosen.example()
    return gold, dict(systems)


def reordered(corpus: Corpus, order: Sequence[int]) -> Corpus:
    """The same corpus with its sentences in another order (or fewer of them)."""
    if corpus.fields:
        return reordered_items(corpus, order)
    offsets = corpus.offsets.tolist()
    layers = {
        name: [list(column)[offsets[at] : offsets[at + 1]] for at in order]
        for name, column in corpus.layers.items()
    }
    words = [corpus.sentence(at) for at in order]
    documents = None if corpus.documents is None else corpus.documents[list(order)].tolist()
    turned = Corpus.of(words, source=corpus.source, documents=documents, **layers)
    if corpus.spans is not None:
        spans = corpus.spans.in_sentences(np.array(order))
        parts = {name: one.of(np.array(order)) for name, one in corpus.parts.items()}
        turned = replace(turned, spans=spans, parts=parts)
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


def renamed(corpus: Corpus) -> Corpus:
    """The same corpus with every label renamed, order preserved; O and heads stay.

    As with subtypes of relations (``nsubj:x``), which are content relations or not by what is
    before the colon.
    """
    if corpus.fields:
        return renamed_items(corpus)
    offsets = corpus.offsets.tolist()
    layers = {
        name: [
            [
                value if value == "O" or name == "head" else value + ":x"
                for value in list(column)[begin:end]
            ]
            for begin, end in pairwise(offsets)
        ]
        for name, column in corpus.layers.items()
    }
    words = [corpus.sentence(at) for at in range(corpus.n_sentences)]
    documents = None if corpus.documents is None else corpus.documents.tolist()
    named = Corpus.of(words, source=corpus.source, documents=documents, **layers)
    if corpus.spans is not None:
        labels = tuple(label + ":x" for label in corpus.spans.labels)
        parts = {name: renamed_part(one) for name, one in corpus.parts.items()}
        named = replace(named, spans=replace(corpus.spans, labels=labels), parts=parts)
    if corpus.clusters is None:
        return named
    names = tuple(name + ":x" for name in corpus.clusters.names)
    return replace(named, layers=corpus.layers, clusters=replace(corpus.clusters, names=names))


def renamed_part(rows: Rows) -> Rows:
    """Rows of a corpus whose column of labels, if there is one, is renamed."""
    labels = rows.fields.get("label")
    if not isinstance(labels, Coded):
        return rows
    names = tuple(name and name + ":x" for name in labels.names)
    return replace(rows, fields={**rows.fields, "label": replace(labels, names=names)})


def check_metric(
    metric: Metric, gold: Corpus | None = None, systems: Corpora | None = None
) -> None:
    """Perfect output is perfect; order and names are irrelevant; statistics add up.

    ``gold``, ``systems``: by default the example of a task that has the metric
    """
    task = _task_of(metric, gold)
    if gold is None or systems is None:
        gold, systems = small_corpora(task)
    table = task.align(gold, systems)
    scores = _scores(metric, table)
    _check_best(metric, task, gold)
    order = turned_order(gold)
    turned = {name: reordered(corpus, order) for name, corpus in systems.items()}
    backwards = task.align(reordered(gold, order), turned)
    assert _scores(metric, backwards) == scores, f"{metric}: the order of sentences matters"
    flipped = task.align(gold, dict(reversed(list(systems.items()))))
    assert _scores(metric, flipped) == scores, f"{metric}: the order of systems matters"
    for name, corpus in systems.items():
        single = task.align(gold, {name: corpus})
        if not (applicable(single, (metric,)) and applicable(table, (metric,))):
            continue
        alone = _scores(metric, single)
        assert alone[name] == scores[name], f"{metric}: another system changes the score of {name}"
    if task.answers != "text":  # the words of which are what is compared
        other = {name: renamed(corpus) for name, corpus in systems.items()}
        again = _scores(metric, task.align(renamed(gold), other))
        assert again == scores, f"{metric}: names of labels matter"
    if not metric.additive:
        return
    parts = metric.statistics(table, sentences(table)).sum(axis=0)
    total = metric.statistics(table, whole(table))[0]
    assert np.allclose(parts, total, atol=1e-12), f"{metric}: statistics do not add up"
    if metric.narrow is not None:
        same = np.allclose(metric.score(metric.narrow(total)), metric.score(total), equal_nan=True)
        assert same, f"{metric}: narrow changes the score"


def _check_best(metric: Metric, task: Task, gold: Corpus) -> None:
    """Gold against itself is the best there is, if gold has what the metric looks at."""
    try:
        perfect = task.align(gold, {"gold": gold})
    except InputError:
        return
    if metric.scale.best is None or not applicable(perfect, (metric,)):
        return
    found = _scores(metric, perfect)["gold"]
    assert found == metric.scale.best, f"{metric}: gold against itself gives {found}"


def _task_of(metric: Metric, gold: Corpus | None) -> Task:
    """The task of the corpus, unless only others have the metric."""
    named = [task for task in known().values() if metric.name in task.all_metrics()]
    homes = [task for task in named if task.all_metrics()[metric.name] is metric] or named
    if gold is None:
        if not homes:
            raise UsageError(f"no task has the metric {metric.name}: give gold and systems")
        return homes[0]
    task = guess(gold)
    return homes[0] if homes and task not in homes else task


def _scores(metric: Metric, table: OutcomeTable) -> dict[str, float]:
    if not applicable(table, (metric,)):
        return dict.fromkeys(table.systems, 0.0)
    values = np.nan_to_num(metric.score(metric.statistics(table, whole(table)))[0], nan=-1e9)
    return {
        name: round(float(value), 12) for name, value in zip(table.systems, values, strict=True)
    }


def check_attribute(
    attribute: Attribute,
    gold: Corpus,
    systems: Corpora,
    *,
    task: str | Task,
    training: Corpus | None = None,
) -> None:
    """Every unit has a value of the right kind; order and other systems are irrelevant."""
    align = (by_name(task) if isinstance(task, str) else task).align
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


def check_task(task: Task, gold: Corpus | None = None, systems: Corpora | None = None) -> None:
    """Codes are known, systems do not touch each other, and every analysis takes the table.

    The table is saved and loaded if ``parquet`` is installed; with ``report`` a page is written and
    the explorer asked for all units and results.

    ``gold``, ``systems``: by default the example of the task
    """
    if gold is None or systems is None:
        gold, systems = small_corpora(task)
    keywords = signature(task.aligner or task.align).parameters.values()
    taken = {one.name for one in keywords if one.kind is Parameter.KEYWORD_ONLY}
    assert taken == set(task.options), f"{task.name}: align takes {taken}, not {task.options}"
    table = task.align(gold, systems)
    shape = (len(table), len(systems) or table.n_systems)  # a 0/1 table holds its systems itself
    assert table.outcomes == task.outcomes, f"{task.name}: foreign outcomes"
    assert table.outcome.shape == shape, f"{task.name}: shape of outcomes"
    assert int(table.outcome.max(initial=0)) < len(task.outcomes), f"{task.name}: unknown code"
    for name, corpus in systems.items():
        alone = task.align(gold, {name: corpus})
        ours = table.outcome[table.is_gold, table.system(name)]
        theirs = alone.outcome[alone.is_gold, 0]
        assert (ours == theirs).all(), f"{task.name}: adding a system changes {name}"
    if systems and not task.value:  # where units are graded, gold says how good an answer is
        _check_perfect(task, gold)
    check_analyses(table)
    if find_spec("pyarrow"):
        check_saved(table)
    if find_spec("jinja2") and find_spec("vl_convert"):
        check_page(table)
        check_explorer(table)


def _check_perfect(task: Task, gold: Corpus) -> None:
    """Gold against itself has no errors, if it has what systems have."""
    try:
        perfect = task.align(gold, {"gold": gold})
    except InputError:
        return
    correct = perfect.outcome == task.outcomes.correct_code
    assert correct[perfect.is_gold].all(), f"{task.name}: gold against itself has errors"
    assert right(perfect).all(), f"{task.name}: gold against itself has invented units"


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


def _parts(corpus: Corpus) -> dict[str, list[tuple[object, ...]]]:
    return {
        key: [
            (rows.parent[row], *(cell(column, row) for column in rows.fields.values()))
            for row in range(rows.size)
        ]
        for key, rows in corpus.parts.items()
    }


def same_corpus(one: Corpus, two: Corpus) -> None:
    """Raise unless two corpora hold the same text and annotation."""
    assert one.n_sentences == two.n_sentences, "different number of sentences"
    for at in range(one.n_sentences):
        assert one.sentence(at) == two.sentence(at), f"sentence {at + 1} differs"
    assert one.layers.keys() == two.layers.keys(), "different layers"
    for name, column in one.layers.items():
        assert list(column) == list(two.layers[name]), f"layer {name} differs"
    content = {name: column for name, column in one.fields.items() if name != LINE}
    assert content.keys() == two.fields.keys() - {LINE}, "different fields"
    for name, values in content.items():
        rows = range(one.n_sentences)
        same = all(cell(values, row) == cell(two.fields[name], row) for row in rows)
        assert same, f"field {name} differs"
    assert _parts(one) == _parts(two), "parts differ"
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
