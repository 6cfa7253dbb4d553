"""What is wrong with many items is told of the first twenty, and the others are counted."""

from __future__ import annotations

import pytest

import finegrain as fg
from finegrain.errors import AlignmentError, InputError
from finegrain.formats.delimited import read
from finegrain.formats.source import source_of

MANY = range(25)


def _read(header: str, line: str) -> fg.Corpus:
    text = header + "\n" + "".join(line.format(at=at) + "\n" for at in MANY)
    return read(source_of("some.csv", text.encode()))


@pytest.mark.parametrize(
    ("task", "header", "gold", "answer", "what"),
    [
        ("classification", "id,label", "q{at},x", "q{at},", "no answer"),
        ("regression", "id,score", "q{at},{at}.5", "q{at},", "no prediction"),
        ("regression", "id,score", "q{at},{at}.5", "q{at},x{at}", "is not a number"),
        ("clustering", "id,label", "q{at},x", "q{at},", "no cluster"),
        ("classification", "id,label", "q{at},x", "r{at},x", "is not in the gold file"),
        ("classification", "id,label", "q{at},x", ",x", "this item has no id"),
    ],
)
def test_all_are_counted(task: str, header: str, gold: str, answer: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        fg.align(_read(header, gold), {"s": _read(header, answer)}, task=task, missing="error")
    assert [one.line for one in caught.value.problems] == list(range(2, 22))
    assert caught.value.unlisted == 5
    assert str(caught.value).endswith("... and 5 more problems in this file")
    assert isinstance(caught.value, AlignmentError) == (what == "is not in the gold file")


def test_ids_that_stand_twice_are_told_with_the_first_line() -> None:
    text = "id,label\n" + "a,x\nb,x\n" + "a,x\n" * 22
    twice = read(source_of("twice.csv", text.encode()))
    with pytest.raises(InputError, match="the id 'a' is on line 2, too") as caught:
        fg.align(twice, {}, task="classification")
    assert caught.value.problems[0].line == 4
    assert caught.value.unlisted == 2
