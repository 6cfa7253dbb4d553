"""What all tests share: the real data (when it is there) and a way to run the command line."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.command_line import run_finegrain

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"

Run = Callable[..., subprocess.CompletedProcess[str]]

# The same examples in every run, so that a change that passed once passes again;
# FINEGRAIN_NEW_EXAMPLES=1 looks for others.
settings.register_profile("untimed", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("untimed")
settings.register_profile("repeatable", derandomize=True, deadline=None)
if not os.environ.get("FINEGRAIN_NEW_EXAMPLES"):
    settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real gold standards and outputs; tests that need it skip without it."""
    if not (SHARED / "data").is_dir():
        pytest.skip(f"needs the reference data in {SHARED.name}/ beside the repository")
    return SHARED


@pytest.fixture(scope="session")
def reference(shared: Path) -> Callable[[str], Any]:
    """Golden values by file name."""

    def load(name: str) -> Any:
        return json.loads((shared / "reference" / name).read_text())

    return load


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``finegrain ...`` in an empty folder."""

    def finegrain(
        *arguments: str, cwd: Path = tmp_path, stdin: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        return run_finegrain(*arguments, cwd=cwd, stdin=stdin)

    return finegrain


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests first, so that no process waits for another one at the end."""
    items.sort(key=lambda item: "test_report_numbers" not in item.nodeid)
