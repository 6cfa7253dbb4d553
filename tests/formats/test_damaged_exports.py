"""An export of which one value is another one is refused or read; no span of it gets lost."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from finegrain.corpus import Corpus
from finegrain.errors import InputError
from finegrain.formats import jsonl, read_source, recognise
from finegrain.formats.source import source_of
from tests.formats.test_tool_exports import EXPORTS, GOLD, in_array, in_lines, spans

VALUES = [None, True, 0, -1, 1.5, 10**30, "", "x", [], {}, [[]], [{}], {"a": 1}, ["x"]]
# where the spans of a record are
PLACES: dict[str, tuple[str | int, ...]] = {
    "training examples of spaCy": (1, "entities"),
    "documents of spaCy": ("ents",),
    "groups of spans of spaCy": ("spans",),
    "Prodigy": ("spans",),
    "doccano": ("label",),
    "doccano, with relations": ("entities",),
    "Label Studio (JSON)": ("annotations", 0, "result"),
    "Label Studio (JSON-MIN)": ("label",),
    "entities": ("entities",),
    "pipelines of Hugging Face": (),
}
every_tool = pytest.mark.parametrize("tool", EXPORTS)


def records(tool: str) -> list[Any]:
    """The texts of a tool, the first of them at both ends."""
    first, second = copy.deepcopy(EXPORTS[tool])
    third = copy.deepcopy(first)
    if isinstance(third, dict) and "id" in third:
        third["id"] = "d3"
    return [first, second, third]


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where there is a value in a value."""
    yield at
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        yield from paths(value[key], (*at, key))


def value_at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def damaged(tool: str, path: tuple[Any, ...]) -> Iterator[list[Any]]:
    """The records with another value at a place, without it, and with its key misspelt."""
    for new in VALUES:
        changed = records(tool)
        value_at(changed, path[:-1])[path[-1]] = new
        yield changed
    holder = value_at(changed := records(tool), path[:-1])
    if isinstance(holder, dict):
        value = holder.pop(path[-1])
        yield copy.deepcopy(changed)
        holder[path[-1] + "_"] = value
        yield changed


def gold() -> Corpus:
    third = {**GOLD[0], "id": "d3"}
    return jsonl.read(source_of("gold", in_lines([*GOLD, third])))


@every_tool
def test_nothing_but_a_clear_error_happens(tool: str) -> None:
    texts = gold()
    for path in paths(records(tool)):
        for changed in damaged(tool, path) if path else ():
            for written in (in_lines(changed), in_array(changed)):
                source = source_of("f", written)
                try:
                    format_ = recognise(source)
                    beside = {"gold": texts} if format_.name == "jsonl" else {}
                    read_source(source, format_, **beside)
                except InputError as error:
                    named = all(str(problem).startswith("f:") for problem in error.problems)
                else:
                    named = True
                assert named


@every_tool
def test_no_span_gets_lost(tool: str) -> None:
    texts = gold()
    # another value of the whole is another answer where that is [], or null in Prodigy
    place = PLACES[tool]
    tried = 0
    for inner in paths(value_at(records(tool)[0], place)):
        path = (0, *place, *inner)
        for changed in damaged(tool, path):
            if value_at_or_none(changed, path) in ([], None) and not _is_span(inner):
                continue
            tried += 1
            try:
                found = jsonl.read(source_of("f", in_lines(changed)), gold=texts)
            except InputError:
                continue
            assert len(spans(found)) == 4, json.dumps(changed)
    assert tried > 50


def value_at_or_none(value: Any, path: tuple[Any, ...]) -> Any:
    try:
        return value_at(value, path)
    except (KeyError, IndexError, TypeError):
        return None


def _is_span(inner: tuple[Any, ...]) -> bool:
    """Whether a place below the spans of a record is a span, or something of one."""
    return bool(inner) and any(isinstance(key, int) for key in inner)


def test_a_record_with_spans_in_two_places_is_refused() -> None:
    span = {"start": 0, "end": 1, "label": "X"}
    region = {"start": 0, "end": 1, "labels": ["X"]}
    for record, said in (
        ({"text": "a", "ents": [span], "entities": [span]}, "under ents and under entities"),
        ({"text": "a", "ents": [span], "spans": {"sc": []}}, "under spans and under ents"),
        ({"text": "a", "label": [[0, 1, "X"]], "entities": [span]}, "label and under entities"),
        ({"text": "a", "one": [region], "two": [region]}, "under one and two"),
    ):
        with pytest.raises(InputError, match=f"f:1: spans are .*{said}.*Choose one: --spans-key"):
            jsonl.read(source_of("f", in_lines([record])))


def test_a_label_that_is_a_word_is_no_list_of_spans() -> None:
    record = {"text": "a", "ents": [{"start": 0, "end": 1, "label": "X"}], "label": "news"}
    assert len(jsonl.read(source_of("f", in_lines([record]))).spans or ()) == 1


def test_predictions_that_serve_as_annotation_are_counted_in_a_note() -> None:
    record = records("Label Studio (JSON)")[0]
    unseen = {**record, "id": "d4", "predictions": record["annotations"], "annotations": []}
    corpus = jsonl.read(source_of("f", in_lines([record, unseen])))
    assert "1 record with predictions, as nobody annotated them" in corpus.notes


def test_choices_and_relations_of_label_studio_are_no_spans() -> None:
    record = records("Label Studio (JSON)")[0]
    record["annotations"][0]["result"] += [
        {"type": "relation", "from_id": "a", "to_id": "b", "direction": "right"},
        {"type": "choices", "value": {"choices": ["news"]}, "from_name": "kind"},
        {"type": "textarea", "value": {"text": ["a remark"]}, "from_name": "remark"},
    ]
    assert len(jsonl.read(source_of("f", in_lines([record]))).spans or ()) == 2
