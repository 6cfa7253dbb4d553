"""Scores of coreference by their definitions, with plain sets.

>>> key, response = [{1, 2, 3}], [{1, 2}, {3}]
>>> round(chain_scores([(key, response)])["b_cubed_recall"], 4)
0.5556
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from itertools import combinations, product
from math import inf, isnan, nan

import numpy as np
from scipy.optimize import linear_sum_assignment

from tests.fuzz.corpora import Corpus, Invalid, Mention
from tests.fuzz.scores import Values, ratio

Chains = list[set[Hashable]]
FAMILIES = ("mention", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea")


def coreference_scores(gold: Corpus, system: Corpus) -> Values:
    """All scores, of sums over documents."""
    whole = [0] * len(gold.words)
    if (gold.documents or whole) != (system.documents or whole):
        raise Invalid("documents with other boundaries than the gold")
    ours, theirs = (_by_document(side) for side in (gold, system))
    return chain_scores([(ours[at], theirs[at]) for at in sorted({*ours, *theirs})])


def _by_document(corpus: Corpus) -> dict[int, Chains]:
    """The chains of documents; a mention that occurs twice counts in the chain opened first."""
    places: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for one in corpus.mentions:
        (first, empty), (last, further) = one.nodes[0], one.nodes[-1]
        places[one.chain].append((one.sentence, first, empty, -last, -further))  # longer first
    past = (inf,)  # a chain that goes on comes before one that ends
    chain_of: dict[Mention, str] = {}
    for chain in sorted(places, key=lambda chain: [*sorted(places[chain]), past]):
        for one in corpus.mentions:
            if one.chain == chain:
                chain_of.setdefault(one._replace(chain=""), chain)
    chains: dict[tuple[int, str], set[Hashable]] = defaultdict(set)
    for mention, chain in chain_of.items():
        document = corpus.documents[mention.sentence] if corpus.documents else 0
        chains[document, chain].add(mention)
    found: dict[int, Chains] = defaultdict(list)
    for (document, _), one_chain in chains.items():
        found[document].append(one_chain)
    return found


def chain_scores(documents: list[tuple[Chains, Chains]]) -> Values:
    """Precision, recall and F1 of every family."""
    values: Values = {}
    for family in FAMILIES:
        sums = [
            sum(column)
            for column in zip(
                (0, 0, 0, 0), *(_counts(family, *one) for one in documents), strict=True
            )
        ]
        recall, precision = ratio(*sums[:2]), ratio(*sums[2:])
        values[f"{family}_recall"], values[f"{family}_precision"] = recall, precision
        values[f"{family}_f1"] = _f1(precision, recall)
    values |= _blanc(documents)
    three = [values[f"{one}_f1"] for one in ("muc", "b_cubed", "ceaf_e")]
    return values | {"conll_f1": sum(three) / 3}


def _f1(precision: float, recall: float) -> float:
    if isnan(precision) and isnan(recall):
        return nan
    if isnan(precision) or isnan(recall) or not precision + recall:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def _counts(family: str, key: Chains, response: Chains) -> tuple[float, float, float, float]:
    """Numerator and denominator of recall and of precision."""
    if family in ("ceaf_m", "ceaf_e"):
        similar = np.zeros((len(key), len(response)))
        for (at, k), (to, r) in product(enumerate(key), enumerate(response)):
            both = 1 if family == "ceaf_m" else (len(k) + len(r)) / 2
            similar[at, to] = len(k & r) / both
        best = similar[linear_sum_assignment(-similar)].sum() if similar.size else 0
        sizes = [
            len(side) if family == "ceaf_e" else sum(map(len, side)) for side in (key, response)
        ]
        return best, sizes[0], best, sizes[1]
    one_way = {"mention": _mention, "muc": _muc, "b_cubed": _b_cubed, "lea": _lea}[family]
    return (*one_way(key, response), *one_way(response, key))


def _mention(key: Chains, response: Chains) -> tuple[float, float]:
    return len(set().union(*key) & set().union(*response)), sum(map(len, key))


def _muc(key: Chains, response: Chains) -> tuple[float, float]:
    links = 0
    for chain in key:
        parts = [chain & other for other in response if chain & other]
        links += len(chain) - len(parts) - len(chain - set().union(*parts))
    return links, sum(len(chain) - 1 for chain in key)


def _b_cubed(key: Chains, response: Chains) -> tuple[float, float]:
    total = sum(len(k & r) ** 2 / len(k) for k in key for r in response)
    return total, sum(map(len, key))


def _lea(key: Chains, response: Chains) -> tuple[float, float]:
    total = 0.0
    for k in key:
        if len(k) == 1:
            total += k in response
        else:
            links = sum(len(k & r) * (len(k & r) - 1) for r in response)
            total += len(k) * links / (len(k) * (len(k) - 1))
    return total, sum(map(len, key))


def _pairs(chains: Chains) -> tuple[set[frozenset[Hashable]], set[frozenset[Hashable]]]:
    """Pairs of mentions in one chain, and in two."""
    same = {frozenset(pair) for chain in chains for pair in combinations(chain, 2)}
    every = {frozenset(pair) for pair in combinations(set().union(*chains), 2)}
    return same, every - same


def _blanc(documents: list[tuple[Chains, Chains]]) -> Values:
    """Mean of the scores of both kinds of pairs; of one kind, if the key has no others."""
    sums = np.zeros((2, 3))
    for key, response in documents:
        for kind, (ours, theirs) in enumerate(zip(_pairs(key), _pairs(response), strict=True)):
            sums[kind] += len(ours & theirs), len(ours), len(theirs)
    kinds = [row for row in sums.tolist() if row[1]]
    found = []
    for shared, wanted, given in kinds:
        recall, precision = shared / wanted, shared / given if given else 0.0
        found.append((precision, recall, _f1(precision, recall)))
    mean = [sum(column) / len(found) for column in zip(*found, strict=True)] or [nan] * 3
    return dict(zip(("blanc_precision", "blanc_recall", "blanc_f1"), mean, strict=True))
