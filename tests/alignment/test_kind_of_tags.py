"""What a column of tags holds is told if it is certain, and refused with what to say if not."""

from __future__ import annotations

import pytest

from finegrain.corpus import Corpus
from finegrain.errors import InputError
from finegrain.tasks import guess


def corpus_of(tags: str) -> Corpus:
    row = tags.split()
    return Corpus.of([[f"w{place}" for place in range(len(row))]], tags=[row])


@pytest.mark.parametrize(
    ("tags", "task"),
    [
        ("B-PER I-PER O", "spans"),
        ("B-PER M-PER E-PER S-LOC", "spans"),
        ("I-PER E-PER O", "spans"),
        ("B M E S B E", "spans"),  # word segmentation
        ("B E W", "spans"),
        ("B I O", "spans"),
        ("I O", "spans"),
        ("O O", "spans"),
        ("NN VB O", "tags"),
        ("N V A S M N", "tags"),  # S and M are letters of a scheme, but few tokens have them
        ("NN _ VB", "tags"),
        ("_ _", "spans"),
        ("A B B B", "tags"),  # one letter makes no scheme
        ("A B C D E E", "tags"),
        ("NN 1 2 VB", "tags"),  # half of them are numbers, not most
    ],
)
def test_what_is_certain_is_told(tags: str, task: str) -> None:
    assert guess(corpus_of(tags)).name == task


@pytest.mark.parametrize(
    ("tags", "what"),
    [
        ("S S S", "'S' may be tags of spans or plain labels"),  # no B and no O
        ("M S E", "'E', 'M', 'S' may be"),
        ("B M E S X", "'B', 'E', 'M', 'S' may be"),  # never silently plain tags
        ("B I I O X", "'B', 'I' may be"),
        ("B L M", "'B', 'L', 'M' may be"),  # no scheme has all three
        ("B-PER NN", "tag 'B-PER' has a prefix, 'NN' has none"),
        ("B-PER |", "tag 'B-PER' has a prefix, '|' has none"),
    ],
)
def test_what_is_not_certain_is_refused_with_what_to_say(tags: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        guess(corpus_of(tags))
    assert f"the task is not certain: {what}" in str(caught.value)
    assert "Say --task spans" in str(caught.value)


@pytest.mark.parametrize("tags", ["4.0 3.8 2", "0 1 1", "-1 +2 1e-3", "label 1 2", "0,5 .5 1"])
def test_numbers_are_no_tags_unless_it_is_said(tags: str) -> None:
    with pytest.raises(InputError, match=r"numbers \('.*\), which may be scores") as caught:
        guess(corpus_of(tags))
    assert "say --task tags" in str(caught.value)
