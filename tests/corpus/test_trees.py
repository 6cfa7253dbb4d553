"""Faults of trees: every cycle of a sentence is told, and only once."""

from __future__ import annotations

from finegrain.corpus import Corpus
from finegrain.corpus.trees import sentence_faults


def faults(*sentences: list[int]) -> list[tuple[int, str]]:
    return sentence_faults(
        Corpus.of(
            [["w"] * len(one) for one in sentences],
            head=[[str(head) for head in one] for one in sentences],
            deprel=[["dep"] * len(one) for one in sentences],
        )
    )


def test_every_cycle_is_told_once() -> None:
    # 1 and 2, 3 and 4 are cycles; 6 hangs on 5, the root; 7 hangs on 4, below the second cycle
    assert faults([2, 1, 4, 3, 0, 5, 4]) == [
        (0, "a cycle: 1 -> 2 -> 1"),
        (2, "a cycle: 3 -> 4 -> 3"),
    ]


def test_words_before_a_cycle_do_not_hide_another_one() -> None:
    # 1 leads to the cycle of 3 and 4; 2 is its own head; the second sentence has one of three words
    assert faults([3, 2, 4, 3, 0], [2, 3, 1, 0]) == [
        (1, "a cycle: 2 -> 2"),
        (2, "a cycle: 3 -> 4 -> 3"),
        (5, "a cycle: 1 -> 2 -> 3 -> 1"),
    ]
