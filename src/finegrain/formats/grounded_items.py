"""What ``jsonl`` says of answers of language models: how spans were grounded, what was not.

    {"id": "d1", "text": "I met Ada.",
     "spans": [{"start": 6, "end": 9, "label": "PER", "grounding": "exact"}],
     "unplaced": [{"class": "hallucinated", "label": "LOC", "answer": "Rome"}],
     "usage": {"latency": 0.8, "input_tokens": 40, "output_tokens": 12, "cost": 0.0001}}

These become rows of parts of the corpus: ``grounding`` has one for each span, in their order,
``unplaced`` and ``usage`` belong to the first sentence of a document.

>>> items = GroundedItems()
>>> lost = {"class": "hallucinated", "label": "LOC", "answer": "Rome"}
>>> record = {"spans": [], "unplaced": [lost]}
>>> items.add(record, [], 0)
[]
>>> items.unplaced
[(0, 'hallucinated', 'LOC', 'Rome')]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from finegrain.corpus import Coded, Corpus, Texts
from finegrain.corpus.columns import Rows
from finegrain.formats.running_text import Marked

GROUNDING, UNPLACED, USAGE = "grounding", "unplaced", "usage"
MEASURED = ("latency", "input_tokens", "output_tokens", "cost")
NOT_GROUNDED = (
    "hallucinated", "undecided", "out-of-schema", "duplicate", "unparseable", "refused",
)  # fmt: skip
_MEND = "Write the file again: finegrain ground."


class BadItem(ValueError):
    """What is wrong with an item, and how to fix it."""


class Found(NamedTuple):
    """An item of an answer: its class, its label and words, and where it stands, if anywhere."""

    kind: str
    label: str
    words: str
    span: tuple[int, int] | None


def record_of(
    name: str, text: str, items: Sequence[Found], usage: Mapping[str, float]
) -> dict[str, Any]:
    """The record of a text and an answer to it.

    >>> record_of("", "I met Ada.", [Found("exact", "PER", "Ada", (6, 9))], {})["spans"]
    [{'start': 6, 'end': 9, 'label': 'PER', 'grounding': 'exact'}]
    """
    record: dict[str, Any] = {"id": name} if name else {}
    spans: list[dict[str, Any]] = []
    unplaced: list[dict[str, Any]] = []
    for kind, label, words, span in items:
        if span is None:
            unplaced.append({"class": kind, "label": label, "answer": words})
            continue
        begin, end = span
        spans.append({"start": begin, "end": end, "label": label, GROUNDING: kind})
        if words != text[begin:end]:
            spans[-1]["answer"] = words
    spans.sort(key=lambda one: (one["start"], -one["end"], one["label"]))
    record |= {"text": text, "spans": spans, UNPLACED: unplaced}
    return record | ({USAGE: dict(usage)} if usage else {})


class GroundedItems:
    """Gathers what records say of grounding."""

    def __init__(self) -> None:
        self.kinds: list[str] = []  # of spans; empty where nothing is said
        self.unplaced: list[tuple[int, str, str, str]] = []
        self.usage: list[tuple[int, list[float]]] = []
        self.any = False

    def add(self, record: Mapping[str, Any], marked: list[Marked], sentence: int) -> list[Marked]:
        """Take in a record whose document begins with a sentence; its spans in their order."""
        spans = record.get("spans") or []
        kinds = [span.get(GROUNDING, "") for span in spans]
        if any(not isinstance(kind, str) for kind in kinds):
            raise BadItem("the grounding of a span is not a string", _MEND)
        unplaced = [_unplaced(one, sentence) for one in _list(record)]
        self.any |= UNPLACED in record or any(kinds)
        measured = _usage(record)
        order = sorted(range(len(marked)), key=lambda at: marked[at].parts[0])
        self.kinds += [kinds[at] for at in order]
        self.unplaced += unplaced
        self.usage += [(sentence, measured)] if measured else []
        return [marked[at] for at in order] if self.any else marked

    def on(self, corpus: Corpus) -> Corpus:
        """The corpus with these rows."""
        parts: dict[str, Rows] = {}
        if self.usage:
            values = np.array([values for _, values in self.usage], np.float64)
            columns = {name: values[:, at] for at, name in enumerate(MEASURED)}
            parts[USAGE] = Rows(_parents(at for at, _ in self.usage), columns)
        if self.any and corpus.spans is not None:
            parents = corpus.spans.sentence.astype(np.int64)
            parts[GROUNDING] = Rows(parents, {"class": Coded.of(self.kinds)})
            columns_of = list(zip(*self.unplaced, strict=True)) or [(), (), (), ()]
            parts[UNPLACED] = Rows(
                _parents(columns_of[0]),
                {
                    "class": Coded.of(columns_of[1]),
                    "label": Coded.of(columns_of[2]),
                    "answer": Texts.of(columns_of[3]),
                },
            )
        return replace(corpus, parts=parts) if parts else corpus


def _parents(numbers: Any) -> Any:
    return np.array(list(numbers), np.int64)


def _list(record: Mapping[str, Any]) -> Sequence[Any]:
    listed = record.get(UNPLACED, [])
    if not isinstance(listed, list):
        raise BadItem("unplaced is not a list", _MEND)
    return listed


def _unplaced(item: Any, sentence: int) -> tuple[int, str, str, str]:
    """An item that stands nowhere."""
    if not isinstance(item, dict):
        raise BadItem("an unplaced item is not an object", _MEND)
    kind, label, answer = (item.get(name, "") for name in ("class", "label", "answer"))
    if not all(isinstance(one, str) for one in (kind, label, answer)) or not kind:
        raise BadItem("an unplaced item does not have its class, label and answer", _MEND)
    if kind not in NOT_GROUNDED:
        raise BadItem(f"the class of an unplaced item is {kind[:40]!r}", _MEND)
    return sentence, kind, label, answer


def _usage(record: Mapping[str, Any]) -> list[float] | None:
    usage = record.get(USAGE)
    if usage is None:
        return None
    if not isinstance(usage, dict):
        raise BadItem("usage is not an object", _MEND)
    values = [usage.get(name, float("nan")) for name in MEASURED]
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in values):
        raise BadItem("usage has values that are not numbers", _MEND)
    return [float(one) for one in values]
