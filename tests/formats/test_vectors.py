"""Vectors are read from every kind of file, equal in all; what is damaged or pickled is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.corpus.vectors import vectors_of
from finegrain.errors import InputError, UsageError
from finegrain.formats import recognise, safetensors
from finegrain.formats.source import source_of
from finegrain.formats.vectors import read, write
from finegrain.testing import same_corpus

IDS = ["cat", "dog", "car"]
VECTORS = np.array([[1.0, 0.25], [-2.0, 3.5], [0.0, 1e-3]])


def _read(data: bytes) -> Corpus:
    source = source_of("given", data)
    assert recognise(source, ("vectors",)).name == "vectors"
    return read(source)


def test_few_numbers_in_a_line_are_vectors_only_where_vectors_are_asked_for() -> None:
    many = " ".join(["cat", *(f"{number / 7:.3f}" for number in range(12))])
    assert recognise(source_of("glove", f"{many}\n{many}\n".encode())).name == "vectors"
    assert recognise(source_of("word2vec", b"1 3\ncat 1 0 2\n")).name == "vectors"
    for other in (b"1 0 1\n0 0 1\n", b"40 0 184 1\n40 0 29 2\n", b"cat 1 0.5\ndog 2 0.25\n"):
        assert recognise(source_of("other", other)).name != "vectors"


def _npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def _npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _lines(**more: Any) -> bytes:
    rows = zip(IDS, VECTORS.tolist(), strict=True)
    return "".join(json.dumps({"id": a, "vector": b, **more}) + "\n" for a, b in rows).encode()


TEXT = b"cat 1 0.25\ndog -2 3.5\ncar 0 1e-3\n"


@pytest.mark.parametrize(
    "data",
    [
        _npy(VECTORS), _npy(VECTORS.astype(np.float32)), _npz(layer=VECTORS), b"3 2\n" + TEXT,
        _npz(words=np.array(IDS), layer=VECTORS), _lines(), _lines(kind="animal"), TEXT,
        safetensors.written({"layer": VECTORS}),
    ],
)  # fmt: skip
def test_every_kind_of_file_has_the_same_vectors(data: bytes) -> None:
    found = _read(data)
    assert np.allclose(found.fields["vector"], VECTORS, rtol=1e-7)
    assert "id" not in found.fields or [found.fields["id"][at] for at in range(3)] == IDS


def test_parquet_has_them_in_a_column_of_lists(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    path = str(tmp_path / "words.parquet")
    table = pa.table({"word": IDS, "vector": VECTORS.tolist(), "length": [3, 3, 3]})
    pytest.importorskip("pyarrow.parquet").write_table(table, path)
    found = fg.read(path, format="vectors")
    assert found.fields["vector"].tolist() == VECTORS.tolist()
    assert list(found.fields["id"].slice(0, 3)) == IDS
    assert found.fields["length"].tolist() == [3, 3, 3]


def test_layers_of_a_file_are_columns() -> None:
    found = _read(_npz(id=np.array(IDS), upper=2 * VECTORS, lower=VECTORS, year=np.arange(3)))
    assert {name: one.tolist() for name, one in vectors_of(found).items()} == {
        "upper": (2 * VECTORS).tolist(), "lower": VECTORS.tolist()
    }  # fmt: skip
    assert found.fields["year"].tolist() == [0, 1, 2]
    stacked = _read(_npy(np.stack([VECTORS, VECTORS + 1])))
    assert list(vectors_of(stacked)) == ["0", "1"]


def test_half_precision_of_safetensors_is_read() -> None:
    """bfloat16 is the upper half of a 32-bit number: 1.0 is 0x3f80, -2.0 is 0xc000."""
    header = json.dumps({"a": {"dtype": "BF16", "shape": [1, 2], "data_offsets": [0, 4]}}).encode()
    data = len(header).to_bytes(8, "little") + header + bytes([0x80, 0x3F, 0x00, 0xC0])
    assert _read(data).fields["vector"].tolist() == [[1.0, -2.0]]


def test_words_may_hold_blanks() -> None:
    found = _read(b"2 2\n. . 1 2\nNew York 3 4\n")
    assert list(found.fields["id"].slice(0, 2)) == [". .", "New York"]


def _told(header: Any, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


ONE = {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_npy(np.array([{}, 1], object)), "holds Python objects"),
        (_npz(a=np.array([{}], object)), "'a' holds Python objects"),
        (_npy(VECTORS)[:-3], "damaged or incomplete"),
        (_npz(a=VECTORS)[:-30], "damaged or incomplete"),
        (b"PK\x03\x04" + bytes(60), "damaged or incomplete"),
        (_npy(np.arange(3.0)), r"no array has the shape \[item, dimension\]"),
        (_npy(np.array([[1.0, np.nan]])), "vector 1 holds nan or infinity"),
        (_npz(id=np.array(["a", "b"]), x=VECTORS), "'id' has 2 values for 3 vectors"),
        (_npz(x=VECTORS, y=VECTORS[:2]), "x has 3 rows and y has 2"),
        (_npy(np.zeros((0, 3))), "is empty"),
        (b"3 2\n" + TEXT[:11], "1 vectors where the first line says 3"),
        (b"cat 1 2\ndog 3 4\n" * 20 + b"car 5\n", "given:41: 1 numbers where 2 are expected"),
        (b"cat 1 2\ndog 3 4\n" * 20 + b"car 5 x\n", "given:41: 'car' has values that are not"),
        (b"cat 1 2\ndog 3 4\n" * 20 + b"car 5 inf\n", r"given:41: vector 41 \('car'\) holds"),
        (_lines() + b'{"id": "x"}\n', "given:4: no list of numbers 'vector'"),
        (_lines() + b'{"id": "x", "vector": [1]}\n', "given:4: 1 numbers in 'vector' where"),
        (_lines() + b'{"id": "x", "vector": [1, "y"]}\n', "given:4: 'vector' holds values"),
        (_lines() + b'{"id": "x", "vector": [1, \n', "given:4: not JSON"),
        (_told({"a": ONE}, bytes(7)), "ends behind the end of the file"),
        (_told({"a": {**ONE, "shape": [1, 3]}}, bytes(8)), "needs 12 bytes, and 8 are said"),
        (_told({"a": {**ONE, "shape": [1 << 62, 1 << 62]}}, bytes(8)), "needs"),
        (_told({"a": {**ONE, "shape": [-1, 2]}}, bytes(8)), "has no shape"),
        (_told({"a": {**ONE, "dtype": "F4"}}, bytes(8)), "has the type 'F4'"),
        (_told({"a": {**ONE, "data_offsets": [0]}}, bytes(8)), "has no place"),
        (_told({"a": [1]}, bytes(8)), "says nothing of the array 'a'"),
        (_told(b'{"a": 1, "a": 2}'), "occurs twice"),
        ((90_000_000).to_bytes(8, "little") + b"{}", "a header of 90,000,000 bytes in a file of"),
    ],
)  # fmt: skip
def test_what_is_damaged_says_where(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(source_of("given", data))


def test_an_archive_that_unpacks_to_far_more_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.BytesIO()
    np.savez_compressed(file, x=np.zeros((1000, 1000)))
    monkeypatch.setattr("finegrain.formats.number_arrays.LARGE", 1 << 20)
    with pytest.raises(InputError, match="which is too much"):
        read(source_of("bomb.npz", file.getvalue()))


def test_other_formats_refuse_arrays(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    path.write_bytes(_npy(VECTORS))
    with pytest.raises(InputError, match="arrays of numbers, which the format conll does not"):
        fg.read(str(path), format="conll")
    assert fg.read(str(path)).format == "vectors"


@pytest.mark.parametrize(
    "data",
    [
        _npz(id=np.array(["New York", "x", "y"]), x=VECTORS), _npy(VECTORS), _lines(kind="a"),
        _npy(np.stack([VECTORS, 2 * VECTORS])), _npz(id=np.array(IDS), x=VECTORS, n=np.arange(3)),
    ],
)  # fmt: skip
def test_what_the_text_of_words_cannot_hold_is_written_as_json(data: bytes) -> None:
    corpus = _read(data)
    again = read(source_of("again", write(corpus).encode()))
    same_corpus(corpus, again)


def test_no_vectors_are_not_written() -> None:
    with pytest.raises(UsageError, match="writes vectors, and there are none"):
        write(Corpus.of([["a"]]))


@settings(max_examples=60)
@given(st.data())
def test_damaged_bytes_are_read_or_refused(data: st.DataObject) -> None:
    """Whatever byte changes, there is a clear error or vectors; nothing else happens."""
    original = data.draw(st.sampled_from([
        _npy(VECTORS), _npz(id=np.array(IDS), x=VECTORS), safetensors.written({"x": VECTORS}),
        b"3 2\n" + TEXT, _lines(),
    ]))  # fmt: skip
    damaged = bytearray(original)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place] = data.draw(st.integers(0, 255))
    damaged = damaged[: data.draw(st.integers(1, len(damaged)))]
    try:
        found = read(source_of("damaged", bytes(damaged)))
    except InputError:
        return
    assert all(np.isfinite(one).all() for one in vectors_of(found).values())
