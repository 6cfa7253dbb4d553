"""JSON lines: character spans on words, tokens with tags, and a line number for every fault."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from finegrain.corpus import Corpus, Spans
from finegrain.errors import InputError, UsageError
from finegrain.formats import jsonl, recognise
from finegrain.formats.source import source_of


def parsed(*records: object) -> Corpus:
    lines = (one if isinstance(one, str) else json.dumps(one) for one in records)
    return jsonl.read(source_of("f", "\n".join(lines).encode()))


def message(*records: object) -> str:
    with pytest.raises(InputError) as caught:
        parsed(*records)
    return str(caught.value)


def text(string: str, *spans: tuple[int, int, str], **more: object) -> dict[str, object]:
    listed = [{"start": begin, "end": end, "label": label} for begin, end, label in spans]
    return {"text": string, "spans": listed, **more}


def rows(corpus: Corpus) -> list[tuple[int, tuple[int, ...], str, int, int]]:
    """(sentence, tokens, label, begin_cut, end_cut)"""
    spans = corpus.spans
    begin, end = spans.cuts()
    return [
        (int(spans.sentence[row]), spans.tokens(row), spans.labels[spans.label[row]],
         int(begin[row]), int(end[row]))
        for row in range(len(spans))
    ]  # fmt: skip


def test_a_span_that_fits_words() -> None:
    #        0123456789
    corpus = parsed(text("I met Ada Lovelace .", (6, 18, "PER")))
    assert corpus.sentence(0) == ["I", "met", "Ada", "Lovelace", "."]
    assert rows(corpus) == [(0, (2, 3), "PER", 0, 0)]
    assert (corpus.running_text, corpus.n_documents, corpus.document_ids) == (True, 1, None)


def test_a_span_inside_of_words_keeps_its_boundaries() -> None:
    # "(Ada Lovelace)": without the brackets 1..13 of 14 characters; one is cut on either side
    assert rows(parsed(text("(Ada Lovelace)", (1, 13, "PER")))) == [(0, (0, 1), "PER", 1, 1)]


def test_white_space_at_the_ends_of_a_span_is_left_out_and_said() -> None:
    corpus = parsed(text("I met Ada .", (5, 10, "PER")))
    assert rows(corpus) == [(0, (2,), "PER", 0, 0)]
    assert corpus.notes == ("1 spans begin or end with white space, which is left out",)


def test_lines_are_sentences_unless_a_span_runs_across_their_end() -> None:
    #                         0 2 4   6 8
    corpus = parsed(text("a b\nc\n\nd e", (4, 8, "X"), (0, 1, "Y")))
    assert [corpus.sentence(at) for at in range(corpus.n_sentences)] == [
        ["a", "b"],
        ["c", "d", "e"],
    ]
    assert rows(corpus) == [(0, (0,), "Y", 0, 0), (1, (0, 1), "X", 0, 0)]
    assert corpus.notes == ("2 line ends inside of spans: they end no sentence",)


def test_offsets_count_characters_not_bytes_or_utf16_units() -> None:
    # U+1F600 is four bytes and two UTF-16 units, but one character
    corpus = parsed(
        text("\U0001f600 \u0645\u0631\u062d\u0628\u0627 e\u0301a", (2, 7, "X"), (8, 11, "Y"))
    )
    assert rows(corpus) == [(0, (1,), "X", 0, 0), (0, (2,), "Y", 0, 0)]


def test_every_kind_of_white_space_separates_words() -> None:
    assert parsed(text("a\u00a0b\tc\u3000d\r\ne")).sentence(0) == ["a", "b", "c", "d"]


def test_records_are_documents_with_ids() -> None:
    corpus = parsed(text("a\nb", id="x"), text("", id=7), text("c", id="y"))
    assert corpus.document_ids == ("x", "7", "y")
    assert corpus.documents.tolist() == [0, 0, 1, 2]
    assert corpus.offsets.tolist() == [0, 1, 2, 2, 3]  # a text without words is an empty sentence


def test_tokens_with_tags() -> None:
    corpus = parsed(
        {"tokens": ["Ada", "sleeps"], "tags": ["B-PER", "O"]}, {"tokens": ["Yes"], "tags": ["O"]}
    )
    assert corpus.offsets.tolist() == [0, 2, 3]
    assert list(corpus.layers["tags"]) == ["B-PER", "O", "O"]
    assert (corpus.spans, corpus.documents, corpus.running_text) == (None, None, False)


@pytest.mark.parametrize("key", ["ner_tags", "pos_tags", "upos"])
def test_other_names_of_tags_are_layers_and_tags(key: str) -> None:
    corpus = parsed({"tokens": ["a"], key: ["X"]})
    assert list(corpus.layers[key]) == list(corpus.layers["tags"]) == ["X"]


def test_a_record_may_have_several_layers_and_the_entities_are_the_tags() -> None:
    corpus = parsed({"id": 1, "tokens": ["a"], "pos_tags": ["N"], "ner_tags": ["B-X"]})
    assert list(corpus.layers["tags"]) == ["B-X"]
    assert list(corpus.layers["pos_tags"]) == ["N"]


def test_tokens_may_be_a_list_of_sentences() -> None:
    corpus = parsed({"tokens": [["a"], ["b", "c"]], "tags": [["X"], ["Y", "Z"]]})
    assert (corpus.offsets.tolist(), corpus.documents.tolist()) == ([0, 1, 3], [0, 0])


def test_a_token_knows_its_line() -> None:
    corpus = parsed("", text("a b"), "", "", text("c"))
    assert [corpus.line(token) for token in range(3)] == [2, 2, 5]
    odd = parsed({"tokens": ["a\nb", "c"], "tags": ["X", "X"]}, {"tokens": ["d"], "tags": ["X"]})
    assert odd.line(2) == 2


FINE = {"text": "a", "spans": [], "id": "fine"}
SPAN = {"start": 0, "end": 1, "label": "X"}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ('{"text": "a"', "not JSON: Expecting ',' delimiter (column 13)."),
        ("[1]", "a line with a list, not an object."),
        ("[" * 100_000, "JSON that is too large or too deep."),
        ('{"a": ' + "1" * 5000 + "}", "JSON that is too large or too deep."),
        ('{"text": "\\ud83d", "spans": []}', "half of a surrogate pair, which is no character."),
        ('{"text": "a", "spans": [3], "spans": []}', 'the key "spans" occurs twice in one object.'),
        ('{"text": "a", "spans": [{"label": 1, "label": 1}]}', 'the key "label" occurs twice'),
        ('{"text": "a", "spans": [], "meta": {"x": NaN}}', "not JSON: NaN is not a number."),
        ('{"text": "a", "spans": [], "x": -Infinity}', "not JSON: -Infinity is not a number."),
        ('{"text": "a", "spans": [], "x": 1e999}', "the number 1e999 is too large."),
        ({"body": "a"}, "neither text and spans nor tokens and tags (keys: body)."),
        ({"text": "a"}, "text without spans (keys: text)."),
        ({"spans": []}, "spans without their text."),
        ({"text": "a", "spans": [3]}, "span 1 is a number, not an object."),
        ({"text": "a", "spans": [SPAN, {"start": 0, "end": 1}]}, "span 2 has no label."),
        ({"text": "a", "spans": [SPAN | {"start": "0"}]}, 'start of span 1 is "0", not a number'),
        ({"text": "a", "spans": [SPAN | {"start": True}]}, "start of span 1 is true, not a number"),
        ({"text": "a", "spans": [SPAN | {"end": 1.0}]}, "end of span 1 is 1.0, not a number"),
        ({"text": "a", "spans": [SPAN | {"start": -1}]}, "start of span 1 is -1, not a number"),
        ({"text": "a", "spans": [SPAN | {"end": 0}]}, "span 1 ends (0) where or before it begins"),
        ({"text": "a", "spans": [SPAN | {"end": 2}]}, "span 1 ends at 2, but the text has 1 char"),
        ({"text": "ab", "spans": [SPAN | {"text": "b"}]}, 'span 1 is "a", but its text says "b".'),
        ({"text": " a", "spans": [SPAN]}, "span 1 is nothing but white space."),
        (FINE, 'the id "fine" is on line 1, too.'),
        (FINE | {"id": [1]}, "the id is a list, not a string or a number."),
        ({"text": "a", "spans": []}, "this record has no id, but others have one."),
        ({"tokens": ["a"], "tags": ["O"]}, "a record with tokens among records with text."),
    ],
)
def test_faults_have_their_line(record: object, expected: str) -> None:
    assert message(FINE, "", record).startswith(f"f:3: {expected}")


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"tokens": ["a"]}, "tokens without tags (keys: tokens)."),
        ({"tokens": "a", "tags": ["O"]}, "tokens is a string, not a list."),
        ({"tokens": ["a", 1], "tags": ["O", "O"]}, "1 in tokens is not a string with something"),
        ({"tokens": ["a", ""], "tags": ["O", "O"]}, '"" in tokens is not a string with something'),
        ({"tokens": ["a"], "tags": [None]}, "missing in tags is not a string"),
        ({"tokens": ["a"], "tags": ["O", "O"]}, "1 tokens, but 2 tags."),
        ({"tokens": ["a"], "tags": [3]}, "tags are integers, and nothing says what they mean."),
        ({"tokens": [["a"]], "tags": ["O"]}, "tags is a string, not a list."),
        ({"tokens": [["a"]], "tags": []}, "tags does not have as many sentences as tokens."),
        ({"tokens": ["a"], "upos": ["O"]}, "layers upos where the first record has tags."),
    ],
)
def test_faults_of_tokens_have_their_line(record: object, expected: str) -> None:
    assert message({"tokens": ["a"], "tags": ["O"]}, record).startswith(f"f:2: {expected}")


def test_many_faults_are_told_at_once() -> None:
    assert [line.split(": ")[0] for line in message("[]", FINE, "{}").splitlines()] == [
        "f:1",
        "f:3",
    ]


def test_it_is_recognised_by_content() -> None:
    for line in (b'{"text": "a", "spans": []}\n', b'\n { "tokens" : []}', b'{"a": '):
        assert recognise(source_of("f", line)).name == "jsonl"
    for line in (b"{ O\n} O\n", b'{"a"\tO\n', b'{"\tO\n'):
        assert recognise(source_of("f", line)).name == "conll"


def test_what_jsonl_cannot_hold_is_refused() -> None:
    gap = Corpus.of([["a", "b", "c"]])
    with pytest.raises(UsageError, match=r"cannot hold spans with gaps \(X 'a c'\)"):
        jsonl.write(replace(gap, spans=Spans.of([(0, 0, 3, "X", (0, 2))])))
    with pytest.raises(UsageError, match="the token 'a b' has white space in it"):
        jsonl.write(replace(Corpus.of([["a b"]]), spans=Spans.of([])))
    with pytest.raises(UsageError, match="no tokens with tags"):
        jsonl.write(gap)
