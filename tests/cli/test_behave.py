"""``finegrain behave``: inputs, predictions from files, functions and programs, clear errors."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.schema import require_schema

SUITE = """
name = "tiny"
labels = ["neg", "pos"]
[[tests]]
name = "not good"
capability = "negation"
kind = "mft"
template = "It is not {positive}."
expect = "neg"
number = 10
"""
PROGRAM = """
import json, sys, time
for line in sys.stdin:
    record = json.loads(line)
    answer = {"label": "pos", "probabilities": {"pos": 0.9, "neg": 0.1}}
    print(json.dumps({"id": record["id"], **answer}))
"""


@pytest.fixture
def folder(tmp_path: Path, run: Run) -> Path:
    (tmp_path / "suite.toml").write_text(SUITE)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(20)\n")
    (tmp_path / "broken.py").write_text("raise SystemExit('no model')\n")
    (tmp_path / "answers_of_mine.py").write_text(
        "def neg(texts):\n    return ['neg'] * len(texts)\n"
        "def short(texts):\n    return ['neg']\n"
        "def fails(texts):\n    return 1 / 0\n"
    )
    assert run("behave", "generate", "suite.toml", "-o", "inputs.jsonl").returncode == 0
    records = [json.loads(line) for line in (tmp_path / "inputs.jsonl").read_text().splitlines()]
    lines = [json.dumps({"id": one["id"], "label": "neg"}) for one in records]
    (tmp_path / "good.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "half.jsonl").write_text("\n".join(lines[:5]) + "\n")
    (tmp_path / "twice.jsonl").write_text("\n".join([*lines, lines[0]]) + "\n")
    (tmp_path / "other.jsonl").write_text('{"id": "0-1-1-1", "label": "neg"}\n')
    (tmp_path / "no.jsonl").write_text("label\nneg\n")
    (tmp_path / "list.jsonl").write_text(lines[0].replace('"neg"', '["neg"]') + "\n")
    return tmp_path


def test_inputs_are_the_same_again_and_have_ids(run: Run, folder: Path) -> None:
    again = run("behave", "generate", "suite.toml")
    assert again.stdout == (folder / "inputs.jsonl").read_text()
    first = json.loads(again.stdout.splitlines()[0])
    assert set(first) == {"id", "text"}
    assert run("behave", "generate", "suite.toml", "--seed", "2").stdout != again.stdout


def test_several_systems_are_compared_wherever_answers_come_from(run: Run, folder: Path) -> None:
    done = run(
        "behave", "score", "suite.toml", "file=good.jsonl", "--call", "mine=answers_of_mine:neg",
        "--run", f"program={sys.executable} program.py", "--format", "json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    require_schema(document, "behaviour")
    rates = {one["system"]: one["rate"] for one in document["result"]["rates"]}
    assert rates == {"file": 0.0, "mine": 0.0, "program": 1.0}


def test_rules_decide_the_exit_code(run: Run, folder: Path) -> None:
    rule = ("--fail-if", "negation.mft fails > 5 %")
    assert run("behave", "score", "suite.toml", "good.jsonl", *rule).returncode == 0
    done = run("behave", "score", "suite.toml", "--run", f"{sys.executable} program.py", *rule)
    assert done.returncode == 1
    assert "1 of 1 rules fail" in done.stdout


def test_the_page_shows_failing_cases(run: Run, folder: Path) -> None:
    done = run("behave", "score", "suite.toml", "--run", f"p={sys.executable} program.py",
               "-o", "page.html")  # fmt: skip
    assert done.returncode == 0, done.stderr
    page = (folder / "page.html").read_text()
    assert "It is not " in page
    assert "pos (0.90)" in page


PYTHON = sys.executable
BAD = {
    "half": (("good.jsonl", "half.jsonl"), 3, "half.jsonl: 5 of 10 inputs have no answer"),
    "twice": (("twice.jsonl",), 3, "twice.jsonl:11: a second answer to"),
    "another suite": (("other.jsonl",), 3, "there is no input '0-1-1-1' in this suite"),
    "no JSON": (("no.jsonl",), 3, "no.jsonl:1: this is no JSON"),
    "a list": (("list.jsonl",), 3, "list.jsonl:1: this is not an answer: label is not text"),
    "no file": (("nosuch.jsonl",), 3, "nosuch.jsonl"),
    "nothing": ((), 2, "give files of predictions"),
    "no function": (("--call", "answers_of_mine:nosuch"), 2, "cannot be imported"),
    "few answers": (("--call", "answers_of_mine:short"), 3, "it gave 1 answer to 10 texts"),
    "a failing function": (("--call", "answers_of_mine:fails"), 3, "ZeroDivisionError"),
    "no program": (("--run", "nosuchprogram"), 3, "nosuchprogram: no such program"),
    "a broken program": (("--run", f"{PYTHON} broken.py"), 3, "exit code 1: no model"),
    "a slow program": (
        ("--run", f"{PYTHON} slow.py", "--time-limit", "0.3"), 3, "did not end within 0.3 seconds",
    ),
    "a bad rule": (("good.jsonl", "--fail-if", "negation > 5"), 2, "is not CAPABILITY"),
    "one name": (("good.jsonl", "--call", "good=answers_of_mine:neg"), 2, "name systems apart"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_what_is_wrong_is_told(run: Run, folder: Path, what: str) -> None:
    arguments, code, message = BAD[what]
    done = run("behave", "score", "suite.toml", *arguments, "-o", "page.html")
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "page.html").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no tests in it"),
        ("name = ", "it is not TOML"),
        (SUITE.replace("mft", "mtf"), "test 1 (not good): unknown kind 'mtf'"),
        (SUITE.replace("{positive}", "{postive}"), "Did you mean 'positive'"),
    ],
)
def test_suites_that_cannot_be_read(run: Run, folder: Path, text: str, message: str) -> None:
    (folder / "suite.toml").write_text(text)
    done = run("behave", "generate", "suite.toml", "-o", "new.jsonl")
    assert (done.returncode, message in done.stderr) == (3, True), done.stderr
    assert not (folder / "new.jsonl").exists()
    assert run("behave", "generate", "nosuch.toml").returncode == 3
    assert run("behave", "create", "suite.toml").returncode in (2, 3)
