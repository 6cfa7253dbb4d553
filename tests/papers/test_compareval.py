"""Tuggener (2017): what the released program finds, and the paper's small examples.

reference/compareval.json is the output of the converted original program on data/compareval.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.corpus import Corpus


@pytest.fixture(scope="module")
def table(shared: Path) -> fg.OutcomeTable:
    folder = shared / "data" / "compareval"
    systems = {f"sys{number}": fg.read(str(folder / f"sys{number}.pos")) for number in (1, 2, 3)}
    return fg.align(fg.read(str(folder / "gold.pos")), systems)


def _by_pair(pairs: list[dict[str, Any]], *fields: str) -> dict[str, int]:
    return {" -> ".join(one[field] for field in fields): one["count"] for one in pairs}


@pytest.mark.parametrize(
    ("a", "b"), [("sys1", "sys2"), ("sys2", "sys1"), ("sys1", "sys3")], ids="-".join
)
def test_every_number_of_the_program(
    table: fg.OutcomeTable, reference: Callable[[str], Any], a: str, b: str
) -> None:
    expected = reference("compareval.json")[f"pos_compare_{a}_{b}"]
    found = fg.difference(table, a, b).to_json()
    assert (found["units"], found["changed"]) == (expected["tokens"], expected["all_changes"])
    assert 100 * found["diff"] == pytest.approx(expected["diff_pct"], abs=1e-12)
    for kind in ("corrections", "new_errors", "changed_errors"):
        assert found[kind]["count"] == expected[kind]
    pairs = {kind: found[kind]["pairs"] for kind in ("corrections", "new_errors", "changed_errors")}
    assert _by_pair(pairs["corrections"], "from", "to") == expected["corrections_by_pair"]
    assert _by_pair(pairs["new_errors"], "from", "to") == expected["new_errors_by_pair"]
    triples = _by_pair(pairs["changed_errors"], "gold", "from", "to")
    assert triples == expected["changed_errors_by_triple"]
    for side, name in (("a", a), ("b", b)):
        right = found["agreement"]["right"][side]
        assert right == expected["correct"][name]
        assert found["accuracy"][side] == right / expected["tokens"]
    assert {
        one["label"]: [one["units"], round(one["a"] * one["units"]), round(one["b"] * one["units"])]
        for one in found["labels"]
    } == expected["per_tag(tag:[gold,correct1,correct2])"]


def test_sentences_without_an_error(
    table: fg.OutcomeTable, reference: Callable[[str], Any]
) -> None:  # fmt: skip
    sentences = fg.difference(table, "sys1", "sys2").to_json()["sentences"]
    expected = [reference("compareval.json")[f"pos_eval_sys{number}"] for number in (1, 2)]
    assert sentences["all"] == expected[0]["all_sents"]
    assert [sentences["a"], sentences["b"]] == [one["correct_sents"] for one in expected]
    assert sentences["b"] - sentences["a"] == sentences["fixed"] - sentences["broken"]


def test_identical_systems_do_not_differ(table: fg.OutcomeTable) -> None:
    """The original program divides by zero here."""
    found = fg.difference(table, "sys1", "sys1").to_json()
    assert (found["changed"], found["diff"]) == (0, 0)
    assert found["corrections"] == {"count": 0, "share_of_changes": None, "pairs": []}


def test_all_pairs_hold_the_same_numbers(table: fg.OutcomeTable) -> None:
    every = fg.differences(table)
    for a, b in (("sys1", "sys2"), ("sys1", "sys3"), ("sys2", "sys3")):
        assert every.pair(a, b).to_json() == fg.difference(table, a, b).to_json()


@pytest.fixture(scope="module")
def of_the_paper() -> fg.OutcomeTable:
    """Table 2 of the paper: the key ABCDE and three responses."""
    rows = {"key": "ABCDE", "S1": "ABCXY", "S2": "ZBCDU", "S3": "ZWCDE"}
    corpora = {name: Corpus.of([list("vwxyz")], tags=[list(row)]) for name, row in rows.items()}
    return fg.align(corpora.pop("key"), corpora, task="tags")


@pytest.mark.parametrize(
    ("pair", "right", "everything"),
    [(("S1", "S2"), 67, 40), (("S2", "S3"), 67, 60), (("S1", "S3"), 33, 20)],
)
def test_overlap_as_in_tables_1_and_2(
    of_the_paper: fg.OutcomeTable, pair: tuple[str, str], right: int, everything: int
) -> None:
    agreement = fg.difference(of_the_paper, *pair).to_json()["agreement"]
    assert round(100 * agreement["right"]["share"]) == right
    assert round(100 * agreement["all"]) == everything
    shared_error = pair == ("S2", "S3")  # Z; of four errors two are this one: 2 * 1 / (2 + 2)
    assert agreement["wrong"]["share"] == (0.5 if shared_error else 0)
