"""Buckets: the rules one by one, and that no unit is lost under any of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain.attributes.bucketing import (
    Bucketing,
    Categories,
    Division,
    Edges,
    EqualFrequency,
    EqualWidth,
    by_strategy,
    with_buckets,
)
from finegrain.corpus import Coded
from finegrain.errors import UsageError


def _divide(bucketing: Bucketing, gold: list[float], others: list[float] = ()) -> Division:  # type: ignore[assignment]
    values = np.array([*gold, *others], float)
    is_gold = np.arange(len(values)) < len(gold)
    return bucketing.divide(values, is_gold)  # type: ignore[arg-type]


def _ranges(division: Division) -> list[str]:
    return [bucket.range() for bucket in division.buckets]


def test_quantiles_by_hand() -> None:
    """10 values in 4 parts: ranks ceil(2.5) = 3, 5 and ceil(7.5) = 8."""
    division = _divide(EqualFrequency(4), list(range(1, 11)))
    assert division.edges == (3, 5, 8)
    assert np.bincount(division.codes(np.arange(1.0, 11))).tolist() == [3, 2, 3, 2]


def test_quantiles_are_numpys_inverted_cdf() -> None:
    values = np.random.default_rng(1).integers(0, 40, 137).astype(float)
    expected = np.quantile(values, [0.25, 0.5, 0.75], method="inverted_cdf")
    assert list(_divide(EqualFrequency(4), values.tolist()).edges) == expected.tolist()


def test_equal_cuts_are_merged_and_one_at_the_maximum_is_dropped() -> None:
    """1 1 1 1 1 9: the quarters end in 1, 1, 1, which is one cut. 1 9 9 9: in 1, 9, 9."""
    assert _divide(EqualFrequency(4), [1, 1, 1, 1, 1, 9]).edges == (1,)
    assert _divide(EqualFrequency(4), [1, 9, 9, 9]).edges == (1,)
    assert _divide(EqualFrequency(4), [5, 5]).edges == ()


def test_a_cut_at_the_minimum_stays() -> None:
    division = _divide(EqualFrequency(3), [1, 1, 1, 2, 3])
    assert division.edges == (1, 2)
    assert _ranges(division) == ["1", "2", "3"]


def test_reserved_values_are_taken_out_first() -> None:
    division = _divide(EqualFrequency(4, reserved=(0, 1)), [0, 0, 0.2, 0.4, 0.6, 0.8, 1])
    assert (division.values, division.edges) == ((0, 1), (0.4,))
    assert [bucket.name for bucket in division.buckets] == ["XS", "S", "L", "XL"]
    assert _ranges(division) == ["0", "0.2 to 0.4", "0.6 to 0.8", "1"]


def test_a_reserved_value_without_gold_unit_has_no_bucket_and_leaves_no_further_part() -> None:
    """Nobody has 1: still two parts for the rest, and a predicted 1 is in the last of them."""
    division = _divide(EqualFrequency(4, reserved=(0, 1)), [0, 0.2, 0.4, 0.6, 0.8], [1])
    assert (division.values, division.edges) == ((0,), (0.4,))
    assert division.codes(np.array([1.0])).tolist() == [2]


def test_values_between_a_reserved_one_and_the_rest_are_with_the_rest() -> None:
    division = _divide(EqualFrequency(4, reserved=(0, 1)), [0, 0.2, 0.4, 0.6, 0.8, 1])
    assert division.codes(np.array([0.01, 0.99, -5, 7])).tolist() == [1, 2, 1, 2]


def test_without_a_rest_the_nearest_reserved_value_serves() -> None:
    division = _divide(EqualFrequency(4, reserved=(1, 2, 3)), [1, 1, 3])
    assert _ranges(division) == ["1", "3"]
    assert division.codes(np.array([1, 2, 2.1, 9])).tolist() == [0, 0, 1, 1]


def test_without_gold_units_there_is_one_bucket() -> None:
    division = _divide(EqualFrequency(4, reserved=(0,)), [], [3, 4])
    assert _ranges(division) == ["all"]
    assert division.codes(np.array([3.0, 4])).tolist() == [0, 0]


def test_values_that_are_missing_have_a_bucket_of_their_own() -> None:
    division = _divide(EqualFrequency(2), [1, 2, np.nan])
    assert _ranges(division) == ["1", "2", "n/a"]
    assert division.codes(np.array([np.nan, 1.0])).tolist() == [2, 0]


def test_equal_width_by_hand() -> None:
    """From 0 to 8 in 4 parts: 2, 4, 6; with 0 reserved, from 2 to 8 in 3: 4, 6."""
    assert _divide(EqualWidth(4), [0, 8]).edges == (2, 4, 6)
    assert _divide(EqualWidth(4, reserved=(0,)), [0, 2, 8]).edges == (4, 6)
    assert _divide(EqualWidth(4), [3, 3]).edges == ()


def test_explicit_edges_keep_empty_buckets() -> None:
    division = _divide(Edges((1, 5)), [7, 8])
    assert _ranges(division) == ["<= 1", "> 1 and <= 5", "7 to 8"]
    with pytest.raises(UsageError, match="rising numbers"):
        Edges((5, 1))
    with pytest.raises(UsageError, match="rising numbers"):
        Edges((1, float("nan")))


def test_the_released_programs_rule_by_hand() -> None:
    """8 values, average 2: 1 1 1 are 3 > 2 and close; 2 3 are 2, with 4 they are 3 and close;
    5 6 are left. With 0 and 9 reserved and 9 absent, three parts are left for 1 to 6.
    """
    assert _divide(EqualFrequency(4, closing="average"), [1, 1, 1, 2, 3, 4, 5, 6]).edges == (1, 4)
    reserved = EqualFrequency(4, reserved=(0, 9), closing="average")
    assert _divide(reserved, [0, 1, 2, 3, 4, 5, 6]).edges == (3,)


def test_categories_by_hand() -> None:
    """b is most frequent, a and c tie; of two kept, c is among the others."""
    values = Coded.of(["b", "b", "a", "c", "d"])
    is_gold = np.array([True, True, True, True, False])
    division = Categories(2).divide(values, is_gold)
    assert [bucket.name for bucket in division.buckets] == ["b", "a", "(others)"]
    assert division.codes(values).tolist() == [0, 0, 1, 2, 2]
    assert not division.ordered


def test_categories_that_are_missing() -> None:
    values = Coded(np.array([0, -1]), ("x",))
    division = Categories().divide(values, np.array([True, True]))
    assert [bucket.name for bucket in division.buckets] == ["x", "n/a"]
    assert division.codes(values).tolist() == [0, 1]


def test_the_number_of_buckets_is_a_parameter() -> None:
    assert with_buckets(EqualFrequency(4, (0,)), 6) == EqualFrequency(6, (0,))
    assert with_buckets(Categories(), 3) == Categories(3)
    assert with_buckets(EqualFrequency(4, (1, 2, 3)), 3) == EqualFrequency(3, (1, 2))
    assert with_buckets(EqualWidth(4, (0, 1)), 1) == EqualWidth(1)
    assert with_buckets(Edges((1,)), 3) == Edges((1,))
    with pytest.raises(UsageError, match="at least 1"):
        EqualFrequency(0)


def test_strategies() -> None:
    assert by_strategy(EqualFrequency(5, (0,)), "width") == EqualWidth(5, (0,))
    assert by_strategy(Edges((1,), (0,)), "frequency") == EqualFrequency(4, (0,))
    assert by_strategy(Categories(7), "width") == Categories(7)
    with pytest.raises(UsageError, match="unknown strategy 'wide'"):
        by_strategy(EqualFrequency(), "wide")  # type: ignore[arg-type]


NUMBERS = st.lists(
    st.one_of(st.sampled_from([0.0, 1.0, 0.5, float("nan")]), st.floats(-5, 5)), max_size=30
)
RESERVED = st.lists(st.sampled_from([0.0, 1.0, 0.5, 3.0]), max_size=3, unique=True).map(tuple)
SIZES = st.integers(1, 7)
BUCKETINGS = st.one_of(
    st.builds(EqualFrequency, SIZES, RESERVED, st.sampled_from(["quantile", "average"])),
    st.builds(EqualWidth, SIZES, RESERVED),
    st.builds(
        Edges,
        st.lists(st.floats(-5, 5), max_size=4, unique=True).map(sorted).map(tuple),
        RESERVED,
    ),
)


@settings(max_examples=100, deadline=None)
@given(BUCKETINGS, NUMBERS, NUMBERS)
def test_every_unit_is_in_one_bucket(
    bucketing: Bucketing, gold: list[float], others: list[float]
) -> None:
    """Whatever the values: one bucket each, in order, equal values together, gold alone decides."""
    division = _divide(bucketing, gold, others)
    values = np.array([*gold, *others], float)
    codes = division.codes(values)
    assert len(codes) == len(values)
    assert ((codes >= 0) & (codes < len(division))).all()
    assert len({bucket.name for bucket in division.buckets}) == len(division)
    for value in set(values[~np.isnan(values)].tolist()):
        assert len(set(codes[values == value].tolist())) == 1
    free = ~np.isnan(values) & ~np.isin(values, division.values)
    assert (np.diff(codes[free][np.argsort(values[free])]) >= 0).all()
    turned = _divide(bucketing, gold[::-1], others[::-1])
    assert [bucket.name for bucket in turned.buckets] == [one.name for one in division.buckets]
    assert turned.codes(values).tolist() == codes.tolist()
    alone = _divide(bucketing, gold)
    assert (alone.edges, alone.values) == (division.edges, division.values)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans()), max_size=20), SIZES)
def test_every_category_is_in_one_bucket(rows: list[tuple[str, bool]], top: int) -> None:
    values = Coded.of(value for value, _ in rows)
    is_gold = np.array([gold for _, gold in rows], bool)
    division = Categories(top).divide(values, is_gold)
    codes = division.codes(values)
    assert ((codes >= 0) & (codes < len(division))).all()
    named = [division.buckets[code] for code in codes]
    assert all(
        bucket.name == value or bucket.kind == "rest"
        for bucket, (value, _) in zip(named, rows, strict=True)
    )
