"""Attributes from training data, worked by hand and against plain counting."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.alignment.entity_tokens import entity_tokens
from finegrain.attributes import by_name
from finegrain.attributes.training import prepare
from finegrain.corpus import Coded, Corpus, Spans
from finegrain.corpus.label_rules import LabelRules
from finegrain.errors import InputError, UsageError

# 12 tokens, 4 entities: New York LOC, New York Times ORG, New York LOC, york PER
TRAIN = Corpus.of(
    [
        ["in", "New", "York"],
        ["New", "York", "Times"],
        ["NEW", "YORK", "new", "york"],
        ["york", "!"],
    ],
    tags=[
        ["O", "B-LOC", "I-LOC"],
        ["B-ORG", "I-ORG", "I-ORG"],
        ["B-LOC", "I-LOC", "O", "O"],
        ["B-PER", "O"],
    ],
)
TEXT = [["new", "york", "saw", "York"], ["Rome", "in", "May"]]
GOLD = Corpus.of(TEXT, tags=[["B-LOC", "I-LOC", "O", "B-LOC"], ["B-LOC", "O", "O"]])
SYSTEM = Corpus.of(TEXT, tags=[["B-ORG", "I-ORG", "O", "B-PER"], ["O", "O", "B-DAY"]])


def _by_unit(table: fg.OutcomeTable, name: str) -> dict[str, float]:
    values = by_name(name).values(table, TRAIN)
    listed = list(values) if isinstance(values, Coded) else values.round(4).tolist()
    return {
        f"{table.text(row)} {table.labels[table.label[row]]}": value
        for row, value in enumerate(listed)
    }


def test_entities_by_hand() -> None:
    """Entities with the words new york: 2 of 4, both LOC; the words occur 4 times, once within New
    York Times and once outside of entities. york alone: 1 entity of 4, a PER; 5 occurrences.
    """
    table = fg.align(GOLD, {"s": SYSTEM})
    assert _by_unit(table, "entity_frequency") == {
        "new york LOC": 0.5, "new york ORG": 0.5, "York LOC": 0.25, "York PER": 0.25,
        "Rome LOC": 0, "May DAY": 0,
    }  # fmt: skip
    assert _by_unit(table, "entity_consistency") == {
        "new york LOC": 0.5, "new york ORG": 0, "York LOC": 0, "York PER": 0.2,
        "Rome LOC": 0, "May DAY": 0,
    }  # fmt: skip
    assert _by_unit(table, "novelty") == {
        "new york LOC": "seen", "new york ORG": "other_label", "York LOC": "other_label",
        "York PER": "seen", "Rome LOC": "unseen", "May DAY": "unseen",
    }  # fmt: skip
    assert _by_unit(table, "training_ambiguity")["York LOC"] == 1
    assert _by_unit(table, "unknown_word")["Rome LOC"] == "unknown"


def test_sentences_by_hand() -> None:
    """saw is new, 1 of 4; Rome and May are, 2 of 3. Entity tokens of gold: 3 of 4, 1 of 3."""
    table = fg.align(GOLD, {"s": SYSTEM})
    oov, density = _by_unit(table, "oov_density"), _by_unit(table, "entity_density")
    assert (oov["York LOC"], oov["May DAY"]) == (0.25, 0.6667)
    assert (density["new york ORG"], density["May DAY"]) == (0.75, 0.3333)
    assert _by_unit(table, "sentence_length")["May DAY"] == 3
    assert _by_unit(table, "entity_length")["new york ORG"] == 2


def test_tokens_by_hand() -> None:
    """new: 4 of 12 tokens, LOC twice and ORG once; york: 5 of 12, LOC twice, ORG and PER once."""
    table = entity_tokens(fg.align(GOLD, {"s": SYSTEM}))
    frequency, consistency = (
        by_name(name).values(table, TRAIN) for name in ("token_frequency", "token_consistency")
    )
    found = {
        (table.text(row), table.labels[table.label[row]], int(table.begin[row])): (
            round(float(frequency[row]), 4),  # type: ignore[index]
            round(float(consistency[row]), 4),  # type: ignore[index]
        )
        for row in range(len(table))
    }
    assert found == {
        ("new", "LOC", 0): (0.3333, 0.5), ("new", "ORG", 0): (0.3333, 0.25),
        ("york", "LOC", 1): (0.4167, 0.4), ("york", "ORG", 1): (0.4167, 0.2),
        ("York", "LOC", 3): (0.4167, 0.4), ("York", "PER", 3): (0.4167, 0.2),
        ("Rome", "LOC", 0): (0, 0), ("May", "DAY", 2): (0, 0),
    }  # fmt: skip


def test_tags_by_hand() -> None:
    """run: 3 of 4 tokens, VERB twice, two tags; the: DET always; zebra: not there."""
    train = Corpus.of([["Run", "run", "run", "the"]], tags=[["VERB", "VERB", "NOUN", "DET"]])
    gold = Corpus.of([["the", "run", "zebra"]], tags=[["DET", "NOUN", "NOUN"]])
    table = fg.align(gold, {"same": gold})

    def values(name: str) -> list[float]:
        return [round(float(one), 4) for one in by_name(name).values(table, train)]  # type: ignore[arg-type]

    assert values("word_frequency") == values("token_frequency") == [0.25, 0.75, 0]
    assert values("tag_consistency") == values("token_consistency") == [1, 0.3333, 0]
    assert values("training_ambiguity") == [1, 2, 0]
    assert values("oov_density") == [0.3333] * 3
    assert list(by_name("unknown_word").values(table, train)) == ["known", "known", "unknown"]


def test_case_can_be_told_apart() -> None:
    table = fg.align(GOLD, {"s": SYSTEM})
    data = prepare(TRAIN, table, fold_case=False)
    found = by_name("entity_frequency").values(table, data)
    assert found.tolist() == [0, 0, 0, 0, 0, 0]  # type: ignore[union-attr]  # York is York only in
    # longer entities, and the one york that is an entity is written small


def test_a_token_in_two_entities_of_one_label_counts_once() -> None:
    """New York City ORG holds New York ORG: city once, york once of one occurrence."""
    text = Corpus.of([["New", "York", "City"]])
    train = replace(text, spans=Spans.of([(0, 0, 3, "ORG"), (0, 0, 2, "ORG")]))
    table = entity_tokens(fg.align(train, {"same": train}))
    assert by_name("token_consistency").values(table, train).tolist() == [1, 1, 1]  # type: ignore[union-attr]


def test_occurrences_overlap_and_stay_within_sentences() -> None:
    """a a a | a: "a a" twice in the first sentence, never across; one of the two is annotated."""
    train = Corpus.of([["a", "a", "a"], ["a"]], tags=[["B-X", "I-X", "O"], ["O"]])
    gold = Corpus.of([["a", "a"]], tags=[["B-X", "I-X"]])
    table = fg.align(gold, {"same": gold})
    assert by_name("entity_consistency").values(table, train).tolist() == [0.5]  # type: ignore[union-attr]


def test_document_boundaries_are_no_words(tmp_path: object) -> None:
    """-DOCSTART- lines are not counted: in is one of two tokens."""
    from finegrain.formats import by_name as format_named
    from finegrain.formats.source import source_of

    text = b"-DOCSTART- O\n\nin O\nRome B-LOC\n"
    train = format_named("conll").read(source_of("train.conll", text))
    gold = Corpus.of([["in"]], tags=[["B-LOC"]])
    table = entity_tokens(fg.align(gold, {"same": gold}))
    assert by_name("token_frequency").values(table, train).tolist() == [0.5]  # type: ignore[union-attr]


def test_labels_of_the_training_data_can_be_renamed() -> None:
    table = fg.align(GOLD, {"s": SYSTEM})
    rules = LabelRules(rename={"ORG": "LOC", "PER": "LOC"})
    found = by_name("entity_consistency").values(table, prepare(TRAIN, table, rules=rules))
    row = [table.text(row) for row in range(len(table))].index("York")
    assert found[row] == 0.2  # type: ignore[index]


def test_training_data_without_text_or_tags_is_refused() -> None:
    table = fg.align(GOLD, {"s": SYSTEM})
    bare = Corpus("train.spans", np.array([0, 2]), spans=Spans.of([(0, 0, 1, "LOC")]))
    with pytest.raises(InputError, match=r"train\.spans: has annotation only"):
        by_name("oov_density").values(table, bare)
    plain = Corpus.of([["a"]], source="train.txt")
    with pytest.raises(InputError, match=r"train\.txt: no spans and no layer 'tags'"):
        by_name("oov_density").values(table, plain)
    tags = fg.align(GOLD, {"s": SYSTEM}, task="tags")
    with pytest.raises(InputError, match="no layer 'tags'"):
        by_name("word_frequency").values(tags, plain)


def test_attributes_of_tokens_are_not_asked_about_spans() -> None:
    with pytest.raises(UsageError, match="describes tokens"):
        by_name("token_frequency").values(fg.align(GOLD, {"s": SYSTEM}), TRAIN)


SENTENCES = st.lists(
    st.lists(st.tuples(st.sampled_from("abAB"), st.sampled_from(["O", "B-X", "I-X", "B-Y"])),
             min_size=1, max_size=6),
    min_size=1, max_size=5,
)  # fmt: skip


def _corpus(sentences: list[list[tuple[str, str]]]) -> Corpus:
    words = [[word for word, _ in one] for one in sentences]
    return Corpus.of(words, tags=[[tag for _, tag in one] for one in sentences])


@settings(max_examples=80, deadline=None)
@given(SENTENCES, SENTENCES)
def test_counts_are_those_of_dictionaries(
    train: list[list[tuple[str, str]]], test: list[list[tuple[str, str]]]
) -> None:
    learnt, gold = _corpus(train), _corpus(test)
    table = fg.align(gold, {"same": gold}, task="spans")
    spans = fg.align(learnt, {"same": learnt}, task="spans")
    units = Counter(
        (spans.text(row).casefold(), spans.labels[spans.label[row]]) for row in range(len(spans))
    )
    counts = prepare(learnt, table).counts(table)
    for row in range(len(table)):
        words = table.text(row).casefold().split()
        label = table.labels[table.label[row]]
        lines = [[word.casefold() for word, _ in one] for one in train]
        expected = sum(
            line[at : at + len(words)] == words for line in lines for at in range(len(line))
        )
        mine = {one[1]: n for one, n in units.items() if one[0] == " ".join(words)}
        assert counts.occurrences[row] == expected
        assert counts.annotated[row] == sum(mine.values())
        assert counts.same_label[row] == mine.get(label, 0)
        assert counts.labels[row] == len(mine)
