"""Representational similarity analysis of vectors: as many stimuli as fit into memory.

>>> import numpy as np
>>> human = np.array([[0.0, 1.0], [1.0, 1.0], [5.0, 1.0], [5.0, 3.0]])
>>> turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
>>> found = rsa(human, {"turned": 3 * human @ turn}, intervals=0)
>>> found.data["systems"]["turned"]["rsa"], found.data["pairs"]
(1.0, 6)

A table of pairs (``fg.align(..., task="representations")``) is for everything else: buckets,
differences, single pairs. It has the same study, and holds 500 stimuli at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import numpy as np

from finegrain.alignment.distances import Distance, require_distance
from finegrain.alignment.stimuli import Gold, meet
from finegrain.analyses.signature import of_parts
from finegrain.analyses.studies.content import Study
from finegrain.analyses.studies.geometry import said_of, study_of
from finegrain.analyses.studies.matrices import of_vectors as matrices_of
from finegrain.corpus import Corpus
from finegrain.corpus.vectors import VECTOR, of_vectors
from finegrain.errors import InputError, UsageError
from finegrain.resampling.intervals import LEVEL, RESAMPLES, SEED, Drawing
from finegrain.tasks.representations import REPRESENTATIONS

Correlation = Literal["spearman", "pearson"]
Given = Corpus | Any
"""A corpus with vectors (``fg.read``), or an array ``[stimulus, dimension]``."""
MOST = 20_000
"""Stimuli: a matrix of them takes 3 GB."""


def rsa(
    gold: Given,
    systems: Mapping[str, Given] | Iterable[tuple[str, Given]],
    *,
    distance: Distance = "cosine",
    correlation: Correlation = "spearman",
    gold_is: Gold = "vectors",
    missing: Literal["error", "skip"] = "error",
    intervals: int = RESAMPLES,
    confidence: float = LEVEL,
    seed: int = SEED,
) -> Study:
    """Compare the distances of all pairs of stimuli with those of gold.

    Parameters
    ----------
    gold: vectors of the stimuli, of one person or model or of several (columns of a corpus)
    systems: name -> vectors; several columns of one are its layers
    distance: ``cosine``, ``correlation`` or ``euclidean``
    correlation: of distances: ``spearman``, by ranks, or ``pearson``
    gold_is: whether gold holds ``vectors`` or a square of ``distances`` or ``similarities``
    missing: whether stimuli that a system does not have are an ``error`` or left out (``skip``)
    intervals: permutations for p, and resamples for intervals; 0: none
    """
    require_distance(distance)
    if correlation not in get_args(Correlation):
        raise UsageError.unknown("correlation", correlation, get_args(Correlation))
    reference = corpus_of("gold", gold)
    if reference.n_sentences > MOST:
        what = f"{reference.n_sentences:,} stimuli, more than the {MOST:,} that fit into memory"
        raise InputError.at(reference.source, 0, what, "Draw some of them.")
    pairs = systems.items() if isinstance(systems, Mapping) else systems
    met = meet(
        reference, ((name, corpus_of(name, one)) for name, one in pairs), measured=gold_is,
        distance=distance, missing=missing,
    )  # fmt: skip
    if not met.systems:
        raise UsageError("rsa compares systems with gold: give one or more")
    matrices = matrices_of(met, distance, measured=gold_is)
    drawing = Drawing(intervals, confidence, seed)
    told = of_parts({
        "task": REPRESENTATIONS.name,
        "distance": distance,
        "correlation": correlation,
        **({} if gold_is == "vectors" else {"gold_is": gold_is}),
        **({} if len(matrices.people) == 1 else {"subjects": str(len(matrices.people))}),
        **said_of(drawing),
        "stimuli": str(matrices.size),
        "systems": str(len(matrices.systems)),
    })  # fmt: skip
    return study_of(
        matrices, REPRESENTATIONS, told, drawing, ranked=correlation == "spearman", notes=met.notes
    )


def corpus_of(name: str, given: Given) -> Corpus:
    if isinstance(given, Corpus):
        return given
    array = np.asarray(given)
    if array.ndim not in (2, 3) or array.dtype.kind not in "fiu":
        raise UsageError(
            f"{name}: give a corpus (fg.read) or an array of numbers [stimulus, dimension], not "
            f"one of shape {list(array.shape)}"
        )
    values = array.astype(np.float64)
    if not np.isfinite(values).all():
        raise UsageError(f"{name}: some vectors hold nan or infinity")
    if array.ndim == 2:
        return of_vectors(name, {VECTOR: values})
    return of_vectors(name, {str(layer): one for layer, one in enumerate(values)})
