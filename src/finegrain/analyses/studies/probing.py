"""Probing: in which layers is a label known, beyond what a probe memorises?

>>> import finegrain as fg
>>> made = fg.simulate_vectors(tokens=4000, systems={"encoder": []})
>>> found = fg.probe(made.gold, made.systems, label="number", type="lemma", seeds=1, intervals=0)
>>> layers = found.data["systems"]
>>> layers["encoder@layer2"]["accuracy"] > layers["encoder@layer0"]["accuracy"]
True
>>> found.table
<OutcomeTable of classification: 40 units, 40 of them gold, systems: encoder@layer0, \
encoder@layer1, encoder@layer2, encoder@layer3, encoder@layer4, encoder@layer5, majority, random>

The predictions of every layer are a system of classification (``found.table``), so that
difficulty, buckets, significance and the report apply. What is measured is in ``probes``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from finegrain.alignment.stimuli import columns_of, ids_of, places, require_unique
from finegrain.analyses.scores.score import score
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Study
from finegrain.analyses.studies.probe_results import (
    MAJORITY,
    RANDOM,
    Found,
    Items,
    data_of,
    listing_of,
    notes_of,
    plots_of,
)
from finegrain.analyses.studies.probes import (
    PROBES,
    Codes,
    Data,
    Floats,
    Probe,
    code_length,
    control,
    most_frequent,
    out_of_fold,
    random_vectors,
    single_thread,
)
from finegrain.analyses.studies.similarity import Given, corpus_of
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column as Field
from finegrain.corpus.items import GROUP, LINE, coded, of_fields
from finegrain.corpus.vectors import vectors_of
from finegrain.errors import InputError, UsageError
from finegrain.resampling.intervals import LEVEL, RESAMPLES, SEED, Drawing
from finegrain.table import OutcomeTable
from finegrain.tasks.classification import CLASSIFICATION

LABELS = ("label", "gold", "tag", "class", "target")
TYPES = ("type", "lemma", "word", "form", "document")
"""Columns that hold the label and the type of items, the first that there is."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Probing(Study):
    """What probes found; ``table``: the predictions of every layer as systems of classification.

    ``gold`` and ``predictions`` are the corpora of this table, as they are written to files.
    """

    table: OutcomeTable | None = None
    gold: Corpus | None = None
    predictions: Mapping[str, Corpus] | None = None


def probe(
    labels: Corpus,
    layers: Mapping[str, Given] | Iterable[tuple[str, Given]],
    *,
    label: str = "",
    type: str = "",  # noqa: A002 - what items are of
    classifier: str = "linear",
    folds: int = 5,
    seeds: int = 3,
    intervals: int = RESAMPLES,
    confidence: float = LEVEL,
    seed: int = SEED,
    progress: Callable[[list[str]], Iterable[str]] | None = None,
) -> Probing:
    """Train probes for a label on every layer.

    Parameters
    ----------
    labels: items with a label each, which may hold vectors as well
    layers: name -> vectors of the items; several columns of one are its layers, ``name@layer``
    label: the column with the label; default: ``label``, ``gold``, ``tag``
    type: the column with the type of items, such as their word: types are not shared between
        training and test; default: ``type``, ``lemma``, ``word``, else every item is one
    classifier: ``linear`` or ``mlp``
    folds: parts of the items, each of which is predicted by a probe trained on the others
    seeds: how often everything is done anew, with other folds, control labels and orders
    intervals: resamples of types, for intervals of accuracy; 0: none
    seed: the first of the seeds
    progress: goes through the names of layers as they are probed
    """
    if classifier not in PROBES:
        raise UsageError.unknown("classifier", classifier, PROBES)
    if folds < 2 or seeds < 1:
        raise UsageError("probing takes 2 folds and 1 seed, or more")
    items = _items(labels, label, type)
    _require_folds(items, folds)
    vectors = _vectors(items, layers)
    names = list(vectors)
    model = PROBES[classifier]
    numbers = range(seed, seed + seeds)
    widest = max(vectors.values(), key=lambda one: one.shape[1])
    with single_thread():
        found = {
            name: _probed(_data(items, vectors[name]), model, folds, numbers)
            for name in (progress or list)(names)
        }
        found |= _floors(_data(items, widest), model, folds, numbers)
    gold, predictions = _files(items, found)
    table = CLASSIFICATION.align(gold, predictions)
    drawing = Drawing(intervals, confidence, seed)
    ends = _ends(table, "mean_accuracy" if seeds > 1 else "accuracy", drawing)
    told = signature(
        table, probe=model.name, label=items.by_label, type=items.by_type, folds=str(folds),
        seeds=str(seeds), **drawing.said(),
    )  # fmt: skip
    return Probing(
        "probes", "Probes", "In which layers is the label known?", CLASSIFICATION, tuple(found),
        (listing_of(found, ends),), data_of(items, found, ends), told, plots_of(found, ends, names),
        notes_of(items), table=table, gold=gold, predictions=predictions,
    )  # fmt: skip


def _ends(table: OutcomeTable, metric: str, drawing: Drawing) -> Floats:
    """``[system, (low, high)]`` of the accuracy; nan without intervals."""
    found = score(
        table, [metric], intervals=drawing.resamples, confidence=drawing.level, seed=drawing.seed
    )
    if found.intervals is None:
        return np.full((table.n_systems, 2), np.nan)
    return found.intervals.overall[metric]


def _items(labels: Corpus, label: str, type_: str) -> Items:
    by_label = _named(labels, label, LABELS, "label")
    if not by_label:
        have = ", ".join(one for one in labels.fields if one != LINE)
        raise InputError.at(
            labels.source, 1, f"items have no label (columns: {have})", "Say --label NAME."
        )
    by_type = _named(labels, type_, TYPES, "type")
    column = coded(labels.fields[by_label], missing="")
    if "" in column.names:
        row = int(np.flatnonzero(column.codes == column.names.index(""))[0])
        raise InputError.at(labels.source, 0, f"item {row + 1} has no {by_label}", "Label all.")
    used, codes = np.unique(column.codes, return_inverse=True)
    names = tuple(column.names[code] for code in used.tolist())
    if len(names) < 2:
        raise InputError.at(labels.source, 0, f"all items have one {by_label}: {names}")
    types = np.arange(len(codes))
    if by_type:
        types = np.unique(coded(labels.fields[by_type], missing="").codes, return_inverse=True)[1]
    return Items(labels, names, codes.ravel(), types.ravel(), by_label, by_type or "item")


def _named(labels: Corpus, wanted: str, known: tuple[str, ...], what: str) -> str:
    """The column that is meant, or the first of the usual ones that there is."""
    if wanted and wanted not in labels.fields:
        have = [one for one in labels.fields if one not in vectors_of(labels) and one != LINE]
        raise UsageError.unknown(f"column with the {what}", wanted, have)
    return wanted or next((one for one in known if one in labels.fields), "")


def _require_folds(items: Items, folds: int) -> None:
    types = len(np.unique(items.type))
    if types < folds:
        what = f"{types} types for {folds} folds"
        raise InputError.at(items.corpus.source, 0, what, "Say --folds with a smaller number.")


def _vectors(
    items: Items, layers: Mapping[str, Given] | Iterable[tuple[str, Given]]
) -> dict[str, Floats]:
    """Vectors of the items by system."""
    found: dict[str, Floats] = {}
    ids, size = ids_of(items.corpus), items.corpus.n_sentences
    if ids is not None:
        require_unique(items.corpus, tuple(ids.slice(0, size)), np.arange(size))
    for name, given in layers.items() if isinstance(layers, Mapping) else layers:
        corpus = corpus_of(name, given)
        rows, _ = places(items.corpus, ids, size, corpus)
        columns = columns_of(corpus)
        for key, column in columns.items():
            called = name if len(columns) == 1 else f"{name}@{key}"
            if called in found or called in (MAJORITY, RANDOM):
                raise UsageError(f"a system cannot be called {called!r} here: name=path names it")
            found[called] = np.asarray(column[rows], np.float64)
    if not found:
        raise UsageError("probing takes the vectors of one layer or more")
    return found


def _data(items: Items, vectors: Floats) -> Data:
    return Data(vectors, items.label, items.type, len(items.names))


def _several(data: Data) -> bool:
    """Whether some type has several items, without which there is nothing to memorise."""
    return bool((np.bincount(data.type) > 1).any())


def _probed(data: Data, model: Probe, folds: int, seeds: Iterable[int]) -> Found:
    answers, items, controls, codes = [], [], [], []
    for one in seeds:
        answers.append(out_of_fold(data, model, folds=folds, seed=one, by_type=True))
        codes.append(code_length(data, model, seed=one))
        if not _several(data):
            items.append(np.nan)
            controls.append(np.nan)
            continue
        alone = out_of_fold(data, model, folds=folds, seed=one, by_type=False)
        items.append(_right(data, alone))
        other = control(data, one)
        controls.append(
            _right(other, out_of_fold(other, model, folds=folds, seed=one, by_type=False))
        )
    accuracy = np.array([_right(data, own) for own in answers])
    return Found(tuple(answers), accuracy, np.array(items), np.array(controls), tuple(codes))


def _right(data: Data, answers: Codes) -> float:
    return float((answers == data.label).mean())


def _floors(data: Data, model: Probe, folds: int, seeds: Iterable[int]) -> dict[str, Found]:
    """The most frequent label, and probes of random vectors."""
    seeds = list(seeds)
    common = tuple(most_frequent(data, folds=folds, seed=one) for one in seeds)
    nothing = np.full(len(seeds), np.nan)
    accuracy = np.array([_right(data, own) for own in common])
    drawn = [_probed(random_vectors(data, one), model, folds, [one]) for one in seeds]
    random = Found(
        tuple(one.answers[0] for one in drawn),
        np.concatenate([one.accuracy for one in drawn]),
        np.concatenate([one.items for one in drawn]),
        np.concatenate([one.control for one in drawn]),
        tuple(one.codes[0] for one in drawn),
    )
    return {MAJORITY: Found(common, accuracy, nothing, nothing, ()), RANDOM: random}


def _files(items: Items, found: Mapping[str, Found]) -> tuple[Corpus, dict[str, Corpus]]:
    """Gold and predictions as corpora of classification; types are sampled together."""
    corpus = items.corpus
    size = corpus.n_sentences
    ids = ids_of(corpus) or Texts.of(f"item {place}" for place in range(1, size + 1))
    label, by_type = items.by_label, items.by_type
    fields: dict[str, Field] = {
        "id": ids,
        "label": Texts.of(items.names[one] for one in items.label),
    }
    left = {"id", "label", LINE, GROUP, label, *vectors_of(corpus)}
    fields |= {name: one for name, one in corpus.fields.items() if name not in left}
    if by_type in corpus.fields:
        column = coded(corpus.fields[by_type], missing="")
        fields[GROUP] = Texts.of(column[row] for row in range(size))
    gold = of_fields("gold", fields, format="csv")
    names = [ids[row] for row in range(size)]
    predictions = {}
    for name, one in found.items():
        runs: dict[str, Field] = {"id": Texts.of(names * len(one.answers))}
        if len(one.answers) > 1:
            runs["run"] = np.repeat(np.arange(1.0, len(one.answers) + 1), size)
        runs["label"] = Texts.of(items.names[code] for own in one.answers for code in own.tolist())
        predictions[name] = of_fields(name, runs, format="csv")
    return gold, predictions
