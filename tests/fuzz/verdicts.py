"""What finegrain did with a case, held against the second reader and scorer.

>>> from tests.fuzz.cases import made
>>> judged(made(1)).verdict in VERDICTS
True
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from math import isclose, isnan
from pathlib import Path
from typing import NamedTuple

from finegrain.analyses.scores.score import score
from finegrain.cli import main
from finegrain.cli.inputs import format_of, load, parse_columns
from finegrain.cli.options import Inputs
from finegrain.errors import FinegrainError
from finegrain.formats.source import open_source
from finegrain.formats.source import stem as name_of
from tests.fuzz.cases import Case, expected
from tests.fuzz.corpora import Invalid
from tests.fuzz.oddities import OTHER_FORMAT
from tests.fuzz.scores import Values

SECONDS = 20  # more is a failure
COMMANDS = 40  # one case in so many is run as a command, too
GOOD = ("same score", "clear error")
ODD = ("accepted oddity",)
BAD = (
    "traceback",
    "silent difference",
    "scored though invalid",
    "refused though valid",
    "unclear error",
)
VERDICTS = (*GOOD, *ODD, *BAD)


class Judged(NamedTuple):
    """The verdict on a case, and why."""

    verdict: str
    why: str = ""


def judged(case: Case) -> Judged:
    """Score a case with finegrain and by the second reader."""
    with tempfile.TemporaryDirectory(dir=_fast_folder()) as folder, _inside(folder):
        for name, data in case.files.items():
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_bytes(data)
        try:
            with _time_limit():
                found: dict[str, Values] | FinegrainError = _scored(case)
        except FinegrainError as error:
            found = error
        except BaseException:
            return Judged("traceback", traceback.format_exc(limit=-4))
        recognised = _recognised(case)
        if case.seed % COMMANDS == 0 and not _command_agrees(case, found):
            return Judged("traceback", f"another exit code: {' '.join(case.command())}")
    try:
        return _verdict(case, found, recognised)
    except Exception:  # the second reader has a fault of its own
        return Judged("traceback", traceback.format_exc(limit=-4))


def _command_agrees(case: Case, found: dict[str, Values] | FinegrainError) -> bool:
    """Whether the command ends with the exit code that the score or the error stands for."""
    before, sys.argv = sys.argv, [*case.command(), "--no-intervals", "--format", "json", "--quiet"]
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            main()
        code: object = 0
    except SystemExit as end:
        code = end.code or 0
    except Exception:
        return False
    finally:
        sys.argv = before
        gc.enable()  # a command goes without, because its process ends with it
    return code == (found.exit_code if isinstance(found, FinegrainError) else 0)


def _fast_folder() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - made anew


@contextmanager
def _inside(folder: str) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _time_limit() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        with warnings.catch_warnings(), redirect_stderr(StringIO()):
            warnings.simplefilter("error")
            yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _scored(case: Case) -> dict[str, Values]:
    """What ``finegrain score`` computes, by file."""
    table = load(Inputs(case.paths, quiet=True, **case.options))
    result = score(table)
    paths = {name_of(path): path for path in case.paths}
    found = {}
    for place, name in enumerate(result.systems):
        values = {metric: float(column[place]) for metric, column in result.overall.items()}
        counts = {"units": float(result.size[0])} | result.to_json()[name].get("counts", {})
        found[paths.get(name, name)] = values | counts
    return found


def _recognised(case: Case) -> dict[str, str]:
    """The formats that are given or, else, that finegrain recognises."""
    found = {}
    for path, format_ in case.formats.items():
        found[path] = format_
        if "input" not in case.options and case.task != "items":
            with suppress(FinegrainError):
                inputs = Inputs(case.paths, quiet=True, **case.options)
                columns = parse_columns(inputs.columns)
                found[path] = format_of(open_source(path), inputs, columns).name
    return found


def _verdict(
    case: Case, found: dict[str, Values] | FinegrainError, recognised: dict[str, str]
) -> Judged:
    try:
        wanted, doubts = expected(
            case, case.formats if isinstance(found, FinegrainError) else recognised
        )
    except Invalid as reason:
        if isinstance(found, FinegrainError):
            return _clear(case, found)
        return Judged("scored though invalid", str(reason))
    if isinstance(found, FinegrainError):
        odd = sorted(doubts) or [OTHER_FORMAT] * (recognised != case.formats)
        return (
            Judged("accepted oddity", odd[0]) if odd else Judged("refused though valid", str(found))
        )
    differences = _differences(found, wanted)
    if differences:
        return Judged("silent difference", "; ".join(differences[:5]))
    same = recognised == case.formats
    return Judged("same score") if same else Judged("accepted oddity", OTHER_FORMAT)


def _differences(found: dict[str, Values], wanted: dict[str, Values]) -> list[str]:
    if found.keys() != wanted.keys():
        return [f"systems {sorted(found)}, expected {sorted(wanted)}"]
    return [
        f"{name} {metric}: {found[name].get(metric)}, expected {value}"
        for name, values in wanted.items()
        for metric, value in values.items()
        if not _same(found[name].get(metric, 0.0), value)
    ]


def _same(found: float, wanted: float) -> bool:
    return isnan(wanted) or isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)


def _clear(case: Case, error: FinegrainError) -> Judged:
    """An error is clear if it names a file and says something of it."""
    message = str(error)
    if any(path in message for path in (*case.paths, *case.files)) and len(message) > 20:
        return Judged("clear error")
    return Judged("unclear error", message)
