"""Ratings and pairwise judgements become one row per item, with raters as its parts."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.formats.delimited import read
from finegrain.formats.source import source_of
from finegrain.metrics.ratings import RATING
from finegrain.metrics.values import OfParts
from finegrain.resampling.sampling import counted_by, sampling_of
from finegrain.table import OutcomeTable


def _table(*lines: str, **options: str) -> OutcomeTable:
    return fg.align(read(source_of("ratings.csv", "\n".join(lines).encode())), {}, **options)


def _rows(raters: int, items: int, seed: int = 1) -> list[str]:
    draw = np.random.default_rng(seed)
    cells = itertools.product(range(raters), range(items), "ab")
    scores = (
        f"r{rater},q{item},{system},{draw.integers(1, 6)},{rater}" for rater, item, system in cells
    )
    return ["rater,item,system,score,shift", *scores]


def test_an_item_has_the_mean_of_its_ratings() -> None:
    # q1: a has 4 and 5, b has 2 alone; q2: a has 1, b was not rated
    table = _table(
        "rater,item,system,score", "ann,q1,a,4", "ben,q1,a,5", "ann,q1,b,2", "ben,q2,a,1"
    )
    assert table.task.name == "ratings"
    np.testing.assert_array_equal(table.values["rating"].matrix, [[4.5, 2.0], [1.0, np.nan]])
    assert "b: 1 of 2 items without a rating" in table.notes
    # every item counts the same: a (4.5 + 1) / 2, b 2
    found = fg.score(table)
    assert found.value("rating", "a") == 2.75
    assert found.value("rating", "b") == 2.0


def test_the_order_of_rows_is_irrelevant() -> None:
    head, *rows = _rows(3, 4)
    one, two = _table(head, *rows), _table(head, *reversed(rows))
    assert fg.score(one).value("rating", "a") == pytest.approx(fg.score(two).value("rating", "a"))


def test_fields_of_items_are_attributes_and_others_are_told() -> None:
    table = _table("rater,item,system,score,domain,seconds", "ann,q1,a,4,law,3", "ann,q1,b,4,law,5")
    assert table.columns["domain"].tolist() == ["law"]
    assert any("left out: seconds" in note for note in table.notes)


def test_several_criteria_are_columns_of_numbers_that_differ_within_items() -> None:
    lines = ("rater,item,system,fluent,true,year", "ann,q1,a,4,1,1999", "ann,q1,b,5,2,1999")
    table = _table(*lines)
    assert list(table.values) == ["rating", "fluent", "true"]
    assert fg.score(table, "rating(true)").value("rating(true)", "b") == 2.0
    assert _table(*lines, criteria="true").values["rating"].matrix.tolist() == [[1.0, 2.0]]


def test_a_win_is_one_a_tie_half() -> None:
    table = _table("winner,loser,tie", "a,b,0", "b,a,yes", "c,a,")
    # a: 1, 0.5, 0 of three; b: 0, 0.5; c: 1
    assert fg.score(table).value("rating", "a") == 0.5
    assert fg.score(table).value("rating", "b") == 0.25
    assert fg.score(table).value("rating", "c") == 1.0


def test_raters_are_drawn_from_six_on() -> None:
    assert sampling_of(_table(*_rows(6, 8))).said() == {
        "sample": "item",
        "n": "8",
        "crossed": "rater=6",
    }
    few = _table(*_rows(5, 8))
    assert sampling_of(few).said() == {"sample": "item", "n": "8"}
    assert any("too few to be resampled" in note for note in few.notes)


def test_parts_contribute_to_the_mean_that_units_have() -> None:
    table = _table(*_rows(7, 9))
    sums = OfParts("rating", "ratings").contributed(table).sum(axis=0)
    assert sums[:, 0] / sums[:, 1] == pytest.approx(
        np.nanmean(table.values["rating"].matrix, axis=0)
    )
    counts = counted_by(table, RATING, sampling_of(table))
    assert RATING.score(np.asarray(counts[0].total())).item() == pytest.approx(
        sums[0, 0] / sums[0, 1]
    )


def test_strict_and_generous_raters_make_intervals_wider() -> None:
    # Each rater is off by what is theirs alone: other raters would have given another mean.
    draw = np.random.default_rng(5)
    offsets = draw.normal(0, 2, 8)
    cells = [
        (rater, item, 3 + offsets[rater] + draw.normal(0, 0.1))
        for rater, item in itertools.product(range(8), range(60))
    ]
    drawn = _table(
        "rater,item,system,score", *(f"r{who},q{item},a,{score}" for who, item, score in cells)
    )
    fixed = _table("item,system,score", *(f"q{who}.{item},a,{score}" for who, item, score in cells),
                   task="ratings")  # fmt: skip
    wide, narrow = (_width(one) for one in (drawn, fixed))
    # 2 / sqrt(8) = 0.7 is the standard error over raters; about 2 / sqrt(480) = 0.09 otherwise
    assert wide > 4 * narrow


def _width(table: OutcomeTable) -> float:
    low, high = fg.score(table, intervals=500).to_json()["a"]["intervals"]["overall"]["rating"]
    return float(high - low)


def test_a_saved_table_has_the_same_scores_and_intervals(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra parquet")
    table = _table(*_rows(6, 8))
    table.save(str(tmp_path / "table.parquet"))
    again = fg.load(str(tmp_path / "table.parquet"))
    assert str(fg.score(again, intervals=100)) == str(fg.score(table, intervals=100))
    assert fg.study(again, "bradley_terry").data == fg.study(table, "bradley_terry").data
