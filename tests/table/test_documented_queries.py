"""The queries of docs/table.md give what the page says, where the package is there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import finegrain as fg
from tests.documentation.console import ROOT

pytest.importorskip("pyarrow")

PAGE = (ROOT / "docs" / "table.md").read_text()
QUERIES = re.findall(r"^```pycon\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SYSTEMS = {"hasty": ("long-entities", "spurious"), "careful": ()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("queries")
    simulated = fg.simulate(tokens=5_000, seed=1, systems=SYSTEMS)
    fg.align(simulated.gold, simulated.systems).save(str(folder / "table.parquet"))
    return folder


@pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
def test_documented_queries(query: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    package = query.split("\n", 1)[0].removeprefix(">>> import ")
    pytest.importorskip(package)
    example = doctest.DocTestParser().get_doctest(query, {}, package, "docs/table.md", 0)
    said: list[str] = []
    doctest.DocTestRunner().run(example, out=said.append)
    assert not said, "".join(said)


def test_the_page_names_every_column() -> None:
    arrow = fg.align(
        fg.Corpus.of([["a"]], tags=[["X"]]), {"SYSTEM": fg.Corpus.of([["a"]], tags=[["Y"]])},
        task="tags",
    ).to_arrow()  # fmt: skip
    assert [name for name in arrow.column_names if f"`{name}`" not in PAGE] == []
