"""Diagnosis: measures of attributes and systems, best and worst buckets, comparisons."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.explain.diagnosis import Comparison
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from tests.schema import require_schema
from tests.table.corpora import TABLES, tag_tables

TEXT = [["Ada"], ["Bo", "Li"], ["Cy"], ["Di", "Wu"], ["Ed"]]
GOLD = [["B-PER"], ["B-PER", "I-PER"], ["B-PER"], ["B-PER", "I-PER"], ["B-PER"]]


def _system(*found: bool) -> fg.Corpus:
    """Finds the entities for which it is true."""
    tags = [
        row if is_found else ["O"] * len(row) for row, is_found in zip(GOLD, found, strict=True)
    ]
    return fg.Corpus.of(TEXT, tags=tags)


def _table(**systems: fg.Corpus) -> fg.OutcomeTable:
    return fg.align(fg.Corpus.of(TEXT, tags=GOLD), systems)


SHORT = _system(True, False, True, True, True)
LONG = _system(True, True, False, True, False)
NOTHING = _system(False, False, False, False, False)


def test_measures_and_extremes_by_hand() -> None:
    # three entities of one token, two of two; F1 = 2 hits / (gold + predicted)
    # short: XS 2*3/(3+3) = 1, S 2*1/(2+1) = 2/3; long: XS 2*1/(3+1) = 1/2, S 2*2/(2+2) = 1
    found = fg.diagnose(_table(short=SHORT, long=LONG), "entity_length").to_json()
    lengths = found["attributes"]["entity_length"]
    assert lengths["zeta"] == pytest.approx((3 * 1 + 2 * 2) / 5)
    assert lengths["rho"] == 1.0  # |-1| and |1|
    assert lengths["systems"]["short"]["spearman"] == -1.0
    assert lengths["systems"]["long"]["spearman"] == 1.0
    assert lengths["systems"]["short"]["std"] == pytest.approx(1 / 6)  # half of 1 - 2/3
    assert lengths["systems"]["long"]["std"] == pytest.approx(1 / 4)
    assert lengths["self_diagnosis"]["short"] == pytest.approx(
        {"best": "XS", "best_score": 1.0, "worst": "S", "worst_score": 2 / 3, "gap": 1 / 3}
    )
    assert found["overall"] == pytest.approx({"short": 8 / 9, "long": 6 / 8})
    (compared,) = found["comparisons"]  # the first of two against the second
    assert (compared["system"], compared["against"]) == ("short", "long")
    lengths = compared["attributes"]["entity_length"]
    assert lengths["differences"] == pytest.approx([1 / 2, -1 / 3])
    assert (lengths["largest"], lengths["smallest"]) == ("XS", "S")


def test_against_the_best_of_the_others_the_rival_may_change() -> None:
    table = _table(short=SHORT, long=LONG, nothing=NOTHING)
    found = fg.diagnose(table, "entity_length", system="nothing").to_json()
    (compared,) = found["comparisons"]
    assert compared["against"] is None
    lengths = compared["attributes"]["entity_length"]
    assert lengths["rivals"] == ["short", "long"]
    assert lengths["differences"] == [-1.0, -1.0]
    assert lengths["largest"] == lengths["smallest"] == "XS"  # of equals the lowest


def test_more_than_two_systems_are_each_compared_with_the_best_of_the_others() -> None:
    table = _table(short=SHORT, long=LONG, nothing=NOTHING)
    pairs = [(one.system, one.against) for one in fg.diagnose(table, "entity_length").comparisons]
    assert pairs == [(0, None), (1, None), (2, None)]
    against = fg.diagnose(table, "entity_length", against="long").comparisons
    assert [(one.system, one.against) for one in against] == [(0, 1), (2, 1)]
    pair = fg.diagnose(table, "entity_length", system="long", against="short").comparisons
    assert [(one.system, one.against) for one in pair] == [(1, 0)]


def test_a_single_system_is_compared_with_nobody() -> None:
    found = fg.diagnose(_table(short=SHORT), "entity_length")
    assert found.comparisons == ()
    assert "Self-diagnosis" in str(found)


def test_equal_scores_have_no_correlation_and_the_reason_is_told() -> None:
    found = fg.diagnose(_table(nothing=NOTHING), "entity_length")
    system = found.to_json()["attributes"]["entity_length"]["systems"]["nothing"]
    assert system["spearman"] is None
    assert system["std"] == 0
    assert any("Spearman n/a" in note for note in found.notes)


def test_units_without_a_value_are_neither_best_nor_worst() -> None:
    table = fg.annotate(
        _table(short=SHORT, long=LONG),
        {"age": np.array([1.0, 2.0, np.nan, np.nan, 1.0])},
    )
    found = fg.diagnose(table, "age").to_json()["attributes"]["age"]
    assert found["names"][-1] == "n/a"
    assert "n/a" not in {found["self_diagnosis"]["long"][end] for end in ("best", "worst")}


def test_small_buckets_are_named_with_their_size() -> None:
    text = str(fg.diagnose(_table(short=SHORT, long=LONG), "entity_length"))
    assert "XS: 1 (n=3)" in text
    assert "n: gold units, where there are fewer than 30." in text


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"system": "shor"}, "unknown system 'shor'. Did you mean 'short'?"),
        ({"against": "x"}, "unknown system 'x'"),
        ({"system": "short", "against": "short"}, "not compared with itself"),
        ({"by": "entity_lenth"}, "unknown attribute 'entity_lenth'"),
        ({"metric": "accurracy"}, "unknown metric"),
    ],
)
def test_bad_names_are_usage_errors(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(fg.UsageError, match=message):
        fg.diagnose(_table(short=SHORT, long=LONG), **choices)


def test_files_are_no_tables() -> None:
    with pytest.raises(fg.UsageError, match="takes an outcome table"):
        fg.diagnose("gold.conll")  # type: ignore[arg-type]  # what is tested


@settings(max_examples=40, deadline=None)
@given(TABLES)
def test_json_keeps_to_its_schema_and_every_form_can_be_written(table: fg.OutcomeTable) -> None:
    found = fg.diagnose(table, ["entity_length", "label"])
    document = json.loads(as_json(found, command="finegrain test"))
    require_schema(document, "diagnosis")
    for form in (as_csv, as_latex, as_markdown, str):
        assert form(found)


@settings(max_examples=40, deadline=None)
@given(tag_tables(), st.data())
def test_the_order_of_systems_is_irrelevant(table: fg.OutcomeTable, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(table.n_systems)))
    turned = fg.OutcomeTable(
        table.task, tuple(table.systems[at] for at in order), table.labels,
        table.sentence, table.begin, table.end, table.label, table.is_gold,
        table.outcome[:, order], table.answer[:, order], table.corpus, table.token_set,
        settings=table.settings,
    )  # fmt: skip
    one, other = (
        fg.diagnose(each, ["sentence_length", "label"], system=table.systems[0]).to_json()
        for each in (table, turned)
    )
    assert one == other


@settings(max_examples=30, deadline=None)
@given(tag_tables())
def test_a_pair_mirrors_the_other_way_round(table: fg.OutcomeTable) -> None:
    if table.n_systems < 2:
        return
    a, b = table.systems[:2]
    there, back = (
        fg.diagnose(table, "sentence_length", system=one, against=other).comparisons[0]
        for one, other in ((a, b), (b, a))
    )
    np.testing.assert_allclose(there.differences[0], -back.differences[0])


def test_a_comparison_with_the_best_of_the_others_has_no_other_side() -> None:
    one = Comparison(0, None, (np.array([0.25]),), (np.array([1]),))
    assert one.turned() is one
