"""Scores of dependency trees as tables: those of the trees, and those of words and their tags.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> scores = fg.score(fg.align(*small_corpora("dependencies"), task="dependencies"))
>>> [column.name for column in overall(scores)[0].columns][:4]
['system', 'LAS', 'UAS', 'LS']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.metrics.metric import Metric
from finegrain.sizes import sized

if TYPE_CHECKING:
    from finegrain.analyses.scores.score import Scores

TREES = ("las", "uas", "ls", "clas", "mlas", "blex", "elas", "eulas")
_WORDS = ("upos", "xpos", "ufeats", "alltags", "lemmas", "words", "tokens", "sentences")


def overall(scores: Scores) -> list[Listing]:
    """Scores of trees, and those of words and their tags; F1 where words differ.

    Metrics that were asked for by name are all shown, in the order they were asked for.
    """
    units, sentences = scores.size
    tags = [one for one in scores.metrics if one.family in _WORDS]
    trees = [one for one in scores.metrics if one.family not in _WORDS]
    size = f"{sized(units, 'word')} in {sized(sentences, 'sentence')}"
    found = []
    for title, metrics in ((size, trees), ("Words and their tags", tags)):
        shown = metrics if _by_name(scores) else _main(scores, metrics)
        if shown:
            columns = [Column(_heading(one), "score", "max") for one in shown]
            lines: tuple[tuple[Cell, ...], ...] = tuple(
                (name, *(float(scores.overall[one.name][place]) for one in shown))
                for place, name in enumerate(scores.systems)
            )
            found.append(Listing(title, (Column("system"), *columns), lines))
    return found


def _by_name(scores: Scores) -> bool:
    """Whether metrics were asked for: not all of the task are there."""
    from finegrain.metrics.dependency_scores import DEPENDENCY_METRICS  # noqa: PLC0415 - for trees

    return not {one.name for one in DEPENDENCY_METRICS} <= scores.overall.keys()


def _main(scores: Scores, metrics: list[Metric]) -> list[Metric]:
    """F1 of every family, then what is about whole sentences; what is undefined is left out."""
    shown = [one for one in metrics if one.short == "f1"]
    shown += (one for one in metrics if not one.family)
    return [one for one in shown if not np.isnan(scores.overall[one.name]).all()]


def _heading(metric: Metric) -> str:
    """``LAS`` for F1, ``CLAS precision`` for others.

    >>> from finegrain.metrics.dependency_scores import DEPENDENCY_METRICS
    >>> [_heading(one) for one in DEPENDENCY_METRICS[:3]]
    ['LAS', 'LAS precision', 'LAS recall']
    """
    known = {
        "ufeats": "UFeats", "alltags": "AllTags", "lemmas": "lemmas", "words": "words",
        "tokens": "tokens", "sentences": "sentences", "sentence_las": "whole LAS",
        "sentence_uas": "whole UAS", "sentence_ls": "whole LS",
    }  # fmt: skip
    name = metric.family or metric.name
    said = "" if metric.short in ("f1", metric.name) else metric.short.replace("_", " ")
    return f"{known.get(name, name.upper())} {said}".strip()
