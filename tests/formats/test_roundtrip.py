"""A corpus is the same in every format that can hold it: text, annotation, tables and scores."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain import align, score
from finegrain.corpus import Corpus, Spans
from finegrain.corpus.tag_schemes import SCHEMES, decode, encode
from finegrain.formats import FORMATS, brat, conll, jsonl, read_source, span_lines
from finegrain.formats.same_annotation import first_difference
from finegrain.formats.source import open_source, source_of
from finegrain.table import OutcomeTable

# ASCII, two to four bytes, combining marks, right-to-left scripts, a joiner, astral characters
ALPHABET = "aZ.#-|é\u0301\u0308ßשלمرحबा日本\u200d\U0001f600\U0001f468\U00020000"
words = st.text(ALPHABET, min_size=1, max_size=4)
labels = st.sampled_from(["PER", "LOC", "Ä-1", "日本"])
sentences = st.lists(words, min_size=1, max_size=6)


@st.composite
def texts(draw: st.DrawFn) -> Corpus:
    """Sentences in documents, perhaps with ids."""
    documents = draw(st.lists(st.lists(sentences, min_size=1, max_size=3), min_size=1, max_size=4))
    of_sentence = [at for at, document in enumerate(documents) for _ in document]
    corpus = Corpus.of([one for document in documents for one in document], documents=of_sentence)
    ids = draw(st.sampled_from(["none", "ids", "plain"]))
    if ids == "plain":
        return replace(corpus, documents=None)
    names = tuple(f"d{at:02}ü\U0001f600" for at in range(len(documents)))
    return replace(corpus, document_ids=names if ids == "ids" else None)


@st.composite
def flat_spans(draw: st.DrawFn, corpus: Corpus) -> Spans:
    """Spans that do not overlap, in reading order."""
    rows = []
    for sentence, length in enumerate(np.diff(corpus.offsets).tolist()):
        at = draw(st.integers(0, length))
        while at < length:
            end = draw(st.integers(at + 1, length))
            rows.append((sentence, at, end, draw(labels)))
            at = draw(st.integers(end, length))
    return Spans.of(rows)


@st.composite
def any_spans(draw: st.DrawFn, corpus: Corpus, *, gaps: bool) -> Spans:
    """Spans that may nest, cross, occur twice and begin or end inside of words."""
    rows, cuts = [], []
    for sentence in range(corpus.n_sentences):
        words = corpus.sentence(sentence)
        for _ in range(draw(st.integers(0, 3))):
            chosen = draw(st.sets(st.integers(0, len(words) - 1), min_size=1))
            tokens = tuple(sorted(chosen)) if gaps else tuple(range(min(chosen), max(chosen) + 1))
            rows.append((sentence, tokens[0], tokens[-1] + 1, draw(labels), tokens))
            begin = draw(st.integers(0, len(words[tokens[0]]) - 1))
            most = len(words[tokens[-1]]) - 1 - (begin if len(tokens) == 1 else 0)
            cuts.append((begin, draw(st.integers(0, most))))
    spans = Spans.of(rows)
    both = np.array(cuts, np.int32).reshape(-1, 2)
    return replace(spans, begin_cut=both[:, 0], end_cut=both[:, 1]) if both.any() else spans


def through_brat(corpus: Corpus) -> Corpus:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in brat.files(corpus).items():
            Path(folder, name).write_text(text, encoding="utf-8", newline="")
        return read_source(open_source(folder), FORMATS["brat"])


def through(name: str, corpus: Corpus) -> Corpus:
    format_ = FORMATS[name]
    return read_source(source_of("f", format_.write(corpus).encode()), format_)


def through_conll(corpus: Corpus) -> Corpus:
    """Columns named, so that no first line counts as a header."""
    source = source_of("f", conll.write(corpus).encode())
    return conll.read(source, columns={"token": 1, "tags": 2}, header="no", comment="")


@given(st.data())
def test_spans_come_back_from_jsonl(data: st.DataObject) -> None:
    corpus = data.draw(texts())
    corpus = replace(corpus, spans=data.draw(any_spans(corpus, gaps=False)))
    again = through("jsonl", corpus)
    assert first_difference(corpus, again) is None
    assert again.document_ids == corpus.document_ids
    assert jsonl.write(again) == jsonl.write(corpus)


@given(st.data())
def test_spans_with_gaps_come_back_from_brat(data: st.DataObject) -> None:
    corpus = data.draw(texts())
    corpus = replace(corpus, spans=data.draw(any_spans(corpus, gaps=True)))
    again = through_brat(corpus)
    assert first_difference(corpus, again) is None
    if corpus.document_ids:
        assert again.document_ids == corpus.document_ids


@given(st.data())
def test_tags_come_back_from_jsonl(data: st.DataObject) -> None:
    corpus = data.draw(texts())
    spans = data.draw(flat_spans(corpus))
    corpus = replace(corpus, layers={"tags": encode(spans, corpus.offsets)})
    again = through("jsonl", corpus)
    assert first_difference(corpus, again) is None
    assert again.document_ids == corpus.document_ids
    assert (again.documents is None) == (corpus.documents is None)


@given(st.data())
def test_tags_come_back_from_columns(data: st.DataObject) -> None:
    corpus = data.draw(texts())
    spans = data.draw(flat_spans(corpus))
    corpus = replace(corpus, layers={"tags": encode(spans, corpus.offsets)})
    assert first_difference(corpus, through_conll(corpus)) is None


WAYS: dict[str, Callable[[Corpus], Corpus]] = {
    "conll": lambda corpus: through_conll(tagged(corpus, "iob2")),
    "jsonl tokens": lambda corpus: through("jsonl", tagged(corpus, "iob2")),
    "jsonl text": lambda corpus: through("jsonl", corpus),
    "brat": through_brat,
    "spans": lambda corpus: span_lines.read(source_of("f", span_lines.write(corpus).encode())),
}


def tagged(corpus: Corpus, scheme: str) -> Corpus:
    tags = encode(corpus.spans, corpus.offsets, SCHEMES[scheme])
    return replace(corpus, layers={"tags": tags}, spans=None)


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_tables_and_scores_are_the_same_whatever_the_formats(data: st.DataObject) -> None:
    corpus = data.draw(texts())
    gold = replace(corpus, spans=data.draw(flat_spans(corpus)))
    system = replace(corpus, spans=data.draw(flat_spans(corpus)))
    expected = align(gold, {"s": system}, task="spans")
    golds = {name: way(gold) for name, way in WAYS.items()}
    systems = {name: way(system) for name, way in WAYS.items()}
    for one, two in product(WAYS, WAYS):
        table = align(golds[one], {"s": systems[two]}, task="spans", scheme="iob2")
        assert table.labels == expected.labels, (one, two)
        for column in ("sentence", "begin", "end", "label", "is_gold", "outcome", "answer"):
            ours, theirs = getattr(table, column), getattr(expected, column)
            assert ours.tolist() == theirs.tolist(), (one, two, column)
        assert values(table) == values(expected), (one, two)


def values(table: OutcomeTable) -> dict[str, list[float]]:
    """Overall scores, but for those by document: not every format has documents."""
    found = score(table).overall
    return {
        name: np.nan_to_num(column, nan=-1).tolist()
        for name, column in found.items()
        if "document" not in name
    }


@pytest.mark.parametrize("scheme", ["iob1", "iob2", "bioes", "bilou"])
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_encoding_undoes_decoding(scheme: str, data: st.DataObject) -> None:
    corpus = data.draw(texts())
    spans = data.draw(flat_spans(corpus))
    tags = encode(spans, corpus.offsets, SCHEMES[scheme])
    again = decode(tags, corpus.offsets, SCHEMES[scheme])
    assert again.repairs == 0
    assert first_difference(
        replace(corpus, spans=spans), replace(corpus, spans=again.spans)
    ) is None  # fmt: skip
