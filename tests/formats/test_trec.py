"""TREC judgements and runs: as files people have them, and what is wrong with others."""

from __future__ import annotations

import gzip

import pytest

import finegrain as fg
from finegrain.errors import InputError
from finegrain.formats import FORMATS, recognise
from finegrain.formats.source import source_of
from finegrain.formats.trec import looks_like, read, write


def _documents(data: bytes, column: str) -> list[tuple[str, str, float]]:
    corpus = read(source_of("file", data))
    rows, ids = corpus.parts["documents"], corpus.fields["id"]
    return [
        (ids[parent], rows.fields["id"][at], float(rows.fields[column][at]))
        for at, parent in enumerate(rows.parent.tolist())
    ]


def test_blanks_and_tabs_separate_fields_also_several() -> None:
    data = b"301\tQ0\tFR-1\t104\t  2.129133\tSTANDARD\n 301 Q0  FR-2 1 -1e-3 STANDARD \n"
    assert _documents(data, "score") == [("301", "FR-1", 2.129133), ("301", "FR-2", -0.001)]


def test_what_stands_behind_the_tag_is_ignored() -> None:
    assert _documents(b"1 Q0 d 1 0.5 tag and more\n1 Q0 e 2 0.4 tag\n", "score") == [
        ("1", "d", 0.5), ("1", "e", 0.4),
    ]  # fmt: skip


def test_queries_that_alternate_are_put_together_with_their_lines() -> None:
    corpus = read(source_of("file", b"b 0 d1 1\na 0 d2 -2\nb 0 d3 +3\n\n\n"))
    rows = corpus.parts["documents"]
    assert list(corpus.fields["id"]) == ["b", "a"]
    assert rows.parent.tolist() == [0, 0, 1]
    assert rows.fields["grade"].tolist() == [1, 3, -2]
    assert rows.fields["@line"].tolist() == [1, 3, 2]
    assert corpus.fields["@line"].tolist() == [1, 2]


def test_compressed_files_are_recognised() -> None:
    source = source_of("run.gz", gzip.compress(b"1 Q0 d 1 0.5 tag\n"))
    assert recognise(source).name == "trec"
    assert write(read(source)) == "1 Q0 d 1 0.5 run\n"


def test_many_lines_over_several_blocks() -> None:
    lines = [f"q{at // 500} Q0 document-{at} {at % 500 + 1} {-at}.5 x\n" for at in range(20_000)]
    corpus = read(source_of("run", "".join(lines).encode()))
    rows = corpus.parts["documents"]
    assert (corpus.n_sentences, rows.size) == (40, 20_000)
    assert rows.fields["id"][19_999] == "document-19999"
    assert rows.fields["score"][19_999] == -19_999.5


@pytest.mark.parametrize(
    "text",
    [
        b"the DT B-NP O\ndog NN I-NP O\n", b"EU NNP 1 2\n", b"q1,0,d1,1\n", b"a 0 b\n",
        b"1 Q0 d 1 high tag\n", b"1 0 d x\n", b"so it is and was there\n",
    ],
)  # fmt: skip
def test_other_files_are_not_taken_for_it(text: bytes) -> None:
    assert not looks_like(source_of("file", text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"1 0 d 1\n1 0 e 1.5\n", "file:2: the grade '1.5' is not an integer"),
        (b"1 0 d 1\n1 0 e high\n", "file:2: the grade 'high' is not an integer"),
        (b"1 0 d 1\n1 0 e -\n", "file:2: the grade '-' is not an integer"),
        (b"1 Q0 d 1 0.5 x\n1 Q0 e 2 nan x\n", "file:2: the score 'nan' is not a number"),
        (b"1 Q0 d 1 0.5 x\n1 Q0 e 2 inf x\n", "file:2: the score 'inf' is not a number"),
        (b"1 Q0 d 1 0.5 x\n1 Q0 e 2 0,5 x\n", "file:2: the score '0,5' is not a number"),
        (b"1 0 d 1\n1 0 e\n", "file:2: expected 4 fields .query 0 document grade., found 3"),
        (b"1 0 d 1\n\n1 0 e 1\n", "file:2: a blank line"),
        (b"1 Q0 d 1 0.5 x\n1 Q0 e 2 0.4\n", "file:2: expected 6 fields or more, found 5"),
        (b"1 Q0 d 1 0.5\n", "file:1: expected 4 fields .judgements. or 6 .a run., found 5"),
    ],
)
def test_bad_lines_are_named(text: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(source_of("file", text))


def test_only_queries_with_documents_can_be_written() -> None:
    with pytest.raises(fg.UsageError, match="only queries with documents"):
        FORMATS["trec"].write(fg.Corpus.of([["a"]], tags=[["X"]]))


def test_only_blanks_and_tabs_separate_fields() -> None:
    line = "1 Q0 CR\u00a07 1 0.5 tag\n".encode()
    assert looks_like(source_of("file", line))
    assert _documents(line, "score") == [("1", "CR\u00a07", 0.5)]
