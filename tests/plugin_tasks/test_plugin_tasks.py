"""Tasks of another package, one file each, go from files to reports with the right words."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.table import OutcomeTable, Task
from finegrain.tasks import by_name
from finegrain.testing import check_task
from finegrain.testing.analyses import check_analyses, check_explorer, check_page
from finegrain.views.text_formats import as_json
from tests.conftest import ROOT
from tests.schema import is_refused

TASKS = {"reviews": "REVIEWS", "postedits": "POSTEDITS", "lookups": "LOOKUPS", "twins": "TWINS"}
FOREIGN = r"\b(tokens?|sentences?|spans?)\b"
every_task = pytest.mark.parametrize("name", TASKS)


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with the four tasks: a line of its entry points for each."""
    info = tmp_path / "site" / "more_tasks-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: more_tasks\nVersion: 1.0\n")
    lines = (f"{name} = tests.plugin_tasks.{name}:{value}" for name, value in TASKS.items())
    (info / "entry_points.txt").write_text("[finegrain.tasks]\n" + "\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(str(info.parent))
    return info.parent


def _files(name: str, folder: Path) -> list[str]:
    """Gold and systems of a task's example."""
    texts = import_module(f"tests.plugin_tasks.{name}").example()
    for one, text in texts.items():
        (folder / f"{one}.jsonl").write_text(text, encoding="utf-8")
    return [str(folder / f"{one}.jsonl") for one in texts]


def _table(name: str, folder: Path) -> OutcomeTable:
    gold, *systems = _files(name, folder)
    return fg.align(fg.read(gold), {Path(one).stem: fg.read(one) for one in systems})


def _python(package: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, (package, ROOT / "src", ROOT)))
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", "COLUMNS": "120"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@every_task
def test_the_task_is_found_and_recognised(name: str, tmp_path: Path) -> None:
    task = by_name(name)
    assert isinstance(task, Task)
    assert _table(name, tmp_path).task is task


@every_task
def test_it_keeps_the_promises_of_tasks(name: str, tmp_path: Path) -> None:
    gold, *systems = _files(name, tmp_path)
    check_task(by_name(name), fg.read(gold), {Path(one).stem: fg.read(one) for one in systems})


@every_task
def test_every_analysis_speaks_of_its_units(name: str, tmp_path: Path) -> None:
    table = _table(name, tmp_path)
    one, other = table.systems[:2]
    results: list[Any] = [
        fg.score(table, intervals=100),
        fg.distribution(table) if table.task.value else fg.error_types(table),
        *([fg.score(table, by="document")] if table.corpus.n_documents else []),
        fg.difference(table, one, other, intervals=100),
        fg.differences(table),
        fg.oracle(table),
        fg.difficulty(table),
        fg.buckets(table, intervals=100),
        fg.significance(table, resamples=100),
        fg.slices(table, resamples=50),
        fg.seeds(table),
        fg.triage(table),
        fg.show(table, limit=5),
        fg.report(table),
    ]
    for result in results:
        said = str(result)
        assert not re.search(FOREIGN, said), type(result)
        document = json.loads(as_json(result, command="finegrain test"))
        assert document["task"] == name
        assert not is_refused(document), type(result)


@every_task
def test_a_saved_table_gives_the_same_scores_without_the_package(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra parquet")
    table = _table(name, tmp_path)
    table.save(str(tmp_path / "table.parquet"))
    again = fg.load(str(tmp_path / "table.parquet"))
    assert again.task is table.task
    assert fg.score(again).to_json() == fg.score(table).to_json()
    monkeypatch.setattr(sys, "path", [one for one in sys.path if "site" not in Path(one).parts])
    alone = fg.load(str(tmp_path / "table.parquet"))
    assert alone.task.name == name
    assert alone.task.words == table.task.words
    assert fg.difficulty(alone).to_json() == fg.difficulty(table).to_json()
    main, own = (one.task.first_metric() for one in (table, alone))
    assert fg.score(alone).overall[own.name].tolist() == fg.score(table).overall[main.name].tolist()
    check_analyses(alone)
    if find_spec("jinja2") and find_spec("vl_convert"):
        check_page(alone)
        check_explorer(alone)


_ALL = """
import contextlib, io, json, sys
from finegrain.cli import run
found = {}
for name, arguments in json.loads(sys.argv[1]).items():
    out, said, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        try:
            run(arguments)
        except SystemExit as end:
            code = end.code or 0
    found[name] = [code, out.getvalue(), said.getvalue()]
print(json.dumps(found))
"""


def test_a_suite_of_graded_tables_ranks_the_lowest_first(tmp_path: Path) -> None:
    """Where less is better, and numbers are no shares."""
    table = _table("postedits", tmp_path)
    half = {name: fg.select(table, f"domain={name}") for name in ("law", "news")}
    found = fg.Suite.of(half, by="domain", compare=[("rough", "smooth")]).run()
    said = str(found)
    ranks = {row[0]: row[-2] for row in found.listings()[0].rows}
    assert ranks == {"smooth": "1.00", "terse": "2.00", "rough": "3.00"}
    (change,) = (one for one in found.listings() if one.title.startswith("Improvement by bucket"))
    assert all(row[-2] < 0 for row in change.rows), "rough needs more edits"
    assert "Averages over data sets. Spearman, in percent:" in said


@every_task
def test_commands_take_its_files(name: str, package: Path, tmp_path: Path) -> None:
    gold, one, other, *more = _files(name, tmp_path)
    names = ("score", "errors", "oracle", "difficulty", "buckets", "significance", "show", "seeds",
             "triage", "slices")  # fmt: skip
    commands = {command: [command, gold, one, other, *more] for command in names}
    commands["difference"] = ["difference", gold, one, other, "--baseline", Path(one).stem]
    commands["gate"] = ["gate", gold, one, other, "--fail-if", "worse > 1000"]
    commands["align"] = ["align", gold, one, other, "-o", "table.parquet"]
    commands["check"] = ["check", gold]
    commands["check systems"] = ["check", one, other, "--against", gold]
    commands["saved"] = ["difference", "table.parquet"]
    done = _python(package, tmp_path, "-c", _ALL, json.dumps(commands))
    assert done.returncode == 0, done.stderr
    units = by_name(name).words.units
    for command, (code, shown, said) in json.loads(done.stdout).items():
        assert code == 0, (command, said)
        assert shown.strip() or command == "align", command
        foreign = r"\b(sentences?|spans?)\b" if command == "check" else FOREIGN
        assert not re.search(foreign, shown), command  # its texts have tokens
        if command not in ("align", "check", "check systems", "gate"):
            assert f"task:{name}|" in shown, command
        if command in ("difference", "difficulty", "triage", "check", "check systems"):
            assert units in shown, command


@every_task
def test_a_report_is_written(name: str, package: Path, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    pytest.importorskip("jinja2", reason="needs the extra report")
    arguments = ("-m", "finegrain", "report", *_files(name, tmp_path), "-o", "page.html")
    done = _python(package, tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert by_name(name).words.units in page


def test_nothing_in_the_product_mentions_them() -> None:
    for path in (ROOT / "src").rglob("*"):
        if path.suffix in (".py", ".js", ".html", ".css"):
            text = path.read_text(encoding="utf-8")
            for name, value in TASKS.items():
                assert f'"{name}"' not in text, path
                assert value not in text, path
