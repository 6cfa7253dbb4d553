"""0/1 tables: every layout, what is no such table, and what is wrong with one."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.formats import matrix, recognise
from finegrain.formats.source import source_of
from finegrain.formats.stream import beginning, whole_lines
from tests.conftest import Run

CELLS = [[1, 0, 1], [0, 0, 1]]
NAMED = "item\ta\tb\tc\nq1\t1\t0\t1\nq2\t0\t0\t1\n"


def _table(text: str, **options: object) -> fg.OutcomeTable:
    return fg.align(matrix.read(source_of("m.tsv", text.encode()), **options), {})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "1\t0\t1\n0\t0\t1\n",
        "1,0,1\n0,0,1\n",
        "1 0 1\n0 0 1\n",
        "1  0 1\n 0 0 1 \n",
        "1\t0\t1\r\n0\t0\t1\r\n",
        "1\t0\t1\n0\t0\t1",
        "\ufeff1\t0\t1\n0\t0\t1\n",
        "a\tb\tc\n1\t0\t1\n0\t0\t1\n",
        NAMED,
        NAMED.replace("item\t", ""),  # as R writes it
        NAMED.replace("\t", ","),
        NAMED.replace("\t", "  "),
        NAMED.replace("q1", "é1"),
        "q1\t1\t0\t1\nq2\t0\t0\t1\n",
        "id\ta\tb\tc\n0\t1\t0\t1\n1\t0\t0\t1\n",
    ],
)
def test_layouts(text: str) -> None:
    table = _table(text)
    assert table.task.name == "items"
    assert table.outcome.tolist() == CELLS
    assert table.systems == (("a", "b", "c") if "a" in text else ("s1", "s2", "s3"))
    assert recognise(source_of("m.tsv", text.encode())).name == "matrix"


def test_names_of_units_and_lines() -> None:
    table = _table(NAMED)
    assert [table.text(row) for row in range(2)] == ["q1", "q2"]
    assert [table.corpus.line(row) for row in range(2)] == [2, 3]
    assert _table("q1\t1\t0\nq2\t0\t0\n").corpus.line(1) == 2


def test_numbers_of_runs_may_name_systems() -> None:
    assert _table("13 42 87\n1 0 1\n").systems == ("13", "42", "87")


def test_names_of_systems_can_be_given() -> None:
    assert _table("1 0\n", names=["x", "y"]).systems == ("x", "y")
    assert _table("x y\n1 0\n", names=["x", "y"]).systems == ("x", "y")
    with pytest.raises(fg.InputError, match="the header names the systems x, y"):
        _table("x y\n1 0\n", names=["y", "x"])
    with pytest.raises(fg.InputError, match=r"m\.tsv:1: 1 names for 2 systems"):
        _table("1 0\n", names=["x"])


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("1\t0\n1\t2\n", 2, "cell 2 is '2'"),
        ("1\t0\n1\n", 2, "expected 2 cells, found 1"),
        ("1\t0\n\n1\t1\n", 2, "a blank line"),
        ("1\t0\n1\t1\t1\n", 2, "expected 2 cells, found 3"),
        ("1\t0\n1\t01\n", 2, "cell 2 is '01'"),
        ("1\t0\n1\t\n", 2, "cell 2 is ''"),
        ("1\t0\n1,0\n", 2, "expected 2 cells, found 1"),
        ("1\t0\n0\t1\n1\t0\n9\t1\n", 4, "cell 1 is '9'"),
        ("item\ta\tb\nq\t1\t0\nq\t1\tyes\n", 3, "cell 3 is 'yes'"),
        ("item\ta\tb\nq\t1\t0\nq\tr\t1\t0\n", 3, "expected 3 cells, found 4"),
        ("item\ta\ta\nq\t1\t0\n", 1, "two systems are called 'a'"),
        ("item\ta\t\nq\t1\t0\n", 1, "a system without a name"),
        ("item\ta\ta\u200d\nq\t1\t0\n", 1, "two systems look the same: 'a' and 'a\\u200d'"),
        ("a\tb\tc\td\n1\t0\n", 1, "the header names 4 systems, the lines below have 2"),
        ("a\tb\n", 1, "no line of 0 and 1"),
        # a headerless table whose first unit has a wrong cell: not the names of systems
        ("1\t2\n1\t0\n", 1, "systems called by a number, or a unit with a cell"),
        ("q1\t1\t0.5\nq2\t1\t0\n", 1, "systems called by a number, or a unit"),
        ("2\n1\n0\n", 1, "systems called by a number, or a unit"),
        ("\n1\t0\n", 1, "a blank line"),
    ],
)
def test_what_is_wrong(text: str, line: int, what: str) -> None:
    with pytest.raises(fg.InputError) as caught:
        _table(text)
    first = caught.value.problems[0]
    assert (first.line, what in first.what) == (line, True), str(first)


def test_line_ends() -> None:
    for ends in (b"\n", b"\r\n", b"\r", b"\r\r\n"):
        data = b"a b\n1 0\n0 1\n".replace(b"\n", ends)
        corpus = matrix.read(source_of("f", data))
        assert [list(column) for column in corpus.layers.values()] == [["1", "0"], ["0", "1"]]
    with pytest.raises(fg.InputError, match=r"f:2: a carriage return \(CR\) inside of a line"):
        matrix.read(source_of("f", b"a b\n1 0\r0 1\n1 1\n"))


def test_names_of_units_hold_no_blanks() -> None:
    text = b"a b\nx 1 0\ny\tz 1 0\nv 1 1\n"  # four cells where there are three
    with pytest.raises(fg.InputError, match="f:3: expected 3 cells, found 4"):
        matrix.read(source_of("f", text))
    with pytest.raises(fg.InputError, match="f:3: expected 3 cells, found 2"):
        matrix.read(source_of("f", b"a b\nx 1 0\n 1 0\n"))
    no_break = "x\u00a0y 1 0\nz 1 1\n"  # not a blank
    assert matrix.read(source_of("f", no_break.encode())).sentence(0) == ["x\u00a0y"]


def test_the_layout_does_not_depend_on_blocks(tmp_path: Path) -> None:
    path = tmp_path / "m.dat"
    path.write_bytes(b"a b\nx 0\n1 1\n1 1")  # x is a mistake: it is not half of the column
    for read in (lambda: matrix.read_file(str(path)), lambda: fg.read(str(path), format="matrix")):
        with pytest.raises(fg.InputError, match=":2: cell 1 is 'x'"):
            read()


def test_all_problems_are_told() -> None:
    with pytest.raises(fg.InputError) as caught:
        _table("1 0\n" + "x 0\n" * 10 + "1 1\n" * 30, limit=3)
    assert [problem.line for problem in caught.value.problems] == [2, 3, 4]
    assert caught.value.unlisted == 7


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "m.tsv"
    path.write_bytes(b"q1\t1\t0\nq\xff\t0\t1\n")
    with pytest.raises(fg.InputError, match=r":2: not UTF-8: byte 0xff"):
        matrix.read_file(str(path))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the 1\ncat 0\n", "conll"),  # one column of numbers behind words: tags
        ("the 1 0\nthe 0 0\n", "conll"),  # a word twice
        ("the 1 0\n\ncat 0 0\n", "conll"),  # sentences
        ("token gold answer\na 1 0\nb 0 1\n", "conll"),
        ("a 1 0\nb 0 2\n", "conll"),
        ("PER\t1\t1\nLOC\t1\t1\n", "spans"),  # first and last token, from 1
        ("1\tthe\t_\t0\t1\t0\t1\t0\t1\t0\n", "conllu"),
    ],
)
def test_other_formats_are_left_alone(text: str, name: str) -> None:
    assert recognise(source_of("x", text.encode())).name == name


@given(
    st.integers(1, 12).flatmap(
        lambda systems: st.lists(
            st.lists(st.integers(0, 1), min_size=systems, max_size=systems), min_size=1, max_size=30
        )
    ),
    st.sampled_from(["\t", ",", " "]),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_reading_gives_what_stands_there(cells: list[list[int]], sep: str, named: bool) -> None:
    rows = [[*([f"u{at}"] if named else []), *map(str, row)] for at, row in enumerate(cells)]
    text = "".join(sep.join(row) + "\n" for row in rows)
    table = _table(text)
    assert table.outcome.tolist() == cells
    written = matrix.write(table.corpus)
    assert _table(written).outcome.tolist() == cells


def test_large_files_are_read_in_blocks(tmp_path: Path) -> None:
    cells = np.random.default_rng(0).integers(0, 2, (200_000, 7))
    lines = "".join("\t".join(map(str, row)) + "\n" for row in cells.tolist())
    plain, packed = tmp_path / "m.tsv", tmp_path / "m.tsv.gz"
    plain.write_text(lines)
    packed.write_bytes(gzip.compress(lines.encode(), compresslevel=1))
    for path in (plain, packed):
        table = fg.align(matrix.read_file(str(path)), {})
        assert (table.outcome == cells).all()
        assert table.outcome is not None
        assert np.shares_memory(table.outcome, table.corpus.layers["s1"].codes)
    plain.write_text(lines + "1\t0\t2\t0\t0\t0\t0\n")
    with pytest.raises(fg.InputError, match=r":200001: cell 3 is '2'"):
        matrix.read_file(str(plain))


def test_whole_lines_of_any_length(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a\nbbbbbbbbbb\n\ncc\nd")
    for size in range(1, 20):
        blocks = list(whole_lines(str(path), size=size))
        assert all(block.endswith(b"\n") for block in blocks)
        assert b"".join(blocks) == b"a\nbbbbbbbbbb\n\ncc\nd\n"


def test_a_last_line_without_newline_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "m.tsv"
    path.write_bytes(b"crf\tneural\n1\t0")
    start = beginning(str(path))
    assert start is not None
    assert matrix.looks_like(start)


def test_a_beginning_is_no_complaint(tmp_path: Path) -> None:
    assert beginning(str(tmp_path)) is None
    assert beginning(str(tmp_path / "none")) is None
    (tmp_path / "empty").write_bytes(b"")
    assert beginning(str(tmp_path / "empty")) is None


def test_damaged_archives(tmp_path: Path) -> None:
    path = tmp_path / "m.tsv.gz"
    path.write_bytes(gzip.compress(b"1\t0\n" * 99)[:20])
    with pytest.raises(fg.InputError, match="damaged gzip file"):
        matrix.read_file(str(path))
    with pytest.raises(fg.InputError, match="no such file"):
        matrix.read_file(str(tmp_path / "none"))


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf", b"", gzip.compress(b"\xef\xbb\xbf", mtime=0)])
def test_a_table_of_nothing_is_an_empty_file(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(data)
    with pytest.raises(fg.InputError, match="m: the file is empty"):
        matrix.read_file(str(tmp_path / "m"))


@pytest.mark.parametrize("text", ["\u0085" * 50, "\ufeff\n1 0\n", "\u0085\n1 0\n"])
def test_a_table_whose_first_line_is_blank(text: str, tmp_path: Path) -> None:
    (tmp_path / "m").write_text(text, encoding="utf-8")
    with pytest.raises(fg.InputError, match="m:1: a blank line"):
        matrix.read_file(str(tmp_path / "m"))


def test_from_matrix_refuses() -> None:
    for cells, what in (
        ([[1, 2]], "0 and 1 only"),
        ([[1], [1, 0]], "different lengths"),
        ([1, 0], "two dimensions"),
    ):
        with pytest.raises(fg.UsageError, match=what):
            fg.from_matrix(cells)
    with pytest.raises(fg.UsageError, match="different names"):
        fg.from_matrix([[1, 0]], systems=["a", "a"])
    with pytest.raises(fg.UsageError, match="1 names for 2 units"):
        fg.from_matrix([[1], [0]], units=["a"])


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "m.tsv").write_text(NAMED + "=q3\t1\t1\t1\n")
    return "m.tsv"


def test_commands_take_a_table(run: Run, file: str) -> None:
    for command in ("score", "difficulty", "oracle", "show", "check"):
        done = run(command, file)
        assert done.returncode == 0, done.stderr
    shown = run("show", file, "--where", "systems_correct=1").stdout
    assert shown.startswith("1 unit where systems_correct=1\n\nq2 ")
    for command in ("errors", "confusion"):
        done = run(command, file)
        assert done.returncode == 2
        assert "no kinds of errors" in done.stderr


def test_annotated_lines_are_the_given_ones(run: Run, file: str, tmp_path: Path) -> None:
    assert run("difficulty", file, "--annotate", "out.tsv").returncode == 0
    lines = (tmp_path / "out.tsv").read_text().splitlines()
    assert lines == ["item\ta\tb\tc\tbin", "q1\t1\t0\t1\t2", "q2\t0\t0\t1\t1", "=q3\t1\t1\t1\t3"]
    (tmp_path / "plain.csv").write_bytes(b"1,0\r\n1,1")
    assert run("difficulty", "plain.csv", "--annotate", "out.csv.gz").returncode == 0
    assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()) == b"1,0,1\r\n1,1,2\n"
    done = run("difficulty", "-", "--annotate", "out.tsv", stdin="1 0\n0 1\n")
    assert done.returncode == 2
    assert (tmp_path / "out.tsv").read_text().splitlines() == lines


def test_annotated_units_of_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("=Ada B-PER\nmet O\nBo B-PER\n")
    (tmp_path / "a").write_text("=Ada B-PER\nmet B-PER\nBo O\n")
    (tmp_path / "b").write_text("=Ada B-PER\nmet O\nBo B-PER\n")
    assert run("difficulty", "gold", "a", "b", "--annotate", "out.tsv").returncode == 0
    assert (tmp_path / "out.tsv").read_text() == (
        "sentence\ttext\tlabel\ta\tb\tbin\n1\t'=Ada\tPER\t1\t1\t2\n1\tBo\tPER\t0\t1\t1\n"
    )
    assert run("difficulty", "gold", "a", "b", "--level", "token").returncode == 0


def test_wrong_use(run: Run, file: str) -> None:
    for arguments, what in (
        ([file, file], "give it alone"),
        ([file, "--names", "a,b"], "2 names for 3 systems"),
        ([file, "--scheme", "iob2"], "--scheme does not apply"),
        ([file, "--level", "token"], "--level does not apply"),
        ([file, "--task", "tags"], "no task 'tags'"),
        ([file, "--names", "a,b,c", "--input", "conll"], "--names is for a 0/1 table"),
    ):
        done = run("difficulty", *arguments)
        assert done.returncode in (2, 3)
        assert what in done.stderr


def test_standard_input(run: Run) -> None:
    done = run("difficulty", "-", "--names", "a,b", stdin="1 0\n0 0\n")
    assert done.returncode == 0, done.stderr
    assert "a " in done.stdout
