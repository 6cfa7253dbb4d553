"""From files to tables in one call, and what results are in Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import finegrain as fg

GOLD = "Ada B-PER\nin O\nBern B-LOC\n\nEve B-PER\n"
CRF = "Ada B-PER\nin O\nBern O\n\nEve B-LOC\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold, crf = tmp_path / "gold.conll", tmp_path / "crf.conll"
    gold.write_text(GOLD)
    crf.write_text(CRF)
    return gold, crf


def test_paths_strings_and_corpora_give_the_same_table(files: tuple[Path, Path]) -> None:
    gold, crf = files
    expected = fg.align(fg.read(str(gold)), {"crf": fg.read(crf)})
    for systems in ({"crf": crf}, {"crf": str(crf)}, [crf], {"crf": fg.read(crf)}):
        table = fg.evaluate(gold, systems)
        assert table.systems == ("crf",)
        assert table.outcome.tolist() == expected.outcome.tolist()
    assert fg.evaluate(fg.read(gold), {"crf": crf}, scheme="iob2").settings["scheme"] == "iob2"


def test_columns_differ_between_gold_and_systems(tmp_path: Path, files: tuple[Path, Path]) -> None:
    wide = tmp_path / "wide.conll"
    wide.write_text(GOLD.replace(" ", " NN "))
    table = fg.evaluate(
        wide, [files[1]], columns={"token": 1, "tags": 2}, gold_columns={"token": 1, "tags": 3}
    )
    assert table.n_gold == 3


def test_items_are_read_as_their_task_writes_them(tmp_path: Path) -> None:
    gold, answers = tmp_path / "gold.csv", tmp_path / "svm.csv"
    gold.write_text("id,label\n1,pos\n2,neg\n")
    answers.write_text("id,label\n2,neg\n1,neg\n")
    scores = fg.score(fg.evaluate(gold, [answers], task="classification"))
    assert scores["svm"].accuracy == 0.5


def test_wrong_arguments_are_refused(tmp_path: Path, files: tuple[Path, Path]) -> None:
    gold, crf = files
    with pytest.raises(fg.UsageError, match=r"takes Mapping\[str, .*Write \['"):
        fg.evaluate(gold, str(crf))
    other = tmp_path / "other"
    other.mkdir()
    (other / "crf.conll").write_text(CRF)
    with pytest.raises(fg.UsageError, match="two files are called 'crf'"):
        fg.evaluate(gold, [crf, other / "crf.conll"])
    with pytest.raises(fg.InputError, match="no such file"):
        fg.evaluate(tmp_path / "nosuch.conll", [crf])


def test_scores_read_naturally(files: tuple[Path, Path]) -> None:
    scores = fg.score(fg.evaluate(files[0], [files[1]]))
    assert (list(scores), len(scores)) == (["crf"], 1)
    crf = scores["crf"]
    assert crf.f1 == crf["traditional_f1"] == scores.value("traditional_f1", "crf")
    assert crf.fair_f1 == scores.value("fair_f1", "crf")
    assert scores["crf", "PER"].recall == 0.5
    assert set(crf) == set(scores.overall)
    with pytest.raises(AttributeError, match="unknown metric 'f7'"):
        _ = crf.f7
    with pytest.raises(fg.UsageError, match=r"unknown system 'crv'\. Did you mean 'crf'"):
        scores["crv"]
    with pytest.raises(fg.UsageError, match=r"unknown label 'PRE'\. Did you mean 'PER'"):
        scores["crf", "PRE"]


def test_every_path_may_be_a_path(tmp_path: Path, files: tuple[Path, Path]) -> None:
    table = fg.evaluate(files[0], [files[1]])
    scores = fg.score(table)
    scores.save(tmp_path / "scores.json")
    assert (tmp_path / "scores.json").exists()
    fg.write(fg.read(files[0]), tmp_path / "gold.jsonl", annotation="spans", layer="tags")
    assert fg.read(tmp_path / "gold.jsonl").spans is not None
    pytest.importorskip("pyarrow")
    table.save(tmp_path / "table.parquet")
    assert fg.load(tmp_path / "table.parquet").outcome.tolist() == table.outcome.tolist()


def test_results_are_dictionaries_and_data_frames(files: tuple[Path, Path]) -> None:
    scores = fg.score(fg.evaluate(files[0], [files[1]]))
    assert scores.to_dict() == scores.to_json()
    pytest.importorskip("pandas")
    frame = scores.to_pandas()
    assert list(frame.columns) == [column.name for column in scores.records().columns]
    assert np.isclose(frame[frame.metric == "traditional_f1"].value.iloc[0], scores["crf"].f1)
