"""Label sets from every layout, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.corpus.label_rules import LabelRules
from finegrain.errors import AlignmentError, InputError
from finegrain.formats.delimited import read as read_csv
from finegrain.formats.items import read as read_items
from finegrain.formats.source import source_of
from finegrain.table import OutcomeTable

GOLD = '{"id": "1", "labels": ["a", "b"]}\n{"id": "2", "labels": []}\n{"id": "3", "labels": ["c"]}'
SYSTEM = (
    '{"id": "1", "labels": ["a"]}\n{"id": "2", "labels": ["b"]}\n{"id": "3", "labels": ["c", "a"]}'
)


def _items(text: str, **options: Any) -> fg.Corpus:
    return read_items(source_of("file", text.encode()), **options)


def _csv(text: str, **options: Any) -> fg.Corpus:
    return read_csv(source_of("file", text.encode()), **options)


def _align(gold: fg.Corpus, system: fg.Corpus, **options: Any) -> OutcomeTable:
    return fg.align(gold, {"s": system}, task="multilabel", **options)


def _rows(table: OutcomeTable) -> list[tuple[int, str, str]]:
    return [
        (int(item), table.labels[label], table.outcomes.names[code])
        for item, label, code in zip(table.sentence, table.label, table.outcome[:, 0], strict=True)
    ]


EXPECTED = [
    (0, "a", "TP"), (0, "b", "FN"), (1, "b", "FP"), (2, "a", "FP"), (2, "c", "TP"),
]  # fmt: skip


def test_lists_in_json() -> None:
    assert _rows(_align(_items(GOLD), _items(SYSTEM))) == EXPECTED


@pytest.mark.parametrize("mark", ["|", ";", ","])
def test_cells_with_a_separator(mark: str) -> None:
    tab = "\t"
    gold = f"id{tab}labels\n1{tab}a{mark}b\n2{tab}\n3{tab}c\n4{tab}a{mark}c\n5{tab}b\n"
    system = f"id{tab}labels\n1{tab}a\n2{tab}b\n3{tab}c{mark}a\n4{tab}a{mark}c\n5{tab}b\n"
    assert _rows(_align(_csv(gold), _csv(system)))[:5] == EXPECTED


def test_columns_of_0_and_1_name_the_schema() -> None:
    gold = "id,text,a,b,c,d\n1,x y,1,1,0,0\n2,x,0,0,0,0\n3,y,0,0,1,0\n"
    system = "id,a,b,c,d\n1,1,0,0,0\n2,0,1,0,0\n3,1,0,1,0\n"
    table = _align(_csv(gold), _csv(system))
    assert _rows(table) == EXPECTED
    assert table.settings["schema"] == "4"  # d, which nobody has, is a label
    assert fg.score(table).value("hamming", "s") == pytest.approx(3 / 12)


def test_long_tables_repeat_ids() -> None:
    gold = "id,code\n1,a\n1,b\n2,\n3,c\n"
    system = "id,code\n3,a\n1,a\n2,b\n3,c\n"
    assert _rows(_align(_csv(gold), _csv(system))) == EXPECTED


def test_the_layout_of_goemotions_has_text_numbers_and_id() -> None:
    columns = {"text": 1, "labels": 2, "id": 3}
    gold = _csv("so glad\t17,2\tx1\nwell\t27\tx2\nhm\t2,5\tx3\n", columns=columns)
    system = _csv("so glad\t17\tx1\nwell\t27\tx2\nhm\t2\tx3\n", columns=columns)
    assert [row[1:] for row in _rows(_align(gold, system))] == [
        ("17", "TP"), ("2", "FN"), ("27", "TP"), ("2", "TP"), ("5", "FN")
    ]  # fmt: skip


@pytest.mark.parametrize("cell", ["['a', 'b']", '["a", "b"]', "[a, b]"])
def test_cells_that_hold_a_list(cell: str) -> None:
    table = _align(_csv(f"id\tlabels\n1\t{cell}\n"), _csv("id\tlabels\n1\t['a']\n"))
    assert _rows(table) == [(0, "a", "TP"), (0, "b", "FN")]


def test_scores_are_labels_from_a_threshold_on() -> None:
    gold = _items('{"id": "1", "labels": ["a"]}')
    system = _items('{"id": "1", "scores": {"a": 0.7, "b": 0.4}}')
    assert _rows(_align(gold, system, threshold="0.5")) == [(0, "a", "TP")]
    with pytest.raises(InputError, match="threshold"):
        _align(gold, system)


def test_lrap_needs_scores_and_ranks_labels_without_one_last() -> None:
    gold = _items('{"id": "1", "labels": ["a", "c"]}\n{"id": "2", "labels": ["b"]}')
    system = _items(
        '{"id": "1", "labels": [], "scores": {"a": 0.1, "b": 0.9}}\n'
        '{"id": "2", "labels": [], "scores": {"b": 0.9, "c": 0.2}}'
    )
    table = _align(gold, system)
    # item 1: b, a, then c: a 1 of 2, c 2 of 3; item 2: b first
    assert fg.score(table).value("lrap", "s") == pytest.approx(((1 / 2 + 2 / 3) / 2 + 1) / 2)
    assert any("ranked last" in note for note in table.notes)


def test_labels_listed_twice_count_once_and_are_counted() -> None:
    table = _align(
        _items('{"id": "1", "labels": ["a"]}'), _items('{"id": "1", "labels": ["a", "a"]}')
    )
    assert _rows(table) == [(0, "a", "TP")]
    assert any("listed twice" in note for note in table.notes)


def test_an_item_without_any_label_is_an_item() -> None:
    table = _align(_items(GOLD), _items(SYSTEM.replace('["b"]', "[]")))
    assert _rows(table)[2] == (1, "a", "ABSENT")
    assert fg.score(table).value("subset_accuracy", "s") == pytest.approx(1 / 3)


@pytest.mark.parametrize("lost", ['{"id": "2", "labels": null}', '{"id": "2"}'])
def test_labels_that_are_not_given_are_no_empty_set(lost: str) -> None:
    system = _items(SYSTEM.replace('{"id": "2", "labels": ["b"]}', lost))
    with pytest.raises(InputError, match="not given"):
        _align(_items(GOLD), system)
    assert (1, "b", "FP") not in _rows(_align(_items(GOLD), system, missing="wrong"))
    gold = _items(GOLD.replace('{"id": "2", "labels": []}', lost))
    table = _align(gold, _items(SYSTEM))
    assert table.corpus.n_sentences == 2
    assert any("1 of 3 items have no gold labels" in note for note in table.notes)


def test_missing_items_are_an_error_unless_chosen() -> None:
    system = _items(SYSTEM.split("\n", maxsplit=1)[0])
    with pytest.raises(AlignmentError, match="2 of 3 items"):
        _align(_items(GOLD), system)
    assert [row[2] for row in _rows(_align(_items(GOLD), system, missing="wrong"))] == [
        "TP", "FN", "ABSENT", "FN"
    ]  # fmt: skip
    skipped = _align(_items(GOLD), system, missing="skip")
    assert _rows(skipped) == [(0, "a", "TP"), (0, "b", "FN")]
    assert skipped.corpus.n_sentences == 1


def test_a_separator_in_doubt_is_asked_for() -> None:
    text = "id\tlabels\n1\tParis, Texas\n2\tRome\n"
    with pytest.raises(InputError, match="separator=comma"):
        _align(_csv(text), _csv(text))
    table = _align(_csv(text), _csv(text), separator="none")
    assert table.labels == ("Paris, Texas", "Rome")
    assert _align(_csv(text), _csv(text), separator="comma").labels == ("Paris", "Rome", "Texas")


@pytest.mark.parametrize(
    ("gold", "what"),
    [
        ("id,a,b\n" + "1,1,0\n" * 20 + "1,1,2\n", "file:22: 2 in the column of the label 'b'"),
        ("id,labels\n1,a|b\n2,c\n2,d\n9,\n", "is not in the gold file|have no answer"),
        ("id\tlabels\n1\t['a'\"]\n", "is not a list of labels"),
    ],
)
def test_bad_files_are_refused(gold: str, what: str) -> None:
    with pytest.raises((InputError, AlignmentError), match=what):
        _align(_csv(gold), _items(SYSTEM))


def test_a_label_outside_of_the_schema_is_told_with_its_line() -> None:
    with pytest.raises(InputError, match=r"(?s)file:3: the label 'c' is not in the schema"):
        _align(_items(GOLD), _items(SYSTEM), schema="a,b")


def test_labels_can_be_renamed_and_left_out() -> None:
    rules = LabelRules(rename={"b": "a"}, exclude=frozenset("c"))
    assert _rows(_align(_items(GOLD), _items(SYSTEM), rules=rules)) == [
        (0, "a", "TP"), (1, "a", "FP"), (2, "a", "FP"),
    ]  # fmt: skip


def test_a_string_among_lists_is_refused() -> None:
    with pytest.raises(InputError, match="a string here and a list elsewhere"):
        _items('{"id": "1", "labels": ["a"]}\n{"id": "2", "labels": "b"}')


def test_codes_have_the_difficulty_of_the_matrix_that_was_made_of_them_by_hand() -> None:
    """As in the ICD-10 half of Gianola et al.: rows of the matrix are gold codes."""
    random = np.random.default_rng(3)
    codes = [f"K{at}" for at in range(12)]
    gold = [sorted(random.choice(codes, random.integers(1, 5), replace=False)) for _ in range(60)]
    systems = {
        name: [
            sorted({c for c in own if random.random() < rate} | set(random.choice(codes, 1)))
            for own in gold
        ]
        for name, rate in {"g": 0.9, "h": 0.6, "i": 0.4}.items()
    }

    def long_table(sets: list[list[str]]) -> fg.Corpus:
        lines = [f"d{at},{code}" for at, own in enumerate(sets) for code in own]
        return _csv("id,code\n" + "\n".join(lines) + "\n")

    corpora = {name: long_table(own) for name, own in systems.items()}
    table = fg.align(long_table(gold), corpora, task="multilabel")
    matrix = [
        [int(code in systems[name][at]) for name in systems]
        for at, own in enumerate(gold)
        for code in own
    ]
    by_hand = fg.difficulty(fg.from_matrix(matrix, systems=list(systems))).to_json()
    found = fg.difficulty(table).to_json()
    assert found["sizes"] == by_hand["sizes"]
    for whole in (found, by_hand):
        del whole["labels"]  # a matrix has none
    assert found == by_hand
