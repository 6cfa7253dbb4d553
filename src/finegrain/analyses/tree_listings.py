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

if TYPE_CHECKING:
    from finegrain.analyses.score import Scores

TREES = ("las", "uas", "ls", "clas", "mlas", "blex", "elas", "eulas")


def overall(scores: Scores) -> list[Listing]:
    """Scores of trees, and those of words and their tags; F1 where words differ."""
    units, sentences = scores.size
    families = {one.family: one for one in scores.metrics if one.short == "f1"}
    whole = [one for one in scores.metrics if not one.family]
    tokenised = ("words", "tokens", "sentences")
    places = {
        f"{units:,} words in {sentences:,} sentences": TREES,
        "Words and their tags": ("upos", "xpos", "ufeats", "alltags", "lemmas", *tokenised),
    }
    found = []
    for title, names in places.items():
        shown = [families[name] for name in names if name in families]
        shown += whole if "las" in names else []
        shown = [one for one in shown if not np.isnan(scores.overall[one.name]).all()]
        if shown:
            columns = [Column(_heading(one), "score", "max") for one in shown]
            lines: tuple[tuple[Cell, ...], ...] = tuple(
                (name, *(float(scores.overall[one.name][place]) for one in shown))
                for place, name in enumerate(scores.systems)
            )
            found.append(Listing(title, (Column("system"), *columns), lines))
    return found


def _heading(metric: Metric) -> str:
    known = {
        "ufeats": "UFeats", "alltags": "AllTags", "lemmas": "lemmas", "words": "words",
        "tokens": "tokens", "sentences": "sentences", "sentence_las": "whole LAS",
        "sentence_uas": "whole UAS", "sentence_ls": "whole LS",
    }  # fmt: skip
    return known.get(metric.name, metric.name.upper())
