"""Scores of boundaries between segments: precision, recall and F1, WindowDiff and Pk.

>>> from finegrain.tasks import TASKS
>>> from finegrain.table.samples import whole
>>> table = TASKS["segmentation"].align(*TASKS["segmentation"].example())
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].round(3).tolist()
...  for metric in BOUNDARY_METRICS}
{'boundary_precision': [0.667, 0.5], 'boundary_recall': [1.0, 0.25], 'boundary_f1': [0.8, 0.333],
 'window_diff': [0.176, 0.353], 'pk': [0.176, 0.353]}

A boundary is a place between two characters of a text where a segment ends; the end of a text is
none. Windows of k characters lie in one text each.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.segmentation import END, WINDOW
from finegrain.corpus import IntArray
from finegrain.metrics.label_counts import f1, precision, recall
from finegrain.metrics.metric import Listed, Metric, Score, ratio
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.span_scores import SPAN_METRICS
from finegrain.metrics.weighing import Floats
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.table.scale import Scale
from finegrain.table.verdicts import predicted

WRONG_WINDOWS = Scale(higher=False, best=0.0, worst=1.0)
FOUND_GOLD, GOLD, FOUND_PREDICTED, PREDICTED = range(4)


class Boundaries(NamedTuple):
    """``[unit]`` ends, and whether these are boundaries; ``[text]`` where each text ends."""

    end: IntArray
    inner: NDArray[np.bool_]
    text_end: IntArray


def boundaries(table: OutcomeTable) -> Boundaries:
    """Where the segments of a table end."""
    whole = table.whole or table
    text_end = np.zeros(table.corpus.n_sentences, np.int64)
    np.maximum.at(text_end, whole.sentence, whole.columns[END])
    end = table.columns[END]
    return Boundaries(end, end < text_end[table.sentence], text_end)


def counts(table: OutcomeTable, samples: Samples) -> Floats:
    """``[sample, system, (found gold, gold, right predicted, predicted)]`` boundaries."""
    whole = table.whole or table
    of_all, own = predicted(whole), predicted(table)
    known = boundaries(table)
    expected = whole.columns[END][whole.is_gold]
    found = np.zeros((samples.size, table.n_systems, 4))
    gold = table.is_gold & known.inner
    for system in range(table.n_systems):
        ends = whole.columns[END][of_all[:, system]]
        mine = own[:, system] & known.inner
        rows = (gold & np.isin(known.end, ends), gold, mine & np.isin(known.end, expected), mine)
        for place, flags in enumerate(rows):
            found[:, system, place] = np.bincount(samples.codes[flags], minlength=samples.size)
    return found


def windows(table: OutcomeTable, samples: Samples) -> Floats:
    """``[sample, system, (windows, other number, other side)]`` of all texts.

    ``other number``: windows with another number of boundaries than in the gold standard; ``other
    side``: whose ends are in one segment in one of them only.
    """
    size = int(table.settings[WINDOW])
    known, own = boundaries(table), predicted(table)
    text_begin = np.append(0, known.text_end[:-1])
    number = np.zeros(len(text_begin), np.int64)
    there = np.unique(table.sentence)
    number[there] = np.maximum(known.text_end - text_begin - size, 0)[there]
    text = np.repeat(np.arange(len(number)), number)
    first = np.arange(len(text)) - np.repeat(np.cumsum(number) - number, number)
    first += text_begin[text]
    sample = np.zeros(len(number), np.int64)
    sample[table.sentence] = samples.codes
    of_window = sample[text]

    def within_windows(rows: NDArray[np.bool_]) -> IntArray:
        """Boundaries in every window: behind its characters but the last."""
        marks = np.zeros(int(known.text_end.max(initial=0)) + 1, np.int64)
        marks[known.end[rows & known.inner]] = 1
        before = np.cumsum(marks)
        found: IntArray = before[first + size] - before[first]
        return found

    expected = within_windows(table.is_gold)
    found = np.zeros((samples.size, table.n_systems, 3))
    every = np.bincount(of_window, minlength=samples.size)
    for system in range(table.n_systems):
        mine = within_windows(own[:, system])
        found[:, system, 0] = every
        for place, wrong in enumerate((mine != expected, (mine > 0) != (expected > 0)), 1):
            found[:, system, place] = np.bincount(of_window[wrong], minlength=samples.size)
    return found


def boundary_precision(sums: Floats) -> Floats:
    r"""Precision of boundaries.

    .. math:: P = \frac{|G \cap S|}{|S|}

    where G are the boundaries of the gold standard and S those of the system.

    >>> boundary_precision(np.array([3.0, 4, 3, 5]))
    array(0.6)
    """
    return ratio(sums[..., FOUND_PREDICTED], sums[..., PREDICTED])


def boundary_recall(sums: Floats) -> Floats:
    r"""Recall of boundaries.

    .. math:: R = \frac{|G \cap S|}{|G|}

    where G are the boundaries of the gold standard and S those of the system.

    >>> boundary_recall(np.array([3.0, 4, 3, 5]))
    array(0.75)
    """
    return ratio(sums[..., FOUND_GOLD], sums[..., GOLD])


def boundary_f1(sums: Floats) -> Floats:
    r"""F1 of boundaries.

    .. math:: F_1 = \frac{2 |G \cap S|}{|G| + |S|}

    where G are the boundaries of the gold standard and S those of the system.

    >>> boundary_f1(np.array([3.0, 4, 3, 5])).round(3)
    np.float64(0.667)
    """
    shared = sums[..., FOUND_GOLD] + sums[..., FOUND_PREDICTED]
    return ratio(shared, sums[..., GOLD] + sums[..., PREDICTED])


def window_diff(sums: Floats) -> Floats:
    r"""WindowDiff, the share of windows with another number of boundaries.

    .. math:: \mathrm{WD} = \frac{1}{\sum_d (N_d - k)} \sum_d \sum_{i=1}^{N_d - k}
       [\, b(r_i, r_{i+k}) \neq b(s_i, s_{i+k}) \,]

    where :math:`N_d` are the characters of text d, white space aside, and :math:`b` counts the
    boundaries between two characters in the gold standard r and in the system's segments s. k is
    half the mean length of a gold segment of the corpus, rounded, at least 2, unless it is given
    (``--set window=k``). 0 is perfect. Of a single text it is nltk's ``windowdiff`` of the strings
    that have a 0 or 1 for each place between two characters. nan where no text is longer than k.

    >>> window_diff(np.array([10.0, 3.0, 2.0]))
    array(0.3)
    """
    return ratio(sums[..., 1], sums[..., 0])


def pk(sums: Floats) -> Floats:
    r"""Pk, the share of windows whose ends are wrongly in one segment, or wrongly in two.

    .. math:: P_k = \frac{1}{\sum_d (N_d - k)} \sum_d \sum_{i=1}^{N_d - k}
       [\, b(r_i, r_{i+k}) > 0 \,] \oplus [\, b(s_i, s_{i+k}) > 0 \,]

    with the symbols of WindowDiff, which it is more lenient than: several boundaries in a window
    count as one. Of a single text it is nltk's ``pk`` with the same k.

    >>> pk(np.array([10.0, 3.0, 2.0]))
    array(0.2)
    """
    return ratio(sums[..., 2], sums[..., 0])


_HEADINGS = {"precision": "P", "recall": "R", "f1": "F1"}


def _boundary(name: str, score: Score, summary: str) -> Metric:
    return Metric(
        f"boundary_{name}", counts, score, summary, "van Rijsbergen (1979)",
        short=f"boundary_{name}", needs=(END,), undefined="no boundaries",
        heading=f"boundary {_HEADINGS[name]}",
    )  # fmt: skip


_MEAN = "the mean length of a gold segment"
_WINDOWS = "no text is longer than k characters"
BOUNDARY_METRICS: tuple[Metric, ...] = (
    _boundary("precision", boundary_precision, "boundaries that are right / boundaries"),
    _boundary("recall", boundary_recall, "gold boundaries that are found / gold boundaries"),
    _boundary("f1", boundary_f1, "harmonic mean of precision and recall of boundaries"),
    Metric(
        "window_diff", windows, window_diff, "windows with another number of boundaries",
        "Pevzner and Hearst (2002)", short="window_diff", heading="WindowDiff", needs=(END,),
        scale=WRONG_WINDOWS, whole_sentences=True, undefined=_WINDOWS, listed=Listed(2),
        whole_corpus=_MEAN,
    ),
    Metric(
        "pk", windows, pk, "windows whose ends are wrongly in one segment or in two",
        "Beeferman, Berger and Lafferty (1999)", short="pk", heading="Pk", needs=(END,),
        scale=WRONG_WINDOWS, whole_sentences=True, undefined=_WINDOWS, listed=Listed(2),
        whole_corpus=_MEAN,
    ),
)  # fmt: skip


def segment_precision(found: Floats) -> Floats:
    r"""Precision of segments.

    .. math:: P = \frac{TP}{\text{predicted}}

    where TP are the segments of the system both ends of which are right.

    >>> segment_precision(np.array([3.0, 2.0, 1.0, 4.0, 5.0]))       # TP, FP, FN, gold, predicted
    array(0.6)
    """
    return precision(found)


def segment_recall(found: Floats) -> Floats:
    r"""Recall of segments.

    .. math:: R = \frac{TP}{\text{gold}}

    where TP are the segments of the system both ends of which are right.

    >>> segment_recall(np.array([3.0, 2.0, 1.0, 4.0, 5.0]))          # TP, FP, FN, gold, predicted
    array(0.75)
    """
    return recall(found)


def segment_f1(found: Floats) -> Floats:
    r"""F1 of segments.

    .. math:: F_1 = \frac{2 TP}{2 TP + FP + FN}

    where TP are the segments of the system both ends of which are right.

    >>> segment_f1(np.array([3.0, 2.0, 1.0, 4.0, 5.0])).round(3)     # TP, FP, FN, gold, predicted
    np.float64(0.667)
    """
    return f1(found)


_DEFINED = {"precision": segment_precision, "recall": segment_recall, "f1": segment_f1}


def _of_segments(name: str) -> Metric:
    """The score of whole segments, both ends of which are right."""
    known = next(one for one in SPAN_METRICS if one.name == f"traditional_{name}")
    return replace(
        known, name=f"segment_{name}", short=f"segment_{name}", family="", label_score=None,
        heading=f"segment {_HEADINGS[name]}", summary=f"{known.summary}: segments with both ends",
        definition=_DEFINED[name], listed=Listed(0), reference="Sproat and Emerson (2003)",
    )  # fmt: skip


SEGMENT_METRICS = tuple(map(_of_segments, _HEADINGS))


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """Scores of whole segments, of their boundaries, and of windows."""
    return (*BOUNDARY_METRICS, *SEGMENT_METRICS)
