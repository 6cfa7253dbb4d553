"""Answers of a language model as a corpus: every item in its text, or a class that says why not.

>>> import finegrain as fg
>>> texts = {"d1": "Ada met Bob in Ghent.", "d2": "Ada slept."}
>>> answers = {"d1": '[{"text": "ada", "type": "PER"}, {"PER": "Rome"}]', "d2": "None"}
>>> grounded = fg.ground(answers, texts, schema=["PER", "LOC"])
>>> {name: number for name, number in grounded.counts.items() if number}
{'normalised': 1, 'hallucinated': 1}
>>> print(grounded.lines()[0])
{"id": "d1", "text": "Ada met Bob in Ghent.", "spans": [{"start": 0, "end": 3, "label": "PER", \
"grounding": "normalised", "answer": "ada"}], "unplaced": [{"class": "hallucinated", \
"label": "PER", "answer": "Rome"}]}
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed
from finegrain.corpus import Corpus
from finegrain.corpus.notes import Information
from finegrain.errors import UsageError
from finegrain.formats import by_name, read_source, recognise
from finegrain.formats.grounded_items import GROUNDING, MEASURED, Found, record_of
from finegrain.formats.source import source_of
from finegrain.grounding import (
    CLASSES,
    GROUNDED,
    MISSING,
    POLICIES,
    SINGLE,
    THRESHOLD,
    Answer,
    Answers,
    Missing,
    Place,
    Placed,
    PlacedAnswer,
    Policy,
    Rules,
    Schema,
    SourceText,
    given_texts,
    label_in,
    likeliest,
    matched,
    option_in,
    place,
    read_answers,
    read_texts,
    text_in,
)
from finegrain.grounding.parsing import Form
from finegrain.grounding.single import ANSWERED, LETTERS
from finegrain.version import __version__

FORMS = {
    "json": "JSON", "prose": "text", "inline": "inline tags", "conll": "words with tags",
    "list": "lists",
    "none": "no items",
    "refused": "refused", "unparseable": "unparseable",
}  # fmt: skip
Kind = Literal["mentions", "label", "option", "text"]
KINDS: tuple[str, ...] = get_args(Kind)
EVERY: Kind = "mentions"
_MILLION = 1_000_000


class GroundedText(NamedTuple):
    """A text, the answer that was given to it, and what became of that."""

    text: SourceText
    answer: Answer
    placed: PlacedAnswer


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Grounded(Printed):
    """The answers of one model, run by run; the name of a single run is empty."""

    runs: Mapping[str, tuple[GroundedText, ...]]
    kind: Kind
    prices: tuple[float, float] | None
    signature: str
    notes: tuple[str, ...]

    @property
    def task(self) -> str:
        """No task: answers are read, not judged."""
        return "corpus"

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(self.runs)

    @property
    def counts(self) -> dict[str, int]:
        """How many items are in each class."""
        return self.counts_of(self.runs)

    def counts_of(self, runs: Iterable[str]) -> dict[str, int]:
        """The same for some runs."""
        counts = Counter(
            item.kind for run in runs for one in self.runs[run] for item in one.placed.items
        )
        return {name: counts[name] for name in (CLASSES if self.kind == EVERY else SINGLE)}

    @property
    def forms(self) -> dict[str, int]:
        """How many answers are in each form."""
        counts = Counter[str](one.placed.form for run in self.runs.values() for one in run)
        return {name: counts[name] for name in FORMS}

    def usage(self, run: str) -> dict[str, float]:
        """Seconds, tokens and cost of a run; nan where some answer does not say."""
        found = [_usage(one.answer, self.prices) for one in self.runs[run]]
        return {name: math.fsum(one[name] for one in found) for name in MEASURED}

    def lines(self, run: str = "") -> list[str]:
        """The corpus of a run as JSON lines."""
        if run not in self.runs:
            raise UsageError.unknown("run", run, self.runs)
        made = _record if self.kind == EVERY else _single_record
        return [json.dumps(made(one, self.prices), ensure_ascii=False) for one in self.runs[run]]

    def corpus(self, run: str = "") -> Corpus:
        """The corpus of a run, as it is read from its file."""
        lines = "\n".join(self.lines(run)) + "\n"
        source = source_of(f"run {run}" if run else "answers", lines.encode())
        return read_source(source, by_name("jsonl") if self.kind == EVERY else recognise(source))

    def to_json(self) -> dict[str, Any]:
        return {
            "runs": {
                run: {
                    "texts": len(texts),
                    "classes": self.counts_of([run]),
                    "usage": {name: _defined(value) for name, value in self.usage(run).items()},
                }
                for run, texts in self.runs.items()
            },
            "forms": self.forms,
            "repairs": self._repairs(),
        }

    def listings(self) -> tuple[Listing, ...]:
        several = len(self.runs) > 1
        columns = [*([Column("run")] if several else []), Column("class")]
        columns += [Column("number", "count"), Column("share", "percent")]
        rows: list[tuple[Cell, ...]] = []
        for run in self.runs:
            counts = self.counts_of([run])
            total = sum(counts.values())
            for name, number in counts.items():
                if number:
                    rows.append((*([run] if several else []), name, number, number / total))
        answered = GROUNDED if self.kind == EVERY else ANSWERED
        note = "grounded: " + ", ".join(answered)
        forms = tuple((FORMS[name], number) for name, number in self.forms.items() if number)
        listings = [
            Listing("Items", tuple(columns), tuple(rows), note),
            Listing("Answers", (Column("form"), Column("answers", "count")), forms),
        ]
        used = self._usage_rows()
        if used:
            names = ("seconds", "input tokens", "output tokens", "cost")
            headings = (Column("run"), *(Column(name, "number") for name in names))
            listings.append(Listing("Usage", headings, used))
        return tuple(listings)

    def records(self) -> Listing:
        columns = (Column("run"), Column("class"), Column("number", "count"))
        rows = tuple(
            (run, name, number)
            for run in self.runs
            for name, number in self.counts_of([run]).items()
        )
        return Listing("grounding", columns, rows)

    def _usage_rows(self) -> tuple[tuple[Cell, ...], ...]:
        rows = []
        for run in self.runs:
            usage = self.usage(run)
            if not all(map(math.isnan, usage.values())):
                rows.append((run or "all", *(_written(usage[name]) for name in MEASURED)))
        return tuple(rows)

    def _repairs(self) -> dict[str, int]:
        return dict(Counter(
            kind for run in self.runs.values() for one in run for kind in one.placed.repairs
        ))  # fmt: skip


def ground(
    answers: str | Mapping[str, str] | Sequence[str],
    text: str | Corpus | Mapping[str, str] | Sequence[str],
    *,
    schema: Iterable[str] | Mapping[str, str] | None = None,
    kind: Kind = "mentions",
    policy: Policy = "order",
    fuzzy: float | None = THRESHOLD,
    repair: bool = False,
    missing: Missing = "error",
    repeats: bool = False,
    prices: tuple[float, float] | None = None,
    format: str | None = None,  # noqa: A002 - the thing's name
) -> Grounded:
    """Read what a language model returned, and find its items in the texts.

    Parameters
    ----------
    answers: a file of answers, or the answers by the ids of their texts, or in their order
    text: the file with the texts, a corpus, or the texts by their ids or in order
    schema: the labels there are; a mapping has further names of labels: ``{"PERSON": "PER"}``
    kind: what is asked for: ``mentions`` in a text, one ``label``, the letter of one ``option``
        (those of the schema, or A to J), or a short ``text``
    policy: the place of words that the text has several times: ``order`` (as the whole answer is
        in the order of the text), ``first``, ``all``, ``unique`` (none if there are several), or
        ``nearest`` (to the offsets, or to the item before)
    fuzzy: the least similarity of words that the text does not have; ``None`` for none
    repair: read JSON that is broken, as far as it is beyond doubt; repairs are counted
    missing: ``error``, or ``count`` texts without an answer as unparseable
    repeats: a text that is answered again starts a further run
    prices: of a million input and output tokens, where the file does not have the cost
    format: that of the texts
    """
    if kind not in KINDS:
        raise UsageError.unknown("kind of answers", kind, KINDS)
    if kind == "label" and not schema:
        raise UsageError("--schema says which labels there are: give all of them")
    if policy not in POLICIES:
        raise UsageError.unknown("policy", policy, POLICIES)
    if missing not in MISSING:
        raise UsageError.unknown("way with missing answers", missing, MISSING)
    if fuzzy is not None and not 0.5 <= fuzzy <= 1:
        raise UsageError(f"fuzzy: {fuzzy:g} is not a similarity from 0.5 to 1")
    rules = Rules(_schema(schema), policy, fuzzy, repair)
    texts = read_texts(text, format) if isinstance(text, str) else given_texts(text)
    name = answers if isinstance(answers, str) else "answers"
    listed, notes = _answers(answers)
    pairs = matched(texts, listed, name, missing=missing, repeats=repeats)
    places = [Place(one.text) for one in texts]
    runs = {
        run: tuple(
            GroundedText(one, answer, _placed(place_, answer, rules, kind))
            for one, place_, answer in zip(texts, places, own, strict=True)
        )
        for run, own in pairs.runs.items()
    }
    signature = _signature(rules, kind, len(texts), len(runs))
    grounded = Grounded(runs, kind, prices, signature, (*notes, *pairs.notes))
    return _noted(grounded, rules)


def _schema(given: Iterable[str] | Mapping[str, str] | None) -> Schema:
    if isinstance(given, Mapping):
        return Schema.of(given.values(), given)
    return Schema.of(given or ())


def _answers(given: str | Mapping[str, str] | Sequence[str]) -> Answers:
    if isinstance(given, str):
        return read_answers(given)
    if isinstance(given, Mapping):
        return Answers([Answer(text, str(name)) for name, text in given.items()])
    return Answers([Answer(text) for text in given])


def _placed(text: Place, answer: Answer, rules: Rules, kind: Kind) -> PlacedAnswer:
    if answer.failed:
        return PlacedAnswer([Placed("unparseable", "", "")], "unparseable", fault=answer.failed)
    if answer.declined:
        return PlacedAnswer([Placed("refused", answer.text, "")], "refused")
    if answer.options and kind == "option":
        found = likeliest(answer.options, rules.schema.labels or LETTERS)
        return PlacedAnswer([Placed(found.kind, answer.text, found.answer or "")], "prose")
    return place(text, answer.text, rules) if kind == EVERY else _one(answer.text, rules, kind)


def _one(answer: str, rules: Rules, kind: Kind) -> PlacedAnswer:
    """An answer that is one label, option or text."""
    if kind == "label":
        found = label_in(answer, rules.schema)
    elif kind == "option":
        found = option_in(answer, rules.schema.labels or LETTERS)
    else:
        found = text_in(answer)
    form: Form = "prose"
    if found.kind == "refused":
        form = "refused"
    elif found.kind == "unparseable":
        form = "unparseable"
    return PlacedAnswer([Placed(found.kind, answer, found.answer or "")], form)


def _signature(rules: Rules, kind: Kind, texts: int, runs: int) -> str:
    """What was done: of single answers, how they were placed is not asked.

    >>> rules = Rules(_schema(["PER"]))
    >>> _signature(rules, EVERY, 3, 1).partition("|v:")[0]
    'grounding:order|fuzzy:0.85|repair:no|schema:PER|texts:3|runs:1'
    >>> _signature(rules, "label", 3, 1).partition("|v:")[0]
    'answers:label|schema:PER|texts:3|runs:1'
    """
    schema = "+".join(sorted(rules.schema.labels)) or "open"
    if kind != EVERY:
        return f"answers:{kind}|schema:{schema}|texts:{texts}|runs:{runs}|v:{__version__}"
    fuzzy = "off" if rules.fuzzy is None else f"{rules.fuzzy:g}"
    repair = "yes" if rules.repair else "no"
    return (
        f"grounding:{rules.policy}|fuzzy:{fuzzy}|repair:{repair}|schema:{schema}|texts:{texts}"
        f"|runs:{runs}|v:{__version__}"
    )


def _noted(grounded: Grounded, rules: Rules) -> Grounded:
    """The same with notes on what was repaired, and on what cannot be read."""
    notes = list(grounded.notes)
    notes += [
        f"repaired: {kind} ({number:,} answers)" for kind, number in grounded._repairs().items()
    ]
    faults = Counter(
        _short(one.placed.fault)
        for run in grounded.runs.values()
        for one in run
        if one.placed.fault
    )
    common = ", ".join(f"{fault} ({number:,})" for fault, number in faults.most_common(3))
    if faults:
        hint = "" if rules.repair else "; --repair reads broken JSON as far as it can be"
        notes.append(f"unparseable: {common}{hint}")
    written = sum(one.placed.relabelled for run in grounded.runs.values() for one in run)
    if written:
        notes.append(
            Information(f"{written:,} labels are written in another way than in the schema")
        )
    return replace(grounded, notes=tuple(notes))


def _short(fault: str) -> str:
    """A fault without its place, so that equal ones are counted together."""
    kind = re.sub(r" \(column \d+\)| at character \d+| (starting )?at$", "", fault)
    return kind if len(kind) <= 60 else kind[:60] + "..."


def _record(one: GroundedText, prices: tuple[float, float] | None) -> dict[str, Any]:
    items = [Found(item.kind, item.label, item.words, item.span) for item in one.placed.items]
    usage = {
        name: value for name, value in _usage(one.answer, prices).items() if not math.isnan(value)
    }
    return record_of(one.text.id, one.text.text, items, usage)


def _single_record(one: GroundedText, prices: tuple[float, float] | None) -> dict[str, Any]:
    """The answer as an item; nothing where there is none."""
    (item,) = one.placed.items
    record: dict[str, Any] = {"id": one.text.id} if one.text.id else {}
    record |= {"answer": item.label or None, GROUNDING: item.kind}
    usage = {
        name: value for name, value in _usage(one.answer, prices).items() if not math.isnan(value)
    }
    return record | usage


def _usage(answer: Answer, prices: tuple[float, float] | None) -> dict[str, float]:
    found = {name: getattr(answer, name) for name in MEASURED}
    if prices is not None and math.isnan(found["cost"]):
        one, two = prices
        found["cost"] = (found["input_tokens"] * one + found["output_tokens"] * two) / _MILLION
    return found


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value


def _written(value: float) -> str | None:
    if math.isnan(value):
        return None
    return f"{value:,.0f}" if value.is_integer() else f"{value:,.4g}"
