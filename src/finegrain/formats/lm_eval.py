"""`lm_eval`: what lm-evaluation-harness writes with ``--log_samples``, for texts and minimal pairs.

    {"doc_id": 0, "doc": {"page": "So it is."}, "filtered_resps": [-17.25], ...}
    {"doc_id": 0, "doc": {"sentence_good": "...", "sentence_bad": "...", "UID": "..."}, "target": 0,
     "filtered_resps": [["-31.5", "False"], ["-34.0", "False"]], ...}

One number is the log-probability of the text, which becomes one token; of two, the one of the
target is ``good`` and the other one ``bad``. The keys of ``doc`` become columns.

>>> from finegrain.formats.source import source_of
>>> line = b'{"doc_id": 3, "doc": {"page": "So it is."}, "filtered_resps": [-17.25]}'
>>> rows = read(source_of("memory", line)).parts["tokens"]
>>> list(rows.fields["token"]), rows.fields["logprob"].tolist()
(['So it is.'], [-17.25])
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from finegrain import strict_json
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows, cell
from finegrain.corpus.items import of_fields
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.source import Source

_RESPONSES = ("filtered_resps", "resps")
_TEXTS = ("page", "text", "content", "sentence", "query")
_MEND = "Give the samples of a task with one log-probability of a text, or of two sentences."
Record = Mapping[str, Any]


class _Fault(Exception):
    """What is wrong with a sample."""


def looks_like(source: Source) -> bool:
    """True for an object with a document and the responses to it."""
    if source.folder or source.tokens is not None:
        return False
    first = next((line for line in source.head(50) if line.strip()), "")
    if not first.lstrip().startswith("{"):
        return False
    try:
        record = strict_json.parse(first)
    except strict_json.BadJson:
        return False
    return isinstance(record, dict) and "doc" in record and any(n in record for n in _RESPONSES)


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read samples; up to ``limit`` problems are gathered before giving up."""
    problems = Collector(source.name, limit=limit)
    lines: list[int] = []
    samples: list[tuple[dict[str, Any], list[float]]] = []
    for number, line in enumerate(source.lines(), 1):
        if not line.strip():
            continue
        try:
            samples.append(_sample(strict_json.parse(line)))
        except (strict_json.BadJson, _Fault) as fault:
            problems.add(number, str(fault), _MEND)
            continue
        if len(samples[-1][1]) != len(samples[0][1]):
            problems.add(number, "another number of log-probabilities than before", _MEND)
        lines.append(number)
    problems.raise_any()
    if not samples:
        raise InputError.at(source.name, 0, "the file has no samples", _MEND)
    names = dict.fromkeys(name for fields, _ in samples for name in fields)
    columns: dict[str, Column] = {
        name: Texts.of(str(fields.get(name, "")) for fields, _ in samples) for name in names
    }
    numbers = np.array([own for _, own in samples])
    parts = {}
    if numbers.shape[1] == 1:
        tokens: dict[str, Column] = {"token": columns["text"], "logprob": numbers[:, 0]}
        parts = {"tokens": Rows(np.arange(len(samples)), tokens)}
    else:
        columns |= {"good": numbers[:, 0], "bad": numbers[:, 1]}
    return of_fields(
        source.name, columns, lines=np.array(lines), parts=parts, format="lm_eval"
    )  # fmt: skip


def _sample(record: Any) -> tuple[dict[str, Any], list[float]]:
    """The columns of a sample and its log-probabilities, that of the target first."""
    if not isinstance(record, dict) or "doc" not in record:
        raise _Fault("no sample: there is no doc")
    name = next((name for name in _RESPONSES if name in record), None)
    given = record[name] if name else None
    if not isinstance(given, list) or len(given) not in (1, 2):
        count = len(given) if isinstance(given, list) else 0
        raise _Fault(f"{count} responses where there is one text or a pair")
    numbers = [_number(one) for one in given]
    doc = record["doc"] if isinstance(record["doc"], dict) else {"text": record["doc"]}
    fields = {key: one for key, one in doc.items() if isinstance(one, str | int | float)}
    found: dict[str, Any] = {"id": str(record.get("doc_id", ""))}
    if len(numbers) == 1:
        text = next((fields[one] for one in _TEXTS if isinstance(fields.get(one), str)), None)
        if text is None:
            raise _Fault("the document has no text")
        found["text"] = text
        fields = {key: one for key, one in fields.items() if key not in _TEXTS}
    elif str(record.get("target", 0)) == "1":
        numbers.reverse()
    return {**found, **{key: one for key, one in fields.items() if key != "id"}}, numbers


def _number(given: object) -> float:
    """The log-probability in lists of any depth, which may be written as a string."""
    while isinstance(given, list) and given:
        given = given[0]
    try:
        if isinstance(given, str | int | float) and not isinstance(given, bool):
            return float(given)
    except ValueError:
        pass
    raise _Fault(f"the response {str(given)[:40]!r} is not a log-probability")


def write(corpus: Corpus) -> str:
    """Samples with the same columns and numbers; read back, they are the same."""
    names = [name for name in corpus.fields if not name.startswith("@")]
    rows = corpus.parts.get("tokens")
    if rows is None and not {"good", "bad"} <= set(names):
        raise UsageError("lm_eval needs log-probabilities of texts or of pairs")
    lines = []
    for row in range(corpus.n_sentences):
        fields = {name: cell(corpus.fields[name], row) for name in names}
        numbers = [fields.pop("good"), fields.pop("bad")] if rows is None else [
            cell(rows.fields["logprob"], row)
        ]  # fmt: skip
        sample = {"doc_id": fields.pop("id"), "doc": fields, "filtered_resps": numbers}
        lines.append(json.dumps(sample, ensure_ascii=False) + "\n")
    return "".join(lines)
