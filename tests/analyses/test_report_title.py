"""What a report is called if nobody says."""

from __future__ import annotations

from pathlib import Path

import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.views.html.page import as_html
from tests.conftest import Run

LINES = "Ada\tB-PER\nslept\tO\n\nBob\tB-PER\nran\tO\n"


def _title(names: list[str], source: str) -> str:
    gold = Corpus.of([["Ada", "ran"]], source=source, tags=[["B-PER", "O"]])
    return fg.report(fg.align(gold, dict.fromkeys(names, gold))).title


@pytest.mark.parametrize(
    ("names", "title"),
    [
        (["crf"], "crf on gold"),
        (["crf", "gru"], "crf and gru on gold"),
        (["crf", "gru", "bert"], "crf, gru and bert on gold"),
        (["crf", "gru", "bert", "gpt"], "4 systems on gold"),
        (["c" * 40, "g" * 40], "2 systems on gold"),
    ],
)
def test_few_systems_are_named_and_many_counted(names: list[str], title: str) -> None:
    assert _title(names, "corpora/news/gold.conll.gz") == title


@pytest.mark.parametrize("source", ["memory", "standard input"])
def test_a_gold_standard_without_a_file_has_no_name(source: str) -> None:
    assert _title(["crf"], source) == "crf"


def test_the_page_escapes_names_and_tells_no_folder(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    folder = tmp_path / "where I live"
    folder.mkdir()
    gold = folder / "<i>gold.conll"
    gold.write_text(LINES)
    corpus = fg.read(str(gold))
    page = as_html(fg.report(fg.align(corpus, {"<b>crf": corpus})))
    assert "<h1>&lt;b&gt;crf on &lt;i&gt;gold</h1>" in page
    assert "where I live" not in page


def test_title_takes_its_place(run: Run, tmp_path: Path) -> None:
    for name in ("gold", "crf"):
        (tmp_path / f"{name}.conll").write_text(LINES)
    files = ("gold.conll", "crf.conll", "--quiet")
    assert run("report", *files).stdout.startswith("crf on gold\n")
    assert run("report", *files, "--title", "News").stdout.startswith("News\n")
