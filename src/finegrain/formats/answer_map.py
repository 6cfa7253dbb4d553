"""`answers`: one JSON object of ids and answers, as the evaluation scripts of SQuAD read it.

    {"56be4db0acb8001400a502ec": "Denver Broncos", "5ad39d53604f3c001a3fe8d1": ""}

An empty answer says that there is none. Every id becomes an item with its ``answer``.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", b'{"q1": "Rome",\\n "q2": ""}'))
>>> list(corpus.fields["id"]), list(corpus.fields["answer"]), corpus.fields["@line"].tolist()
(['q1', 'q2'], ['Rome', ''], [1, 2])
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain import strict_json
from finegrain.corpus import Corpus
from finegrain.corpus.columns import cell
from finegrain.corpus.items import of_fields
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.source import Source

_STRING = r'"(?:[^"\\]|\\.)*"'
_PAIR = re.compile(rf"\s*\{{\s*{_STRING}\s*:\s*{_STRING}\s*[,}}]")
_KEY = re.compile(rf"({_STRING})\s*:")
_NAMES = {
    "id", "text", "question", "context", "label", "answer", "answers", "prediction", "tokens",
    "sentence", "sentences", "premise", "hypothesis", "gold", "title", "doc_key", "clusters",
    "spans", "entities", "tags", "data", "paragraphs",
}  # fmt: skip
_PEEK = 1 << 16  # bytes in which the first pairs are looked for
_MEND = 'Write {"id": "answer", ...}, with "" for no answer.'


def looks_like(source: Source) -> bool:
    """True for an object that begins with a key and a text, and has no usual keys of items."""
    if source.folder:
        return False
    text = source.buffer[source.begin : min(source.begin + _PEEK, source.end)].decode(
        errors="ignore"
    )
    if _PAIR.match(text) is None:
        return False
    return not any(key[1:-1] in _NAMES for key in _KEY.findall(text))


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read ids and answers; up to ``limit`` problems are gathered before giving up."""
    text = source.buffer[source.begin : source.end].decode()
    problems = Collector(source.name, limit=limit)
    pairs = _pairs(source.name, text)
    lines = _lines(text, len(pairs))
    seen: dict[str, int] = {}
    for (name, answer), line in zip(pairs, lines.tolist(), strict=True):
        if name in seen:
            what = f"the id {name[:40]!r} is on line {seen[name]}, too"
            problems.add(line, what, "Ids are unique.")
        elif not name:
            problems.add(line, "an answer without an id", _MEND)
        elif not isinstance(answer, str):
            problems.add(line, f"the answer to {name[:40]!r} is not text", _MEND)
        seen.setdefault(name, line)
    problems.raise_any()
    if not pairs:
        raise InputError.at(source.name, 0, "the file has no answers", _MEND)
    fields: dict[str, NDArray[Any]] = {}
    for place, key in enumerate(("id", "answer")):
        fields[key] = np.empty(len(pairs), object)
        fields[key][:] = [pair[place] for pair in pairs]
    return of_fields(source.name, fields, lines=lines, format="answers")


def _pairs(name: str, text: str) -> list[tuple[str, Any]]:
    """The pairs of the object, equal keys included."""
    fault: strict_json.BadJson | None = None
    try:
        strict_json.parse(text)
    except strict_json.BadJson as error:
        fault = error
    pairs: list[tuple[str, Any]] | None = None
    if fault is None or "occurs twice" in str(fault):
        with suppress(ValueError, RecursionError):  # something else may be wrong, too
            pairs = json.JSONDecoder(object_pairs_hook=list).decode(text)
    if pairs is None:
        raise InputError.at(name, strict_json.line_of_fault(text), str(fault), _MEND)
    if text.lstrip()[:1] != "{":
        raise InputError.at(name, 1, "this is not an object of ids and answers", _MEND)
    return pairs


def _lines(text: str, size: int) -> NDArray[np.int64]:
    """The line of every key, if values are texts; the first line otherwise."""
    places = [match.start() for match in _KEY.finditer(text)]
    if len(places) != size:
        return np.ones(size, np.int64)
    ends = [match.start() for match in re.finditer("\n", text)]
    found: NDArray[np.int64] = np.searchsorted(ends, places) + 1
    return found


def write(corpus: Corpus) -> str:
    """One object of ids and answers; read back, it is the same."""
    if "id" not in corpus.fields or "answer" not in corpus.fields:
        raise UsageError("answers have an id and an answer: use --to items")
    rows = range(corpus.n_sentences)
    found = {
        str(cell(corpus.fields["id"], row)): str(cell(corpus.fields["answer"], row) or "")
        for row in rows
    }
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"
