"""Facets of systems, details of further axes and parts of units: saved, chosen and renumbered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.corpus import Coded, Texts
from finegrain.corpus.columns import Rows, cell
from finegrain.table import OutcomeTable
from finegrain.table.facets import facets, parsed
from finegrain.table.scale import Scale, Value

EDITS = Scale(higher=False, best=0.0, worst=None, solved=1.0, tie=0.5, shown="number")


def _table() -> OutcomeTable:
    """Four units, two systems; unit 0 has two parts, unit 2 one, unit 3 one."""
    cells = [[1, 0], [0, 1], [1, 1], [0, 0]]
    table = fg.from_matrix(cells, systems=["bert@1", "bert@2"], units=["a", "b", "c", "d"])
    parts = Rows(
        np.array([0, 0, 2, 3]),
        {
            "grade": np.array([1.0, np.nan, 3.0, 4.0]),
            "kind": Coded.of(["web", "book", "web", "book"]),
            "text": Texts.of(["one", "two", "three", "vier"]),
            "vector": np.arange(8.0).reshape(4, 2),
            "place": np.array([3, 2, 1, 0]),  # whole numbers, such as rows of something else
        },
        {"score": np.arange(8.0).reshape(4, 2), "chances": np.arange(24.0).reshape(4, 2, 3)},
    )
    chances = np.arange(4 * 2 * 3, dtype=np.float64).reshape(4, 2, 3)
    texts = np.array([["x", None], ["y", "z"], ["x", "x"], [None, "w"]], object)
    return replace(
        table,
        details={"chances": chances, "reply": texts},
        columns={"domain": np.array(["law", "law", "news", None], object)},
        values={"edits": Value(EDITS, chances[:, :, 0])},
        parts={"documents": parts},
        facets={"layer": ("3", "12"), "cost": ("1.5", "9")},
    )


def _cells(table: OutcomeTable) -> dict[str, object]:
    documents = table.parts["documents"]
    return {
        "facets": dict(table.facets),
        "details": {name: one.tolist() for name, one in table.details.items()},
        "columns": {name: one.tolist() for name, one in table.columns.items()},
        "values": [(one.scale, one.matrix.tolist()) for one in table.values.values()],
        "parent": documents.parent.tolist(),
        "fields": {
            name: [cell(one, row) for row in range(documents.size)]
            for name, one in documents.fields.items()
        },
        "by_system": {name: one.tolist() for name, one in documents.by_system.items()},
    }


def test_everything_comes_back_from_a_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra parquet")
    table = _table()
    table.save(str(tmp_path / "table.parquet"))
    again = fg.load(str(tmp_path / "table.parquet"))
    assert _cells(again) == _cells(table)
    assert again.details["chances"].shape == (4, 2, 3)
    assert again.details["chances"].dtype == np.float64


def test_chosen_units_take_their_parts_along() -> None:
    """Units 3 and 0 stay: the parts of 0 belong to row 0 now, that of 3 to row 1."""
    found = _table().where(np.array([True, False, False, True]))
    documents = found.parts["documents"]
    assert documents.parent.tolist() == [0, 0, 1]
    assert list(documents.fields["text"]) == ["one", "two", "vier"]
    assert documents.by_system["chances"][2].tolist() == [[18, 19, 20], [21, 22, 23]]
    assert found.details["chances"].shape == (2, 2, 3)
    assert found.values["edits"].matrix.tolist() == [[0, 3], [18, 21]]
    assert found.columns["domain"].tolist() == ["law", None]


def test_parts_follow_the_order_of_their_units() -> None:
    documents = _table().parts["documents"].of(np.array([3, 1, 0]))
    assert documents.parent.tolist() == [0, 2, 2]
    assert list(documents.fields["text"]) == ["vier", "one", "two"]


def test_some_systems_keep_what_is_theirs() -> None:
    found = _table().only([1])
    assert found.facets == {"layer": ("12",), "cost": ("9",)}
    assert found.details["chances"][0].tolist() == [[3, 4, 5]]
    assert found.values["edits"].matrix.tolist() == [[3], [9], [15], [21]]
    assert found.parts["documents"].by_system["score"].tolist() == [[1], [3], [5], [7]]
    assert list(found.parts["documents"].fields["text"]) == ["one", "two", "three", "vier"]


def test_names_are_parsed_into_facets_unless_they_are_given() -> None:
    assert parsed(["a@b@7", "@x", "y@"]) == {
        "system": ("a@b", "@x", "y@"),
        "seed": ("7", "", ""),
    }
    table = _table()
    assert facets(table)["seed"] == ("1", "2")
    assert facets(table)["layer"] == ("3", "12")
    given = replace(table, facets={"system": ("one", "other"), "seed": ("x", "y")})
    assert facets(given)["system"] == ("one", "other")


def test_seeds_goes_by_facets() -> None:
    """Names say nothing; the facets say that the two are runs of one system."""
    table = _table()
    plain = replace(table, systems=("first", "second"), facets={})
    assert [one.name for one in fg.seeds(plain, resamples=20).means] == ["first", "second"]
    given = replace(plain, facets={"system": ("bert", "bert"), "seed": ("1", "2")})
    (found,) = fg.seeds(given, resamples=20).means
    assert (found.name, found.runs) == ("bert", ("1", "2"))
