"""Scores for the ``compute_metrics`` of a training loop, as the Trainer of Hugging Face calls it.

>>> import numpy as np
>>> compute = compute_metrics({0: "O", 1: "B-PER", 2: "I-PER"})
>>> labels = np.array([[-100, 1, 2, 0, 1, -100]])    # word pieces and padding are ignored
>>> scores = np.eye(3)[[[0, 1, 2, 0, 0, 0]]]         # [sentence, token, label]
>>> compute((scores, labels))
{'precision': 1.0, 'recall': 0.5, 'f1': 0.6666666666666666, 'fair_f1': 0.6666666666666666, \
'accuracy': 0.75}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from finegrain.analyses.scores.score import score
from finegrain.errors import UsageError
from finegrain.lists import SYSTEM, from_lists
from finegrain.tasks.spans import SPANS
from finegrain.tasks.tags import TAGS

_SPANS = {
    "precision": "traditional_precision", "recall": "traditional_recall", "f1": "traditional_f1",
    "fair_f1": "fair_f1",
}  # fmt: skip


def compute_metrics(
    id2label: Sequence[str] | Mapping[int, str] | Mapping[str, int],
    *,
    ignore: int = -100,
    scheme: str | None = None,
) -> Callable[[Any], dict[str, float]]:
    """A function for ``Trainer(compute_metrics=...)``.

    Of tags in a scheme (``B-PER``) it gives ``precision``, ``recall``, ``f1`` and ``fair_f1`` of
    spans and the ``accuracy`` of tags; of plain tags ``accuracy`` and ``macro_f1``. What is
    undefined, such as precision without predictions, is nan.

    Parameters
    ----------
    id2label: the names of the label numbers, as in ``model.config.id2label``
    ignore: the label number of positions that do not count
    scheme: of the tags; by default found out
    """
    given = id2label.keys() if isinstance(id2label, Mapping) else id2label
    names = [name for name in [*given, *_values(id2label)] if isinstance(name, str)]
    of_spans = any(name[1:2] == "-" for name in names)

    def compute(evaluated: Any) -> dict[str, float]:
        predictions, labels = _sides(evaluated)
        answers = {SYSTEM: predictions}
        tags = from_lists(labels, answers, names=id2label, ignore=(ignore,), task=TAGS)
        accuracy = score(tags, ["accuracy"]).value("accuracy", SYSTEM)
        if not of_spans:
            return {"accuracy": accuracy, "macro_f1": score(tags, ["macro_f1"])[SYSTEM]["macro_f1"]}
        spans = from_lists(
            labels, answers, names=id2label, ignore=(ignore,), task=SPANS, scheme=scheme
        )
        found = score(spans, list(_SPANS.values()))[SYSTEM]
        return {**{name: found[metric] for name, metric in _SPANS.items()}, "accuracy": accuracy}

    return compute


def _values(names: Any) -> Any:
    return names.values() if isinstance(names, Mapping) else ()


def _sides(evaluated: Any) -> tuple[Any, Any]:
    """Predicted label numbers, and those of the gold standard."""
    if hasattr(evaluated, "predictions"):
        predictions, labels = evaluated.predictions, evaluated.label_ids
    else:
        predictions, labels = evaluated
    if isinstance(predictions, tuple):  # a model that returns more than its scores
        predictions = predictions[0]
    predictions = np.asarray(predictions)
    if predictions.ndim == np.ndim(labels) + 1:
        predictions = predictions.argmax(-1)
    if predictions.shape != np.shape(labels):
        raise UsageError(
            f"predictions {predictions.shape} do not fit labels {np.shape(labels)}: they are "
            "[sentence, token, label] or [sentence, token]"
        )
    return predictions, labels
