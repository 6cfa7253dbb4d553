"""``finegrain robustness``: outputs beside copies, pairs files, clear errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.schema import require_schema

GOLD = "".join(f"Ada B-PER\nmet O\nAlan{at} B-PER\n\n" for at in range(8))


@pytest.fixture
def folder(tmp_path: Path, run: Run) -> Path:
    (tmp_path / "gold.conll").write_text(GOLD)
    (tmp_path / "crf.conll").write_text(GOLD)
    assert run("perturb", "gold.conll", "-o", "copies", "--with", "upper,lower").returncode == 0
    for name in ("upper", "lower"):
        copy = tmp_path / "copies" / name
        tags = (copy / "gold.conll").read_text()
        lost = tags.replace("B-PER", "O") if name == "lower" else tags
        (copy / "crf.conll").write_text(lost)
    return tmp_path


def test_outputs_beside_copies_are_found(run: Run, folder: Path) -> None:
    done = run("robustness", "gold.conll", "crf.conll", "--copies", "copies", "--format", "json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    require_schema(document, "robustness")
    drops = document["result"]["systems"]["crf"]["drops"]
    assert [(one["condition"], one["hurts"], one["broken"]) for one in drops] == [
        ("lower", True, 16), ("upper", False, 0),
    ]  # fmt: skip
    names = {one["name"] for one in document["inputs"]}
    assert {"gold", "crf", "crf@upper", "gold of lower"} <= names


def test_the_page_marks_what_was_changed(run: Run, folder: Path) -> None:
    done = run("robustness", "gold.conll", "crf.conll", "--copies", "copies", "-o", "page.html")
    assert done.returncode == 0, done.stderr
    page = (folder / "page.html").read_text()
    assert "<del>Ada</del> <ins>ada</ins>" in page
    assert "crf loses 100.00 points under lower" in page


def test_copies_without_outputs_are_left_out_and_that_is_said(run: Run, folder: Path) -> None:
    (folder / "copies" / "upper" / "crf.conll").unlink()
    done = run("robustness", "gold.conll", "crf.conll", "--copies", "copies")
    assert done.returncode == 0, done.stderr
    assert "upper: no system has an output on this copy, so it is left out" in done.stdout


def test_baselines_are_run_on_the_copies(run: Run, folder: Path) -> None:
    (folder / "train.conll").write_text(GOLD)
    done = run("robustness", "gold.conll", "--copies", "copies", "--baseline", "gazetteer",
               "--train", "train.conll")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "gazetteer: traditional F1 100.00 on the original" in done.stdout


def test_pairs_in_one_file(run: Run, folder: Path) -> None:
    rows = [f"q{at},{'fine' if at < 8 else 'fien'} film,pos" for at in range(16)]
    (folder / "gold.csv").write_text("\n".join(["id,text,label", *rows]) + "\n")
    answers = [f"q{at},{'pos' if at < 12 else 'neg'}" for at in range(16)]
    (folder / "svm.csv").write_text("\n".join(["id,label", *answers]) + "\n")
    pairs = [f"q{at}\tq{at + 8}\ttypo\tsame" for at in range(8)]
    (folder / "pairs.tsv").write_text("\n".join(["original\tperturbed\tkind\texpected", *pairs]))
    done = run("robustness", "gold.csv", "svm.csv", "--pairs", "pairs.tsv", "--format", "json")
    assert done.returncode == 0, done.stderr
    (drop,) = json.loads(done.stdout)["result"]["systems"]["svm"]["drops"]
    assert (drop["original"], drop["value"], drop["broken"], drop["n"]) == (1.0, 0.5, 4, 8)


def _spoil(folder: Path, what: str) -> tuple[str, ...]:
    """Break something, and the command to run."""
    upper = folder / "copies" / "upper"
    command: tuple[str, ...] = ("gold.conll", "crf.conll", "--copies", "copies")
    if what == "another gold":
        (folder / "gold.conll").write_text(GOLD.replace("met", "saw"))
        (folder / "crf.conll").write_text(GOLD.replace("met", "saw"))
    elif what == "a missing output":
        (folder / "mlp.conll").write_text(GOLD)
        command = ("gold.conll", "crf.conll", "mlp.conll", "--copies", "copies")
    elif what == "an output on other words":
        (upper / "crf.conll").write_text(GOLD)
    elif what == "a damaged record":
        (upper / "changes.jsonl").write_text('{"text": 1}\n')
    elif what == "a record of other changes":
        (upper / "changes.jsonl").write_text('{"text":1,"word":1,"old":["a"],"new":["b","c"]}\n')
    elif what == "no copies":
        command = ("gold.conll", "crf.conll", "--copies", "nowhere")
    elif what == "a damaged manifest":
        (folder / "copies" / "perturbations.json").write_text("[1]\n")
    elif what == "bad pairs":
        (folder / "pairs.tsv").write_text("one\ttwo\na\tb\n")
        command = ("gold.conll", "crf.conll", "--pairs", "pairs.tsv")
    elif what == "neither":
        command = ("gold.conll", "crf.conll")
    return command


SAID = {
    "another gold": (3, "made from another version of gold.conll"),
    "a missing output": (3, "mlp has no output on this copy"),
    "an output on other words": (3, "'Ada' where the gold has 'ADA'"),
    "a damaged record": (3, "changes.jsonl:1: this is no change"),
    "a record of other changes": (3, "changes.jsonl"),
    "no copies": (3, "nowhere"),
    "a damaged manifest": (3, "perturbations.json: it is not what finegrain perturb writes"),
    "bad pairs": (3, "pairs.tsv:1: the columns original and perturbed are not named"),
    "neither": (2, "say where the perturbed texts are"),
}


@pytest.mark.parametrize("what", SAID)
def test_what_is_wrong_is_told(run: Run, folder: Path, what: str) -> None:
    code, message = SAID[what]
    command = _spoil(folder, what)
    before = sorted(one.name for one in folder.iterdir())
    done = run("robustness", *command, "-o", "page.html")
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(one.name for one in folder.iterdir()) == before
