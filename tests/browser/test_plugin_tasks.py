"""Tasks of another package in Chromium: their report and their explorer, in their own words."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import finegrain as fg
from tests.browser.conftest import Opened
from tests.browser.test_explorer_page import Open, open_explorer  # noqa: F401 - a fixture
from tests.conftest import ROOT
from tests.plugin_tasks.test_plugin_tasks import (
    FOREIGN,
    _files,
    _table,
    every_task,
    package,  # noqa: F401
)

UNITS = {"reviews": 240, "postedits": 180, "lookups": 120, "twins": 150}
WORDS = {"reviews": "reviews", "postedits": "segments", "lookups": "queries", "twins": "pairs"}


@every_task
def test_the_report_alone_speaks_of_its_units(
    name: str,
    package: Path,  # noqa: F811 - the task is found
    tmp_path: Path,
    open_page: Callable[..., Opened],
) -> None:
    """A page in a file, with all that it holds."""
    fg.report(_table(name, tmp_path)).save(str(tmp_path / "page.html"))
    opened = open_page(tmp_path / "page.html")
    assert opened.count() == UNITS[name]
    said = opened.page.inner_text("main")
    assert WORDS[name] in said
    assert not re.search(FOREIGN, said)
    assert "undefined" not in opened.page.inner_text("#instances")
    assert opened.broken(opened.promised("a.n, #confusion td a, #pair a")) == []
    assert opened.complaints == []


@every_task
def test_report_and_explorer_speak_of_its_units(
    name: str,
    package: Path,  # noqa: F811
    tmp_path: Path,
    open_explorer: Open,  # noqa: F811
) -> None:
    """The explorer is the report's page, asked of a server; each number leads to its units."""
    pytest.importorskip("starlette", reason="needs the extra explore")
    files = _files(name, tmp_path)
    path = os.pathsep.join(map(str, (package, ROOT / "src", ROOT)))
    with subprocess.Popen(
        [sys.executable, "-m", "finegrain", "explore", *files, "--no-browser", "-q"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            opened = open_explorer(process.stdout.readline().strip())
            assert opened.count() == UNITS[name]
            assert WORDS[name] in opened.page.inner_text("#instances")
            assert "undefined" not in opened.page.inner_text("#instances")
            links = opened.promised("a.n, #confusion td a, #pair a")
            broken = opened.broken(links)
            assert broken == []
            opened.page.fill("input[name=where]", "gain[" + ",".join(_names(files)) + "]<0")
            opened.page.press("input[name=where]", "Enter")
            opened.wait("location.hash.includes('where=')")
            assert 0 <= opened.count() < UNITS[name]
            assert opened.complaints == []
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def _names(files: list[str]) -> list[str]:
    return [Path(one).stem for one in files[1:3]]
