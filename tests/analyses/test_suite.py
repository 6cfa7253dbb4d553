"""Many data sets: averages, ranks, tests, improvements."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.analyses.explain.suite_listings import average_changes
from finegrain.corpus import Corpus
from finegrain.resampling.rank_tests import friedman, signed_ranks
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from tests.schema import require_schema
from tests.table.corpora import HOSTILE, tag_tables

TEXT = [["a"], ["b"], ["c", "d"], ["e", "f"]]
GOLD = fg.Corpus.of(TEXT, tags=[["N"], ["N"], ["N", "N"], ["N", "N"]])


def _system(short: int, long: int) -> fg.Corpus:
    """So many right of the two tokens in short sentences, and of the four in long ones."""
    flat = ["N"] * short + ["V"] * (2 - short) + ["N"] * long + ["V"] * (4 - long)
    return fg.Corpus.of(TEXT, tags=[flat[:1], flat[1:2], flat[2:4], flat[4:]])


def _table(**systems: tuple[int, int]) -> fg.OutcomeTable:
    return fg.align(GOLD, {name: _system(*right) for name, right in systems.items()}, task="tags")


TABLES = {
    "news": _table(old=(1, 4), new=(2, 2)),
    "chat": _table(old=(2, 1), new=(1, 3)),
    "law": _table(old=(1, 1), new=(2, 4)),
}


def test_averages_and_ranks_by_hand() -> None:
    found = fg.Suite.of(TABLES, by="sentence_length").run()
    # accuracy: old 5/6, 3/6, 2/6; new 4/6, 4/6, 6/6
    result = found.to_json()
    assert result["systems"]["old"]["average"] == pytest.approx((5 + 3 + 2) / 18)
    assert result["systems"]["new"]["average"] == pytest.approx((4 + 4 + 6) / 18)
    # ranks, best 1: old 1, 2, 2; new 2, 1, 1
    assert result["systems"]["old"]["rank"] == pytest.approx(5 / 3)
    assert result["systems"]["new"]["rank"] == pytest.approx(4 / 3)
    # 1.960 sqrt(2 * 3 / 18) = 1.13: two systems on three data sets cannot be told apart
    assert result["ranks"]["critical_difference"] == pytest.approx(1.96 / math.sqrt(3), rel=1e-4)
    assert result["systems"]["old"]["group"] == result["systems"]["new"]["group"] == "a"
    # in short and long sentences old has 1/2 and 1, 1 and 1/4, 1/2 and 1/4, and new has
    # 1 and 1/2, 1/2 and 3/4, 1 and 1
    lengths = result["systems"]["old"]["attributes"]["sentence_length"]
    assert lengths["spearman"] == pytest.approx((1 - 1 - 1) / 3)
    assert lengths["std"] == pytest.approx((1 / 4 + 3 / 8 + 1 / 8) / 3)
    # the third data set has no correlation for new: the average is over the two that have one
    assert result["systems"]["new"]["attributes"]["sentence_length"]["spearman"] == 0.0
    law = result["data_sets"]["law"]["attributes"]["sentence_length"]
    assert law["rho"] == 1.0  # of old alone
    assert law["zeta"] == pytest.approx(10 / 6)
    assert law["systems"]["old"]["best"] == "XS"


def test_improvements_by_hand() -> None:
    found = fg.Suite.of(TABLES, by="sentence_length", baseline="old").run().to_json()
    (pair,) = found["improvements"]
    assert (pair["system"], pair["baseline"]) == ("new", "old")
    short, long = pair["attributes"]["sentence_length"]
    assert short["absolute"] == {"news": 0.5, "chat": -0.5, "law": 0.5}
    assert short["relative"] == {"news": 1.0, "chat": -0.5, "law": 1.0}
    assert long["relative"] == {"news": -0.5, "chat": 2.0, "law": 3.0}
    # long: changes -1/2, 1/2, 3/4 have ranks 1.5, 1.5, 3; the smaller sum is 1.5
    assert long["wilcoxon"]["w"] == 1.5
    assert long["wilcoxon"]["pairs"] == 3


def test_the_average_change_stands_under_its_name() -> None:
    found = fg.Suite.of(TABLES, by="sentence_length", baseline="old").run()
    changes = average_changes(found)
    assert [(column.name, column.kind) for column in changes.columns][:3] == [
        ("system", "text"), ("baseline", "text"), ("average change", "change"),
    ]  # fmt: skip
    assert changes.rows[0][:2] == ("new", "old")


def test_a_baseline_of_nothing_gives_no_relative_improvement() -> None:
    table = _table(old=(0, 4), new=(2, 2))
    found = fg.Suite.of({"one": table}, by="sentence_length", compare=[("new", "old")]).run()
    short, _ = found.to_json()["improvements"][0]["attributes"]["sentence_length"]
    assert short["relative"] == {"one": None}
    assert short["absolute"] == {"one": 1.0}


def test_runs_are_averaged_and_tested_one_by_one() -> None:
    tables = {
        name: _table(old=(1, 2), first=(2, 2 + at), second=(1, 4))
        for at, name in enumerate(("news", "chat"))
    }
    runs = {"new": ["first", "second"]}
    found = fg.Suite.of(tables, runs=runs, by="sentence_length", baseline="old").run()
    assert found.systems == ("old", "new")
    # the runs of new have 4 and 5 of 6 right on news
    assert found.overall()[0].tolist() == pytest.approx([3 / 6, 4.5 / 6])
    result = found.to_json()["systems"]["new"]["attributes"]["sentence_length"]["friedman"]
    assert result["blocks"] == 2  # data sets: their two runs count by their mean
    by_hand = friedman(np.array([[3 / 4, 3 / 4], [3 / 4, 7 / 8]]))
    assert result["p"] == pytest.approx(by_hand.p)
    tested = found.to_json()["improvements"][0]["attributes"]["sentence_length"][0]["wilcoxon"]
    assert tested["pairs"] == 2


def test_runs_on_one_data_set_are_one_pair() -> None:
    tables = {"one": _table(a1=(1, 2), a2=(1, 3), b1=(2, 2), b2=(2, 4))}
    runs = {"a": ["a1", "a2"], "b": ["b1", "b2"]}
    found = fg.Suite.of(tables, runs=runs, by="sentence_length", compare=[("b", "a")]).run()
    long = found.to_json()["improvements"][0]["attributes"]["sentence_length"][1]["wilcoxon"]
    expected = signed_ranks(np.array([5 / 8]), np.array([6 / 8]))
    assert long == {"w": expected.w, "p": expected.p, "pairs": 1}


def test_missing_systems_are_told_and_left_out_of_ranks() -> None:
    tables = {**TABLES, "web": _table(new=(2, 4))}
    found = fg.Suite.of(tables, by="sentence_length").run()
    result = found.to_json()
    assert result["data_sets"]["web"]["overall"]["old"] is None
    assert result["ranks"]["blocks"] == 3
    assert result["systems"]["old"]["average"] == pytest.approx(10 / 18)
    assert any("old has no score on web" in note for note in found.notes)
    assert found.listings()[0].note.startswith("Averages over 3 of 4 data sets, those that all")
    every = fg.Suite.of(TABLES, by="sentence_length").run()
    assert every.listings()[0].note.startswith("Ranks over 3 data sets that all systems have")


# names are found by the first system, one of two by the second: accuracies and F1 in one suite
NAMES_TEXT = [["Ada"], ["Bob"]]
NAMES_GOLD = fg.Corpus.of(NAMES_TEXT, tags=[["B-PER"], ["B-PER"]])
NAMES = {
    "old": fg.Corpus.of(NAMES_TEXT, tags=[["B-PER"], ["O"]]),
    "new": fg.Corpus.of(NAMES_TEXT, tags=[["B-PER"], ["B-PER"]]),
}


def _averages(found: ManyDataSets) -> dict[str, float | None]:
    """In JSON, where tables and CSV must have the same."""
    told = {name: one["average"] for name, one in found.to_json()["systems"].items()}
    scores, measures = found.listings()[:2]
    place = [column.name for column in scores.columns].index("average")
    records = {str(row[1]): row[6] for row in found.records().rows if row[5] == "average"}
    for shown in (
        {str(row[0]): row[place] for row in scores.rows},
        {str(row[0]): row[1] for row in measures.rows},
        records,
    ):
        plain = {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in shown.items()
        }
        assert plain == told
    return told


def test_averages_are_over_data_sets_that_all_systems_have() -> None:
    """new is perfect on web, which old has not: that must not help it."""
    tables = {**TABLES, "web": _table(new=(2, 4))}
    found = fg.Suite.of(tables, by="sentence_length").run()
    assert _averages(found) == pytest.approx({"old": 10 / 18, "new": 14 / 18})
    assert "Averages over 3 of 4 data sets, those that all systems have." in str(found)


def test_other_metrics_that_one_system_alone_has_do_not_hinder_an_average() -> None:
    """old has both F1 and three accuracies, new the accuracies only."""
    names = fg.align(NAMES_GOLD, {"old": NAMES["old"]})
    found = fg.Suite.of({**TABLES, "names": names}, by="sentence_length").run()
    assert found.metrics == ("accuracy", "traditional_f1")
    assert _averages(found) == pytest.approx({"old": 10 / 18, "new": 14 / 18})


def test_scores_of_different_metrics_have_no_average() -> None:
    names = fg.align(NAMES_GOLD, NAMES)
    found = fg.Suite.of({**TABLES, "names": names}, by="sentence_length", baseline="old").run(
        intervals=20
    )
    assert _averages(found) == {"old": None, "new": None}
    told = found.to_json()
    assert told["systems"]["old"]["interval"] is None
    assert told["improvements"][0]["average"] is None
    assert told["systems"]["new"]["rank"] == 1.25  # ranks 2, 1, 1 and 1
    assert "No averages: scores of different metrics (accuracy and traditional f1)" in str(found)
    assert "None where data sets that both systems have differ in metric." in " ".join(
        str(found).split()
    )
    _validate(found)


def test_systems_without_a_common_data_set_have_neither_average_nor_rank() -> None:
    found = fg.Suite.of({"a": _table(old=(1, 4)), "b": _table(new=(2, 2))}, by="label").run()
    assert _averages(found) == {"old": None, "new": None}
    told = found.to_json()["systems"]
    assert [(one["rank"], one["group"]) for one in told.values()] == [(None, ""), (None, "")]
    shown = " ".join(str(found).split())
    assert "No averages, ranks and groups: there is no data set that all systems have." in shown
    assert "Ranks over" not in shown
    assert "None" not in shown
    _validate(found)


def test_the_average_of_a_pair_is_over_what_both_have() -> None:
    """A third system that lacks a data set changes nothing between the other two."""
    sentences = 20
    text = TEXT * sentences
    gold = fg.Corpus.of(text, tags=[["N"] * len(words) for words in text])

    def system(wrong: int) -> fg.Corpus:
        return fg.Corpus.of(text, tags=[["V" if at < wrong else "N"] * len(words)
                                        for at, words in enumerate(text)])  # fmt: skip

    both = {"old": system(20), "new": system(10)}
    tables = {name: fg.align(gold, both, task="tags") for name in ("a", "b")}
    three = {**tables, "b": fg.align(gold, {**both, "third": system(5)}, task="tags")}
    one, other = (
        fg.Suite.of(each, by="label", compare=[("new", "old")]).run(intervals=50)
        for each in (tables, three)
    )
    changes = [found.average_change(found.improvements[0]) for found in (one, other)]
    assert changes[0] is not None
    assert changes[0] == changes[1]
    assert [one.name for one in other.averaged()] == ["b"]


def test_data_sets_of_different_tasks_can_be_mixed() -> None:
    text = [["Ada"], ["Bob"]]
    spans = fg.align(
        fg.Corpus.of(text, tags=[["B-PER"], ["B-PER"]]),
        {"old": fg.Corpus.of(text, tags=[["B-PER"], ["O"]])},
    )
    found = fg.Suite.of({**TABLES, "names": spans}, by="sentence_length").run()
    assert found.task == "mixed"
    assert found.metrics == ("accuracy", "traditional_f1")
    _validate(found)


def test_bad_names_are_usage_errors() -> None:
    with pytest.raises(fg.UsageError, match=r"unknown system 'odl'\. Did you mean 'old'"):
        fg.Suite.of(TABLES, baseline="odl")
    with pytest.raises(fg.UsageError, match="unknown data set 'x'"):
        fg.Suite.of(TABLES, train={"x": GOLD})
    with pytest.raises(fg.UsageError, match="at least one data set"):
        fg.Suite.of({})
    with pytest.raises(fg.UsageError, match="data set 'news': unknown attribute"):
        fg.Suite.of(TABLES, by="sentence_lenth").run()
    with pytest.raises(fg.UsageError, match="no outcome table"):
        fg.Suite.of({"news": GOLD})  # type: ignore[dict-item]  # what is tested


def test_small_buckets_are_marked_and_what_is_undefined_is_said() -> None:
    """The sentences of ``TABLES`` have 2 and 4 tokens, so every bucket has fewer than 30."""
    shown = str(fg.Suite.of({"news": TABLES["news"]}, by=["sentence_length"]).run())
    assert "S°-XS°" in shown
    assert "° fewer than 30 gold units" in shown
    assert "Friedman p n/a;" in shown
    many = fg.Corpus.of(TEXT * 20, tags=[["N"] * len(words) for words in TEXT * 20])
    large = {"news": fg.align(many, {"same": many}, task="tags")}
    assert "°" not in str(fg.Suite.of(large, by=["sentence_length"]).run())


def _validate(found: object) -> None:
    document = json.loads(as_json(found, command="finegrain test"))  # type: ignore[arg-type]  # it is a result
    require_schema(document, "suite")


@settings(max_examples=25, deadline=None)
@given(st.lists(tag_tables(), min_size=1, max_size=3))
def test_json_keeps_to_its_schema_and_every_form_can_be_written(
    tables: list[fg.OutcomeTable],
) -> None:
    named = dict(zip(HOSTILE, tables, strict=False))
    baseline = tables[0].systems[0]
    found = fg.Suite.of(named, by=["sentence_length", "label"], baseline=baseline).run(intervals=20)
    _validate(found)
    for form in (as_csv, as_latex, as_markdown, str):
        assert form(found)


@settings(max_examples=25, deadline=None)
@given(st.permutations(list(TABLES)), st.permutations(["old", "new"]))
def test_the_order_of_data_sets_and_systems_is_irrelevant(
    data_sets: list[str], systems: list[str]
) -> None:
    def rounded(value: object) -> object:
        return json.loads(json.dumps(value), parse_float=lambda text: round(float(text), 12))

    turned = {}
    for name in data_sets:
        table = TABLES[name]
        order = [table.systems.index(system) for system in systems]
        turned[name] = fg.OutcomeTable(
            table.task, tuple(systems), table.labels, table.sentence, table.begin,
            table.end, table.label, table.is_gold, table.outcome[:, order],
            table.answer[:, order], table.corpus, table.token_set, settings=table.settings,
        )  # fmt: skip
    one, other = (
        fg.Suite.of(each, by=["sentence_length", "label"], compare=[("new", "old")]).run()
        for each in (TABLES, turned)
    )
    assert rounded(one.to_json()) == rounded(other.to_json())


def _forty(gained: int) -> fg.OutcomeTable:
    """Forty sentences of one word: old is right about none, new about some."""
    text = [["w"] * (1 + at % 2) for at in range(40)]
    gold = Corpus.of(text, tags=[["N"] * len(words) for words in text])
    some = [["N" if at < gained else "V"] * len(words) for at, words in enumerate(text)]
    old = [["V"] * (len(words) - 1) + ["N"] for words in text]
    systems = {"old": Corpus.of(text, tags=old), "new": Corpus.of(text, tags=some)}
    return fg.align(gold, systems, task="tags")


def test_improvements_are_told_by_data_set_and_for_other_ones() -> None:
    """On each of four data sets old has 40 of 60 words right and new 54 or more: on all of them."""
    tables = {name: _forty(36 + at) for at, name in enumerate("abcd")}
    found = fg.Suite.of(tables, by="sentence_length", baseline="old").run(intervals=500)
    (pair,) = found.improvements
    assert found.replicated(pair) == 4
    others = found.over_others(pair)
    assert others is not None
    assert others.least < others.low < others.mean < others.high < others.most
    told = found.to_json()["improvements"][0]["average"]
    assert told["better_on"] == 4
    assert told["random_effects"]["prediction"] == [others.least, others.most]


def test_few_buckets_correlate_without_a_trend() -> None:
    found = fg.Suite.of(TABLES, by="sentence_length").run().to_json()
    for one in found["data_sets"].values():
        of = one["attributes"]["sentence_length"]
        assert of["rho_without_trend"] == {2: 1.0, 3: pytest.approx(2 / 3)}[len(of["names"])]
