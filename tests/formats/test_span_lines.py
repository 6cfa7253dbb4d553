"""Span lines: nested, crossing and discontinuous spans, and a line number for every fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain.corpus import Corpus, Spans
from finegrain.errors import InputError, UsageError
from finegrain.formats import recognise, span_lines
from finegrain.formats.source import source_of

Row = tuple[int, str, tuple[int, ...]]


def read(text: str, **options: object) -> Corpus:
    return span_lines.read(source_of("f", text.encode()), **options)


def rows(corpus: Corpus) -> list[Row]:
    """(sentence, label, tokens from 0), in file order."""
    spans = corpus.spans
    return [
        (int(spans.sentence[row]), spans.labels[int(spans.label[row])], spans.tokens(row))
        for row in range(len(spans))
    ]


def test_spans_count_from_one_and_include_their_last_token() -> None:
    corpus = read("ORG\t3\t5\t3, 4, 5\n")
    assert rows(corpus) == [(0, "ORG", (2, 3, 4))]
    assert (corpus.spans.begin.tolist(), corpus.spans.end.tolist()) == ([2], [5])
    assert corpus.tokens is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A\t1\t3\t1, 2, 3\nB\t2\t2\t2\n", [(0, "A", (0, 1, 2)), (0, "B", (1,))]),  # nested
        ("A\t1\t2\t1, 2\nB\t2\t3\t2, 3\n", [(0, "A", (0, 1)), (0, "B", (1, 2))]),  # crossing
        ("A\t1\t3\t1, 3\n", [(0, "A", (0, 2))]),  # discontinuous
        ("A\t1\t1\t1\nA\t1\t1\t1\n", [(0, "A", (0,)), (0, "A", (0,))]),  # twice the same
        ("B\t4\t4\t4\nA\t1\t1\t1\n", [(0, "B", (3,)), (0, "A", (0,))]),  # file order stays
        ("A\t1\t3\n", [(0, "A", (0, 1, 2))]),  # three columns: all tokens
        ("A\t1\t3\t3,1, 2\n", [(0, "A", (0, 1, 2))]),  # order and spaces do not matter
        (" A \t 1 \t 2 \t 1, 2 \r\n", [(0, "A", (0, 1))]),
        ("NP-SBJ\t1\t1\t1\n", [(0, "NP-SBJ", (0,))]),
        ("a label\t1\t1\t1\n", [(0, "a label", (0,))]),
    ],
)
def test_spans_by_hand(text: str, expected: list[Row]) -> None:
    assert rows(read(text)) == expected


def test_blank_lines_part_sentences() -> None:
    corpus = read("\n\nA\t1\t1\t1\n\n \t\n\nB\t2\t2\t2\nC\t1\t1\t1\n\n")
    assert rows(corpus) == [(0, "A", (0,)), (1, "B", (1,)), (1, "C", (0,))]
    assert corpus.n_sentences == 2


def test_a_sentence_is_as_long_as_its_farthest_span() -> None:
    assert read("A\t1\t3\t1, 2, 3\nB\t2\t2\t2\n").offsets.tolist() == [0, 3]


@pytest.mark.parametrize("dummy", ["NONE\t999\t999\t999", "EMPTY\t1\t1\t1"])
def test_a_dummy_line_is_a_sentence_without_spans(dummy: str) -> None:
    corpus = read(f"A\t1\t2\t1, 2\n\n{dummy}\n\nA\t1\t1\t1\n")
    assert rows(corpus) == [(0, "A", (0, 1)), (2, "A", (0,))]
    # sentences are as long as their farthest span: 2, 0 and 1 tokens
    assert corpus.offsets.tolist() == [0, 2, 2, 3]


def test_other_dummies_can_be_named() -> None:
    assert rows(read("NIL\t1\t1\t1\n", dummies=("NIL",))) == []
    assert rows(read("NONE\t1\t1\t1\n", dummies=())) == [(0, "NONE", (0,))]


@pytest.mark.parametrize(
    ("line", "what", "mend"),
    [
        ("A\t1", "expected 4 tab-separated columns, found 2", "Write: label, first token"),
        ("A\t1\t1\t1\t1", "expected 4 tab-separated columns, found 5", "Write: label, first token"),
        ("A 1 1 1", "expected 4 tab-separated columns, found 1", "Write: label, first token"),
        ("A\t1\t1", "expected 4 tab-separated columns, found 3", "Write: label, first token"),
        ("\t1\t1\t1", "the label is empty", "Every span has a label."),
        ("A\tx\t1\t1", "the first token is 'x', not a number from 1 on", "Tokens count from 1."),
        ("A\t1\t\t1", "the last token is '', not a number from 1 on", "Tokens count from 1."),
        ("A\t0\t1\t0, 1", "the first token is '0', not a number from 1 on", "Tokens count from 1."),
        ("A\t-1\t1\t1", "the first token is '-1', not a number", "Tokens count from 1."),
        ("A\t1.0\t1\t1", "the first token is '1.0', not a number", "Tokens count from 1."),
        ("A\t\u0661\t1\t1", "the first token is '\u0661', not a number", "Tokens count from 1."),
        ("A\t1\t9999999999\t1", "the last token is '9999999999': no sentence", "by sentence."),
        ("A\t1\t" + "9" * 5000 + "\t1", "the last token is '999999999999': no", "by sentence."),
        ("A\t3\t1\t1, 2, 3", "the span ends (1) before it begins (3)", "Swap the two columns?"),
        ("A\t1\t2\t1, x", "the token is 'x', not a number from 1 on", "Tokens count from 1."),
        ("A\t1\t2\t1, 2,", "the token is '', not a number from 1 on", "Tokens count from 1."),
        ("A\t1\t2\t", "the token is '', not a number from 1 on", "Tokens count from 1."),
        ("A\t1\t2\t1, 2, 2", "the token list names a token twice", "List each token once."),
        ("A\t1\t2\t1, 2, 3", "the token list goes from 1 to 3, the span from 1 to 2", "List"),
        ("A\t2\t3\t1, 2, 3", "the token list goes from 1 to 3, the span from 2 to 3", "List"),
        ("A\t1\t3\t7, 8", "the token list goes from 7 to 8, the span from 1 to 3", "List"),
        # what is left of "1, 2, 3" when the file is cut short
        ("A\t1\t3\t1, 2", "the token list goes from 1 to 2, the span from 1 to 3", "List"),
    ],
)
def test_every_malformed_line_is_named(line: str, what: str, mend: str) -> None:
    with pytest.raises(InputError) as caught:
        read(f"A\t1\t1\t1\n\n{line}\nB\t1\t1\t1\n")
    assert [problem.line for problem in caught.value.problems] == [3]
    assert str(caught.value).startswith(f"f:3: {what}")
    assert mend in str(caught.value)


def test_in_a_file_of_three_columns_a_fourth_is_a_fault() -> None:
    with pytest.raises(InputError, match="f:3: expected 3 tab-separated columns, found 4"):
        read("A\t1\t1\n\nB\t1\t1\t1\n")


def test_all_faults_of_a_file_are_reported() -> None:
    with pytest.raises(InputError) as caught:
        read("A\t2\t1\t1, 2\nB\t1\t1\t1\n\nC\t1\n\nD\tx\t1\t1\n")
    assert [problem.line for problem in caught.value.problems] == [1, 4, 6]


def test_faults_beyond_the_limit_are_counted() -> None:
    with pytest.raises(InputError) as caught:
        read("A\t2\t1\t1\n" * 25)
    assert (len(caught.value.problems), caught.value.unlisted) == (20, 5)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A\t1\t1\t1\n", "spans"),
        ("\n\nNONE\t999\t999\t999\n\nA\t1\t2\n", "spans"),
        ("a\tNN\tO\n", "conll"),
        ("1990\t1\tO\n", "conll"),
    ],
)
def test_the_format_is_recognised_by_content(text: str, name: str) -> None:
    assert recognise(source_of("f", text.encode())).name == name


def test_writing_by_hand() -> None:
    corpus = read("A\t1\t3\t1, 3\nB\t2\t2\t2\n\nEMPTY\t5\t5\t5\n\nA\t1\t2\t1, 2\n")
    assert span_lines.write(corpus) == (
        "A\t1\t3\t1, 3\nB\t2\t2\t2\n\nNONE\t1\t1\t1\n\nA\t1\t2\t1, 2\n"
    )


def test_a_corpus_of_tags_must_be_decoded_before_writing() -> None:
    with pytest.raises(UsageError, match="no spans"):
        span_lines.write(Corpus.of([["a"]], tags=[["O"]]))


tokens = st.sets(st.integers(0, 12), min_size=1).map(lambda chosen: tuple(sorted(chosen)))
spans = st.tuples(st.sampled_from(["PER", "NP-SBJ", "a b", "ÄÖ", "1"]), tokens)


@given(st.lists(st.lists(spans, max_size=5), min_size=1, max_size=5))
def test_reading_undoes_writing(sentences: list[list[tuple[str, tuple[int, ...]]]]) -> None:
    listed = [
        (number, label, chosen)
        for number, sentence in enumerate(sentences)
        for label, chosen in sentence
    ]
    built = Spans.of((at, chosen[0], chosen[-1] + 1, label, chosen) for at, label, chosen in listed)
    corpus = Corpus("f", read("NONE\t1\t1\t1\n\n" * len(sentences)).offsets, spans=built)
    again = read(span_lines.write(corpus))
    assert rows(again) == listed
    assert again.n_sentences == len(sentences)
