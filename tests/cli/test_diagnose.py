"""diagnose and describe on the command line."""

from __future__ import annotations

import builtins
import io
import json
from pathlib import Path
from typing import Any

import pytest

from finegrain.cli.commands.describe import describe
from finegrain.cli.options import Inputs
from tests.conftest import Run


@pytest.fixture
def made(run: Run, tmp_path: Path) -> Path:
    """A small corpus, its training data and four systems."""
    assert run("simulate", "made", "--tokens", "1500").returncode == 0
    return tmp_path / "made"


def test_diagnose(made: Path, run: Run) -> None:
    files = [f"made/{name}.conll" for name in ("gold", "crf", "neural", "uniform")]
    done = run("diagnose", *files, "--train", "made/train.conll", "--format", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found["result"]["attributes"]) == 8
    assert [one["against"] for one in found["result"]["comparisons"]] == [None] * 3
    pair = ["--system", "crf", "--against", "neural", "--by", "entity_length,label"]
    text = run("diagnose", *files, *pair).stdout
    assert "Comparative diagnosis: crf against neural" in text


def test_diagnose_names_what_is_unknown(made: Path, run: Run) -> None:
    done = run("diagnose", "made/gold.conll", "made/crf.conll", "--system", "cfr")
    assert done.returncode == 2
    assert "unknown system 'cfr'. Did you mean 'crf'?" in done.stderr


def test_describe(made: Path, run: Run) -> None:
    done = run("describe", "made/gold.conll", "--train", "made/train.conll")
    assert done.returncode == 0, done.stderr
    for title in ("Sizes", "Attributes", "Labels", "Overlap", "Inconsistent labels"):
        assert f"{title}\n" in done.stdout
    assert "task spans (recognised)" in done.stderr
    tags = run("describe", "made/gold.conll", "--columns", "token=1,tags=2", "--format", "json")
    assert json.loads(tags.stdout)["task"] == "tags"


def test_describe_a_saved_table(made: Path, run: Run) -> None:
    pytest.importorskip("pyarrow")
    run("align", "made/gold.conll", "made/crf.conll", "-o", "table.parquet")
    whole = run("describe", "made/gold.conll", "--format", "json")
    saved = run("describe", "table.parquet", "--format", "json")
    assert json.loads(saved.stdout)["result"] == json.loads(whole.stdout)["result"]


def test_describe_knows_a_saved_table_by_its_content(made: Path, run: Run) -> None:
    pytest.importorskip("pyarrow")
    run("align", "made/gold.conll", "made/crf.conll", "-o", "table.parquet")
    (made.parent / "table").write_bytes((made.parent / "table.parquet").read_bytes())
    named, plain = (
        json.loads(run("describe", name, "--format", "json").stdout)
        for name in ("table.parquet", "table")
    )
    assert plain["result"] == named["result"]
    assert [{**one, "path": ""} for one in plain["inputs"]] == [
        {**one, "path": ""} for one in named["inputs"]
    ]


def test_describe_opens_a_gold_file_once(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times, plain = [], open

    def counting(path: Any, *rest: Any, **named: Any) -> Any:
        times.append(str(path))
        return plain(path, *rest, **named)

    for module in (builtins, io):  # the latter for paths
        monkeypatch.setattr(module, "open", counting)
    gold = str(made / "gold.conll")
    describe.function(Inputs(files=[gold], quiet=True), None, None)
    assert times.count(gold) == 1


def test_describe_says_what_is_wrong(made: Path, run: Run) -> None:
    assert run("describe", "gone.conll").returncode == 3
    assert run("describe", "made/gold.conll", "--policy", "x").returncode == 2
    assert run("describe", "made/gold.conll", "--by", "lable").returncode == 2
