"""Attributes of items with texts, worked by hand."""

from __future__ import annotations

import time

import numpy as np
import pytest

import finegrain as fg
from finegrain.attributes import by_name
from finegrain.attributes.item_texts import text_fields
from finegrain.attributes.units import Units
from finegrain.errors import UsageError
from finegrain.formats.delimited import read
from finegrain.formats.source import source_of


def _units(gold: str, train: str | None = None, task: str = "classification") -> Units:
    corpus = read(source_of("gold", gold.encode()))
    known = None if train is None else read(source_of("train", train.encode()))
    return Units(fg.align(corpus, {}, task=task), known)


def _values(name: str, units: Units) -> list[float]:
    found = by_name(name).of(units)
    assert isinstance(found, np.ndarray)
    return list(found)


GOLD = (
    "id,premise,hypothesis,label,genre\n"
    "a,The dog sleeps,A dog is asleep now,yes,news\n"
    "b,Whose house is it,the house,no,talk\n"
    "c,How many men are there,,no,news\n"
)


def test_the_second_text_is_the_next_column_of_several_words() -> None:
    units = _units(GOLD)
    assert text_fields(units.table.corpus) == ["premise", "hypothesis"]
    assert _values("text_length", units) == [3, 4, 5]
    lengths = _values("second_text_length", units)
    assert lengths[:2] == [5, 2]
    assert np.isnan(lengths[2])


def test_overlap_is_the_share_of_words_of_the_shorter_text() -> None:
    found = _values("text_overlap", _units(GOLD))
    # a: dog of {the, dog, sleeps}; b: house of {the, house}
    assert found[:2] == pytest.approx([1 / 3, 1 / 2])
    assert np.isnan(found[2])


def test_items_with_one_text_have_no_overlap() -> None:
    units = _units("id,text,label\na,so it is,x\nb,no,y\n")
    assert all(np.isnan(_values("text_overlap", units)))


def test_question_words() -> None:
    found = by_name("question_word").of(_units(GOLD))
    assert list(found) == ["none", "who", "how many"]


def test_frequency_of_the_label_in_training() -> None:
    units = _units(GOLD, "id,premise,label\nt,x y,no\nu,x z,no\nv,x,maybe\nw,y,\n")
    assert _values("label_frequency", units) == pytest.approx([0, 2 / 3, 2 / 3])
    with pytest.raises(UsageError, match="give training data"):
        _values("label_frequency", _units(GOLD))


def test_the_nearest_training_text_by_n_grams() -> None:
    train = "id,premise,label\nt,the DOG sleeps,no\nu,zzz qqq,yes\n"
    found = _values("nearest_training", _units(GOLD, train))
    assert found[0] == pytest.approx(1.0)  # the same but for case
    # " how many men are there " and " the dog sleeps " share " the" alone: 1 of 21 and 1 of 13
    assert found[2] == pytest.approx(1 / (21 * 13) ** 0.5)


def test_numbers_have_no_label_that_training_could_have() -> None:
    units = _units("id,text,score\na,so it is,1.5\n", task="regression")
    assert not by_name("label_frequency").applies_to(units.table.task)
    assert by_name("nearest_training").applies_to(units.table.task)


def test_thousands_of_texts_are_compared_at_once() -> None:
    draw = np.random.default_rng(1)
    words = ["".join(draw.choice(list("abcdefgh"), 6)) for _ in range(3000)]
    texts = [" ".join(draw.choice(words, 12)) for _ in range(3000)]
    gold = "id,text,label\n" + "".join(f"g{at},{text},x\n" for at, text in enumerate(texts[:1000]))
    train = "id,text,label\n" + "".join(f"t{at},{text},x\n" for at, text in enumerate(texts[500:]))
    units = _units(gold, train)
    before = time.process_time()
    found = np.array(_values("nearest_training", units))
    assert time.process_time() - before < 20  # 2.5 million pairs
    assert found[500:] == pytest.approx(np.ones(500))
    assert (found[:500] < 0.9).all()
