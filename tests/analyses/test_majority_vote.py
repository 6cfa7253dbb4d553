"""The majority vote: hand-worked, against a vote counted span by span, in every order."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import finegrain as fg
from finegrain.alignment.majority_vote import VOTE, apart
from finegrain.corpus import Corpus, Spans
from finegrain.table import Outcome, Outcomes, Task
from finegrain.table.verdicts import produced
from finegrain.testing import small_corpora
from tests.conftest import Run
from tests.table.corpora import TABLES, same, span_tables, tag_tables

TEXT = [["a", "b", "c", "d"]]


def _tagged(*tags: str) -> Corpus:
    return Corpus.of([TEXT[0][: len(tags)]], tags=[list(tags)])


def _outcomes(table: fg.OutcomeTable, system: int = -1) -> list[str]:
    return [table.outcomes.names[code] for code in table.outcome[:, system]]


def test_tags_by_hand() -> None:
    """a: N V N -> N. b: all V. d: D D X -> D.

    c: three answers; in all outputs together V has 5, N and D have 3: V.
    """
    systems = {
        "one": _tagged("N", "V", "N", "D"),
        "two": _tagged("V", "V", "V", "D"),
        "three": _tagged("N", "V", "D", "X"),
    }
    table = fg.majority_vote(fg.align(_tagged("N", "V", "V", "X"), systems, task="tags"))
    assert [table.labels[code] for code in table.answer[:, -1]] == ["N", "V", "V", "D"]
    assert _outcomes(table) == ["CORRECT", "CORRECT", "CORRECT", "WRONG"]


def test_a_tie_goes_to_the_more_frequent_answer_then_to_the_alphabet() -> None:
    """In all outputs: V 4, N 3, D 1. a: N or V -> V; b: N or D -> N. In the second table N and V
    have 1 each: N is first in the alphabet. Gold has no say: it is D everywhere.
    """
    one, two = _tagged("N", "N", "V", "N"), _tagged("V", "D", "V", "V")
    table = fg.majority_vote(fg.align(_tagged(*"DDDD"), {"one": one, "two": two}, task="tags"))
    assert [table.labels[code] for code in table.answer[:, -1]] == ["V", "N", "V", "V"]
    table = fg.majority_vote(
        fg.align(_tagged("D"), {"one": _tagged("V"), "two": _tagged("N")}, task="tags")
    )
    assert [table.labels[code] for code in table.answer[:, -1]] == ["N"]


def test_spans_by_hand() -> None:
    """Of three systems two have A on a, one has B there; two have A on c d, one A on c only.

    The vote: A on a (gold: B, so LE) and A on c d (TP). A on c and B on a are not in it.
    """
    text = [["a", "b", "c", "d"]]
    systems = {
        "one": Corpus.of(text, tags=[["B-A", "O", "B-A", "I-A"]]),
        "two": Corpus.of(text, tags=[["B-A", "O", "B-A", "O"]]),
        "three": Corpus.of(text, tags=[["B-B", "O", "B-A", "I-A"]]),
    }
    table = fg.majority_vote(fg.align(Corpus.of(text, tags=[["B-B", "O", "B-A", "I-A"]]), systems))
    found = {
        (table.text(row), table.labels[table.label[row]]): outcome
        for row, outcome in enumerate(_outcomes(table))
    }
    assert found == {
        ("a", "A"): "USED", ("a", "B"): "LE", ("c", "A"): "ABSENT", ("c d", "A"): "TP",
    }  # fmt: skip
    assert fg.score(table).value("traditional_f1", VOTE) == 0.5  # 1 of 2 gold, 1 of 2 predicted


def test_half_of_the_systems_is_no_majority_of_spans() -> None:
    gold, none = _tagged("B-A", "O"), _tagged("O", "O")
    table = fg.majority_vote(fg.align(gold, {"one": gold, "two": none}))
    assert _outcomes(table) == ["FN"]


@given(span_tables())
@settings(max_examples=60, deadline=None)
def test_spans_are_those_of_a_vote_counted_span_by_span(table: fg.OutcomeTable) -> None:
    """And they are matched as if they had come from a file, in the order of the rows."""
    voted = fg.majority_vote(table)
    has = produced(table)
    kept = [row for row in range(len(table)) if sum(has[row].tolist()) > table.n_systems / 2]
    assert np.flatnonzero(produced(voted)[:, -1]).tolist() == kept
    gold = _corpus(table, np.flatnonzero(table.is_gold).tolist())
    again = fg.align(gold, {VOTE: _corpus(table, kept)}, task="spans")
    assert _charged(again, 0) == _charged(voted, table.n_systems)


def _corpus(table: fg.OutcomeTable, rows: list[int]) -> Corpus:
    spans = [
        (
            int(table.sentence[row]), int(table.begin[row]), int(table.end[row]),
            table.labels[table.label[row]], table.tokens(row),
        )
        for row in rows
    ]  # fmt: skip
    return replace(table.corpus, spans=Spans.of(spans))


def _charged(table: fg.OutcomeTable, system: int) -> Counter[tuple[Any, ...]]:
    """Every unit with its outcome, except for those that the system does not have."""
    names = [table.outcomes.names[code] for code in table.outcome[:, system]]
    return Counter(
        (int(table.sentence[row]), table.tokens(row), table.labels[table.label[row]], names[row])
        for row in range(len(table))
        if names[row] != "ABSENT"
    )


@given(tag_tables())
@settings(max_examples=60, deadline=None)
def test_tags_are_those_of_a_vote_counted_token_by_token(table: fg.OutcomeTable) -> None:
    voted = fg.majority_vote(table)
    overall = Counter(table.answer.ravel().tolist())
    for row, answers in enumerate(table.answer.tolist()):
        counts = Counter(answers)
        winner = min(counts, key=lambda code: (-counts[code], -overall[code], code))
        assert voted.answer[row, -1] == winner
        assert (_outcomes(voted)[row] == "CORRECT") == (winner == table.label[row])


@given(TABLES)
@settings(max_examples=60, deadline=None)
def test_the_vote_is_one_more_system_and_changes_no_other(table: fg.OutcomeTable) -> None:
    voted = fg.majority_vote(table)
    assert voted.systems == (*table.systems, VOTE)
    first = replace(
        voted,
        systems=table.systems,
        outcome=voted.outcome[:, :-1],
        answer=voted.answer[:, :-1],
        repairs=table.repairs,
    )
    assert voted.outcome.dtype == table.outcome.dtype
    assert voted.answer.dtype == table.answer.dtype
    assert same(replace(first, outcome=table.outcome, answer=table.answer), table)
    assert np.array_equal(first.outcome, table.outcome)
    assert np.array_equal(first.answer, table.answer)


@given(TABLES)
@settings(max_examples=60, deadline=None)
def test_the_order_of_systems_is_irrelevant(table: fg.OutcomeTable) -> None:
    turned = replace(
        table,
        systems=table.systems[::-1],
        outcome=table.outcome[:, ::-1],
        answer=table.answer[:, ::-1],
    )
    one, other = fg.majority_vote(table), fg.majority_vote(turned)
    assert np.array_equal(one.outcome[:, -1], other.outcome[:, -1])
    assert np.array_equal(one.answer[:, -1], other.answer[:, -1])


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_the_order_of_documents_is_irrelevant(task: str) -> None:
    gold, systems = small_corpora(task)
    turned = {name: corpus.with_documents([1, 0]) for name, corpus in systems.items()}
    one = fg.majority_vote(fg.align(gold, systems))
    other = fg.majority_vote(fg.align(gold.with_documents([1, 0]), turned))
    assert sorted(_outcomes(one)) == sorted(_outcomes(other))
    assert fg.score(one).to_json()[VOTE] == fg.score(other).to_json()[VOTE]


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_one_system_is_its_own_majority_and_so_are_copies_of_it(task: str) -> None:
    gold, systems = small_corpora(task)
    name, corpus = next(iter(systems.items()))
    for others in ((), ("copy",), ("copy", "third")):
        table = fg.majority_vote(fg.align(gold, {name: corpus, **dict.fromkeys(others, corpus)}))
        assert np.array_equal(table.outcome[:, -1], table.outcome[:, 0])
        assert np.array_equal(table.answer[:, -1], table.answer[:, 0])


def test_spans_that_do_not_fit_tokens_are_matched_by_characters() -> None:
    """The system has `York` of `NewYork`: a boundary error in the vote as in the system."""
    gold = Corpus.of([["in", "NewYork"]], tags=[["O", "B-LOC"]])
    half = Corpus.of([["in", "New", "York"]], tags=[["O", "O", "B-LOC"]])
    table = fg.align(gold, {"half": half}, text="characters")
    assert "begin_cut" in table.columns
    voted = fg.majority_vote(table)
    assert np.array_equal(voted.outcome[:, -1], voted.outcome[:, 0])
    assert "BES" in _outcomes(voted)


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_every_analysis_takes_it_like_a_system(task: str, tmp_path: Path) -> None:
    table = fg.majority_vote(fg.align(*small_corpora(task)))
    assert VOTE in fg.score(table).to_json()
    assert VOTE in fg.error_types(table).to_json()
    assert VOTE in fg.confusion(table).to_json()
    assert VOTE in str(fg.show(table))
    table.save(str(tmp_path / "table.parquet"))
    assert fg.load(str(tmp_path / "table.parquet")).systems == table.systems


def test_systems_and_vote_are_set_apart_with_their_heads() -> None:
    table = fg.align(*small_corpora("dependencies"), task="dependencies")
    systems, vote = apart(fg.majority_vote(table))
    assert vote is not None
    for part, places in ((systems, [0, 1]), (vote, [2])):
        whole = fg.majority_vote(table).details["head"]
        assert part.details["head"].tolist() == whole[:, places].tolist()


def test_what_cannot_be_voted_on() -> None:
    table = fg.align(*small_corpora("tags"))
    voted = fg.majority_vote(table)
    with pytest.raises(fg.UsageError, match="already"):
        fg.majority_vote(voted)
    assert fg.majority_vote(voted, name="again").systems[-1] == "again"
    empty = replace(table, systems=(), outcome=table.outcome[:, :0], answer=table.answer[:, :0])
    with pytest.raises(fg.UsageError, match="needs systems"):
        fg.majority_vote(empty)
    outcomes = Outcomes((Outcome("YES", "", "", right=True), Outcome("NO", "", "")))
    other = replace(table, task=Task("links", "", "", outcomes, answers="none"))
    with pytest.raises(fg.UsageError, match="no majority vote for the task links"):
        fg.majority_vote(other)


def test_option_of_every_analysis(run: Run, tmp_path: Path) -> None:
    run("simulate", "play", "--tokens", "500")
    files = sorted(str(path) for path in (tmp_path / "play").glob("*.conll"))
    systems = [path for path in files if not path.endswith(("gold.conll", "train.conll"))]
    gold = str(tmp_path / "play" / "gold.conll")
    for command in ("score", "errors", "confusion"):
        done = run(command, gold, *systems, "--vote")
        assert done.returncode == 0, done.stderr
        assert VOTE in done.stdout
    run("align", gold, *systems, "--output", "table.parquet")
    assert VOTE in run("score", "table.parquet", "--vote").stdout


def _numbers(**systems: list[float]) -> fg.OutcomeTable:
    return fg.from_items([1.0, 2.5, 4.0], systems, task="regression")


def test_the_vote_of_numbers_is_their_median() -> None:
    """Items 1 to 3: 1 2 9 -> 2, 2 4 3 -> 3, 5 4 4 -> 4; errors 1, 0.5, 0; of two, their mean."""
    systems = {"a": [1.0, 2.0, 5.0], "b": [2.0, 4.0, 4.0], "c": [9.0, 3.0, 4.0]}
    for order in (systems, dict(reversed(systems.items()))):
        voted = fg.majority_vote(_numbers(**order))
        assert voted.details["prediction"][:, -1].tolist() == [2.0, 3.0, 4.0]
        assert voted.values["absolute_error"].matrix[:, -1].tolist() == [1.0, 0.5, 0.0]
        assert voted.values["squared_error"].matrix[:, -1].tolist() == [1.0, 0.25, 0.0]
        assert fg.score(voted).value("mae", VOTE) == pytest.approx(0.5)
    two = fg.majority_vote(_numbers(a=systems["a"], b=systems["b"]))
    assert two.details["prediction"][:, -1].tolist() == [1.5, 3.0, 4.5]
    assert fg.oracle(two).systems == ("a", "b")


def test_the_median_is_of_the_numbers_that_there_are() -> None:
    draw = np.random.default_rng(1)
    for systems in range(1, 7):
        table = _numbers(**{f"s{at}": [1.0, 2.0, 3.0] for at in range(systems)})
        given = np.where(draw.random((3, systems)) < 0.3, np.nan, draw.normal(size=(3, systems)))
        given[0] = np.nan
        voted = fg.majority_vote(replace(table, details={**table.details, "prediction": given}))
        expected = [np.median(row[~np.isnan(row)]) if not np.isnan(row).all() else np.nan
                    for row in given]  # fmt: skip
        np.testing.assert_allclose(voted.details["prediction"][:, -1], expected)
        assert voted.outcomes.names[voted.outcome[0, -1]] == "UNANSWERED"


def _answered(tmp_path: Path, *systems: list[str]) -> fg.OutcomeTable:
    (tmp_path / "gold.jsonl").write_text(
        '{"id": "1", "answers": ["Rome"]}\n{"id": "2", "answers": ["Oslo"]}\n{"id": "3", '
        '"answers": ["Bonn"]}\n'
    )
    for at, answers in enumerate(systems):
        lines = [f'{{"id": "{item}", "answer": "{one}"}}\n' for item, one in enumerate(answers, 1)]
        (tmp_path / f"s{at}.jsonl").write_text("".join(lines))
    files = {f"s{at}": fg.read(str(tmp_path / f"s{at}.jsonl")) for at in range(len(systems))}
    return fg.align(fg.read(str(tmp_path / "gold.jsonl")), files, task="qa")


def test_the_vote_of_answers_is_by_what_they_are_when_normalised(tmp_path: Path) -> None:
    """1: Rome twice, in two spellings; 2: all differ, and Rome is the most frequent answer of all;
    3: all differ and are equally frequent: Berlin is first in the alphabet.
    """
    answers = [["rome.", "Rome", "Berlin"], ["Paris", "Oslo", "Bonn"], ["The Rome", "Nice", "Graz"]]
    for order in (answers, answers[::-1]):
        voted = fg.majority_vote(_answered(tmp_path, *order))
        assert voted.details["answer_text"][:, -1].tolist() == ["The Rome", "Rome", "Berlin"]
        assert _outcomes(voted) == ["EXACT", "WRONG", "WRONG"]
        assert fg.score(voted).value("exact_match", VOTE) == pytest.approx(1 / 3)
        found = fg.oracle(voted)
        assert found.has_vote
        assert VOTE not in found.systems
