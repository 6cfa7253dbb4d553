r"""SemEval-2013 and MUC schemes: correct, incorrect, partial, missed and spurious spans.

Every gold span is paired with at most one predicted span (``one_to_one``). A pair is

=======  ==========================  ======================  =========
scheme   correct                     partial                 incorrect
=======  ==========================  ======================  =========
strict   same tokens and label                               otherwise
exact    same tokens, any label                              otherwise
partial  same tokens, any label      any common token
type     same label                                          otherwise
overlap  same label and overlap >=t                          otherwise
=======  ==========================  ======================  =========

A gold span without a partner is missed, a predicted one spurious. Overlap is
:math:`|A \cap B| / |A \cup B|` in tokens; t is 0.5 unless said otherwise. `type` and `overlap` pair
what is correct for them before anything else; the others pair by overlap alone.

.. math:: P = \frac{COR + PAR / 2}{COR + INC + PAR + SPU} \quad
          R = \frac{COR + PAR / 2}{COR + INC + PAR + MIS}

Gold spans count for their own label, correct or not; only spurious spans count for the predicted
label. So the sum over labels is the overall count, for every scheme.

>>> from finegrain.corpus import Corpus
>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.spans import align
>>> text = [["in", "New", "York", "City", "today"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC", "O"]])
>>> system = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O", "B-DATE"]])
>>> table = align(gold, {"s": system})
>>> counts = scheme_counts()(table, whole(table))
>>> for scheme in SCHEMES:
...     row = of_scheme(counts, scheme)[0, 0].sum(axis=0).astype(int).tolist()
...     print(scheme, dict(zip(KINDS, row)))
strict {'correct': 0, 'incorrect': 1, 'partial': 0, 'missed': 0, 'spurious': 1}
exact {'correct': 0, 'incorrect': 1, 'partial': 0, 'missed': 0, 'spurious': 1}
partial {'correct': 0, 'incorrect': 0, 'partial': 1, 'missed': 0, 'spurious': 1}
type {'correct': 1, 'incorrect': 0, 'partial': 0, 'missed': 0, 'spurious': 1}
overlap {'correct': 1, 'incorrect': 0, 'partial': 0, 'missed': 0, 'spurious': 1}

References: Segura-Bedmar, Martínez and Herrero-Zazo (2013), SemEval-2013 task 9; Chinchor and
Sundheim (1993), MUC-5 evaluation metrics.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.fair_matching import TP
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.metrics.label_counts import f1, mapped, micro, precision, recall
from finegrain.metrics.label_statistics import Groups, LabelStatistics
from finegrain.metrics.metric import Listed, Metric, Score
from finegrain.metrics.one_to_one import Pairs, pair_up, pairs_in_order
from finegrain.metrics.options import DEFAULTS, OVERLAP, MetricOptions
from finegrain.table import OutcomeTable, tally
from finegrain.table.verdicts import produced

SCHEMES: dict[str, str] = {
    "strict": "boundaries and label are right",
    "exact": "boundaries are right, regardless of the label",
    "partial": "boundaries are right, regardless of the label; half for a common token",
    "type": "label is right and a token is common",
    "overlap": "label is right and common tokens / all tokens >= t",
}
KINDS = ("correct", "incorrect", "partial", "missed", "spurious")
COR, INC, PAR, MIS, SPU = range(len(KINDS))
_SIZE = len(SCHEMES) * len(KINDS)
NOTHING = len(KINDS)  # the system has no such span, or it is counted with its gold span
_REFERENCE = "Segura-Bedmar et al. (2013), SemEval-2013 task 9.1; Chinchor and Sundheim (1993)"


def chosen_schemes(names: Sequence[str]) -> tuple[str, ...]:
    """The named schemes in the order of ``SCHEMES``; ``all`` names every one."""
    for name in names:
        if name != "all" and name not in SCHEMES:
            raise UsageError.unknown("scheme", name, [*SCHEMES, "all"])
    return tuple(name for name in SCHEMES if name in names or "all" in names)


def require_overlap(overlap: float) -> None:
    """Refuse what is no share."""
    if not 0 < overlap <= 1:
        raise UsageError(f"overlap must be above 0 and at most 1, not {overlap:g}")


def scheme_outcomes(
    table: OutcomeTable, system: int, *, overlap: float = OVERLAP
) -> NDArray[np.uint8]:
    """``[unit, scheme]`` what a system did with a unit under each scheme, as a code of KINDS.

    Pairs count on the gold row; rows that count nowhere hold ``NOTHING``.
    """
    require_overlap(overlap)
    outcome = table.outcome[:, system]
    hit = table.is_gold & (outcome == TP)
    extra = ~table.is_gold & produced(table)[:, system]
    gold, predicted = np.flatnonzero(table.is_gold & ~hit), np.flatnonzero(extra)
    listed = pairs_in_order(table, gold, predicted)
    near = pair_up(table, gold, predicted, listed=listed)
    alike = pair_up(table, gold, predicted, labels="same", listed=listed)
    same = near.overlap == 1

    def with_the_rest(correct: Pairs) -> list[tuple[Pairs, int]]:
        """Correct pairs first; what they leave free is paired by overlap and incorrect."""
        rest = pair_up(
            table,
            np.setdiff1d(gold, correct.gold, assume_unique=True),
            np.setdiff1d(predicted, correct.system, assume_unique=True),
            listed=listed,
        )
        return [(correct, COR), (rest, INC)]

    columns = (
        [(near, INC)],
        [(near, np.where(same, COR, INC))],
        [(near, np.where(same, COR, PAR))],
        with_the_rest(alike),
        with_the_rest(alike.take(alike.overlap >= overlap)),
    )
    return np.stack([_column(table, hit, extra, pairs) for pairs in columns], axis=-1)


def _column(
    table: OutcomeTable,
    hit: NDArray[np.bool_],
    extra: NDArray[np.bool_],
    pairs: Sequence[tuple[Pairs, int | IntArray]],
) -> NDArray[np.uint8]:
    column = np.where(table.is_gold, MIS, np.where(extra, SPU, NOTHING)).astype(np.uint8)
    column[hit] = COR
    for found, kind in pairs:
        column[found.gold] = kind
        column[found.system] = NOTHING
    return column


def scheme_counts(overlap: float = OVERLAP) -> LabelStatistics:
    """``[sample, system, label, count]``: COR, INC, PAR, MIS and SPU of each scheme."""

    def labels(table: OutcomeTable, _system: int) -> Groups:
        return [table.label]

    def count(table: OutcomeTable, system: int, groups: Groups, size: int) -> NDArray[np.float64]:
        found = scheme_outcomes(table, system, overlap=overlap)
        counts = tally(found, groups[0], groups=size, outcomes=NOTHING + 1)
        return counts[..., :NOTHING].reshape(size, _SIZE).astype(float)

    return LabelStatistics(labels, count, (_SIZE,), by_outcome=False)


def as_label_counts(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """``[..., (COR, INC, PAR, MIS, SPU)]`` as ``[..., (TP, FP, FN, gold, predicted)]``.

    >>> as_label_counts(np.array([3.0, 1, 2, 4, 5])).tolist()      # TP = 3 + 2 / 2
    [4.0, 7.0, 6.0, 10.0, 11.0]
    """
    worth = counts[..., COR] + counts[..., PAR] / 2
    paired = counts[..., COR] + counts[..., INC] + counts[..., PAR]
    possible, actual = paired + counts[..., MIS], paired + counts[..., SPU]
    return np.stack([worth, actual - worth, possible - worth, possible, actual], axis=-1)


def of_scheme(counts: NDArray[np.float64], scheme: str) -> NDArray[np.float64]:
    """``[..., (COR, INC, PAR, MIS, SPU)]`` of one scheme, from counts of all of them."""
    begin = len(KINDS) * list(SCHEMES).index(scheme)
    return counts[..., begin : begin + len(KINDS)]


def _label_counts(scheme: str) -> Score:
    def label_counts(counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return as_label_counts(of_scheme(counts, scheme))

    return label_counts


_SHORTS = {"precision": precision, "recall": recall, "f1": f1}
_HEADINGS = {"precision": "P", "recall": "R", "f1": "F1"}


def scheme_metrics(*, overlap: float = OVERLAP) -> tuple[Metric, ...]:
    """Precision, recall and F1 of every scheme; they share one count."""
    statistics, counts = scheme_counts(overlap), {one: _label_counts(one) for one in SCHEMES}
    return tuple(
        Metric(
            name=f"{scheme}_{short}",
            statistics=statistics,
            score=mapped(counts[scheme], micro(score)),
            label_score=mapped(counts[scheme], score),
            summary=f"{short}; right if {summary}".replace("f1", "F1"),
            reference=_REFERENCE,
            family=scheme,
            short=short,
            needs=("spans",),
            heading=_HEADINGS[short],
            listed=Listed(1),
        )
        for scheme, summary in SCHEMES.items()
        for short, score in _SHORTS.items()
    )


SCHEME_METRICS = scheme_metrics()


def further_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:
    """Metrics of spans that are computed if they are named."""
    return scheme_metrics(overlap=(options or DEFAULTS).overlap)
