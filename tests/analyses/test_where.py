"""Analyses of some units only: the others stay as partners, and what is counted adds up."""

from __future__ import annotations

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.restricting import restrict
from finegrain.analyses.selection.selecting import selected
from finegrain.corpus import Corpus
from finegrain.corpus.parts import part as of_sentences
from finegrain.table import OutcomeTable
from finegrain.table.restriction import restored
from finegrain.testing import small_corpora

TASKS = ("spans", "tags", "dependencies", "coreference")
WORDS = [["Ada", "met", "Bob", "in", "New", "York", "City"]]


def small_table(task: str) -> OutcomeTable:
    return fg.align(*small_corpora(task), task=task)


def spans() -> OutcomeTable:
    """Ada has another label, New York City is too short, Bob is missed, met is invented."""
    gold = Corpus.of(WORDS, tags=[["B-PER", "O", "B-PER", "O", "B-LOC", "I-LOC", "I-LOC"]])
    system = Corpus.of(WORDS, tags=[["B-LOC", "B-PER", "O", "O", "B-LOC", "I-LOC", "O"]])
    return fg.align(gold, {"s": system})


def test_confusion_by_hand() -> None:
    """Ada is a person taken for a place, not a missed one: its partner is known."""
    found = fg.confusion(spans(), where="gold=PER")
    assert found.counts[0].tolist() == [[0, 0, 0], [1, 0, 1], [0, 0, 0]]  # LOC, PER, none
    assert "|where:gold=PER|" in found.signature
    lost = fg.confusion(fg.select(spans(), "gold=PER"))
    assert lost.counts[0].tolist() == [[0, 0, 0], [0, 0, 2], [0, 0, 0]]


def test_errors_by_hand() -> None:
    errors = fg.error_types(spans(), where="label=PER", examples=1)
    counts = errors.to_json()["s"]["counts"]
    assert {name: count for name, count in counts.items() if count} == {"LE": 1, "FN": 1, "FP": 1}
    wrong = next(one for one in errors.examples if one.outcome == "LE")
    assert wrong.answer is not None
    assert wrong.answer.label == "LOC"
    as_system = fg.error_types(spans(), where="label=PER", focus="system")
    assert as_system.to_json()["s"]["labels"]["LOC"]["LE"] == 1


def test_scores_by_hand() -> None:
    """Of places: one gold, two in the output, none right; one overlaps with its label."""
    scores = fg.score(
        spans(), ["traditional_f1", "type_recall", "type_precision"], where="label=LOC"
    )
    assert scores.value("type_recall", "s") == 1
    assert scores.value("traditional_f1", "s") == 0
    assert scores.support.tolist() == [1, 0]
    assert scores.predicted.ravel().tolist() == [2, 0]
    every = fg.score(spans(), schemes=["all"], where="label=LOC").to_json()["s"]
    assert every["schemes"]["type"]["correct"] == 1
    assert every["counts"]["BES"] == every["counts"]["gold"] == 1


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("where", ["sentence<=2", "length>1", "systems_correct=0", "correct=no"])
def test_a_selection_and_the_rest_add_up(task: str, where: str) -> None:
    table = small_table(task)
    if not selected(table, where).any():
        pytest.skip("fits nothing here, which is refused")
    parts = [fg.error_types(table, where=one) for one in (where, f"not ({where})")]
    whole = fg.error_types(table)
    assert (parts[0].counts + parts[1].counts == whole.counts).all()
    assert (parts[0].gold + parts[1].gold == whole.gold).all()
    if task != "coreference":
        counts = [fg.confusion(table, where=one).counts for one in (where, f"not ({where})")]
        assert (counts[0] + counts[1] == fg.confusion(table).counts).all()


@pytest.mark.parametrize("task", TASKS)
def test_whole_sentences_or_documents_are_the_corpus_without_the_others(task: str) -> None:
    gold, systems = small_corpora(task)
    where = "document=1" if task == "coreference" else "sentence<=2"
    first = gold.documents == 0 if task == "coreference" else np.arange(gold.n_sentences) < 2
    rows = np.flatnonzero(first)
    alone = fg.align(
        of_sentences(gold, rows), {name: of_sentences(one, rows) for name, one in systems.items()},
        task=task,
    )  # fmt: skip
    table = fg.align(gold, systems, task=task)
    names = list(table.task.all_metrics())
    found, expected = fg.score(table, names, where=where), fg.score(alone, names)
    for name in found.overall:
        assert np.allclose(found.overall[name], expected.overall[name], equal_nan=True), name
    assert found.left_out == ()  # these are the sentences of the first document


@pytest.mark.parametrize("name", ["traditional_f1", "traditional_recall", "strict_f1", "type_f1"])
def test_a_label_is_what_by_label_says(name: str) -> None:
    table = small_table("spans")
    whole = fg.score(table, name)
    for label in table.labels:
        part = fg.score(table, name, where=f"label={label}")
        for system in table.systems:
            assert part.value(name, system) == pytest.approx(
                whole.value(name, system, label=label), nan_ok=True
            )


def test_metrics_of_whole_sentences_are_left_out_where_these_are_cut() -> None:
    table = small_table("tags")
    scores = fg.score(table, where="gold=NOUN")
    assert "sentence_accuracy" not in scores.overall
    assert not scores.asked
    assert any(
        "sentence_accuracy is left out: it needs whole sentences" in one for one in scores.notes
    )
    assert "sentence_accuracy" in fg.score(table, where="sentence=1").overall
    with pytest.raises(fg.UsageError, match="needs whole sentences"):
        fg.score(table, "sentence_accuracy", where="gold=NOUN")
    with pytest.raises(fg.UsageError, match="conll is left out: it needs whole documents"):
        fg.score(small_table("coreference"), "conll_f1", where="length=1")


def test_intervals_are_of_the_chosen_units() -> None:
    simulated = fg.simulate(tokens=3_000, seed=1)
    table = fg.align(simulated.gold, simulated.systems)
    metrics = ["traditional_f1", "fair_recall", "strict_f1"]
    scores = fg.score(table, metrics, where="label=PER", intervals=1_000)
    whole = fg.score(table, metrics, intervals=1_000)
    for metric in ("traditional_f1", "strict_f1"):
        assert scores.intervals is not None
        for system in table.systems:
            found = scores.interval(metric, system)
            assert found == pytest.approx(whole.interval(metric, system, label="PER"), abs=0.05)


def test_breakdowns_are_of_the_chosen_units() -> None:
    table = small_table("spans")
    scores = fg.score(table, where="label=LOC", by="document")
    assert scores.parts is not None
    assert scores.parts.size.sum() == scores.support.sum() == 3


def test_a_restricted_table_can_be_restored() -> None:
    table = small_table("spans")
    part = restrict(table, "label=LOC")
    assert part.n_gold < table.n_gold
    again = restored(part)
    assert (again.outcome == table.outcome).all()
    assert (again.is_gold == table.is_gold).all()
    assert restrict(table, "") is restored(table) is table


def test_what_fits_nothing_is_refused() -> None:
    table = small_table("spans")
    with pytest.raises(fg.UsageError, match=r"no span fits 'label=NOPE'; no unit has the label"):
        fg.score(table, where="label=NOPE")
    with pytest.raises(fg.UsageError, match="unknown"):
        fg.difference(table, where="colour=red")


def test_labels_that_nothing_has_are_noted() -> None:
    table = small_table("spans")
    for result in (
        fg.score(table, where="label in (LOC, NOPE)"),
        fg.error_types(table, where="label in (LOC, NOPE)"),
        fg.confusion(table, where="label in (LOC, NOPE)"),
    ):
        assert any("no unit has the label 'NOPE'" in note for note in result.notes)
        str(result)


def test_a_condition_in_words_is_no_mask() -> None:
    table = small_table("spans")
    with pytest.raises(fg.UsageError, match=r"fg.score\(table, where='label=PER'\)"):
        table.where("label=PER")  # type: ignore[arg-type]
    assert table.where(table.is_gold).n_gold == table.n_gold
