"""Gold and systems meet by their stimuli: the vectors that every side has for them, in one order.

>>> from finegrain.corpus.vectors import of_vectors
>>> human = of_vectors("human", {"vector": np.eye(3)}, {"id": Texts.of(["a", "b", "c"])})
>>> model = of_vectors("model", {"vector": 2 * np.eye(4)}, {"id": Texts.of(["c", "x", "b", "a"])})
>>> met = meet(human, {"model": model})
>>> met.systems["model"].tolist()[0], met.notes
([0.0, 0.0, 0.0, 2.0], ('model: 1 vector is not in human and left out',))

A file with several columns of vectors, such as the layers of a model, is several systems
(``model@layer``); the gold file may hold those of several people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.distances import undefined
from finegrain.alignment.same_text import Systems, named
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import chosen
from finegrain.corpus.items import coded, line_of, of_fields
from finegrain.corpus.notes import Information, told_of
from finegrain.corpus.text_order import joined
from finegrain.corpus.vectors import VECTOR, Vectors, vectors_of
from finegrain.errors import AlignmentError, InputError, Problem, UsageError
from finegrain.sizes import sized

Gold = Literal["vectors", "distances", "similarities"]
FEWEST = 3
_SHOWN = 20  # problems that are reported at once


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """Stimuli in the order of the gold file, which is ``corpus``.

    ``subjects``: the columns of the gold file, ``[stimulus, dimension]``, or square matrices of
    distances; ``systems`` by name, of which ``layers`` says the model and the layer.
    """

    corpus: Corpus
    names: tuple[str, ...]
    subjects: Mapping[str, Vectors]
    systems: Mapping[str, Vectors]
    layers: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def meet(
    gold: Corpus,
    systems: Systems,
    *,
    measured: Gold = "vectors",
    distance: str = "cosine",
    missing: Literal["error", "skip"] = "error",
) -> Met:
    """Match stimuli by their ids, or by their order where one side has none.

    measured: what the gold file holds: vectors, or a square of distances or similarities
    distance: what must be defined for every vector
    missing: whether stimuli that a system does not have are an error, or left out for all
    """
    _require_choices(measured, missing)
    subjects = columns_of(gold)
    size = len(next(iter(subjects.values())))
    ids = ids_of(gold)
    names = tuple(ids.slice(0, len(ids))) if ids is not None else _numbered(size)
    require_unique(gold, names, np.arange(size))
    found: dict[str, Vectors] = {}
    taken: list[NDArray[np.int64]] = []
    layers: list[tuple[str, str]] = []
    notes = list(gold.notes)
    for name, corpus in named(systems):
        columns = columns_of(corpus)
        own, told = places(gold, ids, size, corpus, missing)
        notes += told_of(name, (*corpus.notes, *told))
        for key, vectors in columns.items():
            called = name if len(columns) == 1 else f"{name}@{key}"
            if called in found:
                raise InputError.at(corpus.source, 0, f"two systems are called {called!r}")
            found[called] = np.append(vectors, np.zeros((1, vectors.shape[1])), axis=0)[own]
            layers.append((name, "" if len(columns) == 1 else key))
            taken.append(own)
        _require_defined(corpus, columns, own, distance)
    every = np.logical_and.reduce([own >= 0 for own in taken], axis=0) | np.zeros(size, bool)
    kept = np.flatnonzero(every) if taken else np.arange(size)
    if len(kept) < size:
        notes.append(f"{size - len(kept):,} of {size:,} stimuli are left out (missing:skip)")
    if len(kept) < FEWEST:
        what = f"{sized(len(kept), 'stimulus')}: comparing distances needs {FEWEST} or more"
        raise InputError.at(gold.source, 0, what)
    if measured != "vectors":
        subjects = {key: _square(gold, key, one, measured) for key, one in subjects.items()}
    else:
        _require_defined(gold, subjects, np.arange(size), distance)
    return Met(
        _some(gold, kept),
        tuple(names[row] for row in kept.tolist()),
        {key: one[kept] if measured == "vectors" else one[np.ix_(kept, kept)]
         for key, one in subjects.items()},
        {key: one[kept] for key, one in found.items()},
        tuple(layers),
        tuple(notes),
    )  # fmt: skip


def _require_choices(measured: str, missing: str) -> None:
    known = ("vectors", "distances", "similarities")
    if measured not in known:
        raise UsageError.unknown("content of the gold file", measured, known)
    if missing not in ("error", "skip"):
        raise UsageError.unknown("missing", missing, ("error", "skip"))


def _numbered(size: int) -> tuple[str, ...]:
    return tuple(f"stimulus {place}" for place in range(1, size + 1))


def columns_of(corpus: Corpus) -> dict[str, Vectors]:
    """The columns of vectors of a file; a clear error without any."""
    found = vectors_of(corpus)
    if not found:
        what = "there are no vectors here"
        mend = "Give npy, npz, safetensors, Parquet with a column vector, or word2vec text."
        raise InputError.at(corpus.source, 0, what, mend)
    return found


def ids_of(corpus: Corpus) -> Texts | None:
    """The names of stimuli, if they have any."""
    if "id" not in corpus.fields:
        return None
    column = corpus.fields["id"]
    return column if isinstance(column, Texts) else Texts.of(coded(column, missing=""))


def require_unique(corpus: Corpus, names: tuple[str, ...], rows: NDArray[np.int64]) -> None:
    """No two of the given rows have one id."""
    seen: dict[str, int] = {}
    problems = []
    for row in rows.tolist():
        first = seen.setdefault(names[row], row)
        if first != row:
            what = f"two vectors are called {names[row][:40]!r}: numbers {first + 1} and {row + 1}"
            problems.append(Problem(corpus.source, line_of(corpus, row), what, "Ids are unique."))
    if problems:
        raise InputError(problems[:_SHOWN], unlisted=max(0, len(problems) - _SHOWN))


def places(
    gold: Corpus, ids: Texts | None, size: int, corpus: Corpus, missing: str = "error"
) -> tuple[NDArray[np.int64], list[str]]:
    """``[stimulus]`` the row of each in a system's file, -1 for none; and what must be known."""
    own = ids_of(corpus)
    rows = corpus.n_sentences
    if own is None or ids is None:
        if rows != size:
            what = f"{rows:,} vectors where {gold.source} has {size:,}, and no ids to match them by"
            mend = "Give one row for every item, or ids in both files."
            raise AlignmentError([Problem(corpus.source, 0, what, mend)])
        return np.arange(size), [Information("stimuli are matched by their order")]
    codes = joined([ids, own]).coded().codes
    number = np.full(int(codes.max(initial=0)) + 1, -1, np.int64)
    number[codes[:size]] = np.arange(size)
    theirs = number[codes[size:]]
    used = np.flatnonzero(theirs >= 0)
    require_unique(corpus, tuple(own.slice(0, len(own))), used)
    found = np.full(size, -1, np.int64)
    found[theirs[used]] = used
    _require_all(gold, ids, corpus, found, missing)
    foreign = rows - len(used)
    if not foreign:
        return found, []
    verb = "vector is" if foreign == 1 else "vectors are"
    return found, [Information(f"{foreign:,} {verb} not in {gold.source} and left out")]


def _require_all(
    gold: Corpus, ids: Texts, corpus: Corpus, found: NDArray[np.int64], missing: str
) -> None:
    absent = np.flatnonzero(found < 0)
    if len(absent) == len(found):
        what, mend = f"no stimulus of {gold.source} is here", "Ids are matched to the letter."
        raise AlignmentError([Problem(corpus.source, 0, what, mend)])
    if len(absent) and missing == "error":
        shown = ", ".join(repr(ids[row][:40]) for row in absent[:3].tolist())
        what = f"{len(absent):,} of {len(found):,} stimuli have no vector: {shown}"
        mend = "Add them, or say --missing skip to leave them out for all systems."
        raise AlignmentError([Problem(corpus.source, 0, what + "..." * (len(absent) > 3), mend)])


def _require_defined(
    corpus: Corpus, columns: Mapping[str, Vectors], rows: NDArray[np.int64], distance: str
) -> None:
    """Refuse vectors that are used and have no distance."""
    used = np.zeros(corpus.n_sentences, bool)
    used[rows[rows >= 0]] = True
    problems = []
    for key, vectors in columns.items():
        for row in undefined(vectors, distance).tolist():
            if not used[row]:
                continue
            which = "" if key == VECTOR else f" of {key}"
            name = f" ({corpus.fields['id'][row][:40]!r})" if "id" in corpus.fields else ""
            what = f"vector {row + 1}{which}{name} " + (
                "is zero, which has no angle" if distance == "cosine" else "has equal numbers only"
            )
            mend = "Leave the stimulus out, or use the Euclidean distance (distance=euclidean)."
            problems.append(Problem(corpus.source, line_of(corpus, row), what, mend))
    if problems:
        raise InputError(problems[:_SHOWN], unlisted=max(0, len(problems) - _SHOWN))


def _square(gold: Corpus, key: str, matrix: Vectors, measured: Gold) -> Vectors:
    """A matrix of distances, if it is one."""
    which = "" if key == VECTOR else f" of {key}"
    if matrix.shape[0] != matrix.shape[1]:
        what = f"the {measured}{which} are no square: {matrix.shape[0]:,} x {matrix.shape[1]:,}"
        raise InputError.at(gold.source, 0, what, "Give one row and one column per stimulus.")
    uneven = np.argwhere(~np.isclose(matrix, matrix.T, rtol=1e-6, atol=1e-9))
    if len(uneven):
        row, column = uneven[0].tolist()
        what = (
            f"the {measured}{which} are not symmetric: row {row + 1}, column {column + 1} has "
            f"{matrix[row, column]:g}, and the other way round {matrix[column, row]:g}"
        )
        raise InputError.at(gold.source, 0, what, "Average both directions first.")
    found = np.array(matrix if measured == "distances" else matrix.max() - matrix, np.float64)
    np.fill_diagonal(found, 0)
    return (found + found.T) / 2


def _some(gold: Corpus, rows: NDArray[np.int64]) -> Corpus:
    """The gold file without its vectors, as it is told of stimuli."""
    fields = {
        name: chosen(column, rows)
        for name, column in gold.fields.items()
        if name not in vectors_of(gold)
    }
    fields.setdefault("id", Texts.of(_numbered(gold.n_sentences)[row] for row in rows.tolist()))
    return of_fields(gold.source, fields, format=gold.format)
