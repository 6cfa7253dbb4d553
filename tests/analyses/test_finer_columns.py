"""Columns of systems and of parts: in selections, as attributes, saved and renumbered.

Three queries. q0 has documents with grades 0, 2; q1 one with grade 1; q2 none. ``a`` scores them
0.9, 0.1 and 0.5, ``b`` nothing, 0.3 and 0.7; ``a`` is confident by 0.8, 0.2 and nothing, ``b`` by
0.1, 0.6, 0.9; ``b`` speaks Danish, German, nothing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.corpus import Texts
from finegrain.corpus.columns import Rows
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.table.finer_columns import summary

NAN = float("nan")


def _table() -> OutcomeTable:
    table = fg.from_matrix([[1, 0], [0, 1], [1, 1]], systems=["a", "b"], units=["q0", "q1", "q2"])
    documents = Rows(
        np.array([0, 0, 1]),
        {"grade": np.array([0.0, 2.0, 1.0]), "name": Texts.of(["x", "y", "x"])},
        {"score": np.array([[0.9, NAN], [0.1, 0.3], [0.5, 0.7]])},
    )
    spoken = np.array([["da", "da"], ["de", "de"], [None, None]], object)
    details = {"sure": np.array([[0.8, 0.1], [0.2, 0.6], [NAN, 0.9]]), "tongue": spoken}
    return replace(table, details=details, parts={"documents": documents})


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("sure[a]>0.5", [0]),
        ("sure[a]=none", [2]),
        ("sure>0.5", [0, 1, 2]),  # of some system
        ("tongue[b]=de", [1]),
        ("tongue~^d", [0, 1]),
        ("tongue[a]=none", [2]),
        ("documents.grade>0", [0, 1]),  # some document
        ("documents.grade!=2", [0, 1]),
        ("not documents.grade=2", [1, 2]),  # no document
        ("documents.name=x", [0, 1]),
        ("documents.name in (y, z)", [0]),
        ("documents.score[a]>0.8", [0]),
        ("documents.score>0.6", [0, 1]),
        ("documents.score[b]=none", [0]),
        ("documents.score[a]!=documents.score[b]", [0, 1]),
        ("count[documents]=0", [2]),
        ("mean[documents.grade]=1", [0, 1]),
        ("min[documents.grade]=0", [0]),
        ("max[documents.grade]=none", [2]),
        ("mean[documents.score,a]=0.5", [0, 1]),
        ("mean[documents.score,b]=0.3", [0]),  # of what is known
        ("max[documents.score]>0.8", [0]),
    ],
)
def test_selections_ask_for_them(where: str, found: list[int], tmp_path: Path) -> None:
    table = _table()
    assert fg.show(table, where).rows.tolist() == found
    turned = table.where(np.array([True, False, True]))  # q1 is left out, q2 is renumbered
    kept = [at for at, row in enumerate((0, 2)) if row in found]
    assert fg.show(turned, where).rows.tolist() == kept
    if pytest.importorskip("pyarrow", reason="needs the extra parquet"):
        table.save(str(tmp_path / "table.parquet"))
        again = fg.load(str(tmp_path / "table.parquet"))
        assert fg.show(again, where).rows.tolist() == found


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("sure[c]>0", "unknown system 'c'"),
        ("sure[a,b]>0", "does not take two names"),
        ("documents.grade[a]>0", "is the same for all systems"),
        ("documents.score[c]>0", "unknown system 'c'"),
        ("documents.size>0", "unknown field 'documents.size'"),
        ("mean[documents.name]>0", "unknown number of parts 'documents.name'"),
        ("count[pages]=0", "unknown parts 'pages'"),
        ("mean[documents.grade,a]>0", "is the same for all systems"),
        ("mean[documents.score,c]>0", "unknown system 'c'"),
        ("documents.score[a]=sure[a]", "parts compare with values"),
    ],
)
def test_what_cannot_be_asked_is_refused(where: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fg.show(_table(), where)


NAMES = (
    "sure[b]", "tongue[a]", "count[documents]", "max[documents.grade]", "mean[documents.score,b]",
    "count[documents]+sure[a]",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_buckets_go_by_them_and_lead_to_their_units(name: str) -> None:
    table = _table()
    found = fg.buckets(table, name)
    assert found[name].gold.sum() == 3
    for where, size in zip(found.where[name], found[name].gold, strict=True):
        assert where is not None
        assert fg.show(table, where).found == size


def test_all_systems_fall_into_the_buckets_of_the_one_that_is_named() -> None:
    found = fg.buckets(_table(), "sure[b]", buckets=3)["sure[b]"]  # q0, q1, q2 from low to high
    assert found.main().tolist() == [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]


def test_names_with_brackets_and_commas_lead_to_their_units() -> None:
    table = replace(_table(), systems=("a,1", "b[x]"))
    for name in ("sure[a,1]", "mean[documents.score,b[x]]"):
        found = fg.buckets(table, name)
        sizes = [fg.show(table, str(where)).found for where in found.where[name]]
        assert sizes == found[name].gold.tolist()


def test_slices_are_searched_by_them() -> None:
    """``b`` is right where it is sure, in every third unit."""
    cells = [[1, int(at % 3 == 0)] for at in range(120)]
    table = fg.from_matrix(cells, systems=["a", "b"], units=[str(at) for at in range(120)])
    sure = np.array([[0.5, float(at % 3 == 0)] for at in range(120)])
    found = fg.slices(replace(table, details={"sure": sure}), "b", by=["sure[b]"], resamples=200)
    (worst,) = found.to_json()["searches"][0]["findings"]
    assert fg.show(replace(table, details={"sure": sure}), worst["where"]).found == 80


def test_unknown_names_list_them() -> None:
    with pytest.raises(UsageError, match=r"sure\[a\], .*count\[documents\]"):
        fg.buckets(_table(), "sure")


def test_a_summary_is_worked_out_by_hand() -> None:
    table = _table()
    expected = [[0.5, 0.3], [0.5, 0.7], [NAN, NAN]]
    assert np.allclose(summary(table, "mean", "documents.score"), expected, equal_nan=True)
    assert summary(table, "count", "documents").tolist() == [2, 1, 0]
    assert np.allclose(summary(table, "min", "documents.grade"), [0, 1, NAN], equal_nan=True)
    assert np.allclose(summary(table, "max", "documents.grade"), [2, 1, NAN], equal_nan=True)
