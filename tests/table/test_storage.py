"""A saved table comes back as it was, and a file that is not one is refused with a reason."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.corpus import Clusters, Coded, Spans, Texts
from finegrain.corpus.texts import PADDING
from finegrain.errors import FinegrainError, InputError, MissingExtra, UsageError
from finegrain.formats import cluster_lines, conllu
from finegrain.formats.source import source_of
from finegrain.table import storage
from finegrain.table.outcomes import Outcomes
from finegrain.table.packing import pack, unpack
from finegrain.tasks.spans import SPANS
from finegrain.tasks.tags import TAGS
from tests.table.corpora import TABLES, same

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

TEXT = [["in", "New", "York", "City"], [], ["Ada"]]


def small() -> fg.OutcomeTable:
    """Four units: New York (crf), New York City (gold), Ada as LOC (crf), Ada as PER (gold)."""
    gold = fg.Corpus.of(TEXT, tags=[["O", "B-LOC", "I-LOC", "I-LOC"], [], ["B-PER"]])
    crf = fg.Corpus.of(TEXT, tags=[["O", "B-LOC", "I-LOC", "O"], [], ["B-LOC"]])
    return fg.align(gold, {"crf": crf})


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "table.parquet"
    small().save(str(path))
    return path


@settings(max_examples=60, deadline=None)
@given(table=TABLES)
def test_a_saved_table_comes_back_equal_and_with_equal_scores(
    table: fg.OutcomeTable, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = str(tmp_path_factory.getbasetemp() / "any.parquet")
    table.save(path)
    again = fg.load(path)
    assert same(again, table)
    assert again.notes == table.notes
    assert repr(fg.score(again).to_json()) == repr(fg.score(table).to_json())  # nan is not nan
    assert (
        fg.error_types(again, examples=1).to_json() == fg.error_types(table, examples=1).to_json()
    )


def test_everything_is_there_without_the_files(tmp_path: Path) -> None:
    simulated = fg.simulate(tokens=1_000, seed=1)
    table = fg.align(simulated.gold, simulated.systems)
    path = str(tmp_path / "table.parquet")
    table.save(path)
    again = fg.OutcomeTable.load(path)
    assert same(again, table)
    assert list(again.corpus.layers) == list(simulated.gold.layers)
    assert again.corpus.n_documents == simulated.gold.n_documents
    assert (again.settings, again.repairs) == (table.settings, table.repairs)


def test_line_numbers_survive(tmp_path: Path) -> None:
    (tmp_path / "gold.tsv").write_text("New\tB-LOC\n\n\nAda\tB-PER\n")
    gold = fg.read(str(tmp_path / "gold.tsv"))
    fg.align(gold, {"a": gold}).save(str(tmp_path / "t.parquet"))
    assert fg.load(str(tmp_path / "t.parquet")).corpus.line(1) == 4


def test_real_spans_and_real_tags(shared: Path, tmp_path: Path) -> None:
    """Nested spans without text (news), and spans and tags on tweets, from two systems."""
    news = shared / "data" / "spans-faireval" / "ner_spans"
    tweets = shared / "data" / "ner" / "wnut16"
    systems = {path.stem: fg.read(str(path)) for path in sorted(tweets.glob("system-*.txt.gz"))}
    gold = fg.read(str(tweets / "test.txt.gz"))
    tables = [
        fg.align(fg.read(str(news / "target.csv")), {"s": fg.read(str(news / "system.csv"))}),
        fg.align(gold, systems),
        fg.align(gold, systems, task="tags"),
    ]
    for table in tables:
        table.save(str(tmp_path / "t.parquet"))
        again = fg.load(str(tmp_path / "t.parquet"))
        assert same(again, table)
        assert fg.score(again).to_json() == fg.score(table).to_json()


@pytest.mark.parametrize(
    "values",
    [
        np.array([1.5, np.nan, 3, 0], np.float32), np.array([True, False, True, True]),
        np.array([1, 2, 3, 4], np.uint16), np.array(["a", "é", "", "b"]),
        np.array(["a", None, "x" * 99, ""], object),
    ],
    ids=["float", "bool", "int", "str", "object"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["length", "begin", "outcome_crf", "", "a\nb"])
def test_added_columns_survive_under_any_name(
    name: str, values: np.ndarray[Any, Any], tmp_path: Path
) -> None:
    table = small().with_column(name, values)
    table.save(str(tmp_path / "t.parquet"))
    again = fg.load(str(tmp_path / "t.parquet")).columns[name]
    assert again.dtype == values.dtype
    assert repr(again.tolist()) == repr(values.tolist())


def test_a_selection_is_saved_too(tmp_path: Path) -> None:
    table = small()
    chosen = table.where(table.sentence == 2)
    chosen.save(str(tmp_path / "t.parquet"))
    assert same(fg.load(str(tmp_path / "t.parquet")), chosen)


def test_what_is_no_number_or_string_is_refused(tmp_path: Path) -> None:
    table = small().with_column("when", np.array([{1}, {2}, {3}, {4}], object))
    with pytest.raises(UsageError, match="when"):
        table.save(str(tmp_path / "t.parquet"))
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_what_was_there(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def fails(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", fails)
    with pytest.raises(FinegrainError, match=r"cannot be written \(No space left"):
        small().save(str(saved))
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


def test_saving_twice_gives_the_same_bytes(saved: Path) -> None:
    before = saved.read_bytes()
    small().save(str(saved))
    assert saved.read_bytes() == before


def test_without_pyarrow_the_error_says_what_to_install(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'finegrain\[parquet\]'"):
        fg.load(str(saved))
    with pytest.raises(MissingExtra):
        small().to_arrow()


def _refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        fg.load(str(path))
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


def test_other_parquet_files_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    message = _refused(tmp_path / "other.parquet")
    assert message.startswith("a Parquet file, but not a table of finegrain")
    assert "finegrain align GOLD SYSTEM... -o" in message


def test_a_rewritten_file_is_refused(saved: Path) -> None:
    pq.write_table(pq.read_table(saved), saved)  # keeps the footer, loses the block
    assert "was rewritten by another program" in _refused(saved)


def test_text_files_folders_and_missing_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("New B-LOC\n")
    assert "not a saved table" in _refused(tmp_path / "a.conll")
    assert "directory" in _refused(tmp_path)
    assert "no such file" in _refused(tmp_path / "b")


def _with_footer(path: Path, **changes: Any) -> None:
    """Write the file's block again under a changed footer."""
    described = json.loads(pq.read_metadata(path).metadata[b"finegrain"])
    block = path.read_bytes()[4 : 4 + described["block"]["size"]]
    schema = pa.schema({"unit": pa.int32()}, {b"finegrain": json.dumps(described | changes)})
    with pa.OSFile(str(path), "wb") as sink, pq.ParquetWriter(sink, schema):
        sink.write(block)


def test_an_unknown_schema_is_refused(saved: Path) -> None:
    _with_footer(saved)
    assert same(fg.load(str(saved)), small())  # the footer alone matters
    _with_footer(saved, schema=99)
    message = _refused(saved)
    assert "the table has schema 99" in message
    assert "newer" in message


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": "x"}, {"schema": None}, {"block": 7}, {"block": {}},
        {"block": {"at": -4, "size": 9, "sha256": ""}},
        {"block": {"at": 4, "size": 10**30, "sha256": ""}},
    ],
)  # fmt: skip
def test_a_footer_that_makes_no_sense_is_refused(saved: Path, changes: dict[str, Any]) -> None:
    _with_footer(saved, **changes)
    assert "damaged" in _refused(saved)


def test_truncated_files_are_refused(saved: Path) -> None:
    whole = saved.read_bytes()
    for size in (4, 8, 11, 100, len(whole) // 2, len(whole) - 1):
        saved.write_bytes(whole[:size])
        assert "damaged or incomplete" in _refused(saved)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_refused_or_right(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.parquet"
    small().save(str(path))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        again = fg.load(str(path))
    except InputError:
        return
    assert same(again, small())


@pytest.mark.parametrize(
    "changes",
    [
        {"label": np.array([0, 0, 1, 2])},
        {"label": np.array([0, 0])},
        {"outcome": np.full((4, 1), 77, np.uint8)},
        {"outcome": np.zeros((4, 2), np.uint8)},
        {"answer": np.full((4, 1), 4, np.int32)},
        {"answer": np.full((4, 1), -2, np.int32)},
        {"sentence": np.array([0, 0, 2, 3])},
        {"token_set": np.array([0, 0, 0, 1])},
        {"begin": np.array([0, 0, 0, -1])},
        {"corpus": "none"},
        {"labels": 7},
        {"labels": ("LOC", 7)},
        {"labels": ("LOC", "LOC")},
        {"systems": ("crf", "crf")},
        {"systems": (None,)},
        {"task": 7},
        {"task": "nothing"},
        {"task": TAGS},  # its outcomes are others
        {"task": dataclasses.replace(SPANS, name="tags")},
        {"task": dataclasses.replace(SPANS, outcomes=TAGS.outcomes)},
        {"task": dataclasses.replace(SPANS, outcomes=Outcomes(()))},
        {"task": dataclasses.replace(SPANS, outcomes=Outcomes(SPANS.outcomes.every[1:8]))},
        {"task": dataclasses.replace(SPANS, outcomes=Outcomes(SPANS.outcomes.every[:1] * 10))},
        {"task": dataclasses.replace(SPANS, answers="rows")},
        {"task": dataclasses.replace(SPANS, words=7)},
        {"settings": {"policy": 7}},
        {"settings": {7: "policy"}},
        {"settings": ("policy",)},
        {"notes": "a note"},
        {"notes": (1,)},
        {"repairs": {"crf": "1"}},
        {"repairs": {"other": 1}},
        {"repairs": {"crf": -1}},
        {"gold_repairs": True},
        {"is_gold": np.array([0, 1, 0, 1])},
        {"begin": np.array([0.0, 0, 0, 0])},
        {"begin": np.array([4, 4, 0, 0])},  # behind the end
        {"end": np.array([9, 9, 9, 9])},  # beyond the sentence
        {"token_sets": (("a",),)},
        {"token_sets": ((1, 7),), "token_set": np.array([1, 0, 0, 0])},
        {"columns": {"x": np.arange(3)}},
        {"columns": {"begin_cut": np.zeros(4, np.int32)}},
        {"columns": {7: np.arange(4)}},
        {"details": {"x": np.zeros((4, 2))}},
    ],
    ids=str,
)
def test_a_forged_table_is_refused(changes: dict[str, Any], tmp_path: Path) -> None:
    """Everything fits its checksum, but types are wrong, or codes stand for nothing."""
    assert "cannot be restored" in _refused(_forged(tmp_path, **changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"documents": np.array([0, 0, 7])},
        {"documents": np.array([0, -1, 0])},
        {"documents": np.array([0, 0])},
        {"documents": np.array([[0, 0, 0]])},
        {"documents": (0, 0, 0)},
        {"documents": np.array([0, 0, 1]), "document_ids": ("a",)},
        {"documents": np.array([0, 0, 0]), "document_ids": (1,)},
        {"source": 7},
        {"format": None},
        {"notes": (None,)},
        {"running_text": 1},
        {"offsets": np.array([0, 4, 3, 5])},
        {"offsets": np.array([1, 4, 4, 5])},
        {"offsets": np.array([0, 4, 4, 6])},
        {"offsets": np.array([], np.int64)},
        {"tokens": "text"},
        {"tokens": Texts(bytearray(5 + PADDING), np.arange(5), np.full(5, 99))},
        {"tokens": Texts(bytearray(5 + PADDING), np.arange(5), np.array([1, 1, 1, 1, 2]))},
        {"tokens": Texts(bytearray(5 + PADDING), np.arange(-1, 4), np.zeros(5, np.int32))},
        {
            "tokens": Texts(
                bytearray(b"\xff" * 5 + bytes(PADDING)), np.arange(5), np.ones(5, np.int32)
            )
        },
        {
            "tokens": Texts(
                bytearray("éé".encode() + bytes(1 + PADDING)), np.arange(5), np.ones(5, np.int32)
            )
        },
        {"layers": {"tags": Coded(np.array([0, 1, 2, 3, 9]), ("O",))}},
        {"layers": {"tags": Coded(np.array([0]), ("O",))}},
        {"layers": {"tags": Coded(np.zeros(5, np.int64), (7,))}},
        {"layers": {"tags": ("O",) * 5}},
        {"spans": Spans.of([(7, 0, 1, "X")])},
        {"spans": Spans.of([(0, 0, 9, "X")])},
        {
            "clusters": dataclasses.replace(
                Clusters.of([], documents=[0, 0, 0]), chain=np.array([3])
            )
        },
    ],
    ids=",".join,
)
def test_a_forged_gold_text_is_refused(changes: dict[str, Any], tmp_path: Path) -> None:
    corpus = dataclasses.replace(small().corpus, **changes)
    assert "cannot be restored" in _refused(_forged(tmp_path, corpus=corpus))


@pytest.mark.parametrize("name", ["chain", "chain of a"])
@pytest.mark.parametrize("values", [None, [0, 9], [0, -2], [0.5, 1], ["a", "b"]], ids=str)
def test_forged_chains_are_refused(name: str, values: list[Any] | None, tmp_path: Path) -> None:
    line = b'{"sentences": [["Ada", "and", "she"]], "clusters": [[[0, 0], [2, 2]]]}'
    gold = cluster_lines.read(source_of("f", line))
    table = fg.align(gold, {"a": gold}, task="coreference")
    columns = {key: column for key, column in table.columns.items() if key != name}
    if values is not None:
        columns[name] = np.array(values)
    path = _forged(tmp_path, dataclasses.replace(table, columns=columns))
    assert f"{name} " in _refused(path)


def test_forged_trees_are_refused(tmp_path: Path) -> None:
    lines = b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    gold = conllu.read(source_of("f", lines))
    table = fg.align(gold, {"a": gold}, task="dependencies")
    corpus = dataclasses.replace(table.corpus, layers={}, further=None)
    path = _forged(tmp_path, dataclasses.replace(table, corpus=corpus))
    assert "the layer head is not there" in _refused(path)


def _forged(folder: Path, table: fg.OutcomeTable | None = None, **changes: Any) -> Path:
    table = table or small()
    forged = pack(dataclasses.replace(table, **changes))
    described = json.dumps(storage._description(table, forged))
    schema = pa.schema({"unit": pa.int32()}, {b"finegrain": described})
    with pa.OSFile(str(folder / "t"), "wb") as sink, pq.ParquetWriter(sink, schema):
        sink.write(forged)
    return folder / "t"


@pytest.mark.skipif(sys.platform != "linux", reason="names there are UTF-8")
def test_a_name_that_is_not_utf8_is_a_name(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/t\xff.parquet")
    gold = fg.Corpus.of(TEXT, source="g\udcff", tags=[["O"] * 4, [], ["B-PER"]])
    table = fg.align(gold, {"s\udcfe": gold})
    table.save(path)
    again = fg.load(path)
    assert (again.systems, again.corpus.source) == (("s\udcfe",), "g\udcff")


def test_only_known_classes_are_packed() -> None:
    with pytest.raises(UsageError, match="a set cannot be saved"):
        pack({1, 2})
    block = pack((1, None, "x", 0.5, {"a": (True,)}))
    assert unpack(block) == (1, None, "x", 0.5, {"a": (True,)})
