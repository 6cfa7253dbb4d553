"""Whatever form an answer has, its items are read, or it says why not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain.grounding import broken_json
from finegrain.grounding.listed import Schema, items_of
from finegrain.grounding.parsing import parsed

SCHEMA = Schema.of(["PER", "LOC"], {"PERSON": "PER"})
ADA = [("Ada", "PER"), ("Ghent", "LOC")]

FORMS = {
    "objects": '[{"text": "Ada", "type": "PER"}, {"text": "Ghent", "type": "LOC"}]',
    "other keys": '[{"entity": "Ada", "label": "PER"}, {"span": "Ghent", "category": "LOC"}]',
    "wrapped": '{"entities": [{"text": "Ada", "type": "PER"}, {"text": "Ghent", "type": "LOC"}]}',
    "wrapped twice": '{"result": {"entities": [{"PER": "Ada"}, {"LOC": "Ghent"}]}}',
    "by label": '{"PER": ["Ada"], "LOC": ["Ghent"]}',
    "objects by label": '{"PER": [{"text": "Ada"}], "LOC": [{"text": "Ghent"}]}',
    "by words": '{"Ada": "PER", "Ghent": "LOC"}',
    "pairs": '[["Ada", "PER"], ["Ghent", "LOC"]]',
    "turned pairs": '[["PER", "Ada"], ["LOC", "Ghent"]]',
    "lines": '{"text": "Ada", "type": "PER"}\n{"text": "Ghent", "type": "LOC"}',
    "fenced": 'Sure [as asked]:\n```json\n{"PER": ["Ada"], "LOC": ["Ghent"]}\n```\nAnything else?',
    "in prose": 'The answer is {"PER": ["Ada"], "LOC": ["Ghent"]}, I think.',
    "after a draft": '{"PER": []} No, wait: {"PER": ["Ada"], "LOC": ["Ghent"]}',
    "after thinking": '<think>{"PER": ["Bob"]}</think>{"PER": ["Ada"], "LOC": ["Ghent"]}',
    "inline": "<PER>Ada</PER> lives in <LOC>Ghent</LOC>.",
    "conll": "Here:\n\nAda B-PER\nlives O\nin O\nGhent B-LOC\n. O",
    "conll with parts of speech": "Ada NNP B-PER\nlives VBZ O\nin IN O\nGhent NNP S-LOC",
    "table": "| Ada | B-PER |\n| lives | O |\n| Ghent | B-LOC |",
    "bullets": "The entities are:\n- Ada (PER)\n- Ghent (LOC)\n\nAnything else?",
    "numbers": '1. **Ada** [PER]\n2) "Ghent" [LOC]',
    "labels behind": "* Ada: PER\n* Ghent → LOC",
    "labels behind dashes": "• `Ada` - PER\n• Ghent — LOC",
    "labels first": "- PER: Ada\n- **LOC**: Ghent",
    "headings": "### PER\n\n- Ada\n\n**LOC:**\n- Ghent",
    "bullets in bullets": "- PER:\n  - Ada\n- LOC\n  - Ghent",
    "headings of nothing": "PER:\n- Ada\n\nPERSON:\n- None\n\nLOC:\n- Ghent",
    "langextract": '{"extractions": [{"extraction_class": "PER", "extraction_text": "Ada", '
    '"char_interval": {"start_pos": 0, "end_pos": 3}}, {"LOC": "Ghent", "LOC_attributes": {}}]}',
}


@pytest.mark.parametrize("form", FORMS)
def test_items_are_read_from_every_form(form: str) -> None:
    read = parsed(FORMS[form], SCHEMA)
    assert [(item.words, item.label) for item in read.items] == ADA
    assert not read.faulty


BROKEN = {
    "trailing comma": '[{"text": "Ada", "type": "PER",}, {"text": "Ghent", "type": "LOC"},]',
    "missing comma": '[{"text": "Ada", "type": "PER"} {"text": "Ghent", "type": "LOC"}]',
    "quotation marks": "[{'text': 'Ada', 'type': 'PER'}, {'text': 'Ghent', 'type': 'LOC'}]",
    "bare key": '[{text: "Ada", type: "PER"}, {text: "Ghent", type: "LOC"}]',
    "comment": '[{"text": "Ada", "type": "PER"}, // the writer\n {"text": "Ghent", "type": "LOC"}]',
    "cut off": '[{"text": "Ada", "type": "PER"}, {"text": "Ghent", "type": "LOC"}, {"text": "Bo',
    "constants of Python": '[{"text": "Ada", "type": "PER", "ok": True}, ["Ghent", "LOC"]]',
    "repeated key": '{"PER": [], "PER": ["Ada"], "LOC": ["Ghent"]}',
    "line end in a string": '[["Ada", "PER"], ["Ghent", "LOC"], ["\n", "LOC"]]',
}


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_json_is_repaired_only_if_asked_and_named(kind: str) -> None:
    strict = parsed(BROKEN[kind], SCHEMA)
    assert strict.form == "unparseable"
    assert "JSON" in strict.fault or "twice" in strict.fault
    read = parsed(BROKEN[kind], SCHEMA, repair=True)
    assert [(item.words, item.label) for item in read.items][:2] == ADA
    assert kind in read.repairs


def test_what_is_cut_off_is_left_out() -> None:
    text = json.dumps([{"text": "Ada", "type": "PER"}, {"text": "Ghent", "type": "LOC"}])
    for end in range(2, len(text)):
        values, repairs = broken_json.read(text[:end])
        assert repairs == ["cut off"]
        assert values in ([], [{"text": "Ada", "type": "PER"}]) or end == len(text) - 1


@given(st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
).filter(lambda value: isinstance(value, list | dict)))  # fmt: skip
def test_sound_json_needs_no_repair(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False)
    try:
        read, repairs = broken_json.read(text)
    except broken_json.Hopeless:
        pytest.fail("sound JSON is read")
    if not repairs:
        assert read == value
    assert set(repairs) <= {"quotation marks", "line end in a string"}


@pytest.mark.parametrize("answer", [
    "I'm sorry, but I can't assist with that request.", "I cannot help with this.",
    "As an AI language model, I do not extract names.", "Sorry, I’m unable to comply.",
])  # fmt: skip
def test_refusals_are_told_from_what_cannot_be_read(answer: str) -> None:
    assert parsed(answer, SCHEMA).form == "refused"


@pytest.mark.parametrize("answer", [
    "[]", "{}", '{"entities": []}', "None", "There are no named entities in this text.",
    "No entities found.", '```json\n{"PER": [], "LOC": []}\n```',
])  # fmt: skip
def test_answers_may_list_nothing(answer: str) -> None:
    read = parsed(answer, SCHEMA)
    assert read.form in ("json", "none")
    assert not read.items


@pytest.mark.parametrize("answer", ["", "  ", "Ada is a nice name.", "42", '{"score": 3}'])
def test_what_lists_no_items_cannot_be_read(answer: str) -> None:
    assert parsed(answer, SCHEMA).form == "unparseable"


@pytest.mark.parametrize("answer", [
    "- Ada is a writer.\n- Ghent is a town.", "PER: Ada", "- Ada, Ghent", "Some rules:\n1. Be kind",
    "- PER: Ada, Bob", '- Ada (PER)\n{"PER": ["Ada"',
])  # fmt: skip
def test_a_list_without_labels_is_no_list_of_items(answer: str) -> None:
    assert parsed(answer, SCHEMA).form == "unparseable"


def test_what_a_list_holds_beside_items_is_told() -> None:
    read = parsed("- Ada (PER)\n- Bob (artist)\n- Ghent, where he lived\n- PER: Cy, Di", SCHEMA)
    assert [(item.words, item.label) for item in read.items] == [("Ada", "PER"), ("Bob", "artist")]
    assert read.faulty == ["Ghent, where he lived", "PER: Cy, Di"]
    # without a schema only brackets tell a label
    assert [one.label for one in parsed("- Ada (PER)\n- Bob: PER", Schema()).items] == ["PER"]


def test_items_without_words_or_label_are_told() -> None:
    listed = items_of([{"text": "Ada", "type": "PER"}, {"text": "Bob"}, 7], SCHEMA)
    assert [item.words for item in listed.items] == ["Ada"]
    assert len(listed.faulty) == 2


def test_marks_that_do_not_close_are_told() -> None:
    read = parsed("<PER>Ada</PER> met <LOC>Bob", SCHEMA)
    assert [item.words for item in read.items] == ["Ada"]
    assert list(read.faulty) == ["<LOC>"]


@pytest.mark.parametrize("answer", [
    "@@" * 50_000, "@@a##" + "@@" * 50_000, "```" * 50_000, "[" * 50_000, '{"a":' * 50_000,
    "- " * 50_000, "- a: " * 50_000, "- (((" * 20_000, "- a\n" * 50_000,
    "<PER>" * 20_000, "|" * 50_000, '["' * 50_000, "answer: " * 50_000,
])  # fmt: skip
def test_long_answers_of_one_sign_end(answer: str) -> None:
    assert parsed(answer, SCHEMA, repair=True).form in ("unparseable", "inline")
