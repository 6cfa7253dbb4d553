"""Figures of many data sets hold the numbers of the suite, and are drawn without a browser."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.views.charts import charts_of_suite
from finegrain.views.charts.suite_figures import attribute_profiles, improvement_map
from tests.conftest import Run


@pytest.fixture(scope="module")
def found() -> ManyDataSets:
    tables = {}
    for name, seed in (("news", 1), ("<chat>", 2)):
        made = fg.simulate(
            tokens=3_000, seed=seed, systems={"crf": ("long-entities",), "neural": ()}
        )
        tables[name] = fg.align(made.gold, made.systems)
    by = ["entity_length", "sentence_length"]
    return fg.Suite.of(tables, by=by, baseline="crf").run()


def test_the_map_has_every_improvement(found: ManyDataSets) -> None:
    spec = improvement_map(found, found.improvements[0])
    assert spec is not None
    cells = found.to_json()["improvements"][0]["attributes"]
    drawn = {
        (one["attribute"].replace(" ", "_"), one["bucket"], one["data set"]): one["change"]
        for one in spec["data"]["values"]
    }
    told = {
        (attribute, one["bucket"], name): round(100 * change, 2)
        for attribute, buckets in cells.items()
        for one in buckets
        for name, change in one["relative"].items()
        if change is not None
    }
    assert drawn == pytest.approx(told)
    longest = max(drawn, key=drawn.__getitem__)
    assert longest[:2] == ("entity_length", "XL")  # where crf has its planted weakness


def test_profiles_are_rho_and_the_share_of_zeta(found: ManyDataSets) -> None:
    spec = attribute_profiles(found)
    assert spec is not None
    rho, zeta = (panel["data"]["values"] for panel in spec["vconcat"])
    told = found.to_json()["data_sets"]
    assert all(one["value"] is not None for one in rho)
    for one in rho:
        known = told[one["data set"]]["attributes"][one["attribute"].replace(" ", "_")]
        assert one["value"] == pytest.approx(known["rho"], abs=1e-4)
    lengths = {name: one["attributes"]["entity_length"]["zeta"] for name, one in told.items()}
    shares = {one["data set"]: one["value"] for one in zeta if one["attribute"] == "entity length"}
    most = max(lengths.values())
    assert shares == pytest.approx({n: 100 * z / most for n, z in lengths.items()}, abs=0.06)


def test_a_line_breaks_at_an_attribute_that_its_data_set_lacks(tmp_path: Path) -> None:
    """Names have length and density of entities, tags a position, both a length of sentences.

    All words have one letter, so that nothing follows the number of characters."""
    made = fg.simulate(tokens=2_000, seed=1, systems={"crf": ("long-entities",), "gru": ()})
    text = [["a"] * (1 + place % 5) for place in range(40)]
    gold = fg.Corpus.of(text, tags=[["N"] * len(words) for words in text])
    other = fg.Corpus.of(text, tags=[["N", "N", "V", "V", "V"][: len(words)] for words in text])
    tables = {
        "names": fg.align(made.gold, made.systems),
        "tags": fg.align(gold, {"crf": other, "gru": gold}, task="tags"),
    }
    found = fg.Suite.of(tables).run()
    spec = attribute_profiles(found)
    assert spec is not None
    rho = spec["vconcat"][0]
    assert rho["encoding"]["x"]["sort"] == [
        "entity length", "sentence length", "entity density", "position", "characters",
    ]  # fmt: skip
    lacking = [one for one in rho["data"]["values"] if one["value"] is None]
    assert {(one["data set"], one["attribute"]) for one in lacking} == {
        ("tags", "entity length"), ("tags", "entity density"), ("names", "position"),
        ("names", "characters"), ("tags", "characters"),
    }  # fmt: skip
    assert not any("told" in one for one in lacking)
    charts_of_suite(found)["attributes"].save(str(tmp_path / "profiles.svg"))
    drawn = (tmp_path / "profiles.svg").read_text()
    lines = re.findall(r'aria-roledescription="line mark" d="([^"]+)"', drawn)
    pieces = [(line.count("M"), line.count("L")) for line in lines]
    # names in one piece of two parts; tags in two, of which only the neighbours of ζ are joined
    assert pieces == [(1, 2), (2, 0), (1, 2), (2, 1)]


def test_twelve_data_sets_differ_in_colour_or_dash() -> None:
    made = fg.simulate(tokens=500, seed=1, systems={"crf": (), "gru": ("spurious",)})
    table = fg.align(made.gold, made.systems)
    names = [f"data set {place}" for place in range(12)]
    by = ["entity_length", "sentence_length"]
    spec = attribute_profiles(fg.Suite.of(dict.fromkeys(names, table), by=by).run())
    assert spec is not None
    scales = [
        spec["vconcat"][0]["encoding"][channel]["scale"] for channel in ("color", "strokeDash")
    ]
    assert all(scale["domain"] == names for scale in scales)
    pairs = list(zip(*(map(str, scale["range"]) for scale in scales), strict=True))
    assert len(set(pairs)) == 12
    assert all(one[1] != other[1] for one, other in pairwise(pairs))  # also in grey


def test_one_attribute_makes_no_profile(found: ManyDataSets) -> None:
    made = fg.simulate(tokens=2_000, seed=3)
    alone = fg.Suite.of({"a": fg.align(made.gold, made.systems)}, by="entity_length").run()
    assert attribute_profiles(alone) is None
    assert charts_of_suite(alone) == {}


def test_figures_are_drawn(found: ManyDataSets, tmp_path: Path) -> None:
    charts = charts_of_suite(found)
    assert list(charts) == ["attributes", "improvement-1"]
    for name, chart in charts.items():
        chart.save(str(tmp_path / f"{name}.svg"))
        text = (tmp_path / f"{name}.svg").read_text()
        assert "&lt;chat&gt;" in text
        assert "<chat>" not in text
    assert repr(found.chart()).startswith("<Chart: Attributes of data sets")


def test_the_command_writes_them(run: Run, tmp_path: Path) -> None:
    for seed in ("1", "2"):
        systems = ("--system", "crf=long-entities", "--system", "neural=")
        run("simulate", f"d{seed}", "--tokens", "1500", "--seed", seed, *systems)
    run("suite", "suite.toml", "--start", "d1", "--start", "d2")
    shown = ("--by", "entity_length,sentence_length", "--baseline", "crf", "--no-intervals")
    done = run("suite", "suite.toml", *shown, "--figures", "figures", "--figure-format", "svg,pdf")
    assert done.returncode == 0, done.stderr
    names = {
        f"{name}.{suffix}" for name in ("attributes", "improvement-1") for suffix in ("svg", "pdf")
    }
    assert {one.name for one in (tmp_path / "figures").iterdir()} == names
