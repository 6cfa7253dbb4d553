"""The columns that Arrow, pandas, polars and DuckDB see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import finegrain as fg
from finegrain.corpus import Spans
from finegrain.table.exchange import added_column_name, column_name
from tests.table.corpora import HOSTILE, TABLES

pa = pytest.importorskip("pyarrow")

TEXT = [["in", "New", "York", "City"], ["Ada"]]


def spans() -> fg.OutcomeTable:
    """Rows, by sentence, begin, end: New York (short), New York City (gold), Ada LOC, Ada PER."""
    gold = fg.Corpus.of(TEXT, tags=[["O", "B-LOC", "I-LOC", "I-LOC"], ["B-PER"]])
    short = fg.Corpus.of(TEXT, tags=[["O", "B-LOC", "I-LOC", "O"], ["B-LOC"]])
    return fg.align(gold, {"short": short, "right": gold})


def tags() -> fg.OutcomeTable:
    gold = fg.Corpus.of([["time", "flies"]], documents=[0], tags=[["NOUN", "VERB"]])
    flat = fg.Corpus.of([["time", "flies"]], documents=[0], tags=[["NOUN", "NOUN"]])
    return fg.align(gold, {"flat": flat})


def test_spans_by_hand() -> None:
    # short found New York for New York City: too short, charged in the gold row 1, so row 0 is USED
    # and the two point at each other; Ada has the wrong label in the same way. right has only gold.
    assert spans().to_arrow().to_pydict() == {
        "unit": [0, 1, 2, 3],
        "document": [None] * 4,
        "document_id": [None] * 4,
        "sentence": [0, 0, 1, 1],
        "begin": [1, 1, 0, 0],
        "end": [3, 4, 1, 1],
        "tokens": [None] * 4,
        "text": ["New York", "New York City", "Ada", "Ada"],
        "label": ["LOC", "LOC", "LOC", "PER"],
        "is_gold": [False, True, False, True],
        "outcome_short": ["USED", "BES", "USED", "LE"],
        "answer_short": [1, 0, 3, 2],
        "outcome_right": ["ABSENT", "TP", "ABSENT", "TP"],
        "answer_right": [None, 1, None, 3],
    }


def test_values_of_systems_by_hand() -> None:
    """Errors of two predictions: 0.5 and none, as there is none; 1 and 2."""
    answers = {"ridge": [1.5, None], "far": [2.0, 4.0]}
    table = fg.from_items([1.0, 2.0], answers, task="regression", missing="wrong")
    columns = table.to_arrow().to_pydict()
    assert columns["absolute_error[ridge]"] == [0.5, None]
    assert columns["squared_error[far]"] == [1.0, 4.0]
    assert columns["answer_ridge"] == [1.5, None]  # as the task shows it
    other = replace(table, systems=("a]", "b"), columns={"absolute_error[b]": np.ones(2)})
    columns = other.to_arrow().to_pydict()
    assert columns["column_absolute_error[b]"] == [1.0, 1.0]
    assert columns["absolute_error[b]"] == [1.0, 2.0]


def test_tags_by_hand() -> None:
    columns = tags().to_arrow().to_pydict()
    assert columns["text"] == ["time", "flies"]
    assert columns["document"] == [0, 0]
    assert columns["outcome_flat"] == ["CORRECT", "WRONG"]
    assert columns["answer_flat"] == ["NOUN", "NOUN"]


def test_names_are_dictionary_encoded() -> None:
    schema = tags().to_arrow().schema
    for name in ("label", "outcome_flat", "answer_flat"):
        assert schema.field(name).type == pa.dictionary(pa.int32(), pa.string())


def test_documents_have_their_names() -> None:
    table = tags()
    named = replace(table, corpus=replace(table.corpus, document_ids=("wsj_0001",)))
    assert named.to_arrow()["document_id"].to_pylist() == ["wsj_0001"] * 2


def test_gaps_and_a_corpus_without_text() -> None:
    gold = fg.Corpus("memory", np.array([0, 4]), spans=Spans.of([(0, 0, 4, "X", (0, 3))]))
    columns = fg.align(gold, {"a": gold}).to_arrow().to_pydict()
    assert columns["tokens"] == [[0, 3]]
    assert columns["text"] == [None]


def test_units_that_leave_out_characters_show_what_is_left() -> None:
    table = spans()
    cut = table.with_column("begin_cut", np.array([0, 1, 0, 0]))
    cut = cut.with_column("end_cut", np.array([0, 2, 0, 0]))
    assert cut.to_arrow()["text"].to_pylist() == ["New York", "ew York Ci", "Ada", "Ada"]


@settings(max_examples=60, deadline=None)
@given(table=TABLES)
def test_text_and_outcomes_are_those_of_the_table(table: fg.OutcomeTable) -> None:
    arrow = table.to_arrow()
    arrow.validate(full=True)
    has_text = table.corpus.tokens is not None
    assert arrow["text"].to_pylist() == [
        table.text(row) if has_text else None for row in range(len(table))
    ]
    for number, system in enumerate(table.systems):
        expected = [table.outcomes.names[code] for code in table.outcome[:, number]]
        assert arrow[column_name("outcome", system)].to_pylist() == expected


def test_column_names_are_unambiguous() -> None:
    names = [column_name(kind, name) for kind in ("outcome", "answer") for name in HOSTILE]
    names += [added_column_name(name) for name in (*HOSTILE, *names)]
    assert len(set(names)) == len(names)
    assert column_name("outcome", "run 7, größer") == "outcome_run 7, größer"
    assert added_column_name("unit") == "column_unit"


def test_names_that_are_no_unicode_text_are_written_out() -> None:
    odd = "run\udcff"  # a file name that is not UTF-8
    table = replace(spans(), systems=("a", odd))
    assert table.to_arrow().column_names[-1] == "answer_run\\udcff"


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = spans().to_pandas()
    assert frame["outcome_short"].value_counts()["USED"] == 2
    assert frame["answer_right"].isna().tolist() == [True, False, True, False]
    assert frame["answer_right"].dtype == pandas.Int32Dtype()
    joined = frame[frame.is_gold].merge(
        frame, left_on="answer_short", right_on="unit", suffixes=("", "_of_short")
    )
    assert joined["text_of_short"].tolist() == ["New York", "Ada"]


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = spans().to_polars()
    wrong = frame.filter(polars.col("is_gold") & (polars.col("outcome_short") != "TP"))
    assert wrong["text"].to_list() == ["New York City", "Ada"]


def test_the_file_is_ordinary_parquet_for_everyone(tmp_path: Path) -> None:
    path = str(tmp_path / "t.parquet")
    table = spans()
    table.save(path)
    expected = table.to_arrow().to_pydict()
    assert pytest.importorskip("pyarrow.parquet").read_table(path).to_pydict() == expected
    polars = pytest.importorskip("polars")
    assert polars.read_parquet(path).to_dict(as_series=False) == expected
    duckdb = pytest.importorskip("duckdb")
    found = duckdb.read_parquet(path).fetchall()
    assert found == list(zip(*expected.values(), strict=True))
