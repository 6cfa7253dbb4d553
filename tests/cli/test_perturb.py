"""``finegrain perturb``: copies in the layout of their file, and clear errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.testing import small_corpora
from tests.conftest import Run
from tests.schema import require_schema

TAGGED = "-DOCSTART- -X- O\n\nMaria NNP B-PER\nlives VBZ O\nin IN O\nLondon NNP B-LOC\n. . O\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.conll").write_text(TAGGED)
    (tmp_path / "gold.tsv").write_text("id\ttext\tlabel\na\tA good movie.\tpos\nb\tNo, bad.\tneg\n")
    (tmp_path / "bare.tsv").write_text("A good movie .\tpos\nNo, so bad .\tneg\n")
    return tmp_path


def _bytes(folder: Path) -> dict[str, bytes]:
    files = (one for one in sorted(folder.rglob("*")) if one.is_file())
    return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def test_copies_keep_all_columns_and_tell_every_change(run: Run, folder: Path) -> None:
    done = run("perturb", "gold.conll", "-o", "copies", "--with", "upper,names")
    assert done.returncode == 0, done.stderr
    lines = (folder / "copies" / "upper" / "gold.conll").read_text().splitlines()
    assert [line.split("\t") for line in lines if line][1:3] == [
        ["MARIA", "NNP", "B-PER"], ["LIVES", "VBZ", "O"],
    ]  # fmt: skip
    changes = [
        json.loads(line)
        for line in (folder / "copies" / "names" / "changes.jsonl").read_text().splitlines()
    ]
    (change,) = changes
    assert (change["text"], change["word"], change["old"]) == (1, 1, ["Maria"])
    named = (folder / "copies" / "names" / "gold.conll").read_text()
    assert f"{change['new'][0]}\tNNP\tB-PER\n" in named
    manifest = json.loads((folder / "copies" / "perturbations.json").read_text())
    assert [one["folder"] for one in manifest["copies"]] == ["upper", "names"]


def test_the_same_seed_gives_the_same_bytes(run: Run, folder: Path) -> None:
    for name, seed in (("one", "3"), ("two", "3"), ("other", "4")):
        options = ("--seed", seed, "--with", "typos=0.9,ocr=0.9")
        assert run("perturb", "gold.conll", "-o", name, *options).returncode == 0
    assert _bytes(folder / "one") == _bytes(folder / "two")
    assert _bytes(folder / "one") != _bytes(folder / "other")


def test_json_keeps_to_the_schema(run: Run, folder: Path) -> None:
    done = run("perturb", "gold.conll", "-o", "copies", "--with", "upper", "--format", "json")
    document = json.loads(done.stdout)
    require_schema(document, "copies")
    assert document["result"]["copies"][0]["changes"] == 4


def test_items_keep_their_separator_and_header(run: Run, folder: Path) -> None:
    for name in ("gold.tsv", "bare.tsv"):
        done = run("perturb", name, "-o", f"of-{name}", "--with", "upper,negation,irrelevant",
                   *(("--columns", "text=1,label=2") if name == "bare.tsv" else ()))  # fmt: skip
        assert done.returncode == 0, done.stderr
    upper = (folder / "of-gold.tsv" / "upper" / "gold.tsv").read_text()
    assert upper == "id\ttext\tlabel\na\tA GOOD MOVIE.\tpos\nb\tNO, BAD.\tneg\n"
    negated = (folder / "of-gold.tsv" / "negation" / "gold.tsv").read_text().splitlines()
    assert negated[1].startswith("a\tA good movie and ")
    assert negated[1].endswith(".\tpos")
    assert (folder / "of-bare.tsv" / "upper" / "bare.tsv").read_text() == (
        "A GOOD MOVIE .\tpos\nNO, SO BAD .\tneg\n"
    )


@pytest.mark.parametrize(
    ("name", "suffix", "perturbations"),
    [
        ("dependencies", "conllu", "typos=1,truncation=0.5,upper"),
        ("coreference", "conll", "typos=1,truncation=0.5,split-words=1"),
        ("spans", "jsonl", "typos=1,truncation=0.5,join-words=1"),
        ("qa", "json", "typos=1,upper"),
        ("classification", "jsonl", "typos=1,irrelevant"),
    ],
)
def test_every_kind_of_file_has_copies(
    run: Run, tmp_path: Path, name: str, suffix: str, perturbations: str
) -> None:
    made = {"dependencies": "dependencies", "coreference": "coreference", "qa": "qa",
            "classification": "classification"}.get(name)  # fmt: skip
    if made:
        run("simulate", "play", "--task", made, "--tokens", "400")
        (source,) = [one for one in (tmp_path / "play").iterdir() if one.stem == "gold"]
    else:
        source = tmp_path / f"gold.{suffix}"
        fg.write(small_corpora(name)[0], str(source), format="jsonl")
    done = run("perturb", str(source), "-o", "copies", "--with", perturbations)
    assert done.returncode == 0, done.stderr
    for one in perturbations.split(","):
        copy = tmp_path / "copies" / one.partition("=")[0] / source.name
        if name == "qa":
            assert run("check", str(copy)).returncode == 0
            continue
        score = run("score", str(copy), f"gold={copy}", "-q", "--no-intervals", "--format", "json",
                    *(("--task", name) if name == "dependencies" else ()))  # fmt: skip
        assert score.returncode == 0, (one, score.stderr)


BAD = {
    "unknown perturbation": (("--with", "tipos"), 2, "Did you mean 'typos'?"),
    "no rate": (("--with", "typos=x"), 2, "'x' is no rate"),
    "a rate above 1": (("--with", "typos=2"), 2, "a rate is a number from 0 to 1, not 2"),
    "twice": (("--with", "upper,upper"), 2, "asked for twice"),
    "for items": (("--with", "negation"), 2, "is for items"),
    "nothing changed": (("--with", "numbers"), 0, "numbers changes nothing in this file"),
    "a list for nothing": (("--with", "upper", "--names", "mine"), 2, "--with names"),
    "a bad list": (("--with", "names", "--names", "bad"), 3, "bad:1: expected a name and its kind"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_leaves_nothing_behind(run: Run, folder: Path, what: str) -> None:
    options, code, message = BAD[what]
    (folder / "mine").write_text("Ada\tfirst\tf\n")
    (folder / "bad").write_text("Ada\n")
    before = sorted(one.name for one in folder.iterdir())
    done = run("perturb", "gold.conll", "-o", "copies", *options)
    assert (done.returncode, message in done.stderr + done.stdout) == (code, True), done.stderr
    assert "Traceback" not in done.stderr
    if code:
        assert sorted(one.name for one in folder.iterdir()) == before


def test_a_folder_that_is_there_is_left_alone(run: Run, folder: Path) -> None:
    (folder / "copies").mkdir()
    (folder / "copies" / "mine").write_text("precious")
    done = run("perturb", "gold.conll", "-o", "copies")
    assert done.returncode == 2
    assert "is there already" in done.stderr
    assert [one.name for one in (folder / "copies").iterdir()] == ["mine"]


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"one\n", b"Ada B-PER\nslept\n"])
def test_files_that_cannot_be_read_end_with_exit_code_3(
    run: Run, folder: Path, data: bytes
) -> None:
    (folder / "bad.conll").write_bytes(data)
    done = run("perturb", "bad.conll", "-o", "copies")
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "copies").exists()
