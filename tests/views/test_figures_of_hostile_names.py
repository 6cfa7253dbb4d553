"""Names from files are only names in a figure, whatever they hold; what cannot be drawn is said."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import parse_qs

import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.errors import FinegrainError
from finegrain.views.charts import charts_of, charts_of_suite
from finegrain.views.charts.chart import Chart
from tests.conftest import Run

pytest.importorskip("vl_convert", reason="needs the extra report")

OF_OBJECTS = ("constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "__proto__")


def _drawn(chart: Chart) -> str:
    return chart._written(".svg").decode()


def test_systems_may_be_named_like_properties_of_objects() -> None:
    play = fg.simulate(tokens=2_000, seed=1)
    output = play.systems["crf"]
    report = fg.report(fg.align(play.gold, {**dict.fromkeys(OF_OBJECTS, output), "plain": output}))
    for name, chart in charts_of(report).items():
        assert _drawn(chart).startswith("<svg"), name
    shown = _drawn(charts_of(report)["difficulty"])
    for name in OF_OBJECTS:
        assert f">{name}<" in shown
    assert ">plain<" in shown


def test_what_is_invisible_in_names_is_written_out() -> None:
    """And links still tell the true label."""
    text = [["Ada", "Rome"]] * 3
    gold = Corpus.of(text, tags=[["N", "N"]] * 3)
    turned = Corpus.of(text, tags=[["N", "\u202eX"]] * 3)
    table = fg.align(gold, {"bad\udcff": turned, "b\u202e\x1b": gold}, task="tags")
    chart = charts_of(fg.report(table))["errors"]
    (value,) = chart.spec["data"]["values"]
    assert (value["system"], value["type"]) == ("bad\\udcff", "\\u202eX")
    assert value["told"] == "bad\\udcff, \\u202eX: 3 of 3 errors"
    where = parse_qs(value["href"].partition("?")[2])["where"][0]
    assert ["=", ["answer", "bad\udcff"], "\u202eX"] in json.loads(where)
    for shown in (_drawn(chart), chart._repr_html_()):
        assert "bad\\udcff" in shown
        assert "b\\u202e\\x1b" in shown
        assert "\u202e" not in shown


def test_names_of_data_sets_are_written_out_too() -> None:
    tables = {}
    for name, seed in (("a\u202e", 1), ("constructor", 2)):
        made = fg.simulate(tokens=2_000, seed=seed)
        tables[name] = fg.align(made.gold, made.systems)
    by = ["entity_length", "sentence_length"]
    found = fg.Suite.of(tables, by=by, baseline="crf").run()
    charts = charts_of_suite(found)
    assert len(charts) > 1
    for chart in charts.values():
        shown = _drawn(chart)
        assert "a\\u202e" in shown
        assert "constructor\N{NO-BREAK SPACE}" in shown


def test_lines_of_a_label_stay_lines() -> None:
    assert Chart({"sort": ["T0\n3"]}).spec["sort"] == ["T0\n3"]


def test_a_file_name_that_is_not_text_has_figures(run: Run, tmp_path: Path) -> None:
    line = "Ada\tB-PER\n\n"
    (tmp_path / "gold.conll").write_text(line * 3)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.conll")).write_text(line * 3)
    done = run("report", "gold.conll", "bad\udcff.conll", "--figures", "figures", "-o", "a.html")
    assert done.returncode == 0, done.stderr
    assert "bad\\udcff" in (tmp_path / "figures" / "errors.svg").read_text()


def test_what_cannot_be_drawn_is_said_in_a_sentence(tmp_path: Path) -> None:
    chart = Chart({"description": "Nothing", "mark": "no such mark", "encoding": {}})
    with pytest.raises(FinegrainError, match=r"^<Chart: Nothing> cannot be drawn: .+") as told:
        chart.save(str(tmp_path / "nothing.svg"))
    assert told.value.exit_code == 3
    assert "\n" not in str(told.value)
    assert list(tmp_path.iterdir()) == []
    assert chart._repr_html_() == "&lt;Chart: Nothing&gt;"
    assert "image/svg+xml" not in chart._repr_mimebundle_()
