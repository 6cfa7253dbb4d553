"""Match schemes: hand-worked, against nervaluate where it is right, better where it is not."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.corpus import Corpus, Spans
from finegrain.metrics.match_schemes import KINDS, SCHEMES
from tests.conftest import Run
from tests.metrics.test_span_scores import corpora


def _spans(*rows: Any) -> Corpus:
    return Corpus("spans", np.array([0, 40]), spans=Spans.of([(0, *row) for row in rows]))


def _schemes(gold: Corpus, system: Corpus, **options: Any) -> dict[str, Any]:
    table = fg.align(gold, {"s": system}, task="spans")
    found: dict[str, Any] = fg.score(table, schemes=["all"], **options).to_json()["s"]
    return found


def _counts(found: dict[str, Any], scheme: str) -> tuple[int, ...]:
    return tuple(found["schemes"][scheme][kind] for kind in KINDS)


# The scenarios of SemEval-2013 task 9.1 as listed in nervaluate's README: what one gold and one
# predicted entity count as under (strict, exact, partial, type).
SCENARIOS = {
    "III missed": ([(1, 2, "BRAND")], [], ("missed",) * 4),
    "II spurious": ([], [(1, 2, "BRAND")], ("spurious",) * 4),
    "V boundaries": (
        [(1, 2, "DRUG")],
        [(0, 2, "DRUG")],
        ("incorrect", "incorrect", "partial", "correct"),
    ),
    "IV label": (
        [(1, 2, "DRUG")],
        [(1, 2, "BRAND")],
        ("incorrect", "correct", "correct", "incorrect"),
    ),
    "I right": ([(1, 2, "DRUG")], [(1, 2, "DRUG")], ("correct",) * 4),
    "VI both": (
        [(1, 2, "GROUP")],
        [(0, 2, "DRUG")],
        ("incorrect", "incorrect", "partial", "incorrect"),
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_scenarios_of_semeval(name: str) -> None:
    gold, system, expected = SCENARIOS[name]
    found = _schemes(_spans(*gold), _spans(*system))
    for scheme, kind in zip(("strict", "exact", "partial", "type"), expected, strict=True):
        assert _counts(found, scheme) == tuple(int(one == kind) for one in KINDS), scheme


TRUE = [
    ["O", "B-PER", "I-PER", "O", "O", "O", "B-ORG", "I-ORG"],
    ["O", "B-LOC", "B-PER", "I-PER", "O", "O", "B-DATE"],
]
PRED = [
    ["O", "O", "B-PER", "I-PER", "O", "O", "B-ORG", "I-ORG"],
    ["O", "B-LOC", "I-LOC", "B-PER", "O", "O", "B-DATE"],
]
DOCUMENTED = {  # the README of nervaluate 1.2.1
    "type": (5, 0, 0, 0, 0, 1.0),
    "exact": (2, 3, 0, 0, 0, 0.4),
    "partial": (2, 0, 3, 0, 0, 0.7),
    "strict": (2, 3, 0, 0, 0, 0.4),
}
DOCUMENTED_STRICT = {
    "DATE": (1, 0, 0, 0, 0),
    "LOC": (0, 1, 0, 0, 0),
    "ORG": (1, 0, 0, 0, 0),
    "PER": (0, 2, 0, 0, 0),
}


def _tagged(tags: list[list[str]]) -> Corpus:
    return Corpus.of([[f"w{at}" for at in range(len(row))] for row in tags], tags=tags)


def test_the_documented_example_of_nervaluate() -> None:
    found = _schemes(_tagged(TRUE), _tagged(PRED))
    for scheme, (*counts, score) in DOCUMENTED.items():
        assert _counts(found, scheme) == tuple(counts)
        for name in ("precision", "recall", "f1"):
            assert found["schemes"][scheme][name] == pytest.approx(score)
    for label, counts in DOCUMENTED_STRICT.items():
        assert _counts(found["labels"][label], "strict") == counts


@st.composite
def flat_rows(draw: st.DrawFn) -> list[tuple[int, int, str]]:
    """Flat spans that stand apart, so that at most one other flat span covers two of them."""
    rows, at = [], 0
    while at < 30 and len(rows) < 6:
        begin = at + draw(st.integers(0, 4))
        end = begin + draw(st.integers(1, 4))
        rows.append((begin, end, draw(st.sampled_from("AB"))))
        at = end
    return rows


def _one_partner_at_most(gold: list[Any], system: list[Any]) -> bool:
    """No span overlaps two of the other side: then there is nothing to choose."""

    def partners(one: Any, others: list[Any]) -> int:
        return sum(one[0] < other[1] and other[0] < one[1] for other in others)

    return all(partners(one, system) <= 1 for one in gold) and all(
        partners(one, gold) <= 1 for one in system
    )


def _theirs(gold: list[Any], system: list[Any], tags: str = "AB") -> dict[str, Any]:
    evaluator = pytest.importorskip("nervaluate.evaluator").Evaluator
    sides = [
        [[{"start": row[0], "end": row[1] - 1, "label": row[2]} for row in rows]]
        for rows in (gold, system)
    ]
    found: dict[str, Any] = evaluator(*sides, tags=list(tags), loader="dict").evaluate()
    return found


@given(flat_rows(), flat_rows())
@settings(max_examples=100, deadline=None)
def test_equal_to_nervaluate_where_there_is_nothing_to_choose(
    gold: list[Any], system: list[Any]
) -> None:
    system = [row for row in system if _one_partner_at_most(gold, [row])]
    if not _one_partner_at_most(gold, system):
        return
    found, theirs = _schemes(_spans(*gold), _spans(*system)), _theirs(gold, system)["overall"]
    for scheme, name in (("strict",) * 2, ("exact",) * 2, ("partial",) * 2, ("type", "ent_type")):
        assert _counts(found, scheme) == tuple(getattr(theirs[name], kind) for kind in KINDS)
        assert (found["schemes"][scheme]["f1"] or 0) == pytest.approx(theirs[name].f1)


@given(corpora, corpora)
@settings(max_examples=100, deadline=None)
def test_overall_is_the_sum_over_labels_and_all_spans_are_counted_once(
    gold: Corpus, system: Corpus
) -> None:
    found = _schemes(gold, system)
    assert gold.spans is not None
    assert system.spans is not None
    for scheme in SCHEMES:
        counts = _counts(found, scheme)
        by_label = [_counts(label, scheme) for label in found["labels"].values()]
        assert counts == tuple(map(sum, zip(*by_label, strict=True))) or not by_label
        correct, incorrect, partial, missed, spurious = counts
        assert correct + incorrect + partial + missed == len(gold.spans)
        assert correct + incorrect + partial + spurious == len(system.spans)
        for label, row in found["labels"].items():
            assert sum(_counts(row, scheme)[:4]) == row["counts"]["gold"], label


@given(corpora, corpora)
@settings(max_examples=100, deadline=None)
def test_what_must_be_related_is(gold: Corpus, system: Corpus) -> None:
    """Strict is traditional; exact and type are milder; overlap lies between strict and type."""
    found = _schemes(gold, system)
    correct = {scheme: _counts(found, scheme)[0] for scheme in SCHEMES}
    assert found["schemes"]["strict"]["f1"] == found["overall"]["traditional"]["f1"]
    assert correct["strict"] == found["counts"]["TP"]
    assert correct["strict"] <= correct["exact"] == correct["partial"]
    last = correct["strict"]
    assert _counts(_schemes(gold, system, overlap=1.0), "overlap")[0] == last
    for overlap in (0.9, 0.5, 0.1, 1e-9):
        now = _counts(_schemes(gold, system, overlap=overlap), "overlap")[0]
        assert last <= now <= correct["type"]
        last = now
    assert last == correct["type"]


@given(corpora, corpora, st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_the_order_of_spans_in_the_file_is_irrelevant(
    gold: Corpus, system: Corpus, random: Any
) -> None:
    def shuffled(corpus: Corpus) -> Corpus:
        assert corpus.spans is not None
        order = list(range(len(corpus.spans)))
        random.shuffle(order)
        rows = corpus.spans.take(np.array(order, np.int64))
        return Corpus(corpus.source, corpus.offsets, spans=rows)

    first, second = _schemes(gold, system), _schemes(shuffled(gold), shuffled(system))
    assert first["schemes"] == second["schemes"]
    for label, row in first["labels"].items():
        assert row["schemes"] == second["labels"][label]["schemes"]


@given(corpora, corpora, corpora)
@settings(max_examples=50, deadline=None)
def test_adding_a_system_leaves_other_schemes_unchanged(
    gold: Corpus, one: Corpus, two: Corpus
) -> None:
    both = fg.score(fg.align(gold, {"two": two, "one": one}), schemes=["all"]).to_json()
    assert both["one"]["schemes"] == _schemes(gold, one)["schemes"]


# What nervaluate 1.2.1 gets wrong, each with its own (wrong) number as a guard: if a test fails on
# that line, nervaluate has been mended and docs/nervaluate.md needs a look.


def test_predictions_in_any_order_give_the_same_score() -> None:
    """Gold A 0-2; predictions A 0-3 and A 0-2: the equal one is correct, the other spurious."""
    gold, rows = [(0, 2, "A")], [(0, 3, "A"), (0, 2, "A")]
    theirs = {_theirs(gold, list(order))["overall"]["strict"].f1 for order in ([*rows], rows[::-1])}
    assert len(theirs) == 2
    for order in itertools.permutations(rows):
        found = _schemes(_spans(*gold), _spans(*order))
        assert _counts(found, "strict") == (1, 0, 0, 0, 1)
        assert found["schemes"]["strict"]["f1"] == pytest.approx(2 / 3)


def test_issue_84_overall_is_the_sum_over_labels() -> None:
    """Gold x 0-2; predictions y 0-3, x 0-3: x is correct in type, y is spurious."""
    gold, rows = [(0, 2, "x")], [(0, 3, "y"), (0, 3, "x")]
    theirs = _theirs(gold, rows, tags="xy")
    assert theirs["overall"]["ent_type"].correct == 0
    assert theirs["entities"]["x"]["ent_type"].correct == 1
    found = _schemes(_spans(*gold), _spans(*rows))
    assert _counts(found, "type") == (1, 0, 0, 0, 1)
    assert _counts(found["labels"]["x"], "type") == (1, 0, 0, 0, 0)
    assert _counts(found["labels"]["y"], "type") == (0, 0, 0, 0, 1)


def test_issue_29_a_span_over_two_golds_answers_one_of_them() -> None:
    """Gold A 0-2, A 3-5; prediction A 0-5: one pair (overlap 2/5, first row), one missed."""
    theirs = _theirs([(0, 2, "A"), (3, 5, "A")], [(0, 5, "A")])["overall"]["ent_type"]
    assert (theirs.correct, theirs.missed) == (1, 1)
    found = _schemes(_spans((0, 2, "A"), (3, 5, "A")), _spans((0, 5, "A")))
    assert _counts(found, "type") == (1, 0, 0, 1, 0)
    assert found["schemes"]["type"]["recall"] == 0.5
    assert _counts(found, "partial") == (0, 0, 1, 1, 0)
    assert _counts(found, "overlap") == (0, 1, 0, 1, 0)  # 2/5 < 0.5


def test_issues_57_and_78_nested_spans() -> None:
    """Gold A 0-5 with A 1-3 in it; predictions A 0-4 and A 0-5.

    0-5 is equal to its gold span, so 0-4 is left for 1-3 (overlap 2/4). nervaluate lets 0-4 take
    the gold span 0-5 first, and nothing is correct.
    """
    gold, rows = [(0, 5, "A"), (1, 3, "A")], [(0, 4, "A"), (0, 5, "A")]
    assert _theirs(gold, rows)["overall"]["strict"].correct == 0
    for order in itertools.permutations(rows):
        found = _schemes(_spans(*gold), _spans(*order))
        assert _counts(found, "strict") == _counts(found, "exact") == (1, 1, 0, 0, 0)
        assert _counts(found, "partial") == (1, 0, 1, 0, 0)
        assert _counts(found, "type") == _counts(found, "overlap") == (2, 0, 0, 0, 0)


def test_a_label_that_nobody_listed_counts() -> None:
    """nervaluate drops labels that are not in tags= and says nothing."""
    gold, system = [(0, 2, "A"), (3, 5, "C")], [(0, 2, "A")]
    assert _theirs(gold, system)["overall"]["strict"].recall == 1
    assert _schemes(_spans(*gold), _spans(*system))["schemes"]["strict"]["recall"] == 0.5


def test_issue_83_least_overlap_is_symmetric() -> None:
    """Gold A 0-2, prediction A 0-20: 2/20. nervaluate divides by the gold span: 100 percent."""
    found = _schemes(_spans((0, 2, "A")), _spans((0, 20, "A")), overlap=0.1)
    assert _counts(found, "overlap") == (1, 0, 0, 0, 0)
    found = _schemes(_spans((0, 2, "A")), _spans((0, 20, "A")), overlap=0.11)
    assert _counts(found, "overlap") == (0, 1, 0, 0, 0)


def test_a_wrong_label_is_incorrect_for_the_gold_label() -> None:
    """Gold A 0-2, prediction B 0-2: one incorrect A, and nothing is counted for B."""
    theirs = _theirs([(0, 2, "A")], [(0, 2, "B")])
    assert theirs["overall"]["strict"].incorrect == 1
    assert theirs["entities"]["A"]["strict"].missed == 1
    assert theirs["entities"]["B"]["strict"].spurious == 1
    found = _schemes(_spans((0, 2, "A")), _spans((0, 2, "B")))
    assert _counts(found["labels"]["A"], "strict") == (0, 1, 0, 0, 0)
    assert _counts(found["labels"]["B"], "strict") == (0, 0, 0, 0, 0)


def test_a_span_that_ends_before_it_begins_is_refused(run: Run, tmp_path: Path) -> None:
    """nervaluate: correct under strict, missed and spurious under partial."""
    theirs = _theirs([(5, 3, "A")], [(5, 3, "A")])["overall"]
    assert theirs["strict"].correct == theirs["partial"].missed == 1
    for name in ("gold", "made"):
        row = {"id": "1", "text": "Ada in Rome", "spans": [{"start": 3, "end": 0, "label": "A"}]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    done = run("score", "gold.jsonl", "made.jsonl", "--schemes")
    assert done.returncode == 3
    assert "gold.jsonl:1" in done.stderr


def test_what_is_correct_for_a_scheme_is_paired_first() -> None:
    """Gold A 0-4; B 0-4 has its boundaries, A 0-3 its label (overlap 3/4)."""
    found = _schemes(_spans((0, 4, "A")), _spans((0, 4, "B"), (0, 3, "A")))
    expected = {
        "strict": (0, 1, 0, 0, 1),
        "exact": (1, 0, 0, 0, 1),
        "partial": (1, 0, 0, 0, 1),
        "type": (1, 0, 0, 0, 1),
        "overlap": (1, 0, 0, 0, 1),
    }
    assert {scheme: _counts(found, scheme) for scheme in SCHEMES} == expected
    assert _counts(found["labels"]["B"], "type") == (0, 0, 0, 0, 1)  # B is the spurious one
    assert _counts(found["labels"]["A"], "exact") == (1, 0, 0, 0, 1)  # here A is


def test_undefined_is_null() -> None:
    found = _schemes(_spans((0, 1, "A")), _spans())["schemes"]["partial"]
    assert (found["precision"], found["recall"], found["f1"]) == (None, 0, 0)


def test_schemes_are_metrics_too() -> None:
    table = fg.align(_spans((0, 4, "A")), {"s": _spans((0, 3, "A"))})
    assert fg.score(table, "type_f1").value("type_f1", "s") == 1
    scores = fg.score(table, "overlap_f1", overlap=0.8)
    assert scores.value("overlap_f1", "s") == 0
    assert "|overlap:0.8|" in scores.signature


def test_wrong_usage() -> None:
    spans = fg.align(_spans((0, 4, "A")), {"s": _spans()})
    with pytest.raises(fg.UsageError, match="Did you mean 'strict'"):
        fg.score(spans, schemes=["strct"])
    for overlap in (0, 1.5, float("nan")):
        with pytest.raises(fg.UsageError, match="above 0 and at most 1"):
            fg.score(spans, schemes=["overlap"], overlap=overlap)
    tags = Corpus.of([["a"]], tags=[["N"]])
    with pytest.raises(fg.UsageError, match="are for spans, not for tags"):
        fg.score(fg.align(tags, {"s": tags}), schemes=["strict"])


def test_spans_that_cut_tokens_are_compared_by_characters(run: Run, tmp_path: Path) -> None:
    """Gold `Ada` 0-3 and `Rome` 7-11; predictions `Ad` 0-2 (2 of 3) and `e` 10-11 (1 of 4)."""
    for name, bounds in (("gold", [(0, 3), (7, 11)]), ("made", [(0, 2), (10, 11)])):
        spans = [{"start": begin, "end": end, "label": "A"} for begin, end in bounds]
        row = {"id": "1", "text": "Ada in Rome", "spans": spans}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    done = run("score", "gold.jsonl", "made.jsonl", "--schemes", "--format", "json")
    found = json.loads(done.stdout)["result"]["made"]
    assert _counts(found, "exact") == (0, 2, 0, 0, 0)
    assert _counts(found, "partial") == (0, 0, 2, 0, 0)
    assert _counts(found, "type") == (2, 0, 0, 0, 0)
    assert _counts(found, "overlap") == (1, 1, 0, 0, 0)


@pytest.mark.parametrize(
    ("system", "correct", "theirs"), [("flair", 1701, 1694), ("elmo", 1580, 1571)]
)
def test_real_output_against_nervaluate(
    shared: Path, system: str, correct: int, theirs: int
) -> None:
    """WNUT-16: three schemes agree; type pairs a few more spans of the same label."""
    folder = shared / "data/ner/wnut16"
    gold = fg.read(str(folder / "test.txt.gz"))
    made = fg.read(str(folder / f"system-{system}.txt.gz"), columns={"token": 1, "tags": 3})
    found = _schemes(gold, made)
    columns = [list(corpus.layers["tags"]) for corpus in (gold, made)]
    tags = [
        [column[begin:end] for begin, end in itertools.pairwise(gold.offsets.tolist())]
        for column in columns
    ]
    evaluator = pytest.importorskip("nervaluate.evaluator").Evaluator
    peer = evaluator(*tags, tags=list(found["labels"]), loader="list").evaluate()["overall"]
    for scheme in ("strict", "exact", "partial"):
        assert _counts(found, scheme) == tuple(getattr(peer[scheme], kind) for kind in KINDS)
    assert (found["schemes"]["type"]["correct"], peer["ent_type"].correct) == (correct, theirs)
