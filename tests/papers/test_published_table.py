"""The table of published systems in the documentation is what the command prints."""

from __future__ import annotations

from pathlib import Path

from tests.command_line import ROOT, run_finegrain


def test_twelve_systems_on_the_chemicals_of_bc5(shared: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs/significance.md").read_text(encoding="utf-8")
    block = page.partition("as `finegrain significance` shows them:\n\n```text\n")[2]
    files = sorted((shared / "data/ner/bc5-chemical").glob("*-s1.tsv.gz"))
    columns = ("--columns", "token=1,gold=2,answer=3")
    done = run_finegrain("significance", *columns, *map(str, files), "--quiet", cwd=tmp_path)
    printed = done.stdout.splitlines()[1:14]
    assert len(files) == 12, done.stderr
    assert block.partition("```")[0].splitlines() == printed
