"""One answer of a model, from a record of the files that APIs and tools write.

Known are batch files and single responses of chat completions, messages and ``generateContent``,
samples of lm-evaluation-harness, documents of langextract, and plain objects with an id and an
answer. What is not an answer but a failed request has ``failed`` and no text.

>>> record = {"custom_id": "d1", "response": {"status_code": 200, "body": {"choices": [
...     {"message": {"content": "[]"}}], "usage": {"prompt_tokens": 40, "completion_tokens": 2}}}}
>>> (answer,) = answers_of(record)
>>> answer.id, answer.text, answer.input_tokens, answer.output_tokens
('d1', '[]', 40.0, 2.0)
>>> [answer.text for answer in answers_of({"id": 7, "entities": [{"PER": "Ada"}]})]
['{"entities": [{"PER": "Ada"}]}']
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

_IDS = ("custom_id", "id", "document_id", "doc_id", "key", "item_id", "sample_id")
_TEXTS = (
    "answer", "output", "response", "completion", "prediction", "generated_text",
    "content", "result", "raw",
)  # fmt: skip
_LATENCIES = {"latency": 1.0, "latency_s": 1.0, "latency_ms": 1e-3, "duration": 1.0,
              "duration_ms": 1e-3, "response_ms": 1e-3, "total_time": 1.0}  # fmt: skip
_INPUTS = ("prompt_tokens", "input_tokens", "promptTokenCount")
_OUTPUTS = ("completion_tokens", "output_tokens", "candidatesTokenCount")
_COSTS = ("cost", "total_cost", "cost_usd")
_BESIDE = {"run", "epoch", "sample", "seed", "model", "usage", *_LATENCIES, *_COSTS, *_INPUTS,
           *_OUTPUTS, *_IDS, "text", "document", "metadata"}  # fmt: skip
_RUNS = ("run", "epoch", "sample", "seed")
_DECLINED = {"content_filter", "refusal", "SAFETY", "PROHIBITED_CONTENT", "RECITATION"}
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model wrote for one text.

    Parameters
    ----------
    text: the answer; empty if it was declined or the request failed
    id: of the text; empty where answers are in the order of the texts
    run: which answer to this text it is, as the file says; empty if it does not
    number: the place of the text, from 0, if the file counts them; -1 if not
    declined: the API says that the model refused
    failed: why there is no answer
    latency: seconds; nan if unknown, as are the others
    line: where it stands in its file
    about: the text that it answers, if the record holds that, too
    options: log-likelihoods of options, where a model wrote nothing; ``text`` is the likeliest
    """

    text: str
    id: str = ""
    run: str = ""
    number: int = -1
    declined: bool = False
    failed: str = ""
    latency: float = float("nan")
    input_tokens: float = float("nan")
    output_tokens: float = float("nan")
    cost: float = float("nan")
    line: int = 0
    filter: str = ""
    about: str = ""
    options: tuple[float, ...] = ()


def answers_of(record: Record) -> list[Answer]:
    """The answers that a record holds: one, or as many as were sampled.

    Raises ``ValueError`` if it holds none.
    """
    known = replace(_usage(record), id=_id(record), run=_run(record))
    if "extractions" in record:
        text, about = _as_text({"extractions": record["extractions"]}), record.get("text")
        return [replace(known, text=text, about=about if isinstance(about, str) else "")]
    if "resps" in record:
        return list(_harness(record, known))
    return list(_api(record, known))


def _api(record: Record, known: Answer) -> Iterator[Answer]:
    """Of a response, alone or in a line of a batch file."""
    response = record.get("response", record.get("result"))
    if isinstance(response, dict):
        body = response.get("body", response.get("message", response))
        failure = _failure(record, response)
        if failure:
            yield replace(known, failed=failure)
            return
        if isinstance(body, dict) and _is_response(body):
            yield from _bodies(body, _with_usage(known, body))
            return
    elif record.get("error") and response is None:
        yield replace(known, failed=_as_text(record["error"])[:200])
        return
    if _is_response(record):
        yield from _bodies(record, replace(known, id=known.id if "custom_id" in record else ""))
        return
    if isinstance(record.get("messages"), list):
        spoken = [one for one in record["messages"] if _role(one) == "assistant"]
        if spoken:
            yield replace(known, text=_content(spoken[-1].get("content")))
            return
    yield _plain(record, known)


def _plain(record: Record, known: Answer) -> Answer:
    for key in _TEXTS:
        if isinstance(record.get(key), str | dict | list):
            return replace(known, text=_as_text(record[key]))
    rest = {key: value for key, value in record.items() if key not in _BESIDE}
    if any(isinstance(value, dict | list) for value in rest.values()):
        return replace(known, text=_as_text(rest))
    if isinstance(record.get("text"), str) and not rest:
        return replace(known, text=record["text"])
    keys = ", ".join(key[:40] for key in list(record)[:10]) or "none"
    raise ValueError(f"no answer in this record (keys: {keys})")


def _failure(record: Record, response: Record) -> str:
    """Why a request of a batch failed; empty if it did not."""
    status = response.get("status_code", 200)
    if record.get("error") or response.get("error"):
        return _as_text(record.get("error") or response["error"])[:200]
    if isinstance(status, int) and status >= 400:
        return f"status {status}"
    if response.get("type") in ("errored", "canceled", "expired"):
        return str(response["type"])
    return ""


def _is_response(body: Record) -> bool:
    return (
        isinstance(body.get("choices"), list)
        or isinstance(body.get("candidates"), list)
        or (isinstance(body.get("output"), list) and body.get("object") == "response")
        or (body.get("role") == "assistant" and isinstance(body.get("content"), list))
    )


def _bodies(body: Record, known: Answer) -> Iterator[Answer]:
    """The answers of a response, several if they were sampled together."""
    if isinstance(body.get("choices"), list):
        choices = [one for one in body["choices"] if isinstance(one, dict)]
        for number, choice in enumerate(choices):
            message = choice.get("message")
            message = message if isinstance(message, dict) else {"content": choice.get("text")}
            run = known.run or (str(number + 1) if len(choices) > 1 else "")
            stop = choice.get("finish_reason", choice.get("stop_reason"))
            yield _said(
                replace(known, run=run), message.get("content"), message.get("refusal"), stop
            )
    elif isinstance(body.get("candidates"), list):
        for one in body["candidates"] or [{"finishReason": "SAFETY"}]:
            content = one.get("content") if isinstance(one, dict) else None
            parts = content.get("parts") if isinstance(content, dict) else None
            yield _said(
                known, parts, None, one.get("finishReason") if isinstance(one, dict) else ""
            )
    elif isinstance(body.get("output"), list):
        messages = [one for one in body["output"] if _role(one) == "assistant"]
        parts = [part for one in messages for part in one.get("content") or []]
        refusal = next((part["refusal"] for part in parts if isinstance(part, dict)
                        and part.get("type") == "refusal" and "refusal" in part), None)  # fmt: skip
        yield _said(known, parts, refusal, None)
    else:
        yield _said(known, body["content"], None, body.get("stop_reason"))


def _said(known: Answer, content: Any, refusal: Any, stop: Any) -> Answer:
    text = _content(content)
    declined = bool(refusal) or (isinstance(stop, str) and stop in _DECLINED)
    return replace(known, text=text or (refusal if isinstance(refusal, str) else ""),
                   declined=declined and not (text and not refusal and stop is None))  # fmt: skip


def _content(content: Any) -> str:
    """The text of a message: a string, or parts of which some are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [
        part["text"]
        for part in content
        if isinstance(part, dict)
        and isinstance(part.get("text"), str)
        and part.get("type", "text") in ("text", "output_text")
        and not part.get("thought")
    ]
    return "".join(texts)


def _role(message: Any) -> str:
    return str(message.get("role", "")) if isinstance(message, dict) else ""


def _harness(record: Record, known: Answer) -> Iterator[Answer]:
    """Samples of lm-evaluation-harness: all repeats of the first request."""
    doc = record.get("doc")
    own = _id(doc, _IDS[1:]) if isinstance(doc, dict) else ""
    number = record.get("doc_id")
    place = number if isinstance(number, int) and not isinstance(number, bool) else -1
    known = replace(known, id=own, number=place, filter=str(record.get("filter", "")))
    resps = record["resps"]
    if options := _likelihoods(resps):
        yield replace(known, text=_most_likely(options, record.get("arguments")), options=options)
        return
    texts = resps[0] if isinstance(resps, list) and resps and isinstance(resps[0], list) else resps
    if not isinstance(texts, list) or not texts or not all(isinstance(one, str) for one in texts):
        raise ValueError("neither generated texts nor log-likelihoods of options")
    for repeat, text in enumerate(texts):
        yield replace(known, text=text, run=str(repeat + 1) if len(texts) > 1 else known.run)


def _likelihoods(resps: Any) -> tuple[float, ...]:
    """Of each option the log-likelihood, beside whether it is the most likely text of all.

    >>> _likelihoods([[["-0.5", "False"]], [["-0.1", "True"]]])
    (-0.5, -0.1)
    """
    found = []
    for one in resps if isinstance(resps, list) else []:
        pair = one[0] if isinstance(one, list) and one and isinstance(one[0], list) else one
        if not isinstance(pair, list) or len(pair) != 2 or str(pair[1]) not in ("True", "False"):
            return ()
        try:
            found.append(float(pair[0]))
        except (TypeError, ValueError):
            return ()
    return () if any(map(math.isnan, found)) else tuple(found)


def _most_likely(options: tuple[float, ...], arguments: Any) -> str:
    """The words of the most likely option, as the file has them; empty if two are equally so."""
    best = [at for at, one in enumerate(options) if one == max(options)]
    asked = list(arguments.values()) if isinstance(arguments, dict) else arguments
    if len(best) > 1 or not isinstance(asked, list) or len(asked) != len(options):
        return ""
    given = asked[best[0]]
    words = list(given.values()) if isinstance(given, dict) else given
    last = words[-1] if isinstance(words, list) and words else None
    return last.strip() if isinstance(last, str) else ""


def _id(record: Record, keys: tuple[str, ...] = _IDS) -> str:
    for key in keys:
        value = record.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return ""


def _run(record: Record) -> str:
    return next((str(record[key]) for key in _RUNS if isinstance(record.get(key), str | int)), "")


def _usage(record: Record) -> Answer:
    return _with_usage(Answer(""), record)


def _with_usage(known: Answer, record: Record) -> Answer:
    """What a record says of time, tokens and cost."""
    usage = record.get("usage", record.get("usageMetadata"))
    both = {**record, **(usage if isinstance(usage, dict) else {})}
    latency = next((_number(both.get(key)) * scale for key, scale in _LATENCIES.items()
                    if key in both), float("nan"))  # fmt: skip
    return replace(
        known,
        latency=_either(latency, known.latency),
        input_tokens=_either(_any_number(both, _INPUTS), known.input_tokens),
        output_tokens=_either(_any_number(both, _OUTPUTS), known.output_tokens),
        cost=_either(_any_number(both, _COSTS), known.cost),
    )


def _either(one: float, other: float) -> float:
    return other if math.isnan(one) else one


def _any_number(record: Record, keys: tuple[str, ...]) -> float:
    return next((_number(record[key]) for key in keys if key in record), float("nan"))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e15:
        return float("nan")
    return float(value)


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
