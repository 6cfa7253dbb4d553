"""Rules for findings about the answers of one system, where each unit has one: tags, classes.

>>> import finegrain as fg
>>> from finegrain.corpus import Corpus
>>> gold, answers = ["ham"] * 70 + ["spam"] * 30, ["ham"] * 60 + ["spam"] * 40
>>> text = [[f"mail {n}"] for n in range(100)]
>>> corpora = [Corpus.of(text, tags=[[tag] for tag in tags]) for tags in (gold, answers)]
>>> report = fg.report(fg.align(corpora[0], {"bayes": corpora[1]}, task="tags"))
>>> for one in report.findings:
...     if one.rule == "baseline":
...         print(one.text)
To answer ham always would be right about 70 of 100 tokens (70 % [60, 78]); bayes is 20.00 \
[9.00, 31.00] points above that.

They are told of the best system, where fewer than five sentences are told by other rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import (
    GOLD,
    Evidence,
    answers,
    has_label,
    is_right,
    is_wrong,
    other_answers,
)
from finegrain.analyses.reports.facts import ENOUGH, Facts
from finegrain.analyses.reports.finding import (
    Bar,
    Finding,
    Part,
    Strip,
    Subject,
    captioned,
    interval,
    label_words,
    leading,
    number,
    percent,
    points,
    proportion,
    share,
    strong,
)
from finegrain.analyses.reports.share_intervals import drawn_interval
from finegrain.corpus import IntArray
from finegrain.metrics.metric import ratio
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import answered, right

COMMON = 1 / 3  # of all units: a label that is a baseline to be told of
LEAST = 0.05  # between the shares of two answers, for a sentence
UNLIKE = 0.05  # more or fewer answers than gold units of a label, for a sentence


def baseline(facts: Facts) -> Iterator[Finding]:
    """How far a system is above the commonest label for all, if a third of the units have it."""
    if not facts.table.task.errs_by_answer or facts.table.n_gold < ENOUGH:
        return
    table, system = facts.table, facts.order[0]
    sizes = np.bincount(table.label, minlength=table.n_labels)
    code = int(sizes.argmax())
    if sizes[code] < COMMON * sizes.sum():
        return
    label, n = table.labels[code], table.n_gold
    counts = [right(table)[:, system], table.label == code, table.is_gold]
    ends = drawn_interval(table, counts, _ahead, facts.drawing)
    common = facts.behind(counts[1], GOLD, has_label(label))
    given = answered(table)[:, system]
    other = facts.behind((given >= 0) & (given != code), other_answers(facts.name(system), [label]))
    own = int(np.count_nonzero(counts[0])) / n
    gap = own - common.count / n
    noise = ends is not None and ends[0] <= 0 <= ends[1]
    below = ends if gap >= 0 or ends is None else (-ends[1], -ends[0])
    parts = (
        Part(f"To answer {label_words(label)} always would be right about "),
        *proportion(common, facts.gold(), facts.units, facts.share(counts[1], counts[2])),
        Part("; "),
        strong(facts.name(system)),
        Part(" is "),
        *leading(other, Part(points(abs(gap))), *interval(below)),
        Part(f" points {'above' if gap >= 0 else 'below'} that"),
        Part("; this test set cannot tell them apart." if noise else "."),
    )
    bars = (
        Bar(facts.brief(system), own, points(own), subject=True, evidence=facts.errors(system)),
        Bar(f"always {label_words(label)}", common.count / n, points(common.count / n),
            evidence=common),
    )  # fmt: skip
    strip = Strip(captioned("accuracy", facts.gold()), bars)
    yield Finding("baseline", parts, "scores", n, strip, ends)


def _ahead(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return ratio(sums[..., 0] - sums[..., 1], sums[..., 2])


def usage(facts: Facts) -> Iterator[Finding]:
    """The label that a system answers more or less often than gold has it, by five percent or more.

    It is the one with the largest difference from the gold standard in units.
    """
    if not facts.table.task.errs_by_answer or not facts.table.n_labels:
        return
    table, system = facts.table, facts.order[0]
    given = answered(table)[:, system]
    gold, answers = (_counts(table, codes) for codes in (table.label, given))
    unlike = np.where(gold >= ENOUGH, np.abs(answers - gold), 0)
    code = max(range(table.n_labels), key=lambda one: (unlike[one], answers[one] - gold[one]))
    if unlike[code] < UNLIKE * gold[code] or not unlike[code]:
        return
    more, label = bool(answers[code] > gold[code]), table.labels[code]
    one = _Answers.of(facts, system, code)
    held = facts.behind(table.label == code, GOLD, has_label(label))
    parts = (
        strong(facts.name(system)),
        Part(f" answers {label_words(label)} "),
        number(one.given),
        Part(" times, where gold has it "),
        number(held),
        Part(" times ("),
        *leading(one.given, *share(abs(one.given.count - held.count), held.count, None)),
        Part(f" {'more' if more else 'fewer'})."),
    )
    most = max(one.given.count, held.count)
    bars = (
        Bar("answered", one.given.count / most, f"{one.given.count:,}", subject=True,
            evidence=one.given),
        Bar("gold", held.count / most, f"{held.count:,}", evidence=held),
    )  # fmt: skip
    strip = Strip(captioned(label_words(label), held), bars)
    subject = Subject((facts.name(system),), f"answer {label}")
    yield Finding("usage", parts, "errors", held.count, strip, None, subject)


def _counts(table: OutcomeTable, codes: IntArray) -> NDArray[np.int64]:
    """``[label]`` how many units have it; -1 is none."""
    return np.bincount(codes[codes >= 0], minlength=table.n_labels)


def reliability(facts: Facts) -> Iterator[Finding]:
    """The answers of a system that are right least and most often: five points apart or more."""
    if not facts.table.task.errs_by_answer:
        return
    table, system = facts.table, facts.order[0]
    answers = _counts(table, answered(table)[:, system])
    common = np.flatnonzero(answers >= ENOUGH).tolist()
    often = [_Answers.of(facts, system, code) for code in common]
    often.sort(key=lambda one: (one.share, one.label))
    if len(often) < 2 or often[-1].share - often[0].share < LEAST:
        return
    worst, best = often[0], often[-1]
    parts = [Part("When "), strong(facts.name(system))]
    for one, before, then in (
        (worst, " answers ", ", the lowest share of all labels; when it answers "),
        (best, "", ", the highest."),
    ):
        parts += [Part(f"{before}{label_words(one.label)}, it is right about ")]
        parts += [*proportion(one.right, one.given, "", None), Part(then)]
    bars = tuple(
        Bar(label_words(one.label), one.share, percent(one.share, 1), one is worst, one.wrong)
        for one in (worst, best)
    )
    strip = Strip(captioned("right answers", worst.given), bars)
    subject = Subject((facts.name(system),), f"answer {worst.label}")
    n = worst.given.count
    yield Finding("reliability", tuple(parts), "scores", n, strip, None, subject)


class _Answers(NamedTuple):
    """The units that a system gives a label, and how many of them have it."""

    label: str
    given: Evidence
    right: Evidence
    wrong: Evidence

    @classmethod
    def of(cls, facts: Facts, system: int, code: int) -> _Answers:
        table, label = facts.table, facts.table.labels[code]
        rows, good = answered(table)[:, system] == code, right(table)[:, system]
        name = facts.name(system)
        answer = answers(name, label)
        given = facts.behind(rows, answer)
        hits = facts.behind(rows & good, answer, is_right(name))
        errors = facts.behind(rows & ~good, answer, is_wrong(name))
        return cls(label, given, hits, errors)

    @property
    def share(self) -> float:
        """Of the answers, how many are right: the precision of the label."""
        return self.right.count / self.given.count
