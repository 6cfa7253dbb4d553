"""What selections hold for: by hand, as ``show --where`` says, and as numbers promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.reports.embedded_units import embedded_units
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.analyses.selection.expressions import Field
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable

PLAY = fg.simulate(tokens=2_000, seed=1)
TABLE = fg.align(PLAY.gold, PLAY.systems)
SEARCH = UnitSearch.of(embedded_units(TABLE, most=len(TABLE)))


def _search(table: OutcomeTable, **columns: np.ndarray[Any, Any]) -> UnitSearch:
    masks = {name: columns.pop(name) for name in ("tokens",) if name in columns}
    units = embedded_units(table, most=len(table), columns=columns, masks=masks)
    return UnitSearch.of(units)


def _by_hand() -> OutcomeTable:
    text = [["New", "York", "slept"], ["A\u202eda", "woke"]]
    gold = Corpus.of(text, tags=[["B-LOC", "I-LOC", "O"], ["B-PER", "O"]])
    one = Corpus.of(text, tags=[["B-LOC", "I-LOC", "O"], ["O", "B-PER"]])
    none = Corpus.of(text, tags=[["O", "O", "O"], ["B-PER", "O"]])
    return fg.align(gold, {"a": one, "b": none}, task="spans")


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        # rows: 0 New York (LOC, gold; a right, b missed), 1 Ada (PER, gold; a missed, b right),
        # 2 woke (PER, not gold; only a has it, and is charged with it)
        ([], [0, 1, 2]),
        (["gold!=none"], [0, 1]),
        (["gold=none"], [2]),
        (["label=PER"], [1, 2]),
        (["outcome[b]=FN"], [0]),
        (["outcome[a] in (FN, FP)"], [1, 2]),
        (["answer[a]=LOC"], [0]),
        (["not answer[a] in (none, LOC)"], [2]),
        (["mistaken[a]=PER"], [1]),  # missed
        (["mistaken_for[a]=PER"], [2]),  # invented
        (["mistaken[a]=LOC"], []),  # a is right about it
        (["correct[a]=no"], [1, 2]),
        (["correct[b]!=no"], [1, 2]),  # b has not invented anything
        (["hurts[a]"], [1, 2]),
        (["produced[a]"], [0, 2]),
        (["produced[b]=no"], [0, 2]),
        (["gold!=none and systems_correct=1"], [0, 1]),
        (["gold!=none", "systems_correct>=0 and systems_correct<=2"], [0, 1]),
        (["systems_correct=2"], []),
        (["systems_agreeing=1"], [2]),
        (["change[a,b]=correction"], [1, 2]),
        (["change[a,b]=new_error"], [0]),
        (["change[b,a]=correction"], [0]),
        (["changed[a,b]"], [0, 1, 2]),
        (["bucket[half]=1"], [1]),
        (["bucket[half]=none"], [2]),
        (["bucket[tokens]=0"], [0, 2]),
        (["bucket[tokens]=2"], [0, 1]),  # the first has tokens in two buckets
        (["bucket[tokens]=1"], []),
        (["not label=PER"], [0]),
        (["not (label=PER and correct[a]=no and gold!=none)"], [0, 2]),
        (["gold!=none", "not bucket[tokens]=0"], [1]),
        (["not context_text contains a\\u202eda"], [0]),
        (["folded_text='new york'"], [0]),
        (["folded_text=york"], []),
        (["context_text contains 'YORK sl'"], [0]),
        (["context_text contains a\\u202eda"], [1, 2]),  # as it is shown
        (["row=3"], [2]),
        (["gold=PER and correct[b]"], [1]),
        (['["and",["=","gold","PER"],["holds",["correct","b"]]]'], [1]),
        (["label=PER", "correct[a]=no", "context_text contains woke"], [1, 2]),
    ],
)
def test_selections_by_hand(where: list[str], rows: list[int]) -> None:
    search = _search(_by_hand(), half=np.array([0, 1, -1]), tokens=np.array([5, 4, 1]))
    assert sorted(search.rows(where).tolist()) == rows


def test_units_come_hardest_first() -> None:
    rows = SEARCH.rows()
    gold = TABLE.is_gold[rows]
    bins = SEARCH.units.bins[rows]
    assert sorted(rows.tolist()) == list(range(len(TABLE)))
    assert gold.tolist() == sorted(gold.tolist(), reverse=True)
    assert (np.diff(bins[gold]) >= 0).all()
    assert (np.diff(SEARCH.units.agree[rows][~gold]) <= 0).all()
    same = np.diff(bins[gold]) == 0
    assert (np.diff(rows[gold])[same] > 0).all()


def test_findings_hold_for_as_many_units_as_they_say() -> None:
    report = fg.report(TABLE, instances=len(TABLE))
    search = UnitSearch.of(report.units)
    parts = [part for finding in report.findings for part in finding.parts]
    evidence = [part.evidence for part in parts if part.evidence is not None]
    assert len(evidence) > 3
    for one in evidence:
        assert len(search.rows([one.where])) == one.count, one
        told = str(one.to_json()["where"])
        if "bucket[" not in told:  # which only a report knows
            assert len(TABLE.select(told)) == one.count, one


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("lable=PER", "unknown field 'lable'"),
        ("label=NOPE", "unknown label 'NOPE'"),
        ("answer[crf]=per", "unknown label 'per'. Did you mean 'PER'?"),
        ("mistaken_for[none-such]=PER", "unknown system 'none-such'"),
        ("outcome[crf]=XX", "unknown outcome 'XX'"),
        ("changed[crf]", "is of two systems"),
        ("correct[crf]=perhaps", "unknown correct 'perhaps'"),
        ("systems_correct=one", "'one' is not"),
        ("bucket[size]=1", "buckets have numbers in a report only"),
        ("row=nan", "is not"),
        ("gold=PER and", "found the end"),
        ("__import__('os')", "expected and, or or the end"),
        ("__class__=PER", "unknown field '__class__'"),
        ('["=","gold"]', "expected a selection in its JSON form"),
        ('["=","gold"', "not a selection"),
    ],
)
def test_what_is_wrong_is_told(where: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        SEARCH.rows([where])
    assert message in str(raised.value)


def test_a_bucket_of_tokens_that_is_not_there_is_told() -> None:
    search = _search(_by_hand(), tokens=np.array([5, 4, 1]))
    with pytest.raises(UsageError, match=r"unknown bucket '3'\. Known: 0, 1, 2"):
        search.rows(["bucket[tokens]=3"])


def test_a_search_needs_all_units() -> None:
    with pytest.raises(ValueError, match="all units"):
        UnitSearch.of(embedded_units(TABLE, most=3))


def test_a_table_without_text_is_searched_too() -> None:
    table = fg.from_matrix([[1, 0], [1, 1], [0, 0]], systems=["a", "b"])
    search = _search(table)
    assert search.rows(["systems_correct=0"]).tolist() == [2]
    assert search.rows(["folded_text=x"]).tolist() == []
    assert search.rows(["context_text contains x"]).tolist() == []


@pytest.mark.parametrize("wanted", ["\u00c9t", "e\u0301t", "x\u200by", "X\\u200bY"])
def test_text_is_found_however_it_is_written(wanted: str) -> None:
    """Accents composed or not, in any case; characters that are written out, as they are or so."""
    text = [["e\u0301te\u0301", "x\u200by"], ["ete", "xy"]]
    gold = Corpus.of(text, tags=[["B-A", "O"], ["B-A", "O"]])
    search = _search(fg.align(gold, {"same": gold}, task="spans"))
    assert search.rows([Field("context_text").compared("contains", wanted)]).tolist() == [0]
