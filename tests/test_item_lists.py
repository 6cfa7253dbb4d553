"""Items from lists and arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import AlignmentError, InputError, UsageError


def test_lists_and_arrays_give_the_same_table() -> None:
    gold, answer = ["a", "b", "a"], ["a", "a", "a"]
    one = fg.from_items(gold, answer)
    two = fg.from_items(np.array(gold), {"system": np.array(answer)})
    assert one.systems == ("system",)
    assert one.outcome.tolist() == two.outcome.tolist() == [[0], [1], [0]]


def test_numbers_are_labels_if_the_task_says_so() -> None:
    table = fg.from_items([0, 1, 1], {"s": [0, 1, 0]}, task="classification")
    assert table.labels == ("0", "1")
    with pytest.raises(InputError, match="the task is not certain"):
        fg.from_items([0, 1, 1], {"s": [0, 1, 0]})


def test_probabilities_of_scikit_learn() -> None:
    chances = np.array([[0.9, 0.1], [0.2, 0.8]])
    table = fg.from_items(
        [0, 1], {"s": [0, 1]}, probabilities={"s": chances}, classes=np.array([0, 1]),
        task="classification",
    )  # fmt: skip
    expected = -np.log([0.9, 0.8]).mean()
    assert fg.score(table, "log_loss").value("log_loss", "s") == pytest.approx(expected)
    with pytest.raises(UsageError, match="classes"):
        fg.from_items(["a"], ["a"], probabilities=[[1.0]])
    with pytest.raises(UsageError, match="with 3 classes"):
        fg.from_items(["a"], ["a"], probabilities=[[1.0]], classes="abc")
    with pytest.raises(UsageError, match="unknown system 't'"):
        fg.from_items(["a"], {"s": ["a"]}, probabilities={"t": [[1.0]]}, classes="a")


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(AlignmentError, match="answer has 1 values for 2 items"):
        fg.from_items(["a", "b"], ["a"])
    with pytest.raises(UsageError, match="one value for each item"):
        fg.from_items([["a"], "b"], [["a"], ["b"]])


def test_lists_of_labels_are_sets_of_labels() -> None:
    table = fg.from_items([["a", "b"], []], {"s": [{"a"}, ("c",)]})
    assert table.task.name == "multilabel"
    assert fg.score(table).value("micro_f1", "s") == pytest.approx(2 / 4)  # TP 1, FP 1, FN 1


def test_arrays_of_0_and_1_are_sets_of_the_labels_that_classes_names() -> None:
    """As scikit-learn counts them: 1 of 6 decisions is wrong; the labels are not '0' and '1'."""
    gold, own = np.array([[1, 0], [1, 1], [0, 0]]), np.array([[1, 0], [0, 1], [0, 0]])
    table = fg.from_items(gold, {"s": own}, classes=["u", "v"])
    assert (table.task.name, table.labels) == ("multilabel", ("u", "v"))
    scores = fg.score(table)
    assert scores.value("hamming", "s") == pytest.approx(1 / 6)
    assert scores.value("micro_f1", "s") == pytest.approx(4 / 5)
    with pytest.raises(UsageError, match="classes: name the labels of the columns of gold"):
        fg.from_items(gold, {"s": own})
    with pytest.raises(UsageError, match=r"gold: \[item, class\] is needed, with 1 class"):
        fg.from_items(gold, {"s": own}, classes=["u"])
    with pytest.raises(InputError, match="item 1: 2 in the column of the label 'u'"):
        fg.from_items(2 * gold, {"s": own}, classes=["u", "v"], task="multilabel")


class Sparse:
    """What sparse matrices of scipy have in common."""

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    def __len__(self) -> int:
        raise TypeError("sparse array length is ambiguous")

    def toarray(self) -> np.ndarray:
        return self.array


def test_sparse_arrays_and_frames_of_0_and_1_give_the_same_table() -> None:
    gold, own = np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]])
    expected = fg.from_items(gold, {"s": own}, classes=["u", "v"])
    sparse = fg.from_items(Sparse(gold), {"s": Sparse(own)}, classes=["u", "v"])
    frame = fg.from_items(Frame(u=[1, 1], v=[0, 1]), {"s": Frame(u=[1, 0], v=[0, 1])})
    for table in (sparse, frame):
        assert table.labels == expected.labels
        assert table.outcome.tolist() == expected.outcome.tolist()


def test_lists_of_labels_have_scores_and_fields() -> None:
    """Lists alone have no rows: without numbers, gold and systems with columns would not meet."""
    table = fg.from_items(
        [["a"], ["b"]], {"s": [["a"], ["a"]]}, fields={"domain": ["x", "y"]},
        probabilities={"s": [[0.9, 0.2], [0.6, 0.3]]}, classes=["a", "b"],
    )  # fmt: skip
    assert fg.score(table).value("lrap", "s") == pytest.approx((1 + 1 / 2) / 2)
    assert table.columns["domain"].tolist() == ["x", "y", "y"]


def test_faults_of_lists_name_the_item() -> None:
    with pytest.raises(InputError, match=r"s: item 2: the probabilities sum to 1\.1"):
        fg.from_items(
            ["a", "b"], {"s": ["a", "b"]}, classes=["a", "b"],
            probabilities={"s": [[0.5, 0.5], [0.5, 0.6]]},
        )  # fmt: skip
    with pytest.raises(InputError, match="item 3: the id 'x' is that of item 1, too"):
        fg.from_items(["a", "b", "a"], ["a", "b", "a"], ids=["x", "y", "x"])


def test_a_missing_answer_is_missing() -> None:
    table = fg.from_items(["a", "b"], [None, "b"], missing="wrong", ids=["x", "y"])
    assert [table.outcomes.names[code] for code in table.outcome[:, 0]] == ["UNANSWERED", "CORRECT"]
    assert table.text(0) == "x"


class Frame:
    """What data frames of pandas and polars have in common."""

    def __init__(self, **values: list[Any]) -> None:
        self.values = values
        self.columns, self.shape = list(values), (len(next(iter(values.values()))), len(values))

    def __getitem__(self, name: str) -> list[Any]:
        return self.values[name]


def test_a_data_frame_has_a_column_for_each_system_and_field() -> None:
    systems = Frame(a=["x", "y", "y"], b=["x", "x", "y"])
    table = fg.from_items(["x", "y", "x"], systems, fields=Frame(length=[1, 2, 3]))
    assert table.systems == ("a", "b")
    assert table.columns["length"].tolist() == [1, 2, 3]
    assert fg.score(table).value("accuracy", "a") == pytest.approx(2 / 3)


def test_a_frame_of_pandas() -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    frame = pandas.DataFrame({"gold": ["x", "y"], "a": ["x", "y"], "n": [1.5, 2.5]})
    table = fg.from_items(frame["gold"], frame[["a"]], fields=frame[["n"]])
    assert (table.systems, list(table.columns)) == (("a",), ["n"])


def test_fields_have_names() -> None:
    with pytest.raises(UsageError, match="a dictionary or a data frame is needed"):
        fg.from_items(["x", "y"], ["x", "x"], fields=[1, 2])
