"""More than a machine can take ends in a message and exit code 3, not in a traceback."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import finegrain as fg
from finegrain import cli
from finegrain.suites.layout import parse
from tests.command_line import environment
from tests.conftest import Run

GOLD = "Ada B-PER\nslept O\n\n" * 8
MADE = "Ada B-PER\nslept O\n\nAda O\nslept O\n\n" * 4


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "g.conll").write_text(GOLD)
    (tmp_path / "s.conll").write_text(MADE)
    streams = sys.stdout, sys.stderr
    yield tmp_path
    sys.stdout, sys.stderr = streams
    gc.enable()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "error: there is not enough memory for this."),
        (RecursionError(), "error: the input is nested too deeply."),
        (OSError(12, "Cannot allocate memory"), "error: there is not enough memory for this."),
    ],
)
def test_what_goes_too_far_is_a_message(
    error: Exception,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def failing() -> None:
        raise error

    monkeypatch.setattr(cli, "_run", failing)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 3
    said = capsys.readouterr().err
    assert said.startswith(message)
    assert "Traceback" not in said


def test_memory_that_is_really_not_there(folder: Path) -> None:
    (folder / "out.json").write_text("old")
    with (folder / "huge.conll").open("wb") as file:
        file.truncate(4 << 30)  # zeros that take no place on the disk
    done = subprocess.run(
        [sys.executable, "-m", "finegrain", "score", "g.conll", "huge.conll", "-qo", "out.json"],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20)),
    )  # fmt: skip
    assert done.returncode == 3
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: there is not enough memory for this.")
    assert [one.name for one in folder.iterdir() if one.name.startswith((".out", "out"))] == [
        "out.json"
    ]
    assert (folder / "out.json").read_text() == "old"


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("score", "--intervals"), ("difference", "--intervals"), ("oracle", "--intervals"),
        ("difficulty", "--intervals"), ("buckets", "--intervals"), ("agreement", "--intervals"),
        ("significance", "--resamples"), ("slices", "--resamples"), ("seeds", "--resamples"),
    ],
)  # fmt: skip
def test_resamples_have_a_stated_limit(run: Run, command: str, option: str) -> None:
    systems = ("a@1=s.conll", "a@2=g.conll") if command == "seeds" else ("a=s.conll", "b=g.conll")
    done = run(command, "g.conll", *systems, "-q", option, "100000000")
    assert done.returncode == 2
    assert done.stderr == (
        "error: resamples: from 1 to 1,000,000, not 100,000,000; 1,000 is usual\n"
    )


def test_the_limit_holds_in_python() -> None:
    table = fg.from_lists([["B-A", "O"]] * 8, [["B-A", "O"]] * 8)
    with pytest.raises(fg.UsageError, match="from 1 to 1,000,000"):
        fg.score(table, intervals=10**8)


@pytest.mark.parametrize("text", ["x = " + "[" * 2000 + "]" * 2000, "x = " + "[" * 2000])
def test_nested_brackets_of_a_suite(run: Run, folder: Path, text: str) -> None:
    with pytest.raises(fg.InputError, match=r"suite\.toml: brackets are nested too deeply"):
        parse(text, "suite.toml")
    (folder / "suite.toml").write_text(text)
    done = run("suite", "suite.toml")
    assert done.returncode == 3
    assert "nested too deeply" in done.stderr
