"""A damaged file is refused with an ``InputError`` or read as a corpus; nothing else happens."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finegrain import align
from finegrain.corpus import Corpus
from finegrain.errors import InputError
from finegrain.formats import FORMATS, by_name, read_source, recognise
from finegrain.formats.source import open_source, source_of
from finegrain.table.verdicts import right

CONLLU = """\
# newdoc id = a
# sent_id = a-1
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tdo\tAUX\tVBP\tTense=Pres\t0\troot\t_\t_
2\tn't\tnot\tPART\tRB\t_\t1\tadvmod\t_\t_
2.1\tx\tx\tX\tX\t_\t_\t_\t_\t_

# newdoc id = b
1\tZürich\tZürich\tPROPN\tNNP\t_\t0\troot\t_\t_
2\t\U0001f600\t_\tSYM\tSYM\t_\t1\tdep\t_\tSpaceAfter=No
"""
JSONL = """\
{"id": "a", "text": "I met Ada.\\nOh é!", "spans": [{"start": 6, "end": 9, "label": "PER"}]}
{"id": 2, "text": "\U0001f600 Ulm \\ud83d\\ude00", "spans": [{"start": 2, "end": 5, "label": "X"}]}
"""
TOKENS = """\
{"id": 1, "tokens": ["Ada", "sleeps"], "ner_tags": ["B-PER", "O"], "pos_tags": ["N", "V"]}
{"id": 2, "tokens": [["Zürich"], ["é"]], "ner_tags": [["B-L"], ["O"]], "pos_tags": [["N"], ["X"]]}
"""
CONLL = "-DOCSTART-\tO\n\n# c\nNew\tB-LOC\nYörk\tI-LOC\n\nAda\tB-PER\n\U0001f600\tO\n"
SPANS = "ORG\t3\t5\t3, 4, 5\nPER\t8\t10\t8, 10\n\nNONE\t1\t1\t1\n\nLOC\t1\t2\t1, 2\n"
TEXT = "I met Ada.\nOh \U0001f600 Zürich, and then\n"
ANNOTATION = """\
T1\tPER 6 9\tAda
T2\tLOC 16 22\tZürich
T3\tX 11 13;24 27\tOh and
R1\tr Arg1:T1 Arg2:T2
#1\tAnnotatorNotes T1\tä
"""
CONLL2012 = """\
#begin document (n/a); part 000
n/a\t0\t0\tAda\tNNP\t(1)
n/a\t0\t1\tmet\tVBD\t-
n/a\t0\t2\ther\tPRP$\t(2(1)
n/a\t0\t3\tsöns\tNNS\t2)

n/a\t0\t0\tThey\tPRP\t(2)
n/a\t0\t1\t\U0001f600\tVBD\t-

#end document
"""
COREFUD = """\
# global.Entity = eid-etype-head-other
# newdoc id = a
# sent_id = a-1
1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t2:nsubj\tEntity=(e1-person-1-)
2\tmet\tmeet\tVERB\tVBD\t_\t0\troot\t0:root\t_
2.1\t_\tshe\tPRON\tPRP\t_\t_\t_\t2:obj\tEntity=(e1-person-1-)
3\tÉva\tÉva\tPROPN\tNNP\t_\t2\tobj\t2:obj\tEntity=(e2[1/2]-person-1-)
4\ttoo\ttoo\tADV\tRB\t_\t2\tadvmod\t2:advmod\t_
5\tlast\tlast\tADJ\tJJ\t_\t3\tamod\t3:amod\tEntity=(e2[2/2])

# sent_id = a-2
1\tThey\tthey\tPRON\tPRP\t_\t2\tnsubj\t2:nsubj\tEntity=(e2-person-1-)
2\tslept\tsleep\tVERB\tVBD\t_\t0\troot\t0:root\t_
"""
CLUSTERS = """\
{"doc_key": "a", "sentences": [["Ada", "met"], ["her", "söns"]], "clusters": [[[0, 0], [2, 2]]]}
{"doc_key": "b", "sentences": [["\U0001f600"]], "clusters": []}
"""
MATRIX = "item\tcrf\tneural\na\t1\t0\nb\t0\t1\nü\t1\t1\n"
VALID = {
    "conll2012": ("conll2012", CONLL2012),
    "corefud": ("corefud", COREFUD),
    "clusters": ("clusters", CLUSTERS),
    "matrix": ("matrix", MATRIX),
    "conllu": ("conllu", CONLLU),
    "jsonl text": ("jsonl", JSONL),
    "jsonl tokens": ("jsonl", TOKENS),
    "conll": ("conll", CONLL),
    "spans": ("spans", SPANS),
}
# bytes that mean something to some format are likelier than others
telling = st.one_of(
    st.sampled_from([bytes([byte]) for byte in b'\t\n\r #{}[]",:;0129-.|\\T_O\x00\xff']),
    st.binary(min_size=1, max_size=3),
    st.sampled_from(
        [b"\\ud800", b"null", b"-1", b"99999999999999999999", b"\xef\xbb\xbf", b"\r\n"]
    ),
)
change = st.tuples(
    st.sampled_from(["delete", "insert", "replace", "swap", "truncate", "repeat"]),
    st.floats(0, 1, exclude_max=True),
    st.integers(1, 8),
    telling,
)
changes = st.lists(change, min_size=1, max_size=4)
Changes = list[tuple[str, float, int, bytes]]


def mutated(data: bytes, steps: Changes) -> bytes:
    for kind, where, size, new in steps:
        at = int(where * len(data))
        if kind == "delete":
            data = data[:at] + data[at + size :]
        elif kind == "insert":
            data = data[:at] + new + data[at:]
        elif kind == "replace":
            data = data[:at] + new + data[at + len(new) :]
        elif kind == "swap":
            data = (
                data[:at]
                + data[at + size : at + 2 * size]
                + data[at : at + size]
                + data[at + 2 * size :]
            )
        elif kind == "truncate":
            data = data[:at]
        else:
            data = data[:at] + data[at : at + size] * 2 + data[at + size :]
    return data


def use(corpus: Corpus) -> None:
    """A corpus that was read is sound: its words can be looked at, and it is its own gold."""
    assert corpus.n_sentences > 0
    for sentence in range(corpus.n_sentences):
        corpus.sentence(sentence)
    assert corpus.documents is None or len(corpus.documents) == corpus.n_sentences
    if corpus.document_ids is not None:
        assert len(corpus.document_ids) == corpus.n_documents
    assert all(len(column.codes) == corpus.n_tokens for column in corpus.layers.values())
    if corpus.holds_items:
        assert len(align(corpus, {}, task="items")) == corpus.n_sentences
        return
    found = {"spans": corpus.spans, "coreference": corpus.clusters}
    task = next((name for name, held in found.items() if held is not None), "tags")
    table = align(corpus, {"same": corpus}, task=task)
    assert right(table).all()
    if corpus.further is not None:
        assert right(align(corpus, {"same": corpus}, task="dependencies")).all()


@pytest.mark.parametrize("name", VALID)
def test_the_files_are_valid_before_they_are_damaged(name: str) -> None:
    format_name, text = VALID[name]
    source = source_of("f", text.encode())
    assert recognise(source).name == format_name
    use(read_source(source, by_name(format_name)))


@pytest.mark.parametrize("name", VALID)
@settings(max_examples=200, deadline=None)
@given(steps=changes)
def test_a_damaged_file_is_refused_or_read(name: str, steps: Changes) -> None:
    format_name, text = VALID[name]
    data = mutated(text.encode(), steps)
    for chosen in (format_name, None):  # named by the user, or recognised as whatever it looks like
        try:
            source = source_of("f", data)
            format_ = by_name(chosen) if chosen else recognise(source)
            use(read_source(source, format_))
        except InputError as error:
            named = all(str(problem).startswith("f:") for problem in error.problems)
        else:
            named = True
        assert named


@pytest.mark.parametrize("damaged", [".txt", ".ann"])
@pytest.mark.parametrize("as_folder", [True, False])
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=changes)
def test_a_damaged_pair_is_refused_or_read(
    damaged: str, as_folder: bool, tmp_path: Path, steps: Changes
) -> None:
    for suffix, text in ((".txt", TEXT), (".ann", ANNOTATION)):
        data = text.encode()
        (tmp_path / f"d{suffix}").write_bytes(mutated(data, steps) if suffix == damaged else data)
    try:
        use(
            read_source(
                open_source(str(tmp_path if as_folder else tmp_path / "d.txt")), FORMATS["brat"]
            )
        )
    except InputError as error:
        named = str(tmp_path) in str(error)
    else:
        named = True
    assert named


def test_the_pair_is_valid_before_it_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "d.ann").write_text(ANNOTATION, encoding="utf-8")
    corpus = read_source(open_source(str(tmp_path)), FORMATS["brat"])
    assert len(corpus.spans) == 3
    use(corpus)
