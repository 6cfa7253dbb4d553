"""Sets of labels and clusters from the command line: scores, and files that are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run_finegrain

GOLD = '{"id": "1", "labels": ["a", "b"]}\n{"id": "2", "labels": []}\n'
SYSTEM = '{"id": "1", "labels": ["a"]}\n{"id": "2", "labels": ["b"]}\n'
CLASSES = "id,label\n1,x\n2,x\n3,y\n"


def _files(folder: Path, gold: str, system: str, ending: str) -> tuple[str, str]:
    names = (f"gold.{ending}", f"s.{ending}")
    for name, text in zip(names, (gold, system), strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    return names


def test_sets_of_labels_are_recognised_and_scored(tmp_path: Path) -> None:
    done = run_finegrain(
        "score", *_files(tmp_path, GOLD, SYSTEM, "jsonl"), "--format", "json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    overall = json.loads(done.stdout)["result"]["s"]["overall"]
    assert overall["micro_f1"] == pytest.approx(2 / 4)  # TP 1, FP 1, FN 1
    assert overall["hamming"] == pytest.approx(2 / 4)
    names = ("macro_f1", "weighted_f1", "samples_f1", "subset_accuracy", "jaccard")
    assert set(names) <= set(overall)


def test_clusters_are_scored(tmp_path: Path) -> None:
    files = _files(tmp_path, CLASSES, "id,cluster\n1,7\n2,7\n3,7\n", "csv")
    done = run_finegrain("score", *files, "--task", "clustering", "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    overall = json.loads(done.stdout)["result"]["s"]["overall"]
    assert overall["purity"] == pytest.approx(2 / 3)
    assert overall["inverse_purity"] == 1
    assert {"nmi", "ari", "v_measure", "bcubed_f1", "purity_f1", "pairwise_f1"} <= set(overall)


@pytest.mark.parametrize(
    ("gold", "system", "ending", "options", "said"),
    [
        (GOLD, SYSTEM.replace('["b"]', "null"), "jsonl", (), "s.jsonl:2: the labels of this item"),
        (GOLD, SYSTEM.replace('["b"]', '"b"'), "jsonl", (), "s.jsonl:2: 'labels' is a string"),
        (GOLD, SYSTEM.replace('["b"]', '["b", ""]'), "jsonl", (), "s.jsonl:2: a label in the list"),
        (GOLD, SYSTEM.split("\n", maxsplit=1)[0], "jsonl", (), "1 of 2 items have no answer"),
        (GOLD, SYSTEM.replace('"2"', '"9"'), "jsonl", (), "s.jsonl:2: the item '9' is not in"),
        (GOLD, SYSTEM.replace('"2"', '"1"'), "jsonl", (), "s.jsonl:2: the id '1'"),
        (GOLD, SYSTEM, "jsonl", ("--set", "schema=a"), "gold.jsonl:1: the label 'b' is not in"),
        ("id\tlabels\n1\tParis, Texas\n", "id\tlabels\n1\tRome\n", "tsv", (), "gold.tsv:2: what"),
        (CLASSES, "id,cluster\n1,7\n2,\n3,7\n", "csv", ("--task", "clustering"),
         "s.csv:3: no cluster"),
        (CLASSES, "id,cluster\n1,7\n2,7\n", "csv", ("--task", "clustering"), "1 of 3 items"),
        (CLASSES, "id,word\n1,7\n2,7\n3,7\n", "csv", ("--task", "clustering"),
         "items have no cluster"),
    ],
)  # fmt: skip
def test_bad_files_are_refused(
    tmp_path: Path, gold: str, system: str, ending: str, options: tuple[str, ...], said: str
) -> None:
    done = run_finegrain("score", *_files(tmp_path, gold, system, ending), *options, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert said in done.stderr
    assert not done.stdout
    assert "Traceback" not in done.stderr
