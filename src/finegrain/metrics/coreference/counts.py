"""Recall and precision of chains, each as two numbers per document that add up.

Every function gives ``[document, (recall numerator, recall denominator, precision numerator,
precision denominator)]``. With a key {a} {b c} {d e f} and a response {a} {b c x} {d y} {z} (test
case A4 of the CoNLL scorer):

>>> pairs = Contingency.of(["a", "bc", "def"], ["a", "bcx", "dy", "z"])
>>> muc(pairs).tolist()               # 1 of 3 links; 1 of 3
[[1.0, 3.0, 1.0, 3.0]]
>>> b_cubed(pairs).round(4).tolist()  # (1 + 2 + 1/3) of 6; (1 + 4/3 + 1/2) of 7
[[3.3333, 6.0, 2.8333, 7.0]]
>>> lea(pairs).tolist()               # (1 + 2 + 0) of 6; (1 + 3 * 1/3 + 0 + 0) of 7
[[3.0, 6.0, 2.0, 7.0]]
>>> coreference_links(pairs).tolist(), other_links(pairs).tolist()
([[1.0, 4.0, 1.0, 4.0]], [[5.0, 11.0, 5.0, 17.0]])
"""

from __future__ import annotations

import numpy as np

from finegrain.corpus import IntArray
from finegrain.metrics.coreference.contingency import (
    Contingency,
    Floats,
    Side,
    links,
    per_document,
    per_document_of_cells,
)


def mention_counts(pairs: Contingency) -> Floats:
    """Mentions of both sides, of the key, and of the response."""
    common = per_document(pairs, pairs.key, pairs.key.matched)
    key = per_document(pairs, pairs.key, pairs.key.sizes)
    response = per_document(pairs, pairs.response, pairs.response.sizes)
    return np.stack([common, key, common, response], axis=-1)


def muc(pairs: Contingency) -> Floats:
    r"""Links: a chain needs one less than mentions, and lacks one less than it falls apart into.

    .. math:: R = \frac{\sum_k (|k| - |p(k)|)}{\sum_k (|k| - 1)}

    It falls apart into the chains of the other side that it meets, and the mentions that the other
    side does not have.
    """

    def half(side: Side, met: IntArray) -> list[Floats]:
        found = side.matched - met  # size - (chains met + (size - matched))
        needed = np.maximum(side.sizes - 1, 0)
        return [per_document(pairs, side, found), per_document(pairs, side, needed)]

    met_key = np.bincount(pairs.key_chain, minlength=len(pairs.key.sizes))
    met_response = np.bincount(pairs.response_chain, minlength=len(pairs.response.sizes))
    return np.stack([*half(pairs.key, met_key), *half(pairs.response, met_response)], axis=-1)


def b_cubed(pairs: Contingency) -> Floats:
    r"""Mentions, each with the share of its chain that its other chain has.

    .. math:: R = \frac{\sum_k \sum_r |k \cap r|^2 / |k|}{\sum_k |k|}
    """
    squares = pairs.shared.astype(float) ** 2
    recall = per_document_of_cells(pairs, squares / pairs.key.sizes[pairs.key_chain])
    precision = per_document_of_cells(pairs, squares / pairs.response.sizes[pairs.response_chain])
    key = per_document(pairs, pairs.key, pairs.key.sizes)
    response = per_document(pairs, pairs.response, pairs.response.sizes)
    return np.stack([recall, key, precision, response], axis=-1)


def lea(pairs: Contingency) -> Floats:
    r"""Chains, each with the share of its links that the other side has, weighed by mentions.

    .. math:: R = \frac{\sum_k |k| \sum_r \binom{|k \cap r|}{2} / \binom{|k|}{2}}{\sum_k |k|}

    A chain of one mention has one link, to itself, which only a chain of one mention has as well.
    """
    common = links(pairs.shared)
    sizes = pairs.key.sizes[pairs.key_chain], pairs.response.sizes[pairs.response_chain]
    alone = (sizes[0] == 1) & (sizes[1] == 1)

    def half(side: Side, size: IntArray) -> list[Floats]:
        share = size * common / np.maximum(links(size), 1)
        resolved = per_document_of_cells(pairs, np.where(alone, 1.0, share))
        return [resolved, per_document(pairs, side, side.sizes)]

    return np.stack([*half(pairs.key, sizes[0]), *half(pairs.response, sizes[1])], axis=-1)


def coreference_links(pairs: Contingency) -> Floats:
    r"""Pairs of mentions of one chain.

    .. math:: R = \frac{\sum_k \sum_r \binom{|k \cap r|}{2}}{\sum_k \binom{|k|}{2}}
    """
    common = per_document_of_cells(pairs, links(pairs.shared))
    key = per_document(pairs, pairs.key, links(pairs.key.sizes))
    response = per_document(pairs, pairs.response, links(pairs.response.sizes))
    return np.stack([common, key, common, response], axis=-1)


def other_links(pairs: Contingency) -> Floats:
    r"""Pairs of mentions of two chains, on both sides.

    .. math:: \binom{m}{2} - \sum_k \binom{|k \cap M|}{2} - \sum_r \binom{|r \cap M|}{2}
              + \sum_{k, r} \binom{|k \cap r|}{2}

    are common, where M are the m mentions that both sides have.
    """
    same = coreference_links(pairs)
    every = links(mention_counts(pairs))
    of_key = per_document(pairs, pairs.key, links(pairs.key.matched))
    of_response = per_document(pairs, pairs.response, links(pairs.response.matched))
    common = every[:, 0] - of_key - of_response + same[:, 0]
    return np.stack([common, every[:, 1] - same[:, 1], common, every[:, 3] - same[:, 3]], axis=-1)
