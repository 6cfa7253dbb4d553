"""The explorer of items in a browser: every number leads to exactly so many of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.test_explorer_page import Open, _count, open_explorer
from tests.conftest import ROOT, Run

__all__ = ["open_explorer"]


@pytest.mark.parametrize(
    ("task", "words"), [("qa", "questions"), ("ranking", "queries"), ("ratings", "items")]
)
def test_numbers_lead_to_items(
    open_explorer: Open, run: Run, tmp_path: Path, task: str, words: str
) -> None:
    assert run("simulate", ".", "--task", task, "--tokens", "600", cwd=tmp_path).returncode == 0
    beside = ("gold", "train", "labels")  # ratings hold their systems, and labels are for crowd
    files = sorted(one.name for one in tmp_path.iterdir() if one.stem not in beside)
    gold = next(one.name for one in tmp_path.iterdir() if one.stem == "gold")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "finegrain", "explore", gold, *files, "--task", task]
    with subprocess.Popen(
        [*command, "--no-browser", "-q"],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            opened = open_explorer(process.stdout.readline().strip())
            assert _count(opened) > 10
            assert words in opened.page.inner_text("body")
            links = opened.promised("a.n, #confusion td a, #pair a")
            assert len(links) > 5
            assert opened.broken(links) == []
            assert opened.complaints == []
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
