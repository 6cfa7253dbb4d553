"""Attributes of one's own: files, columns, arrays, functions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.attributes.joined import from_metadata
from finegrain.corpus import Coded
from finegrain.errors import InputError, UsageError
from finegrain.formats.metadata import Metadata, read_cells, read_metadata
from finegrain.formats.source import source_of
from finegrain.testing import small_corpora

TABLE = fg.align(*small_corpora("spans"))


def _cells(text: str, name: str = "meta.tsv") -> Metadata:
    return read_cells(source_of(name, text.encode()))


def _values(text: str, name: str = "meta.tsv") -> list[object]:
    values = from_metadata("domain", _cells(text, name)).values(TABLE)
    if isinstance(values, Coded):
        return [None if code < 0 else values.names[code] for code in values.codes.tolist()]
    return values.tolist()


def test_by_document_and_sentence() -> None:
    """Two documents of two sentences; the second sentence has a unit of one system only."""
    by_document = _values("document\tdomain\n1\tletters\n2\tnews\n")
    assert by_document == ["letters" if one < 2 else "news" for one in TABLE.sentence.tolist()]
    by_sentence = _values("sentence,domain\n1,10\n3,30\n", "meta.csv")
    expected = {0: 10.0, 2: 30.0}
    for value, sentence in zip(by_sentence, TABLE.sentence.tolist(), strict=True):
        assert value == expected.get(sentence) or (sentence not in expected and value != value)  # noqa: PLR0124 - nan


def test_by_unit_as_show_writes_them() -> None:
    """The file of ``show``, with a column added, comes back to the same units."""
    from finegrain.views.unit_records import as_tsv

    lines = "".join(as_tsv(fg.show(TABLE, limit=None))).splitlines()
    text = "\n".join(
        f"{line}\t{'domain' if not number else f'd{number}'}" for number, line in enumerate(lines)
    )
    found = _values(text + "\n")
    assert sorted(one for one in found if one is not None) == sorted(
        f"d{number}" for number in range(1, len(lines))
    )


def test_by_row() -> None:
    found = _values("unit\tdomain\n0\ta\n2\tb\n")
    assert found[:4] == ["a", None, "b", None]


def test_the_only_further_column_serves() -> None:
    assert _values("document\tkind\n1\tx\n2\ty\n")[0] == "x"
    with pytest.raises(InputError, match=r"meta\.tsv:1: there is no column 'domain'"):
        _values("document\ta\tb\n1\tx\ty\n")


def test_unknown_and_repeated_keys_are_named_with_their_lines() -> None:
    with pytest.raises(InputError) as caught:
        _values("sentence\tdomain\n1\tx\n9\ty\n1\tz\n")
    assert str(caught.value) == (
        "meta.tsv:3: there is no sentence 9. Mend it, or leave the line out.\n"
        "meta.tsv:4: sentence 1 is there twice. Keep one of the lines."
    )


def test_bad_files() -> None:
    with pytest.raises(InputError, match=r"meta\.tsv:1: no column says what a line is about"):
        _values("domain\nx\n")
    with pytest.raises(InputError, match=r"meta\.tsv:3: expected 2 columns, found 1"):
        _values("document\tdomain\n1\tx\n2\n")
    with pytest.raises(InputError, match=r"meta\.tsv:1: column 'domain' is there twice"):
        _values("document\tdomain\tdomain\n1\tx\ty\n")
    with pytest.raises(InputError, match=r"meta\.tsv:1: there is nothing below the names"):
        _values("document\tdomain\n")
    with pytest.raises(InputError, match=r"tests: is a directory\. Name a TSV, CSV or Parquet"):
        read_metadata("tests")
    bare = fg.Corpus.of([["a"]], tags=[["B-X"]])
    with pytest.raises(UsageError, match="is about documents"):
        from_metadata("domain", _cells("document\tdomain\n1\tx\n")).values(
            fg.align(bare, {"same": bare})
        )


def test_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = str(tmp_path / "meta.parquet")
    parquet.write_table(pyarrow.table({"document": [1, 2], "domain": ["x", None]}), path)
    assert read_metadata(path).columns == {"document": ("1", "2"), "domain": ("x", "")}
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        read_metadata(str(tmp_path / "broken.parquet"))


def test_arrays_and_functions() -> None:
    rows = len(TABLE)
    added = fg.annotate(
        TABLE,
        {
            "row": np.arange(rows),
            "half": lambda table: ["low" if row < 3 else "high" for row in range(len(table))],
        },
    )
    assert added.columns["row"].tolist() == list(range(rows))
    assert added.columns["half"].tolist() == ["low"] * 3 + ["high"] * (rows - 3)
    found = fg.buckets(added, ["row", "half+label"], buckets=2)
    assert found["row"].divisions[0].ordered
    assert found["half+label"].gold.sum() == TABLE.n_gold
    assert len(fg.select(added, "half=low")) == 3


def test_arrays_of_the_wrong_length_and_taken_names_are_refused() -> None:
    with pytest.raises(UsageError, match="mine: one value per unit is needed, 15, not 2"):
        fg.annotate(TABLE, {"mine": np.arange(2)})
    with pytest.raises(UsageError, match="not a single"):
        fg.annotate(TABLE, {"mine": len})
    with pytest.raises(UsageError, match="'entity_length' is built in"):
        fg.annotate(TABLE, {"entity_length": np.zeros(len(TABLE))})
    with pytest.raises(UsageError, match=r"Write \['entity_length'\]"):
        fg.annotate(TABLE, "entity_length")
    with pytest.raises(UsageError, match="one attribute"):
        fg.annotate(TABLE, ["entity_length+label"])


def test_columns_of_the_input_and_documents() -> None:
    """The genre of a unit is that of its first token."""
    text = [["Ada", "sang"], ["Bob", "ran"]]
    tags = [["B-PER", "O"], ["B-PER", "O"]]
    genre = [["news"] * 2, ["chat"] * 2]
    gold = fg.Corpus.of(text, documents=[0, 1], tags=tags, genre=genre)
    table = fg.align(gold, {"s": fg.Corpus.of(text, documents=[0, 1], tags=[tags[0], ["O", "O"]])})
    found = fg.buckets(table, ["genre", "document"]).to_json()
    assert found["genre"]["names"] == ["chat", "news"]
    assert found["genre"]["systems"]["s"]["f1"] == [0, 1]
    assert found["document"]["systems"]["s"]["recall"] == [1, 0]


def test_annotated_tables_can_be_saved(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = str(tmp_path / "table.parquet")
    _, systems = small_corpora("spans")
    fg.annotate(TABLE, ["entity_length", "novelty"], train=systems["mixed"]).save(path)
    loaded = fg.load(path)
    assert loaded.columns["entity_length"].tolist()[0] == 2
    assert set(loaded.columns["novelty"].tolist()) <= {"seen", "other_label", "unseen"}
