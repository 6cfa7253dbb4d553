"""``finegrain align`` and saved tables where GOLD SYSTEM... is expected."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run

pytest.importorskip("pyarrow")

GOLD = "New\tB-LOC\nYork\tI-LOC\n\nAda\tB-PER\n"
CRF = "New\tB-LOC\nYork\tO\n\nAda\tB-LOC\n"
ANALYSES = (("score",), ("errors", "--examples", "2"), ("confusion",), ("show", "-w", "gold=LOC"))


@pytest.fixture
def folder(tmp_path: Path, run: Run) -> Path:
    (tmp_path / "gold.tsv").write_text(GOLD)
    (tmp_path / "crf.tsv").write_text(CRF)
    done = run("align", "gold.tsv", "crf.tsv", "-o", "table.parquet")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert done.stderr.endswith("wrote table.parquet\n")
    return tmp_path


@pytest.mark.parametrize("command", ANALYSES, ids=" ".join)
def test_the_table_says_what_its_files_say(
    command: tuple[str, ...], run: Run, folder: Path
) -> None:
    for format_ in ("table", "csv"):
        wanted = run(*command, "gold.tsv", "crf.tsv", "--format", format_)
        (folder / "gold.tsv").rename(folder / "away.tsv")  # the table needs no other file
        found = run(*command, "table.parquet", "--format", format_)
        (folder / "away.tsv").rename(folder / "gold.tsv")
        assert found.returncode == 0, found.stderr
        assert found.stdout == wanted.stdout
        assert found.stderr == "saved table; task spans; 2 sentences; 4 units; systems crf\n"


def test_the_name_of_the_file_does_not_matter(run: Run, folder: Path) -> None:
    (folder / "table.parquet").rename(folder / "run")
    assert run("score", "run", "--quiet").stderr == ""


@pytest.mark.usefixtures("folder")
def test_what_was_decided_in_alignment_cannot_be_chosen_again(run: Run) -> None:
    done = run("score", "table.parquet", "--policy", "discard")
    assert done.returncode == 2
    said = "error: --policy: decided when the table was made (conlleval). "
    assert done.stderr == f"{said}Give it to finegrain align.\n"
    assert run("score", "table.parquet", "--task", "tags").returncode == 2
    assert run("score", "table.parquet", "--columns", "token=1,tags=2").returncode == 2
    same = run("score", "table.parquet", "--task", "spans", "--scheme", "iob2")
    assert same.returncode == 0


@pytest.mark.usefixtures("folder")
def test_a_table_stands_alone(run: Run) -> None:
    for files in (("table.parquet", "crf.tsv"), ("gold.tsv", "table.parquet")):
        done = run("score", *files)
        assert done.returncode == 2
        assert "table.parquet is a saved table" in done.stderr


@pytest.mark.usefixtures("folder")
def test_the_output_is_a_parquet_file(run: Run) -> None:
    done = run("align", "gold.tsv", "crf.tsv", "-o", "table.json")
    assert done.returncode == 2
    assert "call it table.json.parquet" in done.stderr
    assert run("align", "gold.tsv", "crf.tsv").returncode == 2  # --output is missing
    unwritable = run("align", "gold.tsv", "crf.tsv", "-o", "no/such/folder/table.parquet")
    assert unwritable.returncode == 3
    assert "cannot be written" in unwritable.stderr


def test_a_damaged_table_is_bad_input(run: Run, folder: Path) -> None:
    path = folder / "table.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    done = run("score", "table.parquet")
    assert done.returncode == 3
    assert done.stderr == (
        "error: table.parquet: the Parquet file is damaged or incomplete. "
        "Write it again: finegrain align GOLD SYSTEM... -o table.parquet\n"
    )


def test_another_parquet_file_is_bad_input(run: Run, folder: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(
        pyarrow.table({"a": [1]}), folder / "other.parquet"
    )
    done = run("errors", "other.parquet")
    assert done.returncode == 3
    assert "not a table of finegrain" in done.stderr


@pytest.mark.usefixtures("folder")
def test_names_cannot_play_with_the_terminal(run: Run) -> None:
    run("align", "gold.tsv", "\x1b[31mred=crf.tsv", "-o", "red.parquet")
    done = run("score", "red.parquet")
    assert "systems \\x1b[31mred" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_pipes_are_read_once(folder: Path) -> None:
    """Looking whether a file is a table must not eat the first bytes of a pipe."""
    if not Path("/dev/fd").is_dir():
        pytest.skip("needs /dev/fd")
    reading, writing = os.pipe()
    os.write(writing, GOLD.encode())
    os.close(writing)
    done = subprocess.run(
        [sys.executable, "-m", "finegrain", "score", f"/dev/fd/{reading}", "crf.tsv"],
        cwd=folder, pass_fds=[reading], env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    os.close(reading)
    assert done.returncode == 0, done.stderr


def test_a_saved_table_can_be_saved_again(run: Run, folder: Path) -> None:
    run("align", "table.parquet", "-o", "again.parquet")
    assert (folder / "again.parquet").read_bytes() == (folder / "table.parquet").read_bytes()


@pytest.mark.parametrize("command", ["score", "explore"])
def test_what_is_called_a_table_and_is_none_is_told_so(
    command: str, run: Run, folder: Path
) -> None:
    done = run(command, "nosuch.parquet")
    assert done.returncode == 3
    assert done.stderr == "error: nosuch.parquet: no such file. Check the path.\n"
    (folder / "text.parquet").write_text(GOLD)
    done = run(command, "text.parquet")
    assert done.returncode == 3
    assert "text.parquet: this is not a saved table" in done.stderr
