"""Units that a system does not answer: missed for their gold label, predicted for none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

import finegrain as fg
from finegrain.metrics.tag_scores import tag_counts
from finegrain.table.samples import Samples, sentences, whole
from tests.texts import table_of

GOLD = ["a", "a", "a", "b", "b", "c"]
SYSTEMS = {
    "some": ["a", "b", None, "b", None, "c"],
    "none": [None] * 6,
    "all": ["a", "a", "a", "b", "b", "a"],
}


def test_by_hand() -> None:
    """Some: a has 1 hit, 2 missed; b 1 hit, 1 missed, 1 invented (the second a); c 1 hit.

    F1 of a is 2 / 4, of b 2 / 4, of c 1; macro F1 is 2 / 3. Of 6 texts 4 are answered, 3 rightly:
    precision 3 / 4, recall and accuracy 3 / 6, micro F1 6 / 10.
    """
    table = table_of(GOLD, SYSTEMS)
    counts = tag_counts(table, whole(table))[0, 0]
    assert counts.tolist() == [[1, 0, 2, 3, 1], [1, 1, 1, 2, 2], [1, 0, 0, 1, 1]]
    scores = fg.score(table)
    assert scores.value("macro_f1", "some") == pytest.approx(2 / 3)
    assert scores.value("micro_f1", "some") == pytest.approx(0.6)
    assert scores.value("accuracy", "some") == scores.value("recall", "some") == 0.5
    assert scores.value("precision", "some") == 0.75
    assert scores.value("accuracy", "none") == scores.value("macro_f1", "none") == 0
    assert np.isnan(scores.value("precision", "none"))


labelled = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", "d", None])),
    min_size=1, max_size=30,
)  # fmt: skip


@given(labelled)
@settings(max_examples=60, deadline=None)
def test_as_scikit_learn_with_a_label_that_is_not_counted(pairs: list[tuple[str, str]]) -> None:
    """There, what is not answered is a label of its own, and scores are of the other labels."""
    gold, answer = [one for one, _ in pairs], [other for _, other in pairs]
    said = [one or "?" for one in answer]
    counted = sorted({*gold, *(one for one in answer if one is not None)})
    scores = fg.score(table_of(gold, {"s": answer}))
    for name, average in (("micro_f1", "micro"), ("macro_f1", "macro")):
        expected = f1_score(gold, said, labels=counted, average=average, zero_division=0)
        assert scores.value(name, "s") == pytest.approx(expected)
    for name, score in (("precision", precision_score), ("recall", recall_score)):
        expected = score(gold, said, labels=counted, average="micro", zero_division=np.nan)
        assert scores.value(name, "s") == pytest.approx(expected, nan_ok=True)


@given(labelled, st.data())
@settings(max_examples=60, deadline=None)
def test_samples_add_up_to_the_whole(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    table = table_of([one for one, _ in pairs], {"s": [other for _, other in pairs]})
    codes = data.draw(st.lists(st.integers(0, 3), min_size=len(pairs), max_size=len(pairs)))
    for samples in (sentences(table), Samples(np.array(codes), 4)):
        dense = tag_counts(table, samples)
        assert (dense.sum(axis=0) == tag_counts(table, whole(table))[0]).all()
        (cells,) = tag_counts.cells(table, samples)
        again = np.zeros_like(dense[:, 0])
        again[cells.sample, cells.label] = cells.counts
        assert (again == dense[:, 0]).all()


def test_intervals_hold_the_score() -> None:
    scores = fg.score(table_of(GOLD * 20, {"s": SYSTEMS["some"] * 20}), intervals=200)
    for metric in ("accuracy", "macro_f1", "micro_f1"):
        low, high = scores.interval(metric, "s")
        assert low <= scores.value(metric, "s") <= high
