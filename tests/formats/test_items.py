"""Items as JSON lines: every key a column, lists as rows of their own, faults with their line."""

from __future__ import annotations

import numpy as np
import pytest

import finegrain as fg
from finegrain.alignment.item_tables import codes_of, meet
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.items import numbers
from finegrain.errors import AlignmentError, InputError
from finegrain.formats import recognise
from finegrain.formats.items import read, write
from finegrain.formats.source import source_of


def _read(*lines: str) -> Corpus:
    return read(source_of("f.jsonl", "\n".join(lines).encode()))


def test_columns_are_numbers_or_strings_and_know_what_is_missing() -> None:
    corpus = _read(
        '{"id": 1, "label": "pos", "score": 0.5, "of": {"x": true}}',
        "",
        '{"id": 2, "label": null, "score": null}',
    )
    assert corpus.fields["id"].tolist() == ["1", "2"]
    assert corpus.fields["label"].tolist() == ["pos", None]
    assert np.array_equal(corpus.fields["score"], [0.5, np.nan], equal_nan=True)
    assert np.array_equal(corpus.fields["of.x"], [1, np.nan], equal_nan=True)
    assert corpus.fields["@line"].tolist() == [1, 3]


def test_lists_are_rows_that_belong_to_their_item() -> None:
    corpus = _read(
        '{"id": "q", "documents": [{"id": "d1", "grade": 2}, {"id": "d2"}], "references": ["a"]}',
        '{"id": "r", "documents": [], "references": ["b", "c"]}',
    )
    documents, references = corpus.parts["documents"], corpus.parts["references"]
    assert documents.parent.tolist() == [0, 0]
    assert np.array_equal(documents.fields["grade"], [2, np.nan], equal_nan=True)
    assert references.parent.tolist() == [0, 1, 1]
    assert references.fields["value"].tolist() == ["a", "b", "c"]
    turned = references.of(np.array([1]))
    assert (turned.parent.tolist(), turned.fields["value"].tolist()) == ([0, 0], ["b", "c"])
    assert write(_read(*write(corpus).splitlines())) == write(corpus)


def test_words_of_the_text_are_tokens_and_documents_group_items() -> None:
    corpus = _read(
        '{"id": "a", "text": "one two", "document": "x", "label": "l"}',
        '{"id": "b", "text": "", "document": "y", "label": "l"}',
        '{"id": "c", "text": "three", "document": "x", "label": "l"}',
    )
    assert [corpus.sentence(at) for at in range(3)] == [["one", "two"], [], ["three"]]
    assert corpus.documents is not None
    assert (corpus.documents.tolist(), corpus.document_ids) == ([0, 1, 0], ("x", "y"))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"id": "b", "label": 3}', "'label' is a number here and not elsewhere"),
        ('{"id": "", "label": "x"}', "the id is a string"),
        ('{"id": "b", "label": "x", "label": "y"}', 'the key "label" occurs twice'),
        ('{"id": "b", "label": "x", "score": NaN}', "NaN is not a number"),
        ('{"id": "b", "all": [[1]]}', "a list in the list 'all'"),
        ('["b"]', "a list in place of an object"),
    ],
)
def test_a_bad_record_is_told_with_its_line(line: str, what: str) -> None:
    with pytest.raises(InputError, match=r"f\.jsonl:2") as caught:
        _read('{"id": "a", "label": "x"}', line)
    assert what in str(caught.value)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('{"id": "a", "label": "pos"}', "items"),
        ('{"id": "a", "text": "so", "label": "pos"}', "items"),
        ('{"id": "a", "text": "so", "spans": []}', "jsonl"),
        ('{"id": "a", "tokens": ["so"], "tags": ["O"]}', "jsonl"),
        ('{"id": "a", "text": "so", "labels": [[0, 2, "PER"]]}', "jsonl"),
        ('{"text": "so", "label": "pos"}', "items"),
        ('[{"text": "so", "label": "pos"}]', "items"),
        ('{"of": 1, "predictions": [{"label": "pos"}]}', "items"),
        ('{"id": "a", "text": "so"}', "jsonl"),
    ],
)
def test_items_are_told_from_records_of_text(line: str, name: str) -> None:
    assert recognise(source_of("f", line.encode())).name == name


def test_an_item_that_is_not_gold_is_refused_with_its_line() -> None:
    gold = _read('{"id": "a", "label": "x"}')
    with pytest.raises(AlignmentError, match=r"f.jsonl:2: the item 'b' is not in the gold file"):
        meet(gold, {"s": _read('{"id": "a", "answer": "x"}', '{"id": "b", "answer": "x"}')})
    with pytest.raises(InputError, match="no column 'answer'"):
        meet(gold, {"s": _read('{"id": "a", "label": "x"}')}).column("answer")


def test_a_missing_label_is_never_the_last_one() -> None:
    assert codes_of([None, "b"], ("a", "b")).tolist() == [-1, 1]


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (('{"label": "x"}',), "f.jsonl:2: this item has no id"),
        (('{"id": "a", "label": "x"}',), "f.jsonl:2: the id 'a' is on line 1, too"),
    ],
)
def test_ids_are_there_and_unique(lines: tuple[str, ...], what: str) -> None:
    with pytest.raises(InputError, match=what):
        meet(_read('{"id": "a", "label": "x"}', *lines), {})


def test_no_task_is_guessed_from_numbers() -> None:
    gold = _read('{"id": "a", "label": 1}')
    with pytest.raises(InputError, match="the task is not certain"):
        fg.align(gold, {"s": gold})


def test_long_integers_are_kept_to_the_last_digit() -> None:
    first, second = 9007199254740993, 9007199254740992  # equal as floats
    corpus = _read(
        f'{{"id": {first}, "label": {first}, "documents": [{{"id": {first}, "score": 1}}]}}',
        f'{{"id": {second}, "label": 7, "documents": [{{"id": {second}, "score": 2.5}}]}}',
        f'{{"id": "x", "label": {"9" * 400}}}',
    )
    assert corpus.fields["id"].tolist() == [str(first), str(second), "x"]
    assert corpus.fields["label"].tolist() == [str(first), "7", "9" * 400]
    rows = corpus.parts["documents"]
    assert rows.fields["id"].tolist() == [str(first), str(second)]
    assert rows.fields["score"].tolist() == [1, 2.5]


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "a", "p.x": 1, "p": {"x": 2}}',
        '{"id": "a", "documents": [{"p.x": 1, "p": {"x": 2}}]}',
    ],
)
def test_a_key_that_is_there_in_two_ways_is_refused(line: str) -> None:
    with pytest.raises(InputError, match=r"f\.jsonl:1: 'p\.x' is a key, and there is the same"):
        _read(line)


@pytest.mark.parametrize("cell", ["1_000", "1\0", "٣", "1\u00a0", "0x1", "nan", "1e999"])
def test_what_only_a_programming_language_takes_for_a_number_is_none(cell: str) -> None:
    assert numbers(Texts.of(["2", cell])) is None
    assert numbers(Texts.of(["2", " 3e1", "-.5 "])).tolist() == [2, 30, -0.5]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"meta": {"data": [{"a": 1}]}}', "no key holds a list"),
        ('{"meta": {"data": [{"a": 1}]}, "rows": []}', "the list of records is not where"),
        ('{"meta": {"data": [{"a": 1}]}, "rows": [1, 2]}', "the list of records is not where"),
        ('{"data": [{"id": 1}], "rows": []}', "several keys hold lists: data, rows"),
    ],
)
def test_a_list_of_records_that_is_hidden_is_refused(text: str, what: str) -> None:
    with pytest.raises(InputError, match=f"f:1: {what}"):
        read(source_of("f", text.encode()))


def test_items_may_have_lists_only() -> None:
    corpus = read(source_of("f", b'{"examples": []}\n{"examples": [{"a": 1}]}\n'))
    assert corpus.n_sentences == 2
    with pytest.raises(InputError, match="items have no"):
        fg.align(corpus, {"a": corpus}, task="classification")
