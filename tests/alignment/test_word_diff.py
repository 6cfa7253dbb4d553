"""Outputs word by word beside references and beside each other, in the terminal and on the page."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.alignment.word_diff import compared, pieces
from finegrain.table import OutcomeTable
from finegrain.testing import small_corpora
from tests.conftest import Run


@pytest.fixture(scope="module")
def table() -> OutcomeTable:
    return fg.align(*small_corpora("generation"), task="generation")


def test_pieces_give_both_texts_back() -> None:
    draw = random.Random(3)
    for _ in range(200):
        one, two = ([draw.choice("abcd") for _ in range(draw.randint(0, 12))] for _ in range(2))
        found = compared(one, two)
        first = " ".join(piece.text for piece in found if piece.kind != "inserted").split()
        second = " ".join(piece.text for piece in found if piece.kind != "deleted").split()
        assert (first, second) == (one, two)
        kinds = [piece.kind for piece in found]
        assert all(one != other for one, other in pairwise(kinds))


def test_the_nearest_reference_is_beside_an_output(table: OutcomeTable) -> None:
    found = pieces(table, 3, 0)  # "He sells the salt and wool ."
    assert found is not None
    assert " ".join(one.told for one in found) == "He sells {+the+} salt and wool ."
    between = pieces(table, 0, 1, 0)
    assert between is not None
    told = " ".join(one.told for one in between)
    assert told == "[-The-] {+A+} mill [-was built-] in 1843 [-.-]"


def test_show_has_them_in_words_and_in_json(run: Run, tmp_path: Path) -> None:
    made = run("simulate", "t", "--task", "generation", "--tokens", "600")
    assert made.returncode == 0, made.stderr
    files = ("t/gold.jsonl", "t/neural.jsonl", "t/pruner.jsonl")
    where = "outcome[pruner]=SHORT and outcome[neural]=SOUND"
    shown = run("show", *files, "-q", "--where", where)
    assert "[-" in shown.stdout
    assert "pruner beside neural: " in shown.stdout
    found = json.loads(run("show", *files, "--where", where, "--format", "json").stdout)
    unit = found["result"]["units"][0]
    assert unit["systems"]["pruner"]["pieces"][-1]["kind"] != "same"
    assert unit["between"]


def test_other_tasks_have_none() -> None:
    shown = fg.show(fg.align(*small_corpora("qa"), task="qa"))
    assert all(answer.pieces is None for unit in shown.units() for answer in unit.answers)
