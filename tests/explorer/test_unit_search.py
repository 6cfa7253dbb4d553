"""What conditions hold for: by hand, as ``show --where`` says, and as numbers promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.evidence import KEYS
from finegrain.analyses.reports.embedded_units import embedded_units
from finegrain.analyses.reports.unit_search import (
    _LOOKED_UP,
    _OF_A_PAIR,
    _OF_A_SYSTEM,
    _SELECTIONS,
    UnitSearch,
    selection,
)
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.views.escape import visible

PLAY = fg.simulate(tokens=2_000, seed=1)
TABLE = fg.align(PLAY.gold, PLAY.systems)
SEARCH = UnitSearch.of(embedded_units(TABLE, most=len(TABLE)), visible)


def _search(table: OutcomeTable, **columns: np.ndarray[Any, Any]) -> UnitSearch:
    masks = {name: columns.pop(name) for name in ("tokens",) if name in columns}
    units = embedded_units(table, most=len(table), columns=columns, masks=masks)
    return UnitSearch.of(units, visible)


def _by_hand() -> OutcomeTable:
    text = [["New", "York", "slept"], ["A\u202eda", "woke"]]
    gold = Corpus.of(text, tags=[["B-LOC", "I-LOC", "O"], ["B-PER", "O"]])
    one = Corpus.of(text, tags=[["B-LOC", "I-LOC", "O"], ["O", "B-PER"]])
    none = Corpus.of(text, tags=[["O", "O", "O"], ["B-PER", "O"]])
    return fg.align(gold, {"a": one, "b": none}, task="spans")


@pytest.mark.parametrize(
    ("conditions", "rows"),
    [
        # rows: 0 New York (LOC, gold; a right, b missed), 1 Ada (PER, gold; a missed, b right),
        # 2 woke (PER, not gold; only a has it, and is charged with it)
        ([], [0, 1, 2]),
        ([("unit", "gold")], [0, 1]),
        ([("unit", "not-gold")], [2]),
        ([("label", "PER")], [1, 2]),
        ([("outcome.1", "FN")], [0]),
        ([("outcome.0", "FN,FP")], [1, 2]),
        ([("answer.0", "LOC")], [0]),
        ([("mistaken.0", "PER")], [1]),  # missed
        ([("mistaken_for.0", "PER")], [2]),  # invented
        ([("mistaken.0", "LOC")], []),  # a is right about it
        ([("verdict.0", "wrong")], [1, 2]),
        ([("verdict.1", "right")], [1, 2]),  # b has not invented anything
        ([("has.0", "yes")], [0, 2]),
        ([("has.1", "no")], [0, 2]),
        ([("bin", "1")], [0, 1]),
        ([("bin", "0-2")], [0, 1]),
        ([("bin", "2")], []),
        ([("agree", "1")], [2]),
        ([("change.0.1", "correction")], [1, 2]),
        ([("change.0.1", "new_error")], [0]),
        ([("change.1.0", "correction")], [0]),
        ([("change.0.1", "any")], [0, 1, 2]),
        ([("bucket.half", "1")], [1]),
        ([("bucket.tokens", "0")], [0, 2]),
        ([("bucket.tokens", "2")], [0, 1]),  # the first has tokens in two buckets
        ([("bucket.tokens", "1")], []),
        ([("not", "label=PER")], [0]),
        ([("not", "label=PER&verdict.0=wrong&unit=gold")], [0, 2]),
        ([("unit", "gold"), ("not", "bucket.tokens=0")], [1]),
        ([("not", "text=a%5Cu202eda")], [0]),
        ([("word", "NEW york")], [0]),
        ([("word", "york")], []),
        ([("text", "YORK sl")], [0]),
        ([("text", "a\\u202eda")], [1, 2]),  # as it is shown
        ([("row", "3")], [2]),
        ([("where", "gold=PER and correct[b]")], [1]),
        ([("label", "PER"), ("verdict.0", "wrong"), ("text", "woke")], [1, 2]),
    ],
)
def test_conditions_by_hand(conditions: list[tuple[str, str]], rows: list[int]) -> None:
    search = _search(_by_hand(), half=np.array([0, 1, -1]), tokens=np.array([5, 4, 1]))
    assert np.flatnonzero(search.holding(conditions)).tolist() == rows


def test_every_condition_is_known() -> None:
    assert {*_SELECTIONS, *_OF_A_SYSTEM, *_OF_A_PAIR, *_LOOKED_UP, "where"} == set(KEYS)


def test_units_come_hardest_first() -> None:
    rows = SEARCH.rows(())
    gold = TABLE.is_gold[rows]
    bins = SEARCH.units.bins[rows]
    assert sorted(rows.tolist()) == list(range(len(TABLE)))
    assert gold.tolist() == sorted(gold.tolist(), reverse=True)
    assert (np.diff(bins[gold]) >= 0).all()
    assert (np.diff(SEARCH.units.agree[rows][~gold]) <= 0).all()
    same = np.diff(bins[gold]) == 0
    assert (np.diff(rows[gold])[same] > 0).all()


CONDITIONS = [
    ("unit", ["gold", "not-gold"]),
    ("label", list(TABLE.labels)),
    *((f"outcome.{at}", ["TP", "FN,FP", "BES,BEL,LE"]) for at in range(TABLE.n_systems)),
    *((f"answer.{at}", list(TABLE.labels)) for at in range(TABLE.n_systems)),
    *((f"verdict.{at}", ["right", "wrong"]) for at in range(TABLE.n_systems)),
    *((f"has.{at}", ["yes", "no"]) for at in range(TABLE.n_systems)),
    ("change.0.1", ["correction", "new_error", "changed_error", "any"]),
]


@given(
    st.lists(
        st.sampled_from(CONDITIONS).flatmap(
            lambda one: st.tuples(st.just(one[0]), st.sampled_from(one[1]))
        ),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=60, deadline=None)
def test_counts_are_those_of_show(conditions: list[tuple[str, str]]) -> None:
    said = " and ".join(str(selection(TABLE, *one)) for one in conditions)
    shown = fg.show(TABLE, said)
    assert np.sort(SEARCH.rows(conditions)).tolist() == shown.rows.tolist()
    assert len(shown.rows) == shown.found


def test_findings_hold_for_as_many_units_as_they_say() -> None:
    report = fg.report(TABLE, instances=len(TABLE))
    search = UnitSearch.of(report.units)
    parts = [part for finding in report.findings for part in finding.parts]
    evidence = [part.evidence for part in parts if part.evidence is not None]
    assert len(evidence) > 3
    for one in evidence:
        assert len(search.rows(one.conditions)) == one.count, one


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("lable", "PER", "unknown condition 'lable'"),
        ("unit", "silver", "unknown unit 'silver'"),
        ("label", "NOPE", "unknown label 'NOPE'"),
        ("answer.0", "per", "unknown label 'per'. Did you mean 'PER'?"),
        ("mistaken.0", "", "unknown label ''"),
        ("mistaken_for.9", "PER", "there is no system 9: systems are 0 to 3"),
        ("mistaken", "PER", "names 1 systems, not 0"),
        ("outcome.0", "XX", "unknown outcome 'XX'"),
        ("outcome.9", "FN", "there is no system 9: systems are 0 to 3"),
        ("outcome.-1", "FN", "there is no system -1"),
        ("outcome", "FN", "names 1 systems, not 0"),
        ("change.0", "any", "names 2 systems, not 1"),
        ("verdict.0", "perhaps", "unknown verdict 'perhaps'"),
        ("bin", "one", "'one' is not a number"),
        ("bin", "1-", "'' is not a number"),
        ("bin.3", "1", "unknown condition 'bin.3'"),
        ("bucket.size", "1", "unknown attribute 'size'"),
        ("not", "", "not takes other conditions, such as label=PER, not ''"),
        ("not", "not=label=PER", "not takes other conditions"),
        ("not", "label=NOPE", "unknown label 'NOPE'"),
        ("not", "lable", "unknown condition 'lable'"),
        ("row", "9" * 40, "is not a number"),
        ("where", "gold=PER and", "found the end"),
        ("where", "__import__('os')", "expected and, or or the end"),
        ("where", "__class__=PER", "unknown field '__class__'"),
    ],
)
def test_what_is_wrong_is_told(key: str, value: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        SEARCH.rows([(key, value)])


def test_a_bucket_of_tokens_that_is_not_there_is_told() -> None:
    search = _search(_by_hand(), tokens=np.array([5, 4, 1]))
    with pytest.raises(UsageError, match="there is no bucket 3 of tokens: they are 0 to 2"):
        search.rows([("bucket.tokens", "3")])


def test_a_search_needs_all_units() -> None:
    with pytest.raises(ValueError, match="all units"):
        UnitSearch.of(embedded_units(TABLE, most=3))


def test_a_table_without_text_is_searched_too() -> None:
    table = fg.from_matrix([[1, 0], [1, 1], [0, 0]], systems=["a", "b"])
    search = _search(table)
    assert search.rows([("bin", "0")]).tolist() == [2]
    assert search.rows([("word", "x")]).tolist() == []
    assert search.rows([("text", "x")]).tolist() == []


@pytest.mark.parametrize("wanted", ["\u00c9t", "e\u0301t", "x\u200by", "X\\u200bY"])
def test_text_is_found_however_it_is_written(wanted: str) -> None:
    """Accents composed or not, in any case; characters that are written out, as they are or so."""
    text = [["e\u0301te\u0301", "x\u200by"], ["ete", "xy"]]
    gold = Corpus.of(text, tags=[["B-A", "O"], ["B-A", "O"]])
    search = _search(fg.align(gold, {"same": gold}, task="spans"))
    assert search.rows([("text", wanted)]).tolist() == [0]
