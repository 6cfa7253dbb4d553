"""Scores of generated text: BLEU, chrF and TER as sacrebleu has them, on its scale of 0 to 100.

>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.generation import align
>>> from finegrain.tasks.item_examples import generation
>>> table = align(*generation())
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].round(2).tolist()
...  for metric in GENERATION_METRICS[:3]}
{'bleu': [67.32, 12.38], 'chrf': [87.19, 39.19], 'ter': [10.81, 56.76]}

Corpus scores are scores of sums over segments, which is what sacrebleu computes, too: hence the
one engine gives scores of buckets, intervals and paired tests of all of them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from finegrain.alignment.bleu import CASE, DEFAULT_TOKENIZER, ORDER, TOKENIZE, sacrebleu
from finegrain.alignment.bleu import metric as of_bleu
from finegrain.alignment.chrf import f_score
from finegrain.alignment.generation import POINTS
from finegrain.alignment.segment_measures import Floats
from finegrain.alignment.segment_texts import REFERENCES
from finegrain.alignment.translation_edits import metric as of_ter
from finegrain.metrics.metric import Metric
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.segment_scores import (
    FURTHER_SEGMENT_METRICS,
    SEGMENT_METRICS,
    segment_metric,
)
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale

EDITS = Scale(higher=False, best=0.0, worst=None, shown="number")


def bleu(sums: Floats) -> Floats:
    r"""BLEU, from 0 to 100, with exponential smoothing as in sacrebleu.

    .. math:: 100 \min(1, e^{1 - r/c}) \left(\prod_{n=1}^{4} p_n\right)^{1/4}, \quad
       p_n = \frac{\text{shared n-grams}}{\text{n-grams of the output}}

    where c are the words of all outputs and r those of the nearest references. The k-th precision
    that would be 0 is 1 / (2^k n-grams); without any shared word BLEU is 0.

    >>> sums = np.array([6.0, 7, 5, 3, 2, 1, 6, 5, 4, 3, 1])     # 5/6, 3/5, 2/4, 1/3; exp(-1/6)
    >>> bleu(sums).round(3)
    np.float64(45.48)
    """
    return _bleu(sums, effective=False)


def bleu_of_segments(counts: Floats) -> Floats:
    """``[...]`` BLEU of single segments, whose order is that of their longest n-gram."""
    return _bleu(np.concatenate([counts, np.ones((*counts.shape[:-1], 1))], -1), effective=True)


def _bleu(sums: Floats, *, effective: bool) -> Floats:
    length, wanted = sums[..., 0], sums[..., 1]
    shared, every = sums[..., 2 : 2 + ORDER], sums[..., 2 + ORDER : 2 + 2 * ORDER]
    none = (shared == 0) & (every > 0)
    halved = 2.0 ** -np.cumsum(none, axis=-1)
    precision = np.where(none, halved, shared) / np.where(every > 0, every, 1)
    reached = (every > 0).all(axis=-1)
    order = np.maximum((every > 0).sum(axis=-1), 1) if effective else ORDER
    logs = np.log(np.where(precision > 0, precision, 1)).sum(axis=-1) / order
    brief = np.where(length < wanted, 1 - wanted / np.where(length > 0, length, 1), 0.0)
    defined = (shared > 0).any(axis=-1) & (reached | effective)
    found = np.where(defined, 100 * np.exp(brief + logs), 0.0)
    return np.where(sums[..., -1] > 0, found, np.nan)


def chrf(sums: Floats) -> Floats:
    r"""chrF, from 0 to 100: F2 of character n-grams.

    .. math:: 100 \frac{(1 + 2^2) \bar P \bar R}{2^2 \bar P + \bar R}, \quad
       \bar P = \frac{1}{6} \sum_{n=1}^{6} \frac{m_n}{h_n}, \quad
       \bar R = \frac{1}{6} \sum_{n=1}^{6} \frac{m_n}{r_n}

    where h are the n-grams of outputs, r those of references, m the shared ones; orders that one
    side does not have are left out.

    >>> sums = np.array([4.0, 5, 4, 3, 4, 2] + [0.0] * 12 + [1.0])   # P 5/6, R 13/20
    >>> chrf(sums).round(3)
    np.float64(67.992)
    """
    return np.where(sums[..., -1] > 0, f_score(sums[..., :-1]), np.nan)


def chrf_with_words(sums: Floats) -> Floats:
    r"""chrF++, from 0 to 100: chrF with n-grams of one and two words.

    .. math:: \bar P = \frac{1}{8} \left(\sum_{n=1}^{6} \frac{m_n}{h_n} +
       \sum_{n=1}^{2} \frac{m'_n}{h'_n}\right)

    and so for the recall; m' and h' are n-grams of words.

    >>> chrf_with_words(np.array([2.0, 2, 1] * 8 + [1.0])).round(3)
    np.float64(50.0)
    """
    return chrf(sums)


def ter(sums: Floats) -> Floats:
    r"""Translation edit rate in percent: 0 is perfect, more than 100 possible.

    .. math:: 100 \frac{\sum_s \min_r e(h_s, r)}{\sum_s \overline{|r|}}

    where e are the edits of words and shifts of phrases that make output h of reference r. Without
    any word in references it is 100 if there are edits, else 0.

    >>> ter(np.array([3.0, 12.0, 2.0]))
    array(25.)
    """
    edits, wanted = sums[..., 0], sums[..., 1]
    found = np.where(wanted > 0, edits / np.where(wanted > 0, wanted, 1), edits > 0)
    return np.where(sums[..., -1] > 0, 100 * found, np.nan)


def _references(table: OutcomeTable) -> str:
    """How many references segments have, as sacrebleu signs it."""
    counts = np.bincount(table.parts[REFERENCES].parent, minlength=len(table))
    return str(counts[0]) if len(counts) and (counts == counts[0]).all() else "var"


def _version() -> str:
    return str(sacrebleu("").__version__)


def _case(table: OutcomeTable) -> str:
    return "lc" if table.settings.get(CASE) == "lower" else "mixed"


def _signed(**parts: str) -> str:
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def sign_bleu(table: OutcomeTable) -> str:
    """Sacrebleu's signature of BLEU."""
    name = table.settings.get(TOKENIZE, DEFAULT_TOKENIZER)
    tokenizer = of_bleu(name, lower=False).tokenizer_signature
    return _signed(nrefs=_references(table), case=_case(table), eff="no", tok=tokenizer,
                   smooth="exp", version=_version())  # fmt: skip


def sign_chrf(table: OutcomeTable, *, words: int = 0) -> str:
    """Sacrebleu's signature of chrF."""
    return _signed(nrefs=_references(table), case=_case(table), eff="yes", nc="6", nw=str(words),
                   space="no", version=_version())  # fmt: skip


def sign_chrf_with_words(table: OutcomeTable) -> str:
    """Sacrebleu's signature of chrF++."""
    return sign_chrf(table, words=2)


def sign_ter(table: OutcomeTable) -> str:
    """Sacrebleu's signature of TER."""
    return _signed(nrefs=_references(table), case="lc", tok=of_ter().tokenizer_signature, norm="no",
                   punct="yes", asian="no", version=_version())  # fmt: skip


def _metric(
    name: str,
    summary: str,
    reference: str,
    heading: str,
    score: Callable[[Floats], Floats],
    signed: Callable[[OutcomeTable], str],
) -> Metric:
    scale = EDITS if name == "ter" else POINTS
    return segment_metric(name, summary, reference, heading, score, scale, signed=signed)


_FROM_SACREBLEU: tuple[Metric, ...] = (
    _metric("bleu", "n-grams of words that references have, and brevity", "Papineni et al. (2002)",
            "BLEU", bleu, sign_bleu),
    _metric("chrf", "F2 of n-grams of characters", "Popović (2015)", "chrF", chrf, sign_chrf),
    _metric("ter", "edits and shifts of words by words of the reference", "Snover et al. (2006)",
            "TER", ter, sign_ter),
)  # fmt: skip
GENERATION_METRICS: tuple[Metric, ...] = (*_FROM_SACREBLEU, *SEGMENT_METRICS)
FURTHER_GENERATION_METRICS: tuple[Metric, ...] = (
    _metric("chrf++", "F2 of n-grams of characters and of one and two words", "Popović (2017)",
            "chrF++", chrf_with_words, sign_chrf_with_words),
    *FURTHER_SEGMENT_METRICS,
)  # fmt: skip


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The metrics of generated text; what can be chosen about them is chosen in alignment."""
    return GENERATION_METRICS


def further_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """Metrics that are computed if they are named."""
    return FURTHER_GENERATION_METRICS
