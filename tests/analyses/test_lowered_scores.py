"""The words that lower a score of trees: by hand, and as many as the score counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import finegrain as fg
from finegrain.alignment.dependencies import CONTENT
from finegrain.analyses.evidence import lowers
from finegrain.analyses.reports.embedded_units import embedded_units
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.analyses.selection.lowered_scores import lowered_scores
from finegrain.corpus import Corpus
from finegrain.corpus.trees import base
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from tests.alignment.test_dependencies import GOLD, cuttings, parsed

OF_CONTENT = ("clas", "mlas", "blex")
OF_WORDS = ("las", "uas", "ls", "upos", "xpos", "ufeats", "alltags", "lemmas", "words")
# a wrong lemma; a wrong part of speech with a wrong head; relations that are no, and only, content
PARSER = (
    "1 She she PRON 2 nsubj",
    "2 saw saw VERB 0 root",
    "3 old old ADV 2 amod",
    "4 dogs dog NOUN 2 det",
    "5 . . PUNCT 2 dep",
)


def _table(*systems: Corpus) -> OutcomeTable:
    named = {f"s{place}": one for place, one in enumerate(systems)}
    return fg.align(parsed(*GOLD), named, task="dependencies")


@pytest.mark.parametrize(
    ("score", "words"),
    [
        ("las", "old dogs ."),
        ("uas", "old"),
        ("ls", "dogs ."),
        ("clas", "old dogs ."),  # gold content words, and one that only the system says is one
        ("mlas", "saw old dogs ."),  # saw has a functional child that it has not
        ("blex", "saw old dogs ."),  # and another lemma
        ("upos", "old"),
        ("lemmas", "saw"),
        ("words", ""),
        ("sentences", ""),
    ],
)
def test_words_by_hand(score: str, words: str) -> None:
    table = _table(parsed(*GOLD), parsed(*PARSER))
    search = UnitSearch.of(embedded_units(table))
    found = search.rows([lowers(table.systems[1], score)])
    assert sorted(map(table.text, found)) == sorted(words.split())
    assert len(search.rows([lowers(table.systems[0], score)])) == 0  # the gold itself
    assert lowered_scores(table).count(score, 1) == len(words.split())


def test_words_of_another_tokenisation_lower_every_score_and_what_only_the_system_has_too() -> None:
    """Old dogs in one word, which begins at old; a sentence ends, and one begins, too early."""
    merged = parsed(*GOLD[:2], "3 olddogs dog NOUN 2 obj", "", "1 . . PUNCT 0 root")
    table = _table(merged)
    found = lowered_scores(table)

    def texts(name: str) -> list[str]:
        return [table.text(row) for row in np.flatnonzero(found.rows(name, 0))]

    assert texts("words") == texts("upos") == ["old", "dogs"]
    assert texts("las") == ["old", "dogs", "."]
    assert texts("sentences") == ["She", "."]  # where gold or system have a sentence the other not


def test_only_scores_of_trees_are_known() -> None:
    search = UnitSearch.of(embedded_units(_table(parsed(*PARSER))))
    with pytest.raises(UsageError, match="unknown score 'blas'"):
        search.rows([lowers(search.table.systems[0], "blas")])
    with pytest.raises(UsageError, match="is of a system and a score"):
        search.rows(["lowers"])


def _check_recall(table: OutcomeTable) -> None:
    """Gold words that fail are those that are counted less those that are right."""
    found, content = lowered_scores(table), [base(name) in CONTENT for name in table.labels]
    is_content = np.array(content)[table.label]
    scores = fg.score(table, [f"{name}_recall" for name in (*OF_WORDS, *OF_CONTENT)]).overall
    for name in (*OF_WORDS, *OF_CONTENT):
        counted = is_content if name in OF_CONTENT else np.ones(len(table), bool)
        for system, recall in enumerate(scores[f"{name}_recall"].tolist()):
            failing = int(np.count_nonzero(found.rows(name, system) & counted))
            assert failing == round(counted.sum() * (1 - recall)), (name, system)
            if name in OF_WORDS:
                assert failing == found.count(name, system)


def test_failing_gold_words_are_those_that_recall_has_lost() -> None:
    play = fg.simulate_trees(tokens=2_000, seed=1)
    _check_recall(fg.align(play.gold, play.systems, task="dependencies"))


def test_they_are_of_real_parsers_too(shared: Path) -> None:
    folder = shared / "data" / "dependency" / "ewt"
    systems = {one.stem: fg.read(str(one)) for one in sorted(folder.glob("system-*"))}
    gold = fg.read(str(folder / "gold.conllu.gz"))
    _check_recall(fg.align(gold, systems, task="dependencies"))


@settings(max_examples=60, deadline=None)
@given(cuttings(), cuttings())
def test_a_score_is_100_where_no_word_lowers_it_and_only_there(
    gold: Corpus, system: Corpus
) -> None:
    table = fg.align(gold, {"s": system, "same": gold}, task="dependencies")
    found = lowered_scores(table)
    scores = fg.score(table, list(found.names)).overall
    for name in found.names:
        for place, value in enumerate(scores[name].tolist()):
            if not np.isnan(value):
                assert (value == 1) == (found.count(name, place) == 0), name
