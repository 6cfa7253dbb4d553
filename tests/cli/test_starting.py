"""A command starts fast: of all commands only the one that was asked for is built."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from finegrain.cli import app, commands
from finegrain.cli.commands import COMMANDS, Built
from tests.command_line import ROOT, environment


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
    real, seen = commands._built, list[str]()

    def noting(name: str) -> object:
        if name in COMMANDS:
            seen.append(name)
        return real(name)

    monkeypatch.setattr(commands, "_built", noting)
    with pytest.raises(SystemExit):
        typer.main.get_group(app).main(arguments)
    assert seen == built


def test_the_help_of_all_commands_loads_none_of_them() -> None:
    code = "import sys\nfrom finegrain.cli import app\n"
    code += "try:\n    app(['--help'])\nexcept SystemExit:\n    print(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    loaded = set(shown.stdout.splitlines()[-1].split())
    files = {"list": "listing"}
    assert not {f"finegrain.cli.{files.get(name, name)}" for name in COMMANDS} & loaded


@pytest.mark.parametrize(("name", "command"), Built().items())
def test_a_command_is_listed_with_the_first_line_of_its_help(name: str, command: object) -> None:
    assert command.name == name  # type: ignore[attr-defined]
    assert command.help.split("\n\n")[0] == COMMANDS[name]  # type: ignore[attr-defined]


def test_every_file_with_a_command_is_listed() -> None:
    folder = ROOT / "src" / "finegrain" / "cli"
    files = {one.stem for one in folder.glob("*.py") if "def register(" in one.read_text()}
    assert files == {{"list": "listing"}.get(name, name) for name in COMMANDS}


def test_results_are_printed_without_loading_units() -> None:
    """Units in their sentences, selections and the tasks that are not asked for come later."""
    code = "import sys, finegrain.views.terminal, finegrain.views.text_formats\nprint(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    slow = ("finegrain.tasks.coreference", "finegrain.tasks.dependencies", "finegrain.attributes",
            "finegrain.analyses.selection", "finegrain.analyses.units.instances")  # fmt: skip
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
    code += "from finegrain.cli import app\n"
    code += f"try:\n    app({arguments!r})\nexcept SystemExit as end:\n    assert not end.code\n"
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
