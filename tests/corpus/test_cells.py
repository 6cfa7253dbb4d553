"""Columns are coded when they are asked for, and hold what an eager reader would hold."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from finegrain.corpus.cells import Layers, taken
from finegrain.corpus.texts import Texts
from finegrain.formats import conllu
from finegrain.formats.source import source_of

LINE = "{}\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t0\troot\t_\tSpaceAfter=No\n"


def test_nothing_is_coded_before_it_is_asked_for() -> None:
    corpus = conllu.read(source_of("f", (LINE.format(1) + LINE.format(2)).encode()))
    layers = corpus.layers
    assert isinstance(layers, Layers)
    assert not layers._coded
    assert list(layers["tags"]) == ["NOUN", "NOUN"]
    assert list(layers._coded) == ["upos"]
    assert layers["tags"] is layers["upos"]
    assert corpus.further is not None
    assert corpus.further.texts("misc")[1] == "SpaceAfter=No"
    assert corpus.further.stretch("head", "deps")[0] == "0\troot\t_"
    assert list(taken(layers, np.array([1]))["feats"]) == ["Number=Plur"]


def test_a_long_cell_has_room() -> None:
    """Ends are kept in one byte while they are small; 254 to 257 are where that ends."""
    for size in (240, 253, 254, 255, 256, 70_000):
        line = LINE.format(1).replace("dogs", "x" * size)
        corpus = conllu.read(source_of("f", line.encode()))
        assert corpus.further is not None
        found = [corpus.further.texts(name)[0] for name in corpus.further.columns]
        assert found == line.rstrip("\n").split("\t")[1:]


words = st.text("ab", max_size=40)


@given(st.lists(st.tuples(words, words)))
def test_strings_are_compared_exactly(rows: list[tuple[str, str]]) -> None:
    one, two = Texts.of(row[0] for row in rows), Texts.of(row[1] for row in rows)
    assert one.differ(two).tolist() == [first != second for first, second in rows]
    same = Texts.of(row[0] for row in reversed(rows))  # elsewhere in another buffer
    assert not one.differ(same.take(np.arange(len(rows))[::-1])).any()


@given(st.lists(st.text("0123456789_ x", max_size=11)))
def test_numbers_are_those_of_digits_only(strings: list[str]) -> None:
    expected = [int(s) if s.isdecimal() and len(s) <= 9 else -1 for s in strings]
    assert Texts.of(strings).numbers(digits=9).tolist() == expected
    assert Texts.of(strings).are("_").tolist() == [s == "_" for s in strings]
