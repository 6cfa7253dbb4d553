"""Units that a system does not answer, by a task of one file: -1 is not a label, in any analysis.

Texts are classified. What is not answered has the code -1, and ``sport`` is the last label: whoever
takes -1 for a label takes it for sport. A second table writes a label of its own instead, which no
text has; wherever not to answer is an answer like any other, both must give the same numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import finegrain as fg
from finegrain.alignment.majority_vote import majority_vote
from finegrain.analyses.compare.disagreements import disagreements
from finegrain.corpus import Corpus
from finegrain.metrics.metric import Metric, ratio
from finegrain.table import OutcomeTable
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.samples import Samples
from finegrain.table.task import Task, Words
from finegrain.table.verdicts import NO_ANSWER, answered, right, solved

LABELS = ("art", "law", "sport")


def _counts(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
    """``[sample, system, (right, all)]``."""
    hits = solved(table)
    every = np.bincount(samples.codes, minlength=samples.size)
    columns = [np.bincount(samples.codes[own], minlength=samples.size) for own in hits.T]
    return np.stack([np.stack([own, every], axis=-1) for own in columns], axis=1).astype(float)


ACCURACY = Metric(
    "accuracy",
    _counts,
    lambda sums: ratio(sums[..., 0], sums[..., 1]),
    "share of texts that are right",
    "",
)
TOPICS = Task(
    "topics",
    "one topic per text, or none",
    "every text",
    Outcomes((
        Outcome("CORRECT", "correct", "the topic is right", role="right", right=True),
        Outcome("WRONG", "wrong", "another topic", "wrong topics", "label"),
        Outcome("UNANSWERED", "not answered", "no topic", "texts without one", "unanswered",
                produced="never"),
    )),
    Words("text", "texts", "text", label="topic", context=""),
    metrics=lambda _: (ACCURACY,),
    attributes=("label",),
)  # fmt: skip


def _table(label: Any, answer: Any, systems: tuple[str, ...] | None = None) -> OutcomeTable:
    label, answer = np.asarray(label, np.int32), np.asarray(answer, np.int32)
    size = len(label)
    outcome = np.where(answer == label[:, None], 0, np.where(answer < 0, 2, 1))
    return OutcomeTable(
        task=TOPICS,
        systems=systems or tuple(f"s{place}" for place in range(answer.shape[1])),
        labels=LABELS,
        sentence=np.arange(size, dtype=np.int32),
        begin=np.zeros(size, np.int32),
        end=np.zeros(size, np.int32),
        label=label,
        is_gold=np.ones(size, bool),
        outcome=outcome.astype(np.uint8),
        answer=answer,
        corpus=Corpus("topics", np.zeros(size + 1, np.int32), None, {}),
        token_set=np.zeros(size, np.int8),
    )


def _drawn() -> OutcomeTable:
    """Texts about law are often not answered by the second system, and by the others sometimes."""
    draw = np.random.default_rng(1)
    label = np.repeat([0, 1, 2], [150, 90, 160])
    answer = np.where(draw.random((400, 3)) < 0.7, label[:, None], draw.integers(0, 3, (400, 3)))
    answer[draw.random((400, 3)) < 0.1] = -1
    answer[(label == 1) & (draw.random(400) < 0.6), 1] = -1
    return _table(label, answer)


TABLE = _drawn()
WITH_LABEL = replace(
    TABLE,
    labels=(*LABELS, NO_ANSWER),
    answer=np.where(TABLE.answer < 0, 3, TABLE.answer).astype(np.int32),
    outcome=np.minimum(TABLE.outcome, 1),
)


def _same(one: Any, other: Any) -> None:
    assert one.to_json() == other.to_json()
    assert str(one) == str(other)


def test_a_pair_is_compared_by_what_was_answered() -> None:
    found = fg.difference(TABLE, "s0", "s1", intervals=50, examples=0)
    _same(found, fg.difference(WITH_LABEL, "s0", "s1", intervals=50, examples=0))
    assert found.unit == "texts"
    lost = next(one for one in found.changes("new_error") if one.after == NO_ANSWER)
    shown = fg.show(TABLE, found.selection("new_error", lost))
    assert shown.found == lost.count > 20
    assert "sentence" not in str(found)


def test_all_pairs_are_compared() -> None:
    _same(fg.differences(TABLE), fg.differences(WITH_LABEL))
    assert "sentence" not in str(fg.differences(TABLE))


def test_a_disagreement_has_no_answer_where_there_is_none() -> None:
    table = _table([0, 0], [[2, -1], [-1, 0]], ("a", "b"))
    rows = [(one.one, one.other, one.before, one.after, one.kind)
            for one in disagreements(table, "a", "b").units()]  # fmt: skip
    assert rows == [
        ("sport", None, "sport", NO_ANSWER, "changed_error"),
        (None, "art", NO_ANSWER, "art", "correction"),
    ]


def test_who_does_not_answer_has_no_vote() -> None:
    """Two of three say nothing: the third decides; where nobody answers, the vote does not."""
    table = majority_vote(_table([2, 0, 0, 1], [[-1, -1, 0], [-1, -1, -1], [-1, 0, 0], [1, 2, 2]]))
    assert table.answer[:, -1].tolist() == [0, -1, 0, 2]
    assert [table.outcomes.names[code] for code in table.outcome[:, -1]] == [
        "WRONG", "UNANSWERED", "CORRECT", "WRONG",
    ]  # fmt: skip


def test_the_oracle_counts_what_is_solved() -> None:
    found, other = fg.oracle(TABLE, intervals=50), fg.oracle(WITH_LABEL, intervals=50)
    assert found.bound().systems.tolist() == right(TABLE).mean(axis=0).tolist()
    assert found.bound()._replace(systems=0, vote=0) == other.bound()._replace(systems=0, vote=0)
    assert found.bound().vote >= other.bound().vote  # an answer may be right
    assert "sentence" not in str(found)


def test_difficulty_goes_by_who_is_right() -> None:
    found = fg.difficulty(TABLE, intervals=50)
    _same(found, fg.difficulty(WITH_LABEL, intervals=50))
    assert "400 texts by the number of systems that are right" in str(found)


def test_buckets_count_answers_as_predictions() -> None:
    found = fg.buckets(TABLE, "label", intervals=50)["label"]
    other = fg.buckets(WITH_LABEL, "label", intervals=50)["label"]
    assert found.main().tolist() == other.main().tolist()
    assert found.predicted.sum(axis=0).tolist() == (answered(TABLE) >= 0).sum(axis=0).tolist()


@pytest.mark.parametrize("test", ["randomisation", "mcnemar"])
def test_significance(test: Any) -> None:
    options: dict[str, Any] = {"test": test, "resamples": 200, "intervals": 50}
    _same(fg.significance(TABLE, **options), fg.significance(WITH_LABEL, **options))


def test_slices_of_recall_and_of_answers() -> None:
    found = fg.slices(TABLE, "s1", by=["label"], resamples=100)
    _same(found, fg.slices(WITH_LABEL, "s1", by=["label"], resamples=100))
    assert [one.slice.name for one in found.findings] == ["law"]
    precise = fg.slices(TABLE, "s1", by=["label"], measure="precision", resamples=100, fewest=2)
    names = {one.slice.name for search in precise.searches for one in search.findings}
    assert NO_ANSWER not in names
    assert not any(one.n > (answered(TABLE)[:, 1] == 2).sum() for one in precise.findings
                   if one.slice.name == "sport")  # fmt: skip


def test_a_gate_counts_what_is_no_longer_answered() -> None:
    table = TABLE.only([0, 1])
    found = fg.gate(table, ["new_errors[law] > 3", "accuracy drops 1 at p < .05"], resamples=200)
    other = fg.gate(
        WITH_LABEL.only([0, 1]),
        ["new_errors[law] > 3", "accuracy drops 1 at p < .05"],
        resamples=200,
    )
    assert [one.reason for one in found.checks] == [one.reason for one in other.checks]
    assert not found.passed
    assert "UNANSWERED" in str(found)


def test_seeds() -> None:
    runs = ("a@1", "a@2", "b@1")
    found, other = (fg.seeds(replace(one, systems=runs)) for one in (TABLE, WITH_LABEL))
    _same(found, other)


def test_triage_says_that_nothing_is_answered() -> None:
    """The first by sport, the second by silence; the third has no common answer."""
    table = _table([0, 0, 1], [[2, 2, 0], [-1, -1, 0], [-1, 0, 2]])
    found = list(fg.triage(table).units())
    assert [one.answer and one.answer.label for one in found] == ["sport", None]
    assert [one.agreeing for one in found] == [("s0", "s1"), ("s0", "s1")]
    assert "nothing" in str(fg.triage(table))


def test_agreement_leaves_out_what_has_no_label() -> None:
    """Of gold and the first system, two of three labels are the same; one unit has no second."""
    table = _table([0, 1, 2, 2], [[0], [1], [0], [-1]], ("ann",))
    view = fg.agreement(table, intervals=0).view("units")
    assert view.pairs[0].units == 3
    assert float(view.together["percent"].value) == pytest.approx(2 / 3)


def test_where_only_verdicts_are_known_outcomes_tell_errors_apart() -> None:
    """Nothing is known of answers, so all are -1: outcomes are what a comparison tells."""
    only = replace(TOPICS, answers="none")
    table = replace(TABLE, task=only, answer=np.full_like(TABLE.answer, -1))
    found = fg.difference(table, "s0", "s1")
    assert {one.after for one in found.changes("new_error")} == {"WRONG", "UNANSWERED"}
    assert found.total("changed_error") == 0
    assert found.total("new_error") == fg.difference(TABLE, "s0", "s1").total("new_error")
    assert "not answered" in str(fg.triage(table))
    assert len(fg.agreement(table, intervals=0).view("units").pairs) == 3


def test_attributes_and_features_of_units_without_words() -> None:
    found = fg.features(TABLE)
    _same(found, fg.features(WITH_LABEL))
    assert str(fg.words(TABLE))
    for table in (TABLE, WITH_LABEL):
        with pytest.raises(fg.UsageError, match="nothing can be invented"):
            fg.invented(table)
