"""What a column of tags holds is told if it is certain, and refused with what to say if not."""

from __future__ import annotations

from pathlib import Path

import pytest

import finegrain as fg
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
        ("N_SING V_PA S_X DET O", "tags"),  # underscores of a tag set, not of a scheme
        ("NN MM_O VB", "tags"),
        ("S_1 M_2 E_3", "tags"),  # no label twice, and no O
        ("B-PER I-PER O B-LOC_X", "spans"),
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


@pytest.mark.parametrize(
    ("tags", "first"),
    [
        ("O B_PER I_PER", "B_PER"),
        ("B_PER M_PER E_PER S_LOC", "B_PER"),
        ("O S_LOC", "S_LOC"),
        ("I:PER O", "I:PER"),
        ("NONE B_PER I_PER", "B_PER"),  # one label with two prefixes, whatever stands beside it
        ("MM_O BB_O_LOC W_LOC WW_O_LOC", "MM_O"),  # BMEWO+ of LingPipe has no O
        ("B_PER E_PER EE_O_PER", "B_PER"),
        ("BB_O EE_O WW_O", "BB_O"),  # nothing but tokens outside of spans
        ("BB_O", "BB_O"),
    ],
)
def test_tags_of_spans_without_a_hyphen_are_not_taken_as_labels(tags: str, first: str) -> None:
    with pytest.raises(InputError, match=f"tag '{first}' may be one of a span") as caught:
        guess(corpus_of(tags))
    assert "as B-PER" in str(caught.value)
    assert "say --task tags" in str(caught.value)


def test_tags_without_a_hyphen_are_refused_with_their_line(tmp_path: Path) -> None:
    gold = tmp_path / "gold.conll"
    gold.write_text("It\tO\nAnn\tB_PER\nLee\tE_PER\n")
    with pytest.raises(InputError, match=r"gold\.conll:2: the task is not certain: tag 'B_PER'"):
        guess(fg.read(str(gold)))
    assert fg.align(fg.read(str(gold)), {"a": fg.read(str(gold))}, task="tags").task.name == "tags"
