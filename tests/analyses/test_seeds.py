"""Systems with several runs: by hand, coverage, invariances, every view, the command line."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.metrics.metric import ratio
from finegrain.resampling.distinct import Distinct, distinct
from finegrain.resampling.runs import expected_best, gap_of_runs, mean_of_runs, unbiased_best
from finegrain.views.text_formats import as_csv, as_json, as_latex
from tests.conftest import Run
from tests.schema import require_schema


def _share(sums: np.ndarray) -> np.ndarray:
    return ratio(sums[..., 0], sums[..., 1])


def _runs(scores: np.ndarray) -> list[Distinct]:
    """Runs from scores of items, ``[item, run]``."""
    return [distinct(np.column_stack([run, np.ones(len(run))])) for run in scores.T]


def test_items_that_do_not_differ_leave_the_t_interval_of_runs() -> None:
    """Each run has one score on all items: the interval is the textbook one of 4 numbers."""
    values = np.array([0.80, 0.84, 0.82, 0.86])
    found = mean_of_runs(_runs(np.tile(values, (50, 1))), _share)
    low, high = stats.t.interval(0.95, 3, loc=values.mean(), scale=stats.sem(values))
    assert found.mean == pytest.approx(0.83)
    assert found.deviation == pytest.approx(values.std(ddof=1))
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_runs_that_do_not_differ_leave_the_interval_of_items() -> None:
    generator = np.random.default_rng(3)
    item = generator.random(400)
    found = mean_of_runs(_runs(np.column_stack([item] * 3)), _share, resamples=4000)
    error = stats.sem(item)
    assert found.seeds == 0
    assert math.sqrt(found.items) == pytest.approx(error, rel=0.05)
    assert found.high - found.low == pytest.approx(2 * stats.t.ppf(0.975, 399) * error, rel=0.05)


def test_a_difference_without_item_effects_is_welch() -> None:
    one, two = np.array([0.80, 0.84, 0.82]), np.array([0.90, 0.85, 0.88, 0.91])
    runs = [_runs(np.tile(values, (40, 1))) for values in (one, two)]
    found = gap_of_runs(*runs, _share)
    welch = stats.ttest_ind(two, one, equal_var=False)
    assert found.difference == pytest.approx(two.mean() - one.mean())
    assert found.p == pytest.approx(welch.pvalue)
    low, high = welch.confidence_interval()
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_what_both_systems_find_hard_cancels_out() -> None:
    generator = np.random.default_rng(5)
    item = generator.random((300, 1))
    noise = generator.normal(0, 0.01, (300, 8))
    scores = item + noise + np.repeat([0, 0.02], 4)
    found = gap_of_runs(_runs(scores[:, :4]), _runs(scores[:, 4:]), _share)
    assert found.p < 0.001
    assert found.items < mean_of_runs(_runs(scores[:, :4]), _share).items / 100


@pytest.mark.parametrize(("seed_effect", "noise"), [(0.03, 0.05), (0.0, 0.3)])
def test_intervals_cover_other_seeds_and_items(seed_effect: float, noise: float) -> None:
    """The plain hierarchical bootstrap covers about 89 % and 100 % here."""
    generator, hits = np.random.default_rng(0), 0
    for number in range(100):
        scores = 5 + generator.normal(0, seed_effect, 5) + generator.normal(0, 0.05, (100, 1))
        scores = scores + generator.normal(0, noise, (100, 5))
        found = mean_of_runs(_runs(scores), _share, resamples=200, seed=number)
        hits += found.low <= 5 <= found.high
    assert 88 <= hits <= 100


def test_expected_best_by_hand() -> None:
    """Of 2 runs out of 0.7, 0.8, 0.9 with replacement: (0.7 * 1 + 0.8 * 3 + 0.9 * 5) / 9."""
    values = np.array([0.9, 0.7, 0.8])
    assert expected_best(values, 2) == pytest.approx((0.7 + 2.4 + 4.5) / 9)
    assert unbiased_best(values, 2) == pytest.approx((0.8 + 0.9 + 0.9) / 3)
    assert unbiased_best(values, 3) == pytest.approx(0.9)
    assert math.isnan(unbiased_best(values, 4))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_more_runs_are_never_expected_to_be_worse(values: list[float]) -> None:
    given_ = np.array(values)
    for best in (expected_best, unbiased_best):
        curve = [best(given_, budget) for budget in range(1, len(values) + 1)]
        assert curve[0] == pytest.approx(given_.mean())
        assert all(one <= two + 1e-9 for one, two in pairwise(curve))
        assert max(curve) <= given_.max() + 1e-9


def _corpora(seed: int, runs: int) -> tuple[Corpus, dict[str, Corpus]]:
    generator = np.random.default_rng(seed)
    text = [[f"w{at}" for at in range(5)] for _ in range(30)]
    gold = Corpus.of(text, tags=[["A"] * 5] * 30)

    def system(share: float) -> Corpus:
        return Corpus.of(text, tags=np.where(generator.random((30, 5)) < share, "A", "B").tolist())

    systems = {f"good@{run}": system(0.9) for run in range(runs)}
    return gold, {**systems, **{f"bad@{run}": system(0.6) for run in range(runs)}}


def test_runs_are_grouped_by_name_and_compared() -> None:
    gold, systems = _corpora(1, 4)
    found = fg.seeds(fg.align(gold, systems))
    assert [(one.name, len(one.runs)) for one in found.means] == [("good", 4), ("bad", 4)]
    accuracies = fg.score(fg.align(gold, systems)).to_json()
    mean = np.mean([accuracies[f"good@{run}"]["overall"]["accuracy"] for run in range(4)])
    assert found.means[0].mean.mean == pytest.approx(mean)
    assert found.pairs[0].gap.difference < -0.2
    assert found.pairs[0].gap.p < 0.01


def test_every_budget_of_twenty_runs_is_shown_and_some_of_more() -> None:
    for runs, shown in ((20, set(range(1, 21))), (21, {1, 2, 3, 4, 5, 6, 8, 21})):
        *_, budgets = fg.seeds(fg.align(*_corpora(1, runs)), resamples=20).listings()
        assert budgets.title.startswith("Expected best")
        budget = [row[0] for row in budgets.rows]
        assert shown <= set(budget)
        assert (budget == sorted(shown)) == (runs == 20)


@settings(max_examples=10, deadline=None)
@given(st.permutations(range(6)))
def test_order_of_runs_changes_nothing(order: list[int]) -> None:
    gold, systems = _corpora(2, 3)
    names = list(systems)
    turned = {names[at]: systems[names[at]] for at in order}
    one, two = (fg.seeds(fg.align(gold, given)).to_json() for given in (systems, turned))
    for name in ("good", "bad"):
        for key in ("mean", "standard_deviation"):
            assert one["systems"][name][key] == pytest.approx(two["systems"][name][key])
        assert one["systems"][name]["interval"] == pytest.approx(two["systems"][name]["interval"])
    assert one["pairs"][0]["p"] == pytest.approx(two["pairs"][0]["p"])


def test_other_systems_change_nothing_for_a_system() -> None:
    gold, systems = _corpora(3, 3)
    alone = {name: corpus for name, corpus in systems.items() if name.startswith("good")}
    one, two = (fg.seeds(fg.align(gold, given)).to_json() for given in (systems, alone))
    assert one["systems"]["good"] == two["systems"]["good"]


def test_one_run_says_nothing_about_seeds() -> None:
    gold, systems = _corpora(4, 1)
    found = fg.seeds(fg.align(gold, {"plain": systems["good@0"]}))
    assert math.isnan(found.means[0].mean.deviation)
    assert any("say nothing about other seeds" in note for note in found.notes)
    assert found.means[0].mean.low < found.means[0].mean.mean


@pytest.mark.parametrize("runs", [1, 3])
def test_json_keeps_to_its_schema(runs: int) -> None:
    found = fg.seeds(fg.align(*_corpora(5, runs)))
    document = json.loads(as_json(found, command="finegrain seeds"))
    require_schema(document, "seeds")
    assert as_latex(found)
    assert as_csv(found).startswith("system,metric,runs,mean")


def test_spans_and_other_metrics() -> None:
    play = fg.simulate(tokens=2_000, seed=1)
    runs = {f"a@{place}": corpus for place, corpus in enumerate(play.systems.values())}
    table = fg.align(play.gold, runs)
    assert fg.seeds(table).metric == "traditional_f1"
    assert fg.seeds(table, "fair_f1").metric == "fair_f1"
    with pytest.raises(fg.UsageError):
        fg.seeds(table, "accuracy")
    with pytest.raises(fg.UsageError, match="correction"):
        fg.seeds(table, correction="bonferroni")


def test_a_folder_per_system(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text("Ada\tB-PER\nslept\tO\n")
    (tmp_path / "bert").mkdir()
    for seed in (1, 2, 10):
        (tmp_path / "bert" / f"{seed}.conll").write_text("Ada\tB-PER\nslept\tO\n")
    (tmp_path / "empty").mkdir()
    done = run("seeds", "gold.conll", "bert", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["systems"] == ["bert@1", "bert@2", "bert@10"]
    renamed = run("seeds", "gold.conll", "large=bert", "--format", "json")
    assert list(json.loads(renamed.stdout)["result"]["systems"]) == ["large"]
    assert run("seeds", "gold.conll", "empty").returncode == 3


@pytest.mark.parametrize(("documents", "enough"), [(1, False), (5, False), (6, True)])
def test_too_few_documents_give_no_interval_and_no_p(documents: int, enough: bool) -> None:
    """The signs of 5 documents are all alike with probability 1/16: nothing shows at 5 %."""
    text = [["a"]] * 60
    where = [place * documents // 60 for place in range(60)]
    runs = {
        f"{name}@{seed}": Corpus.of(
            text, tags=[["X"] if place % (step + seed) == 0 else ["N"] for place in range(60)],
            documents=where,
        )
        for name, step in (("a", 3), ("b", 9))
        for seed in (1, 2)
    }  # fmt: skip
    gold = Corpus.of(text, tags=[["N"]] * 60, documents=where)
    found = fg.seeds(fg.align(gold, runs, task="tags"))
    assert [not math.isnan(one.mean.low) for one in found.means] == [enough, enough]
    assert math.isnan(found.pairs[0].gap.p) != enough
    note = "no p and no interval is given where a score comes from too few documents"
    assert (note in found.notes) != enough
