"""A data set without any system: sizes, lengths, labels, overlap, inconsistent labels."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from tests.schema import require_schema
from tests.table.corpora import TABLES

GOLD = fg.Corpus.of(
    [
        ["Ada", "left", "New", "York", "today", "."],
        ["Bob", "ran", "."],
        ["Ada", "left", "New", "York", "today", "."],
        [],
    ],
    tags=[
        ["B-PER", "O", "B-LOC", "I-LOC", "O", "O"],
        ["B-PER", "O", "O"],
        ["B-PER", "O", "O", "O", "O", "O"],
        [],
    ],
)
TRAIN = fg.Corpus.of(
    [["Ada", "left", "New", "York", "today", "."], ["bob", "ran", "."], ["York", "won"]],
    tags=[["B-PER", "O", "B-ORG", "I-ORG", "O", "O"], ["O", "O", "O"], ["B-TEAM", "O"]],
)


def test_sizes_labels_and_lengths_by_hand() -> None:
    found = fg.describe(GOLD).to_json()
    # Ada twice, Bob, New York once; Ada left New York today . Bob ran are eight words
    assert found["sizes"] == {
        "documents": 0, "sentences": 4, "tokens": 15, "words": 8, "units": 4
    }  # fmt: skip
    assert found["labels"] == {
        "LOC": {"gold": 1, "train": None}, "PER": {"gold": 3, "train": None}
    }  # fmt: skip
    assert found["unit_lengths"]["counts"] == {"1": 3, "2": 1}
    assert found["unit_lengths"]["mean"] == 5 / 4
    lengths = found["sentence_lengths"]
    assert lengths["counts"] == {"0": 1, "3": 1, "6": 2}
    assert (lengths["mean"], lengths["half"], lengths["longest"]) == (15 / 4, 3, 6)
    assert found["attributes"]["entity_length"]["zeta"] == 5 / 4
    assert found["attributes"]["entity_length"]["gold_sizes"] == [3, 1]
    assert found["attributes"]["sentence_length"]["zeta"] == (6 * 3 + 3) / 4  # by units
    assert found["overlap"]["units"] is None


def test_overlap_by_hand() -> None:
    found = fg.describe(GOLD, train=TRAIN).to_json()
    # the first and the third sentence stand in training as written; "Bob ran ." does not (bob);
    # the third one repeats the first; sentences of five tokens or more are these two
    overlap = found["overlap"]
    assert overlap["sentences"] == {"all": 4, "in_training": 2, "repeated": 1}
    assert overlap["long_sentences"] == {"all": 2, "in_training": 2, "repeated": 1}
    assert (overlap["unknown_tokens"], overlap["unknown_words"]) == (0, 0)  # bob is Bob
    # Ada twice is seen; New York is an ORG there; Bob is never annotated
    assert overlap["units"] == {"seen": 2, "other_label": 1, "unseen": 1}
    assert overlap["surfaces"] == {"seen": 1, "other_label": 1, "unseen": 1}
    assert found["labels"]["(label not in gold)"] == {"gold": 0, "train": 2}  # ORG, TEAM
    kept = fg.describe(GOLD, train=TRAIN, fold_case=False).to_json()["overlap"]
    assert (kept["unknown_tokens"], kept["unknown_words"]) == (1, 1)


def test_inconsistent_labels_by_hand() -> None:
    found = fg.describe(GOLD).to_json()["inconsistencies"]
    # contexts: ^ Ada left (twice PER), left New York today (LOC, none), ^ Bob ran
    assert found["contexts"] == 3
    assert found["recurring"] == 2
    assert (found["inconsistent"], found["within_gold"], found["gold_occurrences"]) == (1, 1, 2)
    (example,) = found["examples"]
    assert (example["before"], example["words"], example["behind"]) == ("left", "New York", "today")
    assert example["labels"] == [
        {"label": "LOC", "gold": 1, "train": 0, "sentence": 1, "line": None},
        {"label": "(none)", "gold": 1, "train": 0, "sentence": 3, "line": None},
    ]


def test_training_adds_contexts_and_labels() -> None:
    found = fg.describe(GOLD, train=TRAIN).to_json()["inconsistencies"]
    labels = {one["label"]: (one["gold"], one["train"]) for one in found["examples"][0]["labels"]}
    assert labels == {"LOC": (1, 0), "(none)": (1, 0), "(label not in gold)": (0, 1)}
    # "Bob ran" of gold and "bob ran" of training are different as written
    assert found["inconsistent"] == 1


def test_what_only_training_annotates_is_inconsistent_too() -> None:
    gold = fg.Corpus.of([["in", "Rome", "."], ["Ada"]], tags=[["O", "O", "O"], ["B-LOC"]])
    train = fg.Corpus.of([["in", "Rome", "."]], tags=[["O", "B-LOC", "O"]])
    found = fg.describe(gold, train=train).to_json()["inconsistencies"]
    assert (found["inconsistent"], found["within_gold"]) == (1, 0)
    assert [one["label"] for one in found["examples"][0]["labels"]] == ["LOC", "(none)"]


def test_without_context_surfaces_are_compared() -> None:
    text = [["a", "Rome"], ["b", "Rome"]]
    gold = fg.Corpus.of(text, tags=[["O", "B-LOC"], ["O", "B-ORG"]])
    assert fg.describe(gold, context=1).to_json()["inconsistencies"]["inconsistent"] == 0
    assert fg.describe(gold, context=0).to_json()["inconsistencies"]["inconsistent"] == 1


def test_two_labels_of_one_span_are_no_contradiction() -> None:
    spans = fg.Corpus.of([["Rome"], ["Rome"]], tags=[["B-LOC|B-ORG"], ["B-LOC|B-ORG"]])
    gold = fg.align(spans, {}, task="spans")
    assert fg.describe(gold).to_json()["inconsistencies"]["inconsistent"] == 0


def test_tags_are_compared_too() -> None:
    text = [["the", "can", "fell"], ["the", "can", "fell"]]
    gold = fg.Corpus.of(text, tags=[["D", "N", "V"], ["D", "V", "V"]])
    found = fg.describe(gold, ["sentence_length"]).to_json()["inconsistencies"]
    assert found["inconsistent"] == 1
    assert [one["label"] for one in found["examples"][0]["labels"]] == ["N", "V"]


def test_a_table_is_described_by_its_gold_units() -> None:
    system = fg.Corpus.of([GOLD.sentence(at) for at in range(4)], tags=[["O"] * 6, ["O"] * 3,
                          ["B-PER"] * 6, []])  # fmt: skip
    table = fg.align(GOLD, {"s": system})
    assert fg.describe(table).to_json() == fg.describe(GOLD).to_json()


def test_bad_input_is_refused() -> None:
    with pytest.raises(fg.UsageError, match="numbers from 0"):
        fg.describe(GOLD, context=-1)
    with pytest.raises(fg.UsageError, match="takes a corpus"):
        fg.describe("gold.conll")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(fg.UsageError, match="0/1 table"):
        fg.describe(fg.from_matrix([[0, 1]]))


@settings(max_examples=40, deadline=None)
@given(TABLES, st.integers(0, 2))
def test_json_keeps_to_its_schema_and_no_unit_is_lost(table: fg.OutcomeTable, context: int) -> None:
    found = fg.describe(table, ["entity_length", "label"], context=context)
    document = json.loads(as_json(found, command="finegrain test"))
    require_schema(document, "description")
    result = document["result"]
    units = table.n_gold
    assert sum(one["gold"] for one in result["labels"].values()) == units
    assert sum(result["unit_lengths"]["counts"].values()) == units
    for attribute in result["attributes"].values():
        assert sum(attribute["gold_sizes"]) == units
    assert sum(result["sentence_lengths"]["counts"].values()) == table.corpus.n_sentences
    for form in (as_csv, as_latex, as_markdown, str):
        assert form(found)


SENTENCE = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("XY")), max_size=4)


def _corpus(rows: list[list[tuple[str, str]]]) -> fg.Corpus:
    return fg.Corpus.of(
        [[word for word, _ in row] for row in rows],
        documents=list(range(len(rows))),
        tags=[[tag for _, tag in row] for row in rows],
    )


def _plain(rows: list[list[tuple[str, str]]], width: int) -> dict[Any, Counter[str]]:
    """Tags by word and context, by looking at every token."""
    found: dict[Any, Counter[str]] = defaultdict(Counter)
    for row in rows:
        words = ["^"] * width + [word for word, _ in row] + ["$"] * width
        for place, (_, tag) in enumerate(row):
            found[tuple(words[place : place + 2 * width + 1]).__repr__().replace("$", "^")][
                tag
            ] += 1
    return found


@settings(max_examples=60, deadline=None)
@given(
    st.lists(SENTENCE, min_size=1, max_size=5), st.lists(SENTENCE, max_size=5), st.integers(0, 2)
)
def test_counts_are_those_of_a_plain_program(
    gold: list[list[tuple[str, str]]], train: list[list[tuple[str, str]]], width: int
) -> None:
    found = fg.describe(
        _corpus(gold), ["sentence_length"], train=_corpus(train), task="tags", context=width
    ).to_json()
    one, other = _plain(gold, width), _plain(train, width)
    both = {key: one[key] + other.get(key, Counter()) for key in one}
    checked = found["inconsistencies"]
    assert checked["contexts"] == len(one)
    assert checked["recurring"] == sum(tags.total() > 1 for tags in both.values())
    known = {tag for row in gold for _, tag in row}
    kinds = {key: {tag if tag in known else "" for tag in tags} for key, tags in both.items()}
    assert checked["inconsistent"] == sum(len(tags) > 1 for tags in kinds.values())
    assert checked["within_gold"] == sum(len(tags) > 1 for tags in one.values())
    words = [[word for word, _ in row] for row in gold]
    learnt = [[word for word, _ in row] for row in train]
    sentences = found["overlap"]["sentences"]
    assert sentences["in_training"] == sum(bool(row) and row in learnt for row in words)
    assert sentences["repeated"] == sum(
        bool(row) and row in words[:place] for place, row in enumerate(words)
    )


@settings(max_examples=30, deadline=None)
@given(st.lists(SENTENCE, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_documents_is_irrelevant(
    rows: list[list[tuple[str, str]]], random: Any
) -> None:
    turned = list(rows)
    random.shuffle(turned)
    one, other = (
        fg.describe(_corpus(each), ["sentence_length", "label"], task="tags").to_json()
        for each in (rows, turned)
    )
    for found in (one, other):
        found["inconsistencies"]["examples"] = sorted(
            (
                one["before"], one["words"], one["behind"],
                sorted((each["label"], each["gold"]) for each in one["labels"]),
            )
            for one in found["inconsistencies"]["examples"]
        )  # fmt: skip
    assert one == other


def test_wnut16(shared: Path, reference: Any) -> None:
    folder = shared / "data/ner/wnut16"
    gold, train = (fg.read(str(folder / f"{name}.txt.gz")) for name in ("test", "train"))
    found = fg.describe(gold, train=train).to_json()
    expected = reference("attributes_wnut16.json")
    for name, attribute in expected["attributes"].items():
        assert found["attributes"][name]["zeta"] == pytest.approx(attribute["zeta"], abs=1e-12)
        assert found["attributes"][name]["gold_sizes"] == attribute["gold_sizes"]
    data = expected["dataset"]
    assert found["sizes"]["units"] == data["gold_entity_spans"]
    assert found["train_sizes"]["units"] == data["train_entity_spans"]
    assert found["train_sizes"]["tokens"] == data["train_tokens"]
    assert found["train_sizes"]["words"] == data["train_vocabulary_case_sensitive"]
    mean = data["means_over_sentences_for_information"]["sentence_length"]
    assert found["sentence_lengths"]["mean"] == pytest.approx(mean)


def test_units_in_training_have_a_table_where_there_is_training() -> None:
    title = "Gold units in training"
    assert title not in [one.title for one in fg.describe(GOLD).listings()]
    assert title in [one.title for one in fg.describe(GOLD, train=TRAIN).listings()]


def test_attributes_are_told_with_counts_and_shares() -> None:
    """Three of the four units have one token, one has two: 1.25 on average."""
    (table,) = (one for one in fg.describe(GOLD).listings() if one.title == "Attributes")
    heads = ["attribute", "zeta", "bucket", "range", "gold", "share"]
    assert [column.name for column in table.columns] == heads
    assert [column.kind for column in table.columns][-2:] == ["count", "score"]
    lengths = [row for row in table.rows if row[0] == "entity_length"]
    first = table.rows.index(lengths[0])
    assert [row[-2:] for row in table.rows[first : first + 2]] == [(3, 0.75), (1, 0.25)]
