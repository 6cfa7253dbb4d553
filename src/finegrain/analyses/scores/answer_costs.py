"""What answers cost on average, and which systems are worth it.

A system is *Pareto-optimal* if no other one costs less, or as much, and has a better score, or as
good a one, with one of both better. Means are over answers: to texts that have units, and to items.
A system whose costs, or whose score, are not known is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale

Floats = NDArray[np.float64]
KINDS = {
    "cost": "cost", "latency": "seconds", "input_tokens": "input tokens",
    "output_tokens": "output tokens",
}  # fmt: skip
"""Of ``table.details``, and what the columns of tables are called."""
MEANING = "Pareto-optimal: no other system is cheaper and at least as good"
PLAIN = Scale(best=None, worst=None, shown="number")


def mean_costs(table: OutcomeTable) -> dict[str, Floats]:
    """By kind ``[system]`` the mean of an answer, nan where unknown; kinds that none has lack.

    >>> import finegrain as fg
    >>> from finegrain.testing import small_corpora
    >>> found = mean_costs(fg.align(*small_corpora("extraction"), task="extraction"))
    >>> list(found), found["cost"].tolist()
    (['cost', 'latency', 'input_tokens', 'output_tokens'], [0.25, 0.5])
    """
    first = np.unique(_answer_of(table), return_index=True)[1]
    found = {}
    for kind in KINDS:
        if kind not in table.details:
            continue
        values = table.details[kind][first]
        count = (~np.isnan(values)).sum(axis=0)
        if count.any():
            sums = np.nansum(values, axis=0)
            found[kind] = np.where(count > 0, sums / np.maximum(count, 1), np.nan)
    return found


def _answer_of(table: OutcomeTable) -> IntArray:
    """``[unit]`` the item that was answered, or the text: the document, or the sentence."""
    documents = table.corpus.documents
    if documents is None or "texts" in table.task.has:
        return table.sentence
    of_text: IntArray = documents[table.sentence]
    return of_text


def pareto(cost: Floats, scores: Floats) -> IntArray:
    """The places of Pareto-optimal systems, cheapest first; of ``scores`` more is better.

    >>> pareto(np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.4, 0.9])).tolist()
    [0, 2]
    >>> pareto(np.array([1.0, 1.0, np.nan]), np.array([0.5, 0.5, 0.9])).tolist()
    [0, 1]
    """
    known = np.flatnonzero(~(np.isnan(cost) | np.isnan(scores))).tolist()
    kept = [
        at for at in known
        if not any(
            cost[other] <= cost[at] and scores[other] >= scores[at]
            and (cost[other] < cost[at] or scores[other] > scores[at])
            for other in known
        )
    ]  # fmt: skip
    return np.array(sorted(kept, key=lambda at: (cost[at], at)), np.int64)


class Worth(NamedTuple):
    """Scores of systems and their costs by kind, ``[system]``; ``optimal`` places by kind."""

    scores: Floats
    costs: Mapping[str, Floats]
    optimal: Mapping[str, list[int]]

    @classmethod
    def of(cls, scores: Floats, costs: Mapping[str, Floats], scale: Scale) -> Worth:
        quality = scale.quality(scores)
        return cls(
            scores, costs, {kind: pareto(one, quality).tolist() for kind, one in costs.items()}
        )

    def by(self, system: int) -> str | None:
        """The kinds by which a system is Pareto-optimal, ``all`` or ``none`` of several.

        ``None`` for a system of which no cost is known.
        """
        known = [kind for kind, one in self.costs.items() if not np.isnan(one[system])]
        kinds = [KINDS[kind] for kind in known if system in self.optimal[kind]]
        if not known:
            return None
        return "all" if len(kinds) == len(known) > 1 else ", ".join(kinds) or "none"
