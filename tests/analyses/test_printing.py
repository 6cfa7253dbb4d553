"""Results print as tables, save by suffix, and have short representations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.testing import small_corpora


def test_a_result_prints_as_its_table_and_has_a_short_representation() -> None:
    gold, systems = small_corpora("spans")
    table = fg.align(gold, systems)
    scores = fg.score(table)
    assert str(scores).startswith("7 gold spans in 4 sentences")
    assert repr(scores).startswith("<Scores of short, mixed: task:spans|")
    assert repr(table) == "<OutcomeTable of spans: 15 units, 7 of them gold, systems: short, mixed>"
    assert repr(gold) == "<Corpus 'gold': 4 sentences, 30 tokens, layers: tags>"


def test_the_suffix_chooses_the_form(tmp_path: Path) -> None:
    scores = fg.score(fg.align(*small_corpora("tags")))
    scores.save(str(tmp_path / "a.tex"))
    scores.save(str(tmp_path / "a.JSON"))
    assert r"\begin{tabular}" in (tmp_path / "a.tex").read_text()
    assert json.loads((tmp_path / "a.JSON").read_text())["task"] == "tags"
    with pytest.raises(fg.UsageError, match=r"no form goes with '\.xlsx'"):
        scores.save(str(tmp_path / "a.xlsx"))


def test_metrics_can_be_named_shortly_where_that_is_unambiguous() -> None:
    tags, spans = (fg.align(*small_corpora(task)) for task in ("tags", "spans"))
    assert list(fg.score(tags, "weighted_f1").overall) == ["support_weighted_f1"]
    assert list(fg.score(spans, "f1").overall) == ["traditional_f1"]
    trees = fg.align(*small_corpora("dependencies"), task="dependencies")
    with pytest.raises(fg.UsageError, match="which 'f1': "):
        fg.score(trees, "f1")


def test_what_is_no_table_or_corpus_is_told_so() -> None:
    gold, systems = small_corpora("tags")
    with pytest.raises(fg.UsageError, match=r"fg\.align"):
        fg.score(gold)  # type: ignore[arg-type]
    with pytest.raises(fg.UsageError, match=r"fg\.read"):
        fg.align("gold.conll", systems)  # type: ignore[arg-type]
    with pytest.raises(fg.UsageError, match="system 's' is not a corpus"):
        fg.align(gold, {"s": "path"})  # type: ignore[dict-item]


def test_with_one_label_nothing_is_said_twice() -> None:
    """Averages over labels, and the scores of the label, are those of the whole."""
    text = [["a", "b", "c"]]
    gold = Corpus.of(text, tags=[["B-X", "O", "B-X"]])
    scores = fg.score(fg.align(gold, {"s": gold}))
    assert [listing.title for listing in scores.listings()] == ["2 gold spans in 1 sentence"]
    assert "macro F1" not in str(scores)
    two = Corpus.of(text, tags=[["B-X", "O", "B-Y"]])
    assert "macro F1" in str(fg.score(fg.align(two, {"s": two})))
