"""Items from the command line: files of every kind, and what is wrong with them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

GOLD = "id,label\nq1,pos\nq2,neg\nq3,pos\n"


@pytest.mark.parametrize(
    ("answers", "options", "where", "what"),
    [
        ("id,label\nq1,pos\nq9,neg\nq3,pos\n", (), "a.csv:3", "'q9' is not in the gold file"),
        ("id,label\nq1,pos\nq3,pos\n", (), "a.csv", "1 of 3 items have no answer: 'q2'"),
        ("id,label\nq1,pos\nq2,neg\nq1,neg\n", (), "a.csv:4", "--repeats yes"),
        ("id,label\nq1,pos\nq2,\nq3,neg\n", (), "a.csv:3", "--missing wrong or --missing skip"),
        (
            "id,label\nq1,pos\nq2,bad\nq3,pos\n", ("--label-schema", "pos,neg"), "a.csv:3",
            "the label 'bad' is not in the schema. Labels are neg, pos; --map OLD=NEW renames one.",
        ),
        (
            "id,label,prob_pos,prob_neg\nq1,pos,0.9,0.1\nq2,neg,0.9,0.9\nq3,pos,0.9,0.1\n", (),
            "a.csv:3", "the probabilities sum to 1.8",
        ),
        ("label\npos\nneg\n", (), "a.csv", "items have no ids here, but they have in gold.csv"),
    ],
)  # fmt: skip
def test_bad_items_end_with_file_line_and_a_way_out(
    run: Run, tmp_path: Path, answers: str, options: tuple[str, ...], where: str, what: str
) -> None:
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "a.csv").write_text(answers)
    found = run("score", "gold.csv", "a.csv", *options)
    assert found.returncode == 3
    assert found.stdout == ""
    assert where in found.stderr
    assert what in found.stderr


def test_missing_answers_are_counted_as_wrong_or_left_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "a.csv").write_text("id,label\nq1,pos\nq2,neg\n")
    wrong = run("score", "gold.csv", "a.csv", "--missing", "wrong", "--no-intervals")
    assert "66.67" in wrong.stdout
    assert "1 of 3 items has no answer" in wrong.stdout
    skip = run("score", "gold.csv", "a.csv", "--missing", "skip", "--no-intervals")
    assert "100.00" in skip.stdout
    assert "1 of 3 items is left out for all systems" in skip.stdout


def test_a_label_schema_can_be_a_file_and_holds_for_gold_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "labels.txt").write_text("pos\nneutral\n")
    found = run("score", "gold.csv", "a=gold.csv", "--label-schema", "labels.txt")
    assert found.returncode == 3
    assert "gold.csv:3: the label 'neg' is not in the schema" in found.stderr
    fine = run(
        "score", "gold.csv", "a=gold.csv", "--label-schema", "labels.txt", "--map", "neg=neutral"
    )
    assert fine.returncode == 0


def test_labels_alone_meet_by_order_and_this_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.txt").write_text("pos\nneg\npos\n")
    (tmp_path / "a.txt").write_text("pos\npos\npos\n")
    found = run("score", "gold.txt", "a.txt", "--task", "classification", "--no-intervals")
    assert "66.67" in found.stdout
    assert "gold and systems have no ids: items are matched by their order" in found.stdout


def _parquet(path: Path, columns: dict[str, Any]) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table(columns), path)


def test_parquet_files_of_items_score_as_the_same_lines_do(run: Run, tmp_path: Path) -> None:
    _parquet(tmp_path / "gold.parquet", {
        "id": [1, 2, 3], "text": ["a b", "c", "d"], "label": ["pos", "neg", "pos"],
        "year": [2001, None, 2003], "topics": [["x"], [], ["y", "z"]],
    })  # fmt: skip
    _parquet(tmp_path / "a.parquet", {
        "id": [1, 2, 3], "answer": ["pos", "pos", "pos"],
        "probabilities": [{"pos": 0.9, "neg": 0.1}] * 3,
    })  # fmt: skip
    (tmp_path / "gold.csv").write_text("id,text,label\n1,a b,pos\n2,c,neg\n3,d,pos\n")
    (tmp_path / "a.csv").write_text(
        "id,answer,prob_pos,prob_neg\n1,pos,0.9,0.1\n2,pos,0.9,0.1\n3,pos,0.9,0.1\n"
    )
    of_columns = ("score", "--task", "classification", "--no-intervals", "--format", "json")
    one = run(*of_columns, "gold.parquet", "a.parquet")
    two = run(*of_columns, "gold.csv", "a.csv")
    assert one.returncode == 0, one.stderr
    assert json.loads(one.stdout)["result"] == json.loads(two.stdout)["result"]


def test_a_wrong_row_of_a_parquet_file_is_told_by_its_number(run: Run, tmp_path: Path) -> None:
    _parquet(tmp_path / "gold.parquet", {"id": ["a", "b"], "label": ["x", "y"]})
    _parquet(tmp_path / "s.parquet", {"id": ["a", "c"], "label": ["x", "y"]})
    found = run("score", "gold.parquet", "s.parquet")
    assert found.returncode == 3
    assert "s.parquet:2: the item 'c' is not in the gold file" in found.stderr


@pytest.mark.parametrize("keep", [12, 60, 200])
def test_forged_parquet_is_refused(run: Run, tmp_path: Path, keep: int) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    whole = io.BytesIO()
    parquet.write_table(arrow.table({"id": ["a", "b"], "label": ["x", "y"]}), whole)
    data = whole.getvalue()
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "bad.parquet").write_bytes(data[:keep] + b"\xff" * 40 + data[keep + 40 :])
    (tmp_path / "cut.parquet").write_bytes(data[:keep] + data[-4:])
    for name in ("bad.parquet", "cut.parquet"):
        found = run("score", "gold.csv", name)
        assert found.returncode == 3, found.stderr
        assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ({"id": ["a"], "label": [b"\xff"]}, "gold.parquet:1: a cell holds bytes"),
        ({"id": ["a"], "label": [[["x"]]]}, "a list in the list 'label'"),
    ],
)
def test_columns_that_items_cannot_have(
    run: Run, tmp_path: Path, columns: dict[str, Any], what: str
) -> None:
    _parquet(tmp_path / "gold.parquet", columns)
    found = run("score", "gold.parquet", "a=gold.parquet", "--task", "classification")
    assert found.returncode == 3
    assert what in found.stderr


def test_items_are_described_gated_and_ranked_over_mixed_tasks(run: Run) -> None:
    for task, folder in (("classification", "labels"), ("regression", "grades")):
        run("simulate", folder, "--task", task, "--tokens", "1500")
        described = run("describe", f"{folder}/gold.csv", "--train", f"{folder}/train.csv")
        assert described.returncode == 0, described.stderr
        assert "items" in described.stdout
    passes = run("gate", "labels/gold.csv", "labels/lexicon.csv", "labels/finetuned.csv",
                 "--fail-if", "accuracy drops 1")  # fmt: skip
    assert passes.returncode == 0, passes.stdout
    fails = run("gate", "grades/gold.csv", "grades/finetuned.csv", "grades/lexicon.csv",
                "--fail-if", "pearson drops 0.05")  # fmt: skip
    assert fails.returncode == 1
    run("suite", "s.toml", "--start", "labels", "--start", "grades")
    suite = run("suite", "s.toml", "--baseline", "lexicon")
    assert suite.returncode == 0, suite.stderr
    assert "Scores: accuracy and pearson" in suite.stdout
    assert "No averages: scores of different metrics" in suite.stdout


def test_a_whole_json_document_needs_no_newline_at_its_end(run: Run, tmp_path: Path) -> None:
    rows = [{"id": "q1", "label": "pos"}, {"id": "q2", "label": "neg"}]
    (tmp_path / "gold.json").write_text(json.dumps(rows))
    (tmp_path / "a.json").write_text(json.dumps(rows, indent=1))
    assert "newline" not in run("score", "gold.json", "a.json", "--no-intervals").stdout
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))  # may have lost lines
    lines = run("score", "gold.json", "a.jsonl", "--no-intervals").stdout
    assert "a: the last line has no newline: is it complete?" in lines


def test_tasks_that_a_file_may_be_of_are_named_where_that_is_not_certain(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "gold.csv").write_text("id,label\nq1,0\nq2,1\nq3,2\nq4,2\n")
    found = run("score", "gold.csv", "gold.csv")
    assert found.returncode == 3
    assert "classification" in found.stderr
    assert "spans" not in found.stderr


def test_hard_items_are_described_by_what_items_have(run: Run, tmp_path: Path) -> None:
    run("simulate", "reviews", "--task", "classification", "--tokens", "1500")
    files = ("reviews/gold.csv", "reviews/lexicon.csv", "reviews/embedder.csv")
    found = run("features", *files).stdout
    assert "text_length" in found
    assert "Domain by bin" in found
    assert "sentence_length" not in found
    described = run("describe", "reviews/gold.csv").stdout
    assert "tokens of an item" in described
    assert "spans" not in described
    assert "Inconsistent" not in described


def test_items_without_a_text_have_no_attributes_of_texts(run: Run, tmp_path: Path) -> None:
    labels = ["pos", "neg"] * 40
    rows = [f"q{at},{label}" for at, label in enumerate(labels)]
    (tmp_path / "gold.csv").write_text("\n".join(["id,label", *rows, ""]))
    (tmp_path / "a.csv").write_text("\n".join(["id,label", *rows[:60]]) + "\n" + "".join(
        f"q{at},pos\n" for at in range(60, 80)))  # fmt: skip
    (tmp_path / "b.csv").write_text(
        "\n".join(["id,label", *(f"q{at},pos" for at in range(80)), ""])
    )
    found = run("report", "gold.csv", "a.csv", "b.csv")
    assert found.returncode == 0, found.stderr
    assert "a leads with 87.50 accuracy" in found.stdout
    assert "no unit has a value" not in found.stdout
    assert "text_length" not in run("features", "gold.csv", "a.csv", "b.csv").stdout


def test_other_columns_of_label_sets_are_attributes(run: Run, tmp_path: Path) -> None:
    rows = [{"id": f"q{at}", "labels": ["joy"], "domain": "ab"[at % 2]} for at in range(80)]
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    answers = [
        {"id": row["id"], "labels": ["joy", "love"][at % 3 == 0 :]} for at, row in enumerate(rows)
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
    assert "domain: micro" in run("buckets", "gold.jsonl", "a.jsonl").stdout


def test_clusters_are_described_and_have_no_kinds_of_errors(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text("id,label\nq1,pos\nq2,neg\nq3,pos\n")
    (tmp_path / "a.csv").write_text("id,cluster\nq1,c1\nq2,c2\nq3,c1\n")
    assert run("describe", "gold.csv", "--task", "clustering").returncode == 0
    found = run("errors", "gold.csv", "a.csv", "--task", "clustering")
    assert found.returncode == 2
    assert "items are right or wrong here and nothing more" in found.stderr


def test_a_table_of_annotators_that_is_scored_leads_to_its_commands(
    run: Run, tmp_path: Path
) -> None:
    rows = [f"w{who},t{item},{(who + item) % 2}" for who in range(3) for item in range(6)]
    (tmp_path / "labels.csv").write_text("\n".join(["annotator,item,label", *rows, ""]))
    found = run("score", "labels.csv")
    assert found.returncode == 2
    assert "finegrain agreement, finegrain crowd" in found.stderr
