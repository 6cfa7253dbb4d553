"""What was read from CoNLL-U is written as it stood; layers are written as they are."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import finegrain as fg
from finegrain.corpus import Coded, Corpus, Spans
from finegrain.corpus.parts import part
from finegrain.formats import conllu
from finegrain.formats.source import source_of

FILE = """# newdoc id = a
# sent_id = a-1
# text = I don't.
1	I	I	PRON	PRP	Case=Nom	2	nsubj	2:nsubj	_
2-3	don't	_	_	_	_	_	_	_	SpaceAfter=No
2	do	do	AUX	VBP	_	0	root	0:root	_
3	n't	not	PART	RB	_	2	advmod	2:advmod	_
3.1	go	go	VERB	VB	_	_	_	2:xcomp	CopyOf=2
4	.	.	PUNCT	.	_	2	punct	2:punct	Odd=1|Even=2

# newdoc id = b
# sent_id = b-1
0.1	_	_	PRON	_	_	_	_	1:nsubj	_
1	Go	go	VERB	VB	_	0	root	0:root	_
1.1	there	there	ADV	_	_	_	_	1:advmod	_

"""


def parsed(text: str) -> Corpus:
    return conllu.read(source_of("f", text.encode()))


def test_a_file_is_written_as_it_was_read() -> None:
    assert conllu.write(parsed(FILE)) == FILE


def test_a_byte_order_mark_and_odd_blank_lines_are_left_out() -> None:
    odd = "\ufeff" + FILE.replace("\n\n# newdoc id = b", "\n \n\n# newdoc id = b")
    assert conllu.write(parsed(odd)) == FILE


def test_layers_are_written_where_they_changed() -> None:
    corpus = parsed(FILE)
    new = replace(corpus, layers={**corpus.layers, "deprel": Coded.of("abcde")})
    lines = [line.split("\t") for line in conllu.write(new).split("\n") if line[:1].isdecimal()]
    plain = [cells for cells in lines if cells[0].isdecimal()]
    assert [cells[7] for cells in plain] == list("abcde")
    assert [cells[6] for cells in plain] == ["2", "0", "2", "2", "0"]
    assert len(lines) == len(plain) + 4  # a multi-word token and three empty nodes


def test_sentences_keep_their_lines_in_another_order() -> None:
    corpus = parsed(FILE)
    first, second = FILE.split("\n\n")[:2]
    assert conllu.write(corpus.with_documents([1, 0])) == f"{second}\n\n{first}\n\n"
    assert conllu.write(part(corpus, np.array([1]))) == f"{second}\n\n"


def test_multi_word_tokens_are_written_without_a_file() -> None:
    corpus = Corpus.of([["I", "do", "n't"]], head=[["2", "0", "2"]], deprel=[["a", "b", "c"]])
    joined = replace(corpus, multiword=Spans.of([(0, 1, 3, "don't")]))
    lines = conllu.write(joined).split("\n")
    assert lines[1] == "2-3\tdon't" + "\t_" * 8
    assert lines[2] == "2\tdo\t_\t_\t_\t_\t0\tb\t_\t_"


def test_convert_keeps_everything_and_says_what_others_cannot_hold(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(FILE)
    corpus = fg.read(str(tmp_path / "a.conllu"))
    fg.write(corpus, str(tmp_path / "b.conllu"))
    assert (tmp_path / "b.conllu").read_text() == FILE
    said = fg.write(corpus, str(tmp_path / "b.jsonl"), layer="upos")
    assert "jsonl holds no trees, comments and empty nodes: they are left out" in said


def test_named_columns_become_conllu(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("1\tdogs\t2\tnsubj\n2\tbark\t0\troot\n")
    columns = {"token": 2, "head": 3, "deprel": 4}
    corpus = fg.read(str(tmp_path / "a.tsv"), format="conll", columns=columns)
    fg.write(corpus, str(tmp_path / "a.conllu"))
    written = (tmp_path / "a.conllu").read_text()
    assert written.startswith("1\tdogs\t_\t_\t_\t_\t2\tnsubj\t_\t_\n")


cell = st.text("ab=|:_.", min_size=1, max_size=3)


@given(st.lists(st.lists(st.tuples(*[cell] * 8), min_size=1, max_size=4), min_size=1, max_size=4))
def test_any_cells_survive(sentences: list[list[tuple[str, ...]]]) -> None:
    text = "".join(
        "".join(f"{at}\tw\t" + "\t".join(row) + "\n" for at, row in enumerate(sentence, 1)) + "\n"
        for sentence in sentences
    )
    assert conllu.write(parsed(text)) == text


FOLDERS = ("ewt", "conll17-en", "conll17-en_pud")


@pytest.mark.parametrize("folder", FOLDERS)
def test_files_of_treebanks_and_parsers_are_written_byte_for_byte(
    shared: Path, folder: str
) -> None:
    for path in sorted((shared / "data" / "dependency" / folder).glob("*.conllu.gz")):
        assert conllu.write(fg.read(str(path))) == gzip.decompress(path.read_bytes()).decode(), path
