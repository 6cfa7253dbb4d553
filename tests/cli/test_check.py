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
