"""Mixed formats, other tokens, labels, layers, training data: as a user types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

GOLD = "Ada\tB-PER\nLovelace\tI-PER\n's\tO\nLondon\tB-LOC\n"
JSONL = json.dumps(
    {
        "id": "1",
        "text": "Ada Lovelace's London",
        "spans": [
            {"start": 0, "end": 12, "label": "PERSON"},
            {"start": 15, "end": 19, "label": "LOC"},
        ],
    }
)
TRAIN = "Ada\tB-PER\nLovelace\tI-PER\nslept\tO\n\nLondon\tB-LOC\nslept\tO\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.conll").write_text(GOLD)
    (tmp_path / "model.jsonl").write_text(JSONL + "\n")
    (tmp_path / "pieces.conll").write_text(
        "Ada\tB-PER\nLove\tI-PER\nlace\tI-PER\n's\tO\nLondon\tB-LOC\n"
    )
    (tmp_path / "train.conll").write_text(TRAIN)
    return tmp_path


def _result(run: Run, *arguments: str) -> dict[str, Any]:
    done = run("score", *arguments, "--format", "json", "-q")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.usefixtures("folder")
def test_columns_against_offsets_of_running_text(run: Run) -> None:
    """PERSON is another label (LE) until it is mapped; `Lond` is too short and does not fit."""
    plain = _result(run, "gold.conll", "model.jsonl")
    counts = plain["result"]["model"]["counts"]
    assert (counts["LE"], counts["BES"], counts["TP"]) == (1, 1, 0)
    assert "model: spans that do not fit the gold tokens: 1" in plain["notes"]
    mapped = _result(run, "gold.conll", "model.jsonl", "--map", "PERSON=PER")
    assert mapped["result"]["model"]["counts"]["TP"] == 1
    assert "map:PERSON=PER" in mapped["signature"]


@pytest.mark.usefixtures("folder")
def test_the_other_way_round(run: Run) -> None:
    counts = _result(run, "model.jsonl", "gold.conll", "--map", "PERSON=PER")["result"]["gold"][
        "counts"
    ]
    assert (counts["TP"], counts["BEL"]) == (1, 1)


@pytest.mark.usefixtures("folder")
def test_other_tokens_are_an_error_unless_compared_by_characters(run: Run) -> None:
    assert run("score", "gold.conll", "pieces.conll").returncode == 3
    result = _result(run, "gold.conll", "pieces.conll", "--by-characters")["result"]
    assert result["pieces"]["overall"]["traditional"]["f1"] == 1


@pytest.mark.usefixtures("folder")
def test_labels_can_be_chosen_and_left_out(run: Run) -> None:
    only = _result(run, "gold.conll", "model.jsonl", "--labels", "LOC")
    assert list(only["result"]["model"]["labels"]) == ["LOC"]
    without = _result(run, "gold.conll", "model.jsonl", "--exclude", "LOC,PERSON")
    assert list(without["result"]["model"]["labels"]) == ["PER"]
    assert run("score", "gold.conll", "model.jsonl", "--map", "PERSON").returncode == 2


@pytest.mark.usefixtures("folder")
def test_floors_are_learnt_from_the_training_file(run: Run) -> None:
    found = _result(
        run, "gold.conll", "model.jsonl", "--train", "train.conll", "--baseline", "gazetteer"
    )
    assert found["systems"] == ["model", "gazetteer"]
    assert found["result"]["gazetteer"]["overall"]["traditional"]["f1"] == 1
    lost = run("score", "gold.conll", "model.jsonl", "--baseline", "gazetteer")
    assert lost.returncode == 2
    assert "--train FILE" in lost.stderr


@pytest.mark.usefixtures("folder")
def test_training_data_tells_seen_from_unseen(run: Run) -> None:
    found = _result(run, "gold.conll", "gold.conll", "--train", "train.conll")
    recall = found["result"]["gold"]["novelty"]["recall"]
    assert recall["seen"]["units"] == 2
    assert recall["unseen"]["units"] == 0


def test_two_versions_of_the_gold(run: Run, folder: Path) -> None:
    (folder / "corrected.conll").write_text(GOLD.replace("London\tB-LOC", "London\tO"))
    done = run(
        "score", "gold.conll", "gold=gold.conll", "--also-gold", "corrected.conll",
        "--format", "json", "-q",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    moved = json.loads(done.stdout)["result"]["gold"]
    assert moved["first"]["traditional"]["f1"] == 1
    assert moved["second"]["traditional"]["f1"] == pytest.approx(2 / 3)
    assert [unit["first"] for unit in moved["moved"]] == ["London LOC"]


def test_a_layer_of_conllu(run: Run, tmp_path: Path) -> None:
    gold = "1\tflies\tfly\tNOUN\tNNS\t_\t_\t_\t_\t_\n\n"
    (tmp_path / "gold.conllu").write_text(gold)
    (tmp_path / "made.conllu").write_text(gold.replace("NNS", "VBZ"))
    assert _result(run, "gold.conllu", "made.conllu")["result"]["made"]["overall"]["accuracy"] == 1
    xpos = _result(run, "gold.conllu", "made.conllu", "--layer", "xpos")
    assert xpos["result"]["made"]["overall"]["accuracy"] == 0
    assert "layer:xpos" in xpos["signature"]


KEYS = ("--text-key", "data.body", "--spans-key", "marks", "--label-key", "kind")


def test_records_with_keys_of_their_own(run: Run, tmp_path: Path) -> None:
    def record(label: str) -> str:
        mark = {"start": 6, "end": 9, "kind": label}
        return json.dumps({"id": 1, "data": {"body": "I met Ada"}, "marks": [mark]}) + "\n"

    (tmp_path / "gold.jsonl").write_text(record("PER"))
    (tmp_path / "crf.jsonl").write_text(record("LOC"))
    found = _result(run, "gold.jsonl", "crf.jsonl", *KEYS)
    assert found["result"]["crf"]["counts"]["LE"] == 1
    checked = run("check", "gold.jsonl", "crf.jsonl", *KEYS)
    assert checked.returncode == 0, checked.stderr
    wrong = run("score", "gold.jsonl", "crf.jsonl", "--text-key", "body", "--spans-key", "marks")
    assert wrong.returncode == 3
    assert "gold.jsonl:1: no key 'body' (keys: id, data, marks). Name one" in wrong.stderr


def test_tags_that_are_numbers_with_their_names(run: Run, tmp_path: Path) -> None:
    for name, tags in (("gold", [0, 1, 2]), ("crf", [0, 1, 0])):
        record = {"tokens": ["met", "Ada", "Lovelace"], "ner_tags": tags}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record) + "\n")
    named = ("gold.jsonl", "crf.jsonl", "--tag-names", "O,B-PER,I-PER")
    assert _result(run, *named)["result"]["crf"]["counts"]["BES"] == 1
    assert run("score", "gold.jsonl", "crf.jsonl").returncode == 3


@pytest.mark.usefixtures("folder")
def test_names_of_tags_where_nothing_can_have_them(run: Run) -> None:
    done = run("score", "gold.conll", "pieces.conll", "--tag-names", "O,B-PER")
    assert done.returncode == 2
    assert "--tag-names: gold.conll is in the format conll" in done.stderr
