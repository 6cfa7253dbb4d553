"""Segments: what is matched, refused and noted, and which faults outputs have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.alignment.ngram_matches import blocks, ngrams, sided
from finegrain.alignment.segment_words import words
from finegrain.corpus import Corpus
from finegrain.errors import FinegrainError, InputError, UsageError
from finegrain.formats import items, lines
from finegrain.formats.source import source_of
from finegrain.table import OutcomeTable


def _lines(text: str, name: str = "file") -> Corpus:
    return lines.read(source_of(name, text.encode()))


def _items(*records: str, name: str = "file") -> Corpus:
    return items.read(source_of(name, "\n".join(records).encode()))


def _table(gold: str, *outputs: str, **options: Any) -> OutcomeTable:
    systems = {f"s{place}": _lines(text) for place, text in enumerate(outputs)}
    return fg.align(_lines(gold, "gold"), systems, task="generation", **options)


def _faults(gold: str, output: str, **options: Any) -> list[str]:
    table = _table(gold, output, **options)
    return [table.outcomes.names[code] for code in table.outcome[:, 0].tolist()]


def test_different_numbers_of_lines_are_refused_with_both() -> None:
    with pytest.raises(FinegrainError, match=r"2 items where gold has 3"):
        _table("a\nb\nc\n", "a\nb\n")


def test_items_are_matched_by_id_and_lines_with_items_by_place() -> None:
    gold = _items('{"id": "x", "source": "Ahoj", "reference": "Hello there"}',
                  '{"id": "y", "source": "Nie", "reference": "No way"}')  # fmt: skip
    turned = _items('{"id": "y", "output": "No way"}', '{"id": "x", "output": "Hello there"}')
    table = fg.align(gold, {"a": turned, "b": _lines("Hello there\nNo way\n")}, task="generation")
    assert table.values["chrf"].matrix.tolist() == [[100.0, 100.0], [100.0, 100.0]]
    assert table.columns["source"].tolist() == ["Ahoj", "Nie"]


def test_references_and_sources_from_files(tmp_path: Path) -> None:
    (tmp_path / "second.txt").write_text("Hi\nNope\n")
    (tmp_path / "third.txt").write_text("Hey\nNever\n")
    (tmp_path / "source.txt").write_text("Ahoj\nNie\n")
    both = f"{tmp_path}/second.txt,{tmp_path}/third.txt"
    table = _table("Hello\nNo\n", "Hi\nNever\n", references=both, source=f"{tmp_path}/source.txt")
    assert table.values["chrf"].matrix[:, 0].tolist() == [100.0, 100.0]
    assert list(table.parts["references"].fields["text"]) == [
        "Hello", "Hi", "Hey", "No", "Nope", "Never",
    ]  # fmt: skip
    assert table.columns["source"].tolist() == ["Ahoj", "Nie"]
    with pytest.raises(InputError, match="no such file"):
        _table("a\n", "a\n", references=f"{tmp_path}/none.txt")
    with pytest.raises(FinegrainError, match="where gold has 3"):
        _table("a\nb\nc\n", "a\nb\nc\n", source=f"{tmp_path}/source.txt")


def test_options_that_do_not_exist() -> None:
    with pytest.raises(UsageError, match="unknown case 'uper'"):
        _table("a\n", "a\n", case="uper")
    with pytest.raises(UsageError, match=r"unknown tokenizer 'chr'\. Did you mean 'char'"):
        fg.score(_table("a\n", "a\n", tokenize="chr"), "bleu")


def test_outputs_that_are_missing() -> None:
    gold = _items('{"id": "x", "reference": "Hello there"}', '{"id": "y", "reference": "No"}')
    some = _items('{"id": "y", "output": "No"}')
    with pytest.raises(FinegrainError, match="1 of 2 items have no answer: 'x'"):
        fg.align(gold, {"a": some}, task="generation")
    wrong = fg.align(gold, {"a": some}, task="generation", missing="wrong")
    assert wrong.outcomes.names[wrong.outcome[0, 0]] == "UNANSWERED"
    assert wrong.values["chrf"].matrix[:, 0].tolist() == [0.0, 100.0]
    skipped = fg.align(gold, {"a": some}, task="generation", missing="skip")
    assert len(skipped) == 1
    null = _items('{"id": "x", "output": null}', '{"id": "y", "output": "No"}')
    with pytest.raises(InputError, match="file:1: no output"):
        fg.align(gold, {"a": null}, task="generation")


def test_segments_without_a_reference_are_refused() -> None:
    gold = _items('{"id": "x", "references": []}', '{"id": "y", "references": ["No"]}')
    with pytest.raises(InputError, match="a segment without a reference"):
        fg.align(gold, {}, task="generation")


GOLD = "Nobody knows how old the bridge is.\n"


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        ("Nobody knows the age of the bridge.", "SOUND"),
        ("", "EMPTY"),
        ("Nobody knows knows knows knows", "LOOP"),
        ("it is old it is old it is old", "LOOP"),
        ("Никто не знает", "FOREIGN"),
        ("Nobody knows.", "SHORT"),
        ("Nobody knows how old the", "SHORT"),
        ("Nobody knows how old the bridge is" + ", as far as anybody can tell today" * 2, "LONG"),
        ("Nobody knows very very very well how old it is.", "SOUND"),
    ],
)
def test_faults(output: str, fault: str) -> None:
    assert _faults(GOLD + "It is so.\n", output + "\nIt is so.\n") == [fault, "SOUND"]


def test_a_loop_that_the_reference_has_is_none() -> None:
    assert _faults("no no no no no\n", "no no no no\n") == ["SOUND"]
    assert _faults("no no no no no\n", "no no no no no no no\n") == ["LOOP"]


def test_copied_sources() -> None:
    source = _lines("Nikto nevie, aky stary je most.\nOK\n")
    gold = "Nobody knows how old the bridge is.\nOK\n"
    copied = "Nikto nevie, aky stary je ten most.\nOK\n"
    assert _faults(gold, copied, source=source) == ["COPIED", "SOUND"]
    assert _faults(gold, copied) == ["SOUND", "SOUND"]


def test_words_that_only_other_sources_have_are_of_another_language() -> None:
    source = "jeden dva tri styri pat\n" * 3 + "sest sedem osem devat desat\n"
    gold = "one two three four five\n" * 3 + "six seven eight nine ten\n"
    outputs = "jeden osem tri devat sest\n" + "one two three four five\n" * 2 + "six ten nine two\n"
    found = _faults(gold, outputs, source=_lines(source))
    assert found == ["FOREIGN", "SOUND", "SOUND", "SOUND"]


def test_texts_in_any_script_have_words() -> None:
    assert words("Ça va? 3,5 µm") == ["ça", "va", "3", "5", "µm"]
    assert words("ไทย") == ["ไ", "ท", "ย"]
    assert words("हिन्दी में") == ["हिन्दी", "में"]
    assert words("snake_case") == ["snake", "case"]


@pytest.mark.parametrize(("outputs", "note"), [
    ("It is .\n" * 12, "s0: segments end in ' .'"),
    ("It is.\n" * 12, "s0: all 12 outputs are references to the letter"),
])  # fmt: skip
def test_texts_that_are_probably_not_what_they_should_be(outputs: str, note: str) -> None:
    assert any(note in one for one in _table("It is.\n" * 12, outputs).notes)


def test_swapped_files_are_noticed_by_what_is_in_them_and_by_their_names() -> None:
    table = _table("\n" * 3 + "It was so.\n", "It is.\n" * 3 + "It was so.\n")
    assert any("swapped? 3 references empty or caught in a loop" in one for one in table.notes)
    gold, ref = _lines("It is.\n", "out/hyp.txt"), _lines("It was.\n", "ref.txt")
    table = fg.align(gold, {"ref": ref}, task="generation")
    assert any("by their names out/hyp.txt is an output" in one for one in table.notes)


def test_ngrams_of_large_alphabets_are_exact() -> None:
    """Where symbols do not fit into a key, numbers of shorter n-grams stand for them."""
    first = [1 << 20, 5, 1 << 20, 5, 7]
    texts = [[first, [3]], [[5, 1 << 20, 5], []]]
    found = [
        sorted(tuple(row) for row in order.counts.tolist())
        for block in blocks(sided(texts)) for order in ngrams(block, n_sides=2, longest=3)
    ]  # fmt: skip
    assert found[1] == [(1, 0), (1, 1), (2, 0)] or found[1] == [(1, 0), (1, 1), (2, 1)]
    assert found[2] == [(1, 0), (1, 0), (1, 1)]


def test_tasks_are_recognised_by_sources_and_references() -> None:
    gold = _items('{"id": "x", "source": "Ahoj", "references": ["Hello"]}')
    mine = _items('{"id": "x", "hypothesis": "Hello"}')
    assert fg.align(gold, {"a": mine}).task.name == "generation"
