"""Levels, label rules, saved tables and second gold standards, as a user types them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

GOLD = "New\tB-LOC\nYork\tI-LOC\nsleeps\tO\n.\tO\n\nAda\tB-PER\nin\tO\nParis\tB-LOC\n"
CRF = "New\tB-LOC\nYork\tO\nsleeps\tO\n.\tO\n\nAda\tB-LOC\nin\tO\nParis\tB-LOC\n"
RULES = "New\tB-LOC\nYork\tI-LOC\nsleeps\tB-PER\n.\tO\n\nAda\tB-PER\nin\tB-PER\nParis\tO\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    for name, text in {"gold": GOLD, "crf": CRF, "rules": RULES}.items():
        (tmp_path / f"{name}.tsv").write_text(text)
    return tmp_path


def _json(run: Run, *arguments: str) -> dict[str, Any]:
    done = run(*arguments, "-q", "--format", "json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _refused(run: Run, message: str, *arguments: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_all_tokens_have_a_say_in_the_vote_of_tokens(run: Run) -> None:
    """Ties: York O or I-LOC, Ada B-LOC or B-PER, Paris B-LOC or O.

    All 14 answers have O 6 times, B-LOC 4, B-PER 3, I-LOC 1: O, B-LOC, O win, only New is right.
    The answers for gold spans alone would have B-LOC 4 times, O 2, and Paris would be right, too.
    """
    found = _json(run, "oracle", "gold.tsv", "crf.tsv", "rules.tsv", "--level", "token")
    assert found["result"]["overall"]["vote"] == 0.25
    voted = _json(
        run, "difficulty", "gold.tsv", "crf.tsv", "rules.tsv", "--level", "token", "--vote"
    )
    assert voted["result"]["recall"]["majority vote"] == 0.25


def test_rules_are_about_the_label_behind_the_prefix(run: Run) -> None:
    files = ("gold.tsv", "crf.tsv", "--level", "token")
    places = _json(run, "difficulty", *files, "--labels", "LOC")
    assert places["result"]["units"] == 3
    assert _json(run, "difficulty", *files, "--exclude", "LOC")["result"]["units"] == 1
    renamed = _json(run, "difficulty", *files, "--map", "PER=LOC")
    assert renamed["result"]["totals"] == {"crf": 3}  # Ada is right now


def test_the_level_is_in_the_signature_without_units(run: Run) -> None:
    found = _json(run, "difficulty", "gold.tsv", "crf.tsv", "--level", "token", "--labels", "X")
    assert found["result"]["units"] == 0
    assert "|level:token|" in found["signature"]


def test_spans_cannot_be_renamed_to_outside(run: Run) -> None:
    _refused(run, "--map PER=O: O is not a label", "score", "gold.tsv", "crf.tsv", "--map", "PER=O")


def test_the_level_token_says_what_it_needs(run: Run, folder: Path) -> None:
    spans = [{"start": 0, "end": 3, "label": "PER"}]
    (folder / "gold.jsonl").write_text(json.dumps({"text": "Ada", "spans": spans}) + "\n")
    done = run("difficulty", "gold.jsonl", "gold.jsonl", "--level", "token")
    assert done.returncode == 3
    assert "the level token need tags" in done.stderr


def test_training_data_are_read_as_the_saved_table_was_made(run: Run) -> None:
    pytest.importorskip("pyarrow")
    run("align", "gold.tsv", "crf.tsv", "--map", "LOC=X", "--exclude", "PER", "-o", "t.parquet")
    live = ("gold.tsv", "crf.tsv", "--map", "LOC=X", "--exclude", "PER")
    for command in (("score", "--no-intervals"), ("buckets", "--by", "entity_frequency")):
        train = ("--train", "gold.tsv")
        wanted = _json(run, *command, *live, *train)
        assert _json(run, *command, "t.parquet", *train)["result"] == wanted["result"]
    again = _json(run, "errors", "t.parquet", "--map", "LOC=X", "--exclude", "PER")
    assert again["result"] == _json(run, "errors", *live)["result"]
    _refused(run, "decided when the table was made (LOC=X)", "errors", "t.parquet", "--map", "A=B")
    _refused(run, "--level token needs a table of tags", "oracle", "t.parquet", "--level", "token")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--by", "document"), "--by is not shown with --also-gold"),
        (("--schemes",), "--schemes is not shown"),
        (("--train", "gold.tsv"), "--train is not shown"),
    ],
)
def test_what_a_second_gold_does_not_show_is_refused(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    _refused(run, message, "score", "gold.tsv", "crf.tsv", "--also-gold", "rules.tsv", *arguments)


def test_a_second_gold_with_chosen_scores(run: Run, folder: Path) -> None:
    files = ("score", "gold.tsv", "crf.tsv", "--also-gold")
    done = run(*files, "rules.tsv", "--metric", "fair_recall", "--format", "csv", "-q")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["metric"] for row in rows if row["metric"]] == ["fair_recall"]
    one, two = float(rows[0]["first"]), float(rows[0]["second"])
    assert float(rows[0]["change"]) == two - one
    assert any(row["sentence"] for row in rows)
    weighted = _json(run, *files, "rules.tsv", "--beta", "2", "--weights", "fair")
    assert {"weighted_f1", "fair_f_beta"} <= weighted["result"]["crf"]["change"].keys()
    done = run("score", "gold.tsv", "-", "--also-gold", "rules.tsv", stdin=CRF)
    assert (done.returncode, "standard input" in done.stderr) == (2, True)
    (folder / "short.tsv").write_text("New\tB-LOC\nYork\tI-LOC\n")
    assert "short.tsv:2: the file ends" in run(*files, "short.tsv").stderr


def test_bins_of_a_saved_table_of_any_name(run: Run, folder: Path) -> None:
    pytest.importorskip("pyarrow")
    (folder / "m.tsv").write_text("item\ta\tb\nq1\t1\t0\nq2\t0\t0\n")
    assert run("align", "m.tsv", "-o", "t.parquet").returncode == 0
    (folder / "t.parquet").rename(folder / "saved")
    done = run("difficulty", "saved", "--annotate", "bins.tsv")
    assert done.returncode == 0, done.stderr
    assert "q2" in (folder / "bins.tsv").read_text()


def test_a_file_holds_all_suspects(run: Run, folder: Path) -> None:
    many = "".join(f"w{number}\tB-PER\n\n" for number in range(25))
    (folder / "many.tsv").write_text(many)
    (folder / "none.tsv").write_text(many.replace("B-PER", "O"))
    run("triage", "many.tsv", "none.tsv", "-o", "again.md")
    assert (folder / "again.md").read_text().count("| w") == 25


def test_a_share_of_all_systems_and_items_without_answers(run: Run, folder: Path) -> None:
    (folder / "m.tsv").write_text("item\ta\tb\nq1\t1\t0\nq2\t0\t0\nq3\t1\t1\n")
    assert "1 item that all get wrong\n" in run("triage", "m.tsv", "--at-least", "1.0").stdout
    one = run("triage", "m.tsv", "--at-least", "1").stdout
    assert one.startswith("2 items that 1 or more systems get wrong")


def test_tags_are_written_in_another_scheme(run: Run, folder: Path) -> None:
    assert run("convert", "gold.tsv", "new.conll", "--scheme", "bioes").returncode == 0
    assert (folder / "new.conll").read_text().splitlines()[:2] == ["New\tB-LOC", "York\tE-LOC"]
    (folder / "pos.tsv").write_text("Ada\tNN\n")
    _refused(run, "no tags of spans", "convert", "pos.tsv", "p.conll", "--scheme", "bioes")


@pytest.mark.parametrize("names", [("a=", "a="), ("a\nb=",), ("x" * 300 + "=",)])
def test_names_of_simulated_systems(run: Run, folder: Path, names: tuple[str, ...]) -> None:
    _refused(run, "", "simulate", "play", *(part for name in names for part in ("-s", name)))
    assert not (folder / "play").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item\ta\tb\nq1\t1\tNaN\nq2\t0\t1\n", "m.tsv:2: cell 3 is 'NaN'."),
        ("item\ta\tb\nq1\t1\t0\nq2\t2\t1\n", "m.tsv:3: cell 2 is '2'."),
        ("item\ta\tb\nq1\t1\t0\n\nq2\t0\t1\n", "m.tsv:3: a blank line."),
        ("item\ta\tb\nq1\t1\t0\nq2\t0\n", "m.tsv:3: expected 3 cells, found 2."),
        ("1 0\n0 1\n1 x\n", "m.tsv:3: cell 2 is 'x'."),
        ("q1\t1\t0\nq2\t0\t1\nq3\t1\tx\n", "m.tsv:3: cell 3 is 'x'."),
        ("a b\n1\n0 1\n1 1\n", "m.tsv:1: the header names 2 systems, the lines below have 1."),
        ("1 2\n0 1\n1 1\n", "m.tsv:1: systems called by a number, or a unit with a cell"),
        ("item\ta\tb\n", "m.tsv:1: a header line, and no line of 0 and 1 below it."),
    ],
)
def test_what_is_wrong_in_a_table_of_0_and_1(
    run: Run, folder: Path, text: str, message: str
) -> None:
    (folder / "m.tsv").write_text(text)
    done = run("difficulty", "m.tsv")
    assert (done.returncode, done.stdout) == (3, "")
    assert f"error: {message}" in done.stderr
    done = run("check", "m.tsv")
    assert (done.returncode, message in done.stdout) == (3, True)
    assert "m.tsv is read as a 0/1 table (if it holds tokens in columns: --input conll)" in (
        done.stderr
    )


@pytest.mark.parametrize(
    "text",
    [
        "The DT 0\ndog NN 1\nsleeps VB 0\n",  # one column without 0 and 1
        "a 1 0\nb 0 2\n\nc 0 0\nd 1 1\n\ne 0 1\n",  # sentences
        "token\tx\ty\na\t1\t0\nb\t2\t1\n",
        "Ada 1\nmet 0\nBen 2\n",
    ],
)
def test_columns_with_0_and_1_are_no_table(run: Run, folder: Path, text: str) -> None:
    (folder / "m.tsv").write_text(text)
    assert "m.tsv: ok, format conll" in run("check", "m.tsv", "--task", "tags").stdout
    assert "read as a 0/1 table" not in run("check", "m.tsv").stderr
    _refused(run, "GOLD SYSTEM...", "score", "m.tsv")


def test_a_table_of_0_and_1_shows_the_intervals_it_names(run: Run, folder: Path) -> None:
    (folder / "m.tsv").write_text("item\ta\tb\n" + "x\t1\t0\ny\t1\t1\nz\t0\t1\n" * 20)
    shown = run("score", "m.tsv", "--input", "matrix").stdout
    assert "intervals:1000" in shown
    assert re.search(r"^a +66\.67 \[\d\d\.\d\d, \d\d\.\d\d\]$", shown, re.MULTILINE)
    plain = run("score", "m.tsv", "--input", "matrix", "--no-intervals").stdout
    assert "interval" not in plain


def test_labels_with_a_comma_stand_in_quotes(run: Run, folder: Path) -> None:
    (folder / "g.conll").write_text("a\tB-art,music\nb\tB-PER\nc\tB-LOC\n")
    chosen = ("--labels", '"art,music", PER', "--no-intervals")
    found = _json(run, "score", "g.conll", "s=g.conll", *chosen)["result"]["s"]
    assert list(found["labels"]) == ["PER", "art,music"]
