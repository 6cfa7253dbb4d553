"""What makes units hard: features by bin, words across bins, what is invented, gold errors."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import finegrain as fg
from finegrain.analyses.compare.triage import least_number
from finegrain.analyses.result import Result
from finegrain.analyses.scores.error_types import error_types
from finegrain.attributes import ATTRIBUTES
from finegrain.corpus import Corpus, Spans
from finegrain.errors import UsageError
from finegrain.table.marks import Mark
from finegrain.table.outside import outside, within_spans
from finegrain.table.verdicts import produced, right
from finegrain.testing import small_corpora
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from finegrain.views.unit_records import as_jsonl, as_tsv
from tests.schema import is_refused, require_schema
from tests.table.corpora import TABLES

TEXT = [["Ada", "saw", "Paris"], ["Paris", "saw", "ada"], ["PARIS", "rose"]]
GOLD = [["B-PER", "O", "B-LOC"], ["B-LOC", "O", "O"], ["B-LOC", "O"]]
ANSWERS = {
    "a": [["B-PER", "O", "B-LOC"], ["B-PER", "O", "B-PER"], ["O", "O"]],
    "b": [["B-PER", "O", "O"], ["B-PER", "O", "B-PER"], ["O", "O"]],
    "c": [["O", "O", "B-LOC"], ["B-PER", "O", "B-PER"], ["O", "B-LOC"]],
}


def _table(
    answers: dict[str, list[list[str]]] = ANSWERS, *, task: str = "spans"
) -> fg.OutcomeTable:
    gold = Corpus.of(TEXT, tags=GOLD)
    systems = {name: Corpus.of(TEXT, tags=tags) for name, tags in answers.items()}
    return fg.align(gold, systems, task=task)


KINDS = ("features", "words", "words", "invented", "triage")


def _results(table: fg.OutcomeTable) -> list[Result]:
    word = fg.words(table, "Paris", limit=2)
    return [
        fg.features(table), fg.words(table), word, fg.invented(table),
        fg.triage(table, at_least=1),
    ]  # fmt: skip


# Gold spans of _table and who is right: Ada (a, b), Paris (a, c), Paris (nobody: all say PER),
# PARIS (nobody: all have nothing). Bins: two units in 0, two in 2.


def test_features_by_hand() -> None:
    """Lengths of the sentences: bin 0 has 3 and 2, bin 2 has 3 and 3; capitals 1/5, 1, 1/3, 1/5."""
    found = fg.features(_table())
    assert found.sizes.tolist() == [2, 0, 2, 0]
    means = dict(zip((one.name for one in found.numbers), found.means, strict=True))
    assert means["sentence_length"][[0, 2]].tolist() == [2.5, 3]
    assert means["capital_share"][[0, 2]] == pytest.approx([(1 / 5 + 1) / 2, (1 / 3 + 1 / 5) / 2])
    assert np.isnan(means["sentence_length"][[1, 3]]).all()
    [mix] = found.mixes
    assert mix.values == ("LOC", "PER")
    assert mix.counts.tolist() == [[2, 0, 1, 0], [0, 0, 1, 0]]
    assert mix.shares[:, 2].tolist() == [0.5, 0.5]
    assert "n/a in a bin: no gold unit is in it" in found.notes


def test_features_of_bare_results() -> None:
    """A matrix of right and wrong has no text."""
    found = fg.features(fg.from_matrix([[1, 1], [1, 0]], systems=["a", "b"]))
    assert found.sizes.tolist() == [0, 1, 1]
    assert "no unit has a value of characters, " in "".join(found.notes)
    assert "the gold standard has no text" in "".join(found.notes)


def test_features_of_trees_and_chains_are_theirs() -> None:
    for task, own in (("dependencies", "arc_length"), ("coreference", "antecedent_sentences")):
        found = fg.features(fg.align(*small_corpora(task), task=task))
        names = [one.name for one in found.numbers]
        assert own in names
        assert ("entity_length" in names) == (task == "coreference")  # words have one token


def test_features_can_be_chosen_by_name_or_as_values() -> None:
    one = ATTRIBUTES["entity_length"]
    found = fg.features(_table(), [one, "label"])
    assert found.numbers == (one,)
    assert [mix.attribute for mix in found.mixes] == ["label"]


def test_features_are_learnt_from_training_data() -> None:
    gold, systems = small_corpora("spans")
    table = fg.align(gold, systems)
    found = fg.features(table, ["entity_frequency", "novelty"], train=gold)
    assert [one.name for one in found.numbers] == ["entity_frequency"]
    assert [mix.values for mix in found.mixes] == [("seen",)]  # every unit is in its own training
    learnt = {one.name for one in fg.features(table, train=gold).numbers}
    assert {"entity_frequency", "oov_density"} <= learnt
    assert not {"entity_frequency", "oov_density"} & {
        one.name for one in fg.features(table).numbers
    }


def test_features_of_what_buckets_go_by() -> None:
    """Columns of the gold file, documents, columns of the table: the same names as in buckets."""
    text = [["Ada", "slept"], ["Bo", "ran"]]
    tags = [["B-PER", "O"], ["B-PER", "O"]]
    gold = Corpus.of(text, tags=tags, pos=[["NE", "VB"], ["NN", "VB"]], documents=[0, 1])
    table = fg.align(gold, {"a": gold, "b": Corpus.of(text, tags=[["B-PER", "O"], ["O", "O"]])})
    own = fg.annotate(table, {"mood": ["good", None]})
    found = fg.features(own, ["pos", "document", "mood"])
    # both systems find Ada (bin 2), one finds Bo (bin 1), whose mood is not known
    assert [(mix.attribute, mix.values, mix.counts.tolist()) for mix in found.mixes] == [
        ("pos", ("NE", "NN"), [[0, 0, 1], [0, 1, 0]]),
        ("document", ("1", "2"), [[0, 0, 1], [0, 1, 0]]),
        ("mood", ("good",), [[0, 0, 1]]),
    ]
    for name in ("pos", "document", "mood"):
        fg.buckets(own, name)
    assert fg.features(own, "pos").mixes[0].attribute == "pos"


@pytest.mark.parametrize(("given_", "message"), [
    (["lenght"], "unknown attribute 'lenght'"), ("lenght", "unknown attribute 'lenght'"),
    (["label+hapax"], "one attribute at a time"), (["novelty"], "give training data"),
])  # fmt: skip
def test_wrong_attributes_are_told(given_: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fg.features(_table(), given_)


def test_words_by_hand() -> None:
    """paris: mentions in bins 0, 0 and 2, 3 times in the text; ada: 1 mention of 2 in the text."""
    found = fg.words(_table())
    assert found.words == ("paris", "ada")
    assert found.counts.tolist() == [[2, 0, 1, 0], [0, 0, 1, 0]]
    assert found.spread.tolist() == [2, 1]
    assert found.occurrences.tolist() == [3, 2]
    assert found.found == 2


def test_a_word_shows_hard_mentions_first() -> None:
    found = fg.words(_table(), "pARIS")
    assert [(one.bin, one.sentence, one.right) for one in found.mentions] == [
        (0, 2, ()), (0, 3, ()), (2, 1, ("a", "c")),
    ]  # fmt: skip
    assert found.mentions[2].context == ("Ada saw", "Paris", "")


def test_up_to_six_words_on_either_side_are_given() -> None:
    words = [f"w{at}" for at in range(15)]
    tags = [["O"] * 7 + ["B-LOC"] + ["O"] * 7]
    gold = Corpus.of([words], tags=tags)
    (one,) = fg.words(fg.align(gold, {"a": gold}), "w7").mentions
    assert one.context == ("... w1 w2 w3 w4 w5 w6", "w7", "w8 w9 w10 w11 w12 w13 ...")


def test_the_limit_keeps_both_ends() -> None:
    found = fg.words(_table(), "paris", limit=2)
    assert [(one.bin, one.sentence) for one in found.mentions] == [(0, 2), (2, 1)]
    assert found.counts.tolist() == [[2, 0, 1, 0]]
    assert "mentions: the hardest and the easiest, 2 of 3" in found.notes
    assert fg.words(_table(), limit=1).words == ("paris",)


def test_a_word_that_is_no_gold_unit() -> None:
    found = fg.words(_table(), "saw")
    assert found.counts.tolist() == [[0, 0, 0, 0]]
    assert found.notes == ("no gold unit is 'saw'; the text has it 2 times",)
    assert fg.words(_table(), "nowhere").occurrences.tolist() == [0]


@pytest.mark.parametrize("word", ["", "  "])
def test_an_empty_word_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match="the word is empty"):
        fg.words(_table(), word)


def test_words_without_text_are_none() -> None:
    gold = Corpus("gold", np.array([0, 5]), spans=Spans.of([(0, 0, 2, "PER")]))
    table = fg.align(gold, {"same": gold})
    for found in (fg.words(table), fg.words(table, "x")):
        assert found.words == ()
        assert "no text" in found.notes[-1]
    assert next(iter(fg.triage(fg.align(gold, {
        "none": Corpus("none", np.array([0, 5]), spans=Spans.of([]))
    })).units())).elsewhere is None  # fmt: skip


def test_invented_spans_by_hand() -> None:
    """Not gold: Paris as PER and ada as PER, which all three have, and rose, which c has.

    Precision of bin 2: Ada and Paris are gold, nothing else is there: 2 / 2; of bin 3: 0 / 2.
    """
    found = fg.invented(_table())
    assert found.sizes.tolist() == [0, 1, 0, 2]
    assert found.by_system.tolist() == [[0, 0, 0, 2], [0, 0, 0, 2], [0, 1, 0, 2]]
    assert np.nan_to_num(found.precision, nan=-1).tolist() == [-1, 0, 1, 0]


def test_what_overlaps_a_gold_span_is_not_gold_but_not_invented() -> None:
    """Paris as PER is a gold place with a wrong label; ada and rose are where gold has nothing."""
    found = fg.invented(_table())
    assert found.invented.tolist() == [0, 1, 0, 1]
    assert found.invented_by_system.tolist() == [[0, 0, 0, 1], [0, 0, 0, 1], [0, 1, 0, 1]]
    for system, counts in error_types(_table()).to_json().items():
        assert sum(found.to_json()["system_invented"][system]) == counts["counts"]["FP"]
    told = str(found)
    assert told.startswith("Units that are not gold")
    assert "invented: those that are matched with no gold unit" in " ".join(told.split())
    tokens = fg.invented(_table(task="tags"))
    assert tokens.invented[1:].tolist() == tokens.sizes[1:].tolist()  # gold has O there


def test_invented_tokens_by_hand() -> None:
    """Gold O: saw (nobody), saw (nobody), ada (all three), rose (c)."""
    found = fg.invented(_table(task="tags"))
    assert found.sizes.tolist() == [2, 1, 0, 1]
    assert found.by_system.tolist() == [[0, 0, 0, 1], [0, 0, 0, 1], [0, 1, 0, 1]]
    assert found.gold_sizes.tolist() == [1, 0, 2, 1]  # PARIS; Ada, Paris; Paris, as PER
    assert np.isnan(found.precision[0])  # nobody produces what is in bin 0
    assert found.precision[1:].tolist() == [0, 1, 0.5]


def test_records_of_what_is_invented_have_its_names() -> None:
    records = fg.invented(_table()).records()
    assert [(column.name, column.kind) for column in records.columns] == [
        ("kind", "text"), ("system", "text"), ("bin", "count"), ("not_gold", "count"),
        ("invented", "count"), ("gold", "count"), ("precision", "score"),
    ]  # fmt: skip


def test_where_no_label_says_outside_nothing_is_invented() -> None:
    found = fg.invented(fg.align(*small_corpora("tags")))
    assert found.sizes.tolist() == [0, 0, 0]
    assert found.gold_sizes.tolist() == [0, 0, 0]
    assert np.isnan(found.precision).all()
    assert found.notes[-1].startswith("every unit is gold")


def test_what_is_all_gold_cannot_be_invented() -> None:
    """Items of which every one has a gold label: a refusal, and no table of nothing."""
    for task in ("classification", "qa", "ranking", "regression"):
        with pytest.raises(fg.UsageError, match=f"nothing can be invented in the task {task}"):
            fg.invented(fg.align(*small_corpora(task), task=task))
    assert fg.invented(fg.align(*small_corpora("multilabel"), task="multilabel")).sizes.any()


def test_a_span_may_be_called_o() -> None:
    """Only where units are tokens does the label O mean: no span."""
    gold = Corpus("gold", np.array([0, 3]), spans=Spans.of([(0, 0, 1, "O")]))
    system = Corpus("system", np.array([0, 3]), spans=Spans.of([(0, 1, 2, "O")]))
    table = fg.align(gold, {"system": system})
    assert not outside(table).any()
    assert fg.invented(table).sizes.tolist() == [0, 1]


def test_triage_by_hand() -> None:
    """Two or more of three agree, in one wrong way, on:

    Paris (sentence 2): PER, by all; no Paris is PER in the gold standard: elsewhere 0
    PARIS (sentence 3): nothing, by all; every Paris is annotated: elsewhere 0
    ada (sentence 2): PER, by all, and not gold; Ada is PER once in the gold standard: elsewhere 1
    """
    found = list(fg.triage(_table()).units())
    assert [(one.text, one.agree, one.right, one.elsewhere, one.outcome) for one in found] == [
        ("ada", 3, (), 1, "FP"), ("Paris", 3, (), 0, "LE"), ("PARIS", 3, (), 0, "FN"),
    ]  # fmt: skip
    assert found[0].gold is None
    assert found[0].answer == Mark("PER", (2,))
    assert found[1].gold == Mark("LOC", (0,))
    assert found[1].answer == Mark("PER", (0,))
    assert found[2].answer is None
    assert found[1].agreeing == ("a", "b", "c")


def test_triage_of_tags_by_hand() -> None:
    found = list(fg.triage(_table(task="tags"), at_least=3).units())
    shared = {(one.text, one.gold and one.gold.label, one.answer and one.answer.label)
              for one in found}  # fmt: skip
    assert shared == {("Paris", "B-LOC", "B-PER"), ("ada", "O", "B-PER"), ("PARIS", "B-LOC", "O")}


def test_systems_that_are_wrong_in_different_ways_are_no_reason_for_doubt() -> None:
    """All three are wrong about Ada, but two agree at most."""
    other = {
        "a": [["B-LOC", "O", "O"], GOLD[1], GOLD[2]],
        "b": [["B-LOC", "O", "O"], GOLD[1], GOLD[2]],
        "c": [["B-ORG", "O", "O"], GOLD[1], GOLD[2]],
    }
    table = _table(other)
    assert [one.text for one in fg.triage(table, at_least=3).units()] == ["Paris"]
    [ada] = [one for one in fg.triage(table, at_least=2).units() if one.text == "Ada"]
    assert (ada.agreeing, ada.answer and ada.answer.label) == (("a", "b"), "LOC")


def test_of_two_shared_answers_the_order_of_systems_does_not_choose() -> None:
    """One says LOC, one says nothing: something is taken before nothing."""
    answers = {"a": [["O", "O", "B-LOC"], *GOLD[1:]], "b": [["B-LOC", "O", "B-LOC"], *GOLD[1:]]}
    for table in (_table(answers), _table(dict(reversed(answers.items())))):
        [found] = fg.triage(table, at_least=1).units()
        assert (found.agreeing, found.answer) == (("b",), Mark("LOC", (0,)))


def test_an_answer_that_is_the_first_unit_of_the_table_counts_with_its_own_words() -> None:
    """All say "New York" where gold has "York"; elsewhere gold has "New York" twice."""
    text = [["New", "York"], ["New", "York"], ["New", "York"]]
    gold = Corpus.of(text, tags=[["O", "B-LOC"], ["B-LOC", "I-LOC"], ["B-LOC", "I-LOC"]])
    made = Corpus.of(text, tags=[["B-LOC", "I-LOC"]] * 3)
    table = fg.align(gold, {"a": made, "b": made})
    assert not table.is_gold[0]
    told = {(one.text, one.elsewhere) for one in fg.triage(table).units()}
    assert ("York", 2) in told


@pytest.mark.parametrize(
    ("at_least", "systems", "least"),
    [(None, 1, 1), (None, 2, 2), (None, 3, 2), (None, 12, 7), (0.5, 3, 2), (0.01, 5, 1), (5, 5, 5),
     (0.7, 10, 7)],
)  # fmt: skip
def test_at_least(at_least: float | None, systems: int, least: int) -> None:
    assert least_number(at_least, systems) == least


@pytest.mark.parametrize("at_least", [0, -1, 1.5, float("nan"), float("inf"), 4])
def test_at_least_is_checked(at_least: float) -> None:
    with pytest.raises(UsageError, match="at_least"):
        fg.triage(_table(), at_least=at_least)


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_json_keeps_to_its_schema(task: str) -> None:
    for result, kind in zip(_results(_table(task=task)), KINDS, strict=True):
        require_schema(json.loads(as_json(result, command="finegrain test")), kind)


def test_the_schema_refuses_what_is_wrong() -> None:
    for result, key in zip(_results(_table()), ("sizes", "words", "found", "precision", "units"),
                           strict=True):  # fmt: skip
        document = json.loads(as_json(result, command="x"))
        del document["result"][key]
        assert is_refused(document)


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_csv_is_one_tidy_table(task: str) -> None:
    for result in _results(_table(task=task)):
        rows = list(csv.reader(io.StringIO(as_csv(result))))
        assert len(rows) > 1
        assert {len(row) for row in rows} == {len(rows[0])}


def test_hostile_text_is_harmless_in_every_view() -> None:
    evil = "=\x1b[31m\u202e<b>%_"
    gold = Corpus.of([[evil, "x"]], tags=[["B-PER", "O"]])
    table = fg.align(gold, {"none": Corpus.of([[evil, "x"]], tags=[["O", "O"]])})
    found = fg.triage(table)
    for result in (found, fg.words(table, evil), fg.words(table)):
        for text in (str(result), as_latex(result), as_markdown(result)):
            assert not {"\x1b", "\u202e"} & set(text)
    assert "'=" in "".join(as_tsv(found))
    assert json.loads(next(as_jsonl(found)))["text"] == evil


def test_adding_a_system_changes_no_other_systems_counts() -> None:
    """How many units a system invents does not depend on the others; their bins do."""
    fewer = fg.invented(_table({name: ANSWERS[name] for name in ("a", "b")}))
    assert (
        fewer.by_system.sum(axis=1).tolist()
        == fg.invented(_table()).by_system[:2].sum(axis=1).tolist()
    )


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_bins_sum_to_the_whole(table: fg.OutcomeTable) -> None:
    features = fg.features(table)
    assert features.sizes.sum() == table.n_gold
    assert sum(mix.counts.sum() for mix in features.mixes) == table.n_gold
    words = fg.words(table)
    assert words.counts.sum() == (table.n_gold if table.corpus.tokens is not None else 0)
    found = fg.invented(table)
    assert found.sizes.sum() + found.gold_sizes.sum() in (len(table), 0)
    each = np.arange(table.n_systems + 1)
    assert (found.by_system.sum(axis=0) == each * found.sizes).all()
    assert (found.gold_by_system.sum(axis=0) == each * found.gold_sizes).all()


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_triage_is_what_counting_finds(table: fg.OutcomeTable) -> None:
    """Every unit, its most frequent wrong answer counted with a dictionary."""
    found = fg.triage(table, at_least=1)
    good = right(table)
    expected = {}
    for row in range(len(table)):
        wrong = Counter(
            int(table.answer[row, system]) if table.is_gold[row] else -2
            for system in range(table.n_systems)
            if not good[row, system]
        )
        if wrong:
            expected[row] = max(wrong.values())
    agree = found.agree.sum(axis=1)
    assert dict(zip(found.rows.tolist(), agree.tolist(), strict=True)) == expected
    assert (np.diff(agree) <= 0).all()
    assert len(list(found.units())) == found.found


@settings(max_examples=40, deadline=None)
@given(TABLES)
def test_the_order_of_systems_is_irrelevant(table: fg.OutcomeTable) -> None:
    from dataclasses import replace

    turned = replace(
        table, systems=table.systems[::-1], outcome=table.outcome[:, ::-1],
        answer=table.answer[:, ::-1],
    )  # fmt: skip
    one, other = fg.triage(table, at_least=1), fg.triage(turned, at_least=1)
    assert one.rows.tolist() == other.rows.tolist()
    assert one.answers.tolist() == other.answers.tolist()
    assert fg.invented(table).sizes.tolist() == fg.invented(turned).sizes.tolist()
    assert fg.features(table).to_json() == fg.features(turned).to_json()
    assert fg.words(table).to_json() == fg.words(turned).to_json()


def test_tokens_within_spans() -> None:
    table = within_spans(_table(task="tags"))
    assert [table.text(row) for row in range(len(table))] == ["Ada", "Paris", "Paris", "PARIS"]
    assert "level:token" in fg.features(table).signature
    assert produced(table).all()


@pytest.mark.parametrize("table", [_table({}), _table({}, task="tags")], ids=["spans", "tags"])
def test_without_systems_everything_is_in_bin_0(table: fg.OutcomeTable) -> None:
    assert fg.features(table).sizes.tolist() == [table.n_gold]
    assert fg.words(table).counts.shape[1] == 1
    assert fg.triage(table).found == 0
    assert str(fg.invented(table))
