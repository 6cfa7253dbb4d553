"""Fu, Liu and Neubig (2020): attributes and buckets of WNUT16 against independent programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.alignment.entity_tokens import entity_tokens
from finegrain.analyses.explain.buckets import Buckets

Reference = Callable[[str], Any]
Compute = Callable[..., Buckets]
EIGHT = (
    "entity_length", "sentence_length", "entity_density", "oov_density",
    "entity_frequency", "token_frequency", "entity_consistency", "token_consistency",
)  # fmt: skip
BY_CASE = EIGHT[3:]
IN_PRESET = {
    "eLen": "entity_length", "sLen": "sentence_length", "eDen": "entity_density",
    "oDen": "oov_density", "tCon": "token_consistency",
}  # fmt: skip


@pytest.fixture(scope="module")
def bucketed(shared: Path) -> Compute:
    folder = shared / "data" / "ner" / "wnut16"
    gold, train, flair, elmo = (
        fg.read(str(folder / f"{name}.txt.gz"))
        for name in ("test", "train", "system-flair", "system-elmo")
    )
    table = fg.align(gold, {"flair": flair, "elmo": elmo})
    made: dict[str, Buckets] = {}

    def compute(**choices: Any) -> Buckets:
        key = repr(choices)
        if key not in made:
            made[key] = fg.buckets(table, train=train, **choices)
        return made[key]

    return compute


def _same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Borders, sizes and scores are those of the reference."""
    assert found["names"] == expected["bucket_names"]
    assert found["gold_sizes"] == expected["gold_sizes"]
    assert found["values"] == expected["values"]
    assert found["edges"] == expected["edges"]
    assert found["zeta"] == pytest.approx(expected["zeta"], rel=1e-12)
    assert found["rho"] == pytest.approx(expected["rho"])
    assert found["level"] == ("token" if expected["level"] == "token" else "unit")
    assert found["buckets"] == expected["buckets"]
    for name, theirs in expected["systems"].items():
        ours = found["systems"][name]
        assert ours["predicted_sizes"] == theirs["predicted_sizes"]
        assert ours["correct"] == theirs["true_positives"]
        for metric in ("precision", "recall", "f1", "spearman", "std"):
            assert ours[metric] == pytest.approx(theirs[metric], abs=1e-12), metric


@pytest.mark.parametrize("name", EIGHT)
def test_the_eight_attributes(bucketed: Compute, reference: Reference, name: str) -> None:
    expected = reference("attributes_wnut16.json")["attributes"][name]
    _same(bucketed().to_json()[name], expected)


@pytest.mark.parametrize("name", BY_CASE)
def test_attributes_that_tell_case_apart(
    bucketed: Compute, reference: Reference, name: str
) -> None:
    expected = reference("attributes_wnut16.json")["variant_case_sensitive"][name]
    _same(bucketed(fold_case=False).to_json()[name], expected)


@pytest.mark.parametrize(("short", "name"), IN_PRESET.items())
def test_the_released_programs_buckets(
    bucketed: Compute, reference: Reference, short: str, name: str
) -> None:
    """Its own code, with the mistakes of METHODS mended: no carry-over, no lost predictions."""
    expected = reference("interpreteval_wnut16.json")["bugs_fixed"]["wnut16"]
    found = bucketed(preset="interpreteval").to_json()[name]
    for system, theirs in (("flair", expected["Flair"]), ("elmo", expected["ELMo"])):
        ours, parts = found["systems"][system], theirs[short]["buckets"]
        assert found["gold_sizes"] == [one["n_gold"] for one in parts]
        assert ours["predicted_sizes"] == [one["n_pred"] for one in parts]
        assert ours["correct"] == [one["tp"] for one in parts]
        assert ours["f1"] == pytest.approx([one["f1"] for one in parts])


def test_f1_of_all_units_is_the_papers(bucketed: Compute) -> None:
    """One bucket is the corpus: 45.96 and 45.33."""
    found = bucketed(by=["sentence_length"], buckets=1).to_json()["sentence_length"]
    assert [round(100 * one["f1"][0], 2) for one in found["systems"].values()] == [45.96, 45.33]


def _training_of_figure_3() -> fg.Corpus:
    """Training data in which New York has the figure's values, which its own data gave.

    New York stands 15 times, 8 times as a place: .53. York stands 50 times, 30 times in a place
    (8 and 22 alone): .6; New 186 times, 56 times in a place (8 and 48 in New Zealand): .3. Of
    71,429 tokens these are 2.6E-3 and .7E-3; 8 of 57,143 entities are 1.4E-4.
    """
    parts = [
        (8, ["New", "York"], ["B-LOC", "I-LOC"]),
        (7, ["New", "York"], ["O", "O"]),
        (22, ["York"], ["B-LOC"]),
        (50 - 15 - 22, ["York"], ["O"]),
        (48, ["New", "Zealand"], ["B-LOC", "I-LOC"]),
        (186 - 15 - 48, ["New"], ["O"]),
        (1, ["Life", "in", "is", "fun", "."], ["O"] * 5),
        (57_143 - 8 - 22 - 48, ["Ada"], ["B-PER"]),
    ]
    rest = 71_429 - sum(times * len(words) for times, words, _ in parts)
    parts.append((rest, ["and"], ["O"]))
    text = [words for times, words, _ in parts for _ in range(times)]
    return fg.Corpus.of(text, tags=[tags for times, _, tags in parts for _ in range(times)])


def test_figure_3() -> None:
    """New York in "Life in New York is fun .": all eight attributes, two digits each."""
    text = [["Life", "in", "New", "York", "is", "fun", "."]]
    gold = fg.Corpus.of(text, tags=[["O", "O", "B-LOC", "I-LOC", "O", "O", "O"]])
    table, train = fg.align(gold, {"same": gold}), _training_of_figure_3()
    of_entity = [name for name in EIGHT if not name.startswith("token_")]
    found = fg.annotate(table, of_entity, train=train).columns
    assert {name: f"{values[0]:.2g}" for name, values in found.items()} == {
        "entity_length": "2", "sentence_length": "7", "entity_density": "0.29", "oov_density": "0",
        "entity_frequency": "0.00014", "entity_consistency": "0.53",
    }  # fmt: skip
    of_tokens = ["token_frequency", "token_consistency"]
    found = fg.annotate(entity_tokens(table), of_tokens, train=train).columns
    assert {name: [f"{value:.2g}" for value in values] for name, values in found.items()} == {
        "token_frequency": ["0.0026", "0.0007"], "token_consistency": ["0.3", "0.6"],
    }  # fmt: skip
