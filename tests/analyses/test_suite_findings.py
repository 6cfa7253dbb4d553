"""Findings over many data sets: written by rules, silent where their conditions do not hold."""

from __future__ import annotations

import pytest

import finegrain as fg
from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.analyses.reports.suite_findings import MOST, brackets, gains, suite_findings
from finegrain.corpus import Corpus
from finegrain.table import OutcomeTable

TEXT = ["Ada", "Rome"]
BOTH, NO_LOC, NOTHING = ["B-PER", "B-LOC"], ["B-PER", "O"], ["O", "O"]


def _table(sentences: int, **systems: list[list[str]]) -> OutcomeTable:
    text = [TEXT] * sentences
    gold = Corpus.of(text, tags=[BOTH] * sentences)
    return fg.align(gold, {name: Corpus.of(text, tags=tags) for name, tags in systems.items()})


def _found(sentences: int = 40, data_sets: int = 2) -> ManyDataSets:
    """``new`` has all, ``old`` all PER and half of LOC, in all data sets."""
    half = sentences // 2
    table = _table(
        sentences, old=[BOTH] * half + [NO_LOC] * (sentences - half), new=[BOTH] * sentences
    )
    tables = {f"set {place}": table for place in range(data_sets)}
    return fg.Suite.of(tables, by="label", baseline="old").run()


def test_gains_by_hand() -> None:
    """LOC: F1 of old is 2 * 20 / (2 * 20 + 20) = 2/3, of new 1, so the gain is (1 - 2/3) / (2/3)
    = 0.5; PER: both 1. Each label has 40 gold units in both data sets."""
    found = _found()
    most, least = gains(found, found.improvements[0])
    assert (most.attribute, most.bucket, most.data_sets, most.gold) == ("label", "LOC", 2, 80)
    assert most.change == pytest.approx(0.5)
    assert (least.bucket, least.change) == ("PER", 0)


def test_sentences_by_hand() -> None:
    """F1 of old: 2 * 60 / (2 * 60 + 20) = 6/7; ranks 1 and 2 in both, less than the critical
    difference of two systems and two data sets, 1.96 * sqrt(2 * 3 / 12) = 1.39."""
    leader, gain = suite_findings(_found())
    assert leader.text == (
        "new has 100.00 F1 on average over 2 data sets, 14.29 above old, and the best score on 2 "
        "of them. Their mean ranks are 1.00 and 2.00; the critical difference is 1.39."
    )
    assert gain.text == (
        "new against old, on average over 2 data sets: the score changes by +50.0 % at label LOC "
        "(n = 80), the highest of all buckets, and by +0.0 % at label PER (n = 80), the lowest."
    )
    assert (leader.section, gain.section) == ("scores", "improvement")
    assert gain.strip is not None
    assert [(bar.name, bar.told) for bar in gain.strip.bars] == [("LOC", "+50"), ("PER", "+0")]


def test_ranks_have_a_critical_difference_and_nothing_is_claimed() -> None:
    """1.96 * sqrt(2 * 3 / 24) = 0.98 with four data sets."""
    found = suite_findings(_found(data_sets=4))
    assert "are 1.00 and 2.00; the critical difference is 0.98." in found[0].text
    assert {one.kind for one in found} == {"description"}


def test_few_units_and_one_data_set_say_nothing() -> None:
    """Two data sets of 24 sentences have 48 gold units of a label, which is below 50."""
    assert [one.rule for one in suite_findings(_found(sentences=24))] == ["leader"]
    assert suite_findings(_found(data_sets=1)) == ()


def test_a_loss_is_told_as_one() -> None:
    """old has all LOC and no PER, new the other way round: F1 of a label 1 or 0.

    A gain over 0 is undefined, so old has one PER: F1 2 / (2 + 59), and new one LOC."""
    tags = [["B-PER", "B-LOC"], *([["O", "B-LOC"]] * 59)]
    other = [["B-PER", "B-LOC"], *([["B-PER", "O"]] * 59)]
    table = _table(60, old=tags, new=other)
    found = fg.Suite.of({"a": table, "b": table}, by="label", baseline="old").run()
    told = suite_findings(found)[-1].text
    assert "the score changes by +2950.0 % at label PER" in told  # 61 / 2 - 1
    assert "and by −96.7 % at label LOC" in told  # 2 / 61 - 1
    strip = suite_findings(found)[-1].strip
    assert strip is not None
    assert [bar.told for bar in strip.bars] == ["+2950", "−97"]
    assert [bar.share for bar in strip.bars] == pytest.approx([1, (2 / 61 - 1) / (61 / 2 - 1)])


def test_a_system_that_only_loses_is_drawn_by_its_losses() -> None:
    """F1 of LOC falls from 1 to 2/3."""
    table = _table(40, old=[BOTH] * 40, new=[BOTH] * 20 + [NO_LOC] * 20)
    found = fg.Suite.of({"a": table, "b": table}, by="label", baseline="old").run()
    told = suite_findings(found)[-1]
    assert told.strip is not None
    shares = {bar.name: bar.share for bar in told.strip.bars}
    assert shares == pytest.approx({"PER": 0, "LOC": -1})


def test_nothing_gained_in_any_bucket_of_an_attribute_is_drawn_as_nothing() -> None:
    """PER is the same in both; LOC, which new has not, has 40 gold units, too few to be told of.

    All sentences are of one length: F1 falls from 1 to 2 * 50 / (2 * 50 + 20) = 5/6."""
    text, alone = [TEXT] * 50, [NO_LOC] * 50
    gold = Corpus.of(text, tags=[BOTH] * 20 + [NO_LOC] * 30)
    table = fg.align(gold, {"old": gold, "new": Corpus.of(text, tags=alone)})
    by = ["label", "sentence_length"]
    found = fg.Suite.of({"a": table, "b": table}, by=by, baseline="old").run()
    told = suite_findings(found)[-1]
    assert "and by −16.7 % at sentence length XS" in told.text
    assert told.strip is not None
    assert [(bar.name, bar.share) for bar in told.strip.bars] == [("PER", 0)]


def test_the_lead_has_an_interval_although_nothing_was_compared() -> None:
    """The same as that of the pair where it is compared."""
    made = {name: fg.simulate(tokens=2_000, seed=seed) for seed, name in enumerate("ab")}
    tables = {name: fg.align(one.gold, one.systems) for name, one in made.items()}
    plain = fg.Suite.of(tables, by="label").run(intervals=100)
    means = plain.means()
    first, second = (plain.systems[at] for at in sorted(range(4), key=lambda at: -means[at])[:2])
    compared = fg.Suite.of(tables, by="label", compare=[(first, second)]).run(intervals=100)
    low, high = compared.to_json()["improvements"][0]["average"]["interval"]
    said = f" [{100 * low:.2f}, {100 * high:.2f}] above {second}, "
    assert said in suite_findings(plain)[0].text
    assert suite_findings(plain)[0].text == suite_findings(compared)[0].text


def test_the_lead_is_over_data_sets_that_all_systems_have() -> None:
    """new is better on both; a third data set, with its own scores, has only old."""
    half, all_of_it = [BOTH] * 20 + [NO_LOC] * 20, [BOTH] * 40
    two = _table(40, old=half, new=all_of_it)
    tables = {"a": two, "b": two, "c": _table(40, old=all_of_it)}
    (leader,) = suite_findings(fg.Suite.of(tables, by="label").run(intervals=100))
    assert leader.text.startswith("new has 100.00 F1 on average over 2 data sets, 14.29 [")


def test_the_attribute_that_matters_most_is_told() -> None:
    """That with the largest mean rho, with the least and largest of data sets."""
    tables = {}
    for name, seed in (("news", 1), ("chat", 2)):
        made = fg.simulate(
            tokens=3_000, seed=seed, systems={"crf": ("long-entities",), "neural": ()}
        )
        tables[name] = fg.align(made.gold, made.systems)
    by = ["entity_length", "sentence_length", "label"]
    found = fg.Suite.of(tables, by=by, compare=[("neural", "crf")]).run(intervals=100)
    told = {one.rule: one for one in suite_findings(found)}
    assert list(told) == ["leader", "attribute", "gain"]
    rho = {
        name: [one["attributes"][name]["rho"] for one in found.to_json()["data_sets"].values()]
        for name in by[:2]  # labels have no order
    }
    most = max(rho, key=lambda name: sum(rho[name]))
    least = min(rho, key=lambda name: sum(rho[name]))
    assert told["attribute"].text == (
        f"Of the attributes, {most.replace('_', ' ')} has the highest mean ρ with the scores: "
        f"{sum(rho[most]) / 2:.2f} on average over 2 data sets, {min(rho[most]):.2f} to "
        f"{max(rho[most]):.2f}; {least.replace('_', ' ')} has the lowest, "
        f"{sum(rho[least]) / 2:.2f}. Where buckets are few, ρ is high without any trend."
    )
    assert told["gain"].text.startswith("neural against crf, on average over 2 data sets: the ")
    assert "% at entity length XL" in told["gain"].text
    change = found.to_json()["improvements"][0]["average"]
    assert told["gain"].interval == tuple(change["interval"])
    assert f"Overall: {100 * change['change']:+.2f} points [" in told["gain"].text
    assert "95 % intervals" in brackets(found)
    low, high = (100 * end for end in change["interval"])
    ahead = f"{100 * change['change']:.2f} [{low:.2f}, {high:.2f}] above crf"
    assert ahead in told["leader"].text
    turned = fg.Suite.of(tables, by=by, compare=[("crf", "neural")]).run(intervals=100)
    assert ahead in suite_findings(turned)[0].text  # whichever was the baseline


def test_at_most_five_sentences_in_any_order_of_systems() -> None:
    made = fg.simulate(tokens=2_000, seed=1)
    told = []
    for names in (list(made.systems), list(reversed(made.systems))):
        table = fg.align(made.gold, {name: made.systems[name] for name in names})
        found = fg.Suite.of({"a": table, "b": table}, baseline="baseline").run()
        told.append([one.text for one in suite_findings(found)])
    assert told[0] == told[1]
    assert 2 <= len(told[0]) <= MOST
