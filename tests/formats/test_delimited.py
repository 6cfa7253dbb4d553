"""Items in lines: separators, headers, quotation, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.corpus.items import plain
from finegrain.errors import InputError
from finegrain.formats import recognise
from finegrain.formats.delimited import read, write
from finegrain.formats.source import source_of


def _fields(text: str, **options: object) -> dict[str, list[object]]:
    corpus = read(source_of("f.csv", text.encode()), **options)  # type: ignore[arg-type]
    return {
        name: plain(column).tolist() for name, column in corpus.fields.items() if name != "@line"
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q1,pos\nq2,neg\n", {"id": ["q1", "q2"], "label": ["pos", "neg"]}),
        ("id,label\nq1,pos\n", {"id": ["q1"], "label": ["pos"]}),
        ("guid;gold_label\nq1;pos\n", {"guid": ["q1"], "gold_label": ["pos"]}),
        ("a fine film\tpos\nno\tneg\n", {"text": ["a fine film", "no"], "label": ["pos", "neg"]}),
        ("a\tb c\tpos\na\td\tneg\n",
         {"text": ["a", "a"], "text2": ["b c", "d"], "label": ["pos", "neg"]}),
        ("pos\nneg\npos\n", {"label": ["pos", "neg", "pos"]}),
        ("label\nneg\npos\n", {"label": ["neg", "pos"]}),
        ('id,text\n1,"a, ""b"""\n', {"id": [1.0], "text": ['a, "b"']}),
        ('id,text\n1,"two\nlines"\n2,x\n', {"id": [1.0, 2.0], "text": ["two\nlines", "x"]}),
        ('id\ttext\n1\tsay "so\n2\tb\n', {"id": [1.0, 2.0], "text": ['say "so', "b"]}),
        ('id\ttext\n1\t"a\tb"\n2\tc\n', {"id": [1.0, 2.0], "text": ["a\tb", "c"]}),
        ("x,how long\na,1\nb,2.5\n", {"x": ["a", "b"], "how long": [1.0, 2.5]}),
        ("id,label\nq1,\n\n\n", {"id": ["q1"], "label": [float("nan")]}),
    ],
)  # fmt: skip
def test_cells_and_names(text: str, expected: dict[str, list[object]]) -> None:
    assert str(_fields(text)) == str(expected)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("id,label\nq1,pos\nq2\n", "f.csv:3: expected 2 cells as in the first line, found 1"),
        ("id,label\nq1,pos,x\n", "f.csv:2: expected 2 cells as in the first line, found 3"),
        ("id,label\nq1,pos\n\nq2,neg\n", "f.csv:3: a blank line between items"),
        ("pos\n\nneg\n", "f.csv:2: a blank line between items"),
        ('id,text\n1,"a\n2,b\n', "f.csv:2: quotation marks do not close"),
        ("id,id\nq1,pos\n", "f.csv:1: the header names 'id' twice"),
        ("id,label\n", "f.csv:1: a header and no items below it"),
    ],
)
def test_what_is_refused(text: str, what: str) -> None:
    options = {"header": "yes"} if text.startswith("id,id") or text == "id,label\n" else {}
    with pytest.raises(InputError) as caught:
        _fields(text, **options)
    assert what in str(caught.value)


def test_columns_are_chosen_by_number_or_name() -> None:
    text = "key,label,verdict\na,x,pos\n"
    assert _fields(text, columns={"id": 1, "label": "verdict"}) == {
        "id": ["a"], "label (column 2)": ["x"], "label": ["pos"],
    }  # fmt: skip
    with pytest.raises(InputError, match="no column is called 'nothing'"):
        _fields(text, columns={"label": "nothing"})
    with pytest.raises(InputError, match="there is no column 4"):
        _fields(text, columns={"label": 4})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("id,label\nq1,pos\n", "csv"),
        ("q1,pos\nq2,neg\n", "csv"),
        ("id\tlabel\nq1\tpos\n", "csv"),
        ("a fine film\tpos\nso dull\tneg\n", "csv"),
        ("Ada\tB-PER\nslept\tO\n\nYes\tO\n", "conll"),
        ("token\ttag\nAda\tNNP\n", "conll"),
        ("Ada B-PER\n, O\n", "conll"),
    ],
)
def test_items_are_told_from_tokens(text: str, name: str) -> None:
    assert recognise(source_of("f", text.encode())).name == name


def test_what_is_written_is_read_back() -> None:
    corpus = read(source_of("f", b'id,text,n\na,"x, ""y""",1\nb,,2.5\n'))
    again = read(source_of("f", write(corpus).encode()))
    assert write(again) == write(corpus)


def test_words_are_those_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text("id\ttext\tlabel\na\t so  it\tx\nb\t\ty\nc\tis\tx\n")
    corpus: Corpus = fg.read(str(path))
    assert [corpus.sentence(at) for at in range(3)] == [["so", "it"], [], ["is"]]
