"""What is special about a task, as one frozen value: the table carries it, everybody asks it.

>>> from finegrain.tasks import TASKS
>>> spans = TASKS["spans"]
>>> spans.outcomes.names[:3], spans.outcomes["BES"].wording, spans.words.units
(('TP', 'LE', 'BES'), 'too short', 'spans')
>>> str(spans), spans.open, TASKS["tags"].open
('spans', True, False)

Analyses and views know no task by name: they ask ``table.task`` for words, outcomes and defaults.
What takes time to import (alignment, metrics) is a function that loads when it is called, so a
task costs nothing until it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import Problem, UsageError
from finegrain.plugins import Late
from finegrain.sizes import sized
from finegrain.table.outcomes import Outcome, Outcomes

# The fields of a task that are data; functions are found by its name when a table is loaded.
OF_DATA = (
    "name", "summary", "unit", "outcomes", "words", "answers", "compared", "labels_answered",
    "value", "factors", "answer_column",
)  # fmt: skip
Answers = Literal["label", "unit", "number", "text", "list", "none"]


@dataclass(frozen=True, slots=True)
class Words:
    """What units, gold units, labels and contexts are called.

    ``gold``: a gold unit in the title of a table; ``which``: what follows where that needs saying;
    ``context``: what units stand in, empty where a unit is its own context (items); ``also``:
    what an answer has beside its label, if anything (of trees, a head); ``member``: what units are
    made of, if of several things that stand in other units, too (of pairs, a stimulus).
    """

    unit: str = "unit"
    units: str = "units"
    gold: str = "gold unit"
    which: str = ""
    label: str = "label"
    context: str = "sentence"
    also: str = ""
    member: str = ""

    @property
    def contexts(self) -> str:
        """Several contexts: ``sentences``; empty where a unit is its own context."""
        return self.context and f"{self.context}s"

    @property
    def place(self) -> str:
        """Where a unit stands: in its context, or alone."""
        return self.context or self.unit

    @property
    def places(self) -> str:
        return self.contexts or self.units

    @property
    def gold_units(self) -> str:
        """Gold units in sentences: ``gold spans``; items are just items."""
        return f"gold {self.units}" if self.context else self.units

    def of(self, number: int) -> str:
        """What so many units are called."""
        return self.unit if number == 1 else self.units

    def gold_of(self, number: int) -> str:
        """What so many gold units are called, with what needs saying."""
        gold = "gold " if self.context else ""
        return f"{gold}{self.of(number)} {self.which}".rstrip()


class Definition(NamedTuple):
    """How a number is defined, for the page: its name, a sentence, and the source."""

    name: str
    meaning: str
    source: str


class Contents(NamedTuple):
    """What a corpus holds, in words; what is odd about it, and how much more of that there is."""

    summary: str
    oddities: tuple[Problem, ...] = ()
    unlisted: int = 0


PRECISION_RECALL = Definition(
    "Precision, recall, F1",
    "TP / predicted, TP / gold, 2TP / (2TP + FP + FN); a dash where there is nothing to divide by.",
    "van Rijsbergen 1979",
)


def nothing(*_: Any, **__: Any) -> tuple[Any, ...]:
    """No metrics, no fields."""
    return ()


def unparsed(_: str) -> None:
    """No metric is a name with parameters."""


accuracy = Late("finegrain.metrics.unit_scores:default_metrics")
floors = Late("finegrain.alignment.baselines:baseline")


def never(*_: Any) -> bool:
    return False


def _no_names() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """Everything that is special about a task; ``finegrain.testing.check_task`` tests one.

    Parameters
    ----------
    name, summary, unit: as ``finegrain list tasks`` shows them; ``unit``: what is decided, in prose
    outcomes: what a system can have done with a unit
    words: what units, labels and contexts are called
    answers: what ``table.answer`` holds: label codes, rows of units, or nothing that tells answers
        apart (``number``, ``text``, ``list`` stand in columns; ``none``: only right or wrong)
    answer_column: of ``table.details``, what systems answered, as it is shown: texts or numbers
    labels_answered: whether systems choose labels, so that one can be taken for another; the types
        of mentions are facts
    aligner: task, gold corpus, systems and options -> the table
    options: names of the keywords that ``aligner`` takes
    formats: names of the formats that its files have, if not any; the last one is taken if a file
        looks like none of the others
    recognise: corpus and layer -> whether it is a corpus of this task, beyond doubt
    contents: corpus, the gold corpus (or the same one) and options -> what ``check`` says of it;
        default: its units and labels, or how many units a system answers
    same_text: gold and system -> raises if units cannot be compared; default: if they cannot be
        aligned
    check: raises ``ValueError`` for a table that lacks what the task adds to it
    predicted: ``[unit, system]`` which units of a table are a system's own; default: by outcomes
    annotated: ``[unit]`` which rows of a table stand in the gold annotation; default: gold units
    replies: table and rows -> codes that tell whole answers apart; default: ``table.answer``
    word_level: the task as which its units are looked at word by word (``--level token``), if
        there is one; its own name where a word may stand for a part of a unit already
    grounded: the task of systems with items that have no place in the text, if it can have any
    compared: what tells two wrong answers apart in a comparison: the ``answer`` or the ``outcome``
    value: of ``table.values``, the one that units are graded by; empty: they are right or wrong
    factors: of ``table.columns`` or of parts of units, those whose values are drawn as well where
        samples are, such as who rated a unit: intervals are then for other raters too
    members: of ``table.columns``, the names of what a unit is made of, such as both stimuli of a
        pair: they are drawn where samples are, and a unit weighs the product over its members
    holds_systems: whether its files hold all systems beside the gold standard, so that a single
        file is given
    averaged: of ``table.details``, what a vote of systems is the mean of, such as probabilities
    doubted: table -> which gold labels systems contradict with confidence, and by how much
        (``flagged`` ``[unit, system]``, ``margin`` ``[unit]``); ``None`` without probabilities
    rematch: table and ``[unit]`` -> outcome and answer of a system that has exactly these units
    vote: table -> the ``Vote`` of its systems (``majority_vote``) where answers are not labels
    charge: table, samples and focus -> ``[sample, label, system, outcome]``, if errors count for
        other labels than that of the unit
    mark: table and row -> the ``Mark`` of a unit, if that has more than a label and tokens
    pair: table, row and system -> the ``Pair`` of gold and answer, if that has
    excerpt: table and row -> the ``Excerpt`` of a long text of an item around what is marked in it
    drawn_beside: of ``table.parts``, those beside whose ``text`` outputs in words are drawn word by
        word, such as references; empty: answers are drawn as they are
    lists: table and row -> the ``Lists`` that systems have for a unit, where answers are lists
    metrics, further: options -> the metrics that ``score`` computes by default, and if named;
        default: accuracy
    parse: the name of a metric with parameters (``nDCG@10``) -> the metric, or ``None`` if it is no
        such name; a name that is written badly raises ``UsageError``
    studies: what the task looks into beyond the analyses that all tasks share, by name: table and
        ``Drawing`` of intervals -> a ``Study``, or ``None`` where the table has nothing for it
    choices: what can be chosen about its scores: ``focus``, ``weights``, ``schemes``
    score_rows: what the rows of a table of scores are: ``systems``, or ``families`` of metrics
    main: the metric that systems are compared by, if it is not accuracy
    beside: table -> the same where it depends on what systems have
    attributes: what ``buckets`` goes by
    sliced: what ``slices`` searches beside the label; default: ``attributes``
    of_answers: how names of ``table.columns`` begin that hold what systems answer: they are
        attributes only if they are named, as a slice by an answer is wrong or right by its making
    has: what its tables have beyond units, which metrics and attributes may need: ``words``,
        ``texts`` (of items), ``classes`` (of items, one each), ``label_sets`` (an item has any
        number of labels), ``references`` (answers that count as right), ``segments`` (outputs in
        words beside references, all of which score), ``spans`` (units are stretches of a text),
        ``token_units`` (every unit is a token), ``tags`` (and has a label), ``trees`` (heads of
        words), ``chains`` (of mentions), ``training`` (training data say which labels the words
        of a unit have)
    fields: what ``--where`` can ask of its units, by name: table -> codes ``[unit, system]`` and
        their names, or numbers ``[unit, system]``
    notes: what must be known to read the table of an analysis (``errors``, ``confusion``), by name
    sections: what the task adds to the result of an analysis (``errors``), by name: table and
        options -> ``FurtherCounts``
    definitions: of its metrics, for the page
    drawing: how the page draws an instance, with ``brackets``, ``tokens``, ``arcs``,
        ``chains``, or as an ``item`` in one line
    counting: how errors are counted, a sentence for the page; default: each once, by its kind
    baseline: kind, training corpus, gold corpus and how tags are read (keywords) -> the corpus of a
        system without any skill (``--baseline``); default: those of tags and spans
    example: a small gold corpus and systems (name -> corpus) with errors, for tests
    simulate: tokens, seed, systems (name -> weaknesses) and noise as keywords -> a ``Simulation``
    """

    name: str
    summary: str
    unit: str
    outcomes: Outcomes
    words: Words = Words()
    answers: Answers = "label"
    answer_column: str = ""
    labels_answered: bool = True
    aligner: Callable[..., Any] | None = None
    options: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    recognise: Callable[..., bool] = never
    contents: Callable[..., Contents] | None = None
    same_text: Callable[..., Any] | None = None
    check: Callable[..., None] | None = None
    predicted: Callable[..., NDArray[np.bool_]] | None = None
    annotated: Callable[..., NDArray[np.bool_]] | None = None
    replies: Callable[..., NDArray[np.int32]] | None = None
    word_level: str = ""
    grounded: Task | None = None
    compared: Literal["answer", "outcome"] = "answer"
    value: str = ""
    factors: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    holds_systems: bool = False
    averaged: tuple[str, ...] = ()
    doubted: Callable[..., Any] | None = None
    rematch: Callable[..., tuple[NDArray[np.uint8], NDArray[np.int32]]] | None = None
    vote: Callable[..., Any] | None = None
    charge: Callable[..., NDArray[np.int64]] | None = None
    mark: Callable[..., Any] | None = None
    pair: Callable[..., Any] | None = None
    excerpt: Callable[..., Any] | None = None
    drawn_beside: str = ""
    lists: Callable[..., Any] | None = None
    metrics: Callable[..., tuple[Any, ...]] = accuracy
    further: Callable[..., tuple[Any, ...]] = nothing
    parse: Callable[[str], Any] = unparsed
    studies: Mapping[str, Callable[..., Any]] = field(default_factory=_no_names)
    choices: frozenset[str] = frozenset()
    score_rows: Literal["systems", "families"] = "systems"
    main: str = ""
    beside: Callable[..., str] | None = None
    attributes: tuple[str, ...] = ()
    sliced: tuple[str, ...] = ()
    of_answers: str = ""
    has: frozenset[str] = frozenset()
    fields: Mapping[str, Callable[..., Any]] = field(default_factory=_no_names)
    notes: Mapping[str, str] = field(default_factory=_no_names)
    sections: Mapping[str, Callable[..., Any]] = field(default_factory=_no_names)
    definitions: tuple[Definition, ...] = ()
    drawing: str = "tokens"
    example: Callable[[], tuple[Any, Mapping[str, Any]]] | None = None
    simulate: Callable[..., Any] | None = None
    counting: str = ""
    baseline: Callable[..., Any] = floors

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Task {self.name}>"

    @property
    def open(self) -> bool:
        """Whether systems can have units that are not gold, and lack units that are."""
        return any(one.absent for one in self.outcomes)

    @property
    def can_invent(self) -> bool:
        """Whether systems can have what is not gold: a unit, or a label where gold has ``O``."""
        labels_tokens = self.answers == "label" and "token_units" in self.has
        return self.open or labels_tokens

    @property
    def tells_errors_apart(self) -> bool:
        """Whether there are kinds of errors, by outcome or by answer."""
        return self.answers != "none" or len(self.outcomes.errors) > 1

    @property
    def confusable(self) -> bool:
        """Whether one label can be taken for another: a unit is answered with a label or a unit."""
        by_unit = self.answers == "unit" and bool(self.outcomes.near)
        return self.labels_answered and (self.answers == "label" or by_unit)

    @property
    def detects(self) -> bool:
        """Whether systems find units and choose their labels: a label has predicted units."""
        return self.open and self.labels_answered

    @property
    def unanswered(self) -> Outcome | None:
        """The outcome of a unit that a system has no label for, where every unit asks for one."""
        if self.answers != "label" or self.open:
            return None
        return next((one for one in self.outcomes if one.produced == "never"), None)

    @property
    def errs_by_answer(self) -> bool:
        """Whether kinds of errors are wrong answers: nothing else tells them apart."""
        wrong = [one for one in self.outcomes.errors if one.produced != "never"]
        return self.answers == "label" and not self.open and len(wrong) == 1

    def align(self, gold: Any, systems: Any, **options: Any) -> Any:
        """The outcome table of a gold corpus and systems."""
        if self.aligner is None:
            raise UsageError(
                f"the task {self.name} is known from a saved table only: it has no way to align"
            )
        return self.aligner(self, gold, systems, **options)

    def contents_of(self, corpus: Any, model: Any, **options: Any) -> Contents:
        """What a corpus holds; ``model``: the gold corpus, which may be the same."""
        if self.contents is not None:
            return self.contents(corpus, model, **options)
        if corpus is not model:
            table = self.align(model, {"system": corpus}, **options)
            own, other = (codes[table.outcome[:, 0]] for codes in table.outcomes.produced)
            answered = int(np.count_nonzero(np.where(table.is_gold, own, other)))
            return Contents(f"{answered:,} {self.words.of(answered)} answered")
        table = self.align(corpus, {}, **options)
        labels = sized(table.n_labels, "label")
        return Contents(f"{table.n_gold:,} {self.words.of(table.n_gold)} with {labels}")

    def require_same_text(self, gold: Any, system: Any) -> None:
        """Raise if gold and a system cannot be compared."""
        if self.same_text is None:
            self.align(gold, {"system": system})
        else:
            self.same_text(gold, system)

    def default_metrics(self, options: Any = None) -> tuple[Any, ...]:
        """The metrics that ``score`` computes if none is named."""
        return self.metrics(options)

    def all_metrics(self, options: Any = None) -> dict[str, Any]:
        """All metrics of the task by name."""
        every = (*self.metrics(options), *self.further(options))
        return {metric.name: metric for metric in every}

    def main_metric(self, table: Any = None) -> Any:
        """The score that a comparison tells beside accuracy; ``None`` where that is accuracy.

        With a table: of its systems.
        """
        name = self.main or (self.beside(table) if self.beside and table is not None else "")
        return {metric.name: metric for metric in self.metrics(None)}.get(name)

    def first_metric(self) -> Any:
        """The score that systems are ranked by."""
        return self.main_metric() or self.metrics(None)[0]

    def unit_metric(self) -> Any:
        """The score of a part of the units: the main one, unless that is about whole documents."""
        main = self.first_metric()
        if not main.whole_documents:
            return main
        parts = [one for one in self.metrics(None) if not one.whole_documents]
        return next((one for one in parts if one.short == "f1"), parts[0] if parts else main)

    def slice_attributes(self) -> tuple[str, ...]:
        """What ``slices`` searches if nothing is named: the label and what may tell more.

        Fewer than ``buckets`` has, as every further one makes the others harder to find.
        """
        return tuple(dict.fromkeys(("label", *(self.sliced or self.attributes))))
