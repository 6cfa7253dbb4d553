"""Column files in the shapes people have: side by side, with headers, with any separator."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from finegrain import cli
from tests.conftest import Run

SIDE_BY_SIDE = ("--columns", "token=1,gold=2,answer=3")
# crf has both boundaries right, neural misses York; the gold is the same
CRF = "New\tB-LOC\tB-LOC\nYork\tI-LOC\tI-LOC\n\nsleeps\tO\tO\n"
NEURAL = "New\tB-LOC\tB-LOC\nYork\tI-LOC\tO\n\nsleeps\tO\tO\n"

Files = Callable[..., None]
Score = Callable[..., dict[str, Any]]


class Refused(Exception):
    """The command ended with an error: its exit code and its message."""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """Write files into the current folder: ``files(gold=..., crf=...)``."""
    monkeypatch.chdir(tmp_path)

    def write(**texts: str) -> None:
        for name, text in texts.items():
            Path(name).write_text(text, encoding="utf-8", newline="")

    return write


@pytest.fixture
def score(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Score:
    """``finegrain score ... --format json`` in this process, as an object."""

    def run(*arguments: str) -> dict[str, Any]:
        monkeypatch.setattr(sys, "argv", ["finegrain", "score", *arguments, "--format", "json"])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        if ended.value.code:
            assert out == ""
            raise Refused(ended.value.code, err)
        return json.loads(out)

    return run


def f1(result: dict[str, Any]) -> dict[str, float]:
    """Traditional F1 of every system."""
    return {name: one["overall"]["traditional"]["f1"] for name, one in result["result"].items()}


def test_side_by_side_files_need_no_gold_argument(files: Files, score: Score) -> None:
    files(crf=CRF, neural=NEURAL)
    result = score(*SIDE_BY_SIDE, "crf", "neural")
    assert result["systems"] == ["crf", "neural"]
    # one gold span; crf finds it, neural has another one
    assert f1(result) == {"crf": 1.0, "neural": 0.0}


def test_side_by_side_equals_separate_files(files: Files, score: Score) -> None:
    files(
        crf=CRF,
        neural=NEURAL,
        gold="New B-LOC\nYork I-LOC\n\nsleeps O\n",
        neural_alone="New B-LOC\nYork O\n\nsleeps O\n",
    )
    together = score(*SIDE_BY_SIDE, "crf", "neural")
    apart = score("gold", "crf=gold", "neural=neural_alone")
    assert together["result"] == apart["result"]


def test_one_side_by_side_file_is_enough_and_can_be_named(files: Files, score: Score) -> None:
    files(crf=CRF)
    assert f1(score(*SIDE_BY_SIDE, "best=crf")) == {"best": 1.0}


def test_side_by_side_on_the_real_command_line(files: Files, run: Run) -> None:
    files(crf=CRF, neural=NEURAL)
    done = run("score", *SIDE_BY_SIDE, "crf", "neural", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert f1(json.loads(done.stdout)) == {"crf": 1.0, "neural": 0.0}


def test_a_gold_that_differs_in_one_file_is_refused(files: Files, run: Run) -> None:
    files(crf=CRF, neural=NEURAL.replace("I-LOC\tO", "O\tO"))
    done = run("score", *SIDE_BY_SIDE, "crf", "neural")
    assert (done.returncode, done.stdout) == (3, "")
    assert (
        "error: neural:2: gold 'O' where crf has 'I-LOC' (line 2). "
        "All files must carry the same gold annotation."
    ) in done.stderr


def test_a_gold_that_differs_only_in_its_names_is_refused(files: Files, score: Score) -> None:
    # the same codes, B-LOC and B-PER being the second of two names: still another gold
    files(one="a\tO\tO\nb\tB-LOC\tO\n", two="a\tO\tO\nb\tB-PER\tO\n")
    with pytest.raises(Refused, match="two:2: gold 'B-PER' where one has 'B-LOC'"):
        score(*SIDE_BY_SIDE, "one", "two")


def test_tokens_that_differ_in_one_file_are_refused(files: Files, score: Score) -> None:
    files(crf=CRF, neural=NEURAL.replace("York", "Yark"))
    with pytest.raises(Refused, match="neural:2: 'Yark' where the gold has 'York'") as caught:
        score(*SIDE_BY_SIDE, "crf", "neural")
    assert caught.value.args[0] == 3


def test_a_truncated_side_by_side_file_is_refused(files: Files, score: Score) -> None:
    files(crf=CRF, neural=NEURAL[: NEURAL.index("sleeps")])
    with pytest.raises(Refused, match="neural:2: the file ends after 1 sentence and 2 tokens"):
        score(*SIDE_BY_SIDE, "crf", "neural")


def test_side_by_side_tags(files: Files, score: Score) -> None:
    files(one="time\tNOUN\tNOUN\nflies\tVERB\tNOUN\n")
    result = score(*SIDE_BY_SIDE, "one")
    assert result["task"] == "tags"
    assert result["result"]["one"]["overall"]["accuracy"] == 0.5  # one of two tokens


def test_columns_by_header_name(files: Files, score: Score) -> None:
    head = "Token\tTrue Label\tAnswer\n"
    files(crf=head + CRF, neural=head + NEURAL)
    result = score("--columns", "token=Token,gold=True Label,answer=Answer", "crf", "neural")
    assert f1(result) == {"crf": 1.0, "neural": 0.0}
    assert "header line: Token, True Label, Answer" in result["notes"]


def test_files_may_have_their_columns_in_another_order(files: Files, score: Score) -> None:
    files(
        crf="Token\tGold\tAnswer\n" + CRF,
        other="Answer\tToken\tGold\nB-LOC\tNew\tB-LOC\nO\tYork\tI-LOC\n\nO\tsleeps\tO\n",
    )
    assert f1(score("--columns", "token=Token,gold=Gold,answer=Answer", "crf", "other")) == {
        "crf": 1.0,
        "other": 0.0,
    }


def test_a_header_name_that_is_not_there_lists_the_others(files: Files, score: Score) -> None:
    files(crf="Token\tGold\tAnswer\n" + CRF)
    with pytest.raises(Refused) as caught:
        score("--columns", "token=Token,gold=Gold,answer=Predicted", "crf")
    code, message = caught.value.args
    assert code == 3
    assert (
        "crf:1: no column is called 'Predicted'. The header has: 'Token', 'Gold', 'Answer'."
        in message
    )


def test_a_column_that_is_not_there_is_refused(files: Files, score: Score) -> None:
    files(gold="a\tO\nb\tO\n", crf="a\tO\nb\tO\n")
    with pytest.raises(
        Refused, match=r"gold:1: there is no column 4 \(tags\): lines have 2"
    ) as caught:
        score("--columns", "token=1,tags=4", "gold", "crf")
    assert caught.value.args[0] == 3


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("token=1,answer=3", "gold and answer go together"),
        ("token=1", "name the annotation too"),
        ("token=1,pos=2", "say which column is tags"),
        ("token", "'token' is not name=column"),
        ("token=1,tags=", "'tags=' is not name=column"),
    ],
)
def test_columns_that_make_no_sense_are_a_usage_error(
    columns: str, message: str, files: Files, score: Score
) -> None:
    files(crf=CRF)
    with pytest.raises(Refused) as caught:
        score("--columns", columns, "crf", "crf")
    assert caught.value.args[0] == 2
    assert message in caught.value.args[1]


def test_gold_and_systems_may_have_different_columns(files: Files, score: Score) -> None:
    # the last column is the annotation in both, as conlleval has it
    files(gold="U.N. NNP I-NP I-ORG\nsleeps VBZ I-VP O\n", crf="U.N.\tI-ORG\nsleeps\tO\n")
    assert f1(score("gold", "crf")) == {"crf": 1.0}


def test_gold_columns_may_be_said_apart(files: Files, score: Score) -> None:
    files(gold="1\tAda\tB-PER\t_\n2\tsleeps\tO\t_\n", crf="x\tAda\tB-PER\nx\tsleeps\tO\n")
    options = ("--gold-columns", "token=2,tags=3", "--columns", "token=2,tags=3")
    assert f1(score(*options, "gold", "crf")) == {"crf": 1.0}
    # the fourth column of the gold has no annotation to speak of
    result = score("--gold-columns", "token=2,tags=4", "--columns", "token=2,tags=3", "gold", "crf")
    assert "the gold standard has no spans" in result["notes"]


@pytest.mark.parametrize(
    "crf",
    [
        "New\tB-LOC\nYork\tI-LOC\n\nsleeps\tO\n",
        "New B-LOC\nYork I-LOC\n\nsleeps O\n",
        "New   B-LOC\nYork      I-LOC\n   \nsleeps   O   \n",
        "New B-LOC\nYork\tI-LOC\n\nsleeps \t O\n",  # spaces first: tabs are gaps like others
        "\ufeffNew\tB-LOC\r\nYork\tI-LOC\r\n\t\r\nsleeps\tO",
        "# sent_id = 1, with a comment\nNew B-LOC\nYork I-LOC\n\nsleeps O\n",
        "word tag\nNew B-LOC\nYork I-LOC\n\nsleeps O\n",
        "-DOCSTART- O\n\nNew B-LOC\nYork I-LOC\n\nsleeps O\n",
        "-DOCSTART-\n\nNew B-LOC\nYork I-LOC\n\nsleeps O\n",
    ],
)
def test_separators_and_trimmings_do_not_matter(crf: str, files: Files, score: Score) -> None:
    files(gold="New\tB-LOC\nYork\tI-LOC\n\nsleeps\tO\n", crf=crf)
    assert f1(score("gold", "crf")) == {"crf": 1.0}


def test_in_a_file_that_begins_with_tabs_spaces_do_not_separate(files: Files, score: Score) -> None:
    files(gold="New\tB-LOC\nYork\tI-LOC\n", crf="New\tB-LOC\nYork I-LOC\n")
    with pytest.raises(Refused, match="crf:2: expected 2 tab-separated columns, found 1"):
        score("gold", "crf")


def test_quotation_marks_are_tokens_like_others(files: Files, score: Score) -> None:
    text = '"\tO\nAda\tB-PER\n"\tO\n'
    files(gold=text, crf=text)
    result = score("gold", "crf", "--task", "tags")
    # three tokens, so no quotation swallowed the line ends
    assert sum(one["support"] for one in result["result"]["crf"]["labels"].values()) == 3


@pytest.mark.parametrize("comment", ["%", "%%"])
def test_a_comment_prefix_can_be_given(comment: str, files: Files, score: Score) -> None:
    files(gold="Ada B-PER\nsleeps O\n", crf=f"{comment} O\nAda B-PER\n{comment} x\nsleeps O\n")
    assert f1(score("gold", "crf", "--comment", comment)) == {"crf": 1.0}


def test_a_header_can_be_ruled_out(files: Files, score: Score) -> None:
    # "Word" with a tag of its own looks like a header, and is a product here
    files(gold="Word B-PRODUCT\nis O\n", crf="Word B-PRODUCT\nis O\n")
    assert f1(score("gold", "crf", "--header", "no")) == {"crf": 1.0}
    assert "the gold standard has no spans" in score("gold", "crf")["notes"]


def test_files_of_conlleval_are_no_gold_standard(files: Files, score: Score) -> None:
    files(crf=CRF, neural=NEURAL, gold="New B-LOC\nYork I-LOC\n\nsleeps O\n")
    with pytest.raises(Refused) as caught:
        score("crf", "neural")
    code, message = caught.value.args
    assert code == 3
    assert "crf:1: columns 2 and 3 hold tags of one label set" in message
    assert "--columns token=1,gold=2,answer=3" in message
    assert f1(score("gold", "crf", "neural")) == {"crf": 1.0, "neural": 0.0}
