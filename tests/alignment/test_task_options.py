"""Options reach the task that has them, on the command line and in suites; others are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.command_line import run_finegrain
from tests.conftest import Run


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("simulated")
    for task in ("dependencies", "coreference"):
        for seed in ("1", "2"):
            size = ("--tokens", "1500", "--seed", seed)
            made = run_finegrain("simulate", f"{task}{seed}", "--task", task, *size, cwd=folder)
            assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture
def data(simulated: Path, tmp_path: Path) -> Path:
    shutil.copytree(simulated, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.mark.parametrize("task", ["dependencies", "coreference"])
def test_suites_of_trees_and_chains(run: Run, data: Path, task: str) -> None:
    suite = data / "suite.toml"
    run("suite", "suite.toml", "--start", f"{task}1", "--start", f"{task}2")
    suite.write_text(f'[defaults]\ntask = "{task}"\n' + suite.read_text())
    done = run("suite", "suite.toml", "--format", "json", "--no-intervals")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["result"]["data_sets"]) == 2


def test_options_of_a_task_in_a_suite(run: Run, data: Path) -> None:
    suite = data / "suite.toml"
    run("suite", "suite.toml", "--start", "dependencies1")
    listed = suite.read_text()

    def told(settings: str) -> str:
        suite.write_text(f'[defaults]\ntask = "dependencies"\n{settings}\n' + listed)
        done = run("suite", "suite.toml", "--format", "json", "--no-intervals")
        assert done.returncode in (0, 3), done.stderr
        return done.stdout if done.returncode == 0 else done.stderr

    def las(settings: str) -> float:
        found: float = json.loads(told(settings))["result"]["systems"]["graph"]["average"]
        return found

    files = ("dependencies1/gold.conllu", "dependencies1/graph.conllu", "-t", "dependencies")
    options = ("--set", "punctuation=remove", "--format", "json", "--no-intervals")
    scored = json.loads(run("score", *files, *options).stdout)["result"]["graph"]["overall"]
    assert las('set = { punctuation = "remove" }') == pytest.approx(scored["las"]["f1"])
    assert las("") != pytest.approx(scored["las"]["f1"])
    assert "unknown option of the task dependencies 'match'" in told("set = { match = 'x' }")
    assert "options of the task are expected" in told("set = { case = 1 }")


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (["-t", "dependencies", "--set", "rules=x"], "unknown option of the task dependencies"),
        (["-t", "tags", "--set", "text=1"], "the task tags has no options of its own"),
        (["-t", "dependencies", "--set", "case=up"], "unknown case 'up'"),
    ],
)
def test_what_is_no_option_of_a_task(run: Run, data: Path, told: list[str], message: str) -> None:
    files = ("dependencies1/gold.conllu", "dependencies1/graph.conllu")
    done = run("score", *files, *told)
    assert done.returncode == 2
    assert message in done.stderr


def test_tokens_of_spans_are_no_level_of_trees(run: Run, data: Path) -> None:
    files = ("dependencies1/gold.conllu", "dependencies1/graph.conllu")
    done = run("difficulty", *files, "-t", "dependencies", "--level", "token")
    assert done.returncode == 2
    assert "--level token is for spans" in done.stderr


def test_the_options_of_a_task_are_listed(run: Run) -> None:
    told = run("list", "tasks", "coreference").stdout
    assert "--set NAME=VALUE): match, singletons" in told
    assert "when two mentions are the same" in told
