"""Items from lists, arrays and columns of data frames: labels, numbers, probabilities.

>>> import finegrain as fg
>>> table = fg.from_items(["pos", "neg"], {"mine": ["pos", "pos"]}, fields={"domain": ["a", "b"]})
>>> fg.score(table, "accuracy").value("accuracy", "mine"), list(table.columns)
(0.5, ['domain'])

With scikit-learn: ``fg.from_items(y, {"svm": model.predict(X)}, probabilities={"svm":
model.predict_proba(X)}, classes=model.classes_, task="classification")``. Sets of labels are lists,
or a matrix of 0 and 1 as ``MultiLabelBinarizer`` makes it, whose columns ``classes`` names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import coded, of_fields
from finegrain.errors import AlignmentError, Problem, UsageError
from finegrain.table import OutcomeTable
from finegrain.tasks import Task, align

_SYSTEM = "system"
_GOLD, _ANSWER = "gold", "answer"


class Lists(NamedTuple):
    """Several values for each item, and how many items there are."""

    rows: Rows
    items: int

    def __len__(self) -> int:
        return self.items


def from_items(
    y_true: Any,
    y_pred: Any,
    *,
    fields: Any = None,
    ids: Any = None,
    probabilities: Any = None,
    classes: Iterable[Any] | None = None,
    task: str | Task | None = None,
    **options: Any,
) -> OutcomeTable:
    """Align gold answers and those of systems, one for each item, into an outcome table.

    Parameters
    ----------
    y_true: gold labels or numbers: a list, an array, a column of a data frame; or for each item a
        list or set of labels; or an array ``[item, class]`` of 0 and 1, a sparse one too, or a data
        frame with such a column for each label
    y_pred: answers in the same order, or a dictionary of them, name -> answers, or a data frame
        with a column for each system
    fields: what else is known of items, name -> values or a data frame: texts (``text``), metadata
    ids: names of items, for ``show``
    probabilities: ``[item, class]``, or a dictionary of them: name -> array
    classes: the labels of the columns of ``probabilities``, and of arrays of 0 and 1
    task: ``classification``, ``regression`` ...; found out if the gold answers leave no doubt
    options: of the task, such as ``missing="wrong"``
    """
    size = np.shape(y_true)[0] if _is_matrix(y_true) else len(y_true)
    answered = _answers(y_true, _GOLD, classes)
    numbered = any(isinstance(one, Lists) for one in answered.values())
    ids = range(1, size + 1) if ids is None and numbered else ids  # lists alone have no rows
    shared = {} if ids is None else {"id": _ids(ids)}
    more = {
        name: _column(values, name) for name, values in _named({} if fields is None else fields)
    }
    gold = _corpus(_GOLD, {**shared, **answered, **more}, size)
    answers = dict(_named(y_pred) if _has_names(y_pred) else [(_SYSTEM, y_pred)])
    chances = _by_system(probabilities, answers)
    systems = {
        str(name): _corpus(
            str(name),
            {
                **shared,
                **_answers(given, _ANSWER, classes),
                **_chances(chances.get(name), classes),
            },
            size,
        )
        for name, given in answers.items()
    }
    return align(gold, systems, task=task, **options)


def _answers(values: Any, column: str, classes: Iterable[Any] | None) -> dict[str, Column | Lists]:
    """One value for each item, or lists of labels, or a column for each label."""
    if _is_matrix(values):
        return {f"{column}.{name}": one for name, one in _matrix(values, column, classes)}
    listed = values.tolist() if hasattr(values, "tolist") else list(values)
    kinds = (list, tuple, set, frozenset)
    if not listed or not all(isinstance(value, kinds) for value in listed):
        return {column: _column(listed, column)}
    parent = np.repeat(np.arange(len(listed)), [len(value) for value in listed])
    labels = coded(_column([one for value in listed for one in value], column), missing="")
    return {column: Lists(Rows(parent, {"value": labels}), len(listed))}


def _is_matrix(values: Any) -> bool:
    """Whether it is numbers by item and class: an array, a sparse one, a data frame."""
    if not hasattr(values, "shape") or len(values.shape) != 2:
        return False
    return hasattr(values, "columns") or np.dtype(values.dtype).kind in "biuf"


def _matrix(values: Any, name: str, classes: Iterable[Any] | None) -> Iterable[tuple[str, Column]]:
    """The columns of a matrix with the labels that they stand for."""
    if hasattr(values, "columns"):
        return [(label, _column(one, label)) for label, one in _named(values)]
    if classes is None:
        raise UsageError(f"classes: name the labels of the columns of {name}, an array of 0 and 1")
    array = np.asarray(values.toarray() if hasattr(values, "toarray") else values, np.float64)
    return zip(_classes(classes, array, name), array.T, strict=True)


def _column(values: Any, name: str) -> Column:
    """Numbers, or strings; what is missing is nan or nothing."""
    listed = values.tolist() if hasattr(values, "tolist") else list(values)
    if any(isinstance(value, list | tuple | dict) for value in listed):
        raise UsageError(f"{name}: one value for each item, not a list of them")
    given = [value for value in listed if value is not None and value == value]  # noqa: PLR0124 - nan
    if given and all(isinstance(value, int | float) for value in given):
        return np.array([np.nan if value is None else value for value in listed], np.float64)
    missing = (value is None or value != value for value in listed)  # noqa: PLR0124 - nan
    return Texts.of("" if no else str(value) for no, value in zip(missing, listed, strict=True))


def _ids(ids: Any) -> Texts:
    return Texts.of(coded(_column(ids, "ids"), missing=""))


def _corpus(name: str, fields: Mapping[str, Column | Lists], size: int) -> Corpus:
    for column, values in fields.items():
        if len(values) != size:
            what = f"{column} has {len(values):,} values for {size:,} items"
            raise AlignmentError([Problem(name, 0, what, "Give one value for every gold item.")])
    single = {name: one for name, one in fields.items() if not isinstance(one, Lists)}
    parts = {name: one.rows for name, one in fields.items() if isinstance(one, Lists)}
    numbered: dict[str, Column] = {"id": Texts.of(map(str, range(1, size + 1)))}  # by order
    return of_fields(name, single or numbered, parts=parts, format="items")


def _has_names(values: Any) -> bool:
    """Whether it is a dictionary, or a data frame (of pandas, polars ...)."""
    return isinstance(values, Mapping) or (hasattr(values, "columns") and hasattr(values, "shape"))


def _named(values: Any) -> list[tuple[str, Any]]:
    """Columns with their names."""
    if not _has_names(values):
        raise UsageError("fields: a dictionary or a data frame is needed, name -> values")
    names = values if isinstance(values, Mapping) else values.columns
    return [(str(name), values[name]) for name in names]


def _by_system(probabilities: Any, answers: Mapping[str, Any]) -> Mapping[str, Any]:
    if probabilities is None:
        return {}
    by_name = isinstance(probabilities, Mapping)
    given = dict(_named(probabilities) if by_name else [(_SYSTEM, probabilities)])
    for name in given:
        if name not in answers:
            raise UsageError.unknown("system", name, list(answers))
    return given


def _chances(values: Any, classes: Iterable[Any] | None) -> dict[str, Column]:
    if values is None:
        return {}
    if classes is None:
        raise UsageError("classes: name the labels of the columns of probabilities")
    array = np.asarray(values, np.float64)
    names = _classes(classes, array, "probabilities")
    return {f"probabilities.{name}": column for name, column in zip(names, array.T, strict=True)}


def _classes(classes: Iterable[Any], array: NDArray[np.float64], what: str) -> Sequence[str]:
    """The labels of the columns of an array."""
    names = list(coded(_column(list(classes), "classes"), missing=""))
    if array.ndim != 2 or array.shape[1] != len(names):
        raise UsageError(f"{what}: [item, class] is needed, with {len(names)} classes")
    return names
