"""Rules for findings about pairs of systems: who rights whose errors, what a test would show.

>>> import finegrain as fg
>>> rows = [[1, 1]] * 40 + [[1, 0]] * 8 + [[0, 1]] * 4 + [[0, 0]] * 8
>>> for one in fg.report(fg.from_matrix(rows, systems=["crf", "gru"])).findings:
...     if one.rule == "exchange":
...         print(one.text)
Of 16 items that gru gets wrong, crf gets 8 right (50 % [25, 75]); of 44 that gru gets right, crf \
gets 4 wrong (9.1 % [3.3, 22.6]).

They are told where fewer than five sentences are told by other rules.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import GOLD, is_right, is_wrong, solved_by
from finegrain.analyses.reports.facts import ENOUGH, Facts
from finegrain.analyses.reports.finding import (
    Bar,
    Finding,
    Part,
    Strip,
    captioned,
    interval,
    leading,
    number,
    percent,
    points,
    proportion,
    share,
    strong,
)
from finegrain.analyses.reports.ranking_findings import (
    disagreement,
    disagreement_ends,
    pair_test,
)
from finegrain.analyses.reports.share_intervals import drawn_interval
from finegrain.metrics.metric import ratio
from finegrain.resampling.intervals import defined_in, standard_error
from finegrain.resampling.power import POWER, Spread, detectable
from finegrain.resampling.sampling import counted, sampling_of
from finegrain.sizes import sized
from finegrain.table.verdicts import right


def exchange(facts: Facts) -> Iterator[Finding]:
    """What the best system makes of the errors of the second, and of what that has right."""
    if len(facts.order) < 2 or facts.table.n_gold < ENOUGH:
        return
    first, second = facts.order[:2]
    gold, correct = facts.table.is_gold, right(facts.table)
    one, other = correct[:, first], correct[:, second]

    a, b = facts.name(first), facts.name(second)
    wrong, solved = facts.wrong(second), facts.behind(gold & other, GOLD, is_right(b))
    better = facts.behind(gold & one & ~other, GOLD, is_right(a), is_wrong(b))
    worse = facts.behind(gold & ~one & other, GOLD, is_wrong(a), is_right(b))
    if not wrong.count or not solved.count or not better.count + worse.count:
        return
    ends = facts.share(one, gold & ~other)
    parts = [
        Part("Of "),
        number(wrong),
        Part(f" {facts.units_of(wrong.count)} that "),
        strong(facts.name(second)),
        Part(" gets wrong, "),
        strong(facts.name(first)),
        Part(" gets "),
        *leading(better, Part(f"{better.count:,} right ("),
                 *share(better.count, wrong.count, ends)),
        Part("); of "),
        number(solved),
        Part(f" that {facts.name(second)} gets right, {facts.name(first)} gets "),
        *leading(worse, Part(f"{worse.count:,} wrong ("),
                 *share(worse.count, solved.count, facts.share(~one, gold & other))),
        Part(")."),
    ]  # fmt: skip
    most = max(better.count, worse.count)
    bars = (
        Bar("made right", better.count / most, f"{better.count:,}", subject=True, evidence=better),
        Bar("made wrong", worse.count / most, f"{worse.count:,}", evidence=worse),
    )
    strip = Strip(captioned("", facts.gold()), bars)
    yield Finding("exchange", tuple(parts), "differences", wrong.count, strip, ends)


def alike(facts: Facts) -> Iterator[Finding]:
    """The two systems that disagree least and the two that disagree most."""
    if len(facts.order) < 3 or "differences" not in facts.results:
        return
    rated = {
        (facts.table.system(pair[0]), facts.table.system(pair[1])): found.changed / found.units
        for pair, found in facts.results["differences"].pairs.items()
        if found.units
    }

    def named(pair: tuple[int, int]) -> list[str]:
        return sorted(facts.name(system) for system in pair)

    if not rated or min(rated.values()) == max(rated.values()):
        return
    least = min(rated, key=lambda pair: (rated[pair], named(pair)))
    most = min(rated, key=lambda pair: (-rated[pair], named(pair)))
    parts: list[Part] = []
    for pair, said in ((least, "Most alike are "), (most, "; least alike are ")):
        one, other = (facts.table.system(name) for name in named(pair))
        parts += [Part(said), strong(facts.name(one)), Part(" and "), strong(facts.name(other))]
        if set(pair) == set(facts.order[:2]):  # of whom it was said
            parts.append(Part(", the best two"))
        else:
            parts += [Part(", which "), *disagreement(facts, one, other)]
    bars = tuple(
        Bar(name, rated[pair] / rated[most], percent(rated[pair], 1), pair == least,
            facts.differing(*pair))
        for name, pair in (("most alike", least), ("least alike", most))
    )  # fmt: skip
    strip = Strip((Part(f"{facts.units} that they disagree on"),), bars)
    found = facts.pair(*(most if set(least) == set(facts.order[:2]) else least))
    ends = disagreement_ends(found)
    yield Finding("alike", (*parts, Part(".")), "differences", found.units, strip, ends)


def coincidence(facts: Facts) -> Iterator[Finding]:
    """Whether more units are unsolved by all than if systems erred independently of each other."""
    gold, wrong = facts.table.is_gold, ~right(facts.table)
    n, systems = facts.table.n_gold, len(facts.order)
    none = facts.behind(gold & wrong.all(axis=1), solved_by(0))
    if systems < 2 or n < ENOUGH or not none.count:
        return
    counts = [gold & wrong.all(axis=1), gold, *(gold & of_one for of_one in wrong.T)]
    expected = float(np.prod(np.count_nonzero(gold[:, None] & wrong, axis=0) / n))
    ends = drawn_interval(facts.table, counts, _excess, facts.drawing)
    if ends is None or ends[0] <= 0:
        return
    parts = (
        Part("No system solves "),
        *proportion(none, facts.gold(), facts.units, None),
        Part("; if systems erred independently of each other, it would be "),
        *leading(none, Part(percent(expected, 1))),
        Part(", "),
        *leading(none, Part(points(none.count / n - expected)), *interval(ends)),
        Part(" points less."),
    )
    most = none.count / n
    bars = (
        Bar("unsolved", 1.0, percent(none.count, n), subject=True, evidence=none),
        Bar("if independent", expected / most, percent(expected, 1), evidence=none),
    )
    strip = Strip(captioned("", facts.gold()), bars)
    yield Finding("coincidence", parts, "difficulty", n, strip, ends)


def _excess(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share that all are wrong about, less the product of the shares of each."""
    shares = ratio(sums[..., 2:], sums[..., 1:2])
    found: NDArray[np.float64] = ratio(sums[..., 0], sums[..., 1]) - shares.prod(axis=-1)
    return found


def resolution(facts: Facts) -> Iterator[Finding]:
    """Of a lead within noise: how large one this test set would show."""
    if len(facts.order) < 2 or facts.table.n_gold < ENOUGH:
        return
    first, second = facts.order[:2]
    gap, tested = facts.score(first) - facts.score(second), pair_test(facts, first, second)
    shown = tested.shown
    if tested.significant is not False or shown is None or not 0 < gap < shown:
        return
    n, differing = facts.table.n_gold, facts.differing(first, second)
    parts = [
        number(facts.gold()),
        Part(f" {facts.units} show a difference of "),
        *leading(differing, Part(points(shown))),
        Part(" points between "),
        strong(facts.name(first)),
        Part(" and "),
        strong(facts.name(second)),
        Part(f" with a chance of {100 * POWER:.0f} %; there is one of "),
        *leading(differing, Part(points(gap)), *interval(tested.ends)),
        Part("."),
    ]
    bars = (
        Bar("would show", 1.0, points(shown), evidence=differing),
        Bar("there is", gap / shown, points(gap), subject=True, evidence=differing),
    )
    strip = Strip(captioned(facts.scored, facts.gold()), bars)
    yield Finding("resolution", tuple(parts), "scores", n, strip, tested.ends)


def rival(facts: Facts) -> Iterator[Finding]:
    """Of one system: how exactly its score is known, and what a second one would have to differ by.

    The variances of two systems that err independently of each other add up. Those that err alike
    differ less by chance.
    """
    scores, system = facts.results["score"], facts.order[0]
    if len(facts.order) > 1 or facts.table.n_gold < ENOUGH or scores.intervals is None:
        return
    low, high = scores.interval(facts.metric.name, facts.name(system))
    half, confidence = (high - low) / 2, scores.intervals.confidence
    if np.isnan(half) or not half:
        return
    sampling, metric = sampling_of(facts.table), facts.metric
    (counts,) = counted(facts.table, metric.statistics, sampling, narrow=metric.narrow)
    samples = int(defined_in(counts, metric.score))
    error = standard_error(half, samples, level=confidence)
    both, behind = Spread(2**0.5 * error, samples, samples), facts.lowering(system)
    shown = detectable(both, level=confidence) if both.tells else None
    parts = [
        Part(f"The {facts.scored} of "),
        strong(facts.name(system)),
        Part(" is known to "),
        *leading(behind, Part(f"± {points(half)}")),
        Part(" points. On these "),
        number(facts.gold()),
        Part(f" {facts.units} a rival that errs independently of it "),
    ]
    wide = half / (shown or half)
    bars = [Bar("known to ±", wide, points(half), subject=True, evidence=behind)]
    if shown is None:
        few = f"{sized(samples, sampling.kind)} are too few to say by how much"
        parts.append(Part(f"has to differ by more; {few}."))
    else:
        parts += [
            Part("has to differ by "),
            *leading(behind, Part(points(shown))),
            Part(f" points to be told apart with a chance of {100 * POWER:.0f} %; "),
            Part("one that errs alike, by fewer."),
        ]
        bars.append(Bar("told apart by", 1.0, points(shown), evidence=behind))
    strip = Strip(captioned(facts.scored, facts.gold()), tuple(bars))
    yield Finding("rival", tuple(parts), "scores", facts.table.n_gold, strip, (low, high))
