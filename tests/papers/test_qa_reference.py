"""Scores of real systems on XQuAD, equal to the definition of SQuAD 1.1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run_finegrain


def test_xquad_with_gold_and_answer_in_one_file(shared: Path) -> None:
    folder = shared / "data/qa/xquad-en"
    expected = json.loads((folder / "reference.json").read_text())["systems"]
    files = [f"{name}={folder / name}.json.gz" for name in expected]
    gold = str(folder / "mlpp.json.gz")
    found = run_finegrain("score", gold, *files, "--format", "json", cwd=Path())
    assert "task qa (recognised)" in found.stderr
    result = json.loads(found.stdout)["result"]
    for name, one in expected.items():
        assert f"{one['n']:,} questions" in found.stderr
        for metric in ("exact_match", "f1"):  # 0 to 100 there
            assert result[name]["overall"][metric] == pytest.approx(one[metric] / 100, abs=1e-12)
