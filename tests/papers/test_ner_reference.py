"""F1 of real systems equals what seqeval (default and strict) and conlleval.pl print."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.scores.score import Scores
from finegrain.corpus import Corpus

MODES = {"conlleval": "seqeval default (conlleval-compatible)", "discard": "seqeval strict IOB2"}


def _same_as_seqeval(scores: Scores, name: str, golden: dict[str, Any]) -> None:
    for ours, theirs in (("precision", "precision"), ("recall", "recall"), ("f1", "f1")):
        expected = golden[f"{theirs}_micro"]
        assert scores.value(f"traditional_{ours}", name) == pytest.approx(expected, abs=1e-12)
    assert scores.value("traditional_macro_f1", name) == pytest.approx(
        golden["f1_macro"], abs=1e-12
    )
    result = scores.to_json()[name]
    for label, values in golden["per_type"].items():
        if label.endswith(" avg"):
            continue
        found = result["labels"][label]
        assert found["traditional"]["precision"] == pytest.approx(values["precision"], abs=1e-12)
        assert found["traditional"]["recall"] == pytest.approx(values["recall"], abs=1e-12)
        assert found["traditional"]["f1"] == pytest.approx(values["f1-score"], abs=1e-12)
        assert found["counts"]["gold"] == values["support"]


def _same_as_conlleval(scores: Scores, name: str, raw: list[str]) -> None:
    """conlleval.pl prints percentages with two decimals."""
    numbers = re.findall(r"(precision|recall|FB1):\s+([\d.]+)", raw[1])
    for metric, value in numbers:
        ours = scores.value("traditional_" + {"FB1": "f1"}.get(metric, metric), name)
        assert f"{100 * ours:.2f}" == value
    found = re.search(r"with (\d+) phrases; found: (\d+) phrases; correct: (\d+)", raw[0])
    assert found is not None
    counts = scores.to_json()[name]["counts"]
    assert (counts["gold"], counts["predicted"], counts["TP"]) == tuple(map(int, found.groups()))


@pytest.mark.parametrize("policy", MODES)
def test_wnut16(shared: Path, policy: Any) -> None:
    folder = shared / "data" / "ner" / "wnut16"
    golden = json.loads((folder / "reference.json").read_text())["systems"]
    systems = {name: fg.read(str(folder / f"system-{name}.txt.gz")) for name in golden}
    table = fg.align(fg.read(str(folder / "test.txt.gz")), systems, policy=policy)
    assert table.settings["scheme"] == "iob2"
    scores = fg.score(table)
    assert len(golden) == 2
    for name, values in golden.items():
        _same_as_seqeval(scores, name, values[MODES[policy]])
        if policy == "conlleval":
            _same_as_conlleval(scores, name, values["conlleval.pl"]["raw"])


@pytest.mark.parametrize("policy", MODES)
def test_twelve_bc5_systems(shared: Path, policy: Any) -> None:
    folder = shared / "data" / "ner" / "bc5-chemical"
    golden = json.loads((folder / "reference.json").read_text())["systems"]
    columns = {"token": 1, "gold": 2, "answer": 3}
    read = {name: fg.read(str(folder / f"{name}.tsv.gz"), columns=columns) for name in golden}
    first = next(iter(read.values()))
    gold = Corpus("gold", first.offsets, first.tokens, {"tags": first.layers["gold"]})
    systems = {
        name: Corpus(name, corpus.offsets, corpus.tokens, {"tags": corpus.layers["answer"]})
        for name, corpus in read.items()
    }
    table = fg.align(gold, systems, policy=policy)
    scores = fg.score(table)
    assert len(golden) == 12
    assert table.gold_repairs == 1
    for name, values in golden.items():
        assert table.repairs[name] == values["counts"]["illegal_I_in_system"]
        _same_as_seqeval(scores, name, values[MODES[policy]])
        if policy == "conlleval":
            _same_as_conlleval(scores, name, values["conlleval.pl"]["raw"])


def test_quotation_marks_survive(shared: Path) -> None:
    """The 12 BC5 files hold 216 bare double quotes, which careless readers swallow in pairs."""
    path = shared / "data" / "ner" / "bc5-chemical" / "fasttext-random-s1.tsv.gz"
    words = fg.read(str(path), columns={"token": 1, "gold": 2, "answer": 3}).tokens
    assert words is not None
    coded = words.coded()
    assert len(coded) == 124_923
    assert int(coded.counts()[coded.names.index('"')]) == 216


def test_pos_accuracy_of_compareval(shared: Path) -> None:
    """Tuggener (2017): 5278, 5400 and 5081 of 5708 tags are right (reference/compareval.json)."""
    folder = shared / "data" / "compareval"
    systems = {name: fg.read(str(folder / f"{name}.pos")) for name in ("sys1", "sys2", "sys3")}
    table = fg.align(fg.read(str(folder / "gold.pos")), systems)
    assert table.task.name == "tags"
    assert len(table) == 5708
    right = (table.outcome == 0).sum(axis=0)
    assert right.tolist() == [5278, 5400, 5081]
