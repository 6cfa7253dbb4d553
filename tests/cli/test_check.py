"""``finegrain check``: what it accepts, warns about and refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from finegrain.tasks import TASKS
from tests.conftest import Run

GOLD = "New\tB-LOC\nYork\tI-LOC\n\nsleeps\tO\n"
ILL_FORMED = "New\tI-LOC\nYork\tI-LOC\n\nsleeps\tO\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold").write_text(GOLD)
    (tmp_path / "ill").write_text(ILL_FORMED)
    (tmp_path / "short").write_text("New\tB-LOC\n")
    (tmp_path / "faulty").write_text("New\nYork\tI-LOC\nsleeps\tO\tO\nwell\tO\n")
    (tmp_path / "strange").write_text("New\tB-LOC\nYork\tX-LOC\n\nsleeps\tO\n")
    (tmp_path / "both").write_text("New\tB-LOC\tB-LOC\nYork\tI-LOC\tO\n\nsleeps\tO\tI-PER\n")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_good_file_is_described(run: Run) -> None:
    done = run("check", "gold")
    assert done.returncode == 0
    assert done.stdout == (
        "gold: ok, format conll, 2 sentences, 3 tokens, 1 span, scheme iob2, 0 ill-formed tags\n"
    )


@pytest.mark.usefixtures("folder")
def test_every_problem_of_every_file_is_listed(run: Run) -> None:
    done = run("check", "faulty", "gold", "--columns", "token=1,tags=2")
    assert done.returncode == 3
    assert "faulty:3: expected" in done.stdout or "faulty:1: only one column" in done.stdout
    assert "gold: ok" in done.stdout


@pytest.mark.usefixtures("folder")
def test_ill_formed_tags_are_warnings_unless_the_policy_says_error(run: Run) -> None:
    warned = run("check", "ill", "--against", "gold")
    assert warned.returncode == 0
    assert "warning: ill:1: tag 'I-LOC' is ill-formed in the scheme iob2." in warned.stdout
    refused = run("check", "ill", "--against", "gold", "--policy", "error")
    assert refused.returncode == 3
    assert "ill:1: tag 'I-LOC' is ill-formed" in refused.stdout


@pytest.mark.usefixtures("folder")
def test_against_the_gold_text(run: Run) -> None:
    done = run("check", "short", "--against", "gold")
    assert done.returncode == 3
    assert "short:1: the file ends after 1 sentence" in done.stdout


@pytest.mark.usefixtures("folder")
def test_an_unknown_prefix_is_named_with_its_line(run: Run) -> None:
    done = run("check", "strange", "--against", "gold")
    assert done.returncode == 3
    assert "strange:2: tag 'X-LOC' has no prefix of the scheme iob2" in done.stdout


@pytest.mark.usefixtures("folder")
def test_gold_and_answer_side_by_side_are_both_checked(run: Run) -> None:
    done = run("check", "both", "--columns", "token=1,gold=2,answer=3")
    assert done.returncode == 0
    assert "warning: both:4: tag 'I-PER'" in done.stdout
    assert done.stdout.count("scheme iob2") == 3


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("option", ["--scheme", "--policy", "--task", "--input"])
def test_unknown_names_are_usage_errors(run: Run, option: str) -> None:
    done = run("check", "gold", option, "foo")
    assert done.returncode == 2
    assert f"unknown {option[2:].replace('input', 'format')} 'foo'" in done.stderr


def test_a_table_of_items_is_counted_in_items(run: Run, tmp_path: Path) -> None:
    (tmp_path / "items.tsv").write_text("a\tb\n" + "1\t0\n0\t1\n" * 20)
    done = run("check", "items.tsv")
    assert done.stdout == "items.tsv: ok, format matrix, 40 items, 0 and 1 of 2 systems\n"


def test_what_had_to_be_repaired_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_bytes(b"Ada\tB-PER \rmet\tO\r")
    done = run("check", "a.conll", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1:] == [
        "note: blanks around 1 value of the layer 'tags' taken away",
        "note: line ends are carriage returns alone (CR)",
    ]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("task", TASKS)
def test_a_file_of_another_task_is_described_or_refused(
    run: Run, tmp_path: Path, task: str
) -> None:
    np.save(tmp_path / "vectors.npy", np.eye(4, 3) + 1)
    (tmp_path / "items.csv").write_text("id,text,label\n1,good film,pos\n2,bad,neg\n")
    (tmp_path / "texts.jsonl").write_text('{"id": "a", "text": "Ada slept."}\n')
    for name in ("vectors.npy", "items.csv", "texts.jsonl", "gold"):
        done = run("check", name, "--task", task)
        assert done.returncode in (0, 3), done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout.startswith(f"{name}:"), "what is there, or what is wrong with it"


# ------------------------------------------------- what is scored is ok, what is refused is not


def test_documents_may_come_in_another_order(run: Run, tmp_path: Path) -> None:
    """As `score` puts them: by their ids."""
    documents = [
        f'{{"id": "{name}", "tokens": ["Ada", "{name}"], "tags": ["B-PER", "O"]}}\n'
        for name in "abc"
    ]
    (tmp_path / "gold.jsonl").write_text("".join(documents))
    (tmp_path / "turned.jsonl").write_text("".join(reversed(documents)))
    (tmp_path / "two.jsonl").write_text("".join(documents[:2]))
    for name, code, said in (
        ("turned.jsonl", 0, "turned.jsonl: ok, format jsonl, 3 sentences, 6 tokens, 3 spans"),
        ("two.jsonl", 3, "two.jsonl: 1 document of the gold missing, such as 'c'"),
    ):
        done = run("check", name, "--against", "gold.jsonl", cwd=tmp_path)
        assert (done.returncode, done.stdout.startswith(said)) == (code, True), done.stdout
        assert run("score", "gold.jsonl", name, cwd=tmp_path).returncode == code


def test_a_file_without_texts_is_read_beside_the_gold(run: Run, tmp_path: Path) -> None:
    span = '"spans": [{"start": 6, "end": 9, "label": "PER"}]'
    (tmp_path / "gold.jsonl").write_text(f'{{"text": "I met Ada", {span}}}\n')
    (tmp_path / "a.jsonl").write_text(f"{{{span}}}\n")
    done = run("check", "a.jsonl", "--against", "gold.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (
        0, "a.jsonl: ok, format jsonl, 1 sentence, 3 tokens, 1 span",
    )  # fmt: skip
    assert run("check", "a.jsonl", cwd=tmp_path).returncode == 3


def test_labels_that_look_alike_are_a_problem(run: Run, tmp_path: Path) -> None:
    """In one file and between two, as `score` refuses them; renaming mends it."""
    (tmp_path / "gold").write_text("Ada\tB-PER\nmet\tO\nBob\tB-PER\n")
    (tmp_path / "both").write_text("Ada\tB-PER\nmet\tO\nBob\tB-PER\u200b\n")
    (tmp_path / "other").write_text("Ada\tB-PER\u200b\nmet\tO\nBob\tB-PER\u200b\n")
    (tmp_path / "tags").write_text("Ada\tN\nmet\tV\nBob\tN\u200b\n")
    alike = "two labels look the same: 'PER' and 'PER\\u200b'"
    for arguments in (["both"], ["both", "--against", "gold"], ["other", "--against", "gold"]):
        done = run("check", *arguments, cwd=tmp_path)
        assert done.returncode == 3
        assert alike in done.stdout
    assert "'N' and 'N\\u200b'" in run("check", "tags", cwd=tmp_path).stdout
    mended = run("check", "other", "--against", "gold", "--map", "PER\u200b=PER", cwd=tmp_path)
    assert mended.returncode == 0, mended.stdout


def test_relations_that_look_alike_are_a_problem(run: Run, tmp_path: Path) -> None:
    rows = ("1\tAda\t2\tnsubj{}", "2\tmet\t0\troot", "3\tBob\t2\t{}")
    columns = ("{}\t{}\t_\t_\t_\t_\t{}\t{}\t_\t_\n".format(*row.split("\t")) for row in rows)
    tree = "".join(columns) + "\n"
    (tmp_path / "gold.conllu").write_text(tree.format("", "obj"))
    (tmp_path / "a.conllu").write_text(tree.format("\u200b", "obj"))
    (tmp_path / "b.conllu").write_text(tree.format("\u200b", "nsubj"))
    task = ["--task", "dependencies"]
    for command in (
        ["score", "gold.conllu", "a.conllu", *task],
        ["check", "a.conllu", "--against", "gold.conllu", *task],
        ["check", "b.conllu", *task],
    ):
        done = run(*command, cwd=tmp_path)
        assert done.returncode == 3
        assert "two labels look the same: 'nsubj' and 'nsubj\\u200b'" in done.stdout + done.stderr


@pytest.mark.usefixtures("folder")
def test_what_score_notes_is_noted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other").write_text(GOLD.replace("LOC", "place"))
    done = run("check", "other", "--against", "gold")
    assert done.returncode == 0
    assert "note: other: no label in common with the gold" in done.stdout
    assert run("check", "other", "--against", "gold", "--strict").returncode == 3


@pytest.mark.usefixtures("folder")
def test_files_side_by_side_need_the_same_gold(run: Run, tmp_path: Path) -> None:
    both = ("--columns", "token=1,gold=2,answer=3")
    (tmp_path / "moved").write_text("New\tB-ORG\tO\nYork\tI-ORG\tO\n\nsleeps\tO\tO\n")
    assert run("check", "both", "--against", "both", *both).returncode == 0
    done = run("check", "moved", "--against", "both", *both)
    assert done.returncode == 3
    assert "moved:1: gold 'B-ORG' where both has 'B-LOC' (line 1)" in done.stdout


def test_a_table_with_its_systems_is_no_gold_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a\tb\n" + "1\t0\n0\t1\n" * 20)
    (tmp_path / "gold").write_text(GOLD)
    for arguments in (["gold", "--against", "table"], ["table", "--against", "gold"]):
        done = run("check", *arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert "table is a 0/1 table with all its systems: give it alone" in done.stderr
