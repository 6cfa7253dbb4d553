"""Matrices of distances of gold and systems: from a table of pairs, or from vectors themselves.

>>> from finegrain.testing import small_corpora
>>> from finegrain.tasks.representations import REPRESENTATIONS
>>> found = of_table(REPRESENTATIONS.align(*small_corpora("representations")))
>>> found.size, list(found.systems), found.gold.shape
(7, ['near', 'other'], (7, 7))
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.distances import distances, ranks, square
from finegrain.alignment.stimuli import Met
from finegrain.alignment.stimulus_pairs import (
    DISTANCE,
    FIRST,
    GOLD,
    SECOND,
    SPACE,
    SUBJECT_SPACE,
    SUBJECTS,
)
from finegrain.table import OutcomeTable

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """``[stimulus, stimulus]`` each.

    Parameters
    ----------
    names: of stimuli
    systems: names; ``given`` their distances, ``spaces`` the Euclidean ones
    gold: what systems are compared with; of several people, the mean of their ranks
    people: the distances of every column of the gold file; ``people_spaces`` the Euclidean ones,
        none where the gold file holds distances
    layers: the model and the layer of every system, where some file holds several layers
    """

    names: tuple[str, ...]
    systems: tuple[str, ...]
    gold: Floats
    given: tuple[Floats, ...]
    spaces: tuple[Floats, ...]
    people: tuple[Floats, ...]
    people_spaces: tuple[Floats, ...]
    layers: tuple[tuple[str, str], ...] = ()

    @property
    def size(self) -> int:
        return len(self.names)


def of_table(table: OutcomeTable) -> Matrices | None:
    """From the pairs of a table; ``None`` if some are missing, as with a selection of them."""
    first, second = (table.columns[name] for name in (FIRST, SECOND))
    names = tuple(dict.fromkeys([*first.tolist(), *second.tolist()]))
    size = len(names)
    upper = [names[row] for row in np.triu_indices(size, 1)[0].tolist()]
    if len(table) != size * (size - 1) // 2 or first.tolist() != upper:
        return None
    people, spaces = (
        tuple(square(one, size) for one in table.columns[name].T)
        for name in (SUBJECTS, SUBJECT_SPACE)
    )
    model, layer = (table.facets.get(name, ()) for name in ("model", "layer"))
    return Matrices(
        tuple(map(str, names)),
        table.systems,
        square(table.columns[GOLD], size),
        tuple(square(one, size) for one in table.details[DISTANCE].T),
        tuple(square(one, size) for one in table.details[SPACE].T),
        people,
        () if any(np.isnan(one).any() for one in spaces) else spaces,
        tuple(zip(model, layer, strict=True)),
    )


def of_vectors(met: Met, distance: str, *, measured: str = "vectors") -> Matrices:
    """From vectors: as many stimuli as their matrices fit into memory."""
    vectors = measured == "vectors"
    people = tuple(
        distances(one, distance) if vectors else np.asarray(one, np.float64)
        for one in met.subjects.values()
    )
    layers = met.layers if any(layer for _, layer in met.layers) else ()
    return Matrices(
        met.names,
        tuple(met.systems),
        people[0] if len(people) == 1 else mean_ranks(people),
        tuple(distances(one, distance) for one in met.systems.values()),
        tuple(distances(one, "euclidean") for one in met.systems.values()),
        people,
        tuple(distances(one, "euclidean") for one in met.subjects.values()) if vectors else (),
        layers,
    )


def mean_ranks(people: tuple[Floats, ...]) -> Floats:
    """The mean of the ranks of pairs over people."""
    size = len(people[0])
    upper = np.triu_indices(size, 1)
    return square(np.asarray(np.mean([ranks(one[upper]) for one in people], axis=0)), size)
