"""Labels of figures: one format per axis, numbers where they have room, colours that differ."""

from __future__ import annotations

from itertools import combinations

import pytest

import finegrain as fg
from finegrain.attributes.bucketing import Bucket
from finegrain.corpus import Corpus
from finegrain.testing import small_corpora
from finegrain.views.charts import chart_of, charts_of
from finegrain.views.charts.bucket_labels import bucket_labels
from finegrain.views.charts.curves import bucket_curves
from finegrain.views.charts.palette import ERRORS


def _interval(least: float, most: float) -> Bucket:
    return Bucket("S", "interval", least=least, most=most)


def test_short_ranges_are_told_in_full() -> None:
    labels = bucket_labels([Bucket("1", "value", value=1.0), _interval(4, 14)])
    assert labels == (("1", "4 to 14"), 0)


def test_small_numbers_of_an_axis_have_one_power_of_ten() -> None:
    """A value alone has no `to`; 0.00067 is 0.67 thousandths, 0.021 are 21."""
    buckets = [Bucket("0", "value", value=0.0), _interval(0.00067, 0.00067),
               _interval(0.001337, 0.001337), _interval(0.002, 0.021)]  # fmt: skip
    labels = bucket_labels(buckets)
    assert labels.texts == ("0", "0.67", "1.3", "to 21")
    assert labels.unit() == "in 10⁻³"


def test_digits_are_added_until_buckets_can_be_told_apart() -> None:
    """Of two digits, the first two are both 0.95."""
    labels = bucket_labels([_interval(0.1, 0.9511), _interval(0.952, 0.9543), _interval(0.96, 1)])
    assert labels.texts == ("to 0.951", "to 0.954", "to 1")


def test_one_long_range_is_enough_for_all_to_be_told_by_their_end() -> None:
    labels = bucket_labels([_interval(2, 15), _interval(1000, 1200)])
    assert labels.texts == ("to 15", "to 1,200")


def test_categories_keep_their_names() -> None:
    buckets = [Bucket("CHEMICAL_COMPOUND", "category"), Bucket("(others)", "rest")]
    assert bucket_labels(buckets).texts == ("CHEMICAL_COMPOUND", "(others)")


@pytest.mark.parametrize(("name", "angle"), [("T", -60), ("CHEMICAL_COMPOUND_OF_TYPE_", -90)])
def test_names_of_many_categories_are_whole_and_long_ones_stand_upright(
    name: str, angle: int
) -> None:
    """Aslant, a long one would reach under the plot before."""
    corpus = Corpus.of([[f"w{place}" for place in range(8)]] * 3,
                       tags=[[f"{name}{place}" for place in range(8)]] * 3)  # fmt: skip
    found = fg.buckets(fg.align(corpus, {"a": corpus}, task="tags"), "label")
    spec = bucket_curves(found, (0,))
    assert spec is not None
    axis = spec["concat"][0]["encoding"]["x"]["axis"]
    assert axis["labelAngle"] == angle
    assert axis["labelLimit"] > 7 * len(f"{name}0 · 3")  # pixels of a character, at most


def test_the_best_systems_lie_over_the_others() -> None:
    play = fg.simulate(tokens=2_000, seed=1)
    found = fg.buckets(fg.align(play.gold, play.systems), "entity_length")
    order = tuple(reversed(range(len(found.systems))))
    spec = bucket_curves(found, order)
    assert spec is not None
    drawn = list(dict.fromkeys(one["system"] for one in spec["concat"][0]["data"]["values"]))
    assert drawn == list(found.systems)  # the first of the order last


def test_the_title_of_a_plot_says_in_what_its_buckets_are_told() -> None:
    play = fg.simulate(tokens=6_000, seed=1)
    report = fg.report(fg.align(play.gold, play.systems), train=play.train)
    plots = charts_of(report)["buckets"].spec["concat"]
    titles = [plot["title"]["text"] for plot in plots]
    assert "entity length" in titles
    assert any(title.endswith(", in 10⁻³") for title in titles)
    assert not any("·10" in text for plot in plots for text in plot["encoding"]["x"]["sort"])


def test_labels_stand_at_their_ticks() -> None:
    """Vega would move the first and the last inwards."""
    chart = chart_of(fg.oracle(fg.align(*small_corpora("spans"))))
    assert chart.spec["config"]["axis"]["labelFlush"] is False


def test_numbers_in_bars_have_room() -> None:
    """Of figures for print the width is known; a page sets its own."""
    chart = chart_of(fg.error_types(fg.align(*small_corpora("spans"))))
    assert chart.spec["params"] == [{"name": "across", "value": chart.spec["width"]}]
    test = chart.spec["layer"][1]["encoding"]["text"]["condition"]["test"]
    assert "datum.count * across" in test


def _lab(colour: str) -> tuple[float, float, float]:
    """CIE Lab of a colour of sRGB, white point D65."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize(("ground", "apart"), [("light", 14), ("dark", 22)])
def test_errors_differ_in_colour(ground: str, apart: float) -> None:
    """The distance of CIE 1976; on dark ground `missed` and `too short` were 21 apart."""
    colours = [_lab(getattr(one, ground)) for one in ERRORS.values()]
    distances = [
        sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
        for one, other in combinations(colours, 2)
    ]
    assert min(distances) >= apart
