"""Which test calls which function of the product, and how long it takes: a pytest plug-in.

``python -m tests.mutation.reached FILE`` runs the tests of the mutated folders once and writes
``{test: [seconds, [function, ...]]}``; a function is its file and first line.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mutation.mutants import FOLDERS, ROOT

SOURCE = str(ROOT / "src" / "finegrain")
# Tests of commands and pages are left out: those here must notice a fault by themselves.
TESTS = (*(f"tests/{name}" for name in FOLDERS), *(f"src/finegrain/{name}" for name in FOLDERS))


class Recorder:
    """Traces calls while a test runs."""

    def __init__(self) -> None:
        self.tests: dict[str, tuple[float, list[str]]] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        reached: set[tuple[str, int]] = set()

        def trace(frame: Any, event: str, argument: Any) -> None:
            code = frame.f_code
            reached.add((code.co_filename, code.co_firstlineno))

        begun = time.perf_counter()
        sys.settrace(trace)
        try:
            outcome = yield
        finally:
            sys.settrace(None)
        if outcome.excinfo is None:
            seconds = time.perf_counter() - begun
            self.tests[item.nodeid] = (round(seconds, 3), _ours(reached))


def _ours(reached: set[tuple[str, int]]) -> list[str]:
    return sorted(
        f"{Path(path).relative_to(ROOT)}:{line}"
        for path, line in reached
        if path.startswith(SOURCE)
    )


def record(path: Path) -> None:
    """Run the tests once and write what each reaches."""
    recorder = Recorder()
    pytest.main(["-q", "-p", "no:cacheprovider", *TESTS], plugins=[recorder])
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(recorder.tests), encoding="utf-8")


if __name__ == "__main__":
    record(Path(sys.argv[1]))
