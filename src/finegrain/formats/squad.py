"""`squad`: questions about passages as JSON, with their references (SQuAD 1.1 and 2.0).

    {"version": "v2.0", "data": [{"title": "Oceans", "paragraphs": [{
        "context": "Oceans cover 71 % of the Earth.",
        "qas": [{"id": "q1", "question": "How much of the Earth do oceans cover?",
                 "is_impossible": false, "answers": [{"text": "71 %", "answer_start": 13}]}]}]}]}

Every question becomes an item with its ``question``, ``context``, ``title`` and references
(``answers``); questions about one passage are sampled together (``document``). Further keys of
questions become columns if they hold a value; ``plausible_answers`` are no references, and are left
out, which a note says.

>>> from finegrain.formats.source import source_of
>>> question = '{"id": "a", "question": "who?", "answers": [{"text": "Ada", "answer_start": 0}]}'
>>> passage = '{"context": "Ada did.", "qas": [' + question + ']}'
>>> text = '{"data": [{"title": "t", "paragraphs": [' + passage + ']}]}'
>>> corpus = read(source_of("memory", text.encode()))
>>> corpus.sentence(0), list(corpus.parts["answers"].fields["text"])
(['who?'], ['Ada'])
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain import strict_json
from finegrain.corpus import Corpus
from finegrain.corpus.columns import Rows, cell
from finegrain.corpus.items import LINE, of_fields
from finegrain.corpus.notes import Information
from finegrain.errors import Collector, InputError
from finegrain.formats.source import Source
from finegrain.sizes import sized

_BEGIN = re.compile(r'\s*\{(?:[^\[]*?,)?\s*"data"\s*:\s*\[\s*(\{|\])')
_EXACT = 1 << 53  # up to here floats have all integers
_PEEK = 1 << 16  # bytes in which the first paragraph is looked for
_ID = re.compile(r'"id"\s*:')
_OWN = ("id", "question", "answers", "plausible_answers", "is_impossible")
_PLAUSIBLE = "plausible_answers"
Record = dict[str, Any]


def looks_like(source: Source) -> bool:
    """True for an object with ``data``, whose articles have ``paragraphs``."""
    if source.folder:
        return False
    text = source.buffer[source.begin : source.begin + _PEEK].decode(errors="ignore")
    return bool(_BEGIN.match(text)) and '"paragraphs"' in text


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read all questions; up to ``limit`` problems are gathered before giving up."""
    text = source.buffer[source.begin : source.end].decode()
    try:
        whole = strict_json.parse(text)
    except strict_json.BadJson as fault:
        raise InputError.at(
            source.name, strict_json.line_of_fault(text), str(fault), _MEND
        ) from None
    problems = Collector(source.name, limit=limit)
    lines = _lines(text)
    questions = _Questions(problems, lines)
    if not isinstance(whole, dict) or not isinstance(whole.get("data"), list):
        raise InputError.at(source.name, 1, 'there is no list "data"', _MEND)
    for place, article in enumerate(whole["data"]):
        questions.add_article(article, f"data[{place}]")
    problems.raise_any()
    if not questions.ids:
        raise InputError.at(source.name, 0, "the file has no questions", _MEND)
    return questions.corpus(source.name, lines)


_MEND = 'Write {"data": [{"paragraphs": [{"context": "...", "qas": [...]}]}]}.'


def _lines(text: str) -> NDArray[np.int64]:
    """The lines of all keys ``id``: a quotation mark inside of a string has a backslash."""
    ends = [match.start() for match in re.finditer("\n", text)]
    found: NDArray[np.int64] = (
        np.searchsorted(ends, [one.start() for one in _ID.finditer(text)]) + 1
    )
    return found


class _Questions:
    """Columns of questions that grow article by article."""

    def __init__(self, problems: Collector, lines: NDArray[np.int64]) -> None:
        self.problems = problems
        self.lines = lines
        self.ids: list[str] = []
        self.columns: dict[str, list[Any]] = {
            name: [] for name in ("question", "context", "title", "document")
        }
        self.impossible: list[float] = []
        self.further: list[Record] = []
        self.parent: list[int] = []
        self.texts: list[str] = []
        self.starts: list[float] = []
        self.seen = 0  # questions, also bad ones
        self.plausible = 0

    def _fault(self, path: str, what: str, mend: str) -> None:
        line = int(self.lines[self.seen]) if self.seen < len(self.lines) else 0
        self.problems.add(line, f"{path}: {what}", mend)

    def add_article(self, article: Any, path: str) -> None:
        if not isinstance(article, dict) or not isinstance(article.get("paragraphs"), list):
            self._fault(path, "no list of paragraphs", _MEND)
            return
        title = article.get("title")
        for place, paragraph in enumerate(article["paragraphs"]):
            here = f"{path}.paragraphs[{place}]"
            if not isinstance(paragraph, dict) or not isinstance(paragraph.get("qas"), list):
                self._fault(here, "no list of questions (qas)", _MEND)
            elif not isinstance(paragraph.get("context"), str):
                self._fault(here, "no context", 'Write "context": "...".')
                self.seen += len(paragraph["qas"])
            else:
                passage = f"{title or path} {place + 1}"
                known = (paragraph["context"], title if isinstance(title, str) else None, passage)
                for number, question in enumerate(paragraph["qas"]):
                    self._add(question, known, f"{here}.qas[{number}]")
                    self.seen += 1

    def _add(self, question: Any, known: Sequence[Any], path: str) -> None:
        if not isinstance(question, dict):
            self._fault(path, "no object", 'Write {"id": ..., "question": ..., "answers": [...]}.')
            return
        name = question.get("id")
        if isinstance(name, int) and not isinstance(name, bool):
            name = str(name)
        if not isinstance(name, str) or not name:
            self._fault(path, "the question has no id", 'Write "id": "q1".')
            return
        if not isinstance(question.get("question"), str):
            self._fault(path, f"{name!r} has no question", 'Write "question": "...".')
            return
        impossible = question.get("is_impossible")
        if impossible is not None and not isinstance(impossible, bool):
            self._fault(path, "is_impossible is neither true nor false", "Write true or false.")
            return
        found = list(self._answers(question.get("answers"), path))
        if None in found:
            return
        self.parent += [len(self.ids)] * len(found)
        for text, start in (one for one in found if one is not None):
            self.texts.append(text)
            self.starts.append(start)
        self.plausible += bool(question.get(_PLAUSIBLE))
        self.ids.append(name)
        self.impossible.append(np.nan if impossible is None else float(impossible))
        for key, value in zip(self.columns, (question["question"], *known), strict=True):
            self.columns[key].append(value)
        self.further.append(
            {key: value for key, value in question.items()
             if key not in _OWN and isinstance(value, str | int | float)}
        )  # fmt: skip

    def _answers(self, answers: Any, path: str) -> Iterator[tuple[str, float] | None]:
        """Text and start of every reference; ``None`` for one that is none."""
        mend = 'Write "answers": [{"text": "...", "answer_start": 0}], or [] if there is none.'
        if not isinstance(answers, list):
            self._fault(path, "no list of answers", mend)
            yield None
            return
        for place, one in enumerate(answers):
            if not isinstance(one, dict) or not isinstance(one.get("text"), str):
                self._fault(f"{path}.answers[{place}]", "no text", mend)
                yield None
                continue
            start = one.get("answer_start")
            if type(start) is int and abs(start) > _EXACT:
                what = "answer_start is not a place in the context"
                self._fault(f"{path}.answers[{place}]", what, mend)
                yield None
                continue
            yield one["text"], float(start) if type(start) is int else np.nan

    def corpus(self, source: str, lines: NDArray[np.int64]) -> Corpus:
        fields: dict[str, NDArray[Any]] = {"id": _strings(self.ids)}
        fields |= {name: _strings(cells) for name, cells in self.columns.items()}
        if all(one is None for one in self.columns["title"]):
            del fields["title"]
        impossible = np.array(self.impossible)
        if not np.isnan(impossible).all():
            fields["is_impossible"] = np.nan_to_num(impossible)
        for key in dict.fromkeys(key for record in self.further for key in record):
            cells = [record.get(key) for record in self.further]
            if key not in fields:
                fields[key] = _strings([None if one is None else str(one) for one in cells])
        parts = {"text": _strings(self.texts)}
        if not np.isnan(np.array(self.starts)).all():
            parts["answer_start"] = np.array(self.starts)
        notes: tuple[str, ...] = ()
        if self.plausible:
            number = sized(self.plausible, "question")
            notes = (Information(f"plausible_answers of {number} left out: no references"),)
        known = len(lines) == len(self.ids)
        return of_fields(
            source,
            fields,
            lines=lines if known else None,
            parts={"answers": Rows(np.array(self.parent, np.int64), parts)},
            notes=notes,
            format="squad",
        )


def _strings(values: Sequence[str | None]) -> NDArray[np.object_]:
    found = np.empty(len(values), object)
    found[:] = values
    return found


def write(corpus: Corpus) -> str:
    """One object; questions in a row with one context share a paragraph."""
    answers = corpus.parts.get("answers")
    own: list[list[Record]] = [[] for _ in range(corpus.n_sentences)]
    if answers is not None:
        for place, parent in enumerate(answers.parent.tolist()):
            own[parent].append(
                {name: _whole(cell(column, place)) for name, column in answers.fields.items()}
            )
    articles: list[Record] = []
    fields = {name: column for name, column in corpus.fields.items() if name != LINE}
    before: tuple[Any, ...] = ()
    for row in range(corpus.n_sentences):
        record = {name: cell(column, row) for name, column in fields.items()}
        title, context, passage = (
            record.pop(key, None) for key in ("title", "context", "document")
        )
        if not articles or articles[-1].get("title") != title or passage == _first(title):
            articles.append({"title": title, "paragraphs": []} if title else {"paragraphs": []})
            before = ()
        if before != (context, passage):
            articles[-1]["paragraphs"].append({"context": context or "", "qas": []})
            before = (context, passage)
        if "is_impossible" in record:
            record["is_impossible"] = bool(record["is_impossible"])
        kept = {name: value for name, value in record.items() if value is not None}
        articles[-1]["paragraphs"][-1]["qas"].append({**kept, "answers": own[row]})
    return json.dumps({"data": articles}, ensure_ascii=False, indent=1) + "\n"


def _first(title: str | None) -> str:
    return f"{title} 1"


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value
