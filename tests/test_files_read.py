"""JSON, pages and saved tables say which files they come from, with their SHA-256."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import lzma
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.files_read import InputFile, called, files_read, opened, recording
from finegrain.views.html.sections.method import context
from tests.conftest import Run

GOLD = "Ada B-PER\nslept O\n\n" * 6
MADE = "Ada O\nslept O\n\n" + "Ada B-PER\nslept O\n\n" * 5


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    (tmp_path / "g.conll").write_text(GOLD)
    (tmp_path / "s.conll").write_text(MADE)
    (tmp_path / "meta.tsv").write_text("sentence\tdomain\n1\tnews\n")
    return tmp_path


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _told(run: Run, *arguments: str, stdin: str | None = None) -> list[tuple[str, str, str]]:
    done = run(*arguments, "--format", "json", stdin=stdin)
    assert done.returncode == 0, done.stderr
    inputs: list[dict[str, Any]] = json.loads(done.stdout)["inputs"]
    return [(one["name"], one["path"], one["sha256"]) for one in inputs]


def test_gold_systems_training_data_and_attributes(run: Run, folder: Path) -> None:
    files = ("g.conll", "crf=s.conll", "same=g.conll", "--train", "s.conll")
    found = _told(run, "buckets", *files, "--attribute", "domain=meta.tsv", "--no-intervals")
    assert found == [
        ("gold", "g.conll", _sum(folder / "g.conll")),
        ("same", "g.conll", _sum(folder / "g.conll")),
        ("crf", "s.conll", _sum(folder / "s.conll")),
        ("train", "s.conll", _sum(folder / "s.conll")),
        ("domain", "meta.tsv", _sum(folder / "meta.tsv")),
    ]


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_compressed_files_are_hashed_as_they_are(
    run: Run, folder: Path, suffix: str, pack: Any
) -> None:
    packed = folder / f"s.conll{suffix}"
    packed.write_bytes(pack(MADE.encode()))
    found = _told(run, "confusion", "g.conll", packed.name)
    assert found[1] == ("s", packed.name, _sum(packed))


def test_standard_input_is_hashed_as_it_comes(run: Run, folder: Path) -> None:
    found = _told(run, "confusion", "g.conll", "-", stdin=MADE)
    assert found[1] == ("stdin", "-", _sum(folder / "s.conll"))


@pytest.mark.parametrize("rows", [3, 40_000])  # less and more than what is looked at first
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_01_table(run: Run, folder: Path, rows: int, suffix: str) -> None:
    text = ("1\t0\n0\t1\n" * rows).encode()
    (folder / f"t.tsv{suffix}").write_bytes(gzip.compress(text) if suffix else text)
    found = _told(run, "score", f"t.tsv{suffix}", "--no-intervals")
    assert found == [("table", f"t.tsv{suffix}", _sum(folder / f"t.tsv{suffix}"))]


def test_a_folder_is_told_file_by_file(run: Run, folder: Path) -> None:
    for name in ("gold", "made"):
        (folder / name).mkdir()
        (folder / name / "a.txt").write_text("Ada slept\n")
        (folder / name / "a.ann").write_text("T1\tPER 0 3\tAda\n")
    found = _told(run, "confusion", "gold", "made")
    assert {(name, path) for name, path, _ in found} == {
        ("gold", "gold/a.txt"), ("gold", "gold/a.ann"), ("made", "made/a.txt"),
        ("made", "made/a.ann"),
    }  # fmt: skip
    pair = _told(run, "confusion", "gold/a.ann", "made/a.ann")
    assert {(name, path) for name, path, _ in pair} == {(one, two) for one, two, _ in found} - {
        ("made", "made/a.txt"), ("made", "made/a.ann")
    } | {("a", "made/a.txt"), ("a", "made/a.ann")}  # fmt: skip


def test_a_saved_table_carries_its_files(run: Run, folder: Path) -> None:
    assert run("align", "g.conll", "crf=s.conll", "-o", "t.parquet").returncode == 0
    sources = [
        ("gold", "g.conll", _sum(folder / "g.conll")),
        ("crf", "s.conll", _sum(folder / "s.conll")),
    ]
    table = fg.load(str(folder / "t.parquet"))
    assert [(one.name, one.path, one.sha256) for one in table.inputs] == sources
    found = _told(run, "confusion", "t.parquet")
    assert found == [("table", "t.parquet", _sum(folder / "t.parquet")), *sources]


def test_data_sets_of_a_suite(run: Run, folder: Path) -> None:
    (folder / "suite.toml").write_text(
        '[datasets.news]\ngold = "g.conll"\nsystems = { crf = ["s.conll", "g.conll"] }\n'
    )
    names = [(name, path) for name, path, _ in _told(run, "suite", "suite.toml", "--no-intervals")]
    assert names == [
        ("suite.toml", "suite.toml"), ("news: gold", "g.conll"), ("news: crf #2", "g.conll"),
        ("news: crf #1", "s.conll"),
    ]  # fmt: skip


def test_pages_tell_them(folder: Path) -> None:
    names = ("g.conll", "s.conll")
    with recording():
        gold, made = (fg.read(str(folder / name)) for name in names)
        found = context(fg.report(fg.align(gold, {"crf": made}), instances=1))
        assert found is not None
        assert [one.sha256 for one in found["inputs"]] == [_sum(folder / one) for one in names]


def test_a_file_that_is_json_has_them(run: Run, folder: Path) -> None:
    assert run("describe", "g.conll", "-q", "-o", "d.json").returncode == 0
    assert json.loads((folder / "d.json").read_text())["inputs"] == [
        {"name": "gold", "path": "g.conll", "sha256": _sum(folder / "g.conll")}
    ]


def test_nothing_is_hashed_unless_it_is_asked_for(folder: Path) -> None:
    with opened(str(folder / "g.conll")) as file:
        assert isinstance(file.raw, io.FileIO)
        file.read()
    assert files_read() == ()
    called("g.conll", "gold")
    assert files_read() == ()


def test_what_is_not_read_to_its_end_is_not_told(folder: Path) -> None:
    path = str(folder / "g.conll")
    with recording():
        with opened(path) as file:
            file.peek(1)
        assert files_read() == ()
        with opened(path) as file:
            assert file.read() == GOLD.encode()
        assert files_read() == (InputFile("g.conll", path, _sum(folder / "g.conll")),)
    assert files_read() == ()


def test_what_is_no_text_is_no_file() -> None:
    with pytest.raises(TypeError):
        InputFile("gold", "g.conll", 3)  # type: ignore[arg-type]
