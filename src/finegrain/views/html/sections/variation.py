"""How much scores vary: what the buckets of an attribute come to, and units to look at.

Trends and spreads are computed from scores of buckets. What a reader asks next is where a system is
bad, so they lead to its errors in its worst bucket, the mean of values to the units that have them.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> report = fg.report(fg.align(*small_corpora("spans")))
>>> found = variation_of(report, [report.results["buckets"]["entity_length"]], by_name=True)
>>> name, mean, matters, short, *_ = found.rows[0].cells
>>> mean.text, mean.told, mean.behind.count
('2', '7 spans that it is the mean of', 7)
>>> short.text, short.beside, short.told
('−0.50', '36.7', '2 errors of short at entity length 4, its worst bucket')
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from finegrain.analyses.evidence import GOLD, Evidence, in_bucket
from finegrain.analyses.explain.bucket_extremes import extremes
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.reports.report import Report
from finegrain.analyses.selection.expressions import Expression, Not
from finegrain.sizes import sized
from finegrain.views.charts.diagnosis_bars import told_bucket
from finegrain.views.html.listing_table import Look, Table, table_of
from finegrain.views.html.wording import points


def variation_of(report: Report, attributes: Sequence[BucketScores], *, by_name: bool) -> Table:
    """Mean of values, how much the attribute matters, trend and spread of every system."""
    systems = [report.systems[place] for place in report.order]
    group = "trend and spread" if by_name else "trend, below it the spread"
    columns = [Column("attribute"), Column("mean", "number"), Column("matters", "number")]
    columns += (Column(name, "number", group=group) for name in systems)
    style = f"fit variation{'' if by_name else ' dense'}"
    look = Look(systems=systems, numbered=not by_name, style=style)
    rows = tuple(_row(report, one) for one in attributes)
    return table_of("variation", Listing("How much scores vary", tuple(columns), rows), look)


def _row(report: Report, one: BucketScores) -> tuple[Cell, ...]:
    mean = f"{one.zeta:,.0f}" if one.zeta >= 1000 else f"{one.zeta:.3g}"
    trends, spreads = one.spearman().tolist(), one.std().tolist()
    percent = one.scale.shown == "percent"
    return (
        Linked(one.name.replace("_", " "), None, one.attributes[0].summary),
        None if math.isnan(one.zeta) else Linked(mean, *_averaged(report, one)),
        None if math.isnan(one.rho()) else Linked(f"{one.rho():.2f}", *_hardest(report, one)),
        *(
            Linked(
                None if math.isnan(trends[place]) else f"{trends[place]:+z.2f}",
                *_worst(report, one, place),
                points(spreads[place], 1) if percent else f"{spreads[place]:.3f}",
            )
            for place in report.order
        ),
    )


class Lead(NamedTuple):
    """Units that a number leads to where it is not computed from these alone, and why these."""

    behind: Evidence | None
    told: str = ""


def _averaged(report: Report, one: BucketScores) -> Lead:
    """The gold units that have a value; all of them where it is their tokens that have one."""
    count, where = report.table.n_gold, list[Expression]([GOLD])
    if one.units is None:
        return Lead(None)
    undefined = np.flatnonzero(~one.judged).tolist()
    if undefined and not one.of_tokens:
        where.append(Not(in_bucket(one.name, undefined[0])))
        count -= int(one.units.gold[undefined[0]])
    whose = "whose tokens" if one.of_tokens else "that"
    return Lead(Evidence.of(count, *where), f"{_units(report, count)} {whose} it is the mean of")


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
