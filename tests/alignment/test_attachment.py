"""Where words with a wrong head hang: every place by hand, and invariances."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.alignment.attachment import PLACES, attached, attachments
from finegrain.corpus import Corpus
from tests.alignment.test_dependencies import cuttings

WORDS = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
RELATIONS = ["dep"] * 9
# a hangs on b, b on e, c on b, d on b, e is the root, f on e, g on f, h on i, i on e
GOLD = [2, 5, 2, 2, 0, 5, 6, 9, 5]
# a on e (its grandparent), b on c (its child), c on d (a sibling), d on the root, e right,
# f on i (a sibling), g on b (elsewhere), h nowhere, i right
WRONG = [5, 3, 4, 0, 0, 9, 2, -1, 5]
EXPECTED = [
    "grandparent",
    "child",
    "sibling",
    "root",
    None,
    "sibling",
    "elsewhere",
    "nowhere",
    None,
]


def trees(head: list[int]) -> Corpus:
    said = ["_" if number < 0 else str(number) for number in head]
    return Corpus.of([WORDS], head=[said], deprel=[RELATIONS])


def aligned() -> fg.OutcomeTable:
    return fg.align(trees(GOLD), {"s": trees(WRONG), "same": trees(GOLD)})


def test_every_place_by_hand() -> None:
    codes = attached(aligned())
    assert [PLACES[code] if code >= 0 else None for code in codes[:, 0]] == EXPECTED
    assert (codes[:, 1] == -1).all()


def test_a_word_that_is_its_own_head_hangs_on_no_sibling() -> None:
    own = trees([1, *GOLD[1:]])  # a on a
    code = attached(fg.align(trees(GOLD), {"own": own}))[0, 0]
    assert PLACES[code] == "elsewhere"


def test_sides_and_distances_by_hand() -> None:
    """Both heads are words for a, b, c, f and g.

    a: 2 -> 5, both to its right, 3 words apart; b: 5 -> 3, both right, 2; c: 2 -> 4, left and
    right, 2; f: 5 -> 9, left and right, 4; g: 6 -> 2, both left, 4
    """
    found = attachments(aligned()).to_json(0)
    assert found["wrong"] == 7
    assert found["other_side"] == 2
    assert found["moved"] == {"1": 0, "2-3": 3, "4-7": 2, "8+": 0}


def test_errors_tell_them_and_selections_find_them() -> None:
    table = aligned()
    errors = fg.error_types(table)
    heads = errors.to_json()["s"]["heads"]
    assert heads["attached"]["sibling"] == 2
    assert fg.select(table, "attached[s]=sibling").begin.tolist() == [2, 5]
    assert fg.select(table, "attached[s]=none").begin.tolist() == [4, 8]
    assert "Wrong heads: where words are attached instead" in str(errors)


def test_more_than_so_many_words_by_hand() -> None:
    """Heads move by 3 (a), 2 (b), 2 (c), 4 (f) and 4 (g) words; c and f are between their heads."""
    table = aligned()
    heads = fg.error_types(table, moved=2).to_json()["s"]["heads"]
    assert heads["moved"] == {"1-2": 2, "3+": 3}
    assert fg.error_types(table, moved=1).to_json()["s"]["heads"]["moved"] == {"1": 0, "2+": 5}
    assert "1-2" in str(fg.error_types(table, moved=2))
    assert fg.select(table, "moved[s] > 2").begin.tolist() == [0, 5, 6]
    assert fg.select(table, "moved > 3").begin.tolist() == [5, 6]  # of some system
    assert fg.select(table, "moved[same] >= 0").begin.tolist() == []
    assert fg.select(table, "moved[s] = none").begin.tolist() == [
        3,
        4,
        7,
        8,
    ]  # root, right, nowhere
    assert fg.select(table, "other_side[s]").begin.tolist() == [2, 5]
    assert fg.select(table, "other_side[s] = no").begin.tolist() == [0, 1, 6]
    assert fg.select(table, "moved = moved[s]").begin.tolist() == list(range(9))


def test_moved_is_of_trees_and_from_one_word_on() -> None:
    with pytest.raises(fg.UsageError, match="moved is a number of words from 1 on, not 0"):
        fg.error_types(aligned(), moved=0)
    noun, verb = (Corpus.of([["a"]], tags=[[tag]]) for tag in "NV")
    tags = fg.align(noun, {"s": verb}, task="tags")
    with pytest.raises(fg.UsageError, match="only heads of trees move"):
        fg.error_types(tags, moved=3)
    with pytest.raises(fg.UsageError, match="'moved' is for dependencies, not for tags"):
        fg.select(tags, "moved > 3")


@given(cuttings(), cuttings(), st.integers(1, 12))
@settings(max_examples=40, deadline=None)
def test_what_is_counted_as_moved_is_what_is_selected(gold: Corpus, system: Corpus, k: int) -> None:
    table = fg.align(gold, {"s": system}, task="dependencies")
    counts = attachments(table, moved=k).to_json(0)
    assert list(counts["moved"].values()) == [
        len(fg.select(table, f"moved <= {k}")), len(fg.select(table, f"moved > {k}"))
    ]  # fmt: skip
    assert sum(counts["moved"].values()) == sum(attachments(table).to_json(0)["moved"].values())
    assert counts["other_side"] == len(fg.select(table, "other_side"))


@given(cuttings(), cuttings())
@settings(max_examples=40, deadline=None)
def test_every_wrong_head_has_one_place(gold: Corpus, system: Corpus) -> None:
    table = fg.align(gold, {"s": system}, task="dependencies")
    counts = attachments(table).to_json(0)
    assert counts["wrong"] == int(table.is_outcome("HEAD", "BOTH").sum())
    assert sum(counts["attached"].values()) == counts["wrong"]
    assert sum(counts["moved"].values()) <= counts["wrong"]
