"""A command starts fast: of all commands only the one that was asked for is built."""

from __future__ import annotations

import subprocess
import sys

import pytest

from finegrain.cli.commands import COMMANDS, Built
from tests.command_line import ROOT, environment


def _loaded(*arguments: str) -> set[str]:
    """What a command loads."""
    code = "import sys\nsys.argv[0] = 'finegrain'\nfrom finegrain.cli import app\n"
    code += "try:\n    app()\nexcept SystemExit:\n    pass\nprint(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT, env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(shown.stdout.splitlines()[-1].split())


def _commands(loaded: set[str]) -> set[str]:
    files = {"list": "listing"}
    return {name for name in COMMANDS if f"finegrain.cli.{files.get(name, name)}" in loaded}


def test_only_the_command_that_was_asked_for_is_loaded() -> None:
    loaded = _loaded("score", "--help")
    assert _commands(loaded) == {"score"}
    assert "numpy" not in loaded


@pytest.mark.parametrize("arguments", [(), ("--help",), ("--version",), ("scor",)])
def test_no_command_is_loaded_for_what_names_none(arguments: tuple[str, ...]) -> None:
    assert _commands(_loaded(*arguments)) == set()


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
