"""``finegrain difference`` as a user meets it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import finegrain as fg
from tests.conftest import Run

GOLD = "New\tB-LOC\nYork\tI-LOC\n\nShe\tO\nmet\tO\nAda\tB-PER\n"
CUT = "New\tB-LOC\nYork\tO\n\nShe\tO\nmet\tO\nAda\tB-PER\n"
MISS = "New\tB-LOC\nYork\tI-LOC\n\nShe\tB-PER\nmet\tO\nAda\tO\n"
FILES = ("gold.tsv", "cut.tsv", "miss.tsv")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("gold", GOLD), ("cut", CUT), ("miss", MISS), ("same", GOLD)):
        (tmp_path / f"{name}.tsv").write_text(text)
    return tmp_path


def test_two_systems_are_compared_in_detail(run: Run, folder: Path) -> None:
    """miss has New York right (BES -> TP), misses Ada (TP -> FN) and invents She (-> FP)."""
    done = run("difference", *FILES, "--quiet", "--format", "json")
    result = json.loads(done.stdout)["result"]
    assert (result["a"], result["b"], result["units"], result["changed"]) == ("cut", "miss", 3, 3)
    told = [(one["from"], one["to"]) for one in result["new_errors"]["pairs"]]
    assert sorted(told) == [("ABSENT", "FP"), ("TP", "FN")]
    text = run("difference", *FILES, "--quiet", "--examples", "1").stdout
    assert text.startswith("miss corrects 1 and breaks 2 of 3 spans: accuracy -33.33")
    assert "correction: BES -> TP, 1 of 1" in text
    assert "absent" in text


def test_more_systems_are_compared_in_pairs(run: Run, folder: Path) -> None:
    result = json.loads(run("difference", *FILES, "same.tsv", "--format", "json").stdout)["result"]
    assert list(result["pairs"]) == ["cut|miss", "cut|same", "miss|same"]
    done = run("difference", *FILES, "same.tsv", "--baseline", "same", "--format", "json")
    assert list(json.loads(done.stdout)["result"]["pairs"]) == ["same|cut", "same|miss"]
    done = run("difference", *FILES, "same.tsv", "--systems", "same,cut", "--format", "json")
    result = json.loads(done.stdout)["result"]
    assert (result["a"], result["b"], result["changed"]) == ("same", "cut", 1)


def test_a_baseline_comes_first_in_a_pair(run: Run, folder: Path) -> None:
    done = run("difference", *FILES, "--baseline", "miss", "--format", "json")
    result = json.loads(done.stdout)["result"]
    assert (result["a"], result["b"]) == ("miss", "cut")


def test_shown_selections_find_the_same_units(run: Run, folder: Path) -> None:
    where = "change[cut,miss]=correction and outcome[cut]=BES and outcome[miss]=TP"
    done = run("show", *FILES, "--where", where, "--format", "jsonl", "--quiet")
    assert [json.loads(line)["text"] for line in done.stdout.splitlines()] == ["New York"]


def test_disagreements_are_exported_by_suffix(run: Run, folder: Path) -> None:
    for name in ("x.tsv", "x.jsonl", "x"):
        done = run("difference", *FILES, "--export", name)
        assert done.returncode == 0, done.stderr
        assert f"wrote {name}" in done.stderr
    with (folder / "x.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    lines = [json.loads(line) for line in (folder / "x.jsonl").read_text().splitlines()]
    assert [row["text"] for row in rows] == [line["text"] for line in lines]
    assert {(row["text"], row["a"], row["b"], row["kind"]) for row in rows} == {
        ("New York", "LOC New", "LOC", "correction"),
        ("She", "", "PER", "new_error"),
        ("Ada", "PER", "", "new_error"),
    }
    spans = fg.read(str(folder / "x")).spans
    assert spans is not None
    assert set(spans.labels) == {
        "gold.LOC", "gold.PER", "cut.LOC", "cut.PER", "miss.LOC", "miss.PER",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gold.tsv", "cut.tsv"), "give two systems or more to compare, not 1"),
        ((*FILES, "--systems", "cut,mis"), "Did you mean 'miss'?"),
        ((*FILES, "--baseline", "cutt"), "Did you mean 'cut'?"),
        ((*FILES, "--sort", "name"), "unknown sort 'name'"),
        ((*FILES, "--metric", "fair_f2"), "unknown metric 'fair_f2'"),
        ((*FILES, "--export", "x.xml"), "no form goes with '.xml'"),
        ((*FILES, "same.tsv", "--export", "x.tsv"), "--export writes one pair"),
        ((*FILES, "same.tsv", "--examples", "1"), "--examples are of one pair"),
        (("gold.tsv", "cut.tsv", "also=cut.tsv", "--export", "x"), "nothing to write"),
    ],
)
def test_wrong_usage_is_told(
    run: Run, folder: Path, arguments: tuple[str, ...], said: str
) -> None:  # fmt: skip
    done = run("difference", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_folder_that_is_not_empty_is_left_alone(run: Run, folder: Path) -> None:
    (folder / "kept").mkdir()
    (folder / "kept" / "notes.txt").write_text("mine")
    done = run("difference", *FILES, "--export", "kept")
    assert done.returncode == 2
    assert [path.name for path in (folder / "kept").iterdir()] == ["notes.txt"]
