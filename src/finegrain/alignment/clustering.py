"""One row per item: its class, and whether that is the class of most items of its cluster.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.clustering import CLUSTERING
>>> gold = read(source_of("gold", b"q1,sport\\nq2,sport\\nq3,news\\n"))
>>> table = align(CLUSTERING, gold, {"mine": read(source_of("mine", b"q1,c7\\nq2,c7\\nq3,c7\\n"))})
>>> table.details[CLUSTER].T.tolist(), table.outcome.T.tolist()
([[0, 0, 0]], [[0, 0, 1]])

Of classes that are equally frequent in a cluster, the first in the alphabet is its majority. Items
without a class are left out and counted. Clusters have numbers of their own for every system.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.classification import ANSWER, GOLD
from finegrain.alignment.item_tables import (
    Met,
    Missing,
    item_table,
    label_field,
    meet,
    without_missing,
)
from finegrain.alignment.label_sets import require_distinct
from finegrain.alignment.same_text import Systems
from finegrain.alignment.tags import recode
from finegrain.corpus import Coded, Corpus
from finegrain.corpus.item_faults import item_faults
from finegrain.corpus.label_rules import ALL_LABELS, LabelRules
from finegrain.errors import InputError, UsageError
from finegrain.table import OutcomeTable, Task

CLUSTER = "cluster"
"""Of ``table.details``: ``[unit, system]`` the number of its cluster."""
CLUSTER_NAMES = ("cluster", "cluster_id", "community", "topic", "assignment", *ANSWER)
"""Columns that hold a system's clusters, the first that there is."""
MAJORITY, MINORITY = range(2)


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    rules: LabelRules = ALL_LABELS,
    missing: Missing = "error",
) -> OutcomeTable:
    """One row per gold item.

    ``rules`` rename classes; items whose class is left out are not units. ``missing``: items that a
    system has in no cluster are an ``error``, or left out for all systems (``skip``).
    """
    if missing == "wrong":
        raise UsageError("missing: no cluster is wrong as such; say skip to leave such items out")
    met = meet(gold, systems, missing=missing)
    expected = rules.on_tags(label_field(gold, GOLD, "class"))
    labels = tuple(sorted(set(expected.names) - {""}))
    if not labels:
        raise InputError.at(gold.source, 0, "no item has a class")
    require_distinct([(gold.source, labels)])
    kept = np.array([name != "" and rules.keeps(name) for name in expected.names], bool)
    label = recode(expected, ("", *labels)).astype(np.int32) - np.int32(1)
    counted = kept[expected.codes]
    notes = [f"the class {name!r} occurs nowhere" for name in rules.unused(expected.names)]
    if (label < 0).any():
        notes.append(f"{int((label < 0).sum()):,} of {len(label):,} items have no class")
    clusters = [_clusters(met, system, missing) for system in range(len(met.names))]
    used = [name for name in GOLD if name in gold.fields][:1]
    answer = np.full((len(label), len(clusters)), -1, np.int32)
    table = item_table(
        task, met, outcome=np.zeros(answer.shape, np.uint8), labels=labels,
        label=np.maximum(label, 0), answer=answer, used=used, notes=notes,
        details={CLUSTER: np.stack([one.codes for one in clusters], axis=1).astype(np.int32)
                 if clusters else answer},
        settings={**rules.signature(), **({} if missing == "error" else {"missing": missing})},
    )  # fmt: skip
    for name, one in zip(met.names, clusters, strict=True):
        column = np.empty(len(label), object)
        column[:] = [text or None for text in one]
        table = table.with_column(f"cluster of {name}", column)
    table = _complete(table, met, counted, missing)
    return _judged(table)


def _complete(
    table: OutcomeTable, met: Met, counted: NDArray[np.bool_], missing: Missing
) -> OutcomeTable:
    """The table without items that have no class or, with ``skip``, no cluster."""
    left = without_missing(table, met, missing)
    if missing == "skip":
        counted = counted[met.complete]
    has = counted & (left.details[CLUSTER] >= 0).all(axis=1)
    return left if has.all() else left.where(has)


def _clusters(met: Met, system: int, missing: Missing) -> Coded:
    """The clusters of a system in the order of gold items; -1 where it has none."""
    corpus, rows = met.corpora[system], met.rows[:, system]
    own = label_field(corpus, CLUSTER_NAMES, "cluster")
    names = tuple(name for name in own.names if name)
    codes = recode(own, ("", *names)).astype(np.int32) - np.int32(1)
    empty = np.flatnonzero(codes < 0)
    if len(empty) and missing == "error":
        mend = "Write the name of a cluster, or say --missing skip."
        raise item_faults(corpus, empty, "no cluster", mend)
    return Coded(np.append(codes, np.int32(-1))[rows], (*names, ""))


def _judged(table: OutcomeTable) -> OutcomeTable:
    """With outcomes, and clusters that systems have numbers of their own for."""
    outcome = np.zeros(table.outcome.shape, np.uint8)
    cluster = np.zeros_like(table.details[CLUSTER])
    notes, next_free = list(table.notes), 0
    for system, name in enumerate(table.systems):
        _, own = np.unique(table.details[CLUSTER][:, system], return_inverse=True)
        own = own.ravel()
        size = int(own.max()) + 1 if len(own) else 0
        outcome[:, system] = table.label != majority_classes(table.label, own)[own]
        cluster[:, system] = own + next_free
        next_free += size
        notes += crowded(name, size, len(table))
    details = {**table.details, CLUSTER: cluster}
    return replace(table, outcome=outcome, details=details, notes=tuple(notes))


def majority_classes(label: NDArray[np.integer], cluster: NDArray[np.integer]) -> NDArray[np.int64]:
    """``[cluster]`` the code of the most frequent class, the first of equals.

    >>> majority_classes(np.array([1, 0, 0, 1]), np.array([0, 1, 1, 0])).tolist()
    [1, 0]
    """
    width = int(label.max(initial=0)) + 1
    size = int(cluster.max()) + 1 if len(cluster) else 0
    keys, counts = np.unique(cluster.astype(np.int64) * width + label, return_counts=True)
    order = np.lexsort((keys, -counts, keys // width))
    _, first = np.unique((keys // width)[order], return_index=True)
    found: NDArray[np.int64] = (keys[order][first] % width).reshape(size)
    return found


def crowded(name: str, clusters: int, items: int) -> list[str]:
    """A note on clusters that are nearly as many as items.

    >>> crowded("fine", 3, 8), len(crowded("fine", 4, 8))
    ([], 1)
    """
    if items < 2 or 2 * clusters < items:
        return []
    rewards = "purity, homogeneity and B-cubed precision reward small clusters"
    counted = f"{name}: {clusters:,} clusters for {items:,} items"
    return [f"{counted}: {rewards}; inverse purity and ARI do not"]
