"""`jsonl`: one JSON object per line, as text with spans or as tokens with tags.

    {"id": "d1", "text": "I met Ada.", "spans": [{"start": 6, "end": 9, "label": "PER"}]}
    {"id": "d1", "tokens": ["I", "met", "Ada", "."], "tags": ["O", "O", "B-PER", "O"]}

Offsets count Unicode characters (code points) from 0; ``end`` is one past the last. A record of
text is a document, its lines are sentences and its tokens the words between white space. ``tokens``
is a sentence, which is a document if it has an id, or a list of the sentences of a document.
Instead of ``tags`` (or besides them) a record may have ``ner_tags``, ``pos_tags``, ``chunk_tags``,
``upos``, ``xpos``, ``feats``, ``lemma``: each becomes a layer, and the first of them is ``tags``,
too. All records of a file have the same form, and may also stand in one array. What annotation
tools and pipelines export is read as well (``formats.tool_exports``), and spans without their text
beside the gold corpus, which has it. Text that ``finegrain ground`` wrote also says how
each span was grounded and what was not (``formats.grounded_items``).

>>> from finegrain.formats.source import source_of
>>> line = b'{"text": "I met Ada.", "spans": [{"start": 6, "end": 9, "label": "PER"}]}'
>>> corpus = read(source_of("memory", line))
>>> corpus.sentence(0), corpus.spans.tokens(0), corpus.spans.labels
(['I', 'met', 'Ada.'], (2,), ('PER',))
>>> print(write(corpus), end="")
{"text": "I met Ada.", "spans": [{"start": 6, "end": 9, "label": "PER"}]}
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from finegrain.corpus import Coded, Corpus
from finegrain.corpus.notes import Information
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats import tool_exports
from finegrain.formats.gold_texts import GoldTexts, NoText
from finegrain.formats.grounded_items import BadItem, GroundedItems
from finegrain.formats.json_records import first_records, records
from finegrain.formats.running_text import Builder, Marked, sentences_by_document, texts
from finegrain.formats.source import Source
from finegrain.formats.tool_exports import TOLD, BadExport, Keys, LeftOut, Tool
from finegrain.sizes import sized

LAYERS = ("tags", "ner_tags", "pos_tags", "chunk_tags", "upos", "xpos", "feats", "lemma")
Form = Literal["text", "tokens"]
Record = dict[str, Any]
_OBJECT = re.compile(r'\s*\{\s*"[^"\t]*"\s*:')
_NOT_WHITE = re.compile(r"\S")
_OFFSETS = "Offsets count Unicode characters, not bytes or UTF-16 units."


def looks_like(source: Source) -> bool:
    """True if the first line with text begins like a JSON object, or an array has such records."""
    first = next((line for line in source.head(50) if line.strip()), "")
    if _OBJECT.match(first):
        return True
    if not first.lstrip().startswith("["):
        return False
    given = first_records(source, tool_exports.is_record)
    own = any(isinstance(one, dict) and {"spans", "tokens"} & set(one) for one in given)
    return own or tool_exports.recognised(given) is not None


def read(
    source: Source,
    *,
    keys: Mapping[str, str] | None = None,
    tag_names: Sequence[str] | None = None,
    gold: Corpus | None = None,
    limit: int = 20,
) -> Corpus:
    """Read JSON lines or an array; up to ``limit`` problems are gathered before giving up.

    keys: ``text``, ``spans``, ``label`` -> the keys that hold them
    tag_names: what tags that are numbers stand for
    gold: the corpus that has the texts of spans without text
    """
    problems = Collector(source.name, limit=limit)
    first = first_records(source, tool_exports.is_record)
    tool = tool_exports.chosen(Keys(**keys)) if keys else tool_exports.recognised(first)
    reader = _Reader(problems, tool, tag_names, None if gold is None else GoldTexts(gold))
    for value, number in records(source, problems, tool_exports.is_record):
        reader.record(value, number)
    return reader.corpus(source.name)


class _Fault(ValueError):
    """What is wrong with a record, and how to fix it."""


class _Reader:
    """Gathers the records of a file."""

    def __init__(
        self,
        problems: Collector,
        tool: Tool | None,
        tag_names: Sequence[str] | None,
        gold: GoldTexts | None,
    ) -> None:
        self.problems = problems
        self.tool = tool
        self.tag_names = tag_names
        self.gold = gold
        self.left_out: Counter[str] = Counter()  # why -> records
        self.told: Counter[str] = Counter()  # what is odd -> records
        self.builder = Builder()
        self.form: Form | None = None
        self.nested = False  # some record has a list of sentences
        self.layers: dict[str, list[str]] = {}
        self.ids: dict[str, int] = {}  # id -> line
        self.nameless = 0  # the line of the first record without an id
        self.grounded = GroundedItems()

    def record(self, value: Any, number: int) -> None:
        """Take in one record."""
        try:
            record = _object(value) if self.tool is None else self.tool.record(value)
            if self.tool is not None and TOLD in record:
                self.told[record[TOLD]] += 1
            form = _form(record)
            if form != (self.form or form):
                raise _Fault(f"a record with {form} among records with {self.form}",
                             "All records of a file have the same form.")  # fmt: skip
            if form == "text":
                text, whole = self._text(record)
                marked = list(_marked(record, text, whole))
                marked = self.grounded.add(record, marked, self.builder.n_sentences)
                self.builder.add_text(text, marked, line=number)
            else:
                self._tokens(record, number)
            self._name(record, number)
            self.form = form
        except LeftOut as why:
            self.left_out[str(why)] += 1
        except (_Fault, BadItem, BadExport, NoText) as fault:
            self.problems.add(number, *fault.args)

    def _text(self, record: Record) -> tuple[str, bool]:
        """The text of a record, and whether it is as it was written, to the last blank."""
        if "text" in record or "spans" not in record:
            return _text(record), True
        if self.gold is None:
            mend = 'Write "text": "...", or read it beside the gold file, which has the texts.'
            raise _Fault("spans without their text", mend)
        return self.gold.next(record.get("id")), False

    def _tokens(self, record: Record, number: int) -> None:
        tokens = record["tokens"]
        nested = isinstance(tokens, list) and bool(tokens) and all(
            isinstance(sentence, list) for sentence in tokens
        )  # fmt: skip
        sentences = [_strings(one, "tokens") for one in (tokens if nested else [tokens])]
        names = [name for name in LAYERS if name in record]
        if not names:
            raise _Fault(f"tokens without tags (keys: {_keys(record)})",
                         'Write "tags": [...], one for each token.')  # fmt: skip
        if self.form is not None and names != list(self.layers):
            first = ", ".join(self.layers)
            raise _Fault(f"layers {', '.join(names)} where the first record has {first}",
                         "All records have the same layers.")  # fmt: skip
        columns = {
            name: list(_column(record[name], name, sentences, nested, self.tag_names))
            for name in names
        }
        for name, column in columns.items():
            self.layers.setdefault(name, []).extend(column)
        self.nested |= nested
        self.builder.add_sentences(sentences, line=number)

    def _name(self, record: Record, number: int) -> None:
        """Keep the id of a record."""
        if record.get("id") is None:
            self.nameless = self.nameless or number
            return
        name = record["id"]
        if not isinstance(name, str | int) or isinstance(name, bool) or name == "":
            raise _Fault(f"the id is {_quoted(name)}, not a string or a number", "Name documents.")
        other = self.ids.setdefault(str(name), number)
        if other != number:
            raise _Fault(f"the id {_quoted(name)} is on line {other}, too", "Ids are unique.")

    def corpus(self, source: str) -> Corpus:
        """All that was read."""
        if self.ids and self.nameless:
            what = "this record has no id, but others have one"
            self.problems.add(self.nameless, what, "Name all documents or none.")
        self.problems.raise_any()
        if self.gold is not None and not self.problems.problems:
            self.gold.require_all(source)
        if self.form is None:
            raise InputError.at(source, 0, "the file has no records")
        layers = {name: Coded.of(column) for name, column in self.layers.items()}
        if layers:
            layers = {"tags": next(iter(layers.values()))} | layers
        corpus = self.builder.corpus(
            source,
            layers=layers,
            ids=list(self.ids) or None,
            documents=self.form == "text" or bool(self.ids) or self.nested,
            running_text=self.form == "text",
        )
        return self.grounded.on(replace(corpus, notes=(*corpus.notes, *self._notes())))

    def _notes(self) -> Iterator[str]:
        """What was read how, and what was left out."""
        if self.tool is not None:
            yield Information(f"layout of {self.tool.name}")
        for what, count in self.told.items():
            yield f"{sized(count, 'record')} {what}"
        for why, count in self.left_out.items():
            yield f"{sized(count, 'record')} {why} left out"
        if self.gold is not None:
            yield from self.gold.notes()


def _object(value: Any) -> Record:
    if not isinstance(value, dict):
        raise _Fault(f"a line with {_kind(value)}, not an object", "One object per line.")
    return value


def _form(record: Record) -> Form:
    if "spans" in record:
        return "text"
    if "tokens" in record:
        return "tokens"
    if "text" in record:
        raise _Fault(
            f"text without spans (keys: {_keys(record)})",
            'If they have another name: --spans-key NAME; else write "spans": '
            '[{"start": 0, "end": 5, "label": "PER"}], and [] only where there are none.',
        )
    raise _Fault(
        f"neither text and spans nor tokens and tags (keys: {_keys(record)})",
        'Write "text" and "spans", or "tokens" and "tags"; if spans have another name: '
        "--text-key, --spans-key, --label-key.",
    )


def _text(record: Record) -> str:
    text = record.get("text")
    if not isinstance(text, str):
        raise _Fault(f"the text is {_kind(text)}, not a string", 'Write "text": "..."')
    return text


def _marked(
    record: Record,
    text: str,
    whole: bool,  # noqa: FBT001 - private
) -> Iterator[Marked]:
    """The spans of a record of text, which is ``whole`` if its white space is as it was."""
    spans = record.get("spans")
    if not isinstance(spans, list):
        raise _Fault(f"spans is {_kind(spans)}, not a list", 'Write "spans": [] for no spans.')
    for number, span in enumerate(spans, 1):
        place = f"span {number}"
        if not isinstance(span, dict):
            raise _Fault(f"{place} is {_kind(span)}, not an object",
                         'Write {"start": 0, "end": 5, "label": "PER"}.')  # fmt: skip
        label = span.get("label")
        if not isinstance(label, str) or not label:
            raise _Fault(f"{place} has no label", 'Write "label": "PER".')
        begin, end = _offset(span, "start", place), _offset(span, "end", place)
        if begin >= end:
            raise _Fault(f"{place} ends ({end}) where or before it begins ({begin})",
                         "end is one past the last character.")  # fmt: skip
        if end > len(text):
            what = f"ends at {end}, but the text has {len(text)} characters"
            raise _Fault(f"{place} {what}", _OFFSETS)
        given, there = span.get("text", text[begin:end]), text[begin:end]
        if given != there and (whole or _words(given) != _words(there)):
            what = f"{_quoted(text[begin:end])}, but its text says {_quoted(span['text'])}"
            raise _Fault(f"{place} is {what}", _OFFSETS)
        if not _NOT_WHITE.search(text, begin, end):
            raise _Fault(f"{place} is nothing but white space", "Remove it or fix its offsets.")
        yield Marked(label, ((begin, end),))


def _words(text: object) -> list[str]:
    return text.split() if isinstance(text, str) else []


def _offset(span: Record, key: str, place: str) -> int:
    value = span.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _Fault(f"{key} of {place} is {_quoted(value)}, not a number from 0 on",
                     "Offsets count characters from 0.")  # fmt: skip
    return value


def _column(
    values: Any,
    name: str,
    sentences: list[list[str]],
    nested: bool,  # noqa: FBT001 - private
    tag_names: Sequence[str] | None,
) -> Iterator[str]:
    """A layer of a record, checked against its tokens."""
    rows = values if nested else [values]
    if not isinstance(rows, list) or len(rows) != len(sentences):
        raise _Fault(f"{name} does not have as many sentences as tokens", "One tag for each token.")
    for tokens, row in zip(sentences, rows, strict=True):
        coded = isinstance(row, list) and any(isinstance(tag, int) for tag in row)
        tags = _names_of(row, name, tag_names) if coded else _strings(row, name)
        if len(tags) != len(tokens):
            raise _Fault(f"{len(tokens)} tokens, but {len(tags)} {name}", "One tag for each token.")
        yield from tags


def _names_of(row: list[Any], name: str, tag_names: Sequence[str] | None) -> list[str]:
    """Tags in place of their numbers."""
    if tag_names is None:
        raise _Fault(f"{name} are integers, and nothing says what they mean",
                     "Give their names in order: --tag-names O,B-PER,I-PER,...")  # fmt: skip
    wrong = [tag for tag in row if type(tag) is not int or not 0 <= tag < len(tag_names)]
    if wrong:
        raise _Fault(f"{_quoted(wrong[0])} in {name} has no name among {len(tag_names)}",
                     "Names count from 0.")  # fmt: skip
    return [tag_names[tag] for tag in row]


def _strings(values: Any, name: str) -> list[str]:
    if not isinstance(values, list):
        raise _Fault(f"{name} is {_kind(values)}, not a list", f'Write "{name}": [...].')
    wrong = next((one for one in values if not isinstance(one, str) or not one), None)
    if wrong is not None or None in values:
        raise _Fault(f"{_quoted(wrong)} in {name} is not a string with something in it",
                     f'Write "{name}": ["...", "..."].')  # fmt: skip
    return values


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "true or false",
             int: "a number", float: "a number", type(None): "missing"}  # fmt: skip
    return kinds.get(type(value), "something else")


def _quoted(value: object) -> str:
    if not isinstance(value, str | int | float):
        return _kind(value)
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 40 else shown[:40] + "..."


def _keys(record: Record) -> str:
    return ", ".join(key[:40] for key in list(record)[:10]) or "none"


def write(corpus: Corpus) -> str:
    """A corpus with spans as text, one with tags as tokens; read back, it is the same."""
    records = _token_records(corpus) if corpus.spans is None else _text_records(corpus)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _text_records(corpus: Corpus) -> Iterator[Record]:
    for name, text, marked in texts(corpus):
        spans = []
        for label, parts in marked:
            if len(parts) > 1:
                where = " ".join(text[slice(*part)] for part in parts)
                raise UsageError(f"jsonl cannot hold spans with gaps ({label} {where[:60]!r})")
            spans.append({"start": parts[0][0], "end": parts[0][1], "label": label})
        yield _named(name, {"text": text, "spans": spans})


def _token_records(corpus: Corpus) -> Iterator[Record]:
    layers = {name: list(column) for name, column in _distinct(corpus).items()}
    if corpus.tokens is None or not layers:
        raise UsageError("this corpus has no tokens with tags, so it cannot be written as jsonl")
    offsets = corpus.offsets.tolist()
    for sentences in sentences_by_document(corpus):
        ids, documents = corpus.document_ids, corpus.documents
        name = None if ids is None or documents is None else ids[int(documents[sentences[0]])]
        columns: dict[str, Iterable[Any]] = {"tokens": [corpus.sentence(at) for at in sentences]}
        for layer, column in layers.items():
            columns[layer] = [column[offsets[at] : offsets[at + 1]] for at in sentences]
        if corpus.documents is None or (name is not None and len(sentences) == 1):
            columns = {key: next(iter(value)) for key, value in columns.items()}
        yield _named(name, columns)


def _distinct(corpus: Corpus) -> dict[str, Coded]:
    """The layers that jsonl has keys for; without ``tags`` if that is another one's second name."""
    layers = {name: corpus.layers[name] for name in LAYERS if name in corpus.layers}
    first = next((name for name in layers if name != "tags"), None)
    if first is not None and layers.get("tags") is layers[first]:
        del layers["tags"]
    return layers


def _named(name: str | None, record: Record) -> Record:
    return record if name is None else {"id": name, **record}
