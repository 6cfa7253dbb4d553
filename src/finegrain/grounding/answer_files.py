"""Answers of models as files have them: batch files, logs, folders, one text.

JSON lines and arrays hold one record for each answer (``records``); a folder has one file for each
text, called like its id; Inspect's logs are archives; any other file is one answer.

>>> from finegrain.formats.source import source_of
>>> lines = b'{"id": "d1", "answer": "[]"}\\n{"id": "d2", "answer": "No entities."}\\n'
>>> [(answer.id, answer.text, answer.line) for answer in of_source(source_of("memory", lines))]
[('d1', '[]', 1), ('d2', 'No entities.', 2)]
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from finegrain import strict_json
from finegrain.errors import Collector, InputError
from finegrain.formats.source import Source, open_source, stem
from finegrain.grounding.inspect_log import is_log, samples
from finegrain.grounding.records import Answer, answers_of

_MEND = 'Write {"id": "d1", "answer": "..."}, or give the file that the API returned.'


class Answers(NamedTuple):
    """The answers of a file, and its notes."""

    answers: list[Answer]
    notes: tuple[str, ...] = ()


def read_answers(path: str, *, limit: int = 20) -> Answers:
    """All answers of a file or folder, and what a user should know of it."""
    if path != "-" and os.path.isdir(path):  # noqa: PTH112 - as the reader of sources
        return Answers(_of_folder(path))
    if path != "-" and is_log(path):
        records = samples(path)
        return Answers([_of_sample(path, sample) for sample in records])
    source = open_source(path)
    return Answers(of_source(source, limit=limit), source.remarks)


def of_source(source: Source, *, limit: int = 20) -> list[Answer]:
    """All answers of a text."""
    problems = Collector(source.name, limit=limit)
    found: list[Answer] = []
    for record, line in _records(source, problems):
        try:
            if not isinstance(record, dict):
                raise ValueError("a value that is not an object")
            found += [replace(answer, line=line) for answer in answers_of(record)]
        except ValueError as fault:
            problems.add(line, str(fault), _MEND)
    problems.raise_any()
    return _first_filter(found)


def _records(source: Source, problems: Collector) -> Iterator[tuple[Any, int]]:
    """Records with their lines; a text that is not JSON is one answer."""
    lines = source.lines()
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith("{") and _is_object(first):
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield strict_json.parse(line), number
                except strict_json.BadJson as fault:
                    problems.add(number, str(fault), "One object per line.")
        return
    whole = "\n".join(lines)
    try:
        value = strict_json.parse(whole)
    except strict_json.BadJson:
        yield {"answer": whole}, 1
        return
    if isinstance(value, dict) and isinstance(value.get("samples"), list) and "eval" in value:
        for sample in value["samples"]:
            yield _sample_record(sample), 0
    elif isinstance(value, list) and value and all(map(_is_record, value)):
        for record in value:
            yield record, 0
    else:
        yield {"answer": value}, 1


def _is_record(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    try:
        return bool(answers_of(value)) and any(
            key in value for key in ("id", "custom_id", "choices")
        )
    except ValueError:
        return False


def _is_object(line: str) -> bool:
    try:
        return isinstance(strict_json.parse(line), dict)
    except strict_json.BadJson:
        return False


def _of_sample(path: str, sample: Any) -> Answer:
    try:
        (answer,) = answers_of(_sample_record(sample))
    except ValueError as fault:
        raise InputError.at(path, 0, f"a sample of the log: {fault}") from None
    return answer


def _sample_record(sample: Any) -> dict[str, Any]:
    """A sample of Inspect as a record of a response."""
    if not isinstance(sample, dict) or not isinstance(sample.get("output"), dict):
        return {"error": "a sample without an output", "response": None}
    output = sample["output"]
    known = {"id": sample.get("id"), "run": sample.get("epoch", ""),
             "latency": sample.get("working_time") or output.get("time")}  # fmt: skip
    if sample.get("error") or output.get("error") or not output.get("choices"):
        return {**known, "error": sample.get("error") or output.get("error") or "no output"}
    return {**known, "response": {"body": output}}


def _first_filter(answers: list[Answer]) -> list[Answer]:
    """Samples of lm-evaluation-harness are written once for each filter: those of the first."""
    filters = list(dict.fromkeys(answer.filter for answer in answers))
    return [answer for answer in answers if answer.filter == filters[0]] if filters else []


def _of_folder(path: str) -> list[Answer]:
    names = sorted(file for file in Path(path).iterdir() if file.is_file())
    names = [file for file in names if not file.name.startswith(".")]
    if not names:
        raise InputError.at(
            path, 0, "the folder has no files", "One file per text, called like it."
        )
    return [
        Answer("\n".join(open_source(str(file)).lines()), stem(str(file)), line=0) for file in names
    ]
