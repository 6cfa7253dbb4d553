"""A command starts fast: of all commands only the one that was asked for is built."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from finegrain.cli import parser, run
from finegrain.cli.command import Command
from finegrain.cli.commands import COMMANDS
from finegrain.cli.parser import every_command
from tests.command_line import ROOT, environment

SUMMARIES = {name: text for names in COMMANDS.values() for name, text in names.items()}


@pytest.mark.parametrize(
    ("arguments", "built"),
    [
        (["score", "--help"], ["score"]),
        (["list", "metrics"], ["list"]),
        (["scor"], []),
        (["--help"], []),
        (["--version"], []),
        ([], []),
    ],
)
def test_only_the_command_that_was_asked_for_is_built(
    arguments: list[str], built: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, seen = parser.command_of, list[str]()

    def noting(name: str) -> Command:
        seen.append(name)
        return real(name)

    monkeypatch.setattr(parser, "command_of", noting)
    try:
        run(arguments)
    except SystemExit as end:
        assert end.code in (0, 2)  # noqa: PT017 - how a command ends
    assert seen == built


def test_the_help_of_all_commands_loads_none_of_them() -> None:
    code = "import sys\nfrom finegrain.cli import run\nrun(['--help'])\nprint(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    loaded = set(shown.stdout.splitlines()[-1].split())
    assert "finegrain.cli.commands" in loaded
    assert not {f"finegrain.cli.commands.{name}" for name in SUMMARIES} & loaded


def test_the_help_of_a_command_loads_nothing_that_it_works_with() -> None:
    code = "import sys\nfrom finegrain.cli.parser import every_command\nevery_command()\n"
    shown = subprocess.run(
        [sys.executable, "-c", f"{code}print(*sys.modules)"],
        env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = set(shown.stdout.splitlines()[-1].split())
    assert "numpy" not in loaded
    assert {name.split(".")[1] for name in loaded if name.startswith("finegrain.")} == {
        "cli",
        "errors",
        "version",
    }


@pytest.mark.parametrize("command", every_command(), ids=lambda command: command.name)
def test_a_command_is_listed_with_the_first_line_of_its_help(command: Command) -> None:
    assert command.function.__module__ == f"finegrain.cli.commands.{command.name}"
    assert command.summary == SUMMARIES[command.name]


def test_every_file_with_a_command_is_listed() -> None:
    folder = ROOT / "src" / "finegrain" / "cli" / "commands"
    assert {one.stem for one in folder.glob("*.py")} == {*SUMMARIES, "__init__"}


def test_results_are_printed_without_loading_units() -> None:
    """Units in their sentences, selections and the tasks that are not asked for come later."""
    code = "import sys, finegrain.views.terminal, finegrain.views.text_formats\nprint(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    slow = (
        "finegrain.tasks.coreference", "finegrain.tasks.dependencies", "finegrain.attributes",
        "finegrain.analyses.selection.evaluation", "finegrain.analyses.units.instances",
    )  # fmt: skip
    assert not set(slow) & set(shown.stdout.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "gold.tsv", "crf.tsv", "--no-intervals"],
        ["difficulty", "gold.tsv", "crf.tsv", "--level", "token"],
        ["score", "crf.tsv", "gold.tsv", "--columns", "token=1,gold=2,answer=2"],
        ["check", "gold.tsv", "crf.tsv"],
        ["errors", "gold.csv", "crf.csv"],
        ["score", "gold.jsonl", "crf.jsonl"],
    ],
)
def test_every_file_is_opened_once(arguments: list[str], tmp_path: Path) -> None:
    for name in ("gold", "crf"):
        (tmp_path / f"{name}.tsv").write_text("Ada\tB-PER\nslept\tO\n")
        (tmp_path / f"{name}.csv").write_text(
            "id,label\n" + "".join(f"{at},x\n" for at in range(9))
        )
        (tmp_path / f"{name}.jsonl").write_text('{"id": "a", "label": "x"}\n')
    end = Path(arguments[1]).suffix
    code = f"import sys\nEND = {end!r}\nopened = []\n"
    code += "sys.addaudithook(lambda event, what: event == 'open' and opened.append(what[0]))\n"
    code += f"from finegrain.cli import run\nrun({arguments!r})\n"
    code += "print(*(name for name in opened if name in ('gold' + END, 'crf' + END)))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(),
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()[-1].split()) == [f"crf{end}", f"gold{end}"]
