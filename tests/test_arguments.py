"""Wrong arguments of public functions are named, with what is expected."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from typing import Any, get_type_hints

import numpy as np
import pytest

import finegrain as fg
from finegrain.arguments import fits

TABLE = fg.from_lists([["B-PER", "O"]], {"a": [["B-PER", "O"]], "b": [["O", "O"]]})
FUNCTIONS = [name for name in fg.__all__ if inspect.isfunction(getattr(fg, name))]


class Strange:
    """Nothing that any function takes."""


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fg.score("gold.conll"), "score: table takes an outcome table .*'gold.conll'"),
        (lambda: fg.align("gold.conll", {}), "align: gold takes a corpus .*fg.read"),
        (lambda: fg.score(TABLE, 3), r"score: metric takes str, Metric, .*None, not 3 \(int\)"),
        (lambda: fg.score(TABLE, [3]), r"score: metric takes .*not \[3\] \(list\)"),
        (lambda: fg.score(TABLE, intervals="many"), "score: intervals takes int, not 'many'"),
        (lambda: fg.buckets(TABLE, train="train.conll"), "buckets: train takes a corpus"),
        (lambda: fg.difference(TABLE, 1, 2), r"difference: a takes str or None, not 1 \(int\)"),
        (lambda: fg.read(3), r"read: path takes str or a path, not 3 \(int\)"),
        (lambda: fg.evaluate("gold.conll", "a.conll"), "evaluate: systems takes Mapping"),
        (lambda: fg.agreement("gold.conll"), "agreement: given takes an outcome table"),
        (lambda: fg.crowd([("w", "i", "l")]), "crowd: given takes labels of workers"),
        (lambda: fg.ground(["a"], "text", schema="PER"), "ground: schema takes"),
        (lambda: fg.diagnose(TABLE, preset=3), r"diagnose: preset takes str or None, not 3"),
    ],
)
def test_a_wrong_argument_is_named(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(fg.UsageError, match=message):
        call()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_refuses_what_its_first_argument_cannot_be(name: str) -> None:
    function = getattr(fg, name)
    parameter = next(iter(inspect.signature(function).parameters.values()))
    anything = fits(Strange(), get_type_hints(function).get(parameter.name, Any))
    if anything or parameter.kind is parameter.KEYWORD_ONLY:
        pytest.skip(f"{name} takes anything first, or nothing")
    given: list[Any] = [Strange()] * sum(
        one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD
        for one in inspect.signature(function).parameters.values()
    )
    with pytest.raises(fg.UsageError, match=f"{name}: {parameter.name} takes .*Strange"):
        function(*(given or [Strange()]))


def test_a_misspelt_keyword_is_told_apart() -> None:
    with pytest.raises(TypeError, match=r"score\(\) got an .* 'metrics'. Did you mean 'metric'?"):
        fg.score(TABLE, metrics=["f1"])  # type: ignore[call-arg]  # what is tested


def test_a_missing_argument_names_the_function() -> None:
    with pytest.raises(TypeError, match=r"score\(\): missing a required argument: 'table'"):
        fg.score()  # type: ignore[call-arg]  # what is tested


def test_numbers_of_numpy_are_numbers() -> None:
    scores = fg.score(TABLE, intervals=np.int64(10), beta=np.float32(1))  # type: ignore[arg-type]
    assert scores["a"].f1 == 1


def test_functions_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(fg.score)) is fg.score  # noqa: S301 - our own


def test_results_are_sequences_of_their_numbers() -> None:
    errors = fg.error_types(TABLE)
    rows = list(errors)
    assert len(rows) == len(errors) > 0
    assert {"system": "b", "label": "PER", "type": "FN", "count": 1} in rows
    triage = fg.triage(TABLE)
    assert len(triage) == 0
    assert triage  # nothing was found, and that is a result


def test_scores_are_mappings() -> None:
    scores = fg.score(TABLE)
    assert list(scores) == ["a", "b"]
    assert len(scores) == 2
