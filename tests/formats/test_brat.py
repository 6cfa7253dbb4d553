"""Standoff annotation: pairs of files, folders of them, and a line number for every fault."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from finegrain.corpus import Corpus
from finegrain.errors import InputError, UsageError
from finegrain.formats import brat, read, recognise
from finegrain.formats.source import open_source
from tests.formats.test_jsonl import rows

TEXT = "I met Ada Lovelace.\nShe slept, and dreamt.\n"
#       0123456789         20


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    (tmp_path / "d.txt").write_text(TEXT)
    (tmp_path / "d.ann").write_text("T1\tPER 6 18\tAda Lovelace\n")
    return tmp_path / "d.txt"


def message(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read(str(path))
    return str(caught.value).replace(str(path.parent), "")


def test_a_pair_is_read_by_either_name(pair: Path) -> None:
    for path in (pair, pair.with_suffix(".ann")):
        corpus = read(str(path))
        assert corpus.format == "brat"
        assert corpus.sentence(1) == ["She", "slept,", "and", "dreamt."]
        assert rows(corpus) == [(0, (2, 3), "PER", 0, 1)]  # without the full stop
        assert corpus.line(4) == 2
        assert (corpus.documents, corpus.document_ids) == (None, None)


def test_a_span_may_have_gaps_and_cross_lines(pair: Path) -> None:
    # "I" and "She", across the line end; "Ada" and "dreamt" likewise, without the full stop
    pair.with_suffix(".ann").write_text("T1\tX 0 1;20 23\tI She\nT2\tY 6 9;35 41\tAda dreamt\n")
    corpus = read(str(pair))
    assert corpus.n_sentences == 1
    assert rows(corpus) == [(0, (0, 4), "X", 0, 0), (0, (2, 7), "Y", 0, 1)]
    assert corpus.notes == ("1 line ends inside of spans: they end no sentence",)


def test_inner_ends_of_gaps_are_widened_to_words_and_counted(pair: Path) -> None:
    # "slept" of "slept," is an inner end inside of a word
    pair.with_suffix(".ann").write_text("T1\tX 24 29;35 42\tslept dreamt.\n")
    corpus = read(str(pair))
    assert rows(corpus) == [(1, (1, 3), "X", 0, 0)]
    assert corpus.notes == ("1 inner ends of spans with gaps widened to whole words",)


def test_parts_that_touch_are_no_gap(pair: Path) -> None:
    pair.with_suffix(".ann").write_text("T1\tPER 6 9;10 18\tAda Lovelace\n")
    assert rows(read(str(pair))) == [(0, (2, 3), "PER", 0, 1)]


def test_a_line_end_in_a_span_is_a_space_in_its_text(pair: Path) -> None:
    pair.with_suffix(".ann").write_text("T1\tX 10 23\tLovelace. She\n")
    assert rows(read(str(pair))) == [(0, (3, 4), "X", 0, 0)]


def test_offsets_count_carriage_returns_and_byte_order_marks(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_bytes(b"\xef\xbb\xbfa b\r\nc\r\n")  # mark, a, space, b, CR, LF, c
    (tmp_path / "d.ann").write_bytes(b"T1\tX 6 7\tc\r\n")
    corpus = read(str(tmp_path / "d.txt"))
    assert corpus.tokens.slice(0, 3) == ["a", "b", "c"]
    assert rows(corpus) == [(1, (0,), "X", 0, 0)]


def test_other_annotation_is_counted(pair: Path) -> None:
    lines = (
        "T1\tX 0 1\tI\nE1\tX:T1\nR1\tr Arg1:T1 Arg2:T1\nA1\tNeg T1\n#1\tNote T1\thm\n*\tEq T1 T1\n"
    )
    pair.with_suffix(".ann").write_text(lines)
    assert read(str(pair)).notes == ("5 annotations that are not spans passed over",)


def test_a_folder_is_documents_by_name(pair: Path) -> None:
    folder = pair.parent
    (folder / "sub").mkdir()
    (folder / "sub" / "c.v1.txt").write_text("x\n")
    (folder / "sub" / "c.v1.ann").write_text("")
    (folder / "readme.md").write_text("not a document\n")
    (folder / ".hidden.ann").write_text("not a document\n")
    corpus = read(str(folder))
    assert corpus.document_ids == ("d", "sub/c.v1")
    assert corpus.documents.tolist() == [0, 0, 1]
    assert read(str(folder) + "/").document_ids == ("d", "sub/c.v1")


def test_a_text_file_alone_is_not_brat(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("a O\n")
    assert recognise(open_source(str(tmp_path / "d.txt"))).name == "conll"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("T1 PER 6 9 Ada", "no annotation that brat knows."),
        ("T1\tPER 6 9", "no annotation that brat knows."),
        ("T1\tPER 6 x\tAda", "no annotation that brat knows."),
        ("T1\tPER 9 6\tAda", "a span ends (6) where or before it begins (9)."),
        ("T1\tPER 6 99\tAda", "a span ends at 99, but the text has 43 characters."),
        (f"T1\tPER 6 {'9' * 9999}\tAda", "a span ends at 9999999999999999999, but the text"),
        ("T1\tPER 6 10\tAdam", "T1 says 'Adam', but the text is 'Ada '."),
        ("T1\tPER 9 10\t ", "nothing but white space from 9 to 10."),
        ("T1\tPER 6 9;8 10\tAda a", "parts of T1 overlap."),
        ("T0\tPER 6 9\tAda", "the second T0."),
        ("what is this", "no annotation that brat knows."),
    ],
)
def test_faults_have_their_file_and_line(line: str, expected: str, pair: Path) -> None:
    pair.with_suffix(".ann").write_text(f"T0\tX 0 1\tI\n\n{line}\nT9\tX 0 1\tI\n")
    assert message(pair).startswith(f"/d.ann:3: {expected}")
    assert read_folder_message(pair).startswith(f"/d.ann:3: {expected}")


def read_folder_message(pair: Path) -> str:
    with pytest.raises(InputError) as caught:
        read(str(pair.parent))
    return str(caught.value).replace(str(pair.parent), "")


def test_a_missing_half_is_told(pair: Path) -> None:
    (pair.parent / "e.txt").write_text("x\n")
    assert read_folder_message(pair).startswith("/e.txt: there is no .ann file beside it.")
    (pair.parent / "e.txt").rename(pair.parent / "e.ann")
    assert read_folder_message(pair).startswith("/e.ann: there is no .txt file beside it.")
    (pair.parent / "x.txt").write_text("x\n")
    with pytest.raises(InputError, match=r"x\.ann: no such file"):
        read(str(pair.parent / "x.txt"), format="brat")


def test_a_half_that_is_not_utf8_is_told(pair: Path) -> None:
    pair.with_suffix(".ann").write_bytes(b"T1\tX 0 1\tI\n#1\t\xff\n")
    assert message(pair).startswith("/d.ann:2: not UTF-8: byte 0xff at byte offset 14.")


def test_a_folder_without_text_or_documents_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("\n")
    (tmp_path / "d.ann").write_text("")
    assert message(tmp_path).endswith("there is no text.")
    (tmp_path / "d.txt").unlink()
    (tmp_path / "d.ann").unlink()
    with pytest.raises(InputError, match=r"no \.txt and \.ann files in this folder"):
        read(str(tmp_path), format="brat")


@pytest.mark.parametrize("name", ["../d", "/d", "a/../d", ".d", "a//d", "a\\d", "a\0", "a\n", "d/"])
def test_ids_that_lead_elsewhere_are_no_file_names(name: str, pair: Path) -> None:
    corpus = replace(read(str(pair.parent)), document_ids=(name,))
    with pytest.raises(UsageError, match="cannot be the name of a file"):
        brat.files(corpus)


def test_what_brat_cannot_hold_is_refused(pair: Path) -> None:
    with pytest.raises(UsageError, match="no spans"):
        brat.files(Corpus.of([["a"]], tags=[["O"]]))
    spans = read(str(pair)).spans
    with pytest.raises(UsageError, match="label 'a b'"):
        brat.files(replace(read(str(pair)), spans=replace(spans, labels=("a b",))))
