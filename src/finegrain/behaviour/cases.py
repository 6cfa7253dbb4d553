"""The inputs of a suite, in cases: a text alone, or versions of one that belong together.

>>> from finegrain.behaviour.suite import BehaviourSuite
>>> suite = BehaviourSuite.of({"labels": ["neg", "pos"], "tests": [
...     {"name": "names", "capability": "fairness", "kind": "inv", "vary": "first_name",
...      "template": "{first_name} liked it.", "number": 1, "versions": 3}]})
>>> case, = cases_of(suite, seed=1)
>>> [one.fields["text"] for one in case.inputs]
['Njeri liked it.', 'Jiří liked it.', 'Mehmet liked it.']
>>> case.inputs[0].id.split("-")[1:]
['1', '1', '1']

Ids begin with a fingerprint of all texts, so that predictions for another version of the suite are
not mistaken for answers.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from finegrain.behaviour.suite import BehaviourSuite, BehaviourTest
from finegrain.behaviour.templates import Filled, Marked, Template
from finegrain.perturbations.item_fields import rewritten_text, words_of
from finegrain.perturbations.perturbation import Draw, Text


@dataclass(frozen=True, slots=True)
class Input:
    """What is asked: an id, the fields of the input, the values of slots, spans expected in it."""

    id: str
    fields: Mapping[str, str]
    fills: Mapping[str, str]
    spans: tuple[Marked, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, **self.fields}


@dataclass(frozen=True, slots=True)
class Case:
    """Inputs that are judged together: one, or a text (the first) and its versions."""

    test: BehaviourTest
    inputs: tuple[Input, ...]


def cases_of(suite: BehaviourSuite, *, seed: int = 1) -> list[Case]:
    """All cases; the same suite and seed give the same ones."""
    found = [
        replace(case, inputs=tuple(
            replace(one, id=f"{place}-{number}-{version}")
            for version, one in enumerate(case.inputs, 1)
        ))
        for place, test in enumerate(suite.tests, 1)
        for number, case in enumerate(_of_test(suite, test, seed), 1)
    ]  # fmt: skip
    texts = [[one.to_json() for one in case.inputs] for case in found]
    mark = hashlib.sha256(json.dumps([suite.name, texts]).encode()).hexdigest()[:8]
    return [
        replace(case, inputs=tuple(replace(one, id=f"{mark}-{one.id}") for one in case.inputs))
        for case in found
    ]


def _of_test(suite: BehaviourSuite, test: BehaviourTest, seed: int) -> Iterator[Case]:
    patterns = max(len(one) for one in test.template.values())
    share = [test.number // patterns + (at < test.number % patterns) for at in range(patterns)]
    for at, number in enumerate(share):
        joined = _joined(test.template, at)
        changed = _joined(test.becomes, at) if test.becomes else ""
        template = Template.of(joined, suite.lexicons)
        both = Template.of(joined + changed, suite.lexicons)
        drawn = both if changed else template
        for filled in drawn.sample(number, seed=seed):
            base = template.filled(filled.fills)
            versions = [base, *_versions(suite, test, template, base, seed)]
            if changed:
                versions.append(Template.of(changed, suite.lexicons).filled(filled.fills))
            inputs = tuple(_input(test, at, one) for one in versions)
            if len(inputs) > 1 or test.kind == "mft":
                yield Case(test, inputs)


_BETWEEN = "\x1f"  # fields of one input are filled together


def _joined(fields: Mapping[str, tuple[str, ...]], at: int) -> str:
    return _BETWEEN.join(own[at % len(own)] for own in fields.values())


def _input(test: BehaviourTest, at: int, filled: Filled) -> Input:
    del at
    texts = filled.text.split(_BETWEEN)
    fields = dict(zip(test.template, texts, strict=True))
    return Input("", fields, filled.fills, filled.spans)


def _versions(
    suite: BehaviourSuite, test: BehaviourTest, template: Template, base: Filled, seed: int
) -> Iterator[Filled]:
    """Other versions of a text that must be answered in the same way."""
    if test.perturb is not None:
        for version in range(1, test.versions):
            made = _perturbed(test, base, seed + version)
            if made.text != base.text:
                yield made
        return
    if test.kind != "inv":
        return
    del suite
    draw = random.Random(f"{seed}\x00{base.text}")
    seen = {base.text}
    for _ in range(50 * test.versions):
        if len(seen) == test.versions:
            return
        fills = {
            **base.fills, **{slot: draw.choice(template.values[slot]) for slot in test.vary}
        }  # fmt: skip
        made = template.filled(fills)
        if made.text not in seen and not template.repeats(fills):
            seen.add(made.text)
            yield made


def _perturbed(test: BehaviourTest, base: Filled, seed: int) -> Filled:
    """The text after a perturbation; field by field."""
    one = test.perturb
    if one is None or one.words is None:
        return base
    rate = one.rate if test.rate is None else test.rate
    made = []
    for text in base.text.split(_BETWEEN):
        edits = list(one.words(Text(words_of(text)), Draw(rate, seed, one.name, text)))
        made.append(rewritten_text(text, edits))
    return Filled(_BETWEEN.join(made), base.fills)
