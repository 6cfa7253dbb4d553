"""Behavioural tests (Ribeiro et al. 2020): failure rates, biased fill-ins, examples.

>>> from finegrain.behaviour.cases import cases_of
>>> from finegrain.behaviour.judging import Answer
>>> from finegrain.behaviour.suite import BehaviourSuite
>>> suite = BehaviourSuite.of({"labels": ["neg", "pos"], "tests": [
...     {"name": "not good", "capability": "negation", "kind": "mft", "number": 10,
...      "template": "It is not {positive}.", "expect": "neg"}]})
>>> cases = cases_of(suite)
>>> found = behaviour(suite, cases, {"fool": {case.inputs[0].id: Answer("pos") for case in cases}})
>>> found.rates[0].failed, found.rates[0].n, [round(end, 2) for end in found.rates[0].ends]
(10, 10, [0.69, 1.0])

A case is a text, or a text with its versions; it fails if an answer to one of them does. Cases are
drawn independently from their templates, so that exact intervals hold for all texts of a template,
also where no case fails. Whether some fill-ins (names, say) fail more often than the others of a
test is asked of every value, and of every group of values, with Fisher's exact test, corrected
(Holm) for all of them and all systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from finegrain.analyses.listing import Listing
from finegrain.analyses.result import Printed
from finegrain.analyses.trust import behaviour_listings, behaviour_rules
from finegrain.behaviour.cases import Case
from finegrain.behaviour.judging import Answer, Judged, judge
from finegrain.behaviour.suite import BehaviourSuite, BehaviourTest
from finegrain.behaviour.templates import lexicon_of
from finegrain.errors import UsageError
from finegrain.perturbations.lexicons import groups_of
from finegrain.resampling import many
from finegrain.resampling.intervals import LEVEL
from finegrain.resampling.proportions import enriched, exact_interval
from finegrain.version import __version__

FEWEST = 5  # inputs with a fill-in, below which it is not tested


class Rate(NamedTuple):
    """How many of ``n`` cases fail; ``test`` is empty for all tests of a capability and kind."""

    system: str
    capability: str
    kind: str
    test: str
    failed: int
    n: int
    ends: tuple[float, float]

    @property
    def value(self) -> float:
        return self.failed / self.n if self.n else float("nan")


class Bias(NamedTuple):
    """A value of a slot, or a group of values, whose inputs fail more often than others."""

    system: str
    test: str
    slot: str
    fill: str
    failed: int
    n: int
    rest_failed: int
    rest: int
    p: float
    is_group: bool


class Failure(NamedTuple):
    """A case that fails: its texts, the answers to them, and which of them fail."""

    system: str
    test: str
    texts: tuple[str, ...]
    answers: tuple[str, ...]
    failing: tuple[bool, ...]
    expected: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Behaviour(Printed):
    """Failure rates by capability and kind, and by test; what is biased; examples; rules."""

    suite: str
    systems: tuple[str, ...]
    level: float
    rates: tuple[Rate, ...]
    tests: tuple[Rate, ...]
    biased: tuple[Bias, ...]
    tested: int
    failures: tuple[Failure, ...]
    checks: tuple[behaviour_rules.Checked, ...]
    n_cases: int
    n_inputs: int
    signature: str
    notes: tuple[str, ...]

    @property
    def task(self) -> str:
        """No task of a table: a suite has expectations of its own."""
        return "behaviour"

    @property
    def passed(self) -> bool:
        return not any(one.failed for one in self.checks)

    def to_json(self) -> dict[str, Any]:
        return behaviour_listings.to_json(self)

    def listings(self) -> tuple[Listing, ...]:
        return behaviour_listings.listings(self)

    def records(self) -> Listing:
        return behaviour_listings.records(self)


def behaviour(
    suite: BehaviourSuite,
    cases: Sequence[Case],
    answers: Mapping[str, Mapping[str, Answer]],
    *,
    rules: Sequence[str] = (),
    examples: int = 3,
    confidence: float = LEVEL,
    seed: int = 1,
) -> Behaviour:
    """Failure rates of systems on the cases of a suite.

    Parameters
    ----------
    answers: system -> id of an input -> its answer
    rules: when a system does not pass: ``negation.mft fails > 5 %``
    examples: how many failing cases are shown of each test and system
    confidence: of intervals; a fill-in is biased if its corrected p is at most 1 - confidence
    seed: that the cases were drawn with, for the signature
    """
    if not answers:
        raise UsageError("there are no predictions to score")
    if not 0 < confidence < 1:
        raise UsageError(f"confidence is a number between 0 and 1, not {confidence:g}")
    judged = {name: judge(suite, cases, own) for name, own in answers.items()}
    rates = tuple(_rates(judged, confidence, by_test=False))
    tested = [bias for name, own in judged.items() for bias in _fills(name, own)]
    adjusted = many.holm([one.p for one in tested])
    biased = [
        one._replace(p=p)
        for one, p in zip(tested, adjusted, strict=True)
        if p <= 1 - confidence + 1e-12
    ]
    inputs = sum(len(case.inputs) for case in cases)
    said = f"suite:{suite.name}|tests:{len(suite.tests)}|cases:{len(cases)}|inputs:{inputs}"
    return Behaviour(
        suite.name,
        tuple(answers),
        confidence,
        rates,
        tuple(_rates(judged, confidence, by_test=True)),
        tuple(sorted(biased, key=lambda one: (one.system, one.p, -one.failed, one.fill))),
        len(tested),
        tuple(_failures(judged, examples)),
        behaviour_rules.check_rules(rules, rates),
        len(cases),
        inputs,
        f"{said}|systems:{len(answers)}|confidence:{confidence:g}|seed:{seed}|v:{__version__}",
        tuple(_without_cases(suite, cases)),
    )


def _without_cases(suite: BehaviourSuite, cases: Sequence[Case]) -> Iterator[str]:
    having = {case.test.name for case in cases}
    for test in suite.tests:
        if test.name not in having:
            yield f"{test.name}: its texts have no other versions, so there are no cases"


def _rates(
    judged: Mapping[str, Sequence[Judged]], level: float, *, by_test: bool
) -> Iterator[Rate]:
    """Rates in the order of the suite, for all systems one after the other."""
    for name, own in judged.items():
        groups: dict[tuple[str, str, str], list[Judged]] = {}
        for one in own:
            test = one.case.test
            key = (test.capability, str(test.kind), test.name if by_test else "")
            groups.setdefault(key, []).append(one)
        for key, members in groups.items():
            failed, n = sum(one.failed for one in members), len(members)
            yield Rate(name, *key, failed, n, exact_interval(failed, n, level=level))


def _fills(system: str, judged: Sequence[Judged]) -> Iterator[Bias]:
    """Every value of a slot, and every group of values, with its p."""
    by_test: dict[str, list[Judged]] = {}
    for one in judged:
        by_test.setdefault(one.case.test.name, []).append(one)
    for test, own in by_test.items():
        rows = [
            (one.fills, failing)
            for member in own
            for one, failing in zip(member.case.inputs, member.failing, strict=True)
        ]
        total, failures = len(rows), sum(failing for _, failing in rows)
        for (slot, fill, is_group), counts in _counted(rows).items():
            k, n = counts
            if FEWEST <= n <= total - FEWEST:
                p = enriched(k, n, failures, total)
                yield Bias(system, test, slot, fill, k, n, failures - k, total - n, p, is_group)


def _counted(
    rows: Sequence[tuple[Mapping[str, str], bool]],
) -> dict[tuple[str, str, bool], tuple[int, int]]:
    """Lexicon and value, or group -> failing inputs, inputs."""
    found: dict[tuple[str, str, bool], tuple[int, int]] = {}
    for fills, failing in rows:
        keys = set()
        for slot, value in fills.items():
            lexicon = lexicon_of(slot)
            keys.add((lexicon, value, False))
            keys |= {(lexicon, group, True) for group in groups_of(lexicon).get(value, ())}
        for key in keys:
            k, n = found.get(key, (0, 0))
            found[key] = k + failing, n + 1
    return dict(sorted(found.items()))


def _failures(judged: Mapping[str, Sequence[Judged]], examples: int) -> Iterator[Failure]:
    for name, own in judged.items():
        shown: dict[str, int] = {}
        for one in own:
            test = one.case.test
            if not one.failed or shown.get(test.name, 0) >= examples:
                continue
            shown[test.name] = shown.get(test.name, 0) + 1
            pairs = zip(one.answers, one.case.inputs, strict=True)
            yield Failure(
                name,
                test.name,
                tuple(" | ".join(asked.fields.values()) for asked in one.case.inputs),
                tuple(answer.told(asked) for answer, asked in pairs),
                one.failing,
                _expected(test),
            )


def _expected(test: BehaviourTest) -> str:
    if callable(test.expect):
        return "as its function says"
    if test.kind == "inv":
        return "the same answer"
    return " or ".join(test.expect) or "the marked spans"
