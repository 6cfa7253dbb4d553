"""Numbers and names of sources that outputs lose: in scores, fields and buckets."""

from __future__ import annotations

from pathlib import Path

import pytest

import finegrain as fg
from finegrain.errors import UsageError
from finegrain.simulation import simulate_translations
from finegrain.table import OutcomeTable
from finegrain.tasks import TASKS

SOURCES = ("Mit Ada Brandt las er 3 von 12 Tagen.", "Er las.", "Um 1,5 km")
REFERENCES = ("He read with Ada Brandt on some days.", "He read.", "About 1.5 km")
OUTPUTS = ("He read with Ada for 3 days.", "He read 7 books.", "Around 15 km")


def _table(folder: Path, *, source: bool = True) -> OutcomeTable:
    for name, texts in (("src", SOURCES), ("ref", REFERENCES), ("hyp", OUTPUTS)):
        (folder / name).write_text("".join(f"{text}\n" for text in texts))
    options = {"source": str(folder / "src")} if source else {}
    return fg.evaluate(
        folder / "ref", {"mine": folder / "hyp"}, task="generation", **options
    )  # fmt: skip


def test_what_is_lost_by_hand(tmp_path: Path) -> None:
    table = _table(tmp_path)
    scores = fg.score(table, ["source_numbers_kept", "source_names_kept", "numbers_kept"])
    # numbers of sources: 3 and 12, none, 1,5; kept are 3, and 15, as points and commas are left out
    assert scores.value("source_numbers_kept", "mine") == pytest.approx(2 / 3)
    # capitalised inside of a sentence: Ada, Brandt, Tagen; only Ada is kept
    assert scores.value("source_names_kept", "mine") == pytest.approx(1 / 3)
    assert scores.value("numbers_kept", "mine") == 1.0  # references have 1.5 alone
    assert len(fg.show(table, where="lost_source_numbers[mine]=1").rows) == 1
    assert len(fg.show(table, where="lost_source_names[mine]=2").rows) == 1


def test_buckets_by_what_sources_have(tmp_path: Path) -> None:
    found = fg.buckets(_table(tmp_path), by="numbers_in_source")
    sizes = {row["range"]: row["gold"] for row in found if row["bucket"] != "all"}
    assert sizes == {"0": 1, "1": 1, "2": 1}


@pytest.mark.parametrize("asked", ["lost_source_numbers[mine]>0", "numbers_in_source>0"])
def test_without_sources_they_are_refused(asked: str, tmp_path: Path) -> None:
    table = _table(tmp_path, source=False)
    with pytest.raises(UsageError, match="--set source=FILE"):
        fg.show(table, where=asked)
    with pytest.raises(UsageError, match="needs the sources"):
        fg.score(table, "source_names_kept")


def test_a_translator_that_drops_numbers_is_found_by_the_source() -> None:
    systems = {"drops": ["drops-numbers"], "names": ["drops-names"], "even": []}
    made = simulate_translations(tokens=1500, systems=systems, noise=0.0)
    table = TASKS["generation"].align(made.gold, made.systems)
    scores = fg.score(table, ["source_numbers_kept", "source_names_kept"])
    assert scores.value("source_numbers_kept", "drops") < 0.5
    assert scores.value("source_numbers_kept", "even") == 1.0
    assert scores.value("source_names_kept", "names") < 0.7
    assert scores.value("source_names_kept", "drops") == 1.0
