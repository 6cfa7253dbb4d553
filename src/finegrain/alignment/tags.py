"""One row per token: the labels of gold and systems side by side.

>>> from finegrain.corpus import Corpus
>>> gold = Corpus.of([["time", "flies"]], tags=[["NOUN", "VERB"]])
>>> flat = Corpus.of([["time", "flies"]], tags=[["NOUN", "NOUN"]])
>>> from finegrain.tasks.tags import TAGS
>>> table = align(TAGS, gold, {"flat": flat})
>>> [table.outcomes.names[code] for code in table.outcome[:, 0]]
['CORRECT', 'WRONG']
"""

from __future__ import annotations

import numpy as np

from finegrain.alignment.label_sets import label_notes, require_distinct
from finegrain.alignment.same_text import Systems, by_document_id, named, require_same_text
from finegrain.alignment.side_by_side import decided, require_decided
from finegrain.corpus import Coded, Corpus, IntArray
from finegrain.corpus.label_rules import ALL_LABELS, LabelRules
from finegrain.corpus.notes import told_of
from finegrain.errors import AlignmentError, InputError, Problem
from finegrain.table import OutcomeTable, Task

_TREES = "Of trees, words may differ: --task dependencies."


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    layer: str = "tags",
    rules: LabelRules = ALL_LABELS,
) -> OutcomeTable:
    """One row per token; a system is right where its tag is the gold tag, to the letter.

    ``rules`` rename tags; tokens whose gold tag is left out are not units.
    """
    names: list[str] = []
    files, answers = [gold.source], list[Coded]()
    notes = list(gold.notes)
    for name, given in named(systems):
        corpus = decided(gold, _of_the_same_text(gold, given), layer)
        names.append(name)
        files.append(corpus.source)
        answers.append(layer_of(corpus, layer))
        if answers[-1].names == ("_",):
            notes.append(f"{name}: every tag is '_', so the layer {layer!r} looks empty")
        notes += told_of(name, (note for note in corpus.notes if note not in gold.notes))
        del corpus, given  # before the next file is read
    expected = layer_of(gold, layer)
    seen = set(expected.names).union(*(answer.names for answer in answers))
    if rules:
        if rules.behind_prefix:
            rules.require_spans()
        expected, answers = rules.on_tags(expected), [rules.on_tags(one) for one in answers]
        notes = [f"the label {name!r} occurs nowhere" for name in rules.unused(seen)] + notes
    require_distinct(zip(files, (one.names for one in (expected, *answers)), strict=True))
    found = {name: one.names for name, one in zip(names, answers, strict=True)}
    notes += label_notes(expected.names, found)
    labels = tuple(sorted(set(expected.names).union(*found.values())))
    label = recode(expected, labels)
    answer = np.empty((len(label), len(names)), np.int32)
    for column, coded in enumerate(answers):
        answer[:, column] = recode(coded, labels)
    sentence = gold.sentence_of_tokens()
    begin = (np.arange(len(label)) - gold.offsets[sentence]).astype(np.int32)
    table = OutcomeTable(
        task=task,
        systems=tuple(names),
        labels=labels,
        sentence=sentence,
        begin=begin,
        end=begin + 1,
        label=label,
        is_gold=np.ones(len(label), bool),
        outcome=(answer != label[:, None]).astype(np.uint8),
        answer=answer,
        corpus=gold,
        token_set=np.zeros(len(label), np.int8),
        settings={**({} if layer == "tags" else {"layer": layer}), **rules.signature()},
        notes=tuple(notes),
    )
    return table.where(rules.kept_tags(expected)) if rules.only or rules.exclude else table


def recode(column: Coded, labels: tuple[str, ...]) -> IntArray:
    """The codes of a column in another, larger list of names."""
    number = {name: code for code, name in enumerate(labels)}
    return np.array([number[name] for name in column.names] or [0], np.int32)[column.codes]


def _of_the_same_text(gold: Corpus, system: Corpus) -> Corpus:
    """The system in the order of the gold's documents; of CoNLL-U, trees may be what was meant."""
    try:
        corpus = by_document_id(gold, system)
        require_same_text(gold, corpus)
    except AlignmentError as error:
        if gold.further is None or system.further is None:
            raise
        raise AlignmentError(
            [
                Problem(one.path, one.line, one.what, f"{one.mend} {_TREES}")
                for one in error.problems
            ]
        ) from None
    return corpus


def layer_of(corpus: Corpus, layer: str) -> Coded:
    """A layer of tags; refused where there is none."""
    require_decided(corpus, layer)
    if layer not in corpus.layers:
        have = ", ".join(corpus.layers) or "none"
        mend = "Say which column it is: --columns."
        if corpus.spans is not None:
            mend = "It has spans: the task tags and the level token need tags, one for each token."
        what = f"there is no annotation layer {layer!r} (layers: {have})"
        raise InputError.at(corpus.source, 0, what, mend)
    return corpus.layers[layer]
