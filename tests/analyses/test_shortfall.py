"""What keeps the score of a label or bucket from 100, also where its errors stand elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.analyses.units.shortfall import behind_label, short_of_label
from finegrain.corpus import Corpus
from finegrain.table.verdicts import costs


def _spans() -> Report:
    """Every WORK is found; of six PER three are called WORK and one is a word too long."""
    words = [[f"w{place}", "x"] for place in range(10)]
    gold = [["B-WORK", "O"]] * 4 + [["B-PER", "O"]] * 5 + [["B-PER", "I-PER"]]
    told = [["B-WORK", "O"]] * 7 + [["B-PER", "I-PER"], ["B-PER", "O"], ["B-PER", "I-PER"]]
    return fg.report(fg.align(Corpus.of(words, tags=gold), {"one": Corpus.of(words, tags=told)}))


def _tags() -> Report:
    """Every N is right; two of three V are called N."""
    words = [[f"w{place}"] for place in range(7)]
    gold, told = ["N"] * 4 + ["V"] * 3, ["N"] * 6 + ["V"]
    return fg.report(
        fg.align(
            Corpus.of(words, tags=[[tag] for tag in gold]),
            {"one": Corpus.of(words, tags=[[tag] for tag in told])},
            task="tags",
        )
    )


@pytest.mark.parametrize(
    ("report", "label", "expected"),
    [
        (_spans(), "WORK", {"w4", "w5", "w6"}),  # FP, as no WORK is missed
        (_spans(), "PER", {"w4", "w5", "w6", "w7", "w7 x"}),  # FN, and the span that is too long
        (_tags(), "N", {"w4", "w5"}),
        (_tags(), "V", {"w4", "w5"}),
    ],
)
def test_a_label_loses_what_lacks_it_and_what_wrongly_has_it(
    report: Report, label: str, expected: set[str]
) -> None:
    table = report.table
    code = table.labels.index(label)
    short = short_of_label(table, code)[:, 0]
    assert {table.text(row) for row in np.flatnonzero(short)} == expected
    told = behind_label(table, code, 0, int(short.sum()))
    search = UnitSearch.of(report.units)
    assert search.rows([told.where]).tolist() == sorted(
        np.flatnonzero(short), key=search.order.tolist().index
    )


def test_the_counts_are_those_of_precision_and_recall() -> None:
    """Missed and wrong: gold + predicted - 2 correct."""
    play = fg.simulate(tokens=5_000, seed=2)
    table = fg.align(play.gold, play.systems)
    scores = fg.score(table)
    for code in range(table.n_labels):
        correct = np.count_nonzero(
            (table.is_gold & (table.label == code))[:, None] & ~costs(table), axis=0
        )
        lost = scores.support[code] + scores.predicted[code] - 2 * correct
        assert short_of_label(table, code).sum(axis=0).tolist() == lost.tolist()


def test_a_bucket_loses_answers_that_stand_for_gold_units_of_another() -> None:
    """The span of two words is an error of a gold span of one word."""
    found = _spans().results["buckets"]["entity_length"]
    place = [bucket.range() for bucket in found.divisions[0].buckets].index("1")
    behind = [found.behind(at, 0) for at in range(len(found.names))]
    counts = [one.count for one in behind if one is not None]
    assert counts[place] == 7  # four gold spans, three called WORK
    assert sum(counts) == 8


def test_conditions_are_told_what_is_wrong() -> None:
    search = UnitSearch.of(_spans().units)
    system = search.table.systems[0]
    for asked in (
        f"hurts[{system}]=maybe",
        f"answer[{system}]=GPE",
        "hurts[x]",
        "systems_correct=x",
    ):
        with pytest.raises(fg.UsageError):
            search.rows([asked])
    assert len(search.rows([f"hurts[{system}]=no"])) == len(search.order) - 8
