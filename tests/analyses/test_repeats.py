"""Repeated answers: one unit with several runs, whose numbers are worked by hand."""

from __future__ import annotations

import json
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import finegrain as fg
from finegrain.errors import InputError, UsageError
from finegrain.formats.delimited import read
from finegrain.formats.source import source_of
from finegrain.metrics.repeated_answers import pass_estimate
from finegrain.table import OutcomeTable
from finegrain.table.samples import sentences, whole
from tests.conftest import Run
from tests.schema import require_schema

GOLD = "id,label,passage\nq1,x,p\nq2,y,p\nq3,x,r\n"
# q1: x y x, q2: x x y, q3: y x (a tie)
RUNS = "id,run,answer\nq1,1,x\nq1,2,y\nq1,3,x\nq2,1,x\nq2,2,x\nq2,3,y\nq3,1,y\nq3,2,x\n"


def _align(gold: str, *systems: str, task: str = "classification", **options: str) -> OutcomeTable:
    corpora = {f"s{at}": read(source_of(f"s{at}", one.encode())) for at, one in enumerate(systems)}
    return fg.align(read(source_of("gold", gold.encode())), corpora, task=task, **options)


def test_the_answer_is_that_of_most_runs_and_ties_go_to_the_more_frequent_answer() -> None:
    table = _align(GOLD, RUNS)
    # over all runs: x 5 times, y 3 times; q3 is a tie of x and y, which x wins
    assert [table.labels[code] for code in table.answer[:, 0]] == ["x", "x", "x"]
    assert table.details["runs"][:, 0].tolist() == [3, 3, 2]
    # right: 2 of 3, 1 of 3, 1 of 2
    assert table.values["mean"].matrix[:, 0] == pytest.approx([2 / 3, 1 / 3, 1 / 2])
    # pairs that agree: 1 of 3, 1 of 3, 0 of 1
    assert table.values["consistency"].matrix[:, 0] == pytest.approx([1 / 3, 1 / 3, 0])
    assert len(table) == 3


def test_scores_of_repeated_answers() -> None:
    scores = fg.score(_align(GOLD, RUNS), ["mean_accuracy", "majority", "consistency", "pass@2"])
    found = scores.to_json()["s0"]["overall"]
    assert found["mean_accuracy"] == pytest.approx((2 / 3 + 1 / 3 + 1 / 2) / 3)
    assert found["majority"] == pytest.approx(2 / 3)  # q1 and q3
    assert found["consistency"] == pytest.approx(2 / 9)
    # pairs of runs with one that is right: of q1 all 3, of q2 2 of 3, of q3 the only one
    assert found["pass@2"] == pytest.approx((1 + 2 / 3 + 1) / 3)


def test_accuracy_is_that_of_the_majority_and_comparisons_go_by_the_mean() -> None:
    table = _align(GOLD, RUNS, "id,answer\nq1,x\nq2,y\nq3,y\n")
    scores = fg.score(table)
    assert scores.value("accuracy", "s0") == scores.value("majority", "s0")
    assert scores.value("mean_accuracy", "s1") == scores.value("accuracy", "s1")  # one run each
    assert table.details["runs"][:, 1].tolist() == [1, 1, 1]
    main = table.task.main_metric(table)
    assert main is not None
    assert main.name == "mean_accuracy"


def test_more_runs_than_an_item_has_are_refused() -> None:
    with pytest.raises(UsageError, match=r"pass@3 needs 3 runs of every item, but s0 has fewer of"):
        fg.score(_align(GOLD, RUNS), "pass@3")
    with pytest.raises(UsageError, match=r"pass@2"):
        fg.score(_align(GOLD, "id,answer\nq1,x\nq2,y\nq3,y\n"), "pass@2")
    with pytest.raises(UsageError, match=r"unknown metric 'pass@0'"):
        fg.score(_align(GOLD, RUNS), "pass@0")


def test_a_repeated_id_is_an_error_that_names_the_option() -> None:
    without = RUNS.replace("run", "note")
    with pytest.raises(InputError, match=r"s0:3: the id 'q1' is on line 2, too.*--repeats yes"):
        _align(GOLD, without)
    assert len(_align(GOLD, without, repeats="yes")) == 3
    with pytest.raises(InputError, match="Ids are unique with --repeats no"):
        _align(GOLD, RUNS, repeats="no")
    with pytest.raises(UsageError, match="unknown repeats 'maybe'"):
        _align(GOLD, RUNS, repeats="maybe")


def test_a_run_that_an_item_has_twice_is_an_error() -> None:
    with pytest.raises(InputError, match=r"s0:4: the item 'q1' has run '2' on line 3, too"):
        _align(GOLD, RUNS.replace("q1,3,x", "q1,2,x"))


def test_epochs_and_samples_together_number_runs() -> None:
    runs = "id,epoch,sample,answer\nq1,1,1,x\nq1,1,2,x\nq1,2,1,y\nq1,2,2,x\n"
    table = _align("id,label\nq1,x\nq2,y\n", runs + "q2,1,1,y\n")
    assert table.details["runs"][:, 0].tolist() == [4, 1]


def test_gold_and_answers_in_one_file_repeat_gold_with_every_run() -> None:
    both = "id,run,gold,answer\nq1,1,x,x\nq1,2,x,y\nq2,1,y,y\nq2,2,y,y\n"
    table = _align(both, both)
    assert len(table) == 2
    assert fg.score(table).value("mean_accuracy", "s0") == 0.75
    with pytest.raises(InputError, match=r"gold:3: the item 'q1' has the gold answer 'y' here"):
        _align(both.replace("q1,2,x", "q1,2,y"), both)


def test_probabilities_are_means_of_those_of_runs() -> None:
    runs = "id,run,answer,p_x,p_y\nq1,1,x,0.8,0.2\nq1,2,x,0.6,0.4\nq2,1,y,0.1,0.9\nq2,2,y,0.3,0.7\n"
    table = _align("id,label\nq1,x\nq2,y\n", runs)
    assert table.details["probability"][:, 0] == pytest.approx(np.array([[0.7, 0.3], [0.2, 0.8]]))


def test_missing_runs_and_items_are_counted_and_never_guessed() -> None:
    gold = "id,label\nq1,x\nq2,y\n"
    with pytest.raises(InputError, match="s0:3: no answer"):
        _align(gold, "id,run,answer\nq1,1,x\nq1,2,\nq2,1,y\n")
    table = _align(gold, "id,run,answer\nq1,1,x\nq1,2,\n", missing="wrong")
    # q1: one of two runs is right; q2 has no run at all, which is wrong
    assert table.values["mean"].matrix[:, 0].tolist() == [0.5, 0.0]
    assert table.details["runs"][:, 0].tolist() == [2, 0]
    assert fg.score(table, "pass@1").value("pass@1", "s0") == 0.25
    skipped = _align(gold, "id,run,answer\nq1,1,x\nq1,2,y\n", missing="skip")
    assert len(skipped) == 1
    assert any("1 of 2 items is left out" in note for note in skipped.notes)


def test_an_empty_answer_is_skipped_as_a_missing_item_is() -> None:
    table = _align("id,label\nq1,x\nq2,y\n", "id,answer\nq1,x\nq2,\n", missing="skip")
    assert len(table) == 1
    assert any("1 item with an empty answer" in note for note in table.notes)


def test_numbers_of_runs_are_averaged() -> None:
    table = _align("id,score\nq1,1.0\nq2,4.5\n",
                   "id,run,score\nq1,1,1.0\nq1,2,3.0\nq2,1,5.5\n", task="regression")  # fmt: skip
    assert table.details["prediction"][:, 0].tolist() == [2.0, 5.5]
    assert table.values["absolute_error"].matrix[:, 0].tolist() == [1.0, 1.0]
    # errors of single runs: 0 and 2, variance (n - 1) 2; one run has none
    assert table.values["mean"].matrix[:, 0].tolist() == [1.0, 1.0]
    assert table.details["variance_of_runs"][0, 0] == 2.0
    assert np.isnan(table.details["variance_of_runs"][1, 0])


def test_variance_within_and_between_items_and_one_more_run() -> None:
    gold = "id,label\nq1,x\nq2,x\nq3,x\nq4,x\n"
    runs = "id,run,answer\n" + "".join(
        f"q{item},{run},{answer}\n"
        for item, answers in enumerate(("xx", "xy", "yx", "yy"), 1)
        for run, answer in enumerate(answers)
    )
    (found,) = fg.repeats(_align(gold, runs)).of_systems
    # means 1, 1/2, 1/2, 0: mean 1/2, variance (1/4 + 1/4) / 3 = 1/6, by 4 items 1/24
    assert found.mean == 0.5
    assert found.error == pytest.approx((1 / 24) ** 0.5)
    # within: 1/2 for two of the items, on average 1/4; of the variance of the mean 1/4 / 2 / 4
    assert found.within == pytest.approx(1 / 4)
    # between: what is left of 1/6 without 1/8
    assert found.between == pytest.approx(1 / 24)
    # with three runs: (1/24 + 1/12) / 4; with very many: 1/24 / 4
    assert found.one_more == pytest.approx((1 / 32) ** 0.5)
    assert found.limit == pytest.approx((1 / 96) ** 0.5)
    assert found.passes == pytest.approx((0.5, 0.75))
    assert found.runs == (2, 2)


def test_items_of_a_cluster_are_one_sample() -> None:
    gold = "id,label,passage\n" + "".join(f"q{at},x,p{at // 2}\n" for at in range(8))
    runs = "id,run,answer\n" + "".join(
        f"q{at},{run},{'x' if at < 4 else 'y'}\n" for at in range(8) for run in (1, 2)
    )
    alone = fg.repeats(_align(gold, runs))
    together = fg.repeats(_align(gold, runs, cluster="passage"))
    assert (alone.sampling, together.sampling) == (("item", 8), ("document", 4))
    # deviations 1/2: 8 x 1/4 / 64 x 8/7; of pairs 1: 4 x 1 / 64 x 4/3
    assert alone.of_systems[0].error == pytest.approx((2 / 64 * 8 / 7) ** 0.5)
    assert together.of_systems[0].error == pytest.approx((4 / 64 * 4 / 3) ** 0.5)
    with pytest.raises(UsageError, match=r"unknown column to cluster by 'pasage'.*'passage'"):
        _align(gold, runs, cluster="pasage")


def test_five_epochs_are_no_more_items() -> None:
    """The same answers five times leave the interval as wide as once."""
    gold = "id,label\n" + "".join(f"q{at},x\n" for at in range(60))
    once = "".join(f"q{at},1,{'x' if at % 3 else 'y'}\n" for at in range(60))
    five = "".join(once.replace(",1,", f",{run},") for run in range(1, 6))
    head = "id,run,answer\n"
    table = _align(gold, head + five)
    assert len(table) == 60
    wide = fg.score(table, "mean_accuracy", intervals=500).interval("mean_accuracy", "s0")
    single = fg.score(_align(gold, head + once), "accuracy", intervals=500)
    assert wide == pytest.approx(single.interval("accuracy", "s0"), abs=0.02)


def test_a_table_without_runs_is_refused_with_the_way_out() -> None:
    with pytest.raises(UsageError, match="number them in a column run"):
        fg.repeats(_align(GOLD, "id,answer\nq1,x\nq2,y\nq3,y\n"))


def test_a_saved_table_keeps_its_runs(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    table = _align(GOLD, RUNS)
    table.save(str(tmp_path / "t.parquet"))
    again = fg.load(str(tmp_path / "t.parquet"))
    assert fg.repeats(again).to_json() == fg.repeats(table).to_json()


def test_repeats_from_the_command_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "runs.csv").write_text(RUNS)
    shown = run("repeats", "gold.csv", "model=runs.csv", "-q")
    assert shown.returncode == 0, shown.stderr
    assert "2 to 3" in shown.stdout
    found = run("repeats", "gold.csv", "model=runs.csv", "-q", "--format", "json")
    document = json.loads(found.stdout)
    require_schema(document, "repeats")
    assert document["result"]["systems"]["model"]["pass"]["pass@1"] == pytest.approx(0.5)
    twice = run("score", "gold.csv", "model=runs.csv", "-q", "--repeats", "no")
    assert twice.returncode == 3
    clustered = run("score", "gold.csv", "model=runs.csv", "-q", "--cluster", "passage")
    assert "sample:document|n:2" in clustered.stdout


@given(st.integers(1, 8), st.data())
def test_pass_at_k_is_the_share_of_choices_of_k_runs_with_one_that_is_right(
    runs: int, data: st.DataObject
) -> None:
    right = data.draw(st.integers(0, runs))
    k = data.draw(st.integers(1, runs))
    answers = [True] * right + [False] * (runs - right)
    share = sum(any(some) for some in combinations(answers, k)) / comb(runs, k)
    assert pass_estimate(np.array([runs]), np.array([right]), k)[0] == pytest.approx(share)


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz")), min_size=2, max_size=30))
def test_one_run_gives_the_numbers_of_none(items: list[tuple[str, str]]) -> None:
    gold = "id,label\n" + "".join(f"q{at},{label}\n" for at, (label, _) in enumerate(items))
    plain = "id,answer\n" + "".join(f"q{at},{answer}\n" for at, (_, answer) in enumerate(items))
    numbered = plain.replace("id,answer", "id,run,answer").replace(",x\n", ",1,x\n")
    numbered = numbered.replace(",y\n", ",1,y\n").replace(",z\n", ",1,z\n")
    one, other = fg.score(_align(gold, plain)), fg.score(_align(gold, numbered))
    assert one.to_json() == other.to_json()
    # the same answer in every run: the numbers of one run, and those of runs agree with them
    twice = numbered + numbered.partition("\n")[2].replace(",1,", ",2,")
    both = fg.score(_align(gold, twice)).to_json()["s0"]["overall"]
    for name, value in one.to_json()["s0"]["overall"].items():
        assert both[name] == value
    assert both["mean_accuracy"] == pytest.approx(both["accuracy"])
    assert both["consistency"] == 1.0


def test_order_names_and_other_systems_are_irrelevant_and_statistics_add_up() -> None:
    head, *rows = RUNS.splitlines()
    turned = "\n".join([head, *reversed(rows)]) + "\n"
    names = ["mean_accuracy", "majority", "consistency", "pass@2"]
    table = _align(GOLD, RUNS)
    plain = fg.score(table, names).to_json()["s0"]
    assert fg.score(_align(GOLD, turned), names).to_json()["s0"] == plain
    both = _align(GOLD, RUNS, "id,run,answer\nq1,1,x\nq1,2,x\nq2,1,y\nq2,2,y\nq3,1,x\nq3,2,x\n")
    found = fg.score(both, names).to_json()
    assert found["s0"] == plain
    assert set(found["s1"]["overall"].values()) == {1.0}  # perfect output is perfect
    renamed = [one.replace(",x", ",up").replace(",y", ",yes") for one in (GOLD, RUNS)]
    assert fg.score(_align(*renamed), names).to_json()["s0"]["overall"] == plain["overall"]
    for metric in fg.score(table, names).metrics:
        parts = metric.statistics(table, sentences(table)).sum(axis=0)
        assert parts == pytest.approx(metric.statistics(table, whole(table))[0])
