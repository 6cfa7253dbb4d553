"""How outputs differ: worked by hand, against the slow way, and what must hold for any outputs."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.compare import difference_counts
from finegrain.analyses.compare.disagreements import disagreements
from finegrain.analyses.result import Result
from finegrain.corpus import Clusters, Corpus
from finegrain.formats import corefud
from finegrain.formats.source import source_of
from finegrain.table.verdicts import CHANGES
from finegrain.testing import small_corpora
from finegrain.views.saving import render
from finegrain.views.unit_records import as_jsonl, as_tsv
from tests.schema import require_schema

SPANS = fg.align(*small_corpora("spans"))
TAGS = fg.align(*small_corpora("tags"))
TEXT = [["a", "b", "c"], ["d", "e"]]


def _table(task: str, *rows: str) -> fg.OutcomeTable:
    """Gold and systems s1, s2, ... in two sentences; for spans a letter is a span of one token."""
    corpora = []
    for row in rows:
        tags = list(row) if task == "tags" else [tag if tag == "O" else f"B-{tag}" for tag in row]
        corpora.append(Corpus.of(TEXT, tags=[tags[:3], tags[3:]]))
    systems = {f"s{number}": corpus for number, corpus in enumerate(corpora[1:], 1)}
    return fg.align(corpora[0], systems, task=task)


def _checked(result: Result) -> dict[str, Any]:
    document = json.loads(render(result, "json"))
    require_schema(document, "differences" if "pairs" in document["result"] else "difference")
    found: dict[str, Any] = document["result"]
    return found


def test_tags_by_hand() -> None:
    """Gold NVN DN; s1 NNV DN; s2 NVD NN.

    Token 1 N N N nothing; 2 V: N -> V correction; 3 N: V -> D changed error;
    4 D: D -> N new error; 5 nothing. Right: s1 1, 4, 5; s2 1, 2, 5.
    """
    found = _checked(fg.difference(_table("tags", "NVNDN", "NNVDN", "NVDNN")))
    assert (found["units"], found["changed"], found["diff"]) == (5, 3, 0.6)
    share = {"share_of_class": 1.0, "share_of_changes": 1 / 3, "count": 1}
    assert found["corrections"]["pairs"] == [{"from": "N", "to": "V", **share}]
    assert found["new_errors"]["pairs"] == [{"from": "D", "to": "N", **share}]
    assert found["changed_errors"]["pairs"] == [{"from": "V", "to": "D", "gold": "N", **share}]
    assert found["accuracy"] == {"a": 0.6, "b": 0.6, "delta": 0}
    assert found["score"] is None  # accuracy is the score
    # D: 1 token, 1 -> 0; V: 1 token, 0 -> 1; N: 3 tokens, 2 right in both
    assert [(one["label"], one["units"], one["delta"]) for one in found["labels"]] == [
        ("D", 1, -1), ("V", 1, 1), ("N", 3, 0),
    ]  # fmt: skip
    # both right: tokens 1 and 5, of 3 and 3; both wrong: token 3, in different ways
    assert found["agreement"]["right"] == {"a": 3, "b": 3, "both": 2, "share": 2 / 3}
    assert found["agreement"]["wrong"] == {"a": 2, "b": 2, "both": 0, "share": 0}
    # sentence 1 wrong in both, sentence 2 broken; both change
    assert found["sentences"] == {
        "all": 2, "a": 1, "b": 0, "fixed": 0, "broken": 1, "changed": 2,
    }  # fmt: skip
    scores = fg.difference(_table("tags", "NVNDN", "NNVDN", "NVDNN")).listings()[1]
    assert scores.rows[-1] == ("sentences right", 0.5, 0.0, -0.5)


def test_spans_by_hand() -> None:
    """Gold P at a, P at d. s1: P at a, L at b (invented), L at d. s2: L at a, P at d.

    P at a: TP -> LE new error. P at d: LE -> TP correction. L at b: FP -> ABSENT correction.
    L at a and L at d are USED by one and not had by the other: no units of the pair.
    """
    found = _checked(fg.difference(_table("spans", "POOPO", "PLOLO", "LOOPO")))
    assert (found["units"], found["changed"]) == (3, 3)
    pairs = {kind: found[f"{kind}s"]["pairs"] for kind in CHANGES}
    assert [(one["from"], one["to"]) for one in pairs["correction"]] == [
        ("LE", "TP"),
        ("FP", "ABSENT"),
    ]
    assert [(one["from"], one["to"]) for one in pairs["new_error"]] == [("TP", "LE")]
    # of 3 units s1 is right about P at a, s2 about P at d and about not having L at b
    assert found["accuracy"]["delta"] == pytest.approx(1 / 3)
    # F1: s1 2 * 1 / (3 + 2), s2 2 * 1 / (2 + 2)
    assert found["score"] == {
        "metric": "traditional_f1", "a": 0.4, "b": 0.5, "delta": pytest.approx(0.1),
    }  # fmt: skip
    assert found["agreement"]["right"] == {"a": 1, "b": 1, "both": 0, "share": 0}
    assert [(one["label"], one["units"], one["a"], one["b"]) for one in found["labels"]] == [
        ("L", 1, 0, 1), ("P", 2, 0.5, 0.5),
    ]  # fmt: skip


def test_other_boundaries_are_a_changed_error() -> None:
    found = fg.difference(SPANS, "short", "mixed")
    (changed,) = found.changes("changed_error")
    assert (changed.gold, changed.before, changed.after) == ("ORG", "BES", "BES")


def test_bare_tables_of_right_and_wrong_differ_in_corrections_and_new_errors() -> None:
    found = fg.difference(fg.from_matrix([[1, 0], [0, 1], [0, 1], [0, 0]], systems=["a", "b"]))
    assert [found.total(kind) for kind in CHANGES] == [2, 1, 0]
    assert found.headline().startswith("b corrects 2 and breaks 1 of 4 items: accuracy +25.00")


tasks = st.sampled_from(["tags", "spans"])
outputs = st.text("OPL", min_size=5, max_size=5)
tables = st.builds(
    lambda task, rows: _table(task, *rows), tasks, st.lists(outputs, min_size=4, max_size=5)
)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_differences_mirror_each_other(table: fg.OutcomeTable) -> None:
    one, other = (fg.difference(table, *pair) for pair in (("s1", "s2"), ("s2", "s1")))
    assert (one.units, one.changed) == (other.units, other.changed)
    mirrored = {"correction": "new_error", "new_error": "correction"}
    for kind in CHANGES:
        there = Counter((c.gold, c.before, c.after, c.count) for c in one.changes(kind))
        back = other.changes(mirrored.get(kind, kind))
        assert there == Counter((c.gold, c.after, c.before, c.count) for c in back)
    assert one.accuracy.one == other.accuracy.other or math.isnan(one.accuracy.one)
    assert one.counts.sentences.fixed == other.counts.sentences.broken
    assert one.right_answers.both == other.right_answers.both
    assert one.wrong_answers.both == other.wrong_answers.both


@settings(max_examples=60, deadline=None)
@given(tables)
def test_accuracy_changes_by_corrections_minus_new_errors(table: fg.OutcomeTable) -> None:
    found = fg.difference(table, "s1", "s2")
    gained = found.total("correction") - found.total("new_error")
    if found.units:
        assert found.accuracy.delta == pytest.approx(gained / found.units, abs=1e-12)
    by_label = found.by_label()
    assert sum(one.units for one in by_label) == found.units
    assert sum(one.units * one.accuracy.delta for one in by_label) == pytest.approx(gained)
    sentences = found.counts.sentences
    assert sentences.right_other - sentences.right_one == sentences.fixed - sentences.broken


@settings(max_examples=60, deadline=None)
@given(tasks, st.lists(outputs, min_size=4, max_size=4))
def test_adding_a_system_changes_no_pair(task: str, rows: list[str]) -> None:
    alone = fg.difference(_table(task, *rows[:3]), "s1", "s2").to_json()
    among = _table(task, *rows)
    assert fg.difference(among, "s1", "s2").to_json() == alone
    assert fg.differences(among).pair("s1", "s2").to_json() == alone


@settings(max_examples=60, deadline=None)
@given(st.lists(outputs, min_size=3, max_size=3))
def test_counts_equal_the_papers_algorithm(rows: list[str]) -> None:
    """Algorithm 1, token by token (changed errors with the key's label, as in table 4)."""
    gold, one, other = rows
    counted: dict[str, Counter[tuple[str, ...]]] = {kind: Counter() for kind in CHANGES}
    for key, first, second in zip(gold, one, other, strict=True):
        if first == second:
            continue
        if second == key:
            counted["correction"][first, second] += 1
        elif first == key:
            counted["new_error"][first, second] += 1
        else:
            counted["changed_error"][key, first, second] += 1
    found = fg.difference(_table("tags", *rows))
    for kind in CHANGES:
        told = {
            tuple(filter(None, (c.gold, c.before, c.after))): c.count for c in found.changes(kind)
        }
        assert told == counted[kind]


@pytest.mark.parametrize("table", [SPANS, TAGS], ids=["spans", "tags"])
def test_many_labels_are_counted_like_few(
    table: fg.OutcomeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    dense = fg.difference(table).to_json()
    monkeypatch.setattr(difference_counts, "_DENSE", -1)
    monkeypatch.setattr(difference_counts, "_PER_CHANGE", 0)
    assert fg.difference(table).to_json() == dense


def test_identical_systems_do_not_differ() -> None:
    table = _table("spans", "POOPO", "PLOLO", "PLOLO")
    found = fg.difference(table)
    assert (found.changed, found.diff) == (0, 0)
    assert _checked(found)["corrections"]["share_of_changes"] is None
    assert found.headline() == "s1 and s2 answer all 3 spans alike"
    assert "no unit changes, so shares of changes are undefined" in str(found)
    assert found.wrong_answers.share == 1


def test_no_units_at_all() -> None:
    found = fg.difference(_table("spans", "OOOOO", "OOOOO", "OOOOO"))
    told = _checked(found)
    assert (told["units"], told["diff"], told["accuracy"]["a"]) == (0, 0, None)
    assert any("there are no units" in note for note in found.notes)
    for form in ("table", "csv", "latex", "markdown"):
        assert render(found, form)


def test_labels_sort_by_size_or_by_frequency() -> None:
    table = _table("tags", "NVNDN", "NNVDN", "NVDNN")
    by_frequency = fg.difference(table, sort="frequency").by_label()
    assert [one.label for one in by_frequency] == ["N", "D", "V"]
    with pytest.raises(fg.UsageError, match="Known: size, frequency"):
        fg.difference(table, sort="name")  # type: ignore[arg-type]


@pytest.mark.parametrize("table", [SPANS, TAGS], ids=["spans", "tags"])
def test_selections_find_the_units_behind_every_change(table: fg.OutcomeTable) -> None:
    a, b = table.systems
    found = fg.difference(table, a, b, examples=50)
    for kind in CHANGES:
        assert fg.show(table, f"change[{a},{b}]={kind}").found == found.total(kind)
        for change in found.changes(kind):
            shown = fg.show(table, found.selection(kind, change))
            assert shown.found == change.count == len(change.units)
            assert list(shown.units()) == list(change.units)
    assert fg.show(table, f"changed[{a},{b}]").found == found.changed
    assert fg.show(table, f"changed[{a},{b}]=no").found == found.units - found.changed
    assert fg.show(table, "changed").found == found.changed  # there are only two


def test_examples_are_spread_and_limited() -> None:
    found = fg.difference(TAGS, examples=1)
    assert {len(change.units) for kind in CHANGES for change in found.changes(kind)} == {1}
    assert _checked(found)["corrections"]["pairs"][0]["examples"][0]["systems"].keys() == {
        "nouns",
        "mixed",
    }
    assert "show --where" in str(found)
    with pytest.raises(fg.UsageError, match="negative"):
        fg.difference(TAGS, examples=-1)


def test_long_lists_say_how_much_is_left_out() -> None:
    text = [[str(number) for number in range(12)]]
    gold = Corpus.of(text, tags=[["N"] * 12])
    wrong = Corpus.of(text, tags=[[f"X{number}" for number in range(12)]])
    found = fg.difference(fg.align(gold, {"gold": gold, "wrong": wrong}, task="tags"))
    assert "and 2 more, 2 tokens" in str(found)


def test_text_of_corpora_is_harmless() -> None:
    text = [["=cmd()", "b"]]
    gold = Corpus.of(text, tags=[["N", "\x1b[31mV"]])
    other = Corpus.of(text, tags=[["=X", "N"]])
    table = fg.align(gold, {"gold": gold, "a_b": other}, task="tags")
    found = fg.difference(table, examples=1)
    assert "\x1b" not in str(found)
    assert "a\\_b" in render(found, "latex")
    rows = list(csv.reader(io.StringIO("".join(as_tsv(disagreements(table, "gold", "a_b")))),
                           delimiter="\t"))  # fmt: skip
    assert rows[1][3] == "'=cmd()"
    assert rows[1][6] == "'=X"
    assert "\x1b" not in "".join(cell for row in rows for cell in row)


def test_names_must_be_known_and_two() -> None:
    table = _table("tags", "NVNDN", "NNVDN", "NVDNN", "NVNDN")
    with pytest.raises(fg.UsageError, match="name two systems"):
        fg.difference(table)
    with pytest.raises(fg.UsageError, match="name two systems"):
        fg.difference(table, "s1")
    with pytest.raises(fg.UsageError, match="Did you mean 's1'"):
        fg.difference(table, "s11", "s2")
    with pytest.raises(fg.UsageError, match="unknown system 's9'"):
        fg.differences(table, "s9")
    with pytest.raises(fg.UsageError, match="two systems or more"):
        fg.differences(table, systems=["s1"])
    with pytest.raises(fg.UsageError, match=r"unknown metric (?!.*conll_f1)"):  # of other tasks
        fg.difference(table, "s1", "s2", metric="accurracy")
    with pytest.raises(
        fg.UsageError, match="'fair_f1' needs spans, which the task tags does not have"
    ):
        fg.difference(table, "s1", "s2", metric="fair_f1")
    with pytest.raises(fg.UsageError, match="outcome table"):
        fg.difference([1, 2])  # type: ignore[arg-type]
    with pytest.raises(fg.UsageError, match="unknown kind of change"):
        fg.difference(table, "s1", "s2").changes("fix")
    with pytest.raises(fg.UsageError, match="unknown pair"):
        fg.differences(table).pair("s2", "s1")


def test_matrices_by_hand() -> None:
    """Gold NNVN; one NNNV, two VVVV, three NNVV.

    one - two: all but the last, 3/4; one - three: token 3, 1/4; two - three: tokens 1 and 2, 2/4.
    Right: one 2, two 1, three 3.
    """
    text = [list("abcd")]
    rows = {"one": "NNNV", "two": "VVVV", "three": "NNVV"}
    systems = {name: Corpus.of(text, tags=[list(row)]) for name, row in rows.items()}
    found = fg.differences(fg.align(Corpus.of(text, tags=[list("NNVN")]), systems, task="tags"))
    told = _checked(found)
    assert list(told["pairs"]) == ["one|two", "one|three", "two|three"]
    matrix = told["matrix"]
    assert matrix["order"] == ["one", "three", "two"]
    assert matrix["diff"]["one"] == {"one": 0, "three": 0.25, "two": 0.75}
    assert matrix["diff"]["two"]["three"] == matrix["diff"]["three"]["two"] == 0.5
    assert matrix["delta"]["accuracy"]["one"] == {"one": 0, "three": 0.25, "two": -0.25}
    assert matrix["delta"]["accuracy"]["three"]["one"] == -0.25
    assert "one and three are closest (25.00 % differ), one and two farthest (75.00 %)" in str(
        found
    )


def test_a_baseline_is_compared_with_every_other_system() -> None:
    table = _table("tags", "NVNDN", "NNVDN", "NVDNN", "NVNDN")
    found = fg.differences(table, "s2")
    told = _checked(found)
    assert list(told["pairs"]) == ["s2|s1", "s2|s3"]
    assert told["matrix"]["order"] == ["s3", "s1"]  # the best first
    assert told["matrix"]["diff"] == {"s2": {"s3": 0.4, "s1": 0.6}}
    assert "Against s2, the best first" in str(found)


def test_spans_compare_f1_beside_accuracy() -> None:
    table = _table("spans", "POOPO", "PLOLO", "LOOPO", "POOPO")
    told = _checked(fg.differences(table))
    assert told["matrix"]["delta"].keys() == {"accuracy", "traditional_f1"}
    fair = _checked(fg.differences(table, metric="fair_f1"))
    assert fair["matrix"]["delta"].keys() == {"accuracy", "fair_f1"}


def test_long_names_do_not_widen_matrices() -> None:
    corpus = Corpus.of([["a"]], tags=[["N"]])
    names = [f"a-system-with-a-rather-long-name-{number}" for number in range(3)]
    found = fg.differences(fg.align(corpus, dict.fromkeys(names, corpus), task="tags"))
    matrix = found.listings()[0]
    assert [column.name for column in matrix.columns] == ["diff", "1", "2", "3"]
    assert [row[0] for row in matrix.rows] == [
        f"{number} {name}" for number, name in enumerate(names, 1)
    ]


def test_bars_in_names_keep_pairs_apart() -> None:
    corpus = Corpus.of([["a"]], tags=[["N"]])
    table = fg.align(corpus, {"a|b": corpus, "c": corpus, "a": corpus, "b|c": corpus}, task="tags")
    assert list(_checked(fg.differences(table))["pairs"])[:2] == ["a\\|b|c", "a\\|b|a"]
    assert len(fg.differences(table).to_json()["pairs"]) == 6


@settings(max_examples=25, deadline=None)
@given(tasks, st.lists(outputs, min_size=4, max_size=4))
def test_the_order_of_systems_does_not_matter(task: str, rows: list[str]) -> None:
    table = _table(task, *rows)
    matrices = []
    for names in permutations(table.systems):
        told = fg.differences(table, systems=names).to_json()
        matrices.append(told["matrix"])
    assert all(matrix == matrices[0] for matrix in matrices)


def test_the_order_of_sentences_does_not_matter() -> None:
    from finegrain.testing import reordered

    for task in ("spans", "tags"):
        gold, systems = small_corpora(task)
        turned = {name: reordered(corpus, [3, 1, 0, 2]) for name, corpus in systems.items()}
        backwards = fg.align(reordered(gold, [3, 1, 0, 2]), turned)
        assert (
            fg.difference(backwards).to_json() == fg.difference(fg.align(gold, systems)).to_json()
        )


def test_changes_of_spans_are_told_by_label() -> None:
    """`before` calls the first LOC an ORG and invents the second; `after` misses the PER."""
    text = [["Paris", "met", "Ann", "in", "May"]]
    gold = Corpus.of(text, tags=[["B-LOC", "O", "B-PER", "O", "O"]])
    before = Corpus.of(text, tags=[["B-ORG", "O", "B-PER", "O", "B-LOC"]])
    after = Corpus.of(text, tags=[["B-LOC", "O", "O", "O", "O"]])
    found = fg.difference(fg.align(gold, {"before": before, "after": after}))
    told = {one["label"]: one["changes"] for one in found.to_json()["labels"]}
    assert told == {
        "LOC": [
            {"from": "LE", "to": "TP", "from_label": "ORG", "to_label": "LOC", "count": 1},
            {"from": "FP", "to": "ABSENT", "from_label": "LOC", "to_label": None, "count": 1},
        ],
        "PER": [{"from": "TP", "to": "FN", "from_label": "PER", "to_label": None, "count": 1}],
    }
    (listing,) = (one for one in found.listings() if one.title == "Changes by label")
    third = pytest.approx(1 / 3)
    assert listing.rows == (
        ("LOC", "LE ORG", "TP", 1, third),
        ("LOC", "FP", "absent", 1, third),
        ("PER", "TP", "FN", 1, third),
    )


@pytest.mark.parametrize("task", ["spans", "coreference"])
def test_changes_by_label_add_up_to_those_of_every_kind(task: str) -> None:
    table = fg.align(*small_corpora(task))
    found = fg.difference(table, *table.systems[:2])
    moves = [move for one in found.by_label() for move in one.transitions or ()]
    for kind in ("correction", "new_error", "changed_error"):
        for before, after in {(one.before, one.after) for one in found.changes(kind)}:
            assert sum(
                one.times for one in moves if (one.before, one.after) == (before, after)
            ) == sum(
                one.count
                for one in found.changes(kind)
                if (one.before, one.after) == (before, after)
            )
    assert sum(one.times for one in moves) == found.changed > 0


@pytest.mark.parametrize("table", [SPANS, TAGS], ids=["spans", "tags"])
def test_csv_has_every_number(table: fg.OutcomeTable) -> None:
    found = fg.difference(table)
    rows = list(csv.DictReader(io.StringIO(render(found, "csv"))))
    counts = [row for row in rows if row["measure"] == "count" and row["from"]]
    by_label = [row for row in counts if row["part"] == "label"]  # once more, of spans
    assert sum(int(row["value"]) for row in counts) == found.changed * (1 + bool(by_label))
    assert bool(by_label) == (table is SPANS)
    assert {row["measure"] for row in rows} >= {"diff", "accuracy_delta", "share_of_class"}
    assert len(list(csv.reader(io.StringIO(render(fg.differences(table), "csv"))))) == len(rows) + 1


@pytest.mark.parametrize("intervals", [0, 20])
def test_intervals_are_of_shares_of_units(intervals: int) -> None:
    """They stand beside the number that they are about, which counts say without them."""
    found = fg.difference(TAGS, intervals=intervals)
    rows = csv.DictReader(io.StringIO(render(found, "csv")))
    shares = {
        row["part"]: float(row["value"]) for row in rows if row["measure"] == "share_of_units"
    }
    counted = {kind: found.total(kind) / found.units for kind in CHANGES}
    assert shares == (pytest.approx(counted) if intervals else {})


def test_disagreements_stand_side_by_side() -> None:
    """`short` cuts London Bridge to Bridge and invents She."""
    found = disagreements(SPANS, "short", "mixed")
    told = [json.loads(line) for line in as_jsonl(found)]
    assert len(told) == fg.difference(SPANS).changed
    bridge = next(one for one in told if one["text"] == "London Bridge")
    assert bridge == {
        "document": 2, "sentence": 4, "line": None, "text": "London Bridge", "gold": "LOC",
        "a": "LOC Bridge", "b": "LOC", "kind": "correction", "from": "BES", "to": "TP",
        "context": "London Bridge is not Tower Bridge .", "system_a": "short", "system_b": "mixed",
    }  # fmt: skip
    she = next(one for one in told if one["text"] == "She")
    assert (she["gold"], she["a"], she["b"], she["to"]) == (None, "PER", None, "ABSENT")
    header, *lines = as_tsv(found)
    assert header.split("\t")[:9] == [
        "document", "sentence", "line", "text", "gold", "a", "b", "kind", "from",
    ]  # fmt: skip
    assert len(lines) == len(told)


def test_disagreements_as_a_corpus_name_whose_they_are() -> None:
    corpus = disagreements(SPANS, "short", "mixed").marked()
    spans = corpus.spans
    assert spans is not None
    told = {
        (" ".join(corpus.sentence(int(spans.sentence[row]))[at] for at in spans.tokens(row)),
         spans.labels[spans.label[row]])
        for row in range(len(spans))
    }  # fmt: skip
    bridge = {
        ("London Bridge", "gold.LOC"),
        ("Bridge", "short.LOC"),
        ("London Bridge", "mixed.LOC"),
    }
    assert bridge <= told
    assert ("Charles Babbage", "gold.PER") not in told  # both have it
    same = _table("tags", "NVNDN", "NNVDN", "NNVDN")
    with pytest.raises(fg.UsageError, match="nothing to write"):
        disagreements(same, "s1", "s2").marked()


def _labels(table: fg.OutcomeTable, one: str, other: str) -> set[str]:
    spans = disagreements(table, one, other).marked().spans
    assert spans is not None
    return set(spans.labels)


def test_disagreements_on_trees_have_the_heads() -> None:
    words, relations = [["I", "saw", "it"]], [["nsubj", "root", "obj"]]
    gold, one, other = (
        Corpus.of(words, head=[["2", "0", head]], deprel=relations) for head in "221"
    )
    table = fg.align(gold, {"one": one, "other": other}, task="dependencies")
    # only the head of "it" differs: saw (2) in gold and one, I (1) in other
    assert _labels(table, "one", "other") == {"gold.obj(saw-2)", "one.obj(saw-2)", "other.obj(I-1)"}


def test_disagreements_on_chains_have_the_antecedents_and_where_they_stand() -> None:
    text = [["he", "left"], ["he", "saw"], ["him"]]
    rows = {"gold": "aba", "one": "aba", "other": "abb"}  # chains of he, he, him
    corpora = {
        name: replace(
            Corpus.of(text, documents=[0, 0, 0]),
            clusters=Clusters.of(
                [(at, 0, 1, chain) for at, chain in enumerate(chains)], documents=[0, 0, 0]
            ),
        )
        for name, chains in rows.items()
    }
    table = fg.align(corpora.pop("gold"), corpora, task="coreference")
    # both antecedents are called "he": that of the first sentence, and that of the second
    assert _labels(table, "one", "other") == {
        "gold.mention_→_he(1:1)", "one.mention_→_he(1:1)", "other.mention_→_he(2:1)",
    }  # fmt: skip


def test_a_zero_is_drawn_on_the_word_behind_it() -> None:
    def corpus(entity: str) -> Corpus:
        lines = ["# newdoc id = a", "# global.Entity = eid-etype-head"]
        lines.append("1\tAda" + "\t_" * 7 + "\tEntity=(e1-x-1)")
        lines.append("1.1\t_" + "\t_" * 6 + f"\t2:nsubj\tEntity={entity}")
        lines += ["2\tleft" + "\t_" * 8, "", ""]
        return corefud.read(source_of("f", "\n".join(lines).encode()))

    table = fg.align(
        corpus("(e1-x-1)"),
        {"one": corpus("(e1-x-1)"), "other": corpus("(e2-x-1)")},
        task="coreference",
    )
    spans = disagreements(table, "one", "other").marked().spans
    assert spans is not None
    assert {spans.tokens(row) for row in range(len(spans))} == {(1,)}
    assert "one.zero_→_Ada(1:1)" in spans.labels


def test_owners_are_told_apart_whatever_systems_are_called() -> None:
    text = [["a"]]
    gold, one, other = (Corpus.of(text, tags=[[tag]]) for tag in "NVD")
    table = fg.align(gold, {"gold": one, "my system": other}, task="tags")
    spans = disagreements(table, "gold", "my system").marked().spans
    assert spans is not None
    assert set(spans.labels) == {"gold.N", "gold_.V", "my_system.D"}


def test_results_are_counted_in_columns() -> None:
    counts = fg.difference(TAGS).counts
    assert counts.label_units.dtype == np.int64
    assert int(counts.label_units.sum()) == counts.units == len(TAGS)
