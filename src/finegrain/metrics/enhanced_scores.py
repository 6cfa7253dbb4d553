"""Scores of enhanced dependencies, as in the shared tasks of IWPT 2020 and 2021: ELAS and EULAS.

What is counted are arcs of the column DEPS, of which a word may have several; a system without
that column has no score.

>>> from finegrain.formats.conllu import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.dependencies import align
>>> def corpus(*arcs: str):
...     lines = [f"{n}\\tw\\t_\\t_\\t_\\t_\\t0\\tdep\\t{one}\\t_" for n, one in enumerate(arcs, 1)]
...     return read(source_of("memory", ("\\n".join(lines) + "\\n\\n").encode()))
>>> gold = corpus("0:root", "1:obj|0:conj:and")
>>> table = align(gold, {"one": corpus("0:root", "0:conj:or"), "none": corpus("_", "_")})
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].round(2).tolist()
...  for metric in ENHANCED_METRICS if metric.short == "f1"}            # 1 and 2 of 3 and 2 arcs
{'elas': [0.4, nan], 'eulas': [0.8, nan]}
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from finegrain.metrics.dependency_counts import Count, Counted, Summing, detail
from finegrain.metrics.dependency_scores import family
from finegrain.metrics.metric import Metric
from finegrain.metrics.options import MetricOptions
from finegrain.table import OutcomeTable


def of_arcs(right: str) -> Count:
    """Counts of enhanced arcs, none of a system without them; ``right``: what is right."""

    def count(table: OutcomeTable) -> Counted:
        gold, system = detail(table, "arcs_gold"), detail(table, "arcs_system")
        return Counted(detail(table, right), gold, system, np.zeros(len(table), bool))

    return count


_ARC = "arcs of the enhanced graph (DEPS) with the right head and"
ENHANCED_METRICS: tuple[Metric, ...] = tuple(
    replace(metric, reference="Bouma et al. (2020)", undefined="no enhanced arcs (column DEPS)")
    for metric in (
        *family("elas", f"{_ARC} label", Summing(of_arcs("arcs_right")), aligned=False),
        *family(
            "eulas",
            f"{_ARC} universal label, the part before the colon",
            Summing(of_arcs("arcs_right_universal")),
            aligned=False,
        ),
    )
)


def further_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """Metrics of trees that are computed if they are named."""
    return ENHANCED_METRICS
