"""Chains that a format cannot hold: refused with the line of the first such mention.

>>> from dataclasses import replace
>>> from finegrain.corpus import Clusters
>>> corpus = replace(Corpus.of([["Ada"]]), clusters=Clusters.of([(0, 0, 1, "a")], documents=[0]))
>>> require(corpus, np.array([False]), "clusters cannot hold this mention", "Write corefud.")
Traceback (most recent call last):
finegrain.errors.UsageError: memory: clusters cannot hold this mention. Write corefud.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Clusters, Corpus
from finegrain.errors import Problem, UsageError

NO_EMPTY_NODES = "Only CoNLL-U has lines of empty nodes: --to corefud."


def chains_of(corpus: Corpus, format_: str) -> Clusters:
    """The chains of a corpus that is to be written in a format of chains."""
    if corpus.clusters is None or corpus.tokens is None:
        what = f"there are no chains of mentions in it, and {format_} is a format of these"
        mend = "Of CoNLL-U files, those with Entity= in the last column have chains."
        raise UsageError(str(Problem(corpus.source, 0, what, mend)))
    return corpus.clusters


def require_plain(corpus: Corpus, clusters: Clusters, format_: str) -> None:
    """Refuse mentions that are not words in a row."""
    require(
        corpus, clusters.empty_set == 0,
        f"{format_} cannot hold a mention with an empty node", NO_EMPTY_NODES,
    )  # fmt: skip
    require(
        corpus, clusters.spans.token_set == 0,
        f"{format_} cannot hold a mention with a gap", "Write corefud: --to corefud.",
    )  # fmt: skip


def require(corpus: Corpus, fits: NDArray[np.bool_], what: str, mend: str) -> None:
    """Raise unless every mention fits, with the line of the first that does not."""
    if fits.all() or corpus.clusters is None:
        return
    line = int(corpus.clusters.line[int(np.argmin(fits))])
    raise UsageError(str(Problem(corpus.source, line, what, mend)))
