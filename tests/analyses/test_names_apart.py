"""Labels and systems that are called like what is not a label and no system."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import finegrain as fg
from finegrain.corpus import Corpus, Spans
from finegrain.corpus.label_rules import LabelRules
from finegrain.corpus.texts import Coded
from finegrain.testing import small_corpora

TEXT = [["a", "b", "c", "d"]]


def _spans(*spans: tuple[int, str]) -> Corpus:
    found = Spans.of([(0, at, at + 1, label) for at, label in spans])
    return replace(Corpus.of(TEXT), spans=found)


def test_a_label_that_is_called_none_is_told_apart() -> None:
    """Gold _ twice, one missed and one taken for A; A is invented once."""
    gold = _spans((0, "_"), (1, "_"), (2, "MISSED"))
    found = fg.confusion(fg.align(gold, {"s": _spans((1, "A"), (2, "MISSED"), (3, "A"))}))
    counts = found.to_json()["s"]
    assert (counts["\\_"]["_"], counts["\\_"]["A"], counts["_"]["A"]) == (1, 1, 1)
    assert sum(sum(row.values()) for row in counts.values()) == found.counts.sum() == 3
    keys = Counter(row[:3] for row in found.records().rows)
    assert max(keys.values()) == 1
    heads = [column.name for column in found.listings()[0].columns]
    assert len(set(heads)) == len(heads)
    assert any("the label _ is written \\_" in note for note in found.notes)


def _three(*names: str) -> fg.OutcomeTable:
    gold, systems = small_corpora("spans")
    one, two = systems.values()
    return fg.align(gold, dict(zip(names, (one, two, gold), strict=False)))


def test_pairs_with_bars_in_their_names() -> None:
    pairs = fg.oracle(_three("a|b", "c", "b|c")).to_json()["pairs"]
    assert list(pairs) == ["a\\|b|c", "a\\|b|b\\|c", "c|b\\|c"]
    names = ("a", "b|c", "a|b", "c")
    gold, systems = small_corpora("spans")
    table = fg.align(gold, dict.fromkeys(names, next(iter(systems.values()))))
    assert len(fg.oracle(table).to_json()["pairs"]) == 6


def test_a_system_called_oracle() -> None:
    found = fg.oracle(_three("oracle", "other"))
    keys = Counter(row[:5] for row in found.records().rows)
    assert max(keys.values()) == 1
    listing = found.listings()[0]
    assert [row[0] for row in (*listing.rows, *listing.footer)] == [
        "oracle", "other", "majority vote", "(oracle)",
    ]  # fmt: skip


def test_a_vote_in_the_table_is_the_vote() -> None:
    table = _three("one", "two", "three")
    plain, voted = fg.oracle(table), fg.oracle(fg.majority_vote(table))
    assert voted.to_json() == plain.to_json()
    assert voted.systems == ("one", "two", "three")
    assert "the system 'majority vote' is taken for the vote" in voted.notes


def test_a_system_called_distinct() -> None:
    found = fg.invented(_three("distinct", "other"))
    keys = Counter(row[:3] for row in found.records().rows)
    assert max(keys.values()) == 1
    assert found.listings()[0].footer[0][0] == "(distinct)"


def test_an_oracle_without_gold_units_names_nobody() -> None:
    found = fg.oracle(fg.align(_spans(), {"a": _spans((0, "X"), (1, "Y")), "b": _spans()}))
    said = "".join(listing.note for listing in found.listings())
    assert "None" not in said
    assert "best pair" not in said
    assert found.to_json()["best_pair"] is None


def test_rules_are_read_back_from_a_signature() -> None:
    rules = LabelRules({"C++": "C=1", "a\\": "b"}, frozenset({"C=1"}), frozenset({"x+y", "z"}))
    assert LabelRules.of_signature(rules.signature()) == rules


def test_rules_behind_prefixes() -> None:
    rules = LabelRules({"PER": "P"}, exclude=frozenset({"LOC"}), behind_prefix=True)
    tags = Coded.of(["B-PER", "I-LOC", "O", "B-PER|B-LOC", "I-LOC|_", "NN"])
    assert list(rules.on_tags(tags)) == ["B-P", "O", "O", "B-P|O", "O", "NN"]
    assert rules.unused(tags.names) == []
