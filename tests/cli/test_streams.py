"""Standard streams and files: what cannot be written is told, and nothing is written over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from finegrain.cli.files_apart import require_apart
from finegrain.cli.inputs import parse_columns
from finegrain.cli.label_options import label_rules
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import Inputs
from finegrain.cli.standard_streams import lines_of
from finegrain.errors import FinegrainError, InputError, UsageError
from tests.conftest import ROOT, Run

GOLD = "Zoë B-PER\n😀 O\n\n"
MADE = "Zoë B-ÖRT\n😀 O\n\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "g.conll").write_text(GOLD, encoding="utf-8")
    (tmp_path / "s.conll").write_text(MADE, encoding="utf-8")
    return tmp_path


def _shell(folder: Path, line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A line of shell in which $F is finegrain."""
    command = f"{sys.executable} -m finegrain"
    given = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "F": command, **environment}
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env=given, capture_output=True, check=False
    )


@pytest.mark.parametrize("output", ["> /dev/full", ">&-"])
@pytest.mark.parametrize(
    "command",
    ["score g.conll s.conll -q --no-intervals", "confusion g.conll s.conll -q --format json",
     "check g.conll", "--version"],
)  # fmt: skip
def test_output_that_cannot_be_written_is_one_line(folder: Path, command: str, output: str) -> None:
    done = _shell(folder, f"$F {command} {output}")
    assert done.returncode == 3
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("error: standard output: ")


def test_a_closed_output_does_not_matter_to_a_file(folder: Path) -> None:
    done = _shell(folder, "$F confusion g.conll s.conll -q -o c.json >&-")
    assert done.returncode == 0
    assert json.loads((folder / "c.json").read_text())["systems"] == ["s"]


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_an_ascii_output_gets_what_it_can_hold(folder: Path, form: str) -> None:
    line = f"$F confusion g.conll s.conll -q --format {form}"
    done = _shell(folder, line, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"\\u00d6RT" in done.stdout
    if form == "json":
        assert "ÖRT" in json.loads(done.stdout)["result"]["s"]


def test_a_name_that_is_not_utf8(folder: Path) -> None:
    name = os.fsdecode(b"b\xff.conll")
    (folder / name).write_text(MADE, encoding="utf-8")
    for form in ("json", "csv", "txt", "md", "tex"):
        done = _shell(folder, f"$F confusion g.conll b*.conll -q -o out.{form}")
        assert done.returncode == 0, done.stderr
        assert "udcff" in (folder / f"out.{form}").read_text(encoding="utf-8")
    assert json.loads((folder / "out.json").read_text())["systems"] == ["b\\udcff"]


def test_a_slow_input_is_recognised(folder: Path) -> None:
    slow = r"(printf 'item\ta\tb\n'; sleep 1; printf 'q1\t1\t0\nq2\t1\t1\n')"
    done = _shell(folder, f"{slow} | $F difficulty - -q --format json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["task"] == "items"


def test_messages_do_not_move_the_terminal() -> None:
    hostile = "a\x1b[31m\nb"
    assert lines_of(FinegrainError(hostile)) == ["a\\x1b[31m\\x0ab"]
    assert lines_of(InputError.at(hostile, 1, "x\x07")) == ["a\\x1b[31m\\x0ab:1: x\\x07."]
    assert lines_of(UsageError("what\n  gold=\x1b\n  ^")) == ["what", "  gold=\\x1b", "  ^"]


def test_names_of_files_are_harmless_in_messages(folder: Path, run: Run) -> None:
    name = "e\x1b[31m\nvil.conll"
    (folder / name).write_text(MADE, encoding="utf-8")
    checked = run("check", name, cwd=folder)
    assert checked.stdout.startswith("e\\x1b[31m\\x0avil.conll: ok")
    written = run("confusion", "g.conll", "s.conll", "-q", "-o", "o\x1b.json", cwd=folder)
    assert written.stderr == "wrote o\\x1b.json\n"


@pytest.mark.parametrize(
    "arguments",
    [("score", "g.conll", "s.conll", "-o", "s.conll", "--format", "csv"),
     ("score", "g.conll", "a=s.conll", "-o", "./s.conll", "--format", "csv"),
     ("difficulty", "g.conll", "s.conll", "--annotate", "s.conll"),
     ("convert", "g.conll", "g.conll"),
     ("difficulty", "g.conll", "s.conll", "--annotate", "x.txt", "-o", "x.txt")],
)  # fmt: skip
def test_files_stay_apart(folder: Path, run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments, cwd=folder)
    assert done.returncode == 2
    assert "Name another one" in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["g.conll", "s.conll"]
    assert (folder / "s.conll").read_text(encoding="utf-8") == MADE


def test_other_names_of_a_file_and_devices(folder: Path) -> None:
    (folder / "link").symlink_to("g.conll")
    (folder / "hard").hardlink_to(folder / "g.conll")
    declared = [
        Argument("FILE...", "Read."),
        Option("--output FILE", "Written.", file="written"),
        Option("--annotate FILE", "Written.", file="written"),
    ]
    for name in ("link", "hard"):
        given = {"file": [str(folder / "g.conll")], "output": str(folder / name)}
        with pytest.raises(UsageError, match="is read"):
            require_apart(declared, given)
    with pytest.raises(UsageError, match="is read"):
        require_apart(declared, {"file": ["a.ann"], "output": "a.txt"})
    require_apart(declared, {"output": "/dev/null", "annotate": "/dev/null"})
    require_apart(declared, {"file": ["-"], "output": "-"})


def test_a_saved_table_is_not_a_corpus(folder: Path, run: Run) -> None:
    run("align", "g.conll", "s.conll", "-o", "t.parquet", cwd=folder)
    for line in ("check t.parquet", "convert t.parquet t.jsonl", "score - < t.parquet"):
        done = _shell(folder, f"$F {line}")
        assert done.returncode == 3
        assert b"this is a saved table" in done.stdout + done.stderr


def test_check_reads_standard_input_once(run: Run) -> None:
    done = run("check", "-", "--against", "-", stdin=GOLD)
    assert (done.returncode, done.stderr) == (
        2,
        "error: standard input (-) can be read only once\n",
    )


@pytest.mark.parametrize("share", ["nan", "2", "0"])
def test_an_overlap_is_a_share_even_if_it_is_not_used(folder: Path, run: Run, share: str) -> None:
    done = run("score", "g.conll", "s.conll", "--overlap", share, cwd=folder)
    assert done.returncode == 2
    assert "overlap must be above 0" in done.stderr


def test_options_that_say_nothing_or_two_things() -> None:
    with pytest.raises(UsageError, match="names no label"):
        label_rules(Inputs(["g"], labels=","))
    with pytest.raises(UsageError, match="token is given twice"):
        parse_columns("token=1,token=2,tags=2")


def test_nothing_is_compared_with_nan(folder: Path, run: Run) -> None:
    done = run("show", "g.conll", "s.conll", "-q", "--where", "length<nan", cwd=folder)
    assert done.returncode == 2
    assert "'length' is a number, and 'nan' is not" in done.stderr
