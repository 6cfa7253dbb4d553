"""Floors and votes of items, worked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import finegrain as fg
from finegrain.alignment import item_baselines
from finegrain.alignment.majority_vote import MEAN_VOTE, VOTE, has_mean_vote, mean_vote, with_votes
from finegrain.errors import InputError, MissingExtra, UsageError
from finegrain.formats.delimited import read
from finegrain.formats.source import source_of
from finegrain.table import OutcomeTable
from tests.conftest import Run

GOLD = "id,text,label\na,dull,neg\nb,fine,pos\nc,so so,pos\n"
TRAIN = "id,text,label\nt,fine indeed,pos\nu,dull,neg\nv,a fine one,pos\nw,no label,\n"


def _read(text: str) -> fg.Corpus:
    return read(source_of("file", text.encode()))


def test_majority_is_the_most_frequent_label_of_training() -> None:
    found = item_baselines.labels("majority", _read(TRAIN), _read(GOLD))
    assert list(found.fields["answer"]) == ["pos", "pos", "pos"]
    tied = _read("id,text,label\nt,x,b\nu,y,a\n")
    first = item_baselines.labels("majority", tied, _read(GOLD)).fields["answer"]
    assert set(first) == {"a"}


def test_random_answers_are_drawn_as_training_has_them_and_always_the_same() -> None:
    gold = _read("id,text,label\n" + "".join(f"g{at},x,pos\n" for at in range(4000)))
    one, two = (item_baselines.labels("random", _read(TRAIN), gold) for _ in range(2))
    answers = list(one.fields["answer"])
    assert answers == list(two.fields["answer"])
    assert answers.count("pos") / 4000 == pytest.approx(2 / 3, abs=0.03)  # 4 standard errors


def test_bag_of_words_learns_words() -> None:
    pytest.importorskip("sklearn")
    many = "id,text,label\n" + "t,fine indeed,pos\nu,dull,neg\n" * 5
    found = item_baselines.labels("bag-of-words", _read(many), _read(GOLD))
    assert list(found.fields["answer"])[:2] == ["neg", "pos"]
    chances = found.fields["probabilities.pos"] + found.fields["probabilities.neg"]
    assert chances == pytest.approx([1.0] * 3)


def test_the_mean_of_training_numbers() -> None:
    train = _read("id,text,score\nt,a,1.5\nu,b,2.5\nv,c,\n")
    gold = _read("id,text,score\na,x,3.5\n")
    assert item_baselines.numbers("mean", train, gold).fields["prediction"].tolist() == [2.0]
    with pytest.raises(
        UsageError, match=r"unknown baseline 'majority'\. Known: mean, bag-of-words"
    ):
        item_baselines.numbers("majority", train, gold)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise ModuleNotFoundError

    monkeypatch.setattr(item_baselines, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"pip install 'finegrain\[baselines\]'"):
        item_baselines.labels("bag-of-words", _read(TRAIN), _read(GOLD))


def test_nothing_can_be_learnt_from_nothing() -> None:
    with pytest.raises(InputError, match="no training item has a label"):
        item_baselines.labels("majority", _read("id,text,label\nt,x,\nu,y,\n"), _read(GOLD))
    with pytest.raises(InputError, match="all training items have one answer"):
        item_baselines.labels("bag-of-words", _read("id,text,label\nt,x,a\nu,y,a\n"), _read(GOLD))


def test_baselines_from_the_command_line(run: Run, tmp_path: Path) -> None:
    for name, text in (("gold", GOLD), ("train", TRAIN), ("a", GOLD)):
        (tmp_path / f"{name}.csv").write_text(text)
    shown = run("score", "gold.csv", "a.csv", "--train", "train.csv", "--baseline", "majority",
                "--baseline", "random", "--no-intervals")  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    assert "majority     66.67" in " ".join(shown.stdout.split("\n"))
    unknown = run("score", "gold.csv", "a.csv", "--train", "train.csv", "--baseline", "gazetteer")
    assert "Known: majority, random, bag-of-words" in unknown.stderr


def _voting() -> OutcomeTable:
    head = "id,label,prob_neg,prob_pos\n"
    return fg.align(
        _read("id,label\nq1,pos\nq2,pos\n"),
        {
            "a": _read(head + "q1,neg,0.6,0.4\nq2,pos,0.1,0.9\n"),
            "b": _read(head + "q1,neg,0.6,0.4\nq2,pos,0.2,0.8\n"),
            "c": _read(head + "q1,pos,0.0,1.0\nq2,neg,0.6,0.4\n"),
        },
    )


def test_the_mean_of_probabilities_is_a_vote_of_its_own() -> None:
    table = with_votes(_voting())
    assert table.systems == ("a", "b", "c", VOTE, MEAN_VOTE)
    # q1: two of three say neg, but the mean of pos is (0.4 + 0.4 + 1) / 3 = 0.6
    assert [table.labels[code] for code in table.answer[0, 3:]] == ["neg", "pos"]
    assert table.details["probability"][0, 3] == pytest.approx([0.4, 0.6])
    scores = fg.score(table)
    assert scores.value("accuracy", VOTE) == 0.5
    assert scores.value("accuracy", MEAN_VOTE) == 1.0


def test_there_is_no_mean_where_a_system_has_no_probabilities() -> None:
    gold = _read("id,label\nq1,pos\nq2,neg\n")
    chances = _read("id,label,prob_neg,prob_pos\nq1,pos,0.2,0.8\nq2,neg,0.9,0.1\n")
    table = fg.align(gold, {"a": chances, "b": gold})
    assert not has_mean_vote(table)
    assert with_votes(table).systems == ("a", "b", VOTE)
    with pytest.raises(UsageError, match="probabilities of all systems"):
        mean_vote(table)


def test_the_oracle_is_not_that_of_votes() -> None:
    table = _voting()
    assert fg.oracle(with_votes(table)).systems == table.systems
