"""Where answers come from: a file of predictions, a Python function, or a program.

Inputs and predictions are JSON lines. A program reads inputs on its standard input and writes
predictions on its standard output; nothing goes through a shell.

>>> from finegrain.behaviour.cases import Input
>>> inputs = [Input("a", {"text": "so"}, {}), Input("b", {"text": "no"}, {})]
>>> called("textwrap:dedent", inputs)["a"].label
Traceback (most recent call last):
...
finegrain.errors.InputError: textwrap:dedent: it was called with a list of 2 texts and failed: ...
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

from finegrain import strict_json
from finegrain.behaviour.cases import Input
from finegrain.behaviour.judging import Answer
from finegrain.behaviour.templates import Marked
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.source import open_source
from finegrain.sizes import sized

LABELS = ("label", "answer", "prediction", "predicted", "output")
TIME_LIMIT = 600.0  # seconds


def written(inputs: Iterable[Input]) -> str:
    """Inputs as JSON lines."""
    return "".join(json.dumps(one.to_json(), ensure_ascii=False) + "\n" for one in inputs)


def read(path: str, inputs: Sequence[Input]) -> dict[str, Answer]:
    """The predictions of a file, one for each input."""
    return _answers(path, open_source(path).lines(), inputs)


def run(command: str, inputs: Sequence[Input], *, limit: float = TIME_LIMIT) -> dict[str, Answer]:
    """The predictions of a program, which has a limit of time."""
    words = shlex.split(command)
    if not words:
        raise UsageError("there is no program to run")
    try:
        done = subprocess.run(  # noqa: S603 - the user's own program, without a shell
            words, input=written(inputs), capture_output=True, text=True, timeout=limit, check=False
        )
    except FileNotFoundError:
        raise InputError.at(words[0], 0, "no such program", "Check the path.") from None
    except subprocess.TimeoutExpired:
        what = f"it did not end within {limit:g} seconds"
        raise InputError.at(words[0], 0, what, "Give it more: --time-limit.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.at(words[0], 0, f"it cannot be run: {error}") from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["nothing on standard error"]
        raise InputError.at(words[0], 0, f"exit code {done.returncode}: {last[0][:200]}")
    return _answers(words[0], done.stdout.splitlines(), inputs)


def called(home: str, inputs: Sequence[Input]) -> dict[str, Answer]:
    """The predictions of ``module:function``, which takes all texts and gives as many answers.

    Texts are strings or, where inputs have several fields, dictionaries; answers are labels or
    dictionaries as in a file of predictions.
    """
    module, _, name = home.partition(":")
    try:
        function = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"--call: {home} cannot be imported: {error}") from None
    return answered(home, function, inputs)


def answered(
    name: str, function: Callable[[list[Any]], Iterable[Any]], inputs: Sequence[Input]
) -> dict[str, Answer]:
    """The answers of a function to all inputs."""
    texts = [
        next(iter(one.fields.values())) if len(one.fields) == 1 else dict(one.fields)
        for one in inputs
    ]
    try:
        given = list(function(texts))
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        what = f"it was called with a list of {len(texts):,} texts and failed: {told[:300]}"
        raise InputError.at(name, 0, what) from None
    if len(given) != len(inputs):
        what = f"it gave {sized(len(given), 'answer')} to {sized(len(inputs), 'text')}"
        raise InputError.at(name, 0, what, "Give one answer for every text, in their order.")
    lines = [
        {"id": one.id, **(answer if isinstance(answer, Mapping) else {"label": answer})}
        for one, answer in zip(inputs, given, strict=True)
    ]
    return _parsed(name, list(enumerate(lines, 1)), inputs, Collector(name))


def _answers(source: str, lines: Sequence[str], inputs: Sequence[Input]) -> dict[str, Answer]:
    problems = Collector(source)
    records = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            records.append((number, strict_json.parse(line)))
        except strict_json.BadJson as fault:
            problems.add(number, f"this is no JSON: {fault}", "Write one object per line.")
    return _parsed(source, records, inputs, problems)


def _parsed(
    source: str,
    records: Sequence[tuple[int, Any]],
    inputs: Sequence[Input],
    problems: Collector,
) -> dict[str, Answer]:
    known = {one.id for one in inputs}
    found: dict[str, Answer] = {}
    for number, record in records:
        if not isinstance(record, Mapping) or "id" not in record:
            problems.add(
                number, "expected a JSON object with an id", 'Write {"id": ..., "label": ...}.'
            )
            continue
        name = str(record["id"])
        if name not in known:
            problems.add(number, f"there is no input {name!r} in this suite",
                         "Predict what behave generate writes for this suite.")  # fmt: skip
        elif name in found:
            problems.add(number, f"a second answer to {name!r}", "Give one answer to every input.")
        else:
            try:
                found[name] = _answer(record)
            except (TypeError, ValueError, KeyError) as fault:
                problems.add(number, f"this is not an answer: {fault}", "Give a label, or spans.")
    problems.raise_any()
    missing = [one.id for one in inputs if one.id not in found]
    if missing:
        what = (
            f"{len(missing):,} of {len(inputs):,} inputs have no answer, the first {missing[0]!r}"
        )
        raise InputError.at(source, 0, what, "Give one answer to every input.")
    return found


def _answer(record: Mapping[str, Any]) -> Answer:
    """An answer from its record."""
    probabilities = record.get("probabilities", {})
    spans = tuple(sorted(
        Marked(int(one["start"]), int(one["end"]), str(one["label"]))
        for one in record.get("spans", record.get("entities", ()))
    ))  # fmt: skip
    key = next((name for name in LABELS if name in record), "")
    value = record.get(key)
    if not key and not probabilities and "spans" not in record and "entities" not in record:
        raise ValueError("it has no label and no spans")
    if isinstance(value, list | dict):
        raise ValueError(f"{key} is not text")
    chances = {str(label): float(p) for label, p in probabilities.items()}
    best = max(chances, key=lambda label: chances[label]) if chances else ""
    return Answer(best if value is None else _told(value), chances, spans)


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
