"""Measures of rankings by names that parse, as means over queries.

>>> parse("nDCG@10").name, parse("P(rel=2)@5").summary
('nDCG@10', 'share of relevant documents among the first 5 (relevant: grade 2 and above)')
>>> parse("MAP").name, parse("Bpref").name, parse("RBP").name
('AP', 'bpref', 'RBP(p=0.8)')
>>> parse("P")
Traceback (most recent call last):
finegrain.errors.UsageError: the measure P needs a cutoff: P@10

A name has a cutoff behind ``@``, and in parentheses ``rel``, the lowest grade that is relevant
(1 unless said), and for RBP ``p``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from finegrain.alignment import query_measures as of
from finegrain.alignment.ranking import GAIN, MAIN
from finegrain.alignment.run_documents import RETRIEVED
from finegrain.errors import UsageError
from finegrain.metrics.metric import Listed, Metric
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.values import mean, mean_of
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples

PERSISTENCE = 0.8  # p of RBP, unless said
_NAME = re.compile(r"(?P<name>[A-Za-z]+)(?:\((?P<inside>[^()]*)\))?(?:@(?P<cutoff>\d+))?\Z")


@dataclass(frozen=True, slots=True)
class Measure:
    """What a name stands for: which parameters it takes, and in words what it is."""

    name: str
    function: Callable[..., of.Floats]
    summary: str
    reference: str
    cutoff: str = "none"  # none, may, must
    parameters: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


_VOORHEES = "Buckley and Voorhees (2005)"
MEASURES: tuple[Measure, ...] = (
    Measure("nDCG", of.ndcg, "discounted gain of grades, of the best there can be",
            "Järvelin and Kekäläinen (2002)", "may"),
    Measure("AP", of.average_precision, "mean precision at the relevant documents", _VOORHEES,
            "may", ("rel",), ("map",)),
    Measure("RR", of.reciprocal_rank, "1 / rank of the first relevant document",
            "Voorhees (1999)", "may", ("rel",), ("mrr",)),
    Measure("P", of.precision, "share of relevant documents", _VOORHEES, "must", ("rel",),
            ("precision",)),
    Measure("R", of.recall, "share of the relevant documents found", _VOORHEES, "must", ("rel",),
            ("recall",)),
    Measure("Success", of.success, "whether there is a relevant document", _VOORHEES, "must",
            ("rel",)),
    Measure("Rprec", of.r_precision, "precision at the number of relevant documents", _VOORHEES,
            "none", ("rel",)),
    Measure("bpref", of.bpref, "how rarely documents judged not relevant stand above relevant ones",
            "Buckley and Voorhees (2004)", "none", ("rel",)),
    Measure("Judged", of.judged, "share of documents that have a grade",
            "Buckley and Voorhees (2004)", "must"),
    Measure("ERR", of.expected_reciprocal_rank,
            "expected 1 / rank of the document that satisfies, grades up to 4",
            "Chapelle et al. (2009)", "may"),
    Measure("RBP", of.rank_biased_precision,
            "relevant documents by the chance that a user reads so far",
            "Moffat and Zobel (2008)", "may", ("p", "rel")),
)  # fmt: skip
_BY_NAME = {name.lower(): one for one in MEASURES for name in (one.name, *one.also)}


def parse(text: str) -> Metric | None:
    """The metric that a name stands for; ``None`` if it is the name of no measure."""
    match = _NAME.match(text.replace(" ", ""))
    measure = match and _BY_NAME.get(match["name"].lower())
    if not match or not measure:
        return None
    given = _parameters(measure, match["inside"])
    if match["cutoff"] is not None:
        if measure.cutoff == "none":
            raise UsageError(f"the measure {measure.name} takes no cutoff: {measure.name}")
        given["cutoff"] = int(match["cutoff"])
        if not given["cutoff"]:
            raise UsageError(f"the cutoff of {text!r} is 0: it counts from 1")
    elif measure.cutoff == "must":
        raise UsageError(f"the measure {measure.name} needs a cutoff: {measure.name}@10")
    if given.get("rel") == 1:
        del given["rel"]
    return _metric(measure, tuple(sorted(given.items())))


def _parameters(measure: Measure, inside: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {"p": PERSISTENCE} if "p" in measure.parameters else {}
    for one in inside.split(",") if inside else ():
        name, _, value = one.partition("=")
        if name not in measure.parameters:
            raise UsageError.unknown(f"parameter of {measure.name}", name, measure.parameters)
        try:
            found[name] = float(value) if name == "p" else int(value)
        except ValueError:
            raise UsageError(f"{measure.name}: {one!r} is not a number") from None
    if not 0 < found.get("p", PERSISTENCE) < 1:
        raise UsageError(f"{measure.name}: p is between 0 and 1, not {found['p']:g}")
    if found.get("rel", 1) < 1:
        raise UsageError(f"{measure.name}: rel is 1 or more, not {found['rel']}")
    return found


@cache
def _metric(measure: Measure, parameters: tuple[tuple[str, Any], ...]) -> Metric:
    """The metric under the one name of the measure with these parameters."""
    given = dict(parameters)
    inside = [f"{name}={given[name]:g}" for name in ("p", "rel") if name in given]
    name, summary = measure.name + (f"({','.join(inside)})" if inside else ""), measure.summary
    if "cutoff" in given:
        name, summary = f"{name}@{given['cutoff']}", f"{summary} among the first {given['cutoff']}"
    if "rel" in given:
        summary += f" (relevant: grade {given['rel']} and above)"
    made = replace(
        mean_over_queries(name, partial(measure.function, **given)),
        summary=summary, reference=measure.reference, definition=measure.function,
    )  # fmt: skip
    if name != MAIN:
        return made
    values = mean_of(MAIN, GAIN)
    return replace(made, statistics=values.statistics, value=MAIN, needs=(MAIN,), listed=Listed(0))


def mean_over_queries(name: str, measure: of.Measured) -> Metric:
    """The metric that is the mean of a measure."""
    return Metric(
        name, partial(_sums, measure=measure), mean, f"the mean {name} of queries", "", short=name,
        heading=name, scale=GAIN, needs=(RETRIEVED,), undefined="there are no queries",
        listed=Listed(2),
    )  # fmt: skip


def _sums(table: OutcomeTable, samples: Samples, *, measure: of.Measured) -> of.Floats:
    """``[sample, system, (sum, number)]`` over queries."""
    values = of.per_query(table, measure)
    found = np.empty((samples.size, table.n_systems, 2))
    for system in range(table.n_systems):
        found[:, system, 0] = np.bincount(samples.codes, values[:, system], minlength=samples.size)
        found[:, system, 1] = np.bincount(samples.codes, minlength=samples.size)
    return found


def _parsed(*names: str) -> tuple[Metric, ...]:
    return tuple(metric for name in names if (metric := parse(name)) is not None)


RANKING_METRICS = _parsed(MAIN, "AP", "RR", "P@10", "R@100", "Judged@10")
FURTHER_RANKING_METRICS = _parsed(
    "nDCG", "P@5", "Success@1", "Rprec", "bpref", "ERR@20", "RBP(p=0.8)"
)


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The measures that ``score`` computes if none is named."""
    return RANKING_METRICS


def further_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """Measures that are computed if they are named, as are all names that parse."""
    return FURTHER_RANKING_METRICS
