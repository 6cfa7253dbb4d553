"""Questions about passages with their references (SQuAD), and answers by id, as JSON.

>>> question = '{"id": "a", "question": "who?", "answers": [{"text": "Ada"}]}'
>>> read(['{"data": [{"paragraphs": [{"context": "", "qas": [' + question + ']}]}]}'])
[Question(name='a', references=['Ada'], impossible=None)]
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, NamedTuple

from tests.fuzz.corpora import WORDS, Invalid
from tests.fuzz.items import Items
from tests.fuzz.strict_json import parse

ARTICLES = ("the", "a", "An", "THE")


class Question(NamedTuple):
    """A question by its id; ``impossible``: whether it has no answer, if that is said."""

    name: str
    references: list[str]
    impossible: bool | None


def random_questions(rng: Random) -> list[Question]:
    """Three to eight questions, of which some may have no answer."""
    second = rng.random() < 0.5
    found = []
    for at in range(rng.randint(3, 8)):
        none = second and rng.random() < 0.4
        references = [] if none else [_phrase(rng) for _ in range(rng.choice((1, 1, 2, 3)))]
        found.append(Question(f"q{at}", references, none if second else None))
    return found


def _phrase(rng: Random) -> str:
    return " ".join(rng.choices((*WORDS, *ARTICLES), k=rng.randint(1, 4)))


def random_answers(rng: Random, questions: list[Question]) -> dict[str, str]:
    """Right and nearly right ones, others, and none."""
    found = {}
    for one in questions:
        near = rng.choice(one.references) if one.references else ""
        found[one.name] = rng.choice((near, near, f"{near} {_phrase(rng)}", near.upper() + "!",
                                      near.split(" ")[0], _phrase(rng), ""))  # fmt: skip
    return found


def write(rng: Random, questions: list[Question]) -> bytes:
    """All questions in one or two paragraphs."""
    cut = rng.randint(0, len(questions))
    parts = [part for part in (questions[:cut], questions[cut:]) if part]
    paragraphs = [
        {"context": " ".join(text for one in part for text in one.references),
         "qas": [_question(one) for one in part]}
        for part in parts
    ]  # fmt: skip
    whole = {"version": "x", "data": [{"title": "t", "paragraphs": paragraphs}]}
    return (json.dumps(whole, indent=rng.choice((None, 1)), ensure_ascii=False) + "\n").encode()


def _question(one: Question) -> dict[str, Any]:
    found: dict[str, Any] = {"id": one.name, "question": "who?"}
    if one.impossible is not None:
        found["is_impossible"] = one.impossible
    return found | {"answers": [{"text": text, "answer_start": 0} for text in one.references]}


def write_answers(rng: Random, answers: dict[str, str]) -> bytes:
    """One object."""
    indent = rng.choice((None, None, 1))
    return (json.dumps(answers, indent=indent, ensure_ascii=rng.random() < 0.5) + "\n").encode()


def read(lines: list[str]) -> list[Question]:
    """All questions of a file."""
    found = []
    for article in _list(_required(parse("\n".join(lines))), "data"):
        for paragraph in _list(_required(article), "paragraphs"):
            if not isinstance(_required(paragraph).get("context"), str):
                raise Invalid("a paragraph without a context")
            found += [_read_question(_required(one)) for one in _list(paragraph, "qas")]
    if not found or len({one.name for one in found}) < len(found):
        raise Invalid("no questions, or two with one id")
    said = any(one.impossible is not None for one in found)
    if said and any(bool(one.impossible) == bool(one.references) for one in found):
        raise Invalid("references where there is no answer, or none where there is one")
    return found


def _required(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Invalid("no object")
    return value


def _list(record: dict[str, Any], key: str) -> list[Any]:
    if not isinstance(record.get(key), list):
        raise Invalid(f"no list {key}")
    found: list[Any] = record[key]
    return found


def _read_question(record: dict[str, Any]) -> Question:
    name, impossible = record.get("id"), record.get("is_impossible")
    if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
        raise Invalid("a question without an id")
    if not isinstance(record.get("question"), str):
        raise Invalid("a question without its words")
    if impossible is not None and not isinstance(impossible, bool):
        raise Invalid("is_impossible that is neither true nor false")
    answers = [_required(one) for one in _list(record, "answers")]
    if any(type(one.get("answer_start")) is int and abs(one["answer_start"]) > 2**53
           for one in answers):  # fmt: skip
        raise Invalid("a reference that begins where no context can be")
    references = [one.get("text") for one in answers]
    if not all(isinstance(one, str) for one in references):
        raise Invalid("a reference without a text")
    return Question(str(name), [str(one) for one in references], impossible)


def read_answers(lines: list[str]) -> Items:
    """Ids and texts."""
    found = _required(parse("\n".join(lines)))
    if not found or not all(isinstance(one, str) and name for name, one in found.items()):
        raise Invalid("no answers, or one that is not text or has no id")
    return Items(len(found), {"id": [*found], "answer": [*found.values()]})
