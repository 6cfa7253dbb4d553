"""Perplexity per unit of the text, which is always named, and bits per byte, character and word.

>>> from finegrain.table.samples import whole
>>> from finegrain.tasks import TASKS
>>> table = TASKS["perplexity"].align(*TASKS["perplexity"].example())
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].round(3).tolist()
...  for metric in default_metrics() if metric.name != "token_perplexity"}
{'bits_per_byte': [1.138, 1.06], 'bits_per_character': [1.138, 1.06],
 'bits_per_word': [3.891, 3.626], 'word_perplexity': [14.841, 12.344]}

A uniform model over V words has perplexity V, whatever the text:

>>> perplexity(np.array([3 * np.log2(50), 3.0])).round(9)
np.float64(50.0)

All are functions of the same sum, the surprisal of the text. Of systems with other tokens only the
perplexity per token means something else: more tokens of the same text are easier each. So it is
there where all systems have the same tokens, and else ``bits_per_byte`` compares them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.perplexity import BITS, BYTES, CHARACTERS, SURPRISAL, TOKENS_OF, WORDS
from finegrain.metrics.metric import Listed, Metric, ratio
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.weighing import Floats
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.table.scale import Scale

CHOICES = Scale(higher=False, best=1.0, worst=None, shown="number")
_JELINEK = "Jelinek et al. (1977)"
_MOST = 1023.0  # bits: a perplexity above is too large for a number


@dataclass(frozen=True, slots=True)
class PerUnit:
    """``[sample, system, (surprisal, number)]``: bits, and what they are divided by.

    ``number``: the column of ``table.columns`` with the number in each unit; without it, 1.
    """

    number: str

    def __call__(self, table: OutcomeTable, samples: Samples) -> Floats:
        matrix = table.values[SURPRISAL].matrix
        number = table.columns.get(self.number)
        found = np.empty((samples.size, table.n_systems, 2))
        ascending = samples.size > 1 and bool((samples.codes[1:] >= samples.codes[:-1]).all())
        add = _Adding(samples, ascending=ascending)
        every = add(number, None)
        for system, column in enumerate(matrix.T):
            sums = add(column, None)
            known = None if np.isfinite(sums).all() else ~np.isnan(column)  # nan makes sums nan
            found[:, system, 0] = sums if known is None else add(column, known)
            found[:, system, 1] = every if known is None else add(number, known)
        return found


class _Adding:
    """Sums by sample, of rows that stand sample by sample or not."""

    def __init__(self, samples: Samples, *, ascending: bool) -> None:
        self.samples, self.ascending = samples, ascending
        if ascending:
            opening = np.flatnonzero(np.diff(samples.codes, prepend=-1))
            self.opening, self.codes = opening, samples.codes[opening]

    def __call__(self, values: Floats | None, known: NDArray[np.bool_] | None) -> Floats:
        """Sums of values, 1 without any, over the rows that are known."""
        samples = self.samples
        if known is not None:
            values = known.astype(np.float64) if values is None else np.where(known, values, 0.0)
        if values is None:
            return np.bincount(samples.codes, minlength=samples.size).astype(np.float64)
        if samples.size == 1:
            return np.array([values.sum()])
        if self.ascending and len(values):
            found = np.zeros(samples.size)
            found[self.codes] = np.add.reduceat(values, self.opening)
            return found
        return np.bincount(samples.codes, values, minlength=samples.size).astype(np.float64)


def bits_per(sums: Floats) -> Floats:
    r"""Bits per byte, character or word of the text.

    .. math:: \frac{1}{N} \sum_t -\log_2 p(t)

    where t are the tokens and N is the number of bytes, characters or words of the text, white
    space included. It does not depend on how the text is divided into tokens, so that any two
    models of a text can be compared. 0 is a text that the model is certain of.

    >>> bits_per(np.array([12.0, 8.0]))
    array(1.5)
    """
    return ratio(sums[..., 0], sums[..., 1])


def perplexity(sums: Floats) -> Floats:
    r"""Perplexity per word, or per token.

    .. math:: 2^{\frac{1}{N} \sum_t -\log_2 p(t)} = \exp\left(-\frac{1}{N} \sum_t \ln p(t)\right)

    where t are the tokens and N is the number of units: words of the text, or tokens. The number of
    equally probable choices that would be as hard. The same model has another perplexity for every
    unit, so that the unit belongs to the number.

    >>> perplexity(np.array([6.0, 2.0]))                     # two tokens with probability 1/8
    np.float64(8.0)
    """
    bits = bits_per(sums)
    return np.where(bits > _MOST, np.inf, np.exp2(np.minimum(bits, _MOST)))[()]


def _bits(unit: str, column: str, *, detail: int = 0) -> Metric:
    return Metric(
        f"bits_per_{unit}", PerUnit(column), bits_per, f"surprisal of the text in bits, per {unit}",
        "Shannon (1951)", short=f"bits_per_{unit}", heading=f"bits/{unit}", scale=BITS,
        value=SURPRISAL, needs=(SURPRISAL,), undefined="there is no text",
        listed=Listed(2 if detail else 0), definition=bits_per,
    )  # fmt: skip


def _perplexity(
    unit: str, column: str, *, needs: tuple[str, ...], summary: str, lacking: str = ""
) -> Metric:
    return Metric(
        f"{unit}_perplexity", PerUnit(column), perplexity, summary, _JELINEK,
        short=f"{unit}_perplexity", heading=f"PPL/{unit}", scale=CHOICES, value=SURPRISAL,
        needs=(SURPRISAL, *needs), undefined="there is no text", listed=Listed(2),
        definition=perplexity, optional=bool(lacking), lacking=lacking,
    )  # fmt: skip


PERPLEXITY_METRICS: tuple[Metric, ...] = (
    _bits("byte", BYTES),
    _bits("character", CHARACTERS, detail=2),
    _bits("word", WORDS, detail=2),
    _perplexity("word", WORDS, needs=(), summary="perplexity per word of the text"),
    _perplexity(
        "token", TOKENS_OF, needs=(TOKENS_OF,),
        summary="perplexity per token, where all systems have the same tokens",
        lacking="is not compared: the systems have other tokens, and more tokens of the same text "
        "are easier each. Compare bits_per_byte or word_perplexity, or score one system alone",
    ),
)  # fmt: skip


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """All of them: nothing can be chosen."""
    return PERPLEXITY_METRICS
