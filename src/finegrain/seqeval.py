"""The functions of seqeval, by its names and with its arguments: change the import, no more.

>>> from finegrain.seqeval import accuracy_score, classification_report, f1_score
>>> gold = [["O", "B-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
>>> answers = [["B-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
>>> f1_score(gold, answers), round(accuracy_score(gold, answers), 3)
(0.5, 0.714)
>>> classification_report(gold, answers, output_dict=True)["PER"]
{'precision': 1.0, 'recall': 1.0, 'f1-score': 1.0, 'support': 1}

``compute`` has the names of the metric ``seqeval`` of Hugging Face's evaluate:

>>> compute(predictions=answers, references=gold)["overall_recall"]
0.5

All but ``accuracy_score`` take ``suffix``, ``mode``, ``zero_division`` and ``scheme``, as there.
The default mode reads tags as conlleval does, ``mode="strict"`` discards ill-formed ones. Spans are
those of seqeval but for BILOU in the default mode, whose tags L and U it does not know.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.scores.score import score
from finegrain.errors import UsageError
from finegrain.lists import SYSTEM, from_lists
from finegrain.tasks.spans import SPANS
from finegrain.tasks.tags import TAGS
from finegrain.views.classification_report import LabelReport, as_text, label_report

Average = str | None
_ROWS = {"precision": 0, "recall": 1, "f1": 2}
_SCHEMES = {"iobes": "bioes"}  # of those with another name here
_INSTEAD: dict[Any, float] = {"warn": 0.0, 0: 0.0, 1: 1.0}


def precision_score(y_true: Any, y_pred: Any, *, average: Average = "micro", **how: Any) -> Any:
    """Precision of spans; ``average=None``: of each label, in alphabetical order."""
    return _averaged(_report(y_true, y_pred, **how), "precision", average)


def recall_score(y_true: Any, y_pred: Any, *, average: Average = "micro", **how: Any) -> Any:
    """Recall of spans; ``average=None``: of each label, in alphabetical order."""
    return _averaged(_report(y_true, y_pred, **how), "recall", average)


def f1_score(y_true: Any, y_pred: Any, *, average: Average = "micro", **how: Any) -> Any:
    """F1 of spans; ``average=None``: of each label, in alphabetical order."""
    return _averaged(_report(y_true, y_pred, **how), "f1", average)


def accuracy_score(y_true: Any, y_pred: Any) -> float:
    """The share of tokens with the right tag."""
    table = from_lists(y_true, y_pred, task=TAGS)
    return score(table, ["accuracy"]).value("accuracy", SYSTEM)


def classification_report(
    y_true: Any, y_pred: Any, *, digits: int = 2, output_dict: bool = False, **how: Any
) -> Any:
    """Precision, recall, F1 and support of every label and on average, as text or dictionary."""
    found = _report(y_true, y_pred, **how)
    if not output_dict:
        return as_text(found, digits=digits)
    named = zip(found.labels, found.by_label.T, found.support, strict=True)
    rows = {label: (scores, support) for label, scores, support in named}
    n = found.support.sum()
    rows |= {"micro avg": (found.total, n), "macro avg": (found.macro, n)}
    rows |= {"weighted avg": (found.weighted, n)}
    return {
        name: {**_row(scores, "f1-score"), "support": int(support)}
        for name, (scores, support) in rows.items()
    }


def compute(*, predictions: Any, references: Any, **how: Any) -> dict[str, Any]:
    """Scores of every label, and ``overall_precision``, ``_recall``, ``_f1`` and ``_accuracy``."""
    found = _report(references, predictions, **how)
    named = zip(found.labels, found.by_label.T, found.support, strict=True)
    scores: dict[str, Any] = {
        label: {**_row(values, "f1"), "number": int(support)} for label, values, support in named
    }
    scores |= {f"overall_{name}": value for name, value in _row(found.total, "f1").items()}
    return {**scores, "overall_accuracy": accuracy_score(references, predictions)}


def _report(
    y_true: Any,
    y_pred: Any,
    *,
    suffix: bool = False,
    mode: str | None = None,
    sample_weight: None = None,
    zero_division: Any = "warn",
    scheme: Any = None,
) -> LabelReport:
    """All numbers; the arguments are those of seqeval."""
    if sample_weight is not None:
        raise UsageError("sample_weight: sentences are not weighted; leave it out")
    if zero_division not in _INSTEAD:
        raise UsageError.unknown("zero_division", str(zero_division), list(map(str, _INSTEAD)))
    sides = (_turned(y_true), _turned(y_pred)) if suffix else (y_true, y_pred)
    table = from_lists(*sides, task=SPANS, **_reading(mode, scheme))
    found = label_report(table, SYSTEM, instead=_INSTEAD[zero_division])
    if zero_division == "warn" and found.undefined:
        what = "precision or recall of a label is undefined and set to 0 (zero_division=0 says so)"
        warnings.warn(what, stacklevel=3)
    return found


def _turned(rows: Any) -> list[list[str]]:
    """Tags with their prefix in front.

    >>> _turned([["PER-B", "O"]])
    [['B-PER', 'O']]
    """
    return [["-".join(reversed(str(tag).rsplit("-", 1))) for tag in row] for row in rows]


def _reading(mode: str | None, scheme: Any) -> dict[str, Any]:
    """How tags are read; a scheme may be a class of seqeval or a name."""
    if mode not in (None, "strict"):
        raise UsageError.unknown("mode", str(mode), ["strict"])
    if mode is None:
        return {}
    if scheme is None:
        return {"policy": "discard"}
    name = str(scheme if isinstance(scheme, str) else scheme.__name__).lower()
    return {"policy": "discard", "scheme": _SCHEMES.get(name, name)}


def _averaged(found: LabelReport, score: str, average: Average) -> Any:
    row = _ROWS[score]
    averages = {"micro": found.total, "macro": found.macro, "weighted": found.weighted}
    if average is None:
        return found.by_label[row]
    if average not in averages:
        raise UsageError.unknown("average", average, list(averages))
    return float(averages[average][row])


def _row(scores: NDArray[np.float64], called: str) -> dict[str, float]:
    return dict(zip(("precision", "recall", called), map(float, scores), strict=True))
