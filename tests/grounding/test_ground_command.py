"""``finegrain ground``: a corpus that every other command reads; bad input is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import finegrain as fg
from tests.command_line import run_finegrain
from tests.schema import require_schema

pytest.importorskip("rapidfuzz", reason="needs the extra ground")
GOLD = """\
{"id": "d1", "text": "Ada met  Bob in Ghent.", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
{"id": "d2", "text": "Ada slept.", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
"""
ITEMS = json.dumps([["Ada", "PER"], ["Rome", "LOC"], ["bob", "PERSON"]])
ANSWERS = f"""\
{json.dumps({"id": "d1", "answer": ITEMS})}
{{"id": "d2", "answer": "I'm sorry, but I can't do that.", "latency": 0.5}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.jsonl").write_text(GOLD)
    (tmp_path / "answers.jsonl").write_text(ANSWERS)
    return tmp_path


def ground(folder: Path, *more: str, answers: str = "answers.jsonl") -> tuple[int, str, str]:
    done = run_finegrain(
        "ground", answers, "--text", "gold.jsonl", "-o", "model.jsonl", *more, cwd=folder
    )
    return done.returncode, done.stdout, done.stderr


def test_a_corpus_is_written_with_the_class_of_every_item(folder: Path) -> None:
    code, out, _ = ground(folder, "--schema", "PER,LOC,PERSON=PER", "--format", "json")
    assert code == 0
    document = json.loads(out)
    require_schema(document, "grounding")
    classes = document["result"]["runs"][""]["classes"]
    assert {name: number for name, number in classes.items() if number} == {
        "exact": 1, "normalised": 1, "hallucinated": 1, "refused": 1,
    }  # fmt: skip
    first, second = map(json.loads, (folder / "model.jsonl").read_text().splitlines())
    assert first["spans"] == [
        {"start": 0, "end": 3, "label": "PER", "grounding": "exact"},
        {"start": 9, "end": 12, "label": "PER", "grounding": "normalised", "answer": "bob"},
    ]
    assert first["unplaced"] == [{"class": "hallucinated", "label": "LOC", "answer": "Rome"}]
    assert second["unplaced"][0]["class"] == "refused"
    assert second["usage"] == {"latency": 0.5}
    scored = run_finegrain("score", "gold.jsonl", "model.jsonl", cwd=folder)
    assert scored.returncode == 0


def test_runs_are_written_apart(folder: Path) -> None:
    (folder / "answers.jsonl").write_text(ANSWERS + ANSWERS)
    code, _, err = ground(folder)
    assert code == 3
    assert (
        "answers.jsonl:3: a second answer for 'd1' (the first is on line 1). Say --repeats" in err
    )
    code, _, err = ground(folder, "--repeats", "yes")
    assert code == 0
    assert "model@1.jsonl" in err
    assert (folder / "model@2.jsonl").exists()
    assert not (folder / "model.jsonl").exists()


@pytest.mark.parametrize(("lines", "message"), [
    ("", "there is no text in it"),
    ('{"id": "d1"}\n', "answers.jsonl:1: no answer in this record (keys: id)"),
    ('{"id": "d1", "answer": "a"}\n', "no answer for 'd2'"),
    ('{"id": "d1", "answer": "a"}\n{"id": "d2", "answer"\n', "answers.jsonl:2: not JSON"),
    ('{"id": "d7", "answer": "a"}\n', "the text 'd7' is not there"),
    ('{"id": "d1", "answer": "a"}\n[1]\n', "answers.jsonl:2: a value that is not an object"),
])  # fmt: skip
def test_bad_answers_are_refused_and_the_output_is_untouched(
    folder: Path, lines: str, message: str
) -> None:
    (folder / "answers.jsonl").write_text(lines)
    (folder / "model.jsonl").write_text("kept")
    code, out, err = ground(folder)
    assert (code, out) == (3, "")
    if lines:
        assert message in err
    assert (folder / "model.jsonl").read_text() == "kept"
    assert "Traceback" not in err


@pytest.mark.parametrize("options", [
    ("--policy", "best"), ("--fuzzy", "2"), ("--fuzzy", "much"), ("--missing", "skip"),
    ("--prices", "1"), ("--schema", ""), ("--repeats", "no"), ("-o", "model.txt"),
    ("-o", "gold.jsonl"),
])  # fmt: skip
def test_bad_options_are_refused(folder: Path, options: tuple[str, str]) -> None:
    code, out, err = ground(folder, *options)
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    assert (folder / "gold.jsonl").read_text() == GOLD


def test_strict_takes_nothing_that_was_repaired(folder: Path) -> None:
    (folder / "answers.jsonl").write_text(
        json.dumps({"id": "d1", "answer": '[["Ada", "PER"],]'}) + '\n{"id": "d2", "answer": "[]"}\n'
    )
    assert ground(folder, "--repair")[0] == 0
    code, _, err = ground(folder, "--repair", "--strict")
    assert code == 3
    assert "repaired: trailing comma" in err


def test_from_python() -> None:
    texts = ["Ada met Bob.", "Ada slept."]
    grounded = fg.ground(['{"PER": ["Ada", "Eve"]}', "None"], texts, schema=["PER"])
    assert grounded.counts["hallucinated"] == 1
    corpus = grounded.corpus()
    assert corpus.spans is not None
    assert list(corpus.parts["grounding"].fields["class"]) == ["exact"]
    assert list(corpus.parts["unplaced"].fields["answer"]) == ["Eve"]
    with pytest.raises(fg.UsageError, match="unknown policy"):
        fg.ground([], [], policy="best")  # type: ignore[arg-type]
