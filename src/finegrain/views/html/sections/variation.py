"""How much scores vary: what the buckets of an attribute come to, and units to look at.

Trends and spreads are computed from scores of buckets. What a reader asks next is where a system is
bad, so they lead to its errors in its worst bucket, the mean of values to the units that have them.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> report = fg.report(fg.align(*small_corpora("spans")))
>>> found = variation_of(report, report.results["buckets"]["entity_length"])
>>> mean, lead = found["zeta"]
>>> mean, lead.told, lead.behind.count
(2.0, '7 spans that it is the mean of', 7)
>>> trend, spread, lead = found["systems"][0]
>>> trend, lead.told
(-0.5, '2 errors of short at entity length 4, its worst bucket')
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from finegrain.analyses.evidence import Evidence, all_of
from finegrain.analyses.explain.bucket_extremes import extremes
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.reports.report import Report
from finegrain.sizes import sized
from finegrain.views.charts.diagnosis_bars import told_bucket
from finegrain.views.html.sections.section import Context


def variation_of(report: Report, one: BucketScores) -> Context:
    """Mean of values, how much the attribute matters, trend and spread of every system."""
    spearman, std = one.spearman(), one.std()
    return {
        "zeta": (one.zeta, _averaged(report, one)),
        "rho": (one.rho(), _hardest(report, one)),
        "systems": [
            (float(spearman[place]), float(std[place]), _worst(report, one, place))
            for place in report.order
        ],
    }


class Lead(NamedTuple):
    """Units that a number leads to where it is not computed from these alone, and why these."""

    behind: Evidence | None
    told: str = ""


def _averaged(report: Report, one: BucketScores) -> Lead:
    """The gold units that have a value; all of them where it is their tokens that have one."""
    count, asked = report.table.n_gold, dict[str, str | int](unit="gold")
    if one.units is None:
        return Lead(None)
    undefined = np.flatnonzero(~one.judged).tolist()
    if undefined and not one.of_tokens:
        asked["not"] = all_of({f"bucket.{one.name}": undefined[0]})
        count -= int(one.units.gold[undefined[0]])
    whose = "whose tokens" if one.of_tokens else "that"
    return Lead(Evidence.of(count, asked), f"{_units(report, count)} {whose} it is the mean of")


def _hardest(report: Report, one: BucketScores) -> Lead:
    """The gold units of the bucket that systems do worst at on average."""
    scores = one.main()
    known = ~np.isnan(scores).any(axis=1)
    means = one.scale.quality(scores.mean(axis=1))
    worst = extremes(means, one.judged & known & (one.gold > 0)).smallest
    behind = one.held(worst) if worst >= 0 else None
    if behind is None:
        return Lead(None)
    where = f"{_units(report, behind.count)} {_at(one)} {told_bucket(one, worst)}"
    return Lead(behind, f"{where}, where systems do worst on average")


def _worst(report: Report, one: BucketScores, system: int) -> Lead:
    """The errors of a system in its worst bucket."""
    worst = one.best_and_worst(one.main()[:, system]).smallest
    behind = one.behind(worst, system) if worst >= 0 else None
    if behind is None:
        return Lead(None)
    errors = f"{sized(behind.count, 'error')} of {report.systems[system]}"
    if one.units is not None and one.units.graded:
        errors = _units(report, behind.count)
    return Lead(behind, f"{errors} {_at(one)} {told_bucket(one, worst)}, its worst bucket")


def _units(report: Report, count: int) -> str:
    return f"{count:,} {report.task.words.of(count)}"


def _at(one: BucketScores) -> str:
    """How units stand in buckets."""
    return "with a token at" if one.of_tokens else "at"
