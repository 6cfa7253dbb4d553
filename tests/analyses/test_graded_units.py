"""Graded units: what is compared by values, and equals counts where values are 1 and 0."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import finegrain as fg
from finegrain.alignment.item_tables import item_table, meet
from finegrain.alignment.majority_vote import majority_vote
from finegrain.analyses.compare import value_complementarity
from finegrain.analyses.compare.disagreements import disagreements
from finegrain.analyses.compare.graded_oracle import heights
from finegrain.analyses.compare.triage import Triage
from finegrain.corpus import Corpus, Texts
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric, ratio
from finegrain.metrics.values import mean_of
from finegrain.table import Outcome, Outcomes, OutcomeTable, Task
from finegrain.table.samples import Samples
from finegrain.table.scale import RIGHT_OR_WRONG, Floats, Scale, Value
from finegrain.table.task import Words
from finegrain.views.saving import render
from tests.schema import require_schema

OUTCOMES = Outcomes((
    Outcome("WORSE", "worse", "not solved", "worse units", "missed"),
    Outcome("SOLVED", "solved", "solved", role="right", right=True),
))  # fmt: skip
GRADED = Task(
    "graded", "texts that are graded", "every text", OUTCOMES,
    Words("text", "texts", "text", context=""), answers="text", value="quality",
)  # fmt: skip
EDITS = Scale(higher=False, best=0.0, worst=None, shown="number")
NAMES = ("rough", "fine", "odd", "slow")
CELLS = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, math.nan])


def _table(
    values: Any, scale: Scale = RIGHT_OR_WRONG, *, task: Task = GRADED, per_document: int = 0
) -> OutcomeTable:
    """One text per row; its outcome says whether the scale counts it as solved."""
    matrix = np.array(values, np.float64)
    size, systems = matrix.shape
    ids = np.empty(size, object)
    ids[:] = [f"t{place}" for place in range(size)]
    corpus = Corpus(
        "gold",
        np.arange(size + 1),
        Texts.of([f"text{place}" for place in range(size)]),
        documents=np.arange(size, dtype=np.int32) // per_document if per_document else None,
        fields={"id": ids},
    )
    met = meet(corpus, dict.fromkeys(NAMES[:systems], corpus))
    outcome = scale.solves(matrix).astype(np.uint8)
    graded = {"quality": Value(scale, matrix)}
    return item_table(task, met, outcome=outcome, values=graded)


def _matrices(cells: st.SearchStrategy[float] = CELLS) -> st.SearchStrategy[Floats]:
    return st.tuples(st.integers(1, 12), st.integers(2, 4)).flatmap(
        lambda shape: st.lists(
            st.lists(cells, min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        ).map(lambda rows: np.array(rows, np.float64))
    )


_BINARY = _matrices(st.sampled_from([0.0, 1.0]))


def test_a_pair_by_hand() -> None:
    """Edits of five texts: two wins, a loss, a tie; one text has none of the second system."""
    values = [[4.0, 1.0], [2.0, 2.05], [1.0, 3.0], [5.0, math.nan], [3.0, 2.0]]
    found = fg.difference(_table(values, replace(EDITS, tie=0.1)))
    gains = found.to_json()["gains"]
    assert (gains["wins"], gains["losses"], gains["ties"]) == (2, 1, 1)
    assert gains["undefined"] == {"a": 0, "b": 1, "both": 0}
    assert gains["units"] == 4
    assert gains["a"] == 10 / 4
    assert gains["b"] == pytest.approx(8.05 / 4)
    assert gains["gain"] == pytest.approx(1.95 / 4)
    assert [(unit["text"], unit["gain"]) for unit in gains["largest_gains"]] == [
        ("text0", 3.0),
        ("text4", 1.0),
    ]
    assert [unit["gain"] for unit in gains["largest_losses"]] == [-2.0]
    assert found.headline() == (
        "fine is better on 2 and worse on 1 of 4 texts, with 1 ties: "
        "mean quality 2.500 -> 2.013, gain +0.487"
    )
    assert "no quality of fine: 1 unit left out" in found.notes


def test_without_right_and_wrong_nothing_speaks_of_corrections() -> None:
    table = _table(np.arange(24.0).reshape(8, 3) % 7, EDITS)
    pair = fg.difference(table, "rough", "fine")
    assert not {"corrections", "labels", "accuracy", "agreement", "sentences"} & set(pair.to_json())
    for result in (
        pair, fg.differences(table), fg.differences(table, "rough"), fg.oracle(table),
        fg.difficulty(table), fg.triage(table), fg.words(table), fg.features(table),
    ):  # fmt: skip
        said = str(result) + json.dumps(result.records().rows)
        said += "" if isinstance(result, Triage) else json.dumps(result.to_json())
        for word in ("correct", "right", "solve", "new error", "accuracy", "recall"):
            assert word not in said, (type(result).__name__, word)


@settings(max_examples=60, deadline=None)
@given(_BINARY)
def test_binary_values_give_the_numbers_of_right_and_wrong(matrix: Floats) -> None:
    table = _table(matrix)
    plain = fg.from_matrix(matrix.astype(int), systems=NAMES[: matrix.shape[1]])
    pairs, expected = fg.differences(table), fg.differences(plain)
    for pair, one in expected.pairs.items():
        gains = pairs.pair(*pair).gains
        assert gains is not None
        assert (gains.wins, gains.losses) == (one.total("correction"), one.total("new_error"))
        assert gains.gain == one.accuracy.delta
        assert (gains.one, gains.other) == one.accuracy[1:3]
    graded, counted = fg.oracle(table).graded, fg.oracle(plain)
    assert graded is not None
    assert graded.shapley is not None
    assert graded.greedy.order == counted.greedy.order
    assert graded.greedy.sums == counted.greedy.solved
    assert np.array_equal(graded.pairs, counted.pairs)
    assert np.array_equal(graded.lost, counted.contributions.unique)
    assert np.array_equal(graded.shapley, counted.contributions.shapley)
    assert graded.oracle == counted.bound().oracle
    assert graded.best_system == counted.bound().best_system
    assert graded.gain == pytest.approx(counted.bound().gain, abs=1e-15)
    difficulty = fg.difficulty(table).to_json()
    assert difficulty["sizes"] == fg.difficulty(plain).to_json()["sizes"]
    assert difficulty["counts"] == fg.difficulty(plain).to_json()["counts"]


@pytest.mark.parametrize("per_document", [0, 4])
def test_intervals_of_binary_values_are_those_of_accuracy(per_document: int) -> None:
    matrix = np.random.default_rng(3).integers(0, 2, (60, 3)).astype(float)
    table = _table(matrix, per_document=per_document)
    for pair in fg.differences(table, intervals=200).pairs.values():
        assert pair.intervals is not None
        assert pair.intervals.ends("gain") == pair.intervals.ends("accuracy")
    found = fg.oracle(table, intervals=200)
    assert found.intervals is not None
    assert found.graded is not None
    assert found.graded.intervals is not None
    one, other = found.graded.intervals.of("quality"), found.intervals.of("accuracy")
    assert np.allclose(one.oracle, other.oracle, atol=1e-12)
    assert np.allclose(one.gain, other.gain, atol=1e-12)


def _turned(table: OutcomeTable) -> OutcomeTable:
    """The same with values of which less is better."""
    scale, matrix = table.values["quality"].scale, table.values["quality"].matrix
    solved = None if scale.solved is None else -scale.solved
    worst = None if scale.worst is None else -scale.worst
    turned = replace(scale, higher=False, best=-(scale.best or 0), worst=worst, solved=solved)
    return replace(table, values={"quality": Value(turned, -matrix)})


SCALES = [RIGHT_OR_WRONG, Scale(), Scale(worst=None), Scale(solved=0.75, worst=-1.0, tie=0.3)]


@settings(max_examples=60, deadline=None)
@given(_matrices(), st.sampled_from(SCALES))
def test_the_direction_of_a_scale_changes_no_result(matrix: Floats, scale: Scale) -> None:
    table = _table(matrix, scale)
    other = _turned(table)
    for pair, one in fg.differences(table).pairs.items():
        first, second = one.gains, fg.differences(other).pair(*pair).gains
        assert first is not None
        assert second is not None
        assert (first.wins, first.losses, first.ties) == (second.wins, second.losses, second.ties)
        assert _same(first.gain, second.gain)
        assert [unit.row for unit in first.largest_gains] == [
            unit.row for unit in second.largest_gains
        ]
    first, second = (fg.oracle(one).to_json()["graded"] for one in (table, other))
    for key in ("best_system", "gain", "lost_without", "shapley", "units", "left_out"):
        assert first[key] == second[key], key
    assert [step["system"] for step in first["greedy"]] == [
        step["system"] for step in second["greedy"]
    ]
    assert first["oracle"] is None or first["oracle"] == -second["oracle"]
    assert fg.difficulty(table).to_json()["sizes"] == fg.difficulty(other).to_json()["sizes"]
    assert fg.triage(table).rows.tolist() == fg.triage(other).rows.tolist()


def _same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


@settings(max_examples=60, deadline=None)
@given(_matrices(), st.sampled_from(SCALES))
def test_undefined_values_never_spread(matrix: Floats, scale: Scale) -> None:
    """Numbers are undefined only where there is no unit to compute them from."""
    table = _table(matrix, scale)
    known = ~np.isnan(matrix)
    for (one, other), pair in fg.differences(table).pairs.items():
        both = known[:, table.system(one)] & known[:, table.system(other)]
        assert pair.gains is not None
        assert math.isnan(pair.gains.gain) == (not both.any())
        assert pair.gains.units + sum(pair.gains.undefined) == len(matrix)
    graded = fg.oracle(table).to_json()["graded"]
    counted = known.any(axis=1) if scale.worst is not None else known.all(axis=1)
    assert graded["units"] == int(counted.sum())
    assert (graded["oracle"] is None) == (not counted.any())
    if counted.any():
        assert None not in graded["systems"].values()
        assert None not in graded["lost_without"].values()
        assert graded["gain"] >= 0
    json.dumps(fg.difficulty(table).to_json(), allow_nan=False)
    json.dumps(fg.triage(table).to_json(), allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(_matrices(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])))
def test_contributions_are_what_all_orders_and_subsets_give(matrix: Floats) -> None:
    systems = range(matrix.shape[1])

    def reached(chosen: tuple[int, ...]) -> float:
        return float(matrix[:, list(chosen)].max(axis=1, initial=0.0).sum())

    orders = list(permutations(systems))
    for system in systems:
        added = [
            reached(order[: order.index(system) + 1]) - reached(order[: order.index(system)])
            for order in orders
        ]
        others = tuple(one for one in systems if one != system)
        assert value_complementarity.shapley(matrix)[system] == pytest.approx(np.mean(added))
        assert value_complementarity.lost(matrix)[system] == pytest.approx(
            reached(tuple(systems)) - reached(others)
        )
    for one, other in combinations(systems, 2):
        assert value_complementarity.pairs(matrix)[one, other] == pytest.approx(
            reached((one, other))
        )
    order, sums = value_complementarity.greedy(matrix, NAMES[: matrix.shape[1]])
    for place in range(1, len(order)):
        assert sums[place] == pytest.approx(
            max(reached((*order[:place], one)) for one in systems if one not in order[:place])
        )


def test_an_oracle_on_an_open_scale_by_hand() -> None:
    """Only the first three texts have edits of both; there is no worst end to share from."""
    values = [[4.0, 1.0], [2.0, 3.0], [0.0, 2.0], [9.0, math.nan]]
    found = fg.oracle(_table(values, EDITS))
    told = found.to_json()
    assert set(told) == {"graded"}
    graded = told["graded"]
    assert (graded["units"], graded["left_out"]) == (3, 1)
    assert graded["systems"] == {"rough": 2.0, "fine": 2.0}
    assert (graded["best_system"], graded["oracle"], graded["gain"]) == ("fine", 1.0, 1.0)
    assert graded["greedy"][0] == {"system": "fine", "oracle": 2.0}
    assert graded["lost_without"] == {"rough": 1.0, "fine": 1.0}
    assert graded["shapley"] is None
    assert "no quality of some system: 1 unit left out" in found.notes
    rows = {tuple(row[:6]) for row in found.records().rows}
    assert ("graded", "", "system", "rough", "quality", 2.0) in rows
    assert ("graded", "", "oracle", "oracle", "quality", 1.0) in rows


def test_an_undefined_value_is_the_worst_where_there_is_one() -> None:
    values = [[1.0, math.nan], [0.5, 0.75], [math.nan, math.nan]]
    table = _table(values, Scale())
    assert heights(table).matrix.tolist() == [[1.0, 0.0], [0.5, 0.75]]
    graded = fg.oracle(table).to_json()["graded"]
    assert graded["systems"] == {"rough": 0.75, "fine": 0.375}
    assert graded["shapley"] == {"rough": 0.625, "fine": 0.25}  # 1.0 / 2 and 0.25, 0.25 + 0.25
    assert graded["oracle"] == 0.875


def _largest_share() -> Metric:
    """The highest quality by the sum of all: no mean of values."""

    def statistics(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        matrix = table.values["quality"].matrix
        found = np.zeros((samples.size, table.n_systems, 2))
        np.add.at(found[..., 0], samples.codes, matrix**2)
        np.add.at(found[..., 1], samples.codes, matrix)
        return found

    return Metric("evenness", statistics, lambda sums: ratio(sums[..., 0], sums[..., 1]), "", "")


def test_corpus_metrics_are_those_of_the_chosen_outputs() -> None:
    metrics = (mean_of("quality", Scale()), _largest_share())
    task = replace(GRADED, metrics=lambda _: metrics)
    found = fg.oracle(_table([[1.0, 0.0], [0.0, 0.5], [0.0, 0.5]], Scale(), task=task))
    told = found.to_json()["graded"]["metrics"]
    assert told == {"evenness": {"systems": {"rough": 1.0, "fine": 0.5}, "chosen": 0.75}}
    assert "need not be by other metrics" in str(found)


def test_units_that_are_only_graded_fall_into_quarters() -> None:
    values = [[float(place), float(place) + 2] for place in range(8)]
    found = fg.difficulty(_table([*values, [math.nan, math.nan]], EDITS), intervals=1000)
    told = found.to_json()
    assert told["sizes"] == [2, 2, 2, 2]
    assert told["ranges"] == [[7.0, 8.0], [5.0, 6.0], [3.0, 4.0], [1.0, 2.0]]
    assert told["means"] == {"rough": [6.5, 4.5, 2.5, 0.5], "fine": [8.5, 6.5, 4.5, 2.5]}
    assert told["overall"] == {"rough": 3.5, "fine": 5.5}
    low, high = told["intervals"]["overall"]["rough"]
    assert low < 3.5 < high
    assert "no quality of any system: 1 unit left out" in found.notes
    with pytest.raises(UsageError, match="leave-one-out"):
        fg.difficulty(_table(values, EDITS), leave_one_out=True)


def test_equal_values_share_a_bin() -> None:
    found = fg.difficulty(_table([[1.0, 1.0]] * 6 + [[0.0, 0.0]], EDITS)).to_json()
    assert sum(found["sizes"]) == 7
    assert found["ranges"] == [[1.0, 1.0], [0.0, 0.0]]


def test_triage_finds_what_all_are_far_off_on() -> None:
    values = [[4.0, 1.0], [9.0, 7.0], [0.0, 8.0], [2.0, math.nan], [1.0, 0.0], [0.5, 0.5]]
    found = fg.triage(_table(values, EDITS))
    told = [(unit["text"], unit["gap"]) for unit in found.to_json()["units"]]
    assert told == [("text1", 7.0), ("text3", 2.0)]
    assert found.to_json()["units"][1]["values"] == {"rough": 2.0, "fine": None}
    some = fg.triage(_table(values, EDITS), at_least=1, limit=1)
    assert (some.found, [unit.text for unit in some.units()]) == (2, ["text1"])
    solved = fg.triage(_table([[1.0, 0.5], [0.5, 0.5], [0.75, 0.2]], Scale(solved=0.75)))
    assert [unit.text for unit in solved.units()] == ["text1"]
    open_end = fg.triage(_table([[3.0, 5.0], [1.0, 1.0]], Scale(best=None, worst=None)))
    assert [unit["gap"] for unit in open_end.to_json()["units"]] == [2.0]  # from 3, the best mean


def test_disagreements_are_wins_and_losses() -> None:
    table = _table([[4.0, 1.0], [2.0, 2.0], [0.0, 3.25]], EDITS)
    found = disagreements(table, "rough", "fine")
    told = [(unit.kind, unit.before, unit.after) for unit in found.units()]
    assert told == [("gain", "4", "1"), ("loss", "0", "3.25")]
    with pytest.raises(UsageError, match="tsv"):
        found.marked()


def test_examples_of_gains_are_shown_in_full() -> None:
    table = _table([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]], Scale())
    found = fg.difference(table, examples=1)
    gains = found.to_json()["gains"]
    assert gains["largest_gains"][0]["example"]["text"] == "text0"
    assert "largest losses: quality 100.00 -> 0.00" in str(found)


def test_the_vote_has_no_values() -> None:
    task = replace(GRADED, answers="label")
    table = majority_vote(_table([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]], task=task))
    assert np.isnan(table.values["quality"].matrix[:, -1]).all()
    graded = fg.oracle(table).to_json()["graded"]
    assert list(graded["systems"]) == ["rough", "fine", "odd"]


@pytest.mark.parametrize("scale", [*SCALES, EDITS], ids=str)
@pytest.mark.parametrize("form", ["json", "csv", "latex", "markdown"])
def test_every_form_and_the_schema(scale: Scale, form: str) -> None:
    matrix = np.random.default_rng(5).integers(0, 5, (30, 3)) / 4.0
    matrix[::7, 1] = np.nan
    table = _table(matrix, scale, per_document=3)
    results = {
        "difference": fg.difference(table, "rough", "fine", intervals=50, examples=1),
        "differences": fg.differences(table, intervals=50),
        "oracle": fg.oracle(table, intervals=50),
        "difficulty": fg.difficulty(table, intervals=50),
        "triage": fg.triage(table),
        "words": fg.words(table),
        "features": fg.features(table),
    }
    for name, result in results.items():
        text = render(result, form)
        if form == "json":
            require_schema({**json.loads(text), "task": "items"}, name)
        assert text
        result._repr_html_()


def _old_and_new() -> OutcomeTable:
    """Edits of five texts, ties up to 0.05: worse on the first, nearly equal on the third."""
    scale = replace(EDITS, tie=0.05)
    return _table([[1, 3], [2, 2], [2, 2.02], [4, 1], [1, math.nan]], scale)


def test_values_and_gains_are_fields_of_selections() -> None:
    table = _old_and_new()
    assert fg.show(table, "quality[rough]=2").found == 2
    assert fg.show(table, "quality[fine]=none").found == 1
    # from rough to fine, less being better: -2, 0, -0.02, +3, undefined
    assert fg.show(table, "gain[rough,fine]<0").found == 2
    assert fg.show(table, "gain>0").found == 1
    assert fg.show(table, "gain=none").found == 1
    with pytest.raises(UsageError, match="unknown field 'grade'"):
        fg.show(table, "grade[rough]>1")


def test_units_that_are_shown_have_their_grades() -> None:
    shown = fg.show(_old_and_new(), limit=1)
    (unit,) = shown.to_json()["units"]
    assert [one["value"] for one in unit["systems"].values()] == [1.0, 3.0]
    assert "quality[rough]" in str(shown)
    assert fg.show(_old_and_new()).to_json()["units"][-1]["systems"]["fine"]["value"] is None


def test_a_gate_counts_graded_units_that_are_worse() -> None:
    """Of five texts one is worse by more than a tie."""
    table = replace(_old_and_new(), task=replace(GRADED, metrics=_mean_quality))
    found = fg.gate(table, ["worse > 0", "worse > 1", "quality drops 0.1"])
    assert [check.result for check in found.checks] == ["FAILS", "passes", "passes"]
    assert found.checks[0].reason == "1 text worse, 0 allowed"
    assert [unit.text for unit in found.checks[0].units] == ["text0"]
    assert found.checks[0].where == "gain[rough,fine]<-0.05"
    assert fg.show(table, found.checks[0].where).found == 1
    # on the four texts with both: 9 / 4 edits and 8.02 / 4
    assert found.checks[2].value == pytest.approx((8.02 - 9) / 4)


def test_a_gate_does_not_call_graded_units_errors() -> None:
    with pytest.raises(UsageError, match="graded, not right or wrong: count worse"):
        fg.gate(_old_and_new(), ["new_errors > 0"])


def _mean_quality(_: Any = None) -> tuple[Metric, ...]:
    return (mean_of("quality", EDITS, summary="edits"),)
