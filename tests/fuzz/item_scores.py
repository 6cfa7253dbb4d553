"""Scores of labels, numbers, rankings and answers, by their definitions, item by item.

>>> class_scores(["x", "y"], ["x", "x"])["macro_f1"]
0.3333333333333333
>>> ranking_scores({"1": {"d7": 1.0, "d9": 0.0}}, {"1": {"d9": 2.0, "d7": 1.0}})["AP"]
0.5
"""

from __future__ import annotations

import re
import string
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log2, nan, sqrt

from tests.fuzz.corpora import Invalid
from tests.fuzz.items import Items, first, named, number, rows_in_gold_order
from tests.fuzz.scores import Values, ratio
from tests.fuzz.squad import Question
from tests.fuzz.trec import documents_of

# columns that hold gold answers, and those of systems, the first that there is (docs)
GOLD_LABEL = (
    "gold", "gold_label", "true_label", "label", "class", "category", "target", "y_true", "truth",
    "answer",
)  # fmt: skip
LABEL = (
    "answer", "prediction", "predicted", "predicted_label", "pred", "y_pred", "output", "label",
    "class", "category",
)  # fmt: skip
GOLD_NUMBER = (
    "gold", "gold_value", "gold_score", "true_score", "score", "similarity", "rating", "target",
    "value", "y_true", "truth", "label",
)  # fmt: skip
NUMBER = (
    "prediction", "predicted", "predicted_score", "pred", "y_pred", "answer", "output",
    *GOLD_NUMBER,
)  # fmt: skip
TEXT = ("prediction_text", "prediction", "predicted", "pred", "output", "answer", "label")


def classified(gold: Items, system: Items, *, missing: str) -> Values:
    """Items with a gold label; an answer that lacks is wrong, or an error."""
    rows = rows_in_gold_order(gold, system)
    expected = [named(cell) for cell in first(gold, GOLD_LABEL)]
    own = [named(cell) for cell in first(system, LABEL)]
    given = ["" if row is None else own[row] for row in rows]
    if missing == "error" and not (all(own) and all(given)):
        raise Invalid("an item without an answer")
    pairs = [pair for pair in zip(expected, given, strict=True) if pair[0]]
    if not pairs:
        raise Invalid("no item has a gold label")
    return class_scores(*map(list, zip(*pairs, strict=True)))


def class_scores(gold: Sequence[str], answers: Sequence[str]) -> Values:
    """An answer "" is none."""
    pairs, size = list(zip(gold, answers, strict=True)), len(gold)
    labels = sorted({*gold, *answers} - {""})
    right = {label: pairs.count((label, label)) for label in labels}
    recall = {label: ratio(right[label], gold.count(label)) for label in set(gold)}
    f1 = [ratio(2 * right[label], gold.count(label) + answers.count(label)) for label in labels]
    agreed = sum(right.values()) / size
    chance = sum(gold.count(label) * answers.count(label) for label in labels) / size**2
    return {
        "accuracy": agreed, "units": size,
        "macro_f1": sum(f1) / len(labels),
        "balanced_accuracy": sum(recall.values()) / len(recall),
        "kappa": nan if abs(1 - chance) < 1e-12 else (agreed - chance) / (1 - chance),
    }  # fmt: skip


def predicted(gold: Items, system: Items) -> Values:
    """Numbers: mean absolute error and Pearson's correlation."""
    rows = rows_in_gold_order(gold, system)
    expected = [number(cell) for cell in first(gold, GOLD_NUMBER)]
    own = [number(cell) for cell in first(system, NUMBER)]
    if None in own or None in rows:
        raise Invalid("an item without a prediction")
    pairs = [(mine, float(own[row] or 0)) for mine, row in zip(expected, rows, strict=True)
             if mine is not None and row is not None]  # fmt: skip
    if not pairs:
        raise Invalid("no item has a gold number")
    return {
        "mae": sum(abs(one - two) for one, two in pairs) / len(pairs), "units": len(pairs),
        "pearson": _pearson(pairs),
    }  # fmt: skip


def _pearson(pairs: Sequence[tuple[float, float]]) -> float:
    means = [sum(side) / len(pairs) for side in zip(*pairs, strict=True)]
    moved = [(one - means[0], two - means[1]) for one, two in pairs]
    spread = [sum(side[at] ** 2 for side in moved) for at in (0, 1)]
    scale = [sum(side[at] ** 2 for side in pairs) for at in (0, 1)]
    if any(part <= 1e-9 * whole for part, whole in zip(spread, scale, strict=True)):
        return nan  # all are equal, or nearly so: rounding decides
    return sum(one * two for one, two in moved) / sqrt(spread[0]) / sqrt(spread[1])


def ranked(gold: Items, system: Items) -> Values:
    """Queries of the gold file; those that a run does not have count 0."""
    grades, run = documents_of(gold, "grade"), documents_of(system, "score")
    if not set(grades) & set(run):
        raise Invalid("no query in common")
    return ranking_scores(grades, run)


def ranking_scores(
    grades: Mapping[str, Mapping[str, float]], run: Mapping[str, Mapping[str, float]]
) -> Values:
    """Means over queries."""
    sums: Counter[str] = Counter({"AP": 0, "RR": 0, "P@10": 0, "nDCG@10": 0})
    for query, judged in grades.items():
        found = run.get(query, {})
        order = sorted(found, key=lambda name: (_single(found[name]), name.encode()), reverse=True)
        gains = [max(judged.get(name, 0.0), 0.0) for name in order]
        ideal = sorted((max(grade, 0.0) for grade in judged.values()), reverse=True)
        relevant = [rank for rank, gain in enumerate(gains, 1) if gain >= 1]
        total = sum(grade >= 1 for grade in ideal)
        precisions = [at / rank for at, rank in enumerate(relevant, 1)]
        sums["AP"] += sum(precisions) / total if total else 0
        sums["RR"] += 1 / relevant[0] if relevant else 0
        sums["P@10"] += sum(rank <= 10 for rank in relevant) / 10
        sums["nDCG@10"] += _dcg(gains[:10]) / _dcg(ideal[:10]) if _dcg(ideal[:10]) else 0
    return {name: value / len(grades) for name, value in sums.items()} | {"units": len(grades)}


def _single(score: float) -> float:
    """As a number of 32 bits."""
    try:
        found: float = struct.unpack("f", struct.pack("f", score))[0]
    except OverflowError:
        found = float("inf") if score > 0 else float("-inf")
    return found


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def answered(questions: Sequence[Question], system: Items) -> Values:
    """Exact match and F1, each the best over references, as the scripts of SQuAD have them."""
    gold = Items(len(questions), {"id": [one.name for one in questions]})
    rows = rows_in_gold_order(gold, system)
    own = first(system, TEXT)
    if None in rows or None in own:
        raise Invalid("a question without an answer")
    second = any(not one.references for one in questions)
    exact, f1 = 0.0, 0.0
    for one, row in zip(questions, rows, strict=True):
        answer = named(own[row or 0])
        references = one.references
        if second:
            references = [text for text in references if _words(text)]
        pairs = [_compared(_words(answer), _words(text), second=second)
                 for text in references or [""]]  # fmt: skip
        exact += max(same for same, _ in pairs)
        f1 += max(part for _, part in pairs)
    size = len(questions)
    return {"exact_match": exact / size, "f1": f1 / size, "units": size}


def _words(text: str) -> list[str]:
    bare = "".join(one for one in text.lower() if one not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


def _compared(answer: list[str], reference: list[str], *, second: bool) -> tuple[float, float]:
    same = float(answer == reference)
    if second and not (answer and reference):
        return same, same
    shared = sum((Counter(answer) & Counter(reference)).values())
    return same, ratio(2 * shared, len(answer) + len(reference)) if shared else 0.0
