"""Attributes of gold trees: projectivity by hand, by definition, and on treebanks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.attributes.trees import projectivity
from finegrain.attributes.units import Units
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.testing import small_corpora
from tests.alignment.test_dependencies import trees


def shapes(*sentences: list[int]) -> list[str]:
    corpus = Corpus.of(
        [["w"] * len(one) for one in sentences],
        head=[[str(head) for head in one] for one in sentences],
        deprel=[["dep"] * len(one) for one in sentences],
    )
    return list(projectivity(Units(fg.align(corpus, {"same": corpus}))))


def test_a_word_with_its_head_outside_may_still_descend_from_the_head() -> None:
    # 3 hangs on 5, over 4, which hangs on 1: 4 is not below 5. 5 hangs on 1, over 2, 3 and 4, which
    # are all below 1. That 3 has its head outside of the stretch of 4 and 1 does not matter: 3 is
    # below 5, and 5 below 1.
    assert shapes([0, 1, 5, 1, 1]) == ["projective"] * 2 + ["crossing"] + ["projective"] * 2


def test_what_is_below_a_cycle_descends_from_its_words_only() -> None:
    # 2 and 3 are a cycle, which 1 and 4 are not in: the arc from 4 to 1 passes over it
    assert shapes([0, 3, 2, 1]) == ["projective"] * 3 + ["crossing"]
    # 1 and 3 are a cycle, and 2 hangs on 3: it descends from both
    assert shapes([3, 3, 1, 0]) == ["projective"] * 4


def by_definition(heads: list[int]) -> list[str]:
    """Word by word, from head to head."""

    def above(word: int) -> set[int]:
        found: set[int] = set()
        while (word := heads[word - 1]) and word not in found:
            found.add(word)
        return found

    return [
        "crossing"
        if head
        and any(head not in above(one) for one in range(min(word, head) + 1, max(word, head)))
        else "projective"
        for word, head in enumerate(heads, 1)
    ]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.one_of(
            trees().map(lambda tree: [head for head, _ in tree]),
            st.integers(1, 7).flatmap(
                lambda size: st.lists(st.integers(0, size), min_size=size, max_size=size)
            ),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_projectivity_is_what_the_definition_says(sentences: list[list[int]]) -> None:
    """Also of trees that are none."""
    assert shapes(*sentences) == [shape for one in sentences for shape in by_definition(one)]


@pytest.mark.parametrize(("name", "crossing"), [("ewt", 27), ("conll17-en_pud", 60)])
def test_words_of_treebanks_that_are_not_projective(shared: Path, name: str, crossing: int) -> None:
    """Counted by a plain loop over the files, from head to head."""
    gold = fg.read(str(shared / "data" / "dependency" / name / "gold.conllu.gz"))
    table = fg.align(gold, {"same": gold}, task="dependencies")
    assert list(projectivity(Units(table))).count("crossing") == crossing


@pytest.mark.parametrize(
    ("task", "name"), [("dependencies", "relation"), ("coreference", "mention_type")]
)
def test_what_is_called_label_here_is_told(task: str, name: str) -> None:
    table = fg.align(*small_corpora(task), task=task)
    with pytest.raises(
        UsageError, match=f"unknown attribute {name!r}: that is the label, --by label"
    ):
        fg.buckets(table, name)
