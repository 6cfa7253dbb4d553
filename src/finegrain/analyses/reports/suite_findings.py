"""What matters over many data sets, in at most five sentences: written from results by rules.

>>> import finegrain as fg
>>> plays = {name: fg.simulate(tokens=2_000, seed=seed) for seed, name in enumerate("abc")}
>>> tables = {name: fg.align(play.gold, play.systems) for name, play in plays.items()}
>>> found = fg.Suite.of(tables, by="entity_length", compare=[("neural", "crf")]).run()
>>> for one in suite_findings(found):
...     print(one.text)                                # doctest: +ELLIPSIS
uniform has ... F1 on average over 3 data sets, ... above neural, and ...
neural against crf, on average over 3 data sets: the score changes by ...

A rule says nothing where its condition does not hold; a bucket is told of only if it has 50 gold
units or more in all and two data sets or more have it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from finegrain.analyses.explain.many_data_sets import Improvement, ManyDataSets
from finegrain.analyses.explain.suite_json import mean_of
from finegrain.analyses.reports.facts import ENOUGH, metric_words
from finegrain.analyses.reports.finding import (
    Bar,
    Ends,
    Finding,
    Part,
    Strip,
    Subject,
    interval,
    told_apart,
)
from finegrain.resampling.strata import Stratified
from finegrain.sizes import sized

MOST = 5
_BARS = 5
_PAIRS = 2  # compared pairs that are told of
_LEAST = 0.05  # of the baseline's score: a gain worth a sentence


def suite_findings(found: ManyDataSets) -> tuple[Finding, ...]:
    """The best two, what scores go with, where pairs differ most: nothing of it is tested."""
    told = [*_leader(found), *_attribute(found), *_pairs(found)]
    return tuple(told[:MOST])


def brackets(found: ManyDataSets) -> str:
    """What stands in brackets, and what is counted."""
    level = found.drawing.level if found.drawing.resamples else None
    said = "intervals of means over these data sets"
    ends = f"In brackets: {100 * level:g} % {said}; " if level else ""
    return f"{ends}n: gold units in all. All sentences describe these data sets; none is tested."


def _leader(found: ManyDataSets) -> Iterator[Finding]:
    """The best two on average; whether their ranks tell them apart; where others are best."""
    over, means = found.averaged(), found.means()
    if len(found.systems) < 2 or len(over) < 2:
        return
    scale = over[0].metric.scale
    quality = scale.quality(means)
    order = sorted(range(len(means)), key=lambda place: (-quality[place], found.systems[place]))
    first, second = order[:2]
    sure = found.average(first)
    gap = found.average_change(Improvement(first, second), over)
    metric = metric_words(over[0].metric).removeprefix("traditional ")
    ahead = scale.written(quality[first] - quality[second])
    top = sum(bool(np.isclose(one.overall[first], scale.top(one.overall))) for one in over)
    parts = (
        Part(found.systems[first], "strong"),
        Part(f" has {scale.written(means[first])} {metric}"),
        *interval(_ends(sure)),
        Part(f" on average over {sized(len(over), 'data set')}, {ahead}"),
        *interval(_ends(gap)),
        Part(" above " if scale.higher else " better than "),
        Part(found.systems[second], "strong"),
        Part(f", and the best score on {top} of them. {_ranked(found, first, second)}"),
    )
    names = told_apart(list(found.systems))
    most = float(np.abs(means).max()) or 1.0
    bars = [
        Bar(names[place], float(means[place]) / most, scale.written(means[place]), place == first)
        for place in order[:_BARS]
    ]
    strip = Strip((Part(f"average {metric}"),), tuple(bars))
    subject = Subject((found.systems[first], found.systems[second]))
    yield Finding("leader", parts, "scores", len(over), strip, _ends(sure), subject)


def _ends(one: Stratified | None) -> Ends | None:
    """The interval of a mean, if it has one."""
    return None if one is None or math.isnan(one.low) else (one.low, one.high)


def _ranked(found: ManyDataSets, first: int, second: int) -> str:
    """The mean ranks of two systems, and how far they have to be apart."""
    ranks = found.ranks()
    one, other = float(ranks.mean[first]), float(ranks.mean[second])
    if math.isnan(ranks.critical):
        return f"Their mean ranks are {one:.2f} and {other:.2f}."
    return (
        f"Their mean ranks are {one:.2f} and {other:.2f}; the critical difference is "
        f"{ranks.critical:.2f}."
    )


def _attribute(found: ManyDataSets) -> Iterator[Finding]:
    """The attribute whose buckets the scores follow most, over the data sets that have it."""
    sizes: dict[str, list[float]] = {}
    for attribute in found.attributes:
        known = [
            one.attributes[attribute].rho()
            for one in found.data_sets
            if attribute in one.attributes
        ]
        known = [value for value in known if not math.isnan(value)]
        if known:
            sizes[attribute] = known
    if len(sizes) < 2:
        return
    order = sorted(sizes, key=lambda name: -mean_of(np.array(sizes[name])))
    most, least = order[0], order[-1]
    values = sizes[most]
    spread = f", {min(values):.2f} to {max(values):.2f}" if len(values) > 1 else ""
    parts = (
        Part("Of the attributes, "),
        Part(_said(most), "strong"),
        Part(
            f" has the highest mean ρ with the scores: {mean_of(np.array(values)):.2f} on average "
            f"over {sized(len(values), 'data set')}{spread}; {_said(least)} has the lowest, "
            f"{mean_of(np.array(sizes[least])):.2f}. Where buckets are few, ρ is high without any "
            "trend."
        ),
    )
    bars = [
        Bar(_said(name), mean, f"{mean:.2f}", name == most)
        for name in order[:_BARS]
        for mean in [mean_of(np.array(sizes[name]))]
    ]
    strip = Strip((Part("ρ, mean over data sets"),), tuple(bars))
    yield Finding(
        "attribute", parts, "attributes", len(values), strip, None, Subject((), _said(most))
    )


def _said(attribute: str) -> str:
    return attribute.replace("_", " ")


class Gain(NamedTuple):
    """The mean relative change in a bucket, over so many data sets, with so many gold units."""

    attribute: str
    bucket: str
    change: float
    data_sets: int
    gold: int


def gains(found: ManyDataSets, pair: Improvement) -> list[Gain]:
    """What a system gains over its baseline in buckets that are large enough, the most first."""
    listed = []
    for attribute in found.attributes:
        for bucket in found.bucket_names(attribute):
            relative = found.changes(attribute, bucket, pair)[:, 1]
            known = ~np.isnan(relative)
            gold = sum(
                int(scores.gold[scores.names.index(bucket)])
                for one, is_in in zip(found.data_sets, known, strict=True)
                if is_in
                for scores in [one.attributes[attribute]]
            )
            if gold >= ENOUGH and known.sum() >= 2:
                mean = float(relative[known].mean())
                listed.append(Gain(attribute, bucket, mean, int(known.sum()), gold))
    return sorted(listed, key=lambda one: -one.change)


def _pairs(found: ManyDataSets) -> Iterator[Finding]:
    """Where a system gains most over its baseline, and where it loses; the clearest pairs."""
    told = []
    for pair in found.improvements:
        listed = gains(found, pair)
        if len(listed) > 1 and max(abs(listed[0].change), abs(listed[-1].change)) >= _LEAST:
            told.append((listed[0].change - listed[-1].change, pair, listed))
    told.sort(key=lambda one: -one[0])
    for _, pair, listed in told[:_PAIRS]:
        yield _gain(found, pair, listed)


def _gain(found: ManyDataSets, pair: Improvement, listed: list[Gain]) -> Finding:
    most, least = listed[0], listed[-1]
    change = found.average_change(pair)
    parts = (
        Part(found.systems[pair.system], "strong"),
        Part(" against "),
        Part(found.systems[pair.baseline], "strong"),
        Part(
            f", on average over {sized(most.data_sets, 'data set')}: the score changes by "
            f"{_bucket(most)}, the highest of all buckets, and by {_bucket(least)}, the lowest."
        ),
        *_overall(change),
    )
    same = [one for one in listed if one.attribute == most.attribute][:_BARS]
    largest = max(abs(one.change) for one in same) or 1.0
    bars = [
        Bar(one.bucket, one.change / largest, _signed(one.change, 0), one is most) for one in same
    ]
    told = f"change by {_said(most.attribute)}, % of the baseline's score"
    strip = Strip((Part(told),), tuple(bars))
    systems = found.systems[pair.system], found.systems[pair.baseline]
    subject = Subject(systems, _said(most.attribute))
    return Finding("gain", parts, "improvement", most.gold, strip, _ends(change), subject)


def _bucket(one: Gain) -> str:
    """A bucket and what is gained there."""
    return f"{_signed(one.change, 1)} % at {_said(one.attribute)} {one.bucket} (n = {one.gold:,})"


def _overall(change: Stratified | None) -> list[Part]:
    if change is None or math.isnan(change.value):
        return []
    told = f" Overall: {_signed(change.value, 2)} points"
    return [Part(told), *interval(_ends(change), signed="+"), Part(".")]


def _signed(value: float, digits: int) -> str:
    """A change in percent or points, with a true minus.

    >>> _signed(0.891, 1), _signed(-0.891, 1), _signed(-0.0001, 1)
    ('+89.1', '−89.1', '+0.0')
    """
    return f"{100 * value:+z.{digits}f}".replace("-", "−")
