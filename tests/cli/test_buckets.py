"""``finegrain buckets`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

GOLD = "Ada B-PER\nmet O\nBob B-PER\n\nin O\nNew B-LOC\nYork I-LOC\n"
SYSTEM = "Ada B-PER\nmet O\nBob O\n\nin O\nNew B-LOC\nYork I-LOC\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "gold.conll").write_text(GOLD)
    (tmp_path / "crf.conll").write_text(SYSTEM)
    (tmp_path / "meta.tsv").write_text("sentence\tdomain\n1\tchat\n2\tnews\n")
    return tmp_path


def _json(run: Run, *arguments: str) -> dict[str, Any]:
    done = run("buckets", "gold.conll", "crf.conll", *arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)["result"]
    return result


def test_all_eight(run: Run, files: Path) -> None:
    result = _json(run, "--train", "gold.conll")
    assert list(result) == [
        "entity_length", "sentence_length", "entity_density", "oov_density",
        "entity_frequency", "token_frequency", "entity_consistency", "token_consistency",
    ]  # fmt: skip
    assert result["entity_length"]["systems"]["crf"]["f1"] == pytest.approx([2 / 3, 1])


def test_options(run: Run, files: Path) -> None:
    result = _json(run, "--by", "entity_length, label", "--by", "label+entity_length")
    assert list(result) == ["entity_length", "label", "label+entity_length"]
    result = _json(run, "--by", "entity_length", "--edges", "entity_length=1.5", "-m", "fair_f1")
    assert result["entity_length"]["edges"] == [1.5]
    assert result["entity_length"]["metric"] == "fair_f1"
    result = _json(run, "--preset", "interpreteval", "--train", "gold.conll", "--buckets", "3")
    assert result["oov_density"]["gold_sizes"] == [3]


def test_attributes_from_files(run: Run, files: Path) -> None:
    result = _json(run, "--attribute", "domain=meta.tsv")
    assert result["domain"]["names"] == ["chat", "news"]
    assert result["domain"]["systems"]["crf"]["recall"] == [0.5, 1]
    result = _json(run, "--attribute", "domain=meta.tsv", "--by", "domain+label")
    assert list(result) == ["domain+label"]


@pytest.mark.parametrize("options", [[], ["--case-sensitive"]])
def test_every_bucket_leads_to_its_units(run: Run, files: Path, options: list[str]) -> None:
    """What ``show`` finds by the selection of a bucket is what the bucket counts."""
    train = SYSTEM.replace("Ada", "ADA").replace("in O", "in O\nBob B-ORG")
    (files / "train.conll").write_text(train)
    shared = ["--train", "train.conll", "--attribute", "domain=meta.tsv", *options]
    by = "entity_length,oov_density,entity_consistency,token_frequency,domain+label"
    asked = 0
    for name, found in _json(run, "--by", by, *shared).items():
        for where, size in zip(found["where"], found["gold_sizes"], strict=True):
            chosen = ["--where", f"({where}) and gold!=none", *shared, "--format", "json"]
            shown = run("show", "gold.conll", "crf.conll", *chosen)
            assert shown.returncode == 0, shown.stderr
            assert json.loads(shown.stdout)["result"]["found"] == size, (name, where)
            asked += size
    assert asked == 3 + 3 + 3 + 4 + 3  # units, and tokens of units, are in one bucket each


def test_a_table_for_people(run: Run, files: Path) -> None:
    done = run("buckets", "gold.conll", "crf.conll", "--by", "entity_length")
    assert done.returncode == 0
    assert "entity_length: traditional f1" in done.stdout
    assert "rho 1.00" in done.stdout


def test_a_saved_table_serves(run: Run, files: Path) -> None:
    pytest.importorskip("pyarrow")
    run("align", "gold.conll", "crf.conll", "-o", "table.parquet")
    done = run("buckets", "table.parquet", "--train", "gold.conll", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"] == _json(run, "--train", "gold.conll")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--by", "entity_frequency"], 2, "give training data"),
        (["--by", "lenght"], 2, "unknown attribute 'lenght'"),
        (["--attribute", "domain"], 2, "'domain' is not NAME=FILE"),
        (["--attribute", "label=meta.tsv"], 2, "'label' is built in"),
        (["--attribute", "domain=none.tsv"], 3, "none.tsv: no such file"),
        (["--attribute", "domain=bad.tsv"], 3, "bad.tsv:2: there is no sentence 7"),
        (["--attribute", "domain=meta.tsv", "--attribute", "domain=bad.tsv"], 2, "there twice"),
        (["--edges", "entity_length=a"], 2, "is not NAME=1,2,5"),
        (["--edges", "entity_length=1", "--edges", "entity_length=2"], 2, "there twice"),
        (["--edges", "entity_length=2,1"], 2, "rising numbers"),
        (["--strategy", "wide"], 2, "unknown strategy 'wide'"),
        (["--preset", "none"], 2, "unknown preset 'none'"),
        (["--train", "none.conll"], 3, "none.conll: no such file"),
    ],
)
def test_errors_say_what_to_do(
    run: Run, files: Path, arguments: list[str], code: int, message: str
) -> None:
    (files / "bad.tsv").write_text("sentence\tdomain\n7\tchat\n")
    done = run("buckets", "gold.conll", "crf.conll", *arguments)
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr


def test_list_explains_attributes(run: Run) -> None:
    done = run("list", "attributes", "entity_consistency")
    assert "needs training data" in done.stdout
    assert "occurrences of the words of x" in done.stdout
    assert "buckets: 0; 1; the rest in 2 parts of equal frequency" in done.stdout
