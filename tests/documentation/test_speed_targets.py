"""Targets of speed: what keeps one, what misses it, and that the documented run kept them all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

growth = pytest.importorskip("benchmarks.growth", reason="needs the benchmarks")
measuring = pytest.importorskip("benchmarks.measuring", reason="needs the benchmarks")
targets = pytest.importorskip("benchmarks.targets", reason="needs the benchmarks")


@pytest.mark.parametrize(
    ("ends", "line"),
    [
        # 1.3 s above the start against 0.3: 4.33 times, where n log n is 2.2 times
        ([(0.5, 0), (1.5, 0)], "| nested, 2,000: growth against n log n | <= 1.5 | 1.97 | NO |"),
        ([(0.5, 0), (0.8, 0)], "| nested, 2,000: growth against n log n | <= 1.5 | 0.91 | yes |"),
        ([(0.21, 0), (0.22, 0)], "| nested, 2,000: growth against n log n | <= 1.5 | 0.45 | yes |"),
        ([(0.5, 0), (0.2, 3)], "| nested, 2,000: CPU s until it is refused | <= 1 | 0.20 | yes |"),
        ([(0.5, 3), (1.2, 3)], "| nested, 2,000: CPU s until it is refused | <= 1 | 1.20 | NO |"),
        ([(0.5, 0), (0.9, 1)], "| nested: exit code 1 | <= 0 | 1.00 | NO |"),
        ([(0.5, 0), (120.0, -24)], "| nested: exit code -24 | <= 0 | 1.00 | NO |"),
    ],
)
def test_time_grows_with_n_log_n_or_size_has_a_limit(
    ends: list[tuple[float, int]], line: str
) -> None:
    case = growth.Case("nested", (1_000, 2_000), lambda folder, size: [])
    noted = targets.Targets()
    growth.check(noted, case, [growth.Cost(seconds, 40, code) for seconds, code in ends], 0.2)
    assert noted.lines[-1] == line
    assert noted.missed is ("NO" in line or ends[-1][0] > growth.MOST)


def test_a_target_is_missed_on_the_wrong_side() -> None:
    noted = targets.Targets()
    noted.check("times faster", 4.0, at_least=4)
    noted.check("MB", 400, at_most=400)
    assert not noted.missed
    noted.check("times faster", 3.99, at_least=4)
    assert noted.missed
    assert noted.table().splitlines()[0] == "| what | target | measured | kept |"
    assert noted.lines[-1] == "| times faster | >= 4 | 3.99 | NO |"


def test_a_process_takes_the_memory_of_nobody_else() -> None:
    held = b"x" * 100_000_000  # what starts a process is no peak of it
    command = [sys.executable, "-I", "-S", "-c", "raise SystemExit(3)"]
    usage = measuring.usage_of(command, dict(os.environ))
    assert (usage.exit_code, len(held)) == (3, 100_000_000)
    assert 1_000_000 < usage.memory < 50_000_000


def test_processes_end_at_their_limits() -> None:
    command = [sys.executable, "-I", "-S", "-c", "b'x' * 400_000_000"]
    quiet = {"errors": subprocess.DEVNULL}
    assert measuring.usage_of(command, dict(os.environ), **quiet).exit_code == 0
    limited = measuring.usage_of(command, dict(os.environ), memory=300_000_000, **quiet)
    assert limited.exit_code == 1


def test_the_table_is_put_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{targets.BEGIN}\nold\n{targets.END}\n\nafter\n")
    for _ in range(2):
        targets.write("new", page)
    assert page.read_text() == f"before\n\n{targets.BEGIN}\n\nnew\n\n{targets.END}\n\nafter\n"


def test_every_documented_target_is_kept() -> None:
    _, _, rest = targets.PAGE.read_text("utf-8").partition(targets.BEGIN)
    run, _, _ = rest.partition(targets.END)
    rows = re.findall(r"^\| (.+) \| [<>]= [\d.]+ \| [\d.]+ \| (.+) \|$", run, re.MULTILINE)
    if not rows:
        pytest.skip("docs/benchmarks.md holds no run of benchmarks.targets")
    assert len(rows) > 45
    assert [what for what, kept in rows if kept != "yes"] == []
