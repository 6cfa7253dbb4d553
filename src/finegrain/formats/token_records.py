"""Tokens and log-probabilities in JSON objects, as scripts and the APIs of models write them.

>>> record = {"id": "d1", "tokens": ["So", " it"], "logprobs": [None, -0.5]}
>>> holds_log_probabilities(record), document_of(record, 1).numbers
(True, [nan, -0.5])
>>> echo = {"choices": [{"logprobs": {"tokens": ["So"], "token_logprobs": [-1.0]}}]}
>>> document_of(echo, 1).tokens
['So']
>>> document_of({"text": "So it is.", "logprob": -17.25}, 1).tokens
['So it is.']
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from finegrain import strict_json
from finegrain.errors import Collector, InputError
from finegrain.formats.source import Source

NUMBERS = (
    "logprob", "logprobs", "log_prob", "log_probs", "log_probability", "log_probabilities",
    "token_logprobs", "loglikelihood", "log_likelihood", "logp",
)  # fmt: skip
"""Names of what holds log-probabilities, the first that there is."""
_LAYOUT = 'Write {"tokens": ["So", " it"], "logprobs": [-1.5, -0.25]}, a number for each token.'


class Document(NamedTuple):
    """Tokens with a number each, nan for none; what else the object says of them."""

    id: str | None
    text: str | None
    tokens: list[str]
    numbers: list[float]
    line: int


class BadRecord(Exception):
    """What is wrong with an object."""


def holds_log_probabilities(record: Mapping[str, Any]) -> bool:
    """Whether an object has tokens or a text, and numbers for them."""
    try:
        return document_of(record, 1) is not None
    except BadRecord:
        return "tokens" in record and any(name in record for name in NUMBERS)


def documents_of(source: Source, problems: Collector) -> list[Document]:
    """The documents of JSON lines."""
    found: list[Document] = []
    for number, line in enumerate(source.lines(), 1):
        if not line.strip():
            continue
        try:
            record = strict_json.parse(line)
            found.append(document_of(record, number))
        except (strict_json.BadJson, BadRecord) as fault:
            problems.add(number, str(fault), _LAYOUT)
    problems.raise_any()
    if not any(one.tokens for one in found):
        raise InputError.at(source.name, 0, "the file has no tokens", _LAYOUT)
    return found


def document_of(record: Any, line: int) -> Document:
    """The document that an object describes."""
    if not isinstance(record, dict):
        raise BadRecord("this is not an object")
    choices = record.get("choices")
    if isinstance(choices, list) and len(choices) == 1 and isinstance(choices[0], dict):
        record = {**choices[0], "id": record.get("id", choices[0].get("id"))}
    name = next((name for name in NUMBERS if name in record), None)
    given = record.get(name) if name else None
    tokens = record.get("tokens")
    if isinstance(given, dict):
        tokens = given.get("tokens", given.get("content"))
        given = given.get("token_logprobs", tokens)
    if isinstance(given, list) and given and all(isinstance(one, dict) for one in given):
        tokens, given = _columns(given)
    text = record.get("text")
    if isinstance(given, int | float) and isinstance(text, str):
        tokens, given = [text], [given]
    if not isinstance(tokens, list) or not isinstance(given, list):
        raise BadRecord("no tokens with log-probabilities")
    return Document(
        _name(record.get("id", record.get("document"))), text if isinstance(text, str) else None,
        _texts(tokens), _numbers(given, len(tokens)), line,
    )  # fmt: skip


def _columns(rows: Sequence[Mapping[str, Any]]) -> tuple[list[Any], list[Any]]:
    """Of objects with a token and a number each."""
    name = next((name for name in NUMBERS if name in rows[0]), "logprob")
    return [row.get("token") for row in rows], [row.get(name) for row in rows]


def _name(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise BadRecord("the id is not a name")
    return str(value)


def _texts(tokens: list[Any]) -> list[str]:
    for place, token in enumerate(tokens, 1):
        if not isinstance(token, str):
            raise BadRecord(f"token {place} is not text")
    return tokens


def _numbers(given: list[Any], size: int) -> list[float]:
    if len(given) != size:
        raise BadRecord(f"{size} tokens, but {len(given)} log-probabilities")
    for place, number in enumerate(given, 1):
        if isinstance(number, bool) or not isinstance(number, int | float | None):
            raise BadRecord(f"log-probability {place} is not a number")
    return [math.nan if number is None else float(number) for number in given]
