"""Tokens outside of every span, where spans are looked at token by token.

Aligned as tags, the tokens of a span have tags such as ``B-PER`` and all others ``O``.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["in", "New", "York"]], tags=[["O", "B-LOC", "I-LOC"]])
>>> table = align(gold, {"none": Corpus.of([["in", "New", "York"]], tags=[["O", "O", "O"]])})
>>> outside(table).tolist()
[True, False, False]
>>> len(within_spans(table))
2
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.tag_schemes import OUTSIDE
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.verdicts import answered, produced


def is_outside(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[label]`` whether a label says "no span here": ``O``, and in its place ``_`` or nothing.

    None does where units are spans themselves: what is outside of them is not a unit; or where they
    are not answered with labels at all.
    """
    if table.task.open or table.task.answers != "label":
        return np.zeros(table.n_labels, bool)
    return np.array([name in OUTSIDE for name in table.labels], bool)


def outside(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit]`` the units whose label says so."""
    if not table.n_labels:
        return np.zeros(len(table), bool)
    found: NDArray[np.bool_] = is_outside(table)[table.label]
    return found


def marked(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` what a system has: the span, or a label that is not O."""
    none = is_outside(table)
    if not none.any():
        return produced(table)
    given = answered(table)
    has: NDArray[np.bool_] = produced(table) & (given >= 0) & ~none[given]
    return has


def agreeing(table: OutcomeTable) -> NDArray[np.int64]:
    """``[unit]`` how many systems have what is not gold; -1 for what is gold."""
    gold = table.is_gold & ~outside(table)
    return np.where(gold, -1, np.count_nonzero(marked(table), axis=1))


def inventing(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` what a system has that is matched with no gold unit.

    A span that is matched with a gold span is no invention (its outcome is another one), nor is a
    token with a label that is not O in the gold standard.
    """
    new = marked(table) & ~(table.is_gold & ~outside(table))[:, None]
    inventions = table.outcomes.codes(lambda one: one.role == "invented")
    return new & inventions[table.outcome] if inventions.any() else new


def within_spans(table: OutcomeTable) -> OutcomeTable:
    """The tokens of gold spans: the units of the level ``token`` (Gianola et al. 2021)."""
    return replace(table.where(~outside(table)), settings={**table.settings, "level": "token"})
