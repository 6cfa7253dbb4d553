"""Scores of answers to questions, as the evaluation scripts of SQuAD have them, from 0 to 1.

>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.item_examples import qa
>>> from finegrain.tasks.qa import align
>>> table = align(*qa())
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].round(3).tolist()
...  for metric in QA_METRICS}
{'exact_match': [0.625, 0.25], 'f1': [0.792, 0.517], 'has_answer_exact_match': [0.667, 0.167],
 'has_answer_f1': [0.889, 0.522], 'no_answer_accuracy': [0.5, 0.5]}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.qa import EXACT_MATCH, F1, HAS_ANSWER_EXACT, HAS_ANSWER_F1, NO_ANSWER
from finegrain.metrics.metric import Listed, Metric
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.values import mean, mean_of
from finegrain.table.scale import RIGHT_OR_WRONG

Sums = NDArray[np.float64]


def exact_match(sums: Sums) -> Sums:
    r"""Share of questions whose answer is one of the references.

    .. math:: \frac{1}{n} \sum_q \max_{r \in R_q} [norm(a_q) = norm(r)]

    where a is the answer, R are the references, and norm lowers case and removes ASCII punctuation,
    the words a, an and the, and superfluous blanks. A question without an answer (SQuAD 2.0) has
    the empty reference.

    >>> exact_match(np.array([3.0, 4.0]))
    array(0.75)
    """
    return mean(sums)


def token_f1(sums: Sums) -> Sums:
    r"""Mean F1 of the words of an answer, that of the best reference.

    .. math:: \frac{1}{n} \sum_q \max_{r \in R_q} \frac{2 P_r R_r}{P_r + R_r},
       \quad P_r = \frac{|a_q \cap r|}{|a_q|}, \quad R_r = \frac{|a_q \cap r|}{|r|}

    of bags of normalised words (see ``exact_match``); 0 where none is shared. Where answer or
    reference has no words, SQuAD 2.0 has 1 if neither has, else 0; SQuAD 1.1 has 0.

    >>> token_f1(np.array([1.0 + 2 / 3, 2.0])).round(4)      # "Rome" for "Rome", and for "in Rome"
    np.float64(0.8333)
    """
    return mean(sums)


def of_answerable_exact(sums: Sums) -> Sums:
    r"""Exact match of the questions that have an answer.

    .. math:: \frac{1}{|H|} \sum_{q \in H} \max_{r \in R_q} [norm(a_q) = norm(r)]

    where H are those questions; ``HasAns_exact`` of the script of SQuAD 2.0.

    >>> of_answerable_exact(np.array([1.0, 2.0]))
    array(0.5)
    """
    return mean(sums)


def of_answerable_f1(sums: Sums) -> Sums:
    r"""Mean token F1 of the questions that have an answer.

    .. math:: \frac{1}{|H|} \sum_{q \in H} F_q

    where H are those questions and F is as in ``f1``; ``HasAns_f1`` of the script of SQuAD 2.0.

    >>> of_answerable_f1(np.array([1.5, 2.0]))
    array(0.75)
    """
    return mean(sums)


def of_unanswerable(sums: Sums) -> Sums:
    r"""Share of the questions without an answer that a system rightly leaves unanswered.

    .. math:: \frac{1}{|N|} \sum_{q \in N} [norm(a_q) = \varepsilon]

    where N are those questions; ``NoAns_exact`` and ``NoAns_f1`` of the script of SQuAD 2.0.

    >>> of_unanswerable(np.array([3.0, 4.0]))
    array(0.75)
    """
    return mean(sums)


def _metric(
    name: str,
    summary: str,
    reference: str,
    heading: str,
    definition: Callable[[Sums], Sums],
    *,
    optional: bool = False,
    undefined: str = "",
) -> Metric:
    return replace(
        mean_of(name, RIGHT_OR_WRONG, summary=summary, reference=reference),
        definition=definition, heading=heading, optional=optional,
        undefined=undefined or "there is no question", listed=Listed(2 if optional else 0),
        whole_corpus="whether some question has no answer" if optional else "",
    )  # fmt: skip


_FIRST, _SECOND = "Rajpurkar et al. (2016)", "Rajpurkar, Jia and Liang (2018)"
_HAS, _HAS_NOT = "no question has an answer", "every question has an answer"
QA_METRICS: tuple[Metric, ...] = (
    _metric(EXACT_MATCH, "share of questions whose answer is a reference", _FIRST, "exact match",
            exact_match),
    _metric(F1, "mean F1 of words with the best reference", _FIRST, "F1", token_f1),
    _metric(HAS_ANSWER_EXACT, "exact match of questions that have an answer", _SECOND,
            "exact, answerable", of_answerable_exact, optional=True, undefined=_HAS),
    _metric(HAS_ANSWER_F1, "mean F1 of words of questions that have an answer", _SECOND,
            "F1, answerable", of_answerable_f1, optional=True, undefined=_HAS),
    _metric(NO_ANSWER, "share of questions without an answer that are left unanswered", _SECOND,
            "unanswerable", of_unanswerable, optional=True, undefined=_HAS_NOT),
)  # fmt: skip


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The metrics of question answering, about which nothing can be chosen."""
    return QA_METRICS
