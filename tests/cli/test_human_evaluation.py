"""Ratings, crowds and validation from the command line: what works, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.conftest import Run

HEAD = "rater,item,system,score\n"
LABELS = "annotator,item,label\nann,1,x\nben,1,x\ncat,1,y\nann,2,y\nben,2,y\ncat,2,x\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rater,item,score\nann,q1,3\n", "in.csv:1: items have no system"),
        (HEAD + "ann,q1,a,4\nann,q1,a,5\n", "in.csv:3: 'ann' rates a on 'q1' a second time"),
        (HEAD + "ann,q1,a,4\nann,q1,b,good\n", "in.csv:3: the score 'good' is not a number"),
        (HEAD + "ann,q1,a,4\nann,,b,2\n", "in.csv:3: no item"),
        (HEAD + "ann,q1,a,inf\n", "in.csv:2: the score 'inf' is not a number"),
        ("winner,loser\na,b\na,a\n", "in.csv:3: winner and loser are the same system, 'a'"),
        ("winner,loser,tie\na,b,perhaps\n", "in.csv:2: tie is 'perhaps'"),
        ("winner,loser\na,b\na,\n", "in.csv:3: no winner or no loser"),
        ("rater,item,winner,loser\nr,1,a,b\nr,1,b,a\n", "in.csv:3: 'r' rates a and b on '1'"),
    ],
)  # fmt: skip
def test_bad_judgements_are_refused(run: Run, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "in.csv").write_text(text)
    found = run("score", "in.csv", "--task", "ratings", cwd=tmp_path)
    assert found.returncode == 3
    assert told in found.stderr
    assert found.stdout == ""


def test_a_file_of_ratings_is_recognised_and_given_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(HEAD + "ann,q1,a,4\nann,q1,b,2\nben,q1,a,5\nben,q1,b,2\n")
    found = run("score", "in.csv", "--format", "json", cwd=tmp_path)
    result = json.loads(found.stdout)
    assert (result["task"], result["result"]["a"]["overall"]["rating"]) == ("ratings", 4.5)
    both = run("score", "in.csv", "in.csv", "--task", "ratings", cwd=tmp_path)
    assert both.returncode == 3
    assert "holds its systems itself" in both.stderr


def test_a_gate_of_two_of_the_systems_that_a_file_holds(run: Run, tmp_path: Path) -> None:
    rows = [f"ann,q{at},{name},{score}" for at in range(4)
            for name, score in (("old", 3), ("other", 1), ("new", 3 - (at == 0)))]  # fmt: skip
    (tmp_path / "in.csv").write_text(HEAD + "\n".join(rows) + "\n")
    gate = ("gate", "in.csv", "--task", "ratings", "--format", "json", "--fail-if", "worse > 0")
    fails = run(*gate, "--systems", "old,new", cwd=tmp_path)
    assert fails.returncode == 1
    assert json.loads(fails.stdout)["result"]["checks"][0]["value"] == 1
    assert run(*gate, "--systems", "other,new", cwd=tmp_path).returncode == 0
    undecided = run(*gate, cwd=tmp_path)
    assert undecided.returncode == 2
    assert "here are 3 (new, old, other): name two with --systems OLD,NEW" in undecided.stderr
    assert run(*gate, "--systems", "old,old", cwd=tmp_path).returncode == 2


def test_json_lines_of_judgements(run: Run, tmp_path: Path) -> None:
    lines = ['{"winner": "a", "loser": "b"}', '{"winner": "b", "loser": "a"}']
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n")
    found = run("score", "in.jsonl", "--task", "ratings", "--format", "json", cwd=tmp_path)
    assert json.loads(found.stdout)["result"]["a"]["overall"]["rating"] == 0.5


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,system,value\nq1,a,1\nq1,z,2\n", "m.csv:3: the system 'z' is not among"),
        ("item,system,value\nq9,a,1\n", "m.csv:2: the item 'q9' is not among"),
        ("item,system,value\nq1,a,1\nq1,a,2\n", "m.csv:3: 'a' on 'q1' has a value twice"),
        ("item,system,value\nq1,a,high\n", "m.csv:2: the value 'high' is not a number"),
        ("item,value\nq1,1\n", "m.csv:1: items have no system"),
    ],
)  # fmt: skip
def test_bad_metric_files_are_refused(run: Run, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "in.csv").write_text(HEAD + "ann,q1,a,4\nann,q1,b,2\n")
    (tmp_path / "m.csv").write_text(text)
    found = run("validate", "in.csv", "m.csv", cwd=tmp_path)
    assert found.returncode == 3
    assert told in found.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("annotator,label\nann,x\n", "in.csv:1: no column names the item"),
        ("annotator,item,label\nann,1,x\nann,1,y\n", "in.csv:3: 'ann' labels '1' a second time"),
        ("annotator,item,label\nann,,x\n", "in.csv:2: no item"),
        ("annotator,item,label,gold\nann,1,x,x\nben,1,x,y\n", "the gold label of '1' is"),
    ],
)  # fmt: skip
def test_bad_labels_of_a_crowd_are_refused(run: Run, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "in.csv").write_text(text)
    found = run("crowd", "in.csv", cwd=tmp_path)
    assert found.returncode == 3
    assert told in found.stderr


def test_aggregated_labels_are_gold_of_classification(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(LABELS)
    made = run("crowd", "in.csv", "--method", "vote", "-o", "gold.csv", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    rows = list(csv.DictReader((tmp_path / "gold.csv").read_text().splitlines()))
    assert [row["label"] for row in rows] == ["x", "y"]
    assert float(rows[0]["probabilities.x"]) == pytest.approx(2 / 3)
    (tmp_path / "s.csv").write_text(
        "id,label,probabilities.x,probabilities.y\n1,x,0.5,0.5\n2,x,0.6,0.4\n"
    )
    found = run("score", "gold.csv", "s.csv", "--format", "json", cwd=tmp_path)
    overall = json.loads(found.stdout)["result"]["s"]["overall"]
    assert overall["accuracy"] == 0.5
    # (2/3 - 1/2)^2 twice, (1/3 - 0.6)^2 twice: (0.0556 + 0.1422) / 2
    assert overall["soft_brier"] == pytest.approx((2 / 36 + 2 * (0.6 - 1 / 3) ** 2) / 2)


def test_gold_probabilities_must_sum_to_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text("id,label,probabilities.x,probabilities.y\n1,x,0.9,0.9\n")
    (tmp_path / "s.csv").write_text("id,label\n1,x\n")
    found = run("score", "gold.csv", "s.csv", "--task", "classification", cwd=tmp_path)
    assert found.returncode == 3
    assert "gold.csv:2: the probabilities sum to 1.8" in found.stderr
