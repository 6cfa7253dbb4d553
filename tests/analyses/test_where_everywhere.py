"""Every analysis takes ``where``, and means by it what ``score`` does."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.restricting import restrict
from finegrain.attributes import ATTRIBUTES
from finegrain.corpus import Corpus
from finegrain.table import OutcomeTable
from tests.analyses.test_where import TASKS, small_table, spans

FEW = 20
ANALYSES: dict[str, Callable[..., Any]] = {
    "score": fg.score,
    "error_types": fg.error_types,
    "confusion": fg.confusion,
    "difference": lambda table, **how: fg.difference(table, *table.systems[:2], **how),
    "differences": fg.differences,
    "oracle": fg.oracle,
    "difficulty": fg.difficulty,
    "features": fg.features,
    "words": fg.words,
    "invented": fg.invented,
    "triage": fg.triage,
    "buckets": lambda table, **how: fg.buckets(table, "sentence_length", **how),
    "diagnose": lambda table, **how: fg.diagnose(table, "sentence_length", **how),
    "significance": lambda table, **how: fg.significance(
        table, resamples=FEW, intervals=FEW, assume_independent=True, **how
    ),
    "seeds": lambda table, **how: fg.seeds(table, resamples=FEW, **how),
    "slices": lambda table, **how: fg.slices(table, fewest=2, resamples=FEW, **how),
}


@cache
def simulated() -> OutcomeTable:
    made = fg.simulate(tokens=3_000, seed=1)
    return fg.align(made.gold, made.systems)


@pytest.mark.parametrize("name", ANALYSES)
def test_the_signature_tells_it(name: str) -> None:
    result = ANALYSES[name](small_table("spans"), where="label=LOC")
    assert "|where:label=LOC|" in result.signature
    assert str(result)
    assert result.to_json()
    assert "where:" not in ANALYSES[name](small_table("spans")).signature


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", ANALYSES)
def test_what_always_holds_changes_nothing(name: str, task: str) -> None:
    if (name, task) in {("confusion", "coreference"), ("significance", "coreference")}:
        pytest.skip("not for chains")
    table = small_table(task)
    if name == "invented" and not table.task.can_invent:
        pytest.skip("nothing can be invented")
    found, whole = ANALYSES[name](table, where="length>0"), ANALYSES[name](table)
    told = json.dumps(found.to_json()).replace("(length>0) and ", "")  # in selections of buckets
    assert told == json.dumps(whole.to_json())
    assert [note for note in found.notes if note not in whole.notes] == []


def test_a_label_is_what_the_other_analyses_say_by_label() -> None:
    table = simulated()
    label = table.labels[0]
    code, where = 0, f"label={label}"
    gold = int(np.count_nonzero(table.is_gold & (table.label == code)))
    hard = fg.difficulty(table, where=where)
    assert int(hard.sizes.sum()) == gold
    whole, part = fg.oracle(table), fg.oracle(table, where=where)
    for measure in ("recall", "f1"):
        assert part.bound(measure).oracle == pytest.approx(whole.bound(measure, label=label).oracle)
    names = table.systems[:2]
    score = fg.difference(table, *names, where=where).score
    expected = fg.score(table, "traditional_f1", where=where)
    by_label = fg.score(table, "traditional_f1")
    assert score is not None
    for value, name in zip((score.one, score.other), names, strict=True):
        assert value == pytest.approx(expected.value("traditional_f1", name))
        assert value == pytest.approx(by_label.value("traditional_f1", name, label=label))


@pytest.mark.parametrize("metric", ["traditional_f1", "type_f1", "fair_f1"])
def test_scores_of_other_analyses_are_those_of_score(metric: str) -> None:
    table, where = simulated(), "label=PER"
    expected = fg.score(table, metric, where=where).overall[metric]
    tested = fg.significance(table, metric, resamples=FEW, intervals=FEW, where=where)
    assert np.allclose(tested.values, expected)
    found = fg.buckets(table, "label", metric=metric, where=where)
    assert np.allclose(found.attributes[0].overall, expected)
    diagnosed = fg.diagnose(table, "entity_length", metric=metric, where=where)
    assert np.allclose(diagnosed.overall, expected)


def test_partners_are_kept() -> None:
    """Ada is a person taken for a place, as in all units; a table without LOC would not know it."""
    both = Corpus.of(
        [["Ada", "met", "Bob", "in", "New", "York", "City"]],
        tags=[["B-PER", "O", "B-PER", "O", "B-LOC", "I-LOC", "I-LOC"]],
    )
    table = spans()
    assert fg.difficulty(table, where="gold=PER").sizes.tolist() == [[2, 0]]
    pair = fg.align(both, {"s": Corpus.of(
        [["Ada", "met", "Bob", "in", "New", "York", "City"]],
        tags=[["B-LOC", "B-PER", "O", "O", "B-LOC", "I-LOC", "O"]],
    ), "gold": both})  # fmt: skip
    found = fg.difference(pair, "s", "gold", where="gold=PER")
    told = {(one.before, one.after, one.count) for one in found.changes("correction")}
    assert told == {("LE", "TP", 1), ("FN", "TP", 1)}
    suspects = fg.triage(table, at_least=1, where="gold=PER").units()
    answers = {one.text: one.answer and one.answer.label for one in suspects}
    assert answers == {"Ada": "LOC", "Bob": None}
    assert "(gold=PER) and" in found.selection("correction", found.changes("correction")[0])


@pytest.mark.parametrize("task", TASKS)
def test_attributes_are_about_all_units(task: str) -> None:
    """The label before a token, or how full a sentence is, does not depend on what is chosen."""
    table = small_table(task)
    part = restrict(table, "sentence=1")
    rows = part.columns["row before"]
    for attribute in ATTRIBUTES.values():
        if attribute.needs_training or not attribute.applies_to(table.task):
            continue
        if attribute.level == "token" and table.task.open:
            continue
        whole, own = attribute.values(table), attribute.values(part)
        if isinstance(whole, np.ndarray):
            assert np.array_equal(whole[rows], own, equal_nan=True)  # type: ignore[arg-type]
        else:
            assert (whole.codes[rows] == own.codes).all()  # type: ignore[union-attr]


def test_metrics_that_need_whole_documents() -> None:
    table = small_table("coreference")
    found = fg.difference(table, *table.systems[:2], where="length=1")
    assert found.score is None
    assert any("is left out: it needs whole documents" in note for note in found.notes)
    with pytest.raises(fg.UsageError, match="needs whole documents, which the selection"):
        fg.seeds(table, where="length=1")
