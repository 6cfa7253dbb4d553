"""The file of a suite: what it may say, and how it is told that something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.suites.layout import parse, read_layout
from finegrain.suites.starting import started
from tests.conftest import Run

GOOD = """
by = ["entity_length"]
metric = "traditional_f1"
baseline = "old"

[defaults]
columns = { token = 1, tags = 2 }

[datasets.news]
gold = "news/gold.tsv"
train = "news/train.tsv"
[datasets.news.systems]
old = "news/old.tsv"
new = ["news/one.tsv", "news/two.tsv"]

[datasets.chat]
gold = "news/gold.tsv"
task = "spans"
columns = { token = 1, tags = 2 }
by = "label"
systems = { old = "news/old.tsv", new = "news/one.tsv" }
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite of two data sets, the first with two runs of a system."""
    folder = tmp_path / "news"
    folder.mkdir()
    files = {
        "gold": ["B-PER", "O", "B-LOC", "I-LOC"],
        "train": ["B-PER", "O", "B-LOC", "O"],
        "old": ["B-PER", "O", "O", "O"],
        "one": ["B-PER", "O", "B-LOC", "I-LOC"],
        "two": ["O", "O", "B-LOC", "I-LOC"],
    }
    words = ["Ada", "left", "New", "York"]
    for name, tags in files.items():
        rows = "".join(f"{word}\t{tag}\n" for word, tag in zip(words, tags, strict=True))
        (folder / f"{name}.tsv").write_text(rows)
    (tmp_path / "suite.toml").write_text(GOOD)
    return tmp_path / "suite.toml"


def test_paths_are_relative_to_the_file(suite: Path) -> None:
    layout = read_layout(str(suite))
    news, chat = layout.data_sets
    assert news.gold == str(suite.parent / "news/gold.tsv")
    assert [Path(run).name for run in news.systems["new"]] == ["one.tsv", "two.tsv"]
    assert dict(chat.choices) == {"metric": "traditional_f1", "by": "label"}
    assert chat.reading["task"] == "spans"
    assert layout.baseline == "old"


def test_a_suite_runs_from_anywhere(suite: Path, run: Run) -> None:
    done = run("suite", "suite.toml", "--format", "json", cwd=suite.parent)
    assert done.returncode == 0, done.stderr
    elsewhere = run("suite", str(suite), "--format", "json", cwd=suite.parent / "news")
    found = json.loads(done.stdout)
    assert found["result"] == json.loads(elsewhere.stdout)["result"]
    assert found["systems"] == ["old", "new"]
    # F1 of old 2/3; of new on news the mean of 1 and 2/3, on chat 1
    overall = {name: one["overall"] for name, one in found["result"]["data_sets"].items()}
    assert overall["news"] == pytest.approx({"old": 2 / 3, "new": (1 + 2 / 3) / 2})
    assert overall["chat"] == pytest.approx({"old": 2 / 3, "new": 1.0})
    assert "news: task spans; 1 sentence; 2 spans; 3 outputs" in done.stderr
    assert run("suite", "suite.toml", "-q", cwd=suite.parent).stderr == ""


def test_python_gives_what_the_command_does(suite: Path, run: Run) -> None:
    done = run("suite", "suite.toml", "--format", "json", cwd=suite.parent)
    found = fg.Suite.read(str(suite)).run(intervals=1000).to_json()
    assert json.loads(json.dumps(found)) == json.loads(done.stdout)["result"]


def test_options_go_before_the_file(suite: Path, run: Run) -> None:
    own = ["--by", "label", "--metric", "fair_f1", "--baseline", "new", "--format", "json"]
    found = json.loads(run("suite", str(suite), *own).stdout)["result"]
    assert found["attributes"] == ["label"]
    assert found["metrics"] == ["fair_f1"]
    pairs = [(one["system"], one["baseline"]) for one in found["improvements"]]
    assert pairs == [("old", "new")]
    assert run("suite", str(suite), "--baseline", "x").returncode == 2


WRONG = [
    ("by = ", ":1: is not TOML: Invalid value"),
    ("", "datasets: is missing. Describe a data set"),
    ("datasets = 3", "datasets: a table is expected, not 3"),
    ("[datasets]\nnews = 3", "datasets.news: a table is expected, not 3"),
    ('[datasets.a]\nsystems = {x = "x"}', "datasets.a.gold: is missing"),
    ('[datasets.a]\ngold = "g"', "datasets.a.systems: is missing"),
    ('[datasets.a]\ngold = "g"\nsystems = "x"', "datasets.a.systems: a table is expected"),
    ('[datasets.a]\ngold = "g"\nsystems = {x = 3}', "datasets.a.systems.x: a file name"),
    ('[datasets.a]\ngold = "g"\nsystems = {x = []}', "datasets.a.systems.x: a file name"),
    ('[datasets.a]\ngold = 3\nsystems = {x = "x"}', "datasets.a.gold: a file name is expected"),
    ('[datasets.a]\ngold = "g"\nsystems = {x = "x"}\ntask = "span"', "datasets.a.task: one of"),
    ('[datasets.a]\ngold = "g"\nsystems = {x = "x"}\ncolums = 1', "Did you mean 'columns'?"),
    ('[datasets.a]\ngold = "g"\nsystems = {x = "x"}\ncolumns = {token = 0}', "datasets.a.columns"),
    ('[datasets.a]\ngold = "g"\nsystems = {x = "x"}\nbuckets = true', "datasets.a.buckets"),
    ('[datasets.a]\ngold = "g"\nsystems = {x = "x"}\nmap = 1', "datasets.a.map"),
    ('[datasets.a]\ngold = "g"\nsystems = {x = "x"}\nlabels = [1]', "datasets.a.labels"),
    ('[defaults]\npolicy = "no"', "defaults.policy: one of"),
    ('[defaults]\ngold = "g"', "defaults.gold: is not known"),
    ('bylabel = "x"', "bylabel: is not known"),
    ('baseline = "y"\n[datasets.a]\ngold = "g"\nsystems = {x = "x"}', "there is no system 'y'"),
    ("compare = 3", "compare: pairs of systems are expected"),
    ('compare = [["x", "x"]]', "compare: pairs of systems are expected"),
    ('compare = [["x", "y"]]\n[datasets.a]\ngold = "g"\nsystems = {x = "x"}', "no system 'y'"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_is_told_with_its_key(text: str, message: str) -> None:
    with pytest.raises(fg.InputError) as error:
        parse(text, "suite.toml")
    assert message in str(error.value)
    assert str(error.value).startswith("suite.toml:")


def test_wrong_files_exit_with_3(suite: Path, run: Run) -> None:
    suite.write_text(GOOD.replace("news/one.tsv", "news/gone.tsv"))
    done = run("suite", str(suite))
    assert done.returncode == 3
    assert "datasets.news.systems.new: there is no file" in done.stderr
    assert "datasets.chat.systems.new: there is no file" in done.stderr
    assert run("suite", "gone.toml").returncode == 3
    suite.write_bytes(b"\xff")
    assert run("suite", str(suite)).returncode == 3


def test_what_a_data_set_does_not_allow_is_told_with_its_key(suite: Path, run: Run) -> None:
    suite.write_text(GOOD.replace('by = "label"', 'by = "lable"'))
    done = run("suite", str(suite))
    assert done.returncode == 3
    assert "suite.toml: datasets.chat: unknown attribute 'lable'" in done.stderr


def test_a_first_file_is_written_from_folders(suite: Path, run: Run) -> None:
    done = run("suite", "new.toml", "--start", "news", cwd=suite.parent)
    assert done.returncode == 0, done.stderr
    assert run("suite", "new.toml", cwd=suite.parent).returncode == 0
    again = run("suite", "new.toml", "--start", "news", cwd=suite.parent)
    assert again.returncode == 2
    assert "is there already" in again.stderr
    listed = read_layout(str(suite.parent / "new.toml")).data_sets[0]
    assert sorted(listed.systems) == ["old", "one", "two"]


def test_folders_without_gold_or_systems_are_refused(tmp_path: Path) -> None:
    with pytest.raises(fg.InputError, match="is not a folder"):
        started([str(tmp_path / "x")], beside=str(tmp_path))
    with pytest.raises(fg.InputError, match="lacks a file gold"):
        started([str(tmp_path)], beside=str(tmp_path))
    (tmp_path / "gold.conll").write_text("a O\n")
    with pytest.raises(fg.InputError, match="lacks a system"):
        started([str(tmp_path)], beside=str(tmp_path))


def test_hostile_names_survive(tmp_path: Path) -> None:
    folder = tmp_path / 'a "b" é\\'
    folder.mkdir()
    for name in ("gold", "s"):
        (folder / f"{name}.tsv").write_text("Ada\tB-PER\n")
    text = started([str(folder)], beside=str(tmp_path))
    (tmp_path / "s.toml").write_text(text)
    assert fg.Suite.read(str(tmp_path / "s.toml")).members[0].name == folder.name
