"""Scores that others gave to outputs, from files: COMET, BERTScore, judges, people.

>>> given = asked("comet.tsv:higher:0..1,mqm=people.tsv:lower:0..25")
>>> [(one.name, one.path, one.scale.higher, one.scale.best) for one in given]
[('comet', 'comet.tsv', True, 1.0), ('mqm', 'people.tsv', False, 0.0)]

A file has columns ``id``, ``system`` and ``score`` (or named as the metric), or ``id`` and a column
for each system; without ids segments are in the order of the gold file. Higher is better unless
``lower`` is said; a range tells the ends. A name that is no file is a column of systems' own files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.references import strings
from finegrain.corpus import Corpus
from finegrain.corpus.items import line_of, numbers
from finegrain.errors import InputError, UsageError
from finegrain.files_read import called
from finegrain.formats import read_source, recognise
from finegrain.formats.source import open_source, stem
from finegrain.table.scale import Scale, Value

_IDS, _SCORE = ("id", "segment", "item"), ("score", "value")
Floats = NDArray[np.float64]


class Asked(NamedTuple):
    """A score: its name, its file (or column), and how it is read."""

    name: str
    path: str
    scale: Scale


def asked(text: str) -> list[Asked]:
    """What ``--set scores=...`` says."""
    return [_asked(one.strip()) for one in text.split(",") if one.strip()]


def _asked(text: str) -> Asked:
    told, *rest = text.split(":")
    name, equals, path = told.partition("=")
    higher, low, high = True, None, None
    for one in rest:
        if one in ("higher", "lower"):
            higher = one == "higher"
        elif ".." in one:
            try:
                low, high = (float(end) for end in one.split(".."))
            except ValueError:
                raise UsageError(f"--set scores: {one!r} is not a range such as 0..1") from None
        else:
            raise UsageError(f"--set scores: {one!r} is neither higher, lower nor a range as 0..1")
    best, worst = (high, low) if higher else (low, high)
    scale = Scale(higher=higher, best=best, worst=worst, shown="number")
    return Asked(name if equals else stem(told), path if equals else told, scale)


def values_of(
    wanted: Sequence[Asked], gold: Corpus, systems: Sequence[tuple[str, Corpus, NDArray[np.int64]]]
) -> dict[str, Value]:
    """``[segment, system]`` of every score; systems with their corpora and the rows of segments."""
    found: dict[str, Value] = {}
    for one in wanted:
        if one.name in found:
            raise UsageError(f"--set scores: two scores are called {one.name!r}")
        if os.path.exists(one.path):  # noqa: PTH110 - pathlib is slow to import
            matrix = _from_file(one, gold, [name for name, _, _ in systems])
        else:
            columns = [_own(one, corpus)[rows] for _, corpus, rows in systems]
            matrix = np.stack(columns, axis=1) if columns else np.empty((gold.n_sentences, 0))
        _require_range(one, matrix)
        found[one.name] = Value(one.scale, matrix)
    return found


def _own(one: Asked, corpus: Corpus) -> Floats:
    """A column of a system's own file, nan for segments that it lacks (the last row)."""
    column = corpus.fields.get(one.path)
    known = None if column is None else numbers(column)
    if known is None:
        what = f"there is no column of numbers {one.path!r}, and no file of this name"
        raise InputError.at(corpus.source, 1, what, "Say --set scores=FILE:higher:0..1.")
    return np.append(known, np.nan)


def _from_file(one: Asked, gold: Corpus, systems: list[str]) -> Floats:
    source = open_source(one.path)
    called(one.path, one.name)
    corpus = read_source(source, recognise(source, ("items", "csv")))
    wide = [name for name in systems if name in corpus.fields]
    place = _places(gold, corpus)
    found = np.full((gold.n_sentences, len(systems)), np.nan)
    if "system" not in corpus.fields:
        lacking = [name for name in systems if name not in wide]
        if lacking:
            have = ", ".join(name for name in corpus.fields if not name.startswith("@"))
            what = f"neither a column 'system' nor one called {lacking[0]!r} (columns: {have})"
            raise InputError.at(
                one.path, 1, what, "Write id, system, score; or one for each system."
            )
        for at, name in enumerate(systems):
            found[place, at] = _numbers(one, corpus, name)
        return found
    named = next((name for name in (one.name, *_SCORE) if name in corpus.fields), one.name)
    score, whose = _numbers(one, corpus, named), strings(corpus.fields["system"])
    at_system = {name: at for at, name in enumerate(systems)}
    rows = [row for row, name in enumerate(whose) if name in at_system]
    columns = [at_system[str(whose[row])] for row in rows]
    if place is not None and len(place) != len(whose):
        raise InputError.at(one.path, 1, "there are no ids, and not one score for each segment")
    found[place[rows], columns] = score[rows]
    return found


def _places(gold: Corpus, corpus: Corpus) -> NDArray[np.int64]:
    """``[row]`` the segment that each row of a file of scores is about."""
    name = next((one for one in _IDS if one in corpus.fields), None)
    size = gold.n_sentences
    if name is None:
        if "system" in corpus.fields:
            whose, seen = strings(corpus.fields["system"]), dict[str | None, int]()
            order = []
            for one in whose:
                seen[one] = seen.get(one, -1) + 1
                order.append(seen[one])
            place = np.array(order, np.int64)
        else:
            place = np.arange(corpus.n_sentences)
        if corpus.n_sentences and place.max() + 1 != size:
            what = f"{place.max() + 1:,} scores of a system where there are {size:,} segments"
            raise InputError.at(corpus.source, 1, what, "Add ids, or a score for every segment.")
        return place
    ids = strings(corpus.fields[name])
    known = _ids(gold)
    for row, one in enumerate(ids):
        if one not in known:
            what = f"the segment {str(one)[:40]!r} is not in the gold file"
            raise InputError.at(corpus.source, line_of(corpus, row), what, "Ids are those of gold.")
    return np.array([known[str(one)] for one in ids], np.int64)


def _ids(gold: Corpus) -> Mapping[str, int]:
    """Segments by their ids; by their numbers from 1 where they have none."""
    if "id" not in gold.fields:
        return {str(at + 1): at for at in range(gold.n_sentences)}
    return {str(one): at for at, one in enumerate(strings(gold.fields["id"]))}


def _numbers(one: Asked, corpus: Corpus, name: str) -> Floats:
    if name not in corpus.fields:
        have = ", ".join(other for other in corpus.fields if not other.startswith("@"))
        what = f"no column {name!r} or 'score' (columns: {have})"
        raise InputError.at(one.path, 1, what, "Name the column score.")
    found = numbers(corpus.fields[name])
    if found is None:
        raise InputError.at(one.path, 1, f"the column {name!r} has cells that are not numbers")
    return found


def _require_range(one: Asked, matrix: Floats) -> None:
    low, high = one.scale.range
    known = matrix[~np.isnan(matrix)]
    if len(known) and (known.min() < low or known.max() > high):
        worst = known.min() if known.min() < low else known.max()
        what = f"{worst:g} is outside of the range {low:g}..{high:g}"
        raise InputError.at(one.path, 0, what, "Say the range that the score has.")
