"""Many data sets as tables and tidy records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from finegrain.analyses.explain.bucket_extremes import extremes
from finegrain.analyses.explain.bucket_scores import FEW
from finegrain.analyses.explain.suite_costs import costs_listing, worth_of
from finegrain.analyses.explain.suite_json import averages, mean_of
from finegrain.analyses.interval_cells import Signed, bracketed, interval_heading
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.p_values import told_p
from finegrain.resampling.strata import Stratified
from finegrain.table.scale import Scale

if TYPE_CHECKING:
    from finegrain.analyses.explain.data_set_scores import DataSetScores
    from finegrain.analyses.explain.many_data_sets import Improvement, ManyDataSets, Ranks
    from finegrain.resampling.rank_tests import Friedman


def listings(found: ManyDataSets) -> tuple[Listing, ...]:
    """Tables for people, most in the layout of Fu, Liu and Neubig (2020)."""
    costs = costs_listing(found)
    tables = [scores(found), *([] if costs is None else [costs])]
    tables += [model_wise(found), attribute_wise(found)]
    tables += [by_system(found), self_diagnosis(found)]
    if found.improvements and found.drawing.resamples:
        tables.append(average_changes(found))
    for pair in found.improvements:
        tables += [comparative(found, pair), improvement(found, pair)]
    return tuple(tables)


def scores(found: ManyDataSets) -> Listing:
    """Every data set, averages, mean ranks."""
    ranks, overall, means = found.ranks(), found.overall(), found.means()
    columns = [Column("system")]
    columns += (Column(one.name, "score", "max", scale=one.metric.scale) for one in found.data_sets)
    columns.append(Column("average", "score", "max", scale=found.scale))
    drawn = bool(found.drawing.resamples)
    columns += [Column(interval_heading(found.drawing.level), "number")] if drawn else []
    columns += [Column("mean rank", "number"), Column("group")]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name, *overall[:, place].tolist(), float(means[place]),
            *([_interval(found.average(place), found.scale)] if drawn else []),
            None if math.isnan(ranks.mean[place]) else _decimal(ranks.mean[place]),
            ranks.groups[place] or None,
        )
        for place, name in enumerate(found.systems)
    )  # fmt: skip
    note = f"{averaged_over(found)} {_ranked_over(ranks)}".strip()
    return Listing(f"Scores: {_metrics(found.metrics)}", tuple(columns), rows, note)


def _ranked_over(ranks: Ranks) -> str:
    blocks = ranks.friedman.blocks
    if not blocks:
        return ""
    return (
        f"Ranks over {blocks} data set{'s' * (blocks != 1)} that all systems have, 1 the best. "
        f"Friedman {told_p(ranks.friedman.p)}; critical difference (Nemenyi, .05) "
        f"{_decimal(ranks.critical)}: systems that share a letter cannot be told apart by rank."
    )


def averaged_over(found: ManyDataSets) -> str:
    """Which data sets averages are over, or why there are none; empty if over all of them."""
    averaged, shared = found.averaged(), found.shared(range(len(found.systems)))
    if len(averaged) == len(found.data_sets):
        return ""
    if averaged:
        over = f"{len(averaged)} of {len(found.data_sets)} data sets"
        return f"Averages over {over}, those that all systems have."
    if not shared:
        return "No averages, ranks and groups: there is no data set that all systems have."
    metrics = _metrics(dict.fromkeys(one.metric.name for one in shared))
    return f"No averages: scores of different metrics ({metrics}) have none."


def _metrics(names: Iterable[str]) -> str:
    *first, last = names
    return (f"{', '.join(first)} and {last}" if first else last).replace("_", " ")


def _interval(average: Stratified | None, scale: Scale, signed: Signed = "") -> str | None:
    if average is None:
        return None
    return bracketed(average.low, average.high, signed=signed, scale=scale) or None


def average_changes(found: ManyDataSets) -> Listing:
    columns = (
        Column("system"), Column("baseline"),
        Column("average change", "change", scale=found.scale),
        Column(interval_heading(found.drawing.level), "number"), Column("p", "p"),
        Column("better on", "number"), Column("on another data set", "number"),
    )  # fmt: skip
    rows = []
    for pair in found.improvements:
        change = found.average_change(pair)
        others, times = found.over_others(pair), found.replicated(pair)
        ends = None if others is None else (others.least, others.most)
        expected = "" if ends is None else bracketed(*ends, signed="+", scale=found.scale)
        shown = "" if times is None else f"{times} of {len(found.shared(pair))}"
        value, p = (None, None) if change is None else (change.value, change.p)
        names = (found.systems[pair.system], found.systems[pair.baseline])
        rows.append((*names, value, _interval(change, found.scale, "+"), p, shown, expected))
    note = (
        "The mean over these data sets, each drawn from within itself: how it would move with "
        "other texts and seeds, not with other data sets. p: Student's t, uncorrected. better on: "
        "data sets on which the system is shown to be better, all of them together at .05 (Dror et "
        "al. 2017); on another data set: where its change there is expected, if data sets like "
        "these are drawn (random effects)."
    )
    if len(found.metrics) > 1:
        note += " None where data sets that both systems have differ in metric."
    return Listing("Average improvement", columns, tuple(rows), note)


def model_wise(found: ManyDataSets) -> Listing:
    """Table 2 of the paper."""
    columns = [Column("system"), Column("score", "score", "max", scale=found.scale)]
    measures = [averages(found, attribute) for attribute in found.attributes]
    columns += (Column(name, "percent", group="Spearman") for name in found.attributes)
    columns += (Column(name, "score", group="std", scale=found.scale) for name in found.attributes)
    means = found.means()
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            float(means[place]),
            *(spearman[place] for spearman, _ in measures),
            *(std[place] for _, std in measures),
        )
        for place, name in enumerate(found.systems)
    )
    every, one = (", in percent", "") if found.scale.shown == "percent" else ("", ", in percent")
    note = (
        f"Averages over data sets{every}. Spearman{one}: of score and bucket; std: of the scores."
    )
    return Listing("Model-wise measures", tuple(columns), rows, note)


def attribute_wise(found: ManyDataSets) -> Listing:
    """Figure 4 of the paper."""
    columns = [Column("attribute")]
    columns += (Column(one.name, "percent", group="zeta") for one in found.data_sets)
    columns += (Column(one.name, "percent", group="rho") for one in found.data_sets)
    columns += (Column(one.name, "percent", group="without a trend") for one in found.data_sets)
    rows: list[tuple[Cell, ...]] = []
    for attribute in found.attributes:
        scores = [one.attributes.get(attribute) for one in found.data_sets]
        zeta = np.array([math.nan if one is None else one.zeta for one in scores])
        largest = np.abs(zeta[~np.isnan(zeta)]).max(initial=0.0)
        relative = zeta / largest if largest else np.where(np.isnan(zeta), np.nan, 0.0)
        rho = [math.nan if one is None else one.rho() for one in scores]
        none = [math.nan if one is None else one.rho_without_trend() for one in scores]
        rows.append((attribute, *relative.tolist(), *rho, *none))
    note = (
        "zeta: mean of gold units, in percent of the largest of all data sets. rho: mean size of "
        "Spearman over systems, in percent; without a trend: what it is on average if scores do "
        "not go with the attribute, which is much for few buckets."
    )
    return Listing("Attribute-wise measures", tuple(columns), tuple(rows), note)


def by_system(found: ManyDataSets) -> Listing:
    columns = (Column("system"), *(Column(name, "p") for name in found.attributes))
    tests = [found.by_system(attribute) for attribute in found.attributes]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *(test[place].p for test in tests)) for place, name in enumerate(found.systems)
    )
    note = (
        "p of Friedman's test that buckets do not differ, over data sets; runs count by their mean."
    )
    return Listing("Do buckets differ, by system?", columns, rows, note)


def self_diagnosis(found: ManyDataSets) -> Listing:
    """Table 3 of the paper, above."""
    columns = [Column("system"), Column("attribute")]
    for one in found.data_sets:
        columns.append(Column("best-worst", group=one.name))
        columns.append(Column("gap", "score", group=one.name, scale=one.metric.scale))
    rows: list[tuple[Cell, ...]] = []
    for system, name in enumerate(found.systems):
        for attribute in found.attributes:
            cells: list[Cell] = [name, attribute]
            for one in found.data_sets:
                cells += _ends(one, attribute, [system])[:2]
            rows.append(tuple(cells))
    note = "The buckets with the best and the worst score, and the gap between them."
    return Listing("Self-diagnosis", tuple(columns), tuple(rows), note + _few_note(found))


def _ends(one: DataSetScores, attribute: str, systems: Sequence[int]) -> list[Cell]:
    """``best-worst`` buckets by name, their gap, and both values.

    Of one system by its scores, of two by what the first is better than the second.
    """
    if attribute not in one.attributes:
        return [None, None, None, None]
    scores, scale = one.attributes[attribute], one.metric.scale
    columns = [scores.main()[:, system] for system in systems]
    compared = len(columns) > 1
    values = scale.gain(columns[1], columns[0]) if compared else columns[0]
    found = extremes(values, scores.judged) if compared else scores.best_and_worst(values)
    if found.largest < 0:
        return [None, None, None, None]
    best, worst = (float(values[at]) for at in found)
    names = (scores.names[at] + "°" * bool(scores.few[at]) for at in found)
    return ["-".join(names), abs(best - worst), best, worst]


def _few_note(found: ManyDataSets) -> str:
    some = any(scores.few.any() for one in found.data_sets for scores in one.attributes.values())
    return f" ° fewer than {FEW} gold units." if some else ""


def comparative(found: ManyDataSets, pair: Improvement) -> Listing:
    """Table 3 of the paper, below."""
    columns = [Column("attribute")]
    for one in found.data_sets:
        columns += [
            Column("largest-smallest", group=one.name),
            Column("largest", "change", group=one.name, scale=one.metric.scale),
            Column("smallest", "change", group=one.name, scale=one.metric.scale),
        ]
    rows: list[tuple[Cell, ...]] = []
    for attribute in found.attributes:
        cells: list[Cell] = [attribute]
        for one in found.data_sets:
            ends = _ends(one, attribute, pair)
            cells += [ends[0], ends[2], ends[3]]
        rows.append(tuple(cells))
    title = f"Comparative diagnosis: {_against(found, pair)}"
    note = "The buckets with the largest and the smallest difference of scores."
    return Listing(title, tuple(columns), tuple(rows), note + _few_note(found))


def improvement(found: ManyDataSets, pair: Improvement) -> Listing:
    """Figure 6 of the paper."""
    columns = [Column("attribute"), Column("bucket")]
    columns += (Column(one.name, "change") for one in found.data_sets)
    columns += [Column("average", "change"), Column("Wilcoxon p", "p")]
    rows: list[tuple[Cell, ...]] = []
    for attribute in found.attributes:
        for bucket in found.bucket_names(attribute):
            relative = found.changes(attribute, bucket, pair)[:, 1]
            tested = found.tested(attribute, bucket, pair)
            rows.append(
                (attribute, bucket, *relative.tolist(), mean_of(relative), tested.p)
            )  # fmt: skip
    title = f"Improvement by bucket: {_against(found, pair)}"
    note = (
        "In percent of the baseline's score. p: Wilcoxon's signed-rank test, over data sets, "
        "uncorrected."
    )
    return Listing(title, tuple(columns), tuple(rows), note)


def _against(found: ManyDataSets, pair: Improvement) -> str:
    return f"{found.systems[pair.system]} against {found.systems[pair.baseline]}"


def _decimal(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.2f}"


def records(found: ManyDataSets) -> Listing:
    """All numbers as one tidy table; an empty data set stands for the average over all."""
    columns = (
        Column("data set"), Column("system"), Column("baseline"), Column("attribute"),
        Column("bucket"), Column("measure"), Column("value", "score"),
    )  # fmt: skip
    rows = (*_overall_rows(found), *_cost_rows(found), *_bucket_rows(found), *_pair_rows(found))
    return Listing("suite", columns, rows)


def _overall_rows(found: ManyDataSets) -> Iterator[tuple[Cell, ...]]:
    overall, means, ranks = found.overall(), found.means(), found.ranks()
    for system, name in enumerate(found.systems):
        for place, one in enumerate(found.data_sets):
            yield one.name, name, "", "", "", one.metric.name, float(overall[place, system])
        yield "", name, "", "", "", "average", float(means[system])
        average = found.average(system)
        if average is not None:
            yield "", name, "", "", "", "average_low", average.low
            yield "", name, "", "", "", "average_high", average.high
        yield "", name, "", "", "", "rank", float(ranks.mean[system])
    yield "", "", "", "", "", "critical_difference", ranks.critical


def _cost_rows(found: ManyDataSets) -> Iterator[tuple[Cell, ...]]:
    for data_set, worth in worth_of(found):
        for kind, costs in worth.costs.items():
            for name, value in zip(found.systems, costs.tolist(), strict=True):
                yield data_set, name, "", "", "", kind, value


def _bucket_rows(found: ManyDataSets) -> Iterator[tuple[Cell, ...]]:
    for attribute in found.attributes:
        for one in found.data_sets:
            scores = one.attributes.get(attribute)
            if scores is None:
                continue
            yield one.name, "", "", attribute, "", "zeta", scores.zeta
            yield one.name, "", "", attribute, "", "rho", scores.rho()
            yield one.name, "", "", attribute, "", "rho_without_trend", scores.rho_without_trend()
            for place, bucket in enumerate(scores.names):
                for system, name in enumerate(found.systems):
                    value = float(scores.main()[place, system])
                    yield one.name, name, "", attribute, bucket, one.metric.name, value
        yield from _system_rows(found, attribute, found.by_system(attribute))


def _system_rows(
    found: ManyDataSets, attribute: str, tests: tuple[Friedman, ...]
) -> Iterator[tuple[Cell, ...]]:
    spearman, std = averages(found, attribute)
    for system, name in enumerate(found.systems):
        yield "", name, "", attribute, "", "spearman", spearman[system]
        yield "", name, "", attribute, "", "std", std[system]
        yield "", name, "", attribute, "", "friedman_p", tests[system].p


def _pair_rows(found: ManyDataSets) -> Iterator[tuple[Cell, ...]]:
    for pair in found.improvements:
        names = (found.systems[pair.system], found.systems[pair.baseline])
        for attribute in found.attributes:
            for bucket in found.bucket_names(attribute):
                changes = found.changes(attribute, bucket, pair)
                for one, (absolute, relative) in zip(
                    found.data_sets, changes.tolist(), strict=True
                ):
                    yield one.name, *names, attribute, bucket, "difference", absolute
                    yield one.name, *names, attribute, bucket, "relative_difference", relative
                p = found.tested(attribute, bucket, pair).p
                yield "", *names, attribute, bucket, "wilcoxon_p", p
