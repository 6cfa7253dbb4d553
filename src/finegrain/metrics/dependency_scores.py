"""Scores of dependency trees: precision, recall and F1 of what ``dependency_counts`` counts.

>>> [metric.name for metric in DEPENDENCY_METRICS if metric.name.startswith("las")]
['las', 'las_precision', 'las_recall', 'las_aligned_accuracy']
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.dependencies import CORRECT as ALL_RIGHT
from finegrain.alignment.dependencies import HEAD_CODE, LABEL_CODE
from finegrain.alignment.word_features import (
    CHILDREN,
    FEATS,
    LEMMA,
    SENTENCE,
    TOKEN,
    UPOS,
    XPOS,
)
from finegrain.metrics.dependency_counts import (
    ALIGNED,
    CORRECT,
    GOLD,
    SYSTEM,
    Summing,
    aligned_words,
    all_words,
    of_content,
    of_stretches,
    of_words,
    outcome_is,
    relation_counts,
    same,
    sentence_counts,
)
from finegrain.metrics.label_counts import mapped, micro
from finegrain.metrics.label_statistics import LabelStatistics
from finegrain.metrics.metric import Listed, Metric, Score, ratio
from finegrain.metrics.options import MetricOptions

NEEDS = ("trees",)
REFERENCE = "Zeman et al. (2018)"
_NO_WORDS = "neither gold units nor predictions"
WORDS = "Words and their tags"  # the table of what is not a score of trees


def precision(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Share of the system's words (tokens, sentences) that are right.

    .. math:: P = \frac{\text{correct}}{\text{system}}

    Undefined (nan) if the system has none.

    >>> precision(np.array([3.0, 4, 5, 4]))           # correct, gold, system, aligned
    array(0.6)
    """
    return ratio(counts[..., CORRECT], counts[..., SYSTEM])


def recall(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Share of the gold words (tokens, sentences) that the system has right.

    .. math:: R = \frac{\text{correct}}{\text{gold}}

    Undefined (nan) if the gold has none.

    >>> recall(np.array([3.0, 4, 5, 4]))
    array(0.75)
    """
    return ratio(counts[..., CORRECT], counts[..., GOLD])


def f1(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Harmonic mean of precision and recall.

    .. math:: F_1 = \frac{2 \cdot \text{correct}}{\text{gold} + \text{system}}

    With the same words in both it is the share of words that are right. Undefined (nan) if neither
    gold nor system have any.

    >>> f1(np.array([3.0, 4, 6, 4]))
    array(0.6)
    """
    return ratio(2 * counts[..., CORRECT], counts[..., GOLD] + counts[..., SYSTEM])


def aligned_accuracy(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Share of the aligned gold words that are right: the score apart from tokenisation.

    .. math:: \frac{\text{correct}}{\text{aligned}}

    Undefined (nan) if no word is aligned.

    >>> aligned_accuracy(np.array([3.0, 5, 6, 4]))
    array(0.75)
    """
    return ratio(counts[..., CORRECT], counts[..., ALIGNED])


def whole_sentences(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Share of gold sentences in which every word is right.

    .. math:: \frac{|\{s : \text{every word of } s \text{ is right}\}|}{|\{s\}|}

    >>> whole_sentences(np.array([1.0, 4.0]))
    array(0.25)
    """
    return ratio(counts[..., 0], counts[..., 1])


def pooled(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """``relation_counts`` with all relations as one, and further words as other ones."""
    summed = all_words(counts.sum(axis=-2, keepdims=True))
    none = np.zeros((*summed.shape[:-1], 1))
    return np.concatenate([summed, none], axis=-1)


_ALL_RIGHT = Summing(of_words(outcome_is(ALL_RIGHT)))  # of words, as ``relation_counts`` of labels


def family(
    name: str,
    what: str,
    statistics: Summing | LabelStatistics,
    *,
    aligned: bool = True,
    undefined: str = "",
    heading: str = "",
    table: str = "",
) -> list[Metric]:
    """F1 under the name of the family, precision, recall and, of words, aligned accuracy.

    ``heading``: of the family, in capitals if it is not given.
    """
    labelled = isinstance(statistics, LabelStatistics)
    lowering = statistics if isinstance(statistics, Summing) else _ALL_RIGHT
    scores: dict[str, tuple[Score, str, str]] = {
        "f1": (f1, "F1", "F1"),
        "precision": (precision, "precision", "P"),
        "recall": (recall, "recall", "R"),
    }
    if aligned:
        scores["aligned_accuracy"] = (aligned_accuracy, "accuracy on aligned words", "")
    detail: dict[str, Literal[0, 1, 2, 3]] = dict.fromkeys(scores, 3)
    detail |= {"f1": 0, "precision": 1, "recall": 1} if labelled else {"f1": 2}
    return [
        Metric(
            name=name if short == "f1" else f"{name}_{short}",
            statistics=statistics,
            score=mapped(all_words, micro(score)) if labelled else score,
            summary=f"{said} of {what}",
            reference=REFERENCE,
            label_score=score if labelled else None,
            family=name,
            short=short,
            narrow=pooled if labelled else None,
            undefined=undefined or (_NO_WORDS if short == "f1" else ""),
            needs=NEEDS,
            heading=head,
            listed=Listed(detail[short], table, heading or name.upper()),
            lowering=lowering if short == "f1" else None,
        )
        for short, (score, said, head) in scores.items()
    ]


def _sentences(name: str, heading: str, what: str, *right: int) -> Metric:
    return Metric(
        name, sentence_counts(*right), whole_sentences,
        f"share of sentences in which every word has {what}", REFERENCE, short=name,
        whole_sentences=True, undefined="no gold units", needs=NEEDS, heading=heading,
        listed=Listed(2),
    )  # fmt: skip


def _no_column(names: str) -> str:
    return f"gold or system have no column {names}"


_NO_CONTENT = "no content relations of Universal Dependencies"
_ATTACHED, _LABELLED = (ALL_RIGHT, LABEL_CODE), (ALL_RIGHT, HEAD_CODE)
_CONTENT = "content words with the right head and relation"
DEPENDENCY_METRICS: tuple[Metric, ...] = (
    *family("las", "words with the right head and relation", relation_counts),
    *family("uas", "words with the right head", Summing(of_words(outcome_is(*_ATTACHED)))),
    *family("ls", "words with the right relation", Summing(of_words(outcome_is(*_LABELLED)))),
    _sentences("sentence_las", "whole LAS", "the right head and relation", ALL_RIGHT),
    _sentences("sentence_uas", "whole UAS", "the right head", *_ATTACHED),
    _sentences("sentence_ls", "whole LS", "the right relation", *_LABELLED),
    *family("clas", _CONTENT, Summing(of_content(outcome_is(ALL_RIGHT))), undefined=_NO_CONTENT),
    *family(
        "mlas",
        f"{_CONTENT}, part of speech, features and functional children",
        Summing(of_content(outcome_is(ALL_RIGHT, bits=UPOS | FEATS | CHILDREN)), ("upos", "feats")),
        undefined=f"{_NO_CONTENT}, or {_no_column('UPOS or FEATS')}",
    ),
    *family(
        "blex",
        f"{_CONTENT}, and lemma",
        Summing(of_content(outcome_is(ALL_RIGHT, bits=LEMMA)), ("lemma",)),
        undefined=f"{_NO_CONTENT}, or {_no_column('LEMMA')}",
    ),
    *family(
        "upos",
        "words with the right UPOS",
        Summing(of_words(same(UPOS)), ("upos",)),
        undefined=_no_column("UPOS"),
        table=WORDS,
    ),
    *family(
        "xpos",
        "words with the right XPOS",
        Summing(of_words(same(XPOS)), ("xpos",)),
        undefined=_no_column("XPOS"),
        table=WORDS,
    ),
    *family(
        "ufeats",
        "words with the right universal features",
        Summing(of_words(same(FEATS)), ("feats",)),
        undefined=_no_column("FEATS"),
        heading="UFeats",
        table=WORDS,
    ),
    *family(
        "alltags",
        "words with the right UPOS, XPOS and universal features",
        Summing(of_words(same(UPOS | XPOS | FEATS)), ("upos", "xpos", "feats")),
        undefined=_no_column("UPOS, XPOS or FEATS"),
        heading="AllTags",
        table=WORDS,
    ),
    *family(
        "lemmas",
        "words with the right lemma",
        Summing(of_words(same(LEMMA)), ("lemma",)),
        undefined=_no_column("LEMMA"),
        heading="lemmas",
        table=WORDS,
    ),
    *family(
        "words",
        "words that are aligned",
        Summing(of_words(aligned_words)),
        aligned=False,
        heading="words",
        table=WORDS,
    ),
    *family(
        "tokens",
        "tokens of the text with the same characters",
        Summing(of_stretches("tokens", TOKEN)),
        aligned=False,
        heading="tokens",
        table=WORDS,
    ),
    *family(
        "sentences",
        "sentences with the same characters",
        Summing(of_stretches("sentences", SENTENCE)),
        aligned=False,
        heading="sentences",
        table=WORDS,
    ),
)


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The metrics of trees, about which nothing can be chosen."""
    return DEPENDENCY_METRICS
