"""Scores, intervals, letters and wrong answers lead to their units, whatever labels are called."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.evidence import names_in
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.corpus import Corpus
from finegrain.views.escape import visible
from finegrain.views.html.page import as_html
from tests.alignment.test_dependencies import GOLD, parsed
from tests.views.test_links import _links

# what means something in an address, in a list of names, or in either when it is written out
HOSTILE = ("!A", "a,b", ",", "%2C", "%41", "A", "é&n=1", "<b>", "none", "+ ", "constructor")


def hostile_tags() -> tuple[Corpus, dict[str, Corpus]]:
    """Every label is taken for another, of two systems for different ones."""
    size = 4 * len(HOSTILE)

    def corpus(step: int) -> Corpus:
        told = [HOSTILE[(place + step * (place % 3)) % len(HOSTILE)] for place in range(size)]
        return Corpus.of([["word"]] * size, tags=[[one] for one in told])

    return corpus(0), {"a": corpus(1), "b": corpus(2)}


def _tagged() -> Report:
    return fg.report(fg.align(*hostile_tags(), task="tags"))


def _parsed() -> Report:
    play = fg.simulate_trees(tokens=1_500, seed=1)
    return fg.report(fg.align(play.gold, play.systems, task="dependencies"))


def _with_other_words() -> Report:
    merged = parsed(*GOLD[:2], "3 olddogs dog NOUN 2 obj", "4 . . PUNCT 2 punct")
    systems = {"same": parsed(*GOLD), "merged": merged}
    return fg.report(fg.align(parsed(*GOLD), systems, task="dependencies"))


@pytest.mark.parametrize("made", [_tagged, _parsed, _with_other_words])
def test_links_lead_to_as_many_units_as_they_say(made: Callable[[], Report]) -> None:
    report = made()
    search = UnitSearch.of(report.units, told=visible)
    for link in _links(report):
        query = parse_qsl(link, keep_blank_values=True)
        asked = [one for one in query if one[0] != "n"]
        assert len(search.rows(asked)) == int(dict(query)["n"]), link


def test_scores_of_trees_lead_to_the_words_that_lower_them() -> None:
    """A score that is not 100 leads to some words, and one that is to none."""
    report = _parsed()
    asked = {one for link in _links(report) for one in parse_qsl(link) if "lowers" in one[0]}
    assert {name for _, name in asked} >= {"las", "uas", "ls", "clas", "upos"}
    scores: Any = report.results["score"]
    search = UnitSearch.of(report.units)
    for condition in asked:
        value = scores.overall[condition[1]][int(condition[0].removeprefix("lowers."))]
        assert bool(len(search.rows([condition]))) == (value < 1)


def test_the_other_wrong_answers_lead_to_their_tokens() -> None:
    """Eleven labels of which six are told by name, whatever they are called."""
    report = _tagged()
    found = {
        query["other_than.0"]: int(query["n"])
        for query in (dict(parse_qsl(link)) for link in _links(report))
        if "other_than.0" in query
    }
    ((named, count),) = found.items()
    table, six = report.table, names_in(named)
    assert len(six) == len(set(six) & set(HOSTILE)) == 6
    codes = [table.labels.index(name) for name in six]
    others = table.is_outcome("WRONG")[:, 0] & ~np.isin(table.answer[:, 0], codes)
    assert others.sum() == count > 0


def test_intervals_and_letters_stand_in_links() -> None:
    """The interval leads where its score does, the letters to what differs from the best."""
    play = fg.simulate(tokens=3_000, seed=1)
    report = fg.report(fg.align(play.gold, play.systems))
    page, (best, _, place, *_) = as_html(report), report.order
    tested: Any = report.results["significance"]
    low, high = (100 * float(one[place]) for one in (tested.interval.low, tested.interval.high))
    wrong = rf'<a class="n" href="#instances\?verdict.{place}=wrong&amp;n=\d+"[^>]*>'
    assert re.search(rf"{wrong}\[{low:.1f}, {high:.1f}\]</a>", page)
    assert re.search(rf"{wrong}<svg", page)
    differing = fg.difference(report.table, report.systems[best], report.systems[place])
    changed = differing.to_json()["changed"]
    href = rf'href="#instances\?change.{best}.{place}=any&amp;n={changed}"[^>]*>'
    assert re.search(rf"{href}{tested.groups[place]}</a>", page)
