"""What an automatic metric gives to items and systems that people judged.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> given = read(source_of("bleu.csv", b"item,system,value\\nq1,a,0.5\\nq1,b,0.25\\n"))
>>> values_of(given, ("q1", "q2"), ("a", "b")).tolist()
[[0.5, 0.25], [nan, nan]]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.item_tables import first_column, number_field
from finegrain.alignment.rated_rows import ITEM, SYSTEM
from finegrain.corpus import Corpus
from finegrain.corpus.items import coded, line_of
from finegrain.errors import AlignmentError, Collector, UsageError

VALUE = ("value", "score", "metric", "rating", "prediction")


def values_of(corpus: Corpus, items: Sequence[str], systems: Sequence[str]) -> NDArray[np.float64]:
    """``[item, system]`` the numbers of a file ``item, system, value``; nan where it has none."""
    problems = Collector(corpus.source)
    item, system = (coded(first_column(corpus, one, one[0]), missing="") for one in (ITEM, SYSTEM))
    given = number_field(corpus, VALUE, "value")
    places = []
    for column, names, what in ((item, items, "item"), (system, systems, "system")):
        number = {name: code for code, name in enumerate(names)}
        place = np.array([number.get(name, -1) for name in column.names])[column.codes]
        for row in np.flatnonzero(place < 0).tolist():
            told = f"the {what} {column[row][:40]!r} is not among the judgements"
            problems.add(line_of(corpus, row), told, f"There, {what}s are {_some(names)}.")
        places.append(place)
    _raise(problems)
    cell = places[0] * len(systems) + places[1]
    _, first, back = np.unique(cell, return_index=True, return_inverse=True)
    for row in np.flatnonzero(first[back.ravel()] != np.arange(len(cell))).tolist():
        told = f"{system[row][:40]!r} on {item[row][:40]!r} has a value twice"
        problems.add(line_of(corpus, row), told, "Keep one value for each item and system.")
    _raise(problems)
    found = np.full(len(items) * len(systems), np.nan)
    found[cell] = given
    if np.isnan(found).all():
        raise UsageError(f"{corpus.source} has no value")
    return found.reshape(len(items), len(systems))


def _some(names: Sequence[str]) -> str:
    return ", ".join(repr(name[:40]) for name in names[:3]) + ("..." if len(names) > 3 else "")


def _raise(problems: Collector) -> None:
    if problems.problems:
        raise AlignmentError(problems.problems, unlisted=problems.unlisted)
