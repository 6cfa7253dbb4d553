"""Behavioural tests in one call: a suite, and functions that answer.

>>> import finegrain as fg
>>> def gloomy(texts): return ["negative"] * len(texts)
>>> found = fg.behave("sentiment", {"gloomy": gloomy}, rules=["negation.mft fails > 5 %"])
>>> found.passed, [(one.test, one.failed, one.n) for one in found.tests][:2]
(False, [('positive adjectives', 100, 100), ('negative adjectives', 0, 100)])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from finegrain.analyses.trust.behaviour import Behaviour, behaviour
from finegrain.behaviour import BehaviourSuite, cases_of, read_suite
from finegrain.behaviour.predictions import answered, read

Answering = Callable[[list[Any]], Sequence[Any]]


def behave(
    suite: str | BehaviourSuite,
    systems: Mapping[str, Answering | str],
    *,
    rules: Sequence[str] = (),
    examples: int = 3,
    confidence: float = 0.95,
    seed: int = 1,
) -> Behaviour:
    """Run behavioural tests (CheckList) on systems.

    Parameters
    ----------
    suite: a TOML file, ``module:NAME``, a shipped suite (``sentiment``, ``ner``, ``nli``, ``qa``),
        or a ``BehaviourSuite``
    systems: name -> a function that takes all texts (dictionaries where inputs have several fields)
        and gives as many answers, labels or dictionaries; or the path of a file of predictions
    rules: when a system does not pass: ``negation.mft fails > 5 %``
    examples: how many failing cases are shown of each test and system
    confidence: of intervals; a fill-in is biased if its corrected p is at most 1 - confidence
    seed: the same seed gives the same inputs
    """
    chosen = read_suite(suite) if isinstance(suite, str) else suite
    cases = cases_of(chosen, seed=seed)
    inputs = [one for case in cases for one in case.inputs]
    answers = {
        name: read(one, inputs) if isinstance(one, str) else answered(name, one, inputs)
        for name, one in systems.items()
    }
    return behaviour(
        chosen, cases, answers, rules=rules, examples=examples, confidence=confidence, seed=seed
    )
