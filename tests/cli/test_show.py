"""``finegrain show`` as a user meets it."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run

GOLD = 'New\tB-LOC\nYork\tI-LOC\n\n"\tO\nAda\tB-PER\n"\tO\n'
CUT = 'New\tB-LOC\nYork\tO\n\n"\tO\nAda\tB-PER\n"\tO\n'
MISS = 'New\tB-LOC\nYork\tI-LOC\n\n"\tB-PER\nAda\tO\n"\tO\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("gold", GOLD), ("cut", CUT), ("miss", MISS)):
        (tmp_path / f"{name}.tsv").write_text(text)
    return tmp_path


FILES = ("gold.tsv", "cut.tsv", "miss.tsv", "--quiet")


def test_quotation_marks_of_bc5(run: Run, shared: Path) -> None:
    """216 of its tokens are a double quotation mark (counted with zgrep)."""
    folder = shared / "data" / "ner" / "bc5-chemical"
    done = run(
        "show", "fasttext-mimic-s1.tsv.gz", "--task", "tags",
        "--columns", "token=1,gold=2,answer=3", "--where", 'text="\\""', "--format", "jsonl",
        cwd=folder,
    )  # fmt: skip
    units = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(units) == 216
    assert all(unit["words"][unit["tokens"][0] - 1] == '"' for unit in units)


def test_quotation_marks_here(run: Run, folder: Path) -> None:
    done = run("show", *FILES, "--task", "tags", "-w", 'text="\\""', "--format", "tsv")
    rows = list(csv.DictReader(done.stdout.splitlines(), delimiter="\t"))
    assert [(row["text"], row["sentence"], row["line"]) for row in rows] == [
        ('"', "2", "4"),
        ('"', "2", "6"),
    ]


def test_units_in_context(run: Run, folder: Path) -> None:
    done = run("show", *FILES, "--where", "gold=LOC and outcome[cut]!=TP")
    assert done.stdout.splitlines()[:7] == [
        "1 unit where gold=LOC and outcome[cut]!=TP",
        "",
        "New York  sentence 1, line 1",
        "      New York",
        "gold  ━━━━━━━━ LOC",
        "cut   ━━━ LOC  BES",
        "miss  ━━━━━━━━ LOC  TP",
    ]
    assert done.stderr == ""


def test_some_systems(run: Run, folder: Path) -> None:
    done = run("show", *FILES, "--systems", "miss", "--format", "tsv")
    rows = list(csv.reader(done.stdout.splitlines(), delimiter="\t"))
    assert rows == [
        ["document", "sentence", "line", "tokens", "text", "label", "gold",
         "outcome[miss]", "answer[miss]", "answer_text[miss]", "words"],
        ["", "1", "1", "1 2", "New York", "LOC", "LOC", "TP", "LOC", "New York", "New York"],
        ["", "2", "4", "1", '"', "PER", "", "FP", "PER", '"', '" Ada "'],
        ["", "2", "5", "2", "Ada", "PER", "PER", "FN", "", "", '" Ada "'],
    ]  # fmt: skip
    assert run("show", *FILES, "--systems", "cut,miss", "--format", "tsv").stdout.count("TP") == 2
    assert "Did you mean 'miss'" in run("show", *FILES, "--systems", "mis").stderr


def test_files_go_by_their_suffix(run: Run, folder: Path) -> None:
    for name in ("units.jsonl", "units.tsv", "units.csv", "units.json", "units.txt"):
        done = run("show", *FILES, "--where", "gold=PER", "--output", name)
        assert (done.returncode, done.stdout) == (0, "")
        assert "Ada" in (folder / name).read_text()
    (line,) = (folder / "units.jsonl").read_text().splitlines()
    assert json.loads(line)["systems"]["miss"]["outcome"] == "FN"
    document = json.loads((folder / "units.json").read_text())
    assert document["result"]["units"] == [json.loads(line)]
    assert run("show", *FILES, "--format", "latex").returncode == 2


def test_limit(run: Run, folder: Path) -> None:
    done = run("show", *FILES, "--limit", "0")
    assert done.stdout.splitlines()[0] == "4 units; the first 0"
    assert run("show", *FILES, "--limit", "-1").returncode == 2


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("gold=PER and outcom[cut]=TP", "unknown field 'outcom'. Did you mean 'outcome'?"),
        ("outcome[kut]=TP", "unknown system 'kut'. Did you mean 'cut'?"),
        ("gold=(", "expected a value"),
        ("__import__('os')", "expected and, or or the end, found '('"),
    ],
)
def test_errors_have_a_caret_and_the_code_of_usage(
    run: Run, folder: Path, where: str, said: str
) -> None:
    done = run("show", *FILES, "--where", where)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.splitlines()[-2] == f"  {where}"
    assert done.stderr.splitlines()[-1].strip() == "^"
    assert "Traceback" not in done.stderr


def _on_a_terminal(folder: Path, *arguments: str, **environment: str) -> str:
    """What a terminal of 24 lines receives."""
    import pty

    reader, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "finegrain", "show", *FILES, *arguments],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal,
        env={"PATH": os.environ["PATH"], "TERM": "xterm", "PYTHONPATH": str(ROOT / "src"),
             "PYTHONUTF8": "1", **environment},
    )  # fmt: skip
    os.close(terminal)
    received = b""
    try:
        while chunk := os.read(reader, 4096):
            received += chunk
    except OSError:  # Linux's way to say that the terminal is closed
        pass
    os.close(reader)
    assert process.wait() == 0
    return received.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_colour_and_a_pager(folder: Path) -> None:
    assert "\x1b[31m" in _on_a_terminal(folder, PAGER="cat")
    assert "\x1b[31m" in _on_a_terminal(folder, PAGER="")
    assert "\x1b[31m" in _on_a_terminal(folder, PAGER="no-such-program")
    assert "\x1b[31m" not in _on_a_terminal(folder, PAGER="cat", NO_COLOR="1")
    assert _on_a_terminal(folder, PAGER="tail -n 1").startswith("\x1b[2mtask:spans")
    assert "New York" in _on_a_terminal(folder, "--no-pager", PAGER="tail -n 1")
    assert _on_a_terminal(folder, PAGER="true") == ""


def test_a_reader_who_leaves_is_no_error(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "finegrain", "show", *FILES],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0
