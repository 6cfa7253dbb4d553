"""Intervals without one sample each: by hand, by a plain loop, at the ends of scales."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from finegrain.metrics.metric import ratio
from finegrain.resampling.distinct import distinct
from finegrain.resampling.jackknife import kish, left_out, sizes_of, without_each
from finegrain.table.scale import PROPORTION, Scale


def share(sums: np.ndarray) -> np.ndarray:
    return ratio(sums[..., 0], sums[..., 1])


def _documents(seed: int, size: int = 30) -> np.ndarray:
    """``[document, (right, all)]`` of unequal size."""
    generator = np.random.default_rng(seed)
    units = np.rint(np.exp(generator.normal(3, 0.9, size))) + 1
    return np.stack([generator.binomial(units.astype(int), 0.8), units], axis=-1).astype(float)


def test_ten_documents_by_hand() -> None:
    """Five documents are right in 9 of 10, five in 7 of 10: F = .8. Without one of the first F is
    71 / 90, without one of the others 73 / 90, so SE^2 = 9/10 x 10 x (1/90)^2 = (1/30)^2. With 9
    degrees of freedom t = 2.262, and the logit 1.3863 -+ 2.262 / 30 / .16 is .9150, 1.8576.
    """
    rows = np.array([[9.0, 10.0]] * 5 + [[7.0, 10.0]] * 5)
    found = left_out(distinct(rows), share)
    assert float(found.error) == pytest.approx(1 / 30)
    assert (float(found.samples), float(found.effective)) == (10, 10)
    low, high = found.interval(PROPORTION)
    assert (float(low), float(high)) == pytest.approx((0.71403, 0.86503), abs=2e-5)


def test_the_error_and_the_effective_number_agree_with_a_plain_loop() -> None:
    rows = _documents(1)
    found = left_out(distinct(rows), share)
    scores = [share(np.delete(rows, at, axis=0).sum(axis=0)) for at in range(len(rows))]
    n = len(rows)
    assert float(found.error) == pytest.approx(np.std(scores) * math.sqrt(n - 1))
    assert float(found.effective) == pytest.approx(rows[:, 1].sum() ** 2 / (rows[:, 1] ** 2).sum())
    low, high = found.interval(PROPORTION)
    value = float(found.value)
    half = stats.t.ppf(0.975, round(float(found.effective), 2) - 1) * float(found.error)
    half /= value * (1 - value)
    ends = [1 / (1 + math.exp(-(math.log(value / (1 - value)) + side * half))) for side in (-1, 1)]
    assert (float(low), float(high)) == pytest.approx(tuple(ends))


def test_samples_without_a_score_say_nothing() -> None:
    rows = _documents(2)
    more = np.concatenate([rows, np.zeros((40, 2))])
    one, other = (left_out(distinct(given), share) for given in (rows, more))
    assert [float(value) for value in one] == pytest.approx([float(value) for value in other])


def test_ends_stay_inside_every_kind_of_scale() -> None:
    """Between two ends, above one, below one, and without any."""
    rows = _documents(3, size=16)
    for scale, map_ in (
        (PROPORTION, lambda s: s),
        (Scale(best=1.0, worst=-1.0), lambda s: 2 * s - 1),
        (Scale(higher=False, best=0.0, worst=None), lambda s: 1 / s - 1),
        (Scale(best=1.0, worst=None), lambda s: 2 - 1 / s),
        (Scale(best=None, worst=None), lambda s: 10 * s),
    ):
        found = left_out(distinct(rows), lambda sums, map_=map_: map_(share(sums)))
        low, high = (float(end) for end in found.interval(scale, 0.999))
        smallest, largest = scale.range
        assert smallest < low < float(found.value) < high < largest


def test_turning_right_and_wrong_around_turns_the_interval_around() -> None:
    rows = _documents(4)
    wrong = np.stack([rows[:, 1] - rows[:, 0], rows[:, 1]], axis=-1)
    (low, high), (other_low, other_high) = (
        left_out(distinct(given), share).interval(PROPORTION) for given in (rows, wrong)
    )
    assert float(low) == pytest.approx(1 - float(other_high))
    assert float(high) == pytest.approx(1 - float(other_low))


@pytest.mark.parametrize(
    "rows", [[[2.0, 2.0]] * 40, [[0.0, 2.0]] * 40, [[1.0, 2.0]] * 5, [[0.0, 0.0]] * 9]
)
def test_no_interval_without_spread_or_for_too_few(rows: list[list[float]]) -> None:
    low, high = left_out(distinct(np.array(rows)), share).interval(PROPORTION)
    assert math.isnan(low)
    assert math.isnan(high)


def test_one_document_that_holds_nearly_everything_makes_the_interval_wide() -> None:
    """Kish: (1,000 + 9 x 10)^2 / (1,000^2 + 9 x 100) = 1.19, hardly more than one document."""
    rows = np.array([[800.0, 1000.0]] + [[8.0, 10.0]] * 4 + [[7.0, 10.0]] * 5)
    found = left_out(distinct(rows), share)
    assert float(found.effective) == pytest.approx(1.187, abs=1e-3)
    low, high = found.interval(PROPORTION)
    assert float(high) - float(low) > 0.05


def test_sizes_are_those_of_what_is_scored() -> None:
    """Gold or predicted units of a label, whichever are more; all labels together of a total."""
    counts = np.array([[[2.0, 1, 3, 5, 3], [0, 4, 0, 0, 4]], [[0, 0, 0, 0, 0], [1, 0, 0, 1, 1]]])
    assert sizes_of(counts).tolist() == [9, 1]
    assert sizes_of(counts, (2,)).tolist() == [[5, 4], [0, 1]]
    assert kish(sizes_of(counts), np.array([1, 1]), np.array(2.0)) == pytest.approx(100 / 82)


def test_each_is_left_out_in_parts_as_in_one() -> None:
    rows = _documents(5)
    given = distinct(rows)
    expected = [share(rows.sum(axis=0) - row) for row in given.vectors]
    assert without_each(given, share) == pytest.approx(np.array(expected))
