"""What ``finegrain behave`` writes and scores."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from finegrain.analyses.trust.behaviour import behaviour
from finegrain.behaviour import Answer, cases_of, read_suite
from finegrain.behaviour.predictions import called as call_function
from finegrain.behaviour.predictions import read, run, written
from finegrain.cli.inputs import parse_system
from finegrain.cli.options import Output
from finegrain.cli.output import emit
from finegrain.cli.standard_streams import say
from finegrain.complete_file import write_complete
from finegrain.corpus.names import misnamed
from finegrain.errors import UsageError
from finegrain.files_read import called
from finegrain.sizes import sized

ACTIONS = ("generate", "score")


class Wanted(NamedTuple):
    """Where predictions come from."""

    files: Sequence[str]
    functions: Sequence[str]
    programs: Sequence[str]
    limit: float


def generated(path: str, target: str | None, *, seed: int, quiet: bool, extra: bool) -> None:
    """Write the inputs of a suite."""
    if extra:
        raise UsageError("generate writes inputs: predictions are for behave score")
    suite = read_suite(path)
    inputs = [one for case in cases_of(suite, seed=seed) for one in case.inputs]
    text = written(inputs)
    if target is None:
        sys.stdout.write(text)
    else:
        write_complete(target, text)
    if not quiet:
        tests = sized(len(suite.tests), "test")
        say(f"{tests}, {sized(len(inputs), 'input')}{f': wrote {target}' if target else ''}")


def scored(
    action: str,
    path: str,
    wanted: Wanted,
    output: Output,
    *,
    rules: Sequence[str],
    quiet: bool,
    **choices: Any,
) -> int:
    """Score predictions; the exit code: 1 if a rule fails."""
    if action not in ACTIONS:
        raise UsageError.unknown("action", action, ACTIONS)
    suite = read_suite(path)
    called(path, "suite")
    cases = cases_of(suite, seed=choices["seed"])
    inputs = [one for case in cases for one in case.inputs]
    sources = _sources(wanted)
    if not sources:
        raise UsageError("give files of predictions, --call MODULE:FUNCTION or --run COMMAND")
    answers: dict[str, Mapping[str, Answer]] = {}
    for name, answer in sources:
        answers[name] = answer(inputs)
    result = behaviour(suite, cases, answers, rules=rules, **choices)
    if not quiet:
        say(f"{sized(len(cases), 'case')}, {sized(len(inputs), 'input')}")
    emit(result, output)
    return 0 if result.passed else 1


_Answering = Callable[[Any], Mapping[str, Answer]]


def _sources(wanted: Wanted) -> list[tuple[str, _Answering]]:
    """Systems by name, and what answers for them."""
    found: list[tuple[str, _Answering]] = []
    for argument in wanted.files:
        name, path = parse_system(argument)
        called(path, name)
        found.append((name, lambda inputs, path=path: read(path, inputs)))  # type: ignore[misc]
    for given in wanted.functions:
        name, home = _named(given, given.partition(":")[2])
        _import_from_here()
        found.append((name, lambda inputs, home=home: call_function(home, inputs)))  # type: ignore[misc]
    for given in wanted.programs:
        name, command = _named(given, Path((given.split() or [""])[0]).name)
        found.append(
            (name, lambda inputs, command=command: run(command, inputs, limit=wanted.limit))  # type: ignore[misc]
        )
    what = misnamed((name for name, _ in found), "system")
    if what:
        raise UsageError(f"{what}: name systems apart: name=...")
    return found


def _named(given: str, default: str) -> tuple[str, str]:
    """``name=what``, or what alone under a name of its own."""
    name, equals, rest = given.partition("=")
    if equals and rest and name.replace("-", "_").replace(".", "_").isidentifier():
        return name, rest
    return default, given


def _import_from_here() -> None:
    """Modules of the working directory can be named, as with python -m."""
    if "" not in sys.path:
        sys.path.insert(0, "")
