"""Spans of systems whose answers were grounded: further rows for what has no place in the text.

Items that could not be grounded are units without words of the text, behind the last token of the
sentence where their document begins; ``table.columns`` has their words as the system wrote them.
How each span was grounded is the column ``grounding`` of its system.

>>> from finegrain.formats.jsonl import read
>>> from finegrain.formats.source import source_of
>>> text = '"text": "I met Ada.", "spans": [{"start": 6, "end": 9, "label": "PER"'
>>> gold = read(source_of("gold", f"{{{text}}}]}}".encode()))
>>> lost = '"unplaced": [{"class": "hallucinated", "label": "LOC", "answer": "Rome"}]'
>>> model = read(source_of("m", f'{{{text}, "grounding": "exact"}}], {lost}}}'.encode()))
>>> from finegrain.tasks.spans import SPANS
>>> table = SPANS.align(gold, {"m": model})
>>> [(table.text(row), table.outcomes.names[table.outcome[row, 0]]) for row in range(len(table))]
[('Ada', 'TP'), ('Rome', 'HAL')]
>>> table.details["grounding"][:, 0].tolist()
['exact', None]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment import spans as of_spans
from finegrain.alignment.projection import on_tokens_of
from finegrain.alignment.same_text import Systems, by_document_id, named
from finegrain.corpus import Coded, Corpus, IntArray
from finegrain.corpus.characters import token_characters
from finegrain.corpus.columns import Rows
from finegrain.corpus.label_rules import ALL_LABELS, LabelRules
from finegrain.corpus.tag_schemes import Policy, Scheme
from finegrain.errors import InputError, UsageError
from finegrain.formats.grounded_items import GROUNDING, UNPLACED, USAGE
from finegrain.table import OutcomeTable, Task
from finegrain.table.outcome_table import WRITTEN
from finegrain.table.verdicts import produced

Charge = Literal["charged", "uncharged"]
CHARGES = ("charged", "uncharged")
OUTCOMES = {
    "hallucinated": "HAL", "undecided": "UND", "out-of-schema": "OOS", "duplicate": "DUP",
    "unparseable": "BAD", "refused": "REF",
}  # fmt: skip
NO_LABEL = "(no label)"  # of whole answers, and of labels outside of the schema
_LABELLED = ("hallucinated", "undecided", "duplicate")
Key = tuple[int, str, str, int]  # sentence, label, words, which of equal ones


class Answers(NamedTuple):
    """What a system says of its spans and beside them, on the gold text.

    ``kinds``: of spans in the order of the rows of a table; ``usage``: by name, ``[sentence]`` of
    the gold text, the time, the tokens and the cost of the answer to its document.
    """

    kinds: list[str]
    unplaced: dict[Key, str]  # the class
    usage: Mapping[str, NDArray[np.float64]] = MappingProxyType({})


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    scheme: str | Scheme | None = None,
    policy: Policy = "conlleval",
    layer: str = "tags",
    rules: LabelRules = ALL_LABELS,
    text: of_spans.Text = "tokens",
    unplaced: Charge = "charged",
) -> OutcomeTable:
    """Match every system's spans with the gold spans; add what was not grounded, if anything was.

    Parameters
    ----------
    unplaced: whether precision is ``charged`` for items that have no place in the text
    scheme, policy, layer, rules, text: as ``spans.align``
    """
    if unplaced not in CHARGES:
        raise UsageError.unknown("way with unplaced items", unplaced, CHARGES)
    said: dict[str, Answers] = {}

    def passed_on() -> Iterator[tuple[str, Corpus]]:
        for name, corpus in named(systems):
            if GROUNDING in corpus.parts and corpus.spans is not None:
                said[name] = _answers(gold, by_document_id(gold, corpus), rules, text)
            yield name, corpus

    table = of_spans.align(
        task, gold, passed_on(), scheme=scheme, policy=policy, layer=layer, rules=rules, text=text
    )
    variant = task.grounded or task
    if not said and variant is task.grounded:
        return table
    return _with_answers(table, variant, said, unplaced)


def _answers(gold: Corpus, system: Corpus, rules: LabelRules, text: of_spans.Text) -> Answers:
    """The classes of a system's spans in the order of rows, and what has no place."""
    spans = system.spans
    assert spans is not None  # noqa: S101 - the caller looked
    kinds: NDArray[np.object_] = np.empty(len(spans), object)
    kinds[:] = list(cast("Coded", system.parts[GROUNDING].fields["class"]))
    kept = np.array([rules.keeps(rules.name(label)) for label in spans.labels] or [True], bool)
    kinds = kinds[kept[spans.label]] if len(spans) else kinds
    chosen = rules.on_spans(spans) if rules else spans
    if of_spans.by_characters(gold, system, text):
        chosen = on_tokens_of(gold, system, chosen)
    begin_cut, end_cut = chosen.cuts()
    names = np.array([*chosen.labels, ""], object)[chosen.label]
    label = np.unique(names.astype(str), return_inverse=True)[1] if len(names) else chosen.label
    keys = (label, -end_cut, chosen.end, begin_cut, chosen.begin, chosen.sentence)
    order = np.lexsort(keys)
    unplaced = system.parts.get(UNPLACED)
    sentences = _sentences(gold, system)
    return Answers(
        kinds[order].tolist(),
        {} if unplaced is None else _unplaced(unplaced, sentences, rules),
        _usage(gold, system.parts[USAGE], sentences) if USAGE in system.parts else {},
    )


def _usage(gold: Corpus, rows: Rows, sentences: IntArray) -> dict[str, NDArray[np.float64]]:
    """``[gold sentence]`` what the answer to its document took."""
    document = gold.documents
    of = np.arange(gold.n_sentences) if document is None else document
    found = {}
    for name, column in rows.fields.items():
        by_document = np.full(int(of.max(initial=-1)) + 1, np.nan)
        by_document[of[sentences[rows.parent]]] = cast("NDArray[np.float64]", column)
        found[name] = by_document[of]
    return found


def _sentences(gold: Corpus, system: Corpus) -> IntArray:
    """``[sentence of the system]`` the gold sentence in which its first token stands."""
    if system.n_sentences == gold.n_sentences:
        return np.arange(gold.n_sentences)
    at = token_characters(system)[system.offsets[:-1]]
    token = np.searchsorted(token_characters(gold), at, side="right") - 1
    found = np.searchsorted(gold.offsets, token, side="right") - 1
    return np.clip(found, 0, gold.n_sentences - 1)


def _unplaced(rows: Rows, sentences: IntArray, rules: LabelRules) -> dict[Key, str]:
    """The classes of items that have no place; whole answers have no words of their own."""
    counts: Counter[tuple[int, str, str]] = Counter()
    found: dict[Key, str] = {}
    columns = (list(cast("Coded", rows.fields[name])) for name in ("class", "label", "answer"))
    for parent, kind, label, words in zip(rows.parent.tolist(), *columns, strict=True):
        name, shown = rules.name(label), words
        if kind not in _LABELLED:
            name, shown = NO_LABEL, f"{words} [{label}]" if label else words
        elif not rules.keeps(name):
            continue
        key = (int(sentences[parent]), name, shown)
        found[(*key, counts[key])] = kind
        counts[key] += 1
    return found


def _with_answers(
    table: OutcomeTable, task: Task, said: Mapping[str, Answers], unplaced: Charge
) -> OutcomeTable:
    """The table with rows for items that have no place, and the column of grounding."""
    if unplaced == "uncharged":
        task = _uncharged(task)
    table = replace(table, task=task, details=_grounding(table, said))
    keys = sorted({key for answers in said.values() for key in answers.unplaced})
    table = _appended(table, keys)
    first = len(table) - len(keys)
    outcome = table.outcome.copy()
    for name, answers in said.items():
        column = table.system(name)
        for row, key in enumerate(keys, first):
            if key in answers.unplaced:
                outcome[row, column] = task.outcomes.code(OUTCOMES[answers.unplaced[key]])
    settings = {**table.settings, "unplaced": unplaced}
    table = _in_order(replace(table, outcome=outcome, settings=settings))
    return replace(table, details={**table.details, **_usage_columns(table, said)})


def _usage_columns(
    table: OutcomeTable, said: Mapping[str, Answers]
) -> dict[str, NDArray[np.float64]]:
    """``[unit, system]`` what the answer to the text of a unit took, by name; nan if unknown."""
    names = dict.fromkeys(name for answers in said.values() for name in answers.usage)
    found = {name: np.full(table.outcome.shape, np.nan) for name in names}
    for system, answers in said.items():
        for name, values in answers.usage.items():
            found[name][:, table.system(system)] = values[table.sentence]
    return {name: column for name, column in found.items() if not np.isnan(column).all()}


def _uncharged(task: Task) -> Task:
    """The same task, for whose precision items without a place do not count."""
    lost = set(OUTCOMES.values())
    outcomes = (
        replace(one, produced="never") if one.name in lost else one for one in task.outcomes
    )
    return replace(task, outcomes=replace(task.outcomes, every=tuple(outcomes)))


def _grounding(table: OutcomeTable, said: Mapping[str, Answers]) -> dict[str, NDArray[np.object_]]:
    """``[unit, system]`` how the span was grounded; of a gold span, that which answers it."""
    found = np.full(table.outcome.shape, None, object)
    has = produced(table)
    for name, answers in said.items():
        column = table.system(name)
        rows = np.flatnonzero(has[:, column])
        if len(rows) != len(answers.kinds):
            raise InputError.at(name, 0, "groundings are not one for each span", "Ground it again.")
        found[rows, column] = [kind or None for kind in answers.kinds]
        partner = table.answer[:, column]
        others = np.flatnonzero(table.is_gold & (partner >= 0) & ~has[:, column])
        found[others, column] = found[partner[others], column]
    return {**table.details, GROUNDING: found}


def _appended(table: OutcomeTable, keys: list[Key]) -> OutcomeTable:
    """The table with a row, which no system has, for each of the items without a place."""
    size = len(keys)
    labels = tuple(sorted({*table.labels, *(label for _, label, _, _ in keys)}))
    number = {name: code for code, name in enumerate(labels)}
    recoded = np.array([number[name] for name in table.labels] or [0], np.int32)
    sentence = np.array([key[0] for key in keys], np.int32)
    ends = np.diff(table.corpus.offsets)[sentence].astype(np.int32)
    absent = int(table.outcomes.codes(lambda one: one.absent).argmax())
    words = np.full(len(table) + size, None, object)
    words[len(table) :] = [key[2] for key in keys]
    columns = {name: _longer(column, size) for name, column in table.columns.items()}
    systems = table.n_systems
    return replace(
        table,
        labels=labels,
        sentence=np.concatenate([table.sentence, sentence]),
        begin=np.concatenate([table.begin, ends]),
        end=np.concatenate([table.end, ends]),
        label=np.concatenate([
            recoded[table.label] if len(table) else table.label,
            np.array([number[key[1]] for key in keys], np.int32),
        ]),
        is_gold=np.concatenate([table.is_gold, np.zeros(size, bool)]),
        outcome=np.concatenate([table.outcome, np.full((size, systems), absent, np.uint8)]),
        answer=np.concatenate([table.answer, np.full((size, systems), -1, np.int32)]),
        token_set=np.concatenate([table.token_set, np.zeros(size, np.int32)]),
        columns={**columns, WRITTEN: words},
        details={name: _longer(column, size) for name, column in table.details.items()},
    )  # fmt: skip


def _longer(column: NDArray[np.generic], more: int) -> NDArray[np.generic]:
    """A column with rows that hold nothing."""
    nothing = None if column.dtype.kind == "O" else 0
    return np.concatenate([column, np.full((more, *column.shape[1:]), nothing, column.dtype)])


def _in_order(table: OutcomeTable) -> OutcomeTable:
    """The rows by their place in the text."""
    order = np.lexsort((np.arange(len(table)), table.sentence))
    place = np.full(len(order) + 1, -1, np.int32)  # the last place serves -1
    place[order] = np.arange(len(order))
    return replace(
        table,
        **{name: getattr(table, name)[order] for name in (
            "sentence", "begin", "end", "label", "is_gold", "outcome", "token_set",
        )},
        answer=place[table.answer[order]],
        columns={name: column[order] for name, column in table.columns.items()},
        details={name: column[order] for name, column in table.details.items()},
    )  # fmt: skip


def matched_rows(
    table: OutcomeTable, has: NDArray[np.bool_]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Outcome and answer ``[unit]`` of a system that has exactly these units."""
    lost = table.wordless()
    outcome, answer = of_spans.matched_rows(table, has & ~lost)
    absent = table.outcomes.codes(lambda one: one.absent)
    rows = np.flatnonzero(has & lost)
    there = ~absent[table.outcome[rows]]
    outcome[rows] = table.outcome[rows, there.argmax(axis=1)]
    return outcome, answer
