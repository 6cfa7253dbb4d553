"""Columns of strings are compared and coded exactly, whatever the bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain.corpus import Coded, Texts, texts
from finegrain.corpus.texts import PADDING, Coder, smallest_type

# Strings that tempt a comparison by words of eight bytes: lengths around 8 and 16, equal
# prefixes, zero bytes that look like padding, characters of two to four bytes.
TRICKY = [
    "", "\0", "\0\0", "a", "a\0", "\0a",
    "1234567", "12345678", "123456789", "12345678\0", "1234567\0",
    "12345678abcdefgh12345678", "12345678ABCDEFGH12345678", "12345678abcdefgh12345678x",
    "12345678abcdefgh", "12345678abcdefgH", "12345678abcdefghi", "12345678abcdefgh\0",
    "ä", "ää", "äääää", "日本語", "日本", "𝔘𝔫𝔦", "𝔘𝔫𝔦x",
]  # fmt: skip

# No surrogates: they have no UTF-8. The small alphabet makes equal strings and prefixes likely.
strings = st.one_of(
    st.sampled_from(TRICKY),
    st.text(alphabet="ab\0ä", max_size=20),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20),
)


def coded_by_dictionary(values: list[str]) -> tuple[tuple[str, ...], list[int]]:
    names = tuple(sorted(set(values)))
    return names, [names.index(value) for value in values]


def first_difference_by_loop(one: list[str], two: list[str]) -> int | None:
    # the shorter list decides how many rows both have
    pairs = enumerate(zip(one, two, strict=False))
    return next((row for row, (left, right) in pairs if left != right), None)


def test_strings_come_back_as_they_went_in() -> None:
    column = Texts.of(TRICKY)
    assert len(column) == len(TRICKY)
    assert [column[row] for row in range(len(TRICKY))] == TRICKY
    assert column.slice(1, 4) == ["\0", "\0\0", "a"]


def test_every_pair_of_tricky_strings_is_told_apart() -> None:
    for one in TRICKY:
        for two in TRICKY:
            expected = None if one == two else 0
            assert Texts.of([one]).first_difference(Texts.of([two])) == expected, (one, two)


def test_tricky_strings_get_one_code_each() -> None:
    coded = Texts.of(TRICKY * 2).coded()
    assert coded.names == tuple(sorted(TRICKY))
    assert list(coded) == TRICKY * 2


@pytest.mark.parametrize(
    ("one", "two", "row"),
    [
        (["a", "b"], ["a", "b"], None),
        (["a", "b"], ["a", "c"], 1),
        (["a", "b"], ["a"], None),  # rows that only one has are not compared
        ([], ["a"], None),
        (["same prefix, then x"], ["same prefix, then y"], 0),
        (["12345678abcdefgh12345678"], ["12345678abcdeFgh12345678"], 0),  # only the middle
        (["12345678"], ["123456789"], 0),  # a word of eight bytes is equal
        (["12345678"], ["12345678\0"], 0),  # and so is the padded second word
        (["x", ""], ["x", "\0"], 1),
    ],
)
def test_first_difference_by_hand(one: list[str], two: list[str], row: int | None) -> None:
    assert Texts.of(one).first_difference(Texts.of(two)) == row


def test_strings_are_compared_where_they_stand_in_their_buffers() -> None:
    # "be" stands at byte 2 of one buffer and at byte 5 of the other, with other bytes around it
    one = Texts(bytearray(b"tobe" + bytes(PADDING)), np.array([2]), np.array([2]))
    two = Texts(bytearray(b"maybebut" + bytes(PADDING)), np.array([3]), np.array([2]))
    assert one.first_difference(two) is None


@given(st.lists(strings, max_size=30))
def test_coding_equals_coding_by_dictionary(values: list[str]) -> None:
    coded = Texts.of(values).coded()
    assert (coded.names, coded.codes.tolist()) == coded_by_dictionary(values)


@given(st.lists(strings, max_size=30))
def test_coding_in_small_blocks_changes_nothing(values: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "_BLOCK", 3)
        coded = Texts.of(values).coded()
    assert (coded.names, coded.codes.tolist()) == coded_by_dictionary(values)


@given(st.lists(strings, max_size=12), st.lists(strings, max_size=12))
def test_first_difference_equals_a_loop(one: list[str], two: list[str]) -> None:
    assert Texts.of(one).first_difference(Texts.of(two)) == first_difference_by_loop(one, two)


@given(st.text(alphabet="ab", min_size=1, max_size=60), st.data())
def test_one_changed_character_makes_another_string(word: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(word) - 1))
    changed = word[:place] + "c" + word[place + 1 :]
    assert Texts.of(["x", word]).first_difference(Texts.of(["x", changed])) == 1
    assert list(Texts.of([word, changed, word]).coded()) == [word, changed, word]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "_hash", constant_hash)
        assert list(Texts.of([word, changed, word]).coded()) == [word, changed, word]


@given(st.lists(strings, min_size=1, max_size=12), st.data())
def test_one_changed_string_is_found_across_blocks(values: list[str], data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(values) - 1))
    changed = [*values[:row], values[row] + "\0", *values[row + 1 :]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "_BLOCK", 2)
        assert Texts.of(values).first_difference(Texts.of(changed)) == row
        assert Texts.of(values).first_difference(Texts.of(values)) is None


def constant_hash(loader: object, starts: np.ndarray, *rest: object) -> np.ndarray:
    return np.zeros(len(starts), np.uint64)


@given(st.lists(strings, max_size=30))
def test_when_all_hashes_collide_coding_is_still_right(values: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "_hash", constant_hash)
        coded = Texts.of(values).coded()
    assert (coded.names, coded.codes.tolist()) == coded_by_dictionary(values)


def test_a_collision_in_a_later_block_keeps_the_codes_of_earlier_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hash_by_length(
        loader: object, starts: np.ndarray, lengths: np.ndarray, *rest: object
    ) -> np.ndarray:
        return lengths.astype(np.uint64)

    monkeypatch.setattr(texts, "_hash", hash_by_length)
    monkeypatch.setattr(texts, "_BLOCK", 2)
    # blocks: (a, bb) no collision; (a, cc) cc has the hash of bb; (bb, d) after the collision
    coded = Texts.of(["a", "bb", "a", "cc", "bb", "d"]).coded()
    assert coded.names == ("a", "bb", "cc", "d")
    assert coded.codes.tolist() == [0, 1, 0, 2, 1, 3]


def test_the_coder_falls_back_to_a_dictionary_only_after_a_collision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    column = Texts.of(["to", "be", "to"])
    plain = Coder(column.buffer, capacity=3)
    plain.add(column.starts, column.lengths)
    assert plain._dictionary is None
    monkeypatch.setattr(texts, "_hash", constant_hash)
    colliding = Coder(column.buffer, capacity=3)
    colliding.add(column.starts, column.lengths)
    assert colliding._dictionary == {b"to": 0, b"be": 1}
    assert list(colliding.finish()) == ["to", "be", "to"]


@pytest.mark.parametrize(
    "values",
    [
        ["12345678abcdefgh12345678", "12345678abcdeFgh12345678"],  # only the middle differs
        ["12345678abc", "12345678abd"],  # the first eight bytes and the length are equal
        ["12345678", "87654321"],
        ["a", "a\0"],
        ["", "\0"],
    ],
)
def test_colliding_strings_that_look_alike_keep_their_own_codes(
    values: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "_hash", constant_hash)
    assert list(Texts.of(values).coded()) == values


def test_no_strings_have_no_names() -> None:
    coded = Texts.of([]).coded()
    assert (len(coded), coded.names) == (0, ())
    assert Texts.of([]).first_difference(Texts.of([])) is None


def test_coded_of_sorts_names_and_counts_them() -> None:
    coded = Coded.of(["O", "B", "O", ""])
    assert coded.names == ("", "B", "O")
    assert coded.codes.tolist() == [2, 1, 2, 0]
    assert coded.counts().tolist() == [1, 1, 2]
    assert (len(coded), coded[1], list(coded)) == (4, "B", ["O", "B", "O", ""])


def test_a_name_that_never_occurs_is_counted_as_zero() -> None:
    assert Coded(np.array([1, 1]), ("a", "b", "c")).counts().tolist() == [0, 2, 0]


@pytest.mark.parametrize(
    ("size", "kind"),
    [(1, np.uint8), (256, np.uint8), (257, np.uint16), (65536, np.uint16), (65537, np.int32)],
)
def test_codes_take_the_smallest_type_that_holds_them(size: int, kind: type) -> None:
    assert smallest_type(size) is kind


@pytest.mark.parametrize("size", [256, 257])
def test_codes_do_not_wrap_around_at_the_limit_of_a_type(size: int) -> None:
    values = [f"{number:04}" for number in range(size)]
    assert list(Texts.of(values).coded()) == values
    assert list(Coded.of(values)) == values
