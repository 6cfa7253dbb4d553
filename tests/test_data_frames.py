"""Data frames of tokens and of items."""

from __future__ import annotations

from typing import Any

import pytest

import finegrain as fg
from finegrain.errors import InputError, UsageError

TOKENS: dict[str, Any] = {
    "document": ["d1", "d1", "d1", "d2", "d2"],
    "sentence": [1, 1, 2, 1, 1],
    "token": ["Ada", "slept", "Bob", "In", "Bern"],
    "gold": ["B-PER", "O", "B-PER", "O", "B-LOC"],
    "crf": ["B-PER", "O", "O", "O", "B-PER"],
    "gru": ["B-PER", "O", "B-PER", "O", "B-LOC"],
}


def test_rows_of_tokens_are_sentences_of_documents() -> None:
    table = fg.from_pandas(TOKENS, ["crf", "gru"])
    assert table.systems == ("crf", "gru")
    assert table.corpus.n_documents == 2
    assert [table.corpus.sentence(at) for at in range(3)] == [
        ["Ada", "slept"],
        ["Bob"],
        ["In", "Bern"],
    ]
    assert fg.score(table)["crf"].recall == pytest.approx(1 / 3)
    assert fg.score(table)["gru"].f1 == 1


def test_columns_of_other_names_and_no_documents() -> None:
    renamed = {
        "s": TOKENS["sentence"],
        "w": TOKENS["token"],
        "y": TOKENS["gold"],
        "x": TOKENS["gru"],
    }
    table = fg.from_pandas(renamed, ["x"], gold="y", token="w", sentence="s")  # noqa: S106
    assert table.corpus.n_documents == 0
    assert table.corpus.n_sentences == 3


def test_a_data_frame_of_pandas_gives_the_same() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame(TOKENS)
    found = fg.from_pandas(frame, ["crf"])
    assert found.outcome.tolist() == fg.from_pandas(TOKENS, ["crf"]).outcome.tolist()
    with pytest.raises(InputError, match="crf:5: the tag is nan, not a text"):
        fg.from_pandas(frame.assign(crf=[*TOKENS["crf"][:4], float("nan")]), ["crf"])


def test_rows_of_items_keep_their_other_columns_as_fields() -> None:
    items = {"id": ["a", "b"], "text": ["fine", "dull"], "gold": ["+", "-"], "svm": ["+", "+"],
             "source": ["x", "y"]}  # fmt: skip
    table = fg.from_pandas(items, ["svm"])
    assert fg.score(table)["svm"]["accuracy"] == 0.5
    assert set(table.corpus.fields) >= {"id", "text", "source"}


def test_a_column_that_is_not_there_is_told() -> None:
    with pytest.raises(UsageError, match=r"unknown column 'crt'\. Did you mean 'crf'"):
        fg.from_pandas(TOKENS, ["crt"])
    with pytest.raises(UsageError, match="unknown column 'y'"):
        fg.from_pandas(TOKENS, ["crf"], gold="y")
