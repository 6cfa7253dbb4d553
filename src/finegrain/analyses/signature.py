"""The one line that says how a number came about (after sacreBLEU, Post 2018).

task:spans|scheme:iob2|policy:conlleval|repairs:0|units:3473|sentences:3850|v:0.1.0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from finegrain.errors import MissingExtra
from finegrain.metrics.metric import Metric
from finegrain.table import OutcomeTable
from finegrain.version import __version__


def signature(table: OutcomeTable, **choices: str) -> str:
    """Task, settings of the alignment, choices of the analysis, size of the data, version.

    Graded units are told by the value that they are compared by.
    """
    graded = {"value": table.task.value} if table.task.value else {}
    parts = {"task": table.task.name, **table.settings, **graded, **choices}
    parts["units"] = str(table.n_gold)
    if table.task.words.context:  # else every unit is its own
        parts[table.task.words.contexts] = str(table.corpus.n_sentences)
    if table.corpus.n_documents:
        parts["docs"] = str(table.corpus.n_documents)
    parts["systems"] = str(table.n_systems)
    return of_parts(parts)


def of_parts(parts: Mapping[str, str]) -> str:
    """The line of what is named, with the version behind it."""
    every = {**parts, "v": __version__}
    return "|".join(f"{name}:{value.replace('|', '/')}" for name, value in every.items())


def signatures(table: OutcomeTable, metrics: Iterable[Metric]) -> dict[str, str]:
    """By name of the metric, what the field's own scorer signs such scores with."""
    found: dict[str, str] = {}
    for metric in metrics:
        if metric.signed is not None:
            with suppress(MissingExtra):  # its version is not known
                found[metric.name] = metric.signed(table)
    return found


def as_setting(signed: str) -> str:
    """A signature as one setting of another.

    >>> as_setting("nrefs:1|case:mixed")
    'nrefs=1,case=mixed'
    """
    return signed.replace(":", "=").replace("|", ",")
