"""Coreference on the command line, from simulated files to every analysis."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run_finegrain
from tests.conftest import Run
from tests.schema import require_schema

TWICE = """#begin document (d); part 000
d 0 0 Ada NNP (1)|(1)
d 0 1 met VBD -
d 0 2 Eve NNP (2)

d 0 0 She PRP (1)

#end document
"""


@pytest.fixture(scope="module")
def tales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tales")
    done = run_finegrain(
        "simulate", ".", "--task", "coreference", "--tokens", "4000",
        "--system", "deaf=pronouns", "--system", "blind=name-variants", cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


FILES = ("gold.conll", "deaf.conll", "blind.conll")


def test_simulated_files_are_recognised(tales: Path) -> None:
    done = run_finegrain("check", *FILES, "--against", "gold.conll", cwd=tales)
    assert done.returncode == 0
    assert done.stdout.count("format conll2012") == 3
    assert done.stdout.count("mentions in") == 3


@pytest.mark.parametrize(
    ("command", "kind"),
    [("score", "tag_scores"), ("difference", "difference"), ("oracle", "oracle"), ("show", "shown"),
     ("difficulty", "difficulty"), ("buckets", "buckets"), ("triage", "triage")],
)  # fmt: skip
def test_every_analysis_keeps_to_the_schema(tales: Path, command: str, kind: str) -> None:
    done = run_finegrain(command, *FILES, "--format", "json", "--quiet", cwd=tales)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["task"] == "coreference"
    require_schema(document, kind)


def test_changes_by_type_add_up(tales: Path) -> None:
    done = run_finegrain("difference", *FILES, "--format", "json", "--quiet", cwd=tales)
    found = json.loads(done.stdout)["result"]
    total = sum(move["count"] for label in found["labels"] for move in label["changes"])
    assert total == found["changed"] > 30
    text = run_finegrain("difference", *FILES, "--quiet", "--set", "pronouns=apart", cwd=tales)
    assert "pronoun he" in text.stdout
    assert "TP → WL" in text.stdout or "WL → TP" in text.stdout


def test_every_row_of_csv_has_its_transition(tales: Path) -> None:
    done = run_finegrain("difference", *FILES, "--format", "csv", "--quiet", cwd=tales)
    assert "deaf,blind,label,pronoun,WL,TP,count," in done.stdout


def test_annotators_have_no_labels_to_agree_on(tales: Path) -> None:
    done = run_finegrain("agreement", *FILES, "--quiet", cwd=tales)
    assert done.returncode == 2
    assert "take one annotator as gold" in done.stderr


def test_chains_are_not_lost_in_conversion(tales: Path) -> None:
    lost = run_finegrain("convert", "gold.conll", "gold.jsonl", cwd=tales)
    assert lost.returncode == 2
    assert "the chains of mentions are lost" in lost.stderr
    assert not (tales / "gold.jsonl").exists()
    for source, target, more in (
        ("gold.conll", "gold.jsonlines", ()),
        ("gold.jsonlines", "gold.conllu", ("--to", "corefud")),
        ("gold.conllu", "again.conll", ("--to", "conll2012", "--from", "corefud")),
    ):
        done = run_finegrain("convert", source, target, *more, cwd=tales)
        assert done.returncode == 0, done.stderr
    score = run_finegrain(
        "score", "gold.conll", "again.conll", "--quiet", "--format", "json", cwd=tales
    )
    assert json.loads(score.stdout)["result"]["again"]["overall"]["conll"]["f1"] == 1


def test_parts_and_columns_of_conll2012_are_kept_by_split_and_told_by_convert(
    run: Run, tmp_path: Path
) -> None:
    words = ["a 0 0 Ada NNP x y z (0)", "a 1 0 She PRP x y z (0)"]
    parts = [
        f"#begin document (a); part 00{number}\n{word}\n\n#end document\n"
        for number, word in enumerate(words)
    ]
    (tmp_path / "k.conll").write_text("".join(parts))
    done = run("split", "k.conll", "-o", "out", "--by", "document", "--fractions", "x=.5,y=.5")
    assert done.returncode == 0, done.stderr
    assert sorted((tmp_path / "out" / f"{name}.conll").read_text() for name in "xy") == parts
    done = run("convert", "k.conll", "again.conll", "--to", "conll2012")
    assert "columns of conll2012 beside words, parts of speech, lemmas and chains" in done.stderr
    assert "(a); part 001\na\t1\t0\tShe\tPRP\t(0)" in (tmp_path / "again.conll").read_text()
    quiet = run("convert", "again.conll", "third.conll", "--to", "conll2012")
    assert "left out" not in quiet.stderr


def test_mentions_that_stand_twice_are_told_or_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "twice.conll").write_text(TWICE)
    checked = run("check", "twice.conll")
    assert checked.returncode == 0
    assert "warning: twice.conll: 1 mention occurs twice in its chain (line 2)" in checked.stdout
    scored = run("score", "twice.conll", "s=twice.conll", "--no-intervals")
    assert "note: gold: 1 mention occurs twice in its chain (line 2)" in scored.stdout
    refused = run("score", "twice.conll", "s=twice.conll", "--set", "duplicates=error")
    assert refused.returncode == 3
    assert "twice.conll:2: the mention is in its chain already." in refused.stderr


def test_ill_formed_tags_are_not_for_chains(run: Run) -> None:
    done = run("simulate", ".", "--task", "coreference", "--ill-formed", "0.1")
    assert done.returncode == 2
    assert "--ill-formed is for spans" in done.stderr


def test_only_what_was_asked_for_is_a_column(tales: Path) -> None:
    one = run_finegrain("score", *FILES[:2], "--quiet", "--metric", "muc_f1", cwd=tales)
    assert one.stdout.splitlines()[2].split() == ["metric", "F1"]
    many = [*FILES, *(f"{name}=deaf.conll" for name in ("a", "b", "c"))]
    asked = ("--quiet", "--metric", "muc_precision,muc_f1,lea_f1")
    done = run_finegrain("score", *many, *asked, cwd=tales)
    assert done.stdout.splitlines()[2].split() == ["system", "P", "F1", "F1"]
