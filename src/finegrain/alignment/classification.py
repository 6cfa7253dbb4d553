"""One row per item: the label of the gold standard beside that of every system.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.classification import CLASSIFICATION
>>> gold = read(source_of("gold", b"q1,pos\\nq2,neg\\n"))
>>> mine = read(source_of("mine", b"q2,pos\\nq1,pos\\n"))
>>> table = align(CLASSIFICATION, gold, {"mine": mine})
>>> [table.outcomes.names[code] for code in table.outcome[:, 0]]
['CORRECT', 'WRONG']

Items without a gold label are left out and counted. Probabilities are columns by label
(``probabilities.pos``, ``prob_pos``, ``p(pos)``); without them a system has answers only. Of
several answers to an item (``repeated_answers``) the most frequent one counts, and the mean of
their probabilities.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.item_tables import (
    Met,
    Missing,
    empty_notes,
    item_table,
    label_field,
    meet,
    without_missing,
)
from finegrain.alignment.label_sets import Schema, label_notes, require_distinct
from finegrain.alignment.repeated_answers import (
    Folded,
    Repeats,
    averaged_columns,
    fold,
    gold_once,
    kept,
)
from finegrain.alignment.same_text import Systems
from finegrain.alignment.soft_labels import with_soft_labels
from finegrain.alignment.tags import recode
from finegrain.corpus import Coded, Corpus, Texts
from finegrain.corpus.columns import Rows
from finegrain.corpus.item_faults import item_faults
from finegrain.corpus.items import coded, numbers
from finegrain.corpus.label_rules import ALL_LABELS, LabelRules
from finegrain.corpus.notes import Information
from finegrain.errors import InputError
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task

GOLD = (
    "gold", "gold_label", "true_label", "label", "class", "category", "target", "y_true", "truth",
    "answer", "answers.option_index",
)  # fmt: skip
"""Columns that hold the gold label, the first that there is."""
ANSWER = (
    "answer", "prediction", "predicted", "predicted_label", "pred", "y_pred", "output", "label",
    "class", "category", "predicted_answers.option_index",
)  # fmt: skip
"""Columns that hold a system's label."""
PROBABILITY = "probability"
"""Of ``table.details``: ``[unit, system, label]`` the probability that a system gives a label."""
UNANSWERED = 2

_OF_LABEL = re.compile(
    r"(?:probabilities\.|probability[._ ]|probs?[._ ]|p[._]|(?P<open>p\())"
    r"(?P<label>.+?)(?(open)\))\Z",
    re.IGNORECASE | re.DOTALL,
)
_SLACK = 1e-3  # by how much the sum of probabilities may differ from 1: they are rounded


class Answers(NamedTuple):
    """The labels of a system in the order of gold items; "" where it has none.

    Of several answers to an item, ``labels`` are all of them, in the order of their file.
    """

    labels: Coded
    probabilities: dict[str, NDArray[np.float64]]


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    rules: LabelRules = ALL_LABELS,
    missing: Missing = "error",
    repeats: Repeats = "auto",
    label_schema: Sequence[str] = (),
) -> OutcomeTable:
    """One row per gold item; a system is right where its label is the gold label, to the letter.

    ``rules`` rename labels; items whose gold label is left out are not units. A label outside of
    ``label_schema``, if there is one, is an error.
    """
    gold = gold_once(gold, GOLD, repeats)
    met = meet(gold, systems, missing=missing, repeats=repeats)
    given = label_field(gold, GOLD, "gold label")
    schema = Schema(label_schema, rules)
    schema.require(gold, given)
    answers = [_answers(met, system, missing, schema) for system in range(len(met.names))]
    seen = set(given.names).union(*(answer.labels.names for answer in answers)) - {""}
    expected = rules.on_tags(given)
    labelled = [rules.on_tags(answer.labels) for answer in answers]
    notes = [f"the label {name!r} occurs nowhere" for name in (rules.unused(seen) if rules else ())]
    files = (gold.source, *(corpus.source for corpus in met.corpora))
    sets = [set(column.names) - {""} for column in (expected, *labelled)]
    require_distinct(zip(files, (tuple(sorted(names)) for names in sets), strict=True))
    notes += label_notes(sets[0], dict(zip(met.names, sets[1:], strict=True)))
    soft = {name: values for name, (_, values) in chances(gold).items()}
    possible = _possible((soft, *(answer.probabilities for answer in answers)), rules)
    labels = tuple(sorted(possible.union(*sets)))
    if not sets[0]:
        raise InputError.at(gold.source, 0, "no item has a gold label")
    label = _codes(expected, labels)
    answer, folded = _answered(met, label, [_codes(column, labels) for column in labelled])
    outcome = np.where(answer < 0, UNANSWERED, answer != label[:, None]).astype(np.uint8)
    likely = _probabilities(met, answers, labels, rules)
    notes += [*empty_notes(met, answer >= 0), *_less_probable(met.names, answer, likely)]
    repeated = kept(folded, (outcome == 0).astype(np.float64), answer >= 0)
    used = _used(met)
    if len(used) > 1:  # a file with gold and answers serves as either
        told = f"{gold.source} holds answers, too ({used[1]}): here it is the gold file"
        notes.append(Information(told))
    table = item_table(
        task, met, outcome=outcome, labels=labels, label=np.maximum(label, 0), answer=answer,
        details={**likely, **repeated.details}, values=repeated.values, parts=_lists(gold),
        used=used, notes=notes,
        settings={**rules.signature(), **({} if missing == "error" else {"missing": missing})},
    )  # fmt: skip
    table = _with_soft(table, gold, rules)
    counts = _counted(label, expected, rules)
    if missing == "skip":
        table = without_missing(table, met, missing, answered=answer >= 0)
        counts = counts[(answer >= 0).all(axis=1)]
    return table if counts.all() else table.where(counts)


def _used(met: Met) -> list[str]:
    """The column of the gold label, and those of answers beside it: they are no attributes."""
    label = _first(GOLD, met.gold)
    read = {_first(ANSWER, corpus) for corpus in met.corpora}
    answers = [
        name for name in ANSWER
        if name in met.gold.fields and name != label and (name not in GOLD or name in read)
    ]  # fmt: skip
    return [label, *answers] if label else []


def _lists(gold: Corpus) -> dict[str, Rows]:
    """Lists of plain values, such as the options of multiple choice."""
    return {name: one for name, one in gold.parts.items() if set(one.fields) == {"value"}}


def _first(names: Sequence[str], corpus: Corpus) -> str | None:
    return next((name for name in names if name in corpus.fields), None)


def _with_soft(table: OutcomeTable, gold: Corpus, rules: LabelRules) -> OutcomeTable:
    """The table with the probabilities of labels that the gold file has, if it has any."""
    own = chances(gold)
    given = {name: values for name, (_, values) in own.items()}
    _require_sums(gold, given)
    return with_soft_labels(table, given, rules, {name: one for name, (one, _) in own.items()})


def _answered(
    met: Met, label: NDArray[np.int32], given: Sequence[NDArray[np.int32]]
) -> tuple[NDArray[np.int32], list[Folded | None]]:
    """``[item, system]`` the answer that counts, and what is behind it where there are several."""
    answer = np.empty((len(label), len(given)), np.int32)
    folded: list[Folded | None] = []
    for column, codes in enumerate(given):
        runs = met.runs[column]
        folded.append(None if runs is None else fold(runs, codes, label))
        answer[:, column] = codes if (one := folded[-1]) is None else one.answer
    return answer, folded


def _counted(label: NDArray[np.int32], expected: Coded, rules: LabelRules) -> NDArray[np.bool_]:
    """``[item]`` whether it has a gold label, and one that counts."""
    found = label >= 0
    if rules.only or rules.exclude:
        found = found & rules.kept_tags(expected)
    return found


def _codes(column: Coded, labels: tuple[str, ...]) -> NDArray[np.int32]:
    """Codes in the list of all labels, -1 for no label."""
    if "" not in column.names:
        return recode(column, labels).astype(np.int32)
    codes: NDArray[np.int32] = recode(column, ("", *labels)).astype(np.int32)
    return codes - np.int32(1)


def _answers(met: Met, system: int, missing: Missing, schema: Schema) -> Answers:
    corpus, rows = met.corpora[system], met.rows[:, system]
    probabilities = {name: values for name, (_, values) in chances(corpus).items()}
    if not any(name in corpus.fields for name in ANSWER) and probabilities:
        own = _most_probable(probabilities)
    else:
        own = label_field(corpus, ANSWER, "answer")
    empty = (
        np.flatnonzero(own.codes == own.names.index("")) if "" in own.names else np.empty(0, int)
    )
    if len(empty) and missing == "error":
        mend = "Write a label, or say --missing wrong or --missing skip."
        raise item_faults(corpus, empty, "no answer", mend)
    schema.require(corpus, own)
    _require_sums(corpus, probabilities)
    runs = met.runs[system]
    if runs is not None:
        return Answers(own, averaged_columns(runs, probabilities, len(rows)))
    if (rows == np.arange(len(rows))).all():
        return Answers(own, probabilities)
    names = own.names if "" in own.names else ("", *own.names)
    codes = np.append(recode(own, names), names.index(""))[rows]
    return Answers(
        Coded(codes, names),
        {name: np.append(values, np.nan)[rows] for name, values in probabilities.items()},
    )


def chances(corpus: Corpus) -> dict[str, tuple[str, NDArray[np.float64]]]:
    """Label -> its column of probabilities, and what that holds."""
    found = {}
    for name in corpus.fields:
        if match := _OF_LABEL.match(name):
            values = numbers(corpus.fields[name])
            if values is not None:
                found[match["label"]] = (name, values)
            else:
                _require_text(corpus, name)
    return found


def _require_text(corpus: Corpus, name: str) -> None:
    """Refuse a column of probabilities some of which are no numbers; another one is metadata."""
    cells = coded(corpus.fields[name], missing="")
    odd = np.array([numbers(Texts.of([text])) is None for text in cells.names])
    if odd[cells.codes].all() or all(odd | (np.array(cells.names) == "")):
        return

    def told(item: int) -> str:
        return f"{cells[item][:40]!r} in the column {name!r} is not a number"

    mend = "Probabilities are 0 to 1; leave a cell empty where there is none."
    raise item_faults(corpus, np.flatnonzero(odd[cells.codes]), told, mend)


def _most_probable(probabilities: dict[str, NDArray[np.float64]]) -> Coded:
    """The label with the highest probability, the first of equals; "" without any."""
    names = tuple(sorted(probabilities))
    stacked = np.stack([probabilities[name] for name in names])
    none = np.isnan(stacked).all(axis=0)
    best = np.where(none, 0, np.argmax(np.where(np.isnan(stacked), -1, stacked), axis=0) + 1)
    return Coded(best.astype(np.int32), ("", *names))


def _require_sums(corpus: Corpus, probabilities: dict[str, NDArray[np.float64]]) -> None:
    """Refuse what are no probabilities."""
    if not probabilities:
        return
    stacked = np.stack(list(probabilities.values()))
    given = ~np.isnan(stacked).all(axis=0)
    sums = np.nansum(stacked, axis=0)
    wrong = given & ((np.abs(sums - 1) > _SLACK) | (np.nanmin(stacked, axis=0, initial=0) < 0))
    if not wrong.any():
        return
    labels = sized(len(probabilities), "label")

    def told(item: int) -> str:
        if stacked[:, item].min(initial=0, where=~np.isnan(stacked[:, item])) < 0:
            return "a probability is below 0"
        return f"the probabilities sum to {sums[item]:.4g}"

    mend = f"They are 0 to 1 and sum to 1 over {labels}."
    raise item_faults(corpus, np.flatnonzero(wrong), told, mend)


def _less_probable(
    names: Sequence[str], answer: NDArray[np.int32], likely: dict[str, NDArray[np.float64]]
) -> list[str]:
    """A note on systems that answer labels which their probabilities do not make the best."""
    notes: list[str] = []
    for system, name in enumerate(names if likely else ()):
        of_label, own = likely[PROBABILITY][:, system], answer[:, system]
        given = np.flatnonzero((own >= 0) & ~np.isnan(of_label).all(axis=1))
        best = of_label[given].max(axis=1, initial=0)
        other = int((of_label[given, own[given]] < best).sum())
        if other:
            verb = "is" if other == 1 else "are"
            notes.append(Information(
                f"{name}: {sized(other, 'answer')} {verb} not the most probable label of the item; "
                "scores of probabilities go by the probabilities alone"
            ))  # fmt: skip
    return notes


def _possible(files: Iterable[dict[str, NDArray[np.float64]]], rules: LabelRules) -> set[str]:
    """Labels that have some probability, be they gold or an answer or neither."""
    return {
        rules.name(name)
        for given in files
        for name, values in given.items()
        if np.nan_to_num(values).any()
    }


def _probabilities(
    met: Met, answers: list[Answers], labels: tuple[str, ...], rules: LabelRules
) -> dict[str, NDArray[np.float64]]:
    """``[item, system, label]`` if any system has probabilities; nan for those that have none."""
    if not any(answer.probabilities for answer in answers):
        return {}
    found = np.full((len(met.rows), len(answers), len(labels)), np.nan)
    for system, answer in enumerate(answers):
        if not answer.probabilities:
            continue
        known = ~np.isnan(np.stack(list(answer.probabilities.values()))).all(axis=0)
        found[known, system] = 0.0
        for name, values in answer.probabilities.items():
            if (renamed := rules.name(name)) in labels:  # or it is 0 everywhere
                found[:, system, labels.index(renamed)] += np.nan_to_num(values)
    return {PROBABILITY: found}


def recognise(corpus: Corpus, _: str) -> bool:
    """Items with a column of labels that are not numbers, of which some occur again."""
    name = next((name for name in GOLD if name in corpus.fields), None)
    if name is None or corpus.format not in ("csv", "items", "parquet"):
        return False
    column = corpus.fields[name]
    return numbers(column) is None and not corpus.parts
