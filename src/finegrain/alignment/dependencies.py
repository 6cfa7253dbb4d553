"""Rows of words, and the head and the relation that every system gives them.

>>> from finegrain.corpus import Corpus
>>> text = [["she", "saw", "old", "dogs"]]
>>> gold = Corpus.of(text, head=[["2", "0", "4", "2"]], deprel=[["nsubj", "root", "amod", "obj"]])
>>> flat = Corpus.of(text, head=[["2", "0", "2", "2"]], deprel=[["nsubj", "root", "amod", "iobj"]])
>>> from finegrain.tasks.dependencies import DEPENDENCIES
>>> table = align(DEPENDENCIES, gold, {"flat": flat})
>>> [table.outcomes.names[code] for code in table.outcome[:, 0]]
['CORRECT', 'CORRECT', 'HEAD', 'LABEL']

The unit is the gold word. Label and answer are relations; the system's head stands in the detail
``head``, as a token of the gold corpus (-1 the root, -2 no word of the gold or none at all, -3 the
system lacks this word). Gold and system may be tokenised differently (``word_alignment``): gold
words that the system lacks are wrong (``NO_WORD``), and words that only the system has are
counted at the gold word they begin in. The other details, left out if all are 0, are

=========  ==================================================================================
same       bits: UPOS, XPOS, universal features, lemma, functional children; the token and the
           sentence that begin with the word
more       words of the system that begin in it and are no gold word
content    how many of those have a content relation
tokens     tokens of the system that begin in it
sentences  sentences of the system that begin in it
lacks      bits: layers that the gold has and the system lacks
blank      bits: layers that both have, but one of the two with nothing in them
=========  ==================================================================================

Tokens and sentences are those of the whole text. Where words are left out, those that begin with
one of them are counted at the nearest word that is kept, and so have numbers instead of bits:
``gold_tokens``, ``same_tokens``, ``gold_sentences``, ``same_sentences``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment import enhanced_graphs
from finegrain.alignment.label_sets import require_distinct, used_by_systems_only
from finegrain.alignment.same_text import Systems, by_document_id, named
from finegrain.alignment.tags import recode
from finegrain.alignment.word_alignment import Alignment, align_words
from finegrain.alignment.word_features import SENTENCE, TOKEN, Words, blank, lacking, same_words
from finegrain.corpus import Coded, Corpus, IntArray
from finegrain.corpus.label_rules import ALL_LABELS, LabelRules
from finegrain.corpus.notes import Information, told_of
from finegrain.corpus.surface import first_words
from finegrain.corpus.trees import (
    HEAD,
    NOWHERE,
    RELATION,
    ROOT,
    base,
    faults,
    heads,
    relations,
    require_heads,
    require_some_head,
    with_trees,
)
from finegrain.errors import InputError, UsageError
from finegrain.table import OutcomeTable, Task

NO_WORD = "(no word)"  # what the answer is called where a system lacks the word
ABSENT_WORD = -3  # its head
CORRECT, LABEL_CODE, HEAD_CODE, BOTH_CODE, NO_WORD_CODE = range(5)  # as in the outcomes of the task
HEADLESS = 4  # codes below 0 in the detail ``head``: no word of the text is the head
# Nivre and Fang (2017), Zeman et al. (2018)
CONTENT = frozenset((
    "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated",
    "advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed",
    "flat", "compound", "list", "parataxis", "orphan", "goeswith", "reparandum", "root", "dep",
))  # fmt: skip
FUNCTIONAL = frozenset(("aux", "cop", "mark", "det", "clf", "case", "cc"))
PUNCTUATION = "punct"


Subtypes = Literal["drop", "keep"]
Punctuation = Literal["keep", "remove"]
Case = Literal["keep", "fold"]
SUBTYPES, PUNCTUATION_KEPT, CASES = (get_args(one) for one in (Subtypes, Punctuation, Case))


class _Options(NamedTuple):
    subtypes: bool
    fold_case: bool
    rules: LabelRules


class _Key(NamedTuple):
    """The gold standard, read once for all systems."""

    corpus: Corpus
    words: Words
    graphs: enhanced_graphs.Graphs | None


class _Answers(NamedTuple):
    """One system on the gold words: its relations (coded for itself), the details, its faults."""

    relation: Coded
    aligned: NDArray[np.bool_]
    details: Mapping[str, NDArray[Any]]
    faults: tuple[str, ...]


def holds_trees(gold: Corpus, layer: str) -> bool:
    """Whether its columns are named as heads and relations, and there are no tags."""
    if gold.holds_items or gold.spans is not None:
        return False
    return layer not in gold.layers and {HEAD, RELATION}.issubset(gold.layers)


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    subtypes: Subtypes = "drop",
    punctuation: Punctuation = "keep",
    case: Case = "keep",
    rules: LabelRules = ALL_LABELS,
    first: str = "",
) -> OutcomeTable:
    """One row per gold word; a system is right where its head and its relation are.

    Parameters
    ----------
    subtypes: ``drop`` them, so that ``acl:relcl`` is ``acl``, or ``keep`` them
    punctuation: ``keep`` words whose gold relation is ``punct`` or ``remove`` them
    case: ``keep`` upper and lower case of relations apart or ``fold`` them
    rules: rename relations; words whose gold relation is left out are not units
    first: who made the trees that stand as gold, if that is one annotator among others; they need
        not be complete then
    """
    for name, value, known in (
        ("subtypes", subtypes, SUBTYPES), ("punctuation", punctuation, PUNCTUATION_KEPT),
        ("case", case, CASES),
    ):  # fmt: skip
        if value not in known:
            raise UsageError.unknown(name, value, known)
    options = _Options(subtypes == "keep", case == "fold", rules)
    gold = with_trees(gold)
    words = _words(gold, options)
    key = _Key(gold, words, enhanced_graphs.graphs(gold))
    (require_some_head if first else require_heads)(gold, words.head)
    notes = [*gold.notes, *(f"{first or 'gold'}: {fault}" for fault in faults(gold, words.head))]
    names: list[str] = []
    answers: list[_Answers] = []
    labels = [(gold.source, words.relation.names)]
    for name, given in named(systems):
        corpus = with_trees(_in_order(gold, given))
        names.append(name)
        answers.append(_answers(key, corpus, options))
        labels.append((corpus.source, answers[-1].relation.names))
        notes += told_of(name, _notes(gold, corpus, answers[-1]))
        del corpus, given  # before the next file is read
    require_distinct(labels)
    notes = [*_unused(rules, words.relation, answers), *notes]
    table = _table(task, gold, words, dict(zip(names, answers, strict=True)), notes)
    kept = np.array([rules.keeps(name) for name in words.relation.names], bool)
    if punctuation == "remove":
        kept &= [base(name).lower() != PUNCTUATION for name in words.relation.names]
    settings = {
        "subtypes": subtypes,
        "punctuation": punctuation,
        "case": case,
        **rules.signature(),
    }
    if not kept.all():
        table = _only(table, kept[words.relation.codes])
    return replace(table, settings=settings)


def _only(table: OutcomeTable, kept: NDArray[np.bool_]) -> OutcomeTable:
    """Some of the words, with the tokens and sentences of all of them."""
    found = table.where(kept)
    if not len(found) or not table.n_systems:
        return found
    place = _nearest(table, np.flatnonzero(kept))
    details = dict(found.details)
    for name, bit in (("tokens", TOKEN), ("sentences", SENTENCE)):
        gold = np.broadcast_to(begins(table.corpus, name)[:, None], table.outcome.shape)
        same = (table.details["same"] & bit) > 0
        for key, values in (
            (name, table.details[name]), (f"gold_{name}", gold), (f"same_{name}", same),
        ):  # fmt: skip
            sums = [np.bincount(place, column, minlength=len(found)) for column in values.T]
            details[key] = np.stack(sums, axis=1).astype(np.uint16)
    return replace(found, details=details)


def _nearest(table: OutcomeTable, kept: IntArray) -> IntArray:
    """``[word]`` which of the kept words stands for it.

    The next one, unless that is in another sentence, or document, and the one before is not.
    """
    after = np.searchsorted(kept, np.arange(len(table)))
    after, before = np.minimum(after, len(kept) - 1), np.maximum(after - 1, 0)
    sentence = table.sentence
    document = sentence if table.corpus.documents is None else table.corpus.documents[sentence]
    near = [
        (sentence[kept[one]] == sentence).astype(np.int8) + (document[kept[one]] == document)
        for one in (before, after)
    ]
    nearest: IntArray = np.where(near[0] > near[1], before, after)
    nearest[kept] = np.arange(len(kept))
    return nearest


def begins(corpus: Corpus, name: str) -> NDArray[np.bool_]:
    """``[word]`` whether one of the ``tokens`` or ``sentences`` begins with it."""
    found = np.zeros(corpus.n_tokens, bool)
    found[first_words(corpus) if name == "tokens" else corpus.offsets[:-1]] = True
    return found


def _in_order(gold: Corpus, system: Corpus) -> Corpus:
    """By document id, where both have the same; a pipeline may call the whole input a document."""
    if set(gold.document_ids or ()) != set(system.document_ids or ()):
        return system
    return by_document_id(gold, system)


def _words(corpus: Corpus, options: _Options) -> Words:
    """The words of a corpus with what is compared of them."""
    if corpus.tokens is None:
        raise InputError.at(corpus.source, 0, "there are no words, only annotation")
    relation = relations(corpus, subtypes=options.subtypes, fold_case=options.fold_case)
    return Words(heads(corpus), options.rules.on_tags(relation), corpus.layers)


def _answers(gold: _Key, corpus: Corpus, options: _Options) -> _Answers:
    own = _words(corpus, options)
    found = align_words(gold.corpus, corpus)
    aligned = found.to_system >= 0
    head, relation = own.head, own.relation
    if not found.same_words:
        places = np.where(aligned, found.to_system, 0)
        # a system's head as a gold word; the last two places serve ROOT and NOWHERE
        gold_word = np.append(np.where(found.to_gold < 0, NOWHERE, found.to_gold), [NOWHERE, ROOT])
        head = np.where(aligned, gold_word[own.head][places], ABSENT_WORD).astype(np.int32)
        relation = Coded(relation.codes[places], relation.names)
    details: dict[str, NDArray[Any]] = {
        "head": head,
        "same": same_words(gold.words, own, found, functional=FUNCTIONAL),
        "tokens": found.tokens.system,
        "sentences": found.sentences.system,
        **_only_of_system(len(aligned), own, found),
        **enhanced_graphs.compared(gold.graphs, corpus, found),
    }
    for name, bits in (("lacks", lacking(gold.words, own)), ("blank", blank(gold.words, own))):
        if bits:
            details[name] = np.full(len(aligned), bits, np.uint8)
    return _Answers(relation, aligned, details, faults(corpus, own.head))


def _only_of_system(size: int, own: Words, found: Alignment) -> dict[str, NDArray[np.uint16]]:
    """``[gold word]`` words that the system has beside the gold words, if there are any."""
    more = np.flatnonzero(found.to_gold < 0)
    if not len(more):
        return {}
    is_content = np.array([base(name) in CONTENT for name in own.relation.names] or [False])
    content = more[is_content[own.relation.codes[more]]]
    begin = found.begins_in
    return {
        "more": np.bincount(begin[more], minlength=size).astype(np.uint16),
        "content": np.bincount(begin[content], minlength=size).astype(np.uint16),
    }


def _notes(gold: Corpus, corpus: Corpus, answers: _Answers) -> list[str]:
    notes = [note for note in corpus.notes if note not in gold.notes]
    notes += answers.faults
    missing = int(np.count_nonzero(~answers.aligned))
    more = int(answers.details["more"].sum()) if "more" in answers.details else 0
    if missing or more:
        told = f"{missing:,} gold words it does not have, {more:,} words of its own"
        notes.append(Information(f"tokenised differently: {told}"))
    return notes


def _unused(rules: LabelRules, gold: Coded, answers: list[_Answers]) -> list[str]:
    if not rules:
        return []
    known = set(gold.names).union(*(answer.relation.names for answer in answers))
    only = LabelRules(only=rules.only, exclude=rules.exclude)  # renaming is done
    return [f"the label {label!r} occurs nowhere" for label in only.unused(known)]


def _table(
    task: Task,
    gold: Corpus,
    words: Words,
    systems: Mapping[str, _Answers],
    notes: list[str],
) -> OutcomeTable:
    answers = list(systems.values())
    used = set(words.relation.names).union(*(one.relation.names for one in answers))
    missing = any(not one.aligned.all() for one in answers)
    labels = tuple(sorted(used | {NO_WORD} if missing else used))
    label = recode(words.relation, labels)
    size = len(label)
    # a system's column is one stretch of memory
    answer = np.empty((len(answers), size), np.int32).T
    outcome = np.empty((len(answers), size), np.uint8).T
    for column, one in enumerate(answers):
        answer[:, column] = recode(one.relation, labels)
        if missing:
            answer[~one.aligned, column] = labels.index(NO_WORD)
        outcome[:, column] = _outcomes(words.head, label, one, answer[:, column])
    notes += used_by_systems_only(words.relation.names, [used])
    sentence = gold.sentence_of_tokens()
    begin = (np.arange(size) - gold.offsets[sentence]).astype(np.int32)
    return OutcomeTable(
        task=task,
        systems=tuple(systems),
        labels=labels,
        sentence=sentence,
        begin=begin,
        end=begin + 1,
        label=label,
        is_gold=np.ones(size, bool),
        outcome=outcome,
        answer=answer,
        corpus=gold,
        token_set=np.zeros(size, np.int8),
        notes=tuple(notes),
        details=_details(answers, size),
    )


def _details(answers: list[_Answers], size: int) -> dict[str, NDArray[Any]]:
    """``[word, system]`` what any system has; 0 for one that has it not."""
    names = dict.fromkeys(name for one in answers for name in one.details)
    none = np.zeros(size, np.uint8)
    return {name: np.stack([one.details.get(name, none) for one in answers]).T for name in names}


def _outcomes(
    head: NDArray[np.int32], label: IntArray, own: _Answers, answer: NDArray[np.int32]
) -> NDArray[np.uint8]:
    """``[word]`` codes of the outcomes: CORRECT, LABEL, HEAD, BOTH, NO_WORD."""
    wrong_head = own.details["head"] != head
    wrong_label = answer != label
    code: NDArray[np.uint8] = wrong_label.astype(np.uint8)
    code += np.uint8(2) * wrong_head.astype(np.uint8)
    code[~own.aligned] = NO_WORD_CODE
    return code


def replies(table: OutcomeTable, rows: slice) -> NDArray[np.int32]:
    """``[unit, system]`` head and relation as one code: words with another head are told apart."""
    answer, head = table.answer[rows], table.details["head"][rows].astype(np.int64)
    place = head - table.corpus.offsets[table.sentence[rows], None]  # it can be another sentence's
    place = np.where(place < 0, -2 * place - 1, 2 * place) + HEADLESS
    place = np.where(head < 0, -head, place)
    codes: NDArray[np.int32] = (place * (table.n_labels + 1) + answer + 1).astype(np.int32)
    return codes


def beside_accuracy(table: OutcomeTable) -> str:
    """LAS where some system lacks words: only then it is not the accuracy of words."""
    return "las" if (table.outcome == NO_WORD_CODE).any() else ""
