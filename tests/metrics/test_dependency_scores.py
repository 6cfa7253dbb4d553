"""Scores of trees where words are left out, or a system has fewer columns."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.corpus.label_rules import LabelRules
from tests.alignment.test_dependencies import cuttings, parsed

STRETCHES = [
    f"{name}{kind}" for name in ("tokens", "sentences") for kind in ("", "_precision", "_recall")
]
QUOTED = (
    '1 " " PUNCT 2 punct', "2 go go VERB 0 root", "",
    '1 " " PUNCT 2 punct', "2 run run VERB 0 root", "",
    "1 he he PRON 2 nsubj", "2 ran run VERB 0 root", "3 . . PUNCT 2 punct", "",
)  # fmt: skip
JOINED = (
    '1 " " PUNCT 2 punct', "2 go go VERB 0 root",
    '3 " " PUNCT 2 punct', "4 run run VERB 2 conj", "",
    "1 he he PRON 2 nsubj", "2 ran run VERB 0 root", "3 . . PUNCT 2 punct", "",
)  # fmt: skip


def scores(table: fg.OutcomeTable, *names: str) -> list[float]:
    found = fg.score(table, list(names)).overall
    return [float(found[name][0]) for name in names]


def test_tokens_and_sentences_are_those_of_the_text_without_punctuation_too() -> None:
    gold, system = parsed(*QUOTED), parsed(*JOINED)
    for punctuation in ("keep", "remove"):
        table = fg.align(gold, {"s": system}, task="dependencies", punctuation=punctuation)
        # 1 of 2 sentences of the system and of 3 of the gold, F1 = 2 / 5; two begin with a quote
        assert scores(table, *STRETCHES) == [1, 1, 1, 2 / 5, 1 / 2, 1 / 3]


@settings(max_examples=60, deadline=None)
@given(cuttings(), cuttings())
def test_leaving_words_out_changes_no_score_of_tokens_and_sentences(
    gold: Corpus, system: Corpus
) -> None:
    table = fg.align(gold, {"s": system, "same": gold}, task="dependencies")
    rules = LabelRules(exclude=frozenset({"nsubj", "punct", "det"}))
    fewer = fg.align(gold, {"s": system, "same": gold}, task="dependencies", rules=rules)
    if len(fewer):
        found, expected = (fg.score(one, STRETCHES).overall for one in (fewer, table))
        for name in STRETCHES:
            np.testing.assert_array_equal(found[name], expected[name])


def test_the_stretches_of_words_that_are_left_out_stay_in_their_document() -> None:
    text = [["."], ["go", "."], ["."], ["run"]]
    heads, relations = (
        [["0"], ["0", "1"], ["0"], ["0"]],
        [["punct"], ["root", "punct"], ["punct"], ["root"]],
    )
    gold = Corpus.of(text, head=heads, deprel=relations, documents=[0, 0, 0, 1])
    table = fg.align(gold, {"same": gold}, task="dependencies", punctuation="remove")
    # kept are go and run: the first document has 4 tokens and 3 sentences, the other one of each
    assert table.details["gold_tokens"][:, 0].tolist() == [4, 1]
    assert table.details["same_sentences"][:, 0].tolist() == [3, 1]
    assert table.details["sentences"][:, 0].tolist() == [3, 1]


def test_a_system_without_a_column_has_no_score_of_it() -> None:
    text, trees = [["a", "b"]], {"head": [["2", "0"]], "deprel": [["nsubj", "root"]]}
    gold = Corpus.of(text, **trees, upos=[["N", "V"]], lemma=[["a", "b"]], feats=[["_", "_"]])
    tagged = Corpus.of(text, **trees, upos=[["N", "N"]], feats=[["_", "_"]])
    table = fg.align(
        gold, {"tagged": tagged, "bare": Corpus.of(text, **trees)}, task="dependencies"
    )
    found = fg.score(table, ["upos", "ufeats", "lemmas", "mlas", "blex", "las", "xpos"])
    values = {name: one.tolist() for name, one in found.overall.items()}
    # a is right of a and b; its tag, and with it MLAS, is, too; bare has heads and relations only
    expected = {
        "upos": [1 / 2, None], "ufeats": [1, None], "lemmas": [None, None], "mlas": [1 / 2, None],
        "blex": [None, None], "las": [1, 1], "xpos": [None, None],
    }  # fmt: skip
    assert {
        name: [None if np.isnan(one) else one for one in both] for name, both in values.items()
    } == expected
    assert any("upos is undefined" in note and "no column UPOS" in note for note in found.notes)


def test_precision_by_label_is_noted_where_only_some_labels_count() -> None:
    text = [["a", "b", "c"]]
    gold = Corpus.of(text, tags=[["N", "V", "V"]])
    system = Corpus.of(text, tags=[["N", "N", "V"]])
    only = {"rules": LabelRules(only=frozenset({"N"}))}
    whole, part = (fg.score(fg.align(gold, {"s": system}, **more)) for more in ({}, only))
    # b is called N, and is a V: it counts in one of the two only
    precision = [one.value("precision", "s", label="N") for one in (whole, part)]
    assert precision == [1 / 2, 1]
    noted = [
        any("precision and F1 by label leave out" in one for one in each.notes)
        for each in (whole, part)
    ]
    assert noted == [False, True]
    trees = parsed(*QUOTED)
    table = fg.align(
        trees, {"s": trees}, task="dependencies", rules=LabelRules(only=frozenset({"root"}))
    )
    assert any("precision and F1 by label leave out" in one for one in fg.score(table).notes)
