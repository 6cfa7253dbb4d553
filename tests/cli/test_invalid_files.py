"""Fifteen submissions, of which some are broken: all are named, or left out and counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

GOLD = "Ada\tB-PER\nmet\tO\n\nBern\tB-LOC\n"
BROKEN = {
    "short": "Ada\tB-PER\n\nBern\tB-LOC\n",
    "columns": "Ada\tB-PER\nmet\n\nBern\tB-LOC\n",
    "empty": "",
}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "gold.tsv").write_text(GOLD)
    (tmp_path / "good.tsv").write_text(GOLD)
    (tmp_path / "weak.tsv").write_text(GOLD.replace("B-LOC", "O"))
    for name, text in BROKEN.items():
        (tmp_path / f"{name}.tsv").write_text(text)
    return ["gold.tsv", "short.tsv", "good.tsv", "columns.tsv", "weak.tsv", "empty.tsv"]


def test_all_that_cannot_be_used_are_named_at_once(
    run: Run, files: list[str], tmp_path: Path
) -> None:
    (tmp_path / "scores.json").write_text("before")
    done = run("score", *files, "-o", "scores.json")
    assert done.returncode == 3
    for name in BROKEN:
        assert f"{name}.tsv" in done.stderr
    assert "3 of 5 systems cannot be used; --skip-invalid leaves them out" in done.stderr
    assert (tmp_path / "scores.json").read_text() == "before"


def test_they_are_left_out_on_request_and_told(run: Run, files: list[str]) -> None:
    done = run("score", *files, "--skip-invalid", "--format", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["systems"] == ["good", "weak"]
    told = [note for note in found["notes"] if note.startswith("left out: ")]
    assert [note.split()[2] for note in told] == ["short", "columns", "empty"]
    assert "columns.tsv:2: expected 2 tab-separated columns, found 1" in told[1]
    alone = run("score", "gold.tsv", "good.tsv", "weak.tsv", "--format", "json")
    assert found["result"] == json.loads(alone.stdout)["result"]


def test_strict_takes_no_part_of_the_submissions(run: Run, files: list[str]) -> None:
    done = run("score", *files, "--skip-invalid", "--strict")
    assert done.returncode == 3
    assert "left out: short" in done.stderr


def test_gold_is_never_left_out_nor_are_all_systems(run: Run, files: list[str]) -> None:
    assert run("score", "columns.tsv", "good.tsv", "--skip-invalid").returncode == 3
    assert run("score", "gold.tsv", "short.tsv", "columns.tsv", "--skip-invalid").returncode == 3
    done = run("score", "gold.tsv", "short.tsv", "--skip-invalid")
    assert done.returncode == 3
    assert "short.tsv" in done.stderr


def test_one_broken_file_among_others_is_told_as_ever(run: Run, files: list[str]) -> None:
    done = run("score", "gold.tsv", "good.tsv", "columns.tsv")
    alone = run("score", "gold.tsv", "columns.tsv")
    assert done.stderr.splitlines()[-1] == alone.stderr.splitlines()[-1]


def test_gold_and_answer_side_by_side(run: Run, tmp_path: Path) -> None:
    for name, answer in (("a", "B-PER"), ("b", "O")):
        (tmp_path / f"{name}.tsv").write_text(f"Ada\tB-PER\t{answer}\n")
    (tmp_path / "c.tsv").write_text("Ada\tB-LOC\tO\n")
    columns = ("--columns", "token=1,gold=2,answer=3", "--skip-invalid", "--format", "json")
    done = run("score", "a.tsv", "c.tsv", "b.tsv", *columns)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["systems"] == ["a", "b"]
    (told,) = (note for note in found["notes"] if note.startswith("left out"))
    assert told.startswith("left out: c (c.tsv:1: gold 'B-LOC'")


def test_what_is_wrong_with_the_gold_is_told_of_the_gold_alone(
    run: Run, files: list[str], tmp_path: Path
) -> None:
    (tmp_path / "gold.tsv").write_text(GOLD.replace("B-LOC", "I-LOC"))
    for more in ((), ("--skip-invalid",)):
        done = run("score", *files, "--policy", "error", "--scheme", "iob2", *more)
        assert done.returncode == 3
        assert done.stderr.count("gold.tsv:4: tag 'I-LOC' is ill-formed") == 1
        assert "cannot be used" not in done.stderr
        assert "short.tsv" not in done.stderr


def test_where_nothing_would_be_left_leaving_out_is_not_proposed(
    run: Run, files: list[str]
) -> None:
    done = run("score", "gold.tsv", "short.tsv", "columns.tsv")
    assert "2 of 2 systems cannot be used\n" in done.stderr
