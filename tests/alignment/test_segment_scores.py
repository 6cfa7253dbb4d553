"""Scores that others gave to outputs are metrics of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.errors import InputError, UsageError
from finegrain.table import OutcomeTable
from finegrain.testing import small_corpora
from tests.conftest import Run

LONG = "id\tsystem\tscore\n" + "".join(
    f"s{at}\t{name}\t{0.9 - 0.1 * at if name == 'careful' else 0.2}\n"
    for at in range(1, 7)
    for name in ("careless", "careful")
)
WIDE = "id,careful,careless\n" + "".join(f"s{at},{at},{2 * at}\n" for at in range(6, 0, -1))


def _table(**options: Any) -> OutcomeTable:
    return fg.align(*small_corpora("generation"), task="generation", **options)


def test_scores_from_a_long_and_a_wide_file(tmp_path: Path) -> None:
    (tmp_path / "comet.tsv").write_text(LONG)
    (tmp_path / "people.csv").write_text(WIDE)
    table = _table(scores=f"{tmp_path}/comet.tsv:higher:0..1,mqm={tmp_path}/people.csv:lower:0..25")
    found = fg.score(table, ["comet", "mqm"])
    assert found.value("comet", "careful") == pytest.approx(0.55)
    assert found.value("mqm", "careless") == pytest.approx(7.0)
    every = fg.score(table)
    assert {"comet", "mqm", "bleu"} <= set(every.overall)
    assert not table.values["mqm"].scale.higher
    assert "scores:comet,mqm" in every.signature
    tested = fg.significance(table, "comet", resamples=200)
    assert tested.metric.name == "comet"
    parts = fg.buckets(table, by="domain", metric="mqm")
    assert "mqm" in str(parts)


def test_a_column_of_the_systems_files() -> None:
    gold, systems = small_corpora("generation")
    from dataclasses import replace

    import numpy as np

    given = {
        name: replace(one, fields={**one.fields, "judge": np.arange(6.0) + at})
        for at, (name, one) in enumerate(systems.items())
    }
    table = fg.align(gold, given, task="generation", scores="judge:higher")
    assert fg.score(table, "judge").value("judge", "careless") == pytest.approx(3.5)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("id,careful\ns1,1\n", "neither a column 'system' nor one called 'careless'"),
        ("id,system,score\ns9,careful,1\n", "x.csv:2: the segment 's9' is not in the gold file"),
        ("id,system,score\ns1,careful,2\n", "2 is outside of the range 0..1"),
        ("id,system,points\ns1,careful,2\n", "no column 'x' or 'score'"),
        ("system,score\ncareful,0.5\ncareless,0.5\n", "1 scores of a system where there are 6"),
    ],
)
def test_files_that_do_not_fit(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(InputError, match=what):
        _table(scores=f"{tmp_path}/x.csv:0..1")


def test_what_cannot_be_meant() -> None:
    with pytest.raises(UsageError, match="neither higher, lower nor a range"):
        _table(scores="comet:up")
    with pytest.raises(InputError, match="no column of numbers 'comet', and no file of this name"):
        _table(scores="comet:higher")


def test_from_the_command_line(run: Run, tmp_path: Path) -> None:
    run("simulate", "t", "--task", "generation", "--tokens", "400")
    lines = [json.loads(line) for line in (tmp_path / "t/gold.jsonl").read_text().splitlines()]
    rows = [f"{one['id']}\tneural\t{place % 5}\n" for place, one in enumerate(lines)]
    (tmp_path / "da.tsv").write_text("id\tsystem\tscore\n" + "".join(rows))
    found = run("score", "t/gold.jsonl", "t/neural.jsonl", "--set", "scores=da.tsv:higher:0..4",
                "-m", "da,chrf", "--format", "json", "--no-intervals")  # fmt: skip
    assert found.returncode == 0, found.stderr
    overall = json.loads(found.stdout)["result"]["neural"]["overall"]
    assert 1.5 < overall["da"] < 2.5
