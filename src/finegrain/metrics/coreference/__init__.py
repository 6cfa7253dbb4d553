"""Metrics of coreference: mentions, MUC, B-cubed, CEAF, BLANC, LEA, the CoNLL average, ARCS, MOR.

>>> from dataclasses import replace
>>> from finegrain.corpus import Clusters, Corpus
>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.coreference import align
>>> def corpus(*chains: str) -> Corpus:         # every letter is a word and a mention
...     text = Corpus.of([list("abcdefxyz")], documents=[0])
...     where = {letter: "abcdefxyz".index(letter) for letter in "abcdefxyz"}
...     rows = [(0, where[one], where[one] + 1, chain) for chain in chains for one in chain]
...     return replace(text, clusters=Clusters.of(rows, documents=[0]))
>>> table = align(corpus("a", "bc", "def"), {"A4": corpus("a", "bcx", "dy", "z")})
>>> {metric.name: round(float(metric.score(metric.statistics(table, whole(table)))[0, 0]), 4)
...  for metric in COREFERENCE_METRICS if metric.short == "f1"}
{'conll_f1': 0.4767, 'mention_f1': 0.6154, 'muc_f1': 0.3333, 'b_cubed_f1': 0.4683,
 'ceaf_m_f1': 0.6154, 'ceaf_e_f1': 0.6286, 'blanc_f1': 0.3036, 'lea_f1': 0.3636, 'arcs_f1': 0.3333,
 'mention_overlap_f1': 0.6154}
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from finegrain.alignment.coreference import chain_column, met_column
from finegrain.metrics.coreference import arcs, counts, scores
from finegrain.metrics.coreference.ceaf import ceaf
from finegrain.metrics.coreference.contingency import Contingency, Floats, contingency
from finegrain.metrics.coreference.overlap import overlap_counts
from finegrain.metrics.metric import Listed, Metric, Score, Statistics
from finegrain.metrics.options import MetricOptions
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples, documents

_FAMILIES: dict[str, Callable[[Contingency], Floats]] = {
    "mentions": counts.mention_counts,
    "muc": counts.muc,
    "b_cubed": counts.b_cubed,
    "ceaf_m": partial(ceaf, by="mentions"),
    "ceaf_e": partial(ceaf, by="entities"),
    "links": counts.coreference_links,
    "other_links": counts.other_links,
    "lea": counts.lea,
}


def chain_counts(table: OutcomeTable, samples: Samples) -> Floats:
    """``[sample, system, family, (recall, of, precision, of)]`` of all chains of documents.

    A document belongs to the sample of its first mention.
    """
    codes, size = documents(table)
    document, first = np.unique(codes, return_index=True)
    sums = np.zeros((samples.size, table.n_systems, len(scores.FAMILIES), 4))
    for system, name in enumerate(table.systems):
        pairs = contingency(
            table.columns["chain"],
            table.columns[chain_column(name)],
            codes,
            size,
            met=table.columns.get(met_column(name)),
        )
        found = np.stack([_FAMILIES[one](pairs) for one in scores.FAMILIES], axis=1)
        np.add.at(sums[:, system], samples.codes[first], found[document])
    return sums


def of_family(score: Score, family: str) -> Score:
    """A score of the counts of one family."""
    place = scores.FAMILIES.index(family)

    def of_counts(sums: Floats) -> Floats:
        return score(sums[..., place, :])

    return of_counts


_THREE: tuple[tuple[str, Score], ...] = (
    ("precision", scores.precision),
    ("recall", scores.recall),
    ("f1", scores.f1),
)
_HEADINGS = {"precision": "P", "recall": "R", "f1": "F1"}
_WRITTEN = {
    "conll": "CoNLL", "muc": "MUC", "b_cubed": "B³", "ceaf_m": "CEAF-m", "ceaf_e": "CEAF-e",
    "blanc": "BLANC", "lea": "LEA", "arcs": "ARCS", "corefud_blanc": "CorefUD BLANC",
}  # fmt: skip
_MAIN = ("conll", "arcs")  # systems are compared by their F1
_MISSING = {
    "precision": "the system has no {}",
    "recall": "the gold standard has no {}",
    "f1": "neither the gold standard nor the system has {}",
}
_LINKS, _MENTIONS = "links between mentions", "mentions"
_CHAINS = (
    ("mention", "mentions", "mentions that are found", "Pradhan et al. (2014)"),
    ("muc", "muc", "links between mentions", "Vilain et al. (1995)"),
    ("b_cubed", "b_cubed", "mentions, by the share of their chain", "Bagga and Baldwin (1998)"),
    ("ceaf_m", "ceaf_m", "mentions of chains paired one to one", "Luo (2005)"),
    ("ceaf_e", "ceaf_e", "similarity of chains paired one to one", "Luo (2005)"),
    ("lea", "lea", "links of chains, weighed by their size", "Moosavi and Strube (2016)"),
)


def _metric(
    name: str,
    short: str,
    score: Score,
    summary: str,
    reference: str,
    *,
    statistics: Statistics = chain_counts,
    label_score: Score | None = None,
    undefined: str,
) -> Metric:
    return Metric(
        name=f"{name}_{short}",
        statistics=statistics,
        score=score,
        summary=f"{summary}: {short.replace('f1', 'F1')}",
        reference=reference,
        label_score=label_score,
        family=name,
        short=short,
        whole_documents=statistics is chain_counts,
        undefined=undefined,
        needs=("chains",),
        heading=_HEADINGS[short],
        listed=Listed(0 if short == "f1" and name in _MAIN else 1),
        written=_WRITTEN.get(name, ""),
    )


def _chain_metrics() -> list[Metric]:
    return [
        _metric(
            name,
            short,
            of_family(score, family),
            summary,
            reference,
            undefined=_MISSING[short].format(_LINKS if family == "muc" else _MENTIONS),
        )
        for name, family, summary, reference in _CHAINS
        for short, score in _THREE
    ]


_BLANC = tuple(
    _metric(
        "blanc",
        short,
        score,
        "pairs of mentions in one chain, and in two",
        "Luo et al. (2014)",
        undefined="the gold standard has no pairs of mentions",
    )
    for short, score in (
        ("precision", scores.blanc_precision),
        ("recall", scores.blanc_recall),
        ("f1", scores.blanc_f1),
    )
)
_ARCS = tuple(
    _metric(
        "arcs",
        short,
        score,
        "mentions linked to an antecedent",
        "Tuggener (2014)",
        statistics=arcs.arcs_counts,
        label_score=arcs.of_labels(by_label),
        undefined=_MISSING[short].format("mentions with an antecedent"),
    )
    for short, score, by_label in (
        ("precision", arcs.arcs_precision, scores.precision),
        ("recall", arcs.arcs_recall, scores.recall),
        ("f1", arcs.arcs_f1, scores.f1),
    )
)
_OVERLAP = tuple(
    _metric(
        "mention_overlap",
        short,
        score,
        "words of mentions that are found",
        "Žabokrtský et al. (2022)",
        statistics=overlap_counts,
        undefined=_MISSING[short].format(_MENTIONS),
    )
    for short, score in _THREE
)
FURTHER_COREFERENCE_METRICS = tuple(
    _metric(
        "corefud_blanc",
        short,
        score,
        "BLANC as the CorefUD scorer has it",
        "Luo et al. (2014)",
        undefined=_MISSING["f1"].format("pairs of mentions"),
    )
    for short, score in (
        ("precision", scores.corefud_blanc_precision),
        ("recall", scores.corefud_blanc_recall),
        ("f1", scores.corefud_blanc_f1),
    )
)
COREFERENCE_METRICS: tuple[Metric, ...] = (
    _metric(
        "conll",
        "f1",
        scores.conll_average,
        "mean F1 of MUC, B-cubed and CEAF-e",
        "Pradhan et al. (2012)",
        undefined=_MISSING["f1"].format(_LINKS),
    ),
    *(one for one in _chain_metrics() if one.family != "lea"),
    *_BLANC,
    *(one for one in _chain_metrics() if one.family == "lea"),
    *_ARCS,
    *_OVERLAP,
)


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The metrics of chains, about which nothing can be chosen."""
    return COREFERENCE_METRICS


def further_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """Metrics of chains that are computed if they are named."""
    return FURTHER_COREFERENCE_METRICS
