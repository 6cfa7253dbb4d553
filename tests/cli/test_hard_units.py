"""``finegrain features``, ``words``, ``invented`` and ``triage`` as a user meets them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.conftest import Run

WORDS = (("Ada", "saw", "Paris"), ("Paris", "saw", "ada"))
TAGS = {
    "gold": (("B-PER", "O", "B-LOC"), ("B-LOC", "O", "O")),
    "a": (("B-PER", "O", "B-LOC"), ("B-PER", "O", "B-PER")),
    "b": (("B-PER", "O", "O"), ("B-PER", "O", "B-PER")),
    "c": (("O", "O", "B-LOC"), ("B-LOC", "O", "B-PER")),
}
FILES = ("gold.tsv", "a.tsv", "b.tsv", "c.tsv", "-q")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    for name, tags in TAGS.items():
        sentences = [
            "\n".join(f"{word}\t{tag}" for word, tag in zip(words, row, strict=True))
            for words, row in zip(WORDS, tags, strict=True)
        ]
        (tmp_path / f"{name}.tsv").write_text("\n\n".join(sentences) + "\n")
    return tmp_path


@pytest.mark.parametrize("command", ["features", "words", "invented", "triage"])
@pytest.mark.parametrize(("level", "form"), [("unit", "latex"), ("token", "table")])
def test_every_command_has_formats_and_levels(
    run: Run, command: str, level: str, form: str
) -> None:
    done = run(command, *FILES, "--level", level, "--format", form)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_level_token_takes_the_tokens_of_gold_spans(run: Run) -> None:
    """Ada (2 right), Paris (2), Paris (1): three tokens that are not O, of the task tags."""
    done = run("features", *FILES, "--level", "token", "--format", "json")
    document = json.loads(done.stdout)
    assert document["task"] == "tags"
    assert "level:token" in document["signature"]
    assert document["result"]["sizes"] == [0, 1, 2, 0]


def test_chosen_attributes(run: Run) -> None:
    done = run("features", *FILES, "--by", "characters, label", "--format", "json")
    result = json.loads(done.stdout)["result"]
    assert list(result["features"]) == ["characters"]
    assert list(result["mixes"]) == ["label"]


def test_features_take_what_buckets_take(run: Run, folder: Path) -> None:
    """Training data, columns of the gold file, a file of one's own: by the same options."""
    rows = [line.split("\t") for line in (folder / "gold.tsv").read_text().splitlines()]
    columns = "".join(f"{row[0]}\tX\t{row[1]}\n" if len(row) > 1 else "\n" for row in rows)
    (folder / "wide.tsv").write_text(columns)
    (folder / "meta.tsv").write_text("sentence\tdomain\n1\tnews\n2\tchat\n")
    wide = ("wide.tsv", "wide.tsv", "-q", "--columns", "token=1,pos=2,tags=3", "--format", "json")
    options = ("--by", "pos,novelty", "--train", "wide.tsv", "--attribute", "domain=meta.tsv")
    features, buckets = (run(command, *wide, *options) for command in ("features", "buckets"))
    assert features.returncode == buckets.returncode == 0, features.stderr
    mixes = json.loads(features.stdout)["result"]["mixes"]
    assert list(mixes) == ["pos", "novelty", "domain"]
    assert list(mixes["domain"]) == ["chat", "news"]
    assert list(json.loads(buckets.stdout)["result"]) == ["pos", "novelty", "domain"]


def test_a_word_in_context(run: Run) -> None:
    done = run("words", *FILES, "--word", "paris")
    assert done.returncode == 0
    assert "Mentions, hardest first" in done.stdout
    assert "Ada saw  Paris" in done.stdout


def test_invented_tokens_are_those_outside(run: Run) -> None:
    """ada is O in the gold standard; all three say PER. saw is O for all, twice."""
    done = run("invented", *FILES, "--level", "token", "--format", "json")
    assert json.loads(done.stdout)["result"]["sizes"] == [2, 0, 0, 1]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "tsv", "json"])
def test_a_list_for_annotating_again(run: Run, folder: Path, suffix: str) -> None:
    """More than half agree: ada as PER (all three), Paris as PER (a and b)."""
    name = f"again.{suffix}"
    done = run("triage", *FILES, "--output", name)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    text = (folder / name).read_text()
    if suffix == "jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
    elif suffix == "json":
        rows = json.loads(text)["result"]["units"]
    else:
        rows = list(csv.DictReader(text.splitlines(), delimiter="\t" if suffix == "tsv" else ","))
    assert [(row["text"], int(row["agree"]), int(row["line"])) for row in rows] == [
        ("ada", 3, 7), ("Paris", 2, 5),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("at_least", "found"), [("all", ["ada"]), ("3", ["ada"]), ("0.6", ["ada", "Paris"])]
)
def test_how_many_must_agree(run: Run, at_least: str, found: list[str]) -> None:
    done = run("triage", *FILES, "--at-least", at_least, "--format", "jsonl")
    assert [json.loads(line)["text"] for line in done.stdout.splitlines()] == found


def test_a_table_on_the_screen_shows_twenty_and_a_file_all(run: Run, folder: Path) -> None:
    many = "".join(f"w{number}\tB-PER\n\n" for number in range(25))
    (folder / "many.tsv").write_text(many)
    (folder / "none.tsv").write_text(many.replace("B-PER", "O"))
    shown = run("triage", "many.tsv", "none.tsv", "-q").stdout
    assert shown.startswith("25 spans")
    assert "; the first 20" in shown
    lines = run("triage", "many.tsv", "none.tsv", "-q", "--format", "jsonl").stdout
    assert len(lines.splitlines()) == 25


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("features", "--level", "word"), "unknown level 'word'"),
        (("features", "--by", "lenght"), "unknown attribute 'lenght'"),
        (("features", "--attribute", "lenght"), "is not NAME=FILE"),
        (("triage", "--at-least", "most"), "--at-least: 'most' is not a number"),
        (("triage", "--at-least", "4"), "4 systems, but there are 3"),
        (("triage", "--output", "a.doc"), "no form goes with '.doc'"),
        (("triage", "--format", "xml"), "unknown format 'xml'"),
        (("words", "--word", " "), "the word is empty"),
    ],
)
def test_what_is_wrong_is_told(run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run(arguments[0], *FILES, *arguments[1:])
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_spans_that_are_no_tags_have_no_level_token(run: Run, folder: Path) -> None:
    (folder / "gold.jsonl").write_text('{"text": "Ada", "spans": [[0, 3, "PER"]]}\n')
    done = run("features", "gold.jsonl", "gold.jsonl", "--level", "token")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_attributes_are_listed_and_explained(run: Run) -> None:
    assert "capital_share " in run("list", "attributes").stdout
    explained = run("list", "attributes", "capital_share").stdout
    assert "Lu or Lt / characters" in explained
    assert "did you mean" in run("list", "attributes", "capital_shar").stderr.lower()
