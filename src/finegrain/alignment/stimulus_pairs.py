"""One row per pair of stimuli: how far apart they are for gold and for every system.

>>> from finegrain.corpus.texts import Texts
>>> from finegrain.corpus.vectors import of_vectors
>>> from finegrain.tasks.representations import REPRESENTATIONS
>>> ids = {"id": Texts.of(["cat", "dog", "car"])}
>>> human = of_vectors("human", {"vector": np.array([[0.0], [1.0], [5.0]])}, ids)
>>> model = of_vectors("model", {"vector": np.array([[0.0], [9.0], [5.0]])}, ids)
>>> table = align(REPRESENTATIONS, human, {"model": model}, distance="euclidean")
>>> [table.text(row) for row in range(3)], table.columns[GOLD].tolist()
(['cat – dog', 'cat – car', 'dog – car'], [1.0, 5.0, 4.0])
>>> table.details[DISTANCE].T.tolist(), table.values[ERROR].matrix.T.tolist()
([[9.0, 5.0, 4.0]], [[1.0, 0.5, 0.5]])

Distances of two systems have scales of their own, so a pair is graded by its rank among all pairs:
how far that is from its rank in gold, as a share of the largest distance that ranks can have. With
several people in the gold file a pair's gold distance is the mean of its ranks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.distances import Distance, distances, pairs, ranks, require_distance
from finegrain.alignment.item_tables import Met as MetItems
from finegrain.alignment.item_tables import item_table
from finegrain.alignment.same_text import Systems
from finegrain.alignment.stimuli import Gold, Met, meet
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, chosen
from finegrain.corpus.items import LINE, coded, of_fields
from finegrain.corpus.vectors import Vectors, vectors_of
from finegrain.errors import InputError, UsageError
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import Scale, Value

GOLD, FIRST, SECOND = "gold_distance", "first", "second"
"""Of ``table.columns``: the gold distance of a pair, and its two stimuli."""
SUBJECTS, SUBJECT_SPACE = "subject_distances", "subject_euclidean"
"""Of ``table.columns`` ``[pair, subject]``: distances of every column of the gold file."""
DISTANCE, SPACE = "distance", "euclidean"
"""Of ``table.details``: distances of systems; Euclidean ones, which determine inner products."""
ERROR = "rank_error"
"""Of ``table.values``: what pairs are graded by."""
SHARE = Scale(higher=False, best=0.0, worst=1.0)
MOST = 500
"""Stimuli of a table; these have 124,750 pairs."""
_BETWEEN = " – "
_SEED = 1


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    distance: Distance = "cosine",
    gold_is: Gold = "vectors",
    stimuli: str = "all",
    missing: Literal["error", "skip"] = "error",
) -> OutcomeTable:
    """One row per pair of stimuli, graded by how far its rank is from that in gold.

    distance: ``cosine``, ``correlation`` or ``euclidean``
    gold_is: what the gold file holds: ``vectors``, or a square of ``distances`` or ``similarities``
    stimuli: how many are drawn for the table; ``all`` is for 500 at most
    missing: whether stimuli that a system does not have are an ``error``, or left out (``skip``)
    """
    require_distance(distance)
    met = meet(gold, systems, measured=gold_is, distance=distance, missing=missing)
    met, drawn = _drawn(met, stimuli, gold_is)
    size = len(met.names)
    first, second = pairs(size)
    people = [_pairwise(one, distance, gold_is) for one in met.subjects.values()]
    expected = people[0][0] if len(people) == 1 else _mean_ranks([one for one, _ in people])
    made = [_pairwise(one, distance) for one in met.systems.values()]
    given, spaces = (np.array(part).reshape(len(made), len(first)).T
                     for part in (zip(*made, strict=True) if made else ((), ())))  # fmt: skip
    rows = np.zeros(given.shape, np.int64)
    table = item_table(
        task,
        MetItems(_pairs(met, first, second), tuple(met.systems), (), rows, met.notes),
        outcome=np.zeros(given.shape, np.uint8),
        values={ERROR: Value(SHARE, rank_errors(given, expected))},
        details={DISTANCE: given, SPACE: spaces},
        settings=_settings(distance, gold_is, people, drawn),
    )  # fmt: skip
    columns = {
        GOLD: expected,
        SUBJECTS: np.stack([one for one, _ in people], axis=1),
        SUBJECT_SPACE: np.stack([one for _, one in people], axis=1),
    }
    return replace(table, columns={**columns, **table.columns}, facets=_facets(met))


def rank_errors(given: NDArray[np.float64], expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """``[pair, system]`` the distance of ranks from those of gold, 1 for opposite ends."""
    gold = ranks(expected)
    most = max(1, len(gold) - 1)
    columns = [np.abs(ranks(own) - gold) / most for own in given.T]
    return np.array(columns).reshape(len(columns), len(gold)).T


def _pairwise(
    vectors: Vectors, distance: str, measured: Gold = "vectors"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``[pair]`` distances, and Euclidean ones; a square of distances has no others."""
    first, second = pairs(len(vectors))
    if measured != "vectors":
        found = np.asarray(vectors, np.float64)[first, second]
        return found, np.full(len(found), np.nan)
    found = distances(vectors, distance)[first, second]
    if distance == "euclidean":
        return found, found
    return found, distances(vectors, "euclidean")[first, second]


def _mean_ranks(people: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.mean([ranks(one) for one in people], axis=0)
    return found


def _drawn(met: Met, stimuli: str, measured: Gold) -> tuple[Met, int]:
    """Some stimuli, if that is asked for; 0: all of them."""
    size = len(met.names)
    if stimuli == "all":
        if size > MOST:
            raise InputError.at(
                met.corpus.source, 0,
                f"{size:,} stimuli have {size * (size - 1) // 2:,} pairs, too many for a table",
                f"Use finegrain rsa, which takes them all, or draw some: --set stimuli={MOST}.",
            )  # fmt: skip
        return met, 0
    if not stimuli.isdecimal() or not 3 <= int(stimuli) <= MOST:
        raise UsageError(f"stimuli: all, or a number from 3 to {MOST}, not {stimuli!r}")
    if int(stimuli) >= size:
        return met, 0
    rows = np.sort(np.random.default_rng(_SEED).permutation(size)[: int(stimuli)])
    fields = {name: chosen(column, rows) for name, column in met.corpus.fields.items()}
    square = measured != "vectors"
    return Met(
        of_fields(met.corpus.source, fields, format=met.corpus.format),
        tuple(met.names[row] for row in rows.tolist()),
        {key: one[np.ix_(rows, rows)] if square else one[rows]
         for key, one in met.subjects.items()},
        {key: one[rows] for key, one in met.systems.items()},
        met.layers,
        (*met.notes, f"{len(rows):,} of {size:,} stimuli are drawn (seed {_SEED})"),
    ), len(rows)  # fmt: skip


def _settings(
    distance: str, measured: str, people: Sequence[tuple[NDArray[np.float64], ...]], drawn: int
) -> dict[str, str]:
    return {
        "distance": distance,
        **({} if measured == "vectors" else {"gold_is": measured}),
        **({} if len(people) == 1 else {"subjects": str(len(people))}),
        **({} if not drawn else {"stimuli": str(drawn)}),
    }


def _pairs(met: Met, first: NDArray[np.int64], second: NDArray[np.int64]) -> Corpus:
    """The pairs as items: their names, and what both stimuli are."""
    names = [met.names[row] for row in range(len(met.names))]
    pairs_of = zip(first.tolist(), second.tolist(), strict=True)
    fields: dict[str, Column] = {
        "id": Texts.of(f"{names[one]}{_BETWEEN}{two}" for one, two in
                       ((one, names[two]) for one, two in pairs_of)),
        FIRST: Texts.of(names[row] for row in first.tolist()),
        SECOND: Texts.of(names[row] for row in second.tolist()),
    }  # fmt: skip
    for name, column in met.corpus.fields.items():
        if name not in ("id", LINE):
            fields[name] = _of_both(column, first, second)
    return of_fields(met.corpus.source, fields, format=met.corpus.format)


def _of_both(column: Column, first: NDArray[np.int64], second: NDArray[np.int64]) -> Column:
    """What both stimuli have: one name where they agree, else both in the alphabet's order."""
    own = coded(column, missing="")
    names = own.names
    kinds, codes = np.unique(
        np.sort(np.stack([own.codes[first], own.codes[second]], axis=1), axis=1),
        axis=0, return_inverse=True,
    )  # fmt: skip
    told = [
        names[one] if one == two else _BETWEEN.join(sorted((names[one], names[two])))
        for one, two in kinds.tolist()
    ]
    return Texts.of(told[code] for code in codes.ravel().tolist())


def _facets(met: Met) -> Mapping[str, tuple[str, ...]]:
    """The model and the layer of every system, where some file holds several layers."""
    if not any(layer for _, layer in met.layers):
        return {}
    names = tuple(name for name, _ in met.layers)
    layers = tuple(layer for _, layer in met.layers)
    return {"system": tuple(met.systems), "seed": ("",) * len(names), "model": names,
            "layer": layers}  # fmt: skip


def recognise(corpus: Corpus, _: str) -> bool:
    """Items with vectors."""
    return bool(vectors_of(corpus))
