"""Many data sets as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.analyses.explain.diagnosis_listings import self_diagnosis
from finegrain.analyses.explain.suite_costs import costs_json, worth_of
from finegrain.analyses.interval_cells import bounds
from finegrain.analyses.result import number
from finegrain.analyses.scores.answer_costs import Worth
from finegrain.resampling.rank_tests import Friedman

if TYPE_CHECKING:
    from finegrain.analyses.explain.bucket_scores import BucketScores
    from finegrain.analyses.explain.data_set_scores import DataSetScores
    from finegrain.analyses.explain.many_data_sets import Improvement, ManyDataSets


def to_json(found: ManyDataSets) -> dict[str, Any]:
    """The JSON object of a suite."""
    ranks = found.ranks()
    means = found.means()
    worth = dict(worth_of(found))
    return {
        "metrics": list(found.metrics),
        "attributes": list(found.attributes),
        "data_sets": {
            one.name: {**_data_set(found, one), **_costs(found, worth, one.name)}
            for one in found.data_sets
        },
        **_costs(found, worth, ""),
        "systems": {
            name: {
                "average": number(means[place]),
                **_average_interval(found, place),
                "rank": number(ranks.mean[place]),
                "group": ranks.groups[place],
                "attributes": {
                    attribute: _of_system(found, attribute, place) for attribute in found.attributes
                },
            }
            for place, name in enumerate(found.systems)
        },
        "ranks": {"critical_difference": number(ranks.critical), **_friedman(ranks.friedman)},
        "improvements": [_improvement(found, pair) for pair in found.improvements],
    }


def _costs(found: ManyDataSets, worth: dict[str, Worth], name: str) -> dict[str, Any]:
    """Of a data set, or on average; nothing where answers do not say what they took."""
    return {"costs": costs_json(found.systems, worth[name])} if name in worth else {}


def _average_interval(found: ManyDataSets, system: int) -> dict[str, Any]:
    if not found.drawing.resamples:
        return {}
    average = found.average(system)
    return {"interval": None if average is None else bounds(average.low, average.high)}


def _average_change(found: ManyDataSets, pair: Improvement) -> dict[str, Any]:
    if not found.drawing.resamples:
        return {}
    change, others = found.average_change(pair), found.over_others(pair)
    if change is None:
        return {"average": None}
    return {
        "average": {
            "change": number(change.value),
            "interval": bounds(change.low, change.high),
            "p": number(change.p),
            "better_on": found.replicated(pair),
            "random_effects": None
            if others is None
            else {
                "mean": others.mean,
                "interval": [others.low, others.high],
                "deviation": others.deviation,
                "prediction": [others.least, others.most],
            },
        }
    }


def mean_of(values: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """The mean of what is defined; nan where nothing is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _friedman(tested: Friedman) -> dict[str, Any]:
    return {"chi2": number(tested.chi2), "p": number(tested.p), "blocks": tested.blocks}


def _data_set(found: ManyDataSets, one: DataSetScores) -> dict[str, Any]:
    return {
        "task": one.task,
        "metric": one.metric.name,
        "units": one.units,
        "sentences": one.sentences,
        "overall": {
            name: number(value) for name, value in zip(found.systems, one.overall, strict=True)
        },
        "attributes": {
            name: {
                "names": list(scores.names),
                "gold_sizes": scores.gold.tolist(),
                "zeta": number(scores.zeta),
                "rho": number(scores.rho()),
                "rho_without_trend": number(scores.rho_without_trend()),
                "systems": _of_data_set(found, scores),
            }
            for name, scores in one.attributes.items()
        },
    }


def _of_data_set(found: ManyDataSets, scores: BucketScores) -> dict[str, Any]:
    spearman, std = scores.spearman(), scores.std()
    return {
        name: {
            "scores": [number(value) for value in scores.main()[:, system]],
            "spearman": number(spearman[system]),
            "std": number(std[system]),
            **self_diagnosis(scores, scores.main()[:, system]),
        }
        for system, name in enumerate(found.systems)
    }


def _of_system(found: ManyDataSets, attribute: str, system: int) -> dict[str, Any]:
    spearman, std = averages(found, attribute)
    return {
        "spearman": number(spearman[system]),
        "std": number(std[system]),
        "friedman": _friedman(found.by_system(attribute)[system]),
    }


def averages(found: ManyDataSets, attribute: str) -> tuple[list[float], list[float]]:
    """``[system]`` Spearman and standard deviation, averaged over the data sets that have them."""
    with_it = [one.attributes[attribute] for one in found.data_sets if attribute in one.attributes]
    spearman = np.array([scores.spearman() for scores in with_it])
    std = np.array([scores.std() for scores in with_it])
    return [mean_of(column) for column in spearman.T], [mean_of(column) for column in std.T]


def _improvement(found: ManyDataSets, pair: Improvement) -> dict[str, Any]:
    return {
        "system": found.systems[pair.system],
        "baseline": found.systems[pair.baseline],
        **_average_change(found, pair),
        "attributes": {
            attribute: [
                _in_bucket(found, attribute, bucket, pair)
                for bucket in found.bucket_names(attribute)
            ]
            for attribute in found.attributes
        },
    }


def _in_bucket(
    found: ManyDataSets, attribute: str, bucket: str, pair: Improvement
) -> dict[str, Any]:
    changes = found.changes(attribute, bucket, pair)
    tested = found.tested(attribute, bucket, pair)
    names = [one.name for one in found.data_sets]
    return {
        "bucket": bucket,
        "absolute": {name: number(value) for name, value in zip(names, changes[:, 0], strict=True)},
        "relative": {name: number(value) for name, value in zip(names, changes[:, 1], strict=True)},
        "wilcoxon": {"w": number(tested.w), "p": number(tested.p), "pairs": tested.pairs},
    }
