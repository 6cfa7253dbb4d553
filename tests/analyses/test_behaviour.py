"""Behavioural tests: planted faults of a rule-based sentiment program are found, and no others."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from finegrain.analyses.trust.behaviour import Behaviour, behaviour
from finegrain.behaviour import Answer, BehaviourSuite, cases_of, read_suite
from finegrain.behaviour.suite import STARTERS
from finegrain.behaviour.templates import Marked, Template
from finegrain.errors import InputError, UsageError
from finegrain.perturbations.lexicons import LEXICONS, groups_of, listed
from finegrain.resampling.proportions import enriched, exact_interval
from finegrain.views.text_formats import as_json
from tests.schema import require_schema

Program = Callable[[str], str]
GOOD, BAD = {*listed("positive"), "loved", "liked", "recommended"}, {*listed("negative")}


def sound(text: str) -> str:
    """Counts words of both polarities in any case; not turns the polarity of what follows."""
    score, turned = 0, False
    for word in text.lower().replace("n't", " not").replace("can't", "not").split():
        bare = word.strip(".,!?'")
        if bare in ("but", "now"):
            score = 0
        if bare == "not":
            turned = True
        if bare in GOOD or bare in BAD:
            score += (1 if bare in GOOD else -1) * (-1 if turned else 1)
            turned = False
    return "positive" if score > 0 else "negative" if score < 0 else "neutral"


def deaf_to_not(text: str) -> str:
    return sound(text.lower().replace("not ", "").replace("n't", ""))


def biased(text: str) -> str:
    """Sound, but for names that are common in Nigeria and Ghana."""
    origins = groups_of("first_name")
    mine = {name for name, groups in origins.items() if {"Nigeria", "Ghana"} & {*groups}}
    return "negative" if mine & {*text.replace(",", " ").split()} else sound(text)


def _scored(suite: BehaviourSuite, programs: dict[str, Program], **choices: object) -> Behaviour:
    cases = cases_of(suite)
    answers = {
        name: {one.id: Answer(program(one.fields["text"])) for case in cases for one in case.inputs}
        for name, program in programs.items()
    }
    return behaviour(suite, cases, answers, **choices)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def sentiment() -> BehaviourSuite:
    suite = read_suite("sentiment")
    return replace(suite, tests=tuple(one for one in suite.tests if one.name != "typing errors"))


def _failing(found: Behaviour, system: str) -> set[str]:
    return {one.test for one in found.tests if one.system == system and one.failed}


def test_planted_faults_are_found_and_no_others(sentiment: BehaviourSuite) -> None:
    programs = {"sound": sound, "deaf": deaf_to_not, "biased": biased}
    found = _scored(sentiment, programs)
    assert _failing(found, "sound") == set()
    assert _failing(found, "deaf") == {"negated positive adjectives", "negated negative adjectives"}
    assert _failing(found, "biased") >= {"names of persons"}
    deaf = {(one.capability, one.kind): one for one in found.rates if one.system == "deaf"}
    assert deaf["negation", "mft"].value == 1.0
    assert deaf["vocabulary", "mft"].failed == 0


def test_biased_names_are_reported_and_none_otherwise(sentiment: BehaviourSuite) -> None:
    found = _scored(sentiment, {"sound": sound, "deaf": deaf_to_not, "biased": biased})
    assert {one.system for one in found.biased} == {"biased"}
    groups = {one.fill for one in found.biased if one.is_group and one.test == "names of persons"}
    assert groups == {"Nigeria", "Ghana"}
    origins = groups_of("first_name")
    names = {one.fill for one in found.biased if not one.is_group and one.slot == "first_name"}
    assert all({"Nigeria", "Ghana"} & {*origins[name]} for name in names)


def test_rules_fail_where_they_should(sentiment: BehaviourSuite) -> None:
    rules = ["negation.mft fails > 5 %", "any fails >= 101", "vocabulary fails > 0"]
    found = _scored(sentiment, {"deaf": deaf_to_not}, rules=rules)
    failed = {(one.rule, one.group) for one in found.checks if one.failed}
    assert ("negation.mft fails > 5 %", "negation.mft") in failed
    assert not found.passed
    assert _scored(sentiment, {"sound": sound}, rules=rules[:1] + rules[2:]).passed
    with pytest.raises(UsageError, match="unknown capability 'negatoin'"):
        _scored(sentiment, {"sound": sound}, rules=["negatoin fails > 1"])


def test_json_keeps_to_the_schema(sentiment: BehaviourSuite) -> None:
    found = _scored(sentiment, {"deaf": deaf_to_not, "biased": biased}, rules=["any fails > 5 %"])
    document = json.loads(as_json(found, command="finegrain behave"))
    require_schema(document, "behaviour")
    assert document["result"]["biased"]
    assert document["result"]["failures"][0]["answers"]


def test_directions_are_those_of_probabilities() -> None:
    suite = BehaviourSuite.of({
        "labels": ["neg", "pos"],
        "tests": [{
            "name": "more", "capability": "degree", "kind": "dir", "number": 4, "tolerance": 0.1,
            "template": "It is {positive}.", "becomes": "It is very {positive}.",
            "expect": "not lower",
        }],
    })  # fmt: skip
    cases = cases_of(suite)
    for after, failed in ((0.85, 0), (0.75, 4), (0.95, 0)):
        answers = {}
        for case in cases:
            for one, p in zip(case.inputs, (0.9, after), strict=True):
                answers[one.id] = Answer("pos", {"pos": p, "neg": 1 - p})
        (rate,) = behaviour(suite, cases, {"s": answers}).rates
        assert rate.failed == failed


def test_spans_are_expected_where_templates_mark_them() -> None:
    suite = read_suite("ner")
    cases = cases_of(suite)
    right = {one.id: Answer(spans=one.spans) for case in cases for one in case.inputs}
    found = behaviour(suite, cases, {"right": right})
    assert sum(one.failed for one in found.rates if one.capability != "robustness") == 0
    (first, *_) = [case for case in cases if case.test.name == "full names and places"]
    for span in first.inputs[0].spans:
        assert not {"[", "]", "("} & {*first.inputs[0].fields["text"][span.start : span.end]}
    none = {name: replace(answer, spans=()) for name, answer in right.items()}
    lost = {one.test: one.failed for one in behaviour(suite, cases, {"none": none}).tests}
    assert (lost["full names and places"], lost["no entities"]) == (100, 0)


@pytest.mark.parametrize("name", STARTERS)
def test_starter_suites_are_sound(name: str) -> None:
    suite = read_suite(name)
    cases = cases_of(suite)
    ids = [one.id for case in cases for one in case.inputs]
    assert len(set(ids)) == len(ids)
    assert {case.test.name for case in cases} == {test.name for test in suite.tests}
    assert not any(
        "{" in text for case in cases for one in case.inputs for text in one.fields.values()
    )
    again = [one.id for case in cases_of(suite, seed=1) for one in case.inputs]
    assert again == ids
    assert ids[0] != cases_of(suite, seed=2)[0].inputs[0].id


def test_combinations_are_counted_and_sampled() -> None:
    names = {"first_name": LEXICONS["first_name"]().keys()}
    template = Template.of(" ".join(f"{{first_name{at}}}" for at in range(9)), {
        name: tuple(own) for name, own in names.items()
    })  # fmt: skip
    assert template.size > 10**20
    found = list(template.sample(50, seed=1))
    assert len({one.text for one in found}) == 50
    assert all(len(set(one.text.split())) == 9 for one in found)
    few = Template.of("{thing}", {"thing": ["a", "b", "c"]})
    assert sorted(one.text for one in few.sample(50, seed=1)) == ["a", "b", "c"]


def test_articles_and_marks() -> None:
    lexicons = {"job": ["actor"], "who": ["Ada"]}
    filled = next(Template.of("[{who}](PER) is {a:job}.", lexicons).sample(1, seed=1))
    assert (filled.text, filled.spans) == ("Ada is an actor.", (Marked(0, 3, "PER"),))


def test_proportions_worked_by_hand() -> None:
    """3 of 10 (Clopper and Pearson): .0667 to .6525; 2 of 2 failures in a group of 2 of 4: 1/6."""
    assert exact_interval(3, 10) == pytest.approx((0.0667, 0.6525), abs=1e-4)
    assert exact_interval(10, 10)[1] == 1.0
    assert enriched(2, 2, 2, 4) == pytest.approx(1 / 6)
    assert enriched(0, 2, 2, 4) == pytest.approx(1.0)


TEST = {"name": "t", "capability": "c", "kind": "mft", "template": "{positive}", "expect": "a"}
FAULTS = {
    "there are no tests": {"tests": []},
    "unknown kind 'mtf'. Did you mean 'mft'?": {"tests": [{**TEST, "kind": "mtf"}]},
    "unknown lexicon 'postive'": {"tests": [{**TEST, "template": "{postive}"}]},
    "there is no capability": {"tests": [{k: v for k, v in TEST.items() if k != "capability"}]},
    "the label 'a' is not among labels": {"labels": ["x"], "tests": [TEST]},
    "another test has this name": {"tests": [TEST, TEST]},
    "either vary or perturb": {"tests": [{**TEST, "kind": "inv"}]},
    "what is not a slot of the template: ['x']": {"tests": [{**TEST, "kind": "inv", "vary": "x"}]},
    "unknown perturbation 'tipos'": {"tests": [{**TEST, "kind": "inv", "perturb": "tipos"}]},
    "says what the text becomes": {"tests": [{**TEST, "kind": "dir"}]},
    "unknown key 'expects'": {"tests": [{**TEST, "expects": "a"}]},
    "number is a whole number": {"tests": [{**TEST, "number": 0}]},
}


@pytest.mark.parametrize("what", FAULTS)
def test_faults_of_suites_are_told(what: str) -> None:
    with pytest.raises(InputError) as error:
        BehaviourSuite.of(FAULTS[what], "s.toml")
    assert what in str(error.value)
    assert "s.toml" in str(error.value)


def test_a_folder_of_the_same_name_does_not_hide_a_shipped_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``finegrain list`` reads all of them, wherever it is started."""
    (tmp_path / "qa").mkdir()
    monkeypatch.chdir(tmp_path)
    assert read_suite("qa").tests
