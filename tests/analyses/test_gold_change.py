"""A corrected gold standard: scores before and after, and the units that moved."""

from __future__ import annotations

import finegrain as fg
from finegrain.analyses.scores.gold_change import GoldChange, gold_change
from finegrain.corpus import Corpus

TEXT = [["in", "New", "York", "City"], ["Ada", "slept"], ["May", "came"]]
OLD = [["O", "B-LOC", "I-LOC", "O"], ["B-PER", "O"], ["B-PER", "O"]]
NEW = [["O", "B-LOC", "I-LOC", "I-LOC"], ["B-PER", "O"], ["O", "O"]]
ANSWER = [["O", "B-LOC", "I-LOC", "I-LOC"], ["O", "O"], ["B-PER", "O"]]


def _change(old: list[list[str]], new: list[list[str]], answer: list[list[str]]) -> GoldChange:
    one, two, system = (Corpus.of(TEXT, tags=tags) for tags in (old, new, answer))
    first, second = fg.align(one, {"s": system}), fg.align(two, {"s": system})
    between = fg.align(one, {"second": two}, task=first.task)
    return gold_change(first, second, between, (fg.score(first), fg.score(second)))


def test_scores_move_and_so_do_the_units_behind_them() -> None:
    """Old: BEL, FN, TP: F1 = 2/(2+1+2) = .4. New: TP, FN and an FP: F1 = 2/(2+1+1) = .5."""
    change = _change(OLD, NEW, ANSWER)
    result = change.to_json()["s"]
    assert result["first"]["traditional"]["f1"] == 0.4
    assert result["second"]["traditional"]["f1"] == 0.5
    assert [(u.change, u.first, u.second, u.outcomes) for u in change.units] == [
        ("BEL", "New York LOC", "New York City LOC", (("BEL", "TP"),)),
        ("FN", "May PER", "", (("TP", ""),)),
    ]


def test_the_same_gold_twice_moves_nothing() -> None:
    change = _change(OLD, OLD, ANSWER)
    assert change.units == ()
    assert set(change.to_json()["s"]["change"].values()) == {0.0}


def test_tags() -> None:
    old = [["A", "B", "B", "B"], ["A", "B"], ["A", "B"]]
    new = [["A", "B", "B", "C"], ["A", "B"], ["A", "B"]]
    change = _change(old, new, new)
    assert [(u.first, u.second, u.outcomes) for u in change.units] == [
        ("City B", "City C", (("WRONG", "CORRECT"),))
    ]
    assert change.to_json()["s"]["change"]["accuracy"] == 1 / 8


def test_listings_show_both_scores_with_the_change() -> None:
    scores, units = _change(OLD, NEW, ANSWER).listings()
    assert scores.rows[0][:4] == ("s", 0.4, 0.5, 0.5 - 0.4)
    assert units.title == "2 units moved"
    assert units.rows[1] == (3, "FN", "May PER", "-", "TP > -")
