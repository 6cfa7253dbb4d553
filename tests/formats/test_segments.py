"""Files of segments: lines, columns, SGML and XML, and what is refused in them."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from finegrain.corpus import Corpus
from finegrain.errors import InputError, UsageError
from finegrain.formats import FORMATS, lines, parallel_text, read, recognise, sgm, wmt_xml
from finegrain.formats.source import source_of
from finegrain.tasks import TASKS
from tests.conftest import Run

REFSET = b"""<!DOCTYPE mteval SYSTEM "ftp://example.org/mteval.dtd">
<REFSET setid="news" srclang="any" trglang="en">
<DOC docid="d1" sysid="ref">
<p><hl><seg id="1"> Salt &amp; wool,
&#39;cheap&#39; </seg></hl></p><seg id="2">No.</seg>
</DOC></REFSET>
"""
XML = b"""<?xml version="1.0" encoding="utf-8"?>
<dataset id="news"><doc id="d1" origlang="sk" domain="trade">
<src lang="sk"><p><seg id="1">Sol a vlna</seg><seg id="2">Nie.</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">Salt &amp; wool</seg><seg id="2">No.</seg></p></ref>
<ref lang="en" translator="B"><p><seg id="1">Wool, salt</seg></p></ref>
<hyp system="one"><p><seg id="1">Salt</seg><seg id="2">Not</seg></p></hyp>
<hyp system="two"><p><seg id="1">Wool</seg><seg id="2">No</seg></p></hyp>
</doc></dataset>
"""


def _references(corpus: Corpus) -> list[tuple[int, str]]:
    rows = corpus.parts["references"]
    return list(zip(rows.parent.tolist(), rows.fields["text"], strict=True))


def test_sgml_of_evaluation_campaigns() -> None:
    corpus = sgm.read(source_of("ref.sgm", REFSET))
    assert list(corpus.fields["id"]) == ["d1:1", "d1:2"]
    assert _references(corpus) == [(0, "Salt & wool, 'cheap'"), (1, "No.")]
    assert corpus.n_documents == 1


@pytest.mark.parametrize(("change", "what"), [
    ((b"</seg>\n</DOC>", b"\n</DOC>"), "<seg> without </seg>"),
    ((b'id="2"', b'id="1"'), "segment '1' of document 'd1' has a second reference by 'ref'"),
    ((b' id="2"', b""), "a segment without an id"),
    ((b"</REFSET>", b""), "the set of segments does not end"),
    ((b"<REFSET ", b"<mteval><x "), "a segment outside of a set"),
])  # fmt: skip
def test_damaged_sgml_is_refused(change: tuple[bytes, bytes], what: str) -> None:
    assert change[0] in REFSET
    with pytest.raises(InputError, match=what):
        sgm.read(source_of("ref.sgm", REFSET.replace(*change)))


def test_one_xml_file_holds_sources_references_and_systems() -> None:
    corpus = wmt_xml.read(source_of("news.xml", XML))
    assert corpus.fields["source"].tolist() == ["Sol a vlna", "Nie."]
    assert corpus.fields["domain"].tolist() == ["trade", "trade"]
    assert _references(corpus) == [(0, "Salt & wool"), (0, "Wool, salt"), (1, "No.")]
    assert list(corpus.parts["hypotheses"].fields["name"]) == ["one", "two", "one", "two"]


BOMB = b"""<?xml version="1.0"?><!DOCTYPE dataset [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>
<dataset><doc id="d"><src><p><seg id="1">&b;</seg></p></src></doc></dataset>
"""
OUTSIDE = BOMB.replace(b'<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">',
                       b'<!ENTITY b SYSTEM "file:///etc/hostname">')  # fmt: skip


@pytest.mark.parametrize("data", [BOMB, OUTSIDE])
def test_entities_are_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"bad.xml:1: the file declares an entity \('[ab]'\)"):
        wmt_xml.read(source_of("bad.xml", data))


@pytest.mark.parametrize(("change", "what"), [
    ((b"</doc>", b""), "bad.xml:8: not well-formed XML"),
    ((b'translator="B"', b'translator="A"'), "has a second reference by 'A'"),
    ((b"Salt &amp; wool", b"Salt &bogus; wool"), "not well-formed XML"),
    ((XML, b"<dataset></dataset>"), "there is no segment"),
    ((b"<src", b'<doc id="e"></doc><src'), "bad.xml:3: a document inside of another"),
])  # fmt: skip
def test_damaged_xml_is_refused(change: tuple[bytes, bytes], what: str) -> None:
    with pytest.raises(InputError, match=what):
        wmt_xml.read(source_of("bad.xml", XML.replace(*change)))


def test_lines_keep_empty_ones_and_marks_that_break_lines_in_print() -> None:
    corpus = lines.read(source_of("hyp", " a \n\n\u2028b\u0085c\n".encode()))
    assert list(corpus.fields["text"]) == ["a", "", "b\u0085c"]
    with pytest.raises(UsageError, match="the text of item 1 has a line end inside"):
        lines.write(parallel_text.read(source_of("x", b"id\ttext\toutput\na\tb\tc\n")).__class__(
            "x", corpus.offsets, fields={"text": ["a\nb"]}))  # fmt: skip


def test_columns_are_text_as_it_is() -> None:
    data = b'id\tsource\treference\nx\t"Ahoj\tHello, "you"\n'
    corpus = parallel_text.read(source_of("gold.tsv", data))
    assert list(corpus.fields["source"]) == ['"Ahoj']
    with pytest.raises(InputError, match=r"gold.tsv:3: expected 3 cells as in the header, found 2"):
        parallel_text.read(source_of("gold.tsv", data + b"y\tz\n"))


@pytest.mark.parametrize(("data", "name"), [
    (REFSET, "sgm"), (XML, "wmt"), (b'{"id": "a", "reference": "so"}\n', "items"),
    (b"id\treference\na\tso, it is\n", "segments"), (b"So, it is.\nNo, no.\n", "lines"),
    (b"O\nO\n", "lines"),
])  # fmt: skip
def test_files_are_known_by_their_content_also_compressed(data: bytes, name: str) -> None:
    for content in (data, gzip.compress(data)):
        assert recognise(source_of("file", content), TASKS["generation"].formats).name == name


def test_lines_are_never_guessed_without_a_task() -> None:
    with pytest.raises(InputError, match="not recognised"):
        recognise(source_of("file", b"\x01\n"))
    assert not FORMATS["lines"].guessed


def test_from_the_command_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "news.xml").write_bytes(XML)
    (tmp_path / "one.txt.gz").write_bytes(gzip.compress(b"Salt & wool\nNo.\n"))
    found = run("score", "news.xml", "two=news.xml", "one.txt.gz", "--task", "generation", "-m",
                "chrf", "--no-intervals", "--format", "json")  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert '"chrf": 100.0' in found.stdout
    found = run("score", "news.xml", "mine=news.xml", "--task", "generation")
    assert found.returncode == 3
    assert "has the outputs of 2 systems, none of which is 'mine'" in found.stderr
    assert read(str(tmp_path / "one.txt.gz"), format="lines").n_sentences == 2


@pytest.mark.parametrize("data", [REFSET, XML])
def test_damaged_files_are_refused_or_read_and_nothing_else_happens(data: bytes) -> None:
    """Bytes left out, repeated, replaced or cut off end in a corpus or in a clear error."""
    draw, read_, outcomes = random.Random(7), sgm.read if data is REFSET else wmt_xml.read, set()
    for _ in range(300):
        at, size = draw.randrange(len(data)), draw.randint(1, 12)
        damaged = draw.choice([
            data[:at] + data[at + size :], data[:at] + data[at : at + size] + data[at:],
            data[:at] + bytes([draw.choice(b"<>&;\"'/ x\n")]) + data[at + 1 :], data[:at],
        ])  # fmt: skip
        try:
            found = read_(source_of("damaged", damaged))
        except InputError:
            outcomes.add("refused")
        else:
            assert found.n_sentences == len(set(found.fields["id"]))
            outcomes.add("read")
    assert outcomes == {"refused", "read"}
