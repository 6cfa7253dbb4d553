"""Method: the signature, the data sets, what every number means, how to see the units."""

from __future__ import annotations

import re

from finegrain.analyses.explain.data_set_scores import DataSetScores
from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.analyses.reports.facts import metric_words
from finegrain.table.task import Definition
from finegrain.version import __version__
from finegrain.views.html.definitions import definitions_of_suite
from finegrain.views.html.sections.section import Context
from finegrain.views.literature import cited


def context(found: ManyDataSets) -> Context | None:
    """Definitions of what the page has."""
    metrics = {one.metric.name: one.metric for one in found.data_sets}
    scores = [
        Definition(_capital(metric_words(one)), f"{_capital(one.summary)}.", _source(one.reference))
        for one in metrics.values()
    ]
    parts = (
        *(("intervals",) if found.drawing.resamples else ()),
        *(("improvements",) if found.improvements else ()),
    )
    told = [*scores, *definitions_of_suite(*parts)]
    return {
        "signature": found.signature,
        "definitions": told,
        "sources": cited(one.source for one in told),
        "notes": found.notes,
        "version": __version__,
        "data_sets": [_data_set(one) for one in found.data_sets],
        "commands": _commands(found),
        "several_metrics": len(metrics) > 1,
    }


def _data_set(one: DataSetScores) -> Context:
    return {
        "name": one.name,
        "task": one.task,
        "metric": metric_words(one.metric),
        "units": one.units,
        "sentences": one.sentences,
        "outputs": len(one.by_run.systems),
    }


def _commands(found: ManyDataSets) -> list[str]:
    """How to see the units of a data set; one of every task."""
    first = {one.task: one.name for one in reversed(found.data_sets)}
    return [
        f"finegrain report GOLD SYSTEM... --task {task} -o {_file(name)}.html"
        for task, name in first.items()
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _source(reference: str) -> str:
    """A reference as the other definitions have it.

    >>> _source("Ortmann (2022)")
    'Ortmann 2022'
    """
    return re.sub(r"\((\d{4})\)", r"\1", reference)


def _file(name: str) -> str:
    """A name that a shell takes for a file.

    >>> _file("CoNLL 2003; rm *"), _file("***")
    ('CoNLL-2003-rm', 'report')
    """
    return "-".join(re.findall(r"[\w.]+", name, re.ASCII)) or "report"
