"""Whether answers to the inputs of a case are as they should be.

>>> from finegrain.behaviour.cases import cases_of
>>> from finegrain.behaviour.suite import BehaviourSuite
>>> suite = BehaviourSuite.of({"labels": ["neg", "pos"], "tests": [
...     {"name": "plain", "capability": "vocabulary", "kind": "mft", "number": 2,
...      "template": "It is {positive}.", "expect": "pos"}]})
>>> cases = cases_of(suite)
>>> answers = {case.inputs[0].id: Answer("pos") for case in cases}
>>> [judged.failed for judged in judge(suite, cases, answers)]
[False, False]
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from finegrain.alignment.answer_texts import normalised
from finegrain.behaviour.cases import Case, Input
from finegrain.behaviour.suite import BehaviourSuite, BehaviourTest
from finegrain.behaviour.templates import Marked


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system says of an input: a label or text, probabilities of labels, spans."""

    label: str = ""
    probabilities: Mapping[str, float] = field(default_factory=dict)
    spans: tuple[Marked, ...] = ()

    def told(self, inputs: Input) -> str:
        """The answer in words: ``pos (0.91)``, ``PER: Ada, LOC: Rome``."""
        if self.spans:
            text = next(iter(inputs.fields.values()))
            return ", ".join(f"{one.label}: {text[one.start : one.end]}" for one in self.spans)
        known = self.probabilities.get(self.label)
        return f"{self.label or '(none)'}{'' if known is None else f' ({known:.2f})'}"


@dataclass(frozen=True, slots=True)
class Judged:
    """A case, the answers to its inputs, and which of the inputs fail.

    Of a case with versions, the inputs that are answered in another way than most fail, or, where
    the first is the text that was changed, the versions that are not as they should be beside it.
    """

    case: Case
    answers: tuple[Answer, ...]
    failing: tuple[bool, ...]

    @property
    def failed(self) -> bool:
        return any(self.failing)


def judge(
    suite: BehaviourSuite, cases: Sequence[Case], answers: Mapping[str, Answer]
) -> list[Judged]:
    """All cases with their verdicts."""
    found = []
    for case in cases:
        own = tuple(answers[one.id] for one in case.inputs)
        found.append(Judged(case, own, tuple(_failing(suite, case, own))))
    return found


def _failing(suite: BehaviourSuite, case: Case, answers: Sequence[Answer]) -> list[bool]:
    test = case.test
    if callable(test.expect):
        return [
            not test.expect(answer, one) for answer, one in zip(answers, case.inputs, strict=True)
        ]
    if test.kind == "mft":
        pairs = zip(answers, case.inputs, strict=True)
        return [not _expected(suite, test, answer, one) for answer, one in pairs]
    if test.kind == "inv":
        return _uneven(suite, case, answers)
    moved = [_as_directed(suite, test, answers[0], other) for other in answers[1:]]
    return [False, *(not one for one in moved)]


def _expected(suite: BehaviourSuite, test: BehaviourTest, answer: Answer, one: Input) -> bool:
    if suite.answers == "entities":
        return {*answer.spans} == {*one.spans}
    expected = [] if callable(test.expect) else [_filled(text, one) for text in test.expect]
    if suite.answers == "text":
        return normalised(answer.label) in [normalised(text) for text in expected]
    return answer.label in expected


def _filled(text: str, one: Input) -> str:
    """What is expected may name slots, such as the first of two names."""
    for slot, value in one.fills.items():
        text = text.replace(f"{{{slot}}}", value)
    return text


def _uneven(suite: BehaviourSuite, case: Case, answers: Sequence[Answer]) -> list[bool]:
    """Versions that are answered in another way: than the text itself, or than most of them."""
    test = case.test
    told = [
        _signature(suite, answer, one) for answer, one in zip(answers, case.inputs, strict=True)
    ]
    usual = told[0]
    if test.perturb is None:
        counts = Counter(told)
        usual = max(told, key=lambda one: (counts[one], -told.index(one)))
    same = [one == usual for one in told]
    if test.tolerance and suite.answers == "label":
        base = answers[same.index(True)]
        same = [
            fits and all(
                abs(answer.probabilities.get(label, 0.0) - p) <= test.tolerance
                for label, p in base.probabilities.items()
            )
            for fits, answer in zip(same, answers, strict=True)
        ]  # fmt: skip
    return [not one for one in same]


def _signature(suite: BehaviourSuite, answer: Answer, one: Input) -> object:
    """What must be the same: the label; of spans, their labels and which expected ones they are."""
    if suite.answers == "entities":
        places = {(span.start, span.end): at for at, span in enumerate(one.spans)}
        return tuple((span.label, places.get((span.start, span.end), -1)) for span in answer.spans)
    return normalised(answer.label) if suite.answers == "text" else answer.label


def _as_directed(suite: BehaviourSuite, test: BehaviourTest, old: Answer, new: Answer) -> bool:
    """Whether the answer moves where it should."""
    direction = "" if callable(test.expect) else test.expect[0]
    if direction in ("changes", "same"):
        return (old.label != new.label) == (direction == "changes")
    change = _height(suite, test, new) - _height(suite, test, old)
    slack = test.tolerance + 1e-9
    if math.isnan(change):
        return False
    if direction == "higher":
        return change > slack
    if direction == "lower":
        return change < -slack
    return change <= slack if direction == "not higher" else change >= -slack


def _height(suite: BehaviourSuite, test: BehaviourTest, answer: Answer) -> float:
    """The probability of a label, or the mean place in the list of labels."""
    if test.of:
        given = answer.probabilities.get(test.of)
        return float(answer.label == test.of) if given is None else given
    if answer.probabilities:
        return sum(
            place * answer.probabilities.get(label, 0.0) for place, label in enumerate(suite.labels)
        )
    return float(suite.labels.index(answer.label)) if answer.label in suite.labels else math.nan
