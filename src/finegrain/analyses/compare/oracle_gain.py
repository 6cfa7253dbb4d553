r"""The gain of an oracle over the best system: how far it could be off, and what it is elsewhere.

Which system is best is not known, and the one that is best here is best by luck, too. The gain
:math:`\gamma` is the smallest of those over each system, :math:`\gamma = \min_s \gamma_s`, so its
interval follows from intervals that hold for all systems at once (max-T of the bootstrap):

.. math:: \min_s (\hat\gamma_s - c \, \sigma_s) \le \gamma \le \min_s (\hat\gamma_s + c \, \sigma_s)

As a single number, the gain is that over a system that is chosen on half of the documents and
looked at on the other half: the mean over many ways to halve them.

>>> hits = np.zeros((20, 3, 2))                                # two systems and the oracle
>>> hits[:10, 0, 0] = hits[10:18, 1, 0] = hits[:18, 2, 0] = 1
>>> hits[..., 1] = 1
>>> def accuracy(sums): return sums[..., 0] / sums[..., 1]
>>> found = oracle_gain(hits, accuracy, Drawing())             # 18 of 20 against 10 and 8
>>> found.ends.round(2).tolist(), round(found.held_out, 2)
([0.15, 0.65], 0.5)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Score
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import Drawing, Interval, defined_in, drawn, tail, too_few

Floats = NDArray[np.float64]
_SPLITS = 200
_BEYOND = 1e-12  # of standard errors: no resample differs


class OracleGain(NamedTuple):
    """``ends`` ``(low, high)`` of the gain and of the ``oracle``; the gain that is ``held_out``."""

    oracle: Floats
    ends: Floats
    held_out: float


def oracle_gain(counts: Floats, score: Score, drawing: Drawing) -> OracleGain:
    """From counts ``[sample, (systems ..., oracle), count]``; nan where there is no interval."""
    counts = _ordered(counts)
    resampled = drawn(distinct(counts), drawing)
    oracle: Interval = resampled.interval(lambda sums: score(sums)[..., -1])
    ends = np.full(2, np.nan)
    samples = int(defined_in(resampled.given, lambda sums: score(sums)[..., -1]))
    if not too_few(samples, level=drawing.level):
        ends = _ends(_gains(score(resampled.total)), _gains(score(resampled.sums)),
                     1 - 2 * tail(samples, drawing.level))  # fmt: skip
    return OracleGain(np.array([oracle.low, oracle.high]), ends, _held_out(counts, score, drawing))


def _ordered(counts: Floats) -> Floats:
    """Samples in an order that does not depend on where they stand."""
    flat = counts.reshape(len(counts), -1)
    return counts[np.lexsort(flat.T)] if flat.shape[1] else counts


def _gains(values: Floats) -> Floats:
    """``[..., system]`` how much better the oracle is."""
    found: Floats = values[..., -1:] - values[..., :-1]
    return found


def _ends(gains: Floats, resampled: Floats, level: float) -> Floats:
    known = ~np.isnan(resampled).any(axis=-1)
    if np.isnan(gains).any() or known.sum() < 2:
        return np.full(2, np.nan)
    error = resampled[known].std(axis=0)
    away = np.abs(resampled[known] - gains) / np.maximum(error, _BEYOND)
    limit = float(np.quantile(away.max(axis=1), level))
    if not error.any():
        return np.full(2, np.nan)
    return np.array([max(0.0, float((gains - limit * error).min())),
                     float((gains + limit * error).min())])  # fmt: skip


def _held_out(counts: Floats, score: Score, drawing: Drawing) -> float:
    """The mean gain over the system that is best on a random half of the samples, on the other."""
    samples = len(counts)
    if samples < 2:
        return float("nan")
    ranks = np.random.default_rng(drawing.seed).random((_SPLITS, samples)).argsort(axis=1)
    first = (ranks < samples // 2).astype(float)
    flat = counts.reshape(samples, -1).astype(float)
    halves = np.concatenate([first, 1 - first])
    chosen, looked = (
        score((half @ flat).reshape(-1, *counts.shape[1:])) for half in (halves, 1 - halves)
    )
    best = np.nan_to_num(chosen[:, :-1], nan=-np.inf).argmax(axis=1)
    gain = _gains(looked)[np.arange(len(best)), best]
    known = ~np.isnan(gain)
    return float(gain[known].mean()) if known.any() else float("nan")
