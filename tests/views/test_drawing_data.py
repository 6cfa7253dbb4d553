"""What trees and chains of a page are drawn from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.reports.embedded_units import embedded_units
from finegrain.corpus import Clusters, Corpus
from finegrain.corpus.clusters import WORD
from finegrain.views.html import drawing_data

WORDS = [["She", "saw", "the", "dog"], ["Go"]]


def _tree(*heads: list[str], dog: str = "obj") -> Corpus:
    relations = [["nsubj", "root", "det", dog], ["root"]]
    return Corpus.of(WORDS, head=list(heads), deprel=relations)


def test_systems_tell_only_the_arcs_that_differ() -> None:
    """The dog, word 3 from 0: on the article (3) in `moved`, a subject in `named`."""
    gold = _tree(["2", "0", "4", "2"], ["0"])
    systems = {
        "moved": _tree(["2", "0", "4", "3"], ["0"]),
        "named": _tree(["2", "0", "4", "2"], ["0"], dog="nsubj"),
    }
    table = fg.align(gold, systems, task="dependencies")
    trees = drawing_data.tree_data(embedded_units(table))["trees"]
    assert trees["head"] == [[2, 0, 4, 2], [0]]
    assert [table.labels[code] for code in trees["label"][0]] == ["nsubj", "root", "det", "obj"]
    obj, nsubj = table.labels.index("obj"), table.labels.index("nsubj")
    assert trees["other"] == [[[3, 3, obj], []], [[3, 2, nsubj], []]]


def test_words_that_are_no_units_have_no_arc() -> None:
    relations = [["nsubj", "root", "det", "punct"], ["root"]]
    gold = Corpus.of(WORDS, head=[["2", "0", "2", "2"], ["0"]], deprel=relations)
    table = fg.align(gold, {"s": gold}, task="dependencies", punctuation="remove")
    trees = drawing_data.tree_data(embedded_units(table))["trees"]
    assert trees["head"][0] == [2, 0, 2, -2]


def _chains(documents: list[int], *rows: tuple[int, int, int, str]) -> Corpus:
    text = [["the", "old", "man", "slept"], ["he", "snored", ".", "!"], ["Ada", "sang", ".", "!"]]
    clusters = Clusters.of(rows, documents=documents)
    heads = ((clusters.spans.end) * WORD).astype(np.int32)
    corpus = Corpus.of(text, documents=documents)
    return replace(corpus, clusters=replace(clusters, head=heads))


def test_mentions_know_the_gold_chain_that_they_stand_for() -> None:
    """`short` has "man" for "the old man": a mention of its own, which stands for the gold one."""
    gold = _chains([0, 0, 1], (0, 0, 3, "m"), (1, 0, 1, "m"), (2, 0, 1, "a"))
    short = _chains([0, 0, 1], (0, 2, 3, "x"), (1, 0, 1, "x"))
    table = fg.align(gold, {"short": short}, task="coreference", match="head")
    first = drawing_data.chain_data(embedded_units(table))["passages"][0]
    assert [one[:3] for one in first["mentions"]] == [[0, 0, 3], [0, 2, 3], [1, 0, 1]]
    assert first["chains"] == [[0, -1, 0], [-1, 0, 0]]
    assert first["met"] == [[-1, 0, 0]]


def test_units_know_their_document(monkeypatch: pytest.MonkeyPatch) -> None:
    second = ((2, 0, 1, "a"), (2, 1, 2, "a"))
    gold = _chains([0, 0, 1], (0, 0, 3, "m"), (1, 0, 1, "m"), *second)
    table = fg.align(gold, {"s": gold}, task="coreference")
    data = drawing_data.chain_data(embedded_units(table))
    assert (data["passage"], data["mention"]) == ([0, 0, 1, 1], [0, 1, 0, 1])
    assert [one["first"] for one in data["passages"]] == [1, 3]
    monkeypatch.setattr(drawing_data, "MOST_WORDS", 8)  # as many as the first document has
    few = drawing_data.chain_data(embedded_units(table))
    assert len(few["passages"]) == 1
    assert few["passage"] == [0, 0, -1, -1]
