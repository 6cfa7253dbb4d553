"""Run ``finegrain ...`` as a user would, in a process of its own.

Loading Python, numpy and click takes longer than most commands of the tests. So a server that has
loaded them forks a process for each command; where there is no fork, each command loads them.
"""

from __future__ import annotations

import multiprocessing
import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import finegrain

ROOT = Path(__file__).parents[1]
_LOADED_LATE = ("finegrain.__main__", "finegrain.explorer", "finegrain.testing")


def environment() -> dict[str, str]:
    """That of the tests, with this copy of finegrain."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"}


def run_finegrain(
    *arguments: str, cwd: Path, stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    """What a command prints, and its exit code."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return subprocess.run(
            [sys.executable, "-m", "finegrain", *arguments],
            cwd=cwd, input=stdin, env=environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_modules(), "tests.command_server"])
    os.environ["PYTHONPATH"] = environment()["PYTHONPATH"]  # for what the server loads
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder, name) for name in ("stdin", "stdout", "stderr")]
        streams[0].write_text(stdin or "", encoding="utf-8")
        process = context.Process(target=_command, args=(arguments, cwd, streams, environment()))
        process.start()
        process.join()
        printed, complained = (path.read_text(encoding="utf-8") for path in streams[1:])
    assert process.exitcode is not None
    return subprocess.CompletedProcess(arguments, process.exitcode, printed, complained)


def _modules() -> list[str]:
    """All that a command may load, but for what it loads from other packages."""
    names = [one.name for one in pkgutil.walk_packages(finegrain.__path__, "finegrain.")]
    return [name for name in names if not name.startswith(_LOADED_LATE)]


def _command(
    arguments: tuple[str, ...], cwd: Path, streams: list[Path], given: Mapping[str, str]
) -> None:
    """Become the command: its folder, its environment, its standard streams."""
    os.environ.clear()
    os.environ.update(given)
    os.chdir(cwd)
    for number, path in enumerate(streams):
        opened = os.open(path, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - a number
        for number, mode in enumerate("rww")
    )
    sys.argv = ["finegrain", *arguments]
    from finegrain.cli import main

    main()
