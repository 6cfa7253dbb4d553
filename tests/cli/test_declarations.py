"""Options as data: what is declared is what is parsed, shown and completed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

from finegrain.cli import run
from finegrain.cli.command import Command, command, without
from finegrain.cli.commands import COMMANDS
from finegrain.cli.option import Argument, Group, Option
from finegrain.cli.options import ANALYSIS, INTERVALS, LEVEL, Inputs, Output
from finegrain.cli.parser import Parsed, every_command
from tests.command_line import environment

EVERY = pytest.mark.parametrize("one", every_command(), ids=lambda one: one.name)


def _values(*options: Option | Group | Argument, typed: list[str]) -> dict[str, Any]:
    """What a function with these options gets."""
    got: dict[str, Any] = {}

    @command(*options)
    def probe(**how: Any) -> None:
        """Keep what was typed."""
        got.update(how)

    parsed = Parsed(probe)
    with parsed.make_context("probe", typed) as context:
        parsed.invoke(context)
    return got


@pytest.mark.parametrize(
    ("option", "typed", "value"),
    [
        (Option("--of NAME", "A text."), [], None),
        (Option("--of NAME", "A text."), ["--of", "x"], "x"),
        (Option("-n, --number N", "A number.", default=3), [], 3),
        (Option("-n, --number N", "A number.", default=3), ["-n", "5"], 5),
        (Option("--share SHARE", "A number.", default=0.5), ["--share", "1"], 1.0),
        (Option("--limit N", "A number.", takes=int), ["--limit", "7"], 7),
        (Option("--vote", "A flag."), [], False),
        (Option("--vote", "A flag."), ["--vote"], True),
        (Option("--case", "A flag.", default=True, value=False), [], True),
        (Option("--case", "A flag.", default=True, value=False), ["--case"], False),
        (Option("--pager/--no-pager", "Either.", default=True), [], True),
        (Option("--pager/--no-pager", "Either.", default=True), ["--no-pager"], False),
        (Option("--counts/--no-counts", "Either, or neither."), [], None),
        (Option("--counts/--no-counts", "Either, or neither."), ["--no-counts"], False),
        (Option("--map OLD=NEW", "Some.", repeated=True), [], None),
        (Option("--map OLD=NEW", "Some.", repeated=True), ["--map", "a", "--map", "b"], ["a", "b"]),
        (Option("--by NAME", "Names.", names=True), ["--by", 'a,"b,c"'], ["a", "b,c"]),
        (Option("--by NAME", "Names.", names=True), ["--by", ","], None),
    ],
)  # fmt: skip
def test_values_of_options(option: Option, typed: list[str], value: object) -> None:
    assert _values(option, typed=typed) == {option.name: value}


def test_two_options_speak_of_one_value() -> None:
    drawn = {"intervals": 1000, "confidence": 0.95, "seed": 1}
    assert _values(INTERVALS, typed=[]) == drawn
    for typed in (["--no-intervals"], ["--intervals", "0"], ["--no-intervals", "--intervals", "9"]):
        assert _values(INTERVALS, typed=typed) == {**drawn, "intervals": 0}


def test_a_function_gets_what_it_names_and_the_rest_by_name() -> None:
    got: list[Any] = []

    @command(Option("--own N", "One of its own.", default=1), LEVEL, *without(ANALYSIS, "vote"))
    def probe(inputs: Inputs, destination: Output, level: str, **how: Any) -> None:
        """Keep what was typed."""
        got.extend([inputs, destination, level, how])

    parsed = Parsed(probe)
    typed = ["gold", "a=crf", "neural", "--level", "token", "--map", "A=B", "-o", "x.md"]
    with parsed.make_context("probe", typed) as context:
        parsed.invoke(context)
    inputs = Inputs(["gold", "a=crf", "neural"], map=["A=B"], level="token")
    assert got == [inputs, Output(None, "x.md"), "token", {"own": 1}]
    with pytest.raises(click.UsageError):
        Parsed(probe).make_context("probe", ["gold", "--vote"]).close()


def test_defaults_of_options_are_those_of_inputs() -> None:
    shared = {one.name: one for part in ANALYSIS if isinstance(part, Group) for one in part}
    for field in fields(Inputs):
        if field.name not in ("files", "level"):
            assert shared[field.name].unless_given == field.default, field.name
    assert LEVEL.unless_given == Inputs([]).level


@EVERY
def test_everything_that_is_declared_is_shown(
    one: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    run([one.name, "--help"])
    shown = capsys.readouterr().out
    for option in one.options:
        assert option.long in shown
        assert option.help.endswith((".", "?")), option.shown
        assert option.flags, f"{option.shown!r} is no option"
    for argument in one.arguments:
        assert argument.usage in shown.partition("\n")[0]


@EVERY
def test_an_option_is_given_once(one: Command) -> None:
    names = [name for option in one.options for name in option.flags.replace("/", ", ").split(", ")]
    assert len(names) == len({*names})


def test_the_commands_are_shown_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    run(["--help"])
    shown = capsys.readouterr().out
    places = [shown.index(f"\n{title}:\n") for title in COMMANDS]
    assert places == sorted(places)
    assert list(COMMANDS) == ["Score", "Compare", "Explain", "Trust", "Data", "Look"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["score", "g", "s", "--metrik", "f1"], "No such option: --metrik. Did you mean --metric?"),
        (["difference", "g", "s", "--sytem"], "No such option: --sytem. Did you mean --systems?"),
        (["score", "g", "s", "--xyzzy"], "No such option: --xyzzy.\n"),
        (["skore"], "No such command: skore. Did you mean score?"),
        (["score"], "Missing argument 'GOLD'."),
        (["vectors", "x", "y"], "Missing option '-p' / '--predictions'."),
        (["score", "g", "s", "--seed", "-1"], "'--seed'"),
        (["score", "g", "s", "--seed", "x"], "'--seed'"),
    ],
)
def test_wrong_usage_is_told(
    typed: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(typed)
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("Usage: finegrain")
    assert said in err


def _completed(*words: str, cwd: Path) -> list[str]:
    """What bash offers for the last word."""
    asked = {"_FINEGRAIN_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(["finegrain", *words])}
    done = subprocess.run(
        [sys.executable, "-m", "finegrain"], cwd=cwd, capture_output=True, text=True, check=False,
        env={**environment(), **asked, "COMP_CWORD": str(len(words))},
    )  # fmt: skip
    return done.stdout.split()


def test_what_shells_complete(tmp_path: Path) -> None:
    assert _completed("sc", cwd=tmp_path) == ["plain,score"]
    assert _completed("score", "--inter", cwd=tmp_path) == ["plain,--intervals"]
    assert _completed("score", "--focus", "s", cwd=tmp_path) == ["plain,system"]
    assert _completed("score", "gold", cwd=tmp_path) == ["file,gold"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_takes_the_script(tmp_path: Path) -> None:
    """As docs/commands.md says, where finegrain is a program of that name."""
    program = tmp_path / "finegrain"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m finegrain "$@"\n')
    program.chmod(0o755)
    script = 'eval "$(_FINEGRAIN_COMPLETE=bash_source finegrain)"; complete -p finegrain'
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], env={**environment(), "PATH": path},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "-F _finegrain_completion finegrain" in done.stdout
