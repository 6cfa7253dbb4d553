"""Dependency scores equal those of the shared task's scorer, to the last digit.

data/dependency: EWT with three parsers on gold words, and submissions to the CoNLL 2017 shared task
that tokenise for themselves; data/pos: taggers. The values are those of the scorer of the
Universal Dependencies (the CoNLL 2018 scorer with later additions).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.corpus import Corpus

SYSTEMS = {
    "dependency/ewt": ("spacy-cnn1", "spacy-cnn4", "udpipe"),
    "dependency/conll17-en": ("Stanford", "IMS", "conll17-baseline"),
    "dependency/conll17-en_pud": (
        "Stanford", "C2L2", "IMS", "HIT-SCIR", "UFAL-UDPipe-1-2", "conll17-baseline", "MetaRomance",
    ),
    "pos/ewt": ("crf", "nltk-bigram", "nltk-perceptron", "spacy-cnn1", "spacy-cnn4", "udpipe"),
}  # fmt: skip
CASES = [(folder, system) for folder, systems in SYSTEMS.items() for system in systems]
KINDS = ("precision", "recall", "f1", "aligned_accuracy")


@lru_cache
def _gold(path: Path) -> Corpus:
    return fg.read(str(path))


@pytest.mark.parametrize(("folder", "system"), CASES)
def test_every_value_of_the_scorer(shared: Path, folder: str, system: str) -> None:
    data = shared / "data" / folder
    expected = json.loads((data / "reference.json").read_text())["systems"][system]
    expected = expected.get("udtools_eval", expected)
    answer = fg.read(str(data / f"system-{system}.conllu.gz"))
    table = fg.align(_gold(data / "gold.conllu.gz"), {system: answer}, task="dependencies")
    found = fg.score(table).to_json()[system]["overall"]
    for name, values in expected.items():
        for kind in KINDS:
            if values[kind] is not None:
                assert found[name.lower()][kind] == pytest.approx(values[kind], abs=1e-15), (
                    name,
                    kind,
                )


@pytest.mark.parametrize("folder", SYSTEMS)
def test_gold_against_itself_is_perfect(shared: Path, folder: str) -> None:
    gold = _gold(shared / "data" / folder / "gold.conllu.gz")
    table = fg.align(gold, {"gold": gold}, task="dependencies")
    values = fg.score(table).to_json()["gold"]["overall"]
    parts = [list(one.values()) if isinstance(one, dict) else [one] for one in values.values()]
    assert {one for part in parts for one in part} == {1.0}


# The released program counts labels with their subtypes, in lower case; without punctuation.
AS_RELEASED = {"subtypes": "keep", "case": "fold", "punctuation": "remove"}


@lru_cache
def _compared(folder: Path, punctuation: str = "remove") -> fg.OutcomeTable:
    corpora = {
        name: fg.read(str(folder / f"{name}.conllx")) for name in ("gold", "sys1", "sys2", "sys3")
    }
    options = {**AS_RELEASED, "punctuation": punctuation}
    return fg.align(corpora.pop("gold"), corpora, task="dependencies", **options)


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "data" / "compareval"


def _by_pair(pairs: list[dict[str, Any]], *fields: str) -> dict[str, int]:
    return {" -> ".join(one[field] for field in fields): one["count"] for one in pairs}


@pytest.mark.parametrize("skip", [True, False])
def test_difference_of_tuggener(
    folder: Path, reference: Callable[[str], Any], *, skip: bool
) -> None:
    expected = reference("compareval.json")[f"dep_compare_sys1_sys2_skip_punct_{skip}"]
    found = fg.difference(_compared(folder, "remove" if skip else "keep"), "sys1", "sys2").to_json()
    assert (found["units"], found["changed"]) == (expected["tokens"], expected["all_changes"])
    assert 100 * found["diff"] == pytest.approx(expected["diff_pct"], abs=1e-12)
    for kind in ("corrections", "new_errors", "changed_errors"):
        assert found[kind]["count"] == expected[kind]
    assert _by_pair(found["corrections"]["pairs"], "from", "to") == expected["corrections_by_pair"]
    assert _by_pair(found["new_errors"]["pairs"], "from", "to") == expected["new_errors_by_pair"]
    triples = _by_pair(found["changed_errors"]["pairs"], "gold", "from", "to")
    assert triples == expected["changed_errors_by_triple"]
    for side, name in (("a", "sys1"), ("b", "sys2")):
        assert found["agreement"]["right"][side] == expected["correct"][name]


@pytest.mark.parametrize("metric", ["LAS", "UAS", "LS"])
@pytest.mark.parametrize("system", ["sys1", "sys2", "sys3"])
def test_scores_of_tuggener(
    folder: Path, reference: Callable[[str], Any], system: str, metric: str
) -> None:
    expected = reference("compareval.json")[f"dep_eval_{system}_{metric}"]
    found = fg.score(_compared(folder)).to_json()[system]["overall"]
    name = metric.lower()
    assert found[name]["recall"] == expected["correct"] / expected["cases"]
    assert found[f"sentence_{name}"] == expected["correct_sents"] / expected["all_sents"]


def test_oracle_of_tuggener(folder: Path, reference: Callable[[str], Any]) -> None:
    expected = reference("compareval.json")["dep_upper_bound_123"]
    found = fg.oracle(_compared(folder)).to_json()
    overall, sentences = found["overall"], found["sentences"]
    assert (overall["correct"], overall["units"]) == (expected["correct"], expected["tokens"])
    assert sentences["sentences"] == expected["all_sents"]
    covered = expected["correct_sents"] / expected["all_sents"]
    assert sentences["every_unit_covered"] == pytest.approx(covered, abs=1e-15)
    labels = {name: [one["correct"], one["units"]] for name, one in found["labels"].items()}
    assert {name: one for name, one in labels.items() if one[1]} == expected["per_label"]
