"""Bins by the number of systems that are right: by hand, by brute force, and invariances."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import finegrain as fg
from finegrain.analyses.compare.difficulty import bins
from finegrain.corpus import Corpus
from finegrain.table import OutcomeTable
from finegrain.table.patterns import solved
from finegrain.table.verdicts import right
from finegrain.testing import small_corpora
from finegrain.views.text_formats import as_csv, as_json
from tests.schema import require_schema

TEXT = [["Ada", "met", "Charles", "Babbage", "in", "London"]]
GOLD = ["B-PER", "O", "B-PER", "I-PER", "O", "B-LOC"]


def _tags(*tags: str) -> Corpus:
    return Corpus.of(TEXT, tags=[list(tags)])


def _systems() -> dict[str, Corpus]:
    return {
        "short": _tags("B-PER", "O", "B-PER", "O", "O", "B-LOC"),
        "org": _tags("B-PER", "O", "B-PER", "I-PER", "O", "B-ORG"),
        "inventive": _tags("B-PER", "B-LOC", "B-PER", "I-PER", "O", "O"),
    }


def test_whole_spans() -> None:
    """Ada is right in all three, Charles Babbage in two, London in one; nobody sees an invention.

    short: Ada, London; org: Ada, Babbage; inventive: Ada, Babbage.
    """
    found = fg.difficulty(fg.align(_tags(*GOLD), _systems())).to_json()
    assert found["sizes"] == [0, 1, 1, 1]
    assert found["counts"] == {
        "short": [0, 1, 0, 1], "org": [0, 0, 1, 1], "inventive": [0, 0, 1, 1]
    }  # fmt: skip
    assert found["shares"]["org"] == [None, 0, 1, 1]
    assert found["totals"] == {"short": 2, "org": 2, "inventive": 2}
    assert found["recall"]["short"] == 2 / 3
    assert found["labels"]["PER"]["sizes"] == [0, 0, 1, 1]
    assert found["labels"]["LOC"]["counts"]["short"] == [0, 1, 0, 0]


def test_tokens_of_spans() -> None:
    """Four tokens are in gold spans: Ada 3, Charles 3, Babbage 2 (not short), London 1 (short)."""
    table = fg.align(_tags(*GOLD), _systems(), task="tags")
    found = fg.difficulty(table, level="token")
    assert found.to_json()["sizes"] == [0, 1, 1, 2]
    assert found.to_json()["counts"]["inventive"] == [0, 0, 1, 2]
    assert "level:token" in found.signature
    with pytest.raises(fg.UsageError, match="task='tags'"):
        fg.difficulty(fg.align(_tags(*GOLD), _systems()), level="token")
    with pytest.raises(fg.UsageError, match="unknown level"):
        fg.difficulty(table, level="word")  # type: ignore[arg-type]


def test_leave_one_out_by_hand() -> None:
    """Items 11, 10, 00: for the first system the other one solves one of three, itself two.

    Without the first: item 1 in bin 1 (right), items 2 (right) and 3 (wrong) in bin 0.
    """
    found = fg.difficulty(fg.from_matrix([[1, 1], [1, 0], [0, 0]]), leave_one_out=True)
    own = found.to_json()["leave_one_out"]
    assert own["sizes"]["s1"] == [2, 1]
    assert own["counts"]["s1"] == [1, 1]
    assert own["shares"]["s1"] == [0.5, 1]
    assert own["sizes"]["s2"] == [1, 2]
    assert own["counts"]["s2"] == [0, 1]
    assert "bins:leave-one-out" in found.signature


def test_no_gold_units_and_no_systems() -> None:
    empty = fg.difficulty(fg.align(_tags(*"OOOOOO"), {"s": _tags(*GOLD)}, task="spans"))
    assert empty.to_json()["recall"] == {"s": None}
    assert any("no gold units" in note for note in empty.notes)
    nobody = fg.difficulty(fg.align(_tags(*GOLD), {}))
    assert nobody.to_json()["sizes"] == [3]
    assert str(nobody)


def test_bins_without_units_are_explained() -> None:
    found = fg.difficulty(fg.from_matrix([[1, 1], [0, 0]]))
    assert found.to_json()["shares"]["s1"] == [0, None, 1]
    assert found.notes == ("bin 1 has no units: shares are undefined there",)


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_json_csv_and_tables(task: str) -> None:
    table = fg.align(*small_corpora(task))
    found = fg.difficulty(table)
    document = json.loads(as_json(found, command="x"))
    require_schema(document, "difficulty")
    lines = as_csv(found).splitlines()
    per_system = 3 * (1 + len(found.labels)) + 2
    assert len(lines) == 1 + 2 * per_system
    assert "hardest label first" in str(found)
    assert "other" in str(fg.difficulty(table, leave_one_out=True))


def _matrix(rows: list[list[int]]) -> NDArray[np.uint8]:
    return np.array(rows, np.uint8)


_MATRICES = st.integers(1, 9).flatmap(
    lambda systems: st.lists(
        st.lists(st.integers(0, 1), min_size=systems, max_size=systems), min_size=1, max_size=40
    ).map(_matrix)
)


@given(_MATRICES)
@settings(max_examples=60, deadline=None)
def test_bins_sum_to_the_whole(cells: NDArray[np.uint8]) -> None:
    found = fg.difficulty(fg.from_matrix(cells))
    sizes, counts = found.sizes.sum(axis=0), found.counts.sum(axis=0)
    assert sizes.sum() == len(cells)
    assert (counts.sum(axis=1) == cells.sum(axis=0)).all()
    assert (counts.sum(axis=0) == sizes * np.arange(len(sizes))).all()
    assert (bins(fg.from_matrix(cells)) == cells.sum(axis=1)).all()


@given(_MATRICES)
@settings(max_examples=60, deadline=None)
def test_leave_one_out_equals_brute_force(cells: NDArray[np.uint8]) -> None:
    own = fg.difficulty(fg.from_matrix(cells)).leave_one_out()
    for system in range(cells.shape[1]):
        others = np.delete(cells, system, axis=1).sum(axis=1)
        size = cells.shape[1]
        assert own.sizes[system].tolist() == np.bincount(others, minlength=size).tolist()
        hits = others[cells[:, system] == 1]
        assert own.counts[system].tolist() == np.bincount(hits, minlength=size).tolist()


@given(_MATRICES, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_units_and_systems_is_irrelevant(
    cells: NDArray[np.uint8], random: Any
) -> None:
    names = [f"s{place}" for place in range(cells.shape[1])]
    rows, columns = list(range(len(cells))), list(range(cells.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    turned = fg.from_matrix(cells[rows][:, columns], systems=[names[at] for at in columns])
    one, two = (fg.difficulty(table) for table in (fg.from_matrix(cells, systems=names), turned))
    assert one.to_json() == two.to_json()


@given(_MATRICES, st.data())
@settings(max_examples=40, deadline=None)
def test_another_system_changes_no_total(cells: NDArray[np.uint8], data: st.DataObject) -> None:
    """Bins are made by all systems together; what a system solves in all is its own."""
    added = data.draw(st.lists(st.integers(0, 1), min_size=len(cells), max_size=len(cells)))
    more = fg.difficulty(fg.from_matrix(np.column_stack([cells, added]))).to_json()
    for name, total in fg.difficulty(fg.from_matrix(cells)).to_json()["totals"].items():
        assert more["totals"][name] == total


def _brute_force(table: OutcomeTable) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    verdict = right(table)[table.is_gold]
    label, number = table.label[table.is_gold], verdict.sum(axis=1)
    sizes = np.zeros((table.n_labels, table.n_systems + 1), np.int64)
    counts = np.zeros((table.n_labels, table.n_systems, table.n_systems + 1), np.int64)
    np.add.at(sizes, (label, number), 1)
    for system in range(table.n_systems):
        hits = verdict[:, system]
        np.add.at(counts[:, system], (label[hits], number[hits]), 1)
    return sizes, counts


@pytest.mark.parametrize("systems", [0, 1, 2, 7, 8, 9, 19, 20, 21, 33, 45])
@pytest.mark.parametrize("labels", [1, 3, 60])
def test_patterns_of_any_number_of_systems(systems: int, labels: int) -> None:
    """One run of up to 20 systems, several beyond; smaller ones where there are many labels."""
    random = np.random.default_rng(systems * 100 + labels)
    units = int(random.integers(1, 300))
    gold = [f"t{code}" for code in random.integers(0, labels, units)]
    words = [["w"] * units]
    answers = {
        f"s{at}": Corpus.of(
            words, tags=[[tag if random.random() < at / systems else "x" for tag in gold]]
        )
        for at in range(systems)
    }
    table = fg.align(Corpus.of(words, tags=[gold]), answers, task="tags")
    found = solved(table, table.label, groups=table.n_labels)
    sizes, counts = _brute_force(table)
    assert (found.sizes == sizes).all()
    assert (found.counts == counts).all()
    together = solved(table)
    assert (together.counts[0] == counts.sum(axis=0)).all()
    assert (together.sizes[0] == sizes.sum(axis=0)).all()


def test_more_units_than_are_counted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("finegrain.table.patterns._ROWS", 64)
    monkeypatch.setattr("finegrain.table.patterns._PIECE", 24)
    cells = np.random.default_rng(1).integers(0, 2, (333, 5))
    found = solved(fg.from_matrix(cells))
    assert found.sizes[0].tolist() == np.bincount(cells.sum(axis=1), minlength=6).tolist()


def test_spans_go_by_gold_rows_only() -> None:
    table = fg.align(*small_corpora("spans"))
    sizes, counts = _brute_force(table)
    found = fg.difficulty(table)
    assert (found.sizes == sizes).all()
    assert (found.counts == counts).all()
    assert (bins(table) >= 0).tolist() == table.is_gold.tolist()


@pytest.mark.parametrize(("documents", "given"), [(5, False), (6, True)])
def test_too_few_documents_for_intervals_are_told(documents: int, given: bool) -> None:
    text, where = [["a"]] * 30, [place * documents // 30 for place in range(30)]
    answers = {"x": [["N"]] * 20 + [["V"]] * 10, "y": [["V"]] * 10 + [["N"]] * 20}
    gold = Corpus.of(text, tags=[["N"]] * 30, documents=where)
    systems = {name: Corpus.of(text, tags=tags) for name, tags in answers.items()}
    found = fg.difficulty(fg.align(gold, systems, task="tags"), intervals=1000)
    said = any("comes from too few documents" in note for note in found.notes)
    assert said != given


def test_intervals_of_the_sizes_of_bins_stay_where_there_is_no_room_for_systems() -> None:
    """Five systems are more than stand side by side: only the share of all units is left."""
    cells = np.random.default_rng(1).integers(0, 2, (60, 5))
    *_, last = fg.difficulty(fg.from_matrix(cells), intervals=50).listings()
    assert [column.name for column in last.columns] == ["right", "of all"]
    assert len(last.rows) == 6


def test_intervals_take_the_memory_of_one_system() -> None:
    """1,000 resamples x 2 counts x 121 bins are 2 MB for each of 120 systems, 230 MB for all."""
    table = fg.from_matrix(np.random.default_rng(1).integers(0, 2, (20, 120)))
    tracemalloc.start()
    fg.difficulty(table, intervals=1000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 80e6
