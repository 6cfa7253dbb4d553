"""Files that are large or wrong in every line take time in proportion to their size, or less."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from finegrain.errors import TOO_MANY, Collector, InputError
from finegrain.formats import FORMATS, jsonl, matrix, read_source, stream
from finegrain.formats.source import source_of
from finegrain.formats.stream import whole_lines
from finegrain.writing import write
from tests.conftest import Run

BAD = {  # a first line, and a line that is wrong
    "clusters": (
        '{"doc_key": "a", "sentences": [["w"]], "clusters": []}\n',
        '{"doc_key": "a", "sentences": [["w"]], "clusters": []}\n',
    ),
    "jsonl": ('{"tokens": ["a"], "tags": ["O"]}\n', '{"tokens": ["a"], "tags": [3]}\n'),
    "matrix": ("item a b\n", "q 1 2\n"),
    "spans": ("A\t1\t1\t1\n", "A\t2\t1\t1\n"),
    "conll2012": ("#begin document (d); part 000\n", "d 0 0 w X * - - - - * 3))\n"),
    "corefud": (
        "# global.Entity = eid-etype-head\n1\ta\t_\tX\t_\t_\t0\troot\t_\tEntity=(e1-x-1)\n\n",
        "1\ta\t_\tX\t_\t_\t0\troot\t_\tEntity=(e2))\n\n",
    ),
    "conllu": ("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", "1\tb\t_\tX\t_\t_\t0\troot\t_\n\n"),
    "conll": ("a O\n", "b\n"),
}
every_format = pytest.mark.parametrize("name", BAD)


def problems_of(name: str, text: str, *, limit: int = 20) -> InputError:
    with pytest.raises(InputError) as caught:
        read_source(source_of("f", text.encode()), FORMATS[name], limit=limit)
    return caught.value


@every_format
def test_a_wholly_bad_file_is_not_read_to_its_end(name: str) -> None:
    first, bad = BAD[name]
    begin = time.process_time()
    error = problems_of(name, first + bad * 60_000)
    assert time.process_time() - begin < 5
    assert (len(error.problems), error.unlisted, error.stopped) == (20, TOO_MANY - 20, True)
    assert str(error).endswith(
        "... the rest of the file was not checked: there are too many problems"
    )


@every_format
def test_the_last_line_of_a_large_file_has_its_number(name: str) -> None:
    first, bad = BAD[name]
    *_, last = problems_of(name, first + bad * 500, limit=1000).problems
    assert last.line == (first + bad * 500).rstrip("\n").count("\n") + 1


def test_lines_are_counted_once() -> None:
    """Counting from the beginning for every problem would take longer than the reading."""
    text = "word O\n" * 400_000 + "word\n" * 9_000
    begin = time.process_time()
    error = problems_of("conll", text, limit=TOO_MANY)
    assert time.process_time() - begin < 2
    assert [error.problems[0].line, error.problems[-1].line] == [400_001, 409_000]
    assert not error.stopped


def test_a_collector_stops_when_there_are_too_many() -> None:
    problems = Collector("f")
    for line in range(1, TOO_MANY):
        problems.add(line, "wrong")
    with pytest.raises(InputError, match=r"and 9980 more problems in this file\n.*not checked"):
        problems.add(TOO_MANY, "wrong")


def test_check_lists_problems_and_warnings_up_to_a_number(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("Ada O\n" + "York\n" * 12_000)
    done = run("check", "bad", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.count("\n") == TOO_MANY + 1
    assert done.stderr == "10000 or more problems\n"
    (tmp_path / "ill").write_text("Ada B-PER\n\n" + "York I-LOC\n\n" * 12_000)
    done = run("check", "ill", "--scheme", "iob2", cwd=tmp_path)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[TOO_MANY - 1] == (
        "warning: ill:20001: tag 'I-LOC' is ill-formed in the scheme iob2."
    )
    assert lines[TOO_MANY] == "... and 2000 more warnings of this kind"
    assert lines[TOO_MANY + 1].endswith("scheme iob2, 12,000 ill-formed tags")


# ------------------------------------------------------------------------------- long lines


@pytest.mark.parametrize("length", [stream.BLOCK - 1, stream.BLOCK, 3 * stream.BLOCK + 1])
def test_long_lines_are_read_in_blocks(length: int, tmp_path: Path) -> None:
    path = tmp_path / "a"
    text = b"1" * length + b"\n" + b"0" * length + b"\n"
    path.write_bytes(text * 3)
    begin = time.process_time()
    assert b"".join(whole_lines(str(path))) == text * 3
    assert time.process_time() - begin < 1


def test_a_line_without_an_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1 " * (stream.LONGEST // 2 + stream.BLOCK))
    with pytest.raises(InputError, match="a: a line of more than 16 MiB"):
        matrix.read_file(str(tmp_path / "a"))


def test_a_table_of_many_systems_takes_the_memory_of_its_cells(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("\t".join("01" * 20_000) + "\n" + "\t".join("1" * 40_000) + "\n")
    corpus = matrix.read_file(str(tmp_path / "a"))
    assert (corpus.n_sentences, len(corpus.layers)) == (2, 40_000)
    first = corpus.layers["s1"].codes
    assert first.base is not None
    assert first.base.nbytes < 10_000_000


# ------------------------------------------------------------------------- spans over lines


def over_lines(n: int) -> bytes:
    """A text of n lines, with a span from every line to the end."""
    spans = [{"start": 4 * at, "end": 4 * n - 1, "label": "X"} for at in range(n)]
    return json.dumps({"text": "a b\n" * n, "spans": spans}).encode()


def test_spans_over_line_ends_take_no_memory_for_their_tokens() -> None:
    begin = time.process_time()
    corpus = jsonl.read(source_of("f", over_lines(8000)))
    assert time.process_time() - begin < 3
    assert (corpus.n_sentences, corpus.n_tokens) == (1, 16_000)
    assert corpus.notes == ("7999 line ends inside of spans: they end no sentence",)
    assert corpus.spans is not None
    assert corpus.spans.token_sets == ()
    assert corpus.spans.begin.tolist() == list(range(0, 16_000, 2))


def test_they_are_written_and_compared_without_it_too(tmp_path: Path) -> None:
    corpus = jsonl.read(source_of("f", over_lines(3000)))
    begin = time.process_time()
    write(corpus, str(tmp_path / "again.jsonl"))
    assert time.process_time() - begin < 2
