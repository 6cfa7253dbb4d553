"""Scores, intervals, letters and wrong answers lead to their units, whatever labels are called."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.evidence import Evidence, changes, is_wrong
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.analyses.selection.expressions import And, Field, Not, written
from finegrain.analyses.selection.json_form import read
from finegrain.corpus import Corpus
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


def _asked(report: Report) -> set[tuple[str, int]]:
    """The selections that links ask for, and how many units they promise."""
    queries = (dict(parse_qsl(link)) for link in _links(report))
    return {(written(read(query["where"])), int(query["n"])) for query in queries}


def lowered(where: str) -> list[str]:
    """The system and the score of ``lowers[system,score]``."""
    return where.removeprefix("lowers[").removesuffix("]").split(",")


def _with_other_words() -> Report:
    merged = parsed(*GOLD[:2], "3 olddogs dog NOUN 2 obj", "4 . . PUNCT 2 punct")
    systems = {"same": parsed(*GOLD), "merged": merged}
    return fg.report(fg.align(parsed(*GOLD), systems, task="dependencies"))


@pytest.mark.parametrize("made", [_tagged, _parsed, _with_other_words])
def test_links_lead_to_as_many_units_as_they_say(made: Callable[[], Report]) -> None:
    report = made()
    search = UnitSearch.of(report.units)
    for link in _links(report):
        query = dict(parse_qsl(link))
        assert len(search.rows([query["where"]])) == int(query["n"]), link


def test_scores_of_trees_lead_to_the_words_that_lower_them() -> None:
    """A score that is not 100 leads to some words, and one that is to none."""
    report = _parsed()
    asked = {where for where, _ in _asked(report) if where.startswith("lowers")}
    assert {lowered(where)[1] for where in asked} >= {"las", "uas", "ls", "clas", "upos"}
    scores: Any = report.results["score"]
    search = UnitSearch.of(report.units)
    for where in asked:
        system, name = lowered(where)
        value = scores.overall[name][report.table.system(system)]
        assert bool(len(search.rows([where]))) == (value < 1)


def test_the_other_wrong_answers_lead_to_their_tokens() -> None:
    """Eleven labels of which six are told by name, whatever they are called."""
    report = _tagged()
    first = report.systems[0]
    others = [
        (where.parts[0].part.values, count)
        for where, count in ((read(text), count) for text, count in _asked(report))
        if isinstance(where, And) and isinstance(where.parts[0], Not)
        if where.parts[0].part.field == Field("answer", first)
    ]
    ((values, count),) = set(others)
    table, six = report.table, [value.text for value in values if value.text is not None]
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
    errors = escape(Evidence.of(0, is_wrong(report.systems[place])).fragment).removesuffix("0")
    wrong = rf'<a class="n" href="#{re.escape(errors)}\d+"[^>]*>'
    assert re.search(rf"{wrong}\[{low:.1f}, {high:.1f}\]</a>", page)
    assert re.search(rf"{wrong}<svg", page)
    differing = fg.difference(report.table, report.systems[best], report.systems[place])
    changed = differing.to_json()["changed"]
    both = changes(report.systems[best], report.systems[place])
    href = rf'href="#{re.escape(escape(Evidence.of(changed, both).fragment))}"[^>]*>'
    assert re.search(rf"{href}{tested.groups[place]}</a>", page)
