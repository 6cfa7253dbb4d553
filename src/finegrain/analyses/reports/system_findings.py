"""The rule for findings about labels that are mistaken for each other: a description.

It tells how often it was seen. Some pair of labels is always mistaken most, so nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from finegrain.analyses.reports.facts import ENOUGH, Facts
from finegrain.analyses.reports.finding import Finding, Subject, label_words
from finegrain.analyses.reports.mistake import Mistake, mistakes


def confusions(facts: Facts) -> Iterator[Finding]:
    """The pair of labels that is mistaken most: a tenth of the label, ten units or more.

    It is told of one system, or of all where each makes at least half as many of the mistake.
    """
    if "confusion" not in facts.results:
        return
    labels, order = facts.table.labels, list(facts.order)
    gold = facts.results["errors"].gold.astype(float)
    counts = mistakes(facts)  # of equals the better system
    enough = (gold[:, None] >= ENOUGH) & (counts >= 10)
    shares = np.divide(counts, gold[:, None], out=np.zeros(counts.shape), where=enough)
    if not shares.size or shares.max() < 0.1:
        return
    rank, one, other = (int(at) for at in np.unravel_index(int(shares.argmax()), shares.shape))
    found = Mistake(labels[one], labels[other], int(gold[one]),
                    tuple(counts[:, one, other].tolist()), rank)  # fmt: skip
    by_all = len(order) > 1 and 2 * min(found.counts) >= found.counts[rank]
    parts = found.of_all(facts) if by_all else found.of_one(facts)
    name = "" if by_all else facts.name(order[rank])
    strip = found.strip(facts, by_all=by_all)
    systems = (name,) if name else tuple(map(facts.name, order))
    subject = Subject(systems, label_words(found.label))
    yield Finding("confusion", tuple(parts), "errors", found.n, strip, None, subject)
