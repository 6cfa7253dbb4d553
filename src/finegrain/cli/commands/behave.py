"""``finegrain behave``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import CONFIDENCE, OUTPUT, SEED
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Output

ACTIONS = ("generate", "score")
_System = tuple[str, Callable[[Any], Any]]  # its name, and what answers all inputs


@command(
    Argument("generate|score", "What to do.", to="action", file=""),
    Argument(
        "SUITE", "A TOML file, module:NAME in Python, or a shipped suite: sentiment, ner, nli, qa."
    ),
    Argument(
        "PREDICTIONS...",
        "Files of predictions (JSON lines), one per system; name=path names it.",
        required=False,
    ),
    Option(
        "--call [NAME=]MODULE:FUNCTION",
        "A Python function that takes all texts and gives as many answers; may be repeated.",
        repeated=True,
    ),
    Option(
        "--run [NAME=]COMMAND",
        "A program that reads inputs and writes predictions, both JSON lines; may be repeated.",
        repeated=True,
    ),
    Option("--time-limit SECONDS", "For each program.", default=600.0, least=0.1),
    Option(
        "--fail-if RULE",
        "Exit code 1 if it holds: 'negation.mft fails > 5 %', 'any fails > 0'.",
        repeated=True,
        to="rules",
    ),
    Option("--examples N", "Failing cases shown of each test.", default=3, least=0),
    CONFIDENCE,
    SEED,
    OUTPUT,
)
def behave(
    action: str,
    suite: str,
    destination: Output,
    *,
    predictions: list[str],
    call: list[str] | None,
    run: list[str] | None,
    time_limit: float,
    quiet: bool,
    **how: Any,
) -> None:
    """Run behavioural tests (CheckList): what must be answered, must stay the same, must move.

    generate writes the inputs of a suite as JSON lines (to -o FILE or standard output). score reads
    predictions, one JSON object per input with its id and a label (probabilities, spans), or calls
    a function or a program. Failure rates by capability and kind, fill-ins that fail more often
    than others, examples; -o behaviour.html writes a page.

    \b
    Example:
      finegrain behave generate sentiment -o inputs.jsonl
      finegrain behave score sentiment svm=svm.jsonl --fail-if "negation.mft fails > 100 %"
      finegrain behave score sentiment --call mine=classifier:predict
    """
    if action not in ACTIONS:
        raise UsageError.unknown("action", action, ACTIONS)
    if action == "generate":
        if predictions or call or run:
            raise UsageError("generate writes inputs: predictions are for behave score")
        _generate(suite, destination.output, how["seed"], quiet=quiet)
        return
    systems = [*_files(predictions), *_functions(call or []), *_programs(run or [], time_limit)]
    _score(suite, systems, destination, quiet=quiet, **how)


def _generate(path: str, target: str | None, seed: int, *, quiet: bool) -> None:
    """Write the inputs of a suite."""
    from finegrain.behaviour import cases_of, read_suite
    from finegrain.behaviour.predictions import written
    from finegrain.cli.standard_streams import say
    from finegrain.complete_file import write_complete
    from finegrain.sizes import sized

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


def _score(
    path: str,
    systems: Sequence[_System],
    destination: Output,
    *,
    rules: Sequence[str] | None,
    quiet: bool,
    **choices: Any,
) -> None:
    """Score predictions; exit code 1 if a rule fails."""
    from finegrain.analyses.trust.behaviour import behaviour
    from finegrain.behaviour import cases_of, read_suite
    from finegrain.cli.output import emit
    from finegrain.cli.standard_streams import say
    from finegrain.corpus.names import misnamed
    from finegrain.files_read import called
    from finegrain.sizes import sized

    suite = read_suite(path)
    called(path, "suite")
    cases = cases_of(suite, seed=choices["seed"])
    inputs = [one for case in cases for one in case.inputs]
    if what := misnamed((name for name, _ in systems), "system"):
        raise UsageError(f"{what}: name systems apart: name=...")
    if not systems:
        raise UsageError("give files of predictions, --call MODULE:FUNCTION or --run COMMAND")
    answers = {name: answer(inputs) for name, answer in systems}
    result = behaviour(suite, cases, answers, rules=rules or [], **choices)
    if not quiet:
        say(f"{sized(len(cases), 'case')}, {sized(len(inputs), 'input')}")
    emit(result, destination)
    if not result.passed:
        sys.exit(1)


def _files(arguments: Sequence[str]) -> Iterator[_System]:
    from finegrain.behaviour.predictions import read
    from finegrain.cli.inputs import parse_system
    from finegrain.files_read import called

    for name, path in map(parse_system, arguments):
        called(path, name)
        yield name, partial(read, path)


def _functions(arguments: Sequence[str]) -> Iterator[_System]:
    from finegrain.behaviour.predictions import called

    for given in arguments:
        name, home = _named(given, given.partition(":")[2])
        if "" not in sys.path:  # modules of the working directory, as with python -m
            sys.path.insert(0, "")
        yield name, partial(called, home)


def _programs(arguments: Sequence[str], limit: float) -> Iterator[_System]:
    from finegrain.behaviour.predictions import run

    for given in arguments:
        name, line = _named(given, Path((given.split() or [""])[0]).name)
        yield name, partial(run, line, limit=limit)


def _named(given: str, default: str) -> tuple[str, str]:
    """``name=what``, or what alone under a name of its own."""
    name, equals, rest = given.partition("=")
    if equals and rest and name.replace("-", "_").replace(".", "_").isidentifier():
        return name, rest
    return default, given
