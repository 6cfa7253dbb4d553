"""The chart engine ends its process where address space is limited: finegrain lives on."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from finegrain.errors import FinegrainError
from finegrain.views.charts import engine
from finegrain.views.charts.chart import Chart
from tests.command_line import environment

SPEC = {
    "description": "one point",
    "mark": "point",
    "data": {"values": [{"x": 1}]},
    "encoding": {"x": {"field": "x", "type": "quantitative"}},
}


def test_a_limit_of_address_space_is_a_message(tmp_path: Path) -> None:
    program = f"from finegrain.views.charts.chart import Chart; Chart({SPEC}).save('a.svg')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)),
    )  # fmt: skip
    assert done.returncode == 1, done.stderr  # not by a signal
    assert "FinegrainError: no figure can be drawn: the chart engine ended early" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_crash_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_is_limited", lambda: True)
    monkeypatch.setattr(engine, "_CHILD", "import os; os.abort()")
    (tmp_path / "a.svg").write_text("old")
    with pytest.raises(FinegrainError, match="chart engine ended early"):
        Chart(SPEC).save(str(tmp_path / "a.svg"))
    assert [one.name for one in tmp_path.iterdir()] == ["a.svg"]
    assert (tmp_path / "a.svg").read_text() == "old"


def test_figures_are_the_same_in_a_process_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = engine.converter().vegalite_to_svg(Chart(SPEC).spec)
    monkeypatch.setattr(engine, "_is_limited", lambda: True)
    assert engine.converter().vegalite_to_svg(Chart(SPEC).spec) == drawn
    assert engine.converter().vegalite_to_png(Chart(SPEC).spec, scale=2).startswith(b"\x89PNG")
    with pytest.raises(FinegrainError, match="cannot be drawn"):
        Chart({**SPEC, "mark": "nonsense"}).save("never.svg")
