"""Intervals on what people compare: differences, oracles, bins, buckets."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.compare.difficulty_intervals import bin_counts
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.metrics.metric import ratio
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.sampling import counted, sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.scale import PROPORTION
from finegrain.views.saving import render
from tests.schema import require_schema

Analysis = Callable[..., Any]
ANALYSES: dict[str, Analysis] = {
    "difference": lambda table, **how: fg.difference(table, "one", "two", **how),
    "differences": fg.differences,
    "oracle": fg.oracle,
    "difficulty": fg.difficulty,
    "buckets": lambda table, **how: fg.buckets(table, "label", **how),
}
GOLD = "NNVNVVNNDNVDNVNN"
ANSWERS = {
    "one": "NVVNVNNNDNVNNVNV",
    "two": "NNVNNVNVDNVDVVNN",
    "three": "VNVNVVNNNNVDNNNN",
}


def _corpus(tags: str, order: list[int]) -> Corpus:
    """Eight documents of two words each, in an order."""
    pairs = [tags[2 * place : 2 * place + 2] for place in order]
    words = [[f"w{2 * place}", f"w{2 * place + 1}"] for place in order]
    return Corpus.of(words, documents=list(range(8)), tags=[list(pair) for pair in pairs])


def _table(order: list[int] | None = None, names: tuple[str, ...] = tuple(ANSWERS)) -> OutcomeTable:
    places = list(range(8)) if order is None else order
    systems = {name: _corpus(ANSWERS[name], places) for name in names}
    return fg.align(_corpus(GOLD, places), systems, task="tags")


def _intervals(found: Any) -> Any:
    """All that is said of intervals in JSON, systems and labels by name."""
    told = found.to_json()
    if "pairs" in told and "matrix" in told:
        return {pair: one["intervals"] for pair, one in told["pairs"].items()}
    if "label" in told:
        return {name: one["intervals"] for name, one in told["label"]["systems"].items()}
    return told["intervals"]


def _one_word_each(right: dict[str, list[bool]]) -> OutcomeTable:
    """Sentences of one word, about which systems are right or wrong."""
    size = len(next(iter(right.values())))
    text = [["w"]] * size
    systems = {
        name: Corpus.of(text, tags=[["N" if one else "V"] for one in verdicts])
        for name, verdicts in right.items()
    }
    return fg.align(Corpus.of(text, tags=[["N"]] * size), systems, task="tags")


def _near(ends: Any, value: float, error: float) -> None:
    """As a normal distribution with this standard error would have it."""
    assert ends == pytest.approx([value - 1.96 * error, value + 1.96 * error], abs=0.15 * error)


def _near_share(ends: Any, share: float, error: float) -> None:
    """As a normal distribution of the logit, whose error is 1 / (p (1 - p)) times as large."""
    odds, far = share / (1 - share), math.exp(1.96 * error / (share * (1 - share)))
    expected = [1 - 1 / (1 + odds / far), 1 - 1 / (1 + odds * far)]
    assert ends == pytest.approx(expected, abs=0.05 * error)


def _four_hundred() -> OutcomeTable:
    """400 words: both right 200, only b 100, only a 60, none 40."""
    return _one_word_each(
        {
            "a": [True] * 200 + [False] * 100 + [True] * 60 + [False] * 40,
            "b": [True] * 200 + [True] * 100 + [False] * 60 + [False] * 40,
        }
    )


def test_shares_of_changes_have_the_intervals_of_proportions() -> None:
    """Corrections 100 / 400 = .25: sqrt(.25 x .75 / 400) = .02165; new errors .15: .01785. Net
    .1: each word counts +1, -1 or 0, of variance .4 - .01 = .39: sqrt(.39 / 400) = .03123."""
    found = fg.difference(_four_hundred(), intervals=4000).to_json()["intervals"]
    assert found["confidence"] == 0.95
    _near_share(found["corrections"], 0.25, 0.02165)
    _near_share(found["new_errors"], 0.15, 0.01785)
    _near_share(found["diff"], 0.4, 0.0245)  # sqrt(.4 x .6 / 400)
    _near(found["accuracy"], 0.1, 0.03123)
    assert found["changed_errors"] is None  # there is none, so none in any resample
    assert "score" not in found


@pytest.mark.parametrize("table", [_table(), _four_hundred()], ids=["tags", "one word each"])
def test_where_accuracy_is_the_score_its_interval_is_that_of_significance(
    table: OutcomeTable,
) -> None:
    tested = fg.significance(table)
    for one, other in combinations(table.systems, 2):
        found = fg.difference(table, one, other, intervals=1000)
        pair = tested.pair(one, other)
        assert found.score is None
        assert found.accuracy.delta == pytest.approx(pair.difference)
        assert found.intervals is not None
        assert found.intervals.ends("accuracy") == (pair.low, pair.high)


def test_oracle_and_gain_have_the_intervals_of_proportions() -> None:
    """Some system solves 360 of 400: sqrt(.9 x .1 / 400) = .015. Over b, the best with 300, it
    gains what only a solves: .15, sqrt(.15 x .85 / 400) = .01785. Which system is the best is not
    known, so its ends hold over both at once: 2.24 errors (.975 ** .5) in place of 1.96."""
    found = fg.oracle(_four_hundred(), intervals=4000).to_json()["intervals"]
    _near(found["overall"]["oracle"], 0.9, 0.015)
    _near(found["overall"]["gain"], 0.15, 0.01785 * 2.24 / 1.96)
    assert found["labels"] == {"N": found["overall"]}


def test_bins_have_the_intervals_of_proportions() -> None:
    """Bins of 40, 160 and 200; of the middle one a solves 60: .375, sqrt(.375 x .625 / 160)."""
    found = fg.difficulty(_four_hundred(), intervals=4000).to_json()["intervals"]
    _near_share(found["bins"][0], 0.1, 0.015)
    _near_share(found["bins"][1], 0.4, 0.0245)
    _near_share(found["bins"][2], 0.5, 0.025)
    _near_share(found["shares"]["a"][1], 0.375, math.sqrt(0.375 * 0.625 / 160))
    assert found["shares"]["a"][0] is None  # 0 of bin 0, always
    _near_share(found["recall"]["a"], 0.65, math.sqrt(0.65 * 0.35 / 400))
    # of the 100 words that b is wrong about a solves 60
    _near_share(found["leave_one_out"]["shares"]["a"][0], 60 / 100, math.sqrt(0.6 * 0.4 / 100))


def test_buckets_have_the_intervals_of_proportions() -> None:
    """One bucket: a is right about 260 of 400 words."""
    found = fg.buckets(_four_hundred(), "label", intervals=4000).to_json()["label"]
    ends = found["systems"]["a"]["intervals"]
    _near(ends["accuracy"][0], 0.65, math.sqrt(0.65 * 0.35 / 400))


@pytest.mark.parametrize("name", ANALYSES)
def test_without_being_asked_for_there_are_none(name: str) -> None:
    found = ANALYSES[name](_table())
    assert "interval" not in json.dumps(found.to_json())
    assert "low" not in [column.name for column in found.records().columns]
    assert "sample:" not in found.signature


@pytest.mark.parametrize("name", ANALYSES)
def test_json_csv_tables_and_signature_have_them(name: str) -> None:
    found = ANALYSES[name](_table(), intervals=200, confidence=0.9, seed=3)
    require_schema(json.loads(render(found, "json")), name)
    assert "|sample:document|n:8|intervals:200|confidence:0.9|seed:3|" in found.signature
    records = found.records()
    assert [column.name for column in records.columns[-2:]] == ["low", "high"]
    assert {len(row) for row in records.rows} == {len(records.columns)}
    known = [row[-3:] for row in records.rows if isinstance(row[-1], float) and row[-1] == row[-1]]
    assert known
    assert all(low <= value <= high for value, low, high in known)
    assert "90 %" in str(found)


@pytest.mark.parametrize("name", ANALYSES)
@given(st.permutations(range(8)))
@settings(max_examples=8, deadline=None)
def test_the_order_of_documents_changes_no_digit(name: str, order: list[int]) -> None:
    how = {"intervals": 50}
    assert _intervals(ANALYSES[name](_table(order), **how)) == _intervals(
        ANALYSES[name](_table(), **how)
    )


@pytest.mark.parametrize("name", ["difference", "oracle", "difficulty", "buckets"])
@given(st.permutations(list(ANSWERS)))
@settings(max_examples=6, deadline=None)
def test_the_order_of_systems_changes_no_digit(name: str, names: list[str]) -> None:
    how = {"intervals": 50}
    other = _intervals(ANALYSES[name](_table(names=tuple(names)), **how))
    assert other == _intervals(ANALYSES[name](_table(), **how))


@pytest.mark.parametrize("name", ["difference", "buckets"])
def test_a_further_system_changes_no_digit(name: str) -> None:
    few = _intervals(ANALYSES[name](_table(names=("one", "two")), intervals=50))
    more = _intervals(ANALYSES[name](_table(), intervals=50))
    more.pop("three", None)
    assert more == few


def test_the_difference_of_two_mirrors() -> None:
    there = fg.difference(_table(), "one", "two", intervals=200).intervals
    back = fg.difference(_table(), "two", "one", intervals=200).intervals
    assert there is not None
    assert back is not None
    assert there.ends("correction") == pytest.approx(back.ends("new_error"))
    assert there.ends("diff") == pytest.approx(back.ends("diff"))
    low, high = back.ends("accuracy")
    assert there.ends("accuracy") == pytest.approx((-high, -low))


def test_the_interval_of_a_score_is_that_of_significance() -> None:
    play = fg.simulate(tokens=4_000, seed=2)
    table = fg.align(play.gold, play.systems)
    one, other = table.systems[:2]
    found = fg.difference(table, one, other, intervals=300).intervals
    tested = fg.significance(table, "traditional_f1", resamples=10, intervals=300)
    assert found is not None
    compared = tested.pair(one, other)
    assert found.ends("score") == pytest.approx((compared.low, compared.high))


def test_fair_scores_of_buckets_have_intervals_around_them() -> None:
    """An error that is charged to a gold span of another bucket counts in that one's."""
    play = fg.simulate(tokens=6_000, seed=1)
    table = fg.align(play.gold, play.systems)
    found = fg.buckets(table, "entity_length", metric="fair_f1", intervals=300)["entity_length"]
    assert found.intervals is not None
    low, high = np.moveaxis(found.intervals.ends, -1, 0)
    known = ~np.isnan(low)
    assert known.any()
    assert ((low <= found.main()) & (found.main() <= high))[known].all()


@pytest.mark.parametrize("name", ["difference", "oracle", "buckets"])
def test_five_documents_have_none_and_a_note_says_so(name: str) -> None:
    text = [["a", "b"]] * 5
    gold = Corpus.of(text, documents=list(range(5)), tags=[["N", "V"]] * 5)
    one = Corpus.of(text, documents=list(range(5)), tags=[["N", "N"]] * 3 + [["N", "V"]] * 2)
    two = Corpus.of(text, documents=list(range(5)), tags=[["V", "V"]] * 2 + [["N", "V"]] * 3)
    found = ANALYSES[name](fg.align(gold, {"one": one, "two": two}), intervals=100)
    told = json.dumps(_intervals(found))
    assert "null" in told
    assert not re.search(r"\[-?\d", told)  # no pair of ends anywhere
    assert any("too few documents" in note for note in found.notes)


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=40))
@settings(max_examples=25, deadline=None)
def test_units_that_stand_alone_are_drawn_as_kinds(rows: list[tuple[bool, ...]]) -> None:
    """The bins alone say how many units of each kind there are: the same digits as unit by unit."""
    table = fg.from_matrix(np.array(rows, int), systems=["a", "b", "c"])
    found = fg.difficulty(table, intervals=40).intervals
    assert found is not None
    *systems, _ = counted(table, bin_counts, sampling_of(table))
    for place, given_ in enumerate(systems):
        resampled = drawn(given_, Drawing(40))
        recall = resampled.ends(
            lambda s: ratio(s[..., 1, :].sum(-1), s[..., 0, :].sum(-1)), PROPORTION
        )
        assert np.array_equal(found.ends("recall")[place], recall, equal_nan=True)


@pytest.mark.parametrize("name", ANALYSES)
@pytest.mark.parametrize("wrong", [{"intervals": -1}, {"intervals": 10, "confidence": 95}])
def test_what_cannot_be_meant_is_refused(name: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"resamples|level"):
        ANALYSES[name](_table(), **wrong)


@pytest.mark.parametrize(
    "command", [["difference"], ["oracle"], ["difficulty"], ["buckets", "--by", "label"]]
)
def test_commands_show_them_unless_told_not_to(command: list[str], run: Any) -> None:
    assert run("simulate", "play", "--tokens", "3000", "--seed", "1").returncode == 0
    files = [f"play/{name}.conll" for name in ("gold", "crf", "neural")]
    shown = run(*command, *files, "--quiet")
    assert shown.returncode == 0, shown.stderr
    assert "95 %" in shown.stdout
    assert "|intervals:1000|confidence:0.95|seed:1|" in shown.stdout
    assert run(*command, *files, "--quiet").stdout == shown.stdout
    quick = run(*command, *files, "--quiet", "--no-intervals")
    assert quick.returncode == 0, quick.stderr
    assert "95 %" not in quick.stdout
    refused = run(*command, *files, "--quiet", "--confidence", "95")
    assert refused.returncode == 2
    assert "between 0 and 1, e.g. 0.95, not 95" in refused.stderr


def test_the_gain_of_the_oracle_of_twelve_systems_is_real(shared: Path) -> None:
    """Some system solves 6,837 of 7,015 items, the best one 6,534."""
    folder = shared / "data" / "ner" / "bc5-chemical"
    table = fg.align(fg.read(str(folder / "item-by-system-true-positives.tsv.gz")), {})
    found = fg.oracle(table, intervals=1000)
    ends = found.to_json()["intervals"]["overall"]
    low, high = ends["oracle"]
    value, units = found.bound().oracle, int(found.units.sum())
    assert (units, round(value * units), round(found.bound().best * units)) == (7015, 6837, 6534)
    error = math.sqrt(value * (1 - value) / units)
    assert (low, high) == pytest.approx((value - 1.96 * error, value + 1.96 * error), abs=error / 4)
    assert ends["gain"][0] > 0
