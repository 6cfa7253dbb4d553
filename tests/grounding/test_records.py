"""Batch files of APIs and logs of tools are read; failures and refusals stay apart."""

from __future__ import annotations

import io
import json
import math
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from finegrain.errors import FinegrainError, InputError
from finegrain.grounding import Answer, SourceText, matched, read_answers
from finegrain.grounding.records import answers_of

OPENAI = {"custom_id": "d1", "response": {"status_code": 200, "body": {
    "object": "chat.completion",
    "choices": [{"message": {"role": "assistant", "content": "[]"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 2}}}, "error": None}  # fmt: skip
RESPONSES = {"custom_id": "d1", "response": {"status_code": 200, "body": {
    "object": "response", "output": [
        {"type": "reasoning", "summary": []},
        {"role": "assistant", "content": [{"type": "output_text", "text": "[]"}]}],
    "usage": {"input_tokens": 9, "output_tokens": 2}}}}  # fmt: skip
MESSAGES = {"custom_id": "d1", "result": {"type": "succeeded", "message": {
    "role": "assistant", "content": [{"type": "thinking", "thinking": "..."},
                                     {"type": "text", "text": "[]"}],
    "stop_reason": "end_turn", "usage": {"input_tokens": 9, "output_tokens": 2}}}}  # fmt: skip
GENERATE = {"key": "d1", "response": {
    "candidates": [{"content": {"parts": [{"text": "hm", "thought": True}, {"text": "[]"}]},
                    "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 2}}}  # fmt: skip
PLAIN = {"id": "d1", "output": "[]", "usage": {"input_tokens": 9, "output_tokens": 2}}


@pytest.mark.parametrize("record", [OPENAI, RESPONSES, MESSAGES, GENERATE, PLAIN])
def test_answers_of_apis(record: dict[str, Any]) -> None:
    (answer,) = answers_of(record)
    assert (answer.id, answer.text, answer.input_tokens, answer.output_tokens) == ("d1", "[]", 9, 2)
    assert not answer.declined
    assert not answer.failed


def test_several_choices_are_runs() -> None:
    body = {"choices": [{"message": {"content": "[1]"}}, {"message": {"content": "[2]"}}]}
    found = answers_of({"custom_id": "d1", "response": {"body": body}})
    assert [(one.run, one.text) for one in found] == [("1", "[1]"), ("2", "[2]")]


@pytest.mark.parametrize("record", [
    {"custom_id": "d1", "response": {"body": {"choices": [
        {"message": {"content": None, "refusal": "I cannot help."}}]}}},
    {"custom_id": "d1", "response": {"body": {"choices": [
        {"message": {"content": ""}, "finish_reason": "content_filter"}]}}},
    {"custom_id": "d1", "result": {"message": {
        "role": "assistant", "content": [], "stop_reason": "refusal"}}},
    {"key": "d1", "response": {"candidates": [{"finishReason": "SAFETY"}]}},
])  # fmt: skip
def test_refusals_of_apis(record: dict[str, Any]) -> None:
    (answer,) = answers_of(record)
    assert answer.declined


@pytest.mark.parametrize("record", [
    {"custom_id": "d1", "response": {"status_code": 429, "body": {}}, "error": None},
    {"custom_id": "d1", "response": None, "error": {"code": "batch_expired"}},
    {"custom_id": "d1", "result": {"type": "errored", "error": {"type": "overloaded"}}},
])  # fmt: skip
def test_failed_requests(record: dict[str, Any]) -> None:
    (answer,) = answers_of(record)
    assert answer.failed
    with pytest.raises(InputError, match="no answer for 'd1'"):
        matched([SourceText("d1", "Ada")], [answer], "a.jsonl")
    counted = matched([SourceText("d1", "Ada")], [answer], "a.jsonl", missing="count")
    assert counted.notes == ("1 text has no answer: unparseable",)


def test_samples_of_the_harness_are_those_of_the_first_filter(tmp_path: Path) -> None:
    lines = [
        {"doc_id": number, "doc": {"text": "Ada"}, "resps": [["[]", "[1]"]], "filter": name,
         "filtered_resps": ["[]"]}
        for name in ("none", "strict") for number in (1, 0)
    ]  # fmt: skip
    path = tmp_path / "samples_ner.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    answers, _ = read_answers(str(path))
    assert [(one.number, one.run, one.text) for one in answers] == [
        (1, "1", "[]"), (1, "2", "[1]"), (0, "1", "[]"), (0, "2", "[1]"),
    ]  # fmt: skip
    path.write_text(json.dumps({"doc_id": 0, "doc": {}, "resps": [[[-1.5, "so"]]]}) + "\n")
    with pytest.raises(InputError, match="neither generated texts nor log-likelihoods"):
        read_answers(str(path))


def _log(samples: list[dict[str, Any]], method: int = 93) -> bytes:
    """A log of Inspect as its package writes it: a ZIP file with Zstandard members."""
    target, directory = io.BytesIO(), io.BytesIO()
    for sample in samples:
        name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json".encode()
        data = json.dumps(sample).encode()
        packed = data
        if method == 93:
            zstandard = pytest.importorskip("zstandard", reason="needs the extra zstd")
            packed = zstandard.ZstdCompressor().compress(data)
        elif method == 8:
            packed = zlib.compress(data, wbits=-15)
        sums = (zlib.crc32(data), len(packed), len(data), len(name), 0)
        at = target.tell()
        target.write(struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 63, 0, method, 0, 0, *sums))
        target.write(name + packed)
        directory.write(struct.pack("<4sHHHHHHIIIHH", b"PK\1\2", 63, 63, 0, method, 0, 0, *sums))
        directory.write(struct.pack("<HHHII", 0, 0, 0, 0, at) + name)
    begin, size = target.tell(), directory.tell()
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, len(samples), len(samples), size, begin, 0)
    return target.getvalue() + directory.getvalue() + end


def _sample(name: str, epoch: int, text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "model": "mockllm/model"}
    return {
        "id": name, "epoch": epoch, "input": "...", "working_time": 0.5,
        "output": {
            "model": "mockllm/model",
            "choices": [{"message": message, "stop_reason": "stop"}],
            "usage": {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11},
        },
    }  # fmt: skip


@pytest.mark.parametrize("method", [0, 8, 93])
def test_logs_of_inspect(tmp_path: Path, method: int) -> None:
    path = tmp_path / "run.eval"
    path.write_bytes(_log([_sample("d1", 1, "[]"), _sample("d1", 2, "[1]")], method))
    answers, _ = read_answers(str(path))
    assert [(one.id, one.run, one.text) for one in answers] == [
        ("d1", "1", "[]"), ("d1", "2", "[1]"),
    ]  # fmt: skip
    assert (answers[0].latency, answers[0].input_tokens) == (0.5, 9)
    assert math.isnan(answers[0].cost)


def test_damaged_logs_are_refused(tmp_path: Path) -> None:
    whole = _log([_sample("d1", 1, "[]")], 8)
    path = tmp_path / "run.eval"
    for at in range(0, len(whole), 3):
        for data in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]):
            if not data.startswith(b"PK\3\4"):
                continue
            path.write_bytes(data)
            try:
                answers, _ = read_answers(str(path))
            except FinegrainError:
                continue
            assert [one.text for one in answers] == ["[]"]  # a byte that says nothing


def test_a_folder_has_one_answer_per_file(tmp_path: Path) -> None:
    (tmp_path / "d1.txt").write_text("[]\n")
    (tmp_path / "d2.json").write_text('{"PER": ["Ada"]}')
    found = [(one.id, one.text.strip()) for one in read_answers(str(tmp_path)).answers]
    assert found == [("d1", "[]"), ("d2", '{"PER": ["Ada"]}')]


def test_answers_belong_to_texts_by_id_or_by_order() -> None:
    texts = [SourceText("d1", "Ada"), SourceText("d2", "Bob")]
    by_id = matched(texts, [Answer("b", "d2"), Answer("a", "d1")], "f")
    assert [one.text for one in by_id.runs[""]] == ["a", "b"]
    by_order = matched(texts, [Answer("a"), Answer("b")], "f")
    assert [one.text for one in by_order.runs[""]] == ["a", "b"]
    assert "by order" in by_order.notes[0]
    for answers, message in (
        ([Answer("a", "d1"), Answer("x", "d9")], "the text 'd9' is not there"),
        ([Answer("a", "d1"), Answer("b", "d1")], "a second answer for 'd1'"),
        ([Answer("a")], "1 answers for 2 texts"),
        ([], "no answers"),
    ):
        with pytest.raises(InputError, match=message):
            matched(texts, answers, "f")
    again = matched(texts, [Answer(x, i) for x in "ab" for i in ("d1", "d2")], "f", repeats=True)
    assert list(again.runs) == ["1", "2"]
