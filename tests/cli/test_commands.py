"""The command line as a user meets it: names, output files, formats, standard input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

GOLD = "New\tB-LOC\nYork\tI-LOC\n\nAda\tB-PER\n"
MADE = "New\tB-LOC\nYork\tO\n\nAda\tB-PER\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.tsv").write_text(GOLD)
    (tmp_path / "made.v2.tsv").write_text(MADE)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_systems_are_named_by_their_files_or_by_the_user(run: Run) -> None:
    done = run("score", "gold.tsv", "made.v2.tsv", "mine=made.v2.tsv", "--format", "json")
    document = json.loads(done.stdout)
    assert document["systems"] == ["made.v2", "mine"]
    assert (
        document["command"] == "finegrain score gold.tsv made.v2.tsv mine=made.v2.tsv --format json"
    )
    assert "made.v2 and mine are one file: made.v2.tsv" in document["notes"]


@pytest.mark.usefixtures("folder")
def test_what_was_recognised_is_said_on_stderr_only(run: Run) -> None:
    done = run("score", "gold.tsv", "made.v2.tsv")
    assert done.stderr == (
        "format conll; task spans (recognised); 2 sentences; 3 tokens; scheme iob2 (detected); "
        "all tags well-formed\n"
    )
    assert run("score", "gold.tsv", "made.v2.tsv", "--quiet").stderr == ""


def test_the_suffix_of_the_output_chooses_the_format(run: Run, folder: Path) -> None:
    for name, start in (
        ("a.json", "{"),
        ("a.csv", "system,"),
        ("a.tex", "%"),
        ("a.md", "**"),
        ("a.txt", "2 gold"),
    ):
        done = run("score", "gold.tsv", "made.v2.tsv", "-o", name, "-q")
        assert done.returncode == 0
        assert done.stdout == ""
        assert (folder / name).read_text().startswith(start)


def test_an_output_that_cannot_be_written_is_an_error(run: Run, folder: Path) -> None:
    done = run("score", "gold.tsv", "made.v2.tsv", "-o", "no/such/folder/a.json")
    assert done.returncode == 3
    assert "cannot be written" in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["gold.tsv", "made.v2.tsv"]


@pytest.mark.usefixtures("folder")
def test_standard_input(run: Run) -> None:
    done = run("score", "gold.tsv", "-", "--format", "json", stdin=MADE)
    assert json.loads(done.stdout)["systems"] == ["stdin"]
    twice = run("score", "-", "-", stdin=MADE)
    assert twice.returncode == 2
    assert "only once" in twice.stderr


def test_one_side_by_side_file_from_standard_input(run: Run) -> None:
    text = "New\tB-LOC\tB-LOC\nYork\tI-LOC\tO\n"
    done = run("score", "--columns", "token=1,gold=2,answer=3", "-", "--format", "json", stdin=text)
    assert json.loads(done.stdout)["result"]["stdin"]["counts"]["BES"] == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gold.tsv",), "at least one system"),
        (("gold.tsv", "made.v2.tsv", "--columns", "token=1,answer=2"), "go together"),
        (("gold.tsv", "made.v2.tsv", "--columns", "token"), "not name=column"),
        (("gold.tsv", "made.v2.tsv", "--metric", "fair_f2"), "Did you mean 'fair_f1'"),
        (
            ("gold.tsv", "made.v2.tsv", "--metric", "accuracy"),
            "needs tags, which the task spans does not",
        ),
        (("gold.tsv", "made.v2.tsv", "--format", "xml"), "unknown format 'xml'"),
        (("gold.tsv", "made.v2.tsv", "--focus", "both"), "unknown focus 'both'"),
        (("gold.tsv", "made.v2.tsv", "--scheme", "bio"), "unknown scheme 'bio'"),
        (("gold.tsv", "made.v2.tsv", "--header", "perhaps"), "unknown header"),
    ],
)
def test_wrong_usage_has_exit_code_2(run: Run, arguments: tuple[str, ...], said: str) -> None:
    done = run("score", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_version_and_unknown_commands(run: Run) -> None:
    assert run("--version").stdout.startswith("finegrain ")
    assert run("scroe").returncode == 2


def test_list_knows_every_kind(run: Run) -> None:
    from finegrain.cli.catalogue import kinds
    from finegrain.cli.commands.list import KINDS

    assert tuple(kinds()) == KINDS
    assert "unknown kind 'metric'. Did you mean 'metrics'?" in run("list", "metric").stderr
    shown = run("list", "formats", "conll").stdout
    assert "Columns are separated by tabs" in shown


def test_the_demo_leaves_its_files_and_shows_scores(run: Run, tmp_path: Path) -> None:
    done = run("demo", "--tokens", "5000")
    assert done.returncode == 0
    assert "crf takes" in done.stdout
    assert "gold spans in" in done.stdout
    assert (tmp_path / "finegrain-demo" / "gold.conll").exists()
    assert (tmp_path / "finegrain-demo" / "report.html").exists()


def test_simulate_is_repeatable_and_names_weaknesses(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run("simulate", name, "--tokens", "500", "--system", "s=too-short", "--seed", "3")
    assert (tmp_path / "one" / "s.conll").read_text() == (tmp_path / "two" / "s.conll").read_text()
    assert "unknown weakness" in run("simulate", "three", "--system", "s=tired").stderr
    assert "cannot be called 'gold'" in run("simulate", "three", "--system", "gold=").stderr


def test_a_closed_pipe_is_no_error(run: Run, folder: Path) -> None:
    import os
    import subprocess
    import sys

    from tests.conftest import ROOT

    process = subprocess.Popen(
        [sys.executable, "-m", "finegrain", "list", "metrics"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()
