"""Scores of outputs beside references that need no optional package: ROUGE, METEOR, error rates.

>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.generation import align
>>> from finegrain.tasks.item_examples import generation
>>> table = align(*generation())
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].round(3).tolist()
...  for metric in SEGMENT_METRICS}
{'rouge1': [0.911, 0.494], 'rouge2': [0.807, 0.271], 'rougeL': [0.911, 0.439],
 'meteor': [0.877, 0.408], 'wer': [0.111, 0.583]}

ROUGE and METEOR are means over segments; error rates, like BLEU, are scores of sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from finegrain.alignment.error_rates import NORMALISE
from finegrain.alignment.meteor import ALPHA, BETA, GAMMA, WORDNET
from finegrain.alignment.rouge import STEM, WORDS
from finegrain.alignment.segment_measures import Floats, per_segment
from finegrain.alignment.segment_texts import OUTPUT, SOURCE
from finegrain.metrics.metric import EVERYWHERE, Listed, Metric, ratio
from finegrain.metrics.values import mean
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.table.scale import PROPORTION, Scale

RATE = Scale(higher=False, best=0.0, worst=None)
REACHED = Scale(best=None)  # which references themselves only come near to
RATIO = Scale(best=None, worst=0.0, shown="number")


@dataclass(frozen=True, slots=True)
class SumsOf:
    """The statistics of a measure, summed over segments; the number of these behind them."""

    measure: str

    def __call__(self, table: OutcomeTable, samples: Samples) -> Floats:
        values = per_segment(table, self.measure)
        found = np.empty((samples.size, table.n_systems, values.shape[-1] + 1))
        for system in range(table.n_systems):
            for place in range(values.shape[-1]):
                column = values[:, system, place]
                found[:, system, place] = np.bincount(samples.codes, column, samples.size)
            found[:, system, -1] = np.bincount(samples.codes, minlength=samples.size)
        return found


@dataclass(frozen=True, slots=True)
class MeanOf:
    """One number of a measure, summed over segments, and the number of these."""

    measure: str
    place: int = 0

    def __call__(self, table: OutcomeTable, samples: Samples) -> Floats:
        values = per_segment(table, self.measure)[..., self.place]
        found = np.empty((samples.size, table.n_systems, 2))
        for system in range(table.n_systems):
            found[:, system, 0] = np.bincount(samples.codes, values[:, system], samples.size)
            found[:, system, 1] = np.bincount(samples.codes, minlength=samples.size)
        return found


def rouge_1(sums: Floats) -> Floats:
    r"""ROUGE-1: the mean F1 of words.

    .. math:: \frac{1}{n} \sum_s \frac{2 m_s}{|h_s| + |r_s|}

    where m are the words that output h and reference r share, each as often as both have it; of
    several references the best one counts.

    >>> rouge_1(np.array([1.5, 2.0]))
    array(0.75)
    """
    return mean(sums)


def rouge_2(sums: Floats) -> Floats:
    r"""ROUGE-2: the mean F1 of pairs of adjacent words.

    .. math:: \frac{1}{n} \sum_s \frac{2 m_s}{|h_s| - 1 + |r_s| - 1}

    where m are the pairs that output h and reference r share; 0 if that is none.

    >>> rouge_2(np.array([0.5, 2.0]))
    array(0.25)
    """
    return mean(sums)


def rouge_l(sums: Floats) -> Floats:
    r"""ROUGE-L: the mean F1 of the longest common subsequence of words.

    .. math:: \frac{1}{n} \sum_s \frac{2\, \mathrm{LCS}(h_s, r_s)}{|h_s| + |r_s|}

    of output h and reference r.

    >>> rouge_l(np.array([1.0, 2.0]))
    array(0.5)
    """
    return mean(sums)


def rouge_l_sum(sums: Floats) -> Floats:
    r"""ROUGE-Lsum: ROUGE-L of texts of several sentences, which stand in lines.

    .. math:: \frac{1}{n} \sum_s \frac{2 u_s}{|h_s| + |r_s|}, \quad
       u_s = |\bigcup_{ij} \mathrm{LCS}(h_{si}, r_{sj})|

    where words of common subsequences of sentences i and j count once; for a text of one line it is
    ROUGE-L.

    >>> rouge_l_sum(np.array([1.0, 2.0]))
    array(0.5)
    """
    return mean(sums)


def meteor(sums: Floats) -> Floats:
    r"""METEOR: the mean of words that match, by recall mostly, and of their order.

    .. math:: \frac{1}{n} \sum_s \left(1 - \frac{1}{2} \left(\frac{c_s}{m_s}\right)^3\right)
       \frac{P_s R_s}{0.9 P_s + 0.1 R_s}

    where m words match in c chunks: exactly, by their stems (Porter), or as synonyms if files of
    WordNet are given. P and R are m by the words of output and reference. A perfect output of k
    words has 1 - 0.5 / k^3.

    >>> meteor(np.array([1.0, 2.0]))
    array(0.5)
    """
    return mean(sums)


def word_error_rate(sums: Floats) -> Floats:
    r"""Word error rate: edits that make the output of the reference, by words of the reference.

    .. math:: \frac{\sum_s S_s + D_s + I_s}{\sum_s |r_s|}

    Substitutions, deletions and insertions are as few as can be; 0 is perfect, more than 1
    possible. Undefined (nan) where references have no words.

    >>> word_error_rate(np.array([1.0, 0.0, 1.0, 8.0, 2.0]))
    array(0.25)
    """
    return ratio(sums[..., :3].sum(axis=-1), sums[..., 3])


def character_error_rate(sums: Floats) -> Floats:
    r"""Character error rate: the same of characters, of which a blank between words is one.

    .. math:: \frac{\sum_s S_s + D_s + I_s}{\sum_s |r_s|}

    >>> character_error_rate(np.array([2.0, 8.0, 1.0]))
    array(0.25)
    """
    return ratio(sums[..., 0], sums[..., 1])


def length_ratio(sums: Floats) -> Floats:
    r"""Words of outputs by words of the nearest references.

    .. math:: \frac{\sum_s |h_s|}{\sum_s |r_s|}

    Below 1 outputs are shorter than references.

    >>> length_ratio(np.array([9.0, 10.0, 2.0]))
    array(0.9)
    """
    return ratio(sums[..., 0], sums[..., 1])


def numbers_kept(sums: Floats) -> Floats:
    r"""Share of the numbers of references that outputs have.

    .. math:: \frac{\sum_s |N(r_s) \cap N(h_s)|}{\sum_s |N(r_s)|}

    where N are the numbers of a text; of several references the one counts of which least is lost.
    Undefined (nan) where references have none.

    >>> numbers_kept(np.array([3.0, 4.0, 1.0, 2.0, 9.0]))
    array(0.75)
    """
    return ratio(sums[..., 0], sums[..., 1])


def names_kept(sums: Floats) -> Floats:
    r"""Share of the names of references that outputs have.

    .. math:: \frac{\sum_s |C(r_s) \cap W(h_s)|}{\sum_s |C(r_s)|}

    where C are capitalised words that do not begin a sentence, W all words, case folded.

    >>> names_kept(np.array([3.0, 4.0, 1.0, 2.0, 9.0]))
    array(0.5)
    """
    return ratio(sums[..., 2], sums[..., 3])


def source_numbers_kept(sums: Floats) -> Floats:
    r"""Share of the numbers of sources that outputs have.

    .. math:: \frac{\sum_s |N(q_s) \cap N(h_s)|}{\sum_s |N(q_s)|}

    where N are the numbers of a text, q sources. Undefined (nan) where sources have none.

    >>> source_numbers_kept(np.array([3.0, 4.0, 1.0, 2.0, 9.0]))
    array(0.75)
    """
    return numbers_kept(sums)


def source_names_kept(sums: Floats) -> Floats:
    r"""Share of the names of sources that outputs have, written alike.

    .. math:: \frac{\sum_s |C(q_s) \cap W(h_s)|}{\sum_s |C(q_s)|}

    where C are capitalised words that do not begin a sentence, W all words, case folded, q sources.

    >>> source_names_kept(np.array([3.0, 4.0, 1.0, 2.0, 9.0]))
    array(0.5)
    """
    return names_kept(sums)


def _stemmed(table: OutcomeTable) -> str:
    words = table.settings.get(WORDS, "unicode")
    return f"words:{words}|stem:{table.settings.get(STEM, 'no')}|agg:mean-f"


def _matched(table: OutcomeTable) -> str:
    synonyms = "+synonym" if WORDNET in table.settings else ""
    weights = f"alpha:{ALPHA}|beta:{BETA}|gamma:{GAMMA}"
    return f"match:exact+stem{synonyms}|{weights}|words:unicode"


def _errors(table: OutcomeTable) -> str:
    return f"normalise:{table.settings.get(NORMALISE, 'no')}"


def segment_metric(
    name: str,
    summary: str,
    reference: str,
    heading: str,
    score: Callable[[Floats], Floats],
    scale: Scale = PROPORTION,
    *,
    statistics: SumsOf | MeanOf | None = None,
    listed: Listed = EVERYWHERE,
    signed: Callable[[OutcomeTable], str] | None = None,
    undefined: str = "there are no segments",
    lacking: str = "",
) -> Metric:
    """A metric of segments; its statistics are the sums of the measure of its name."""
    return Metric(
        name, statistics or SumsOf(name), score, summary, reference, short=name, heading=heading,
        scale=scale, needs=(OUTPUT, *([SOURCE] if lacking else [])), undefined=undefined,
        listed=listed, signed=signed, optional=bool(lacking), lacking=lacking,
    )  # fmt: skip


_LIN, _LEVENSHTEIN = "Lin (2004)", "Levenshtein (1966)"
_SECOND, _NAMED = Listed(2), Listed(2)
_WORDLESS = "references have no words"
_SOURCELESS = "needs the sources: a column of the gold file, or --set source=FILE"
SEGMENT_METRICS: tuple[Metric, ...] = (
    segment_metric("rouge1", "mean F1 of words", _LIN, "ROUGE-1", rouge_1,
                   statistics=MeanOf("rouge"), listed=_SECOND, signed=_stemmed),
    segment_metric("rouge2", "mean F1 of pairs of words", _LIN, "ROUGE-2", rouge_2,
                   statistics=MeanOf("rouge", 1), listed=_SECOND, signed=_stemmed),
    segment_metric("rougeL", "mean F1 of the longest common subsequence", _LIN, "ROUGE-L", rouge_l,
                   statistics=MeanOf("rouge", 2), listed=_SECOND, signed=_stemmed),
    segment_metric("meteor", "words that match, by stems and synonyms too, and their order",
                   "Banerjee and Lavie (2005)", "METEOR", meteor, REACHED,
                   statistics=MeanOf("meteor"), listed=_SECOND, signed=_matched),
    segment_metric("wer", "edits of words by words of the reference", _LEVENSHTEIN, "WER",
                   word_error_rate, RATE, listed=_SECOND, signed=_errors, undefined=_WORDLESS),
)  # fmt: skip
FURTHER_SEGMENT_METRICS: tuple[Metric, ...] = (
    segment_metric("rougeLsum", "the same of sentences in lines", _LIN, "ROUGE-Lsum", rouge_l_sum,
                   statistics=MeanOf("rougeLsum"), listed=_NAMED, signed=_stemmed),
    segment_metric("cer", "edits of characters by characters of the reference", _LEVENSHTEIN, "CER",
                   character_error_rate, RATE, listed=_NAMED, signed=_errors, undefined=_WORDLESS),
    segment_metric("length_ratio", "words of outputs by words of references",
                   "Papineni et al. (2002)", "length ratio", length_ratio, RATIO,
                   statistics=SumsOf("lengths"), listed=_NAMED, undefined=_WORDLESS),
    segment_metric("numbers_kept", "share of the numbers of references that outputs have",
                   "van Rijsbergen (1979)",
                   "numbers kept", numbers_kept, statistics=SumsOf("kept"), listed=_NAMED,
                   undefined="references have no numbers"),
    segment_metric("names_kept", "share of the capitalised words of references that outputs have",
                   "van Rijsbergen (1979)", "names kept", names_kept, statistics=SumsOf("kept"),
                   listed=_NAMED,
                   undefined="references have no capitalised words inside of sentences"),
    segment_metric("source_numbers_kept", "share of the numbers of sources that outputs have",
                   "van Rijsbergen (1979)", "numbers kept of source", source_numbers_kept,
                   REACHED, statistics=SumsOf("kept_of_source"), listed=_NAMED, lacking=_SOURCELESS,
                   undefined="sources have no numbers"),
    segment_metric("source_names_kept", "share of the capitalised words of sources that outputs "
                   "have", "van Rijsbergen (1979)", "names kept of source", source_names_kept,
                   REACHED, statistics=SumsOf("kept_of_source"), listed=_NAMED, lacking=_SOURCELESS,
                   undefined="sources have no capitalised words inside of sentences"),
)  # fmt: skip
