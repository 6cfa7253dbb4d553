"""Answers to questions: scores as SQuAD's scripts have them, kinds of errors, bad input."""

from __future__ import annotations

import json
import re
import string
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.alignment.answer_texts import compared, normalised
from finegrain.attributes import by_name
from finegrain.formats.items import read as read_items
from finegrain.formats.source import source_of
from finegrain.formats.squad import read as read_squad
from finegrain.table.exchange import to_arrow
from finegrain.table.verdicts import changed
from tests.command_line import run_finegrain


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_finegrain(*arguments, cwd=Path())


def _corpus(name: str, records: list[dict[str, Any]]) -> fg.Corpus:
    return read_items(source_of(name, "".join(json.dumps(one) + "\n" for one in records).encode()))


def _table(
    references: list[list[str]], answers: dict[str, list[str]], **options: Any
) -> fg.OutcomeTable:
    gold = [
        {"id": f"q{at}", "question": "who ?", "answers": [{"text": text} for text in texts]}
        for at, texts in enumerate(references)
    ]
    systems = {
        name: _corpus(name, [{"id": f"q{at}", "answer": text} for at, text in enumerate(given_)])
        for name, given_ in answers.items()
    }
    return fg.align(_corpus("gold", gold), systems, task="qa", **options)


def _outcomes(table: fg.OutcomeTable, system: int = 0) -> list[str]:
    return [table.outcomes.names[code] for code in table.outcome[:, system]]


# The official rules, stated once more in plain Python (SQuAD 1.1 and 2.0).


def _plain(text: str) -> str:
    kept = "".join(char for char in text.lower() if char not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def _plain_f1(answer: str, reference: str, version: str) -> float:
    mine, theirs = _plain(answer).split(), _plain(reference).split()
    if version == "2.0" and (not mine or not theirs):
        return float(mine == theirs)
    same = sum((Counter(mine) & Counter(theirs)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(mine), same / len(theirs)
    return 2 * precision * recall / (precision + recall)


def _plain_scores(answer: str, references: list[str], version: str) -> tuple[float, float]:
    kept = references
    if version == "2.0":
        kept = [one for one in references if _plain(one)] or [""]
    exact = max(float(_plain(answer) == _plain(one)) for one in kept)
    return exact, max(_plain_f1(answer, one, version) for one in kept)


WORDS = st.sampled_from(
    ["a", "an", "The", "rome", "Rome", "Rome's", "in", "1,233", "km", "“km”", "¿", "–", "...", "ß",
     "SS", "İ", "théâtre", "the\u00a0end", "a-b", "\u3000", "an.", "thea"]
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(WORDS, max_size=6).map(" ".join),
    st.text(max_size=12).filter(lambda text: text.isprintable() or text == ""),
)


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), min_size=1, max_size=6),
    st.sampled_from(["1.1", "2.0"]),
)
def test_scores_are_those_of_the_official_rules(
    questions: list[tuple[str, list[str]]], version: str
) -> None:
    answers, references = [one for one, _ in questions], [many for _, many in questions]
    table = _table(references, {"mine": answers}, squad=version)
    for row, (answer, many) in enumerate(questions):
        exact, f1 = _plain_scores(answer, many, version)
        assert table.values["exact_match"].matrix[row, 0] == exact
        assert table.values["f1"].matrix[row, 0] == f1  # to the last bit
        assert (_outcomes(table)[row] == "EXACT") == bool(exact)


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_normalising_twice_changes_nothing_that_the_rules_do_not(text: str) -> None:
    assert normalised(text) == _plain(text)


def test_the_best_of_several_references_counts() -> None:
    # "the Swiss Alps in summer": 4 words without the article; "Swiss Alps" shares 2: P 2/4, R 1,
    # F1 2/3; "Alps": P 1/4, R 1, F1 0.4
    table = _table([["Alps", "Swiss Alps"]], {"mine": ["the Swiss Alps in summer"]})
    assert table.values["f1"].matrix[0, 0] == pytest.approx(2 / 3)
    assert _outcomes(table) == ["LONG"]


def test_kinds_of_errors() -> None:
    references = [["new york city"]] * 7 + [[]] * 2
    answers = ["New York City!", "York City", "in New York City", "City of York", "Rome", "the", "",
               "Rome", ""]  # fmt: skip
    found = [
        "EXACT",
        "SHORT",
        "LONG",
        "PARTIAL",
        "WRONG",
        "WRONG",
        "ABSTAINED",
        "INVENTED",
        "EXACT",
    ]
    assert _outcomes(_table(references, {"mine": answers})) == found


def test_the_same_words_in_another_order_are_partly_right() -> None:
    table = _table([["york new"]], {"mine": ["new york"]})
    assert table.values["f1"].matrix.tolist() == [[1.0]]
    assert (_outcomes(table), table.values["exact_match"].matrix.tolist()) == (["PARTIAL"], [[0.0]])


def test_the_order_of_references_does_not_matter_for_the_kind() -> None:
    # "b c" has F1 0.8 with both: "a b c" without the article is "b c d" (short), "x b c" overlaps
    one = _table([["c b x", "b c d"]], {"mine": ["b c"]})
    other = _table([["b c d", "c b x"]], {"mine": ["b c"]})
    assert _outcomes(one) == _outcomes(other) == ["SHORT"]


def test_scores_with_unanswerable_questions() -> None:
    # EM: 1, 0, 1, 0 -> 1/2; F1: 1, 2/3, 1, 0; answerable: EM 1/2, F1 5/6; unanswerable 1/2
    table = _table([["rome"], ["in rome"], [], []], {"mine": ["Rome", "Rome", "", "Rome"]})
    scores = fg.score(table).to_json()["mine"]["overall"]
    assert scores["exact_match"] == 0.5
    assert scores["f1"] == pytest.approx((1 + 2 / 3 + 1) / 4)
    assert scores["has_answer_exact_match"] == 0.5
    assert scores["has_answer_f1"] == pytest.approx(5 / 6)
    assert scores["no_answer_accuracy"] == 0.5
    assert any("2 of 4 questions have no answer" in note for note in table.notes)


def test_without_unanswerable_questions_there_are_two_scores() -> None:
    scores = fg.score(_table([["rome"]], {"mine": ["Rome"]})).to_json()["mine"]["overall"]
    assert set(scores) == {"exact_match", "f1"}


def test_references_without_a_word_follow_the_version() -> None:
    # SQuAD 1.1: F1 of two texts without words is 0, though they match; 2.0: 1
    found = {
        version: _table([["The"]], {"mine": ["a"]}, squad=version).values["f1"].matrix[0, 0]
        for version in ("1.1", "2.0")
    }
    assert found == {"1.1": 0.0, "2.0": 1.0}


def test_version_1_has_no_unanswerable_questions() -> None:
    with pytest.raises(fg.UsageError, match=r"squad=1\.1: there are questions without an answer"):
        _table([[]], {"mine": ["a"]}, squad="1.1")
    with pytest.raises(fg.UsageError, match="unknown squad '3'"):
        _table([["a"]], {"mine": ["a"]}, squad="3")


def test_changed_errors_are_other_answers_when_normalised() -> None:
    table = _table([["x"], ["x"], ["x"]], {"a": ["the y", "y", "x"], "b": ["Y!", "z", "X"]})
    assert changed(table, 0, 1).tolist() == [False, True, False]


def test_a_saved_table_has_its_answers(tmp_path: Path) -> None:
    table = _table([["x"], ["y z"]], {"a": ["x", ""], "b": ["n", "y"]})
    path = tmp_path / "table.parquet"
    table.save(str(path))
    again = fg.load(str(path))
    assert again.details["answer_text"].tolist() == [["x", "n"], ["", "y"]]
    assert fg.score(again).to_json() == fg.score(table).to_json()
    assert to_arrow(again)["answer_b"].to_pylist() == ["n", "y"]


def test_distinct_pairs_are_compared_once_and_told_of_all() -> None:
    found = compared(["a b", "b"], ["b c"], np.array([0, 1, 0]), np.array([0, 0, 0]))
    assert found.f1.round(3).tolist() == [0.667, 0.667, 0.667]  # "a" is an article


# Files


SQUAD = {"version": "v2.0", "data": [{"title": "Rivers", "paragraphs": [{
    "context": "The Rhine rises in the Swiss Alps.",
    "qas": [
        {"id": "q1", "question": "Where does it rise?", "is_impossible": False,
         "answers": [{"text": "the Swiss Alps", "answer_start": 19}]},
        {"id": "q2", "question": "Who dammed it?", "is_impossible": True, "answers": [],
         "plausible_answers": [{"text": "Swiss", "answer_start": 23}]},
    ]}]}]}  # fmt: skip


def _write(folder: Path, **files: Any) -> list[str]:
    paths = []
    for name, content in files.items():
        path = folder / f"{name}.json"
        path.write_text(
            content if isinstance(content, str) else json.dumps(content, indent=1) + "\n"
        )
        paths.append(str(path))
    return paths


def test_squad_and_answers_by_id_on_the_command_line(tmp_path: Path) -> None:
    gold, a = _write(tmp_path, gold=SQUAD, a={"q2": "", "q1": "Alps"})
    found = run("score", gold, f"a={a}", "--task", "qa", "--format", "json")
    result = json.loads(found.stdout)["result"]["a"]["overall"]
    # "Alps" for "Swiss Alps": F1 2/3; the unanswerable one is right
    assert result["f1"] == pytest.approx((2 / 3 + 1) / 2)
    assert "plausible_answers of 1 question left out" in found.stdout


def test_squad_is_recognised(tmp_path: Path) -> None:
    gold, a = _write(tmp_path, gold=SQUAD, a={"q1": "Alps", "q2": ""})
    assert "format squad; task qa (recognised); 2 questions" in run("score", gold, a).stderr


@pytest.mark.parametrize(
    "record",
    [
        {"answers": ["rome", "the city of rome"]},
        {"answers": {"text": ["rome", "the city of rome"], "answer_start": [3, -1]}},
        {"answers": [{"text": "rome"}, {"text": "the city of rome"}]},
        {"answer": "Rome"},
        {"answers": "Rome"},
    ],
    ids=["list", "object of lists", "list of objects", "answer", "text"],
)
def test_every_form_of_references(record: dict[str, Any]) -> None:
    gold = _corpus("gold", [{"id": "a", "question": "where?", "context": "in Rome.", **record}])
    table = fg.align(gold, {"s": _corpus("s", [{"id": "a", "prediction": "Rome"}])}, task="qa")
    assert _outcomes(table) == ["EXACT"]


def test_items_in_csv(tmp_path: Path) -> None:
    gold, mine = tmp_path / "gold.csv", tmp_path / "mine.csv"
    gold.write_text(
        "id,question,context,answer\na,Where?,It is in Rome.,Rome\nb,Who?,Ada did.,Ada\n"
    )
    mine.write_text("id,answer\nb,\na,Rome\n")
    found = run("score", str(gold), str(mine), "--format", "json")
    assert json.loads(found.stdout)["result"]["mine"]["overall"]["f1"] == 0.5
    assert "task qa (recognised)" in found.stderr


def test_gold_and_answer_in_one_file_without_distinct_ids(tmp_path: Path) -> None:
    rows = [
        {"id": "0", "question": f"q{at}?", "context": "Rome", "answers": {"text": ["Rome"]},
         "predicted_answers": {"text": text}}
        for at, text in enumerate(["Rome", "in Rome"])
    ]  # fmt: skip
    (one,) = _write(tmp_path, one={"predictions": rows})
    found = run("score", one, one, "--format", "json")
    assert json.loads(found.stdout)["result"]["one"]["overall"]["exact_match"] == 0.5
    assert "all questions have the id '0', which is ignored" in found.stdout


BAD = {
    "unknown id": ({"q1": "a", "q2": "", "q9": ""}, "a.json:4: the item 'q9' is not in the gold"),
    "missing": ({"q1": "a"}, "1 of 2 questions have no answer: 'q2'. Add them, or say"),
    "no text": ({"q1": "a", "q2": ["x"]}, "the answer to 'q2' is not text"),
    "twice": ('{"q1": "",\n "q2": "",\n "q1": "b"}\n', "a.json:3: the id 'q1' is on line 1"),
    "twice and more": ('{"q1": "",\n "q1": "b"}\n"q2"\n', "a.json:3: the key"),
    "twice and a number": ('{"q1": {"a": 1, "a": 2},\n "q2": %s}' % ("9" * 5000), "the key"),
    "broken": ('{"q1": "a",\n "q2": }\n', "a.json:2: not JSON"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_answers_are_told_by_their_line(name: str, tmp_path: Path) -> None:
    content, message = BAD[name]
    gold, a = _write(tmp_path, gold=SQUAD, a=content)
    found = run("score", gold, a)
    assert (found.returncode, message in found.stderr) == (3, True), found.stderr


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": None}, "data[0].paragraphs[0].qas[0]: the question has no id"),
        ({"question": 7}, "data[0].paragraphs[0].qas[0]: 'q1' has no question"),
        ({"answers": "x"}, "data[0].paragraphs[0].qas[0]: no list of answers"),
        ({"answers": [{}]}, "data[0].paragraphs[0].qas[0].answers[0]: no text"),
        ({"is_impossible": "no"}, "is_impossible is neither true nor false"),
        ({"is_impossible": True}, "'q1': is_impossible is true, and there are references"),
        ({"answers": []}, "'q1': is_impossible is false, and there are no references"),
        ({"id": "q2"}, "the id 'q2' is on line"),
    ],
)
def test_bad_questions_are_told_by_their_path(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    bad = json.loads(json.dumps(SQUAD))
    bad["data"][0]["paragraphs"][0]["qas"][0].update(change)
    gold, a = _write(tmp_path, gold=bad, a={"q2": ""})
    found = run("score", gold, a, "--missing", "wrong")
    assert (found.returncode, message in found.stderr) == (3, True), found.stderr
    assert "gold.json:" in found.stderr


@pytest.mark.parametrize(("missing", "f1"), [("wrong", 0.5), ("skip", 1.0)])
def test_missing_answers_are_the_users_choice(missing: str, f1: float, tmp_path: Path) -> None:
    gold, a = _write(tmp_path, gold=SQUAD, a={"q1": "Swiss Alps"})
    found = run("score", gold, a, "--missing", missing, "--format", "json")
    assert json.loads(found.stdout)["result"]["a"]["overall"]["f1"] == f1
    assert "1 of 2 questions" in found.stdout


def test_other_questions_under_the_same_ids_are_refused() -> None:
    gold = _corpus("gold", [{"id": "a", "question": "who?", "answers": ["x"]}])
    other = _corpus("other", [{"id": "a", "question": "why?", "prediction": "x"}])
    with pytest.raises(fg.InputError, match=r"other:1: the question is 'why\?'"):
        fg.align(gold, {"s": other}, task="qa")


def test_questions_without_a_reference_are_left_out_and_counted() -> None:
    rows = [
        {"id": "a", "question": "who?", "answer": "x"},
        {"id": "b", "question": "?", "answer": None},
    ]
    mine = _corpus("s", [{"id": "a", "answer": "x"}, {"id": "b", "answer": "y"}])
    table = fg.align(_corpus("gold", rows), {"s": mine}, task="qa")
    assert len(table) == 1
    assert any("1 question without a reference left out" in note for note in table.notes)


def test_several_answers_to_a_question_are_refused() -> None:
    gold = _corpus("gold", [{"id": "a", "question": "who?", "answers": ["x"]}])
    two = _corpus("two", [{"id": "a", "predicted_answers": ["x", "y"]}])
    with pytest.raises(fg.InputError, match="two:1: question 'a': several answers"):
        fg.align(gold, {"s": two}, task="qa")


def test_an_answer_that_is_not_where_it_should_be_is_searched_for(tmp_path: Path) -> None:
    bad = json.loads(json.dumps(SQUAD))
    bad["data"][0]["paragraphs"][0]["qas"][0]["answers"][0]["answer_start"] = 3
    gold, a = _write(tmp_path, gold=bad, a={"q1": "", "q2": ""})
    found = run("show", gold, a)
    assert "1 reference not where answer_start says" in found.stdout
    assert "rises in [the Swiss Alps]." in found.stdout


def test_a_place_that_no_context_has_is_searched_for_or_refused() -> None:
    for far in (1e300, -5, 2**52):
        record = {"answers": {"text": ["rome"], "answer_start": [far]}}
        gold = _corpus("gold", [{"id": "a", "question": "?", "context": "in rome", **record}])
        table = fg.align(gold, {"s": _corpus("s", [{"id": "a", "answer": "rome"}])}, task="qa")
        assert table.parts["references"].fields["begin"].tolist() == [3]
    far_away = json.loads(json.dumps(SQUAD))
    far_away["data"][0]["paragraphs"][0]["qas"][0]["answers"][0]["answer_start"] = 10**400
    with pytest.raises(
        fg.InputError, match=r"answers\[0\]: answer_start is not a place in the context"
    ):
        read_squad(source_of("gold", json.dumps(far_away).encode()))


def test_a_question_is_shown_with_context_references_and_answers(tmp_path: Path) -> None:
    gold, a = _write(tmp_path, gold=SQUAD, a={"q1": "Alps", "q2": "Swiss"})
    lines = run("show", gold, a).stdout.splitlines()
    assert lines[2:10] == [
        "Where does it rise?  document Rivers 1, question 1, line 11",
        "context  The Rhine rises in [the Swiss Alps].",
        "gold     the Swiss Alps",
        "a        Alps  SHORT  f1 66.67",
        "",
        "Who dammed it?  document Rivers 1, question 2, line 22",
        "context  The Rhine rises in the Swiss Alps.",
        "gold     (no answer)",
    ]


def test_lengths_of_answers() -> None:
    # answered with a reference: q0 (3 words for 1), q1 (1 for 2), q2 (1 for 1); q3 is not answered
    # and q4 has no answer: 5 words for 4
    references = [["x", "x y z"], ["x y"], ["x"], ["x"], []]
    table = _table(references, {"mine": ["p q r", "x", "z", "", "w"]})
    found = fg.study(table, "answer_lengths")
    expected = {"questions": 3, "ratio": 1.25, "shorter": 1, "as long": 1, "longer": 1}
    assert found.data["systems"]["mine"] == expected
    (row,) = found.tables[1].rows  # who: too short, too long, partly right, no overlap, ...
    assert row == ("who", 5, "mine", 1, 0, 0, 2, 1, 1, 0)
    assert found.columns["length of answers of mine"].tolist() == [2, 0, 1, -1, -1]


def test_attributes_of_questions() -> None:
    rows = [
        {"id": "a", "question": "By how many did it rise ?", "context": "It rose by 7 points .",
         "answers": ["7 points", "7"]},
        {"id": "b", "question": "Name the river .", "context": "", "answers": ["Rhine"]},
    ]  # fmt: skip
    mine = _corpus("s", [{"id": "a", "answer": ""}, {"id": "b", "answer": ""}])
    table = fg.align(_corpus("gold", rows), {"s": mine}, task="qa")
    values = {
        name: [str(one) for one in by_name(name).values(table)]
        for name in ("question_word", "context_length", "answer_length", "answer_position")
    }
    # "7 points" begins behind 11 of 21 characters; the second context is empty
    assert values == {
        "question_word": ["how many", "none"],
        "context_length": ["6.0", "nan"],
        "answer_length": ["1.0", "1.0"],
        "answer_position": [str(11 / 21), "nan"],
    }
