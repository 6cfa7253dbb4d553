"""Which mentions count, and what happens to those that occur twice.

A mention counts once. ``duplicates="first"`` keeps the first in its chain or, of several chains,
in the one whose first mention comes first (as the CoNLL reference scorer does), and says so with
the lines; ``duplicates="error"`` refuses the file. Of two mentions that start with the same word
the longer one comes first, as brackets are usually written; if two chains have the same first
mention, the next ones decide, and one that goes on comes before one that ends. The order of
brackets in a file has no say.

>>> from finegrain.corpus import Clusters
>>> rows = [(0, 0, 1, "ada"), (0, 0, 1, "eve"), (1, 0, 1, "ada"), (1, 0, 1, "ada")]
>>> found = repeated(Clusters.of(rows, documents=[0, 0]))
>>> found.kept.tolist()
[0, 2]
>>> rows = [(0, 0, 1, "ada"), (0, 2, 3, "eve"), (1, 0, 1, "eve"), (1, 0, 1, "ada")]
>>> repeated(Clusters.of(rows, documents=[0, 0])).kept.tolist()         # chain ada was opened first
[0, 1, 3]
>>> found.said()
['1 mention occurs twice in its chain', '1 mention is in several chains']
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from finegrain.alignment.antecedents import Antecedent, Pronouns
from finegrain.alignment.mention_matching import Match, Zeros, dense, identities
from finegrain.corpus import Clusters, Corpus, IntArray
from finegrain.errors import Collector, InputError

Singletons = Literal["keep", "remove"]
Duplicates = Literal["first", "error"]
SINGLETONS: tuple[Singletons, ...] = ("keep", "remove")
DUPLICATES: tuple[Duplicates, ...] = ("first", "error")
_TOLD = 5  # lines in a note


class Options(NamedTuple):
    """What can be chosen for the task."""

    match: Match
    singletons: Singletons
    zeros: Zeros
    antecedent: Antecedent
    duplicates: Duplicates
    pronouns: Pronouns


class Repeated(NamedTuple):
    """Mentions that count, and lines of others: again in their chain, or in another one."""

    kept: IntArray
    again: IntArray
    elsewhere: IntArray

    def said(self) -> list[str]:
        """What is wrong, and in which lines."""
        told = []
        for lines, one, many in (
            (self.again, "occurs twice in its chain", "occur twice in their chains"),
            (self.elsewhere, "is in several chains", "are in several chains"),
        ):
            if len(lines):
                several = len(lines) > 1
                what = f"{len(lines):,} mentions {many}" if several else f"1 mention {one}"
                told.append(what + _places(lines))
        return told


def _places(lines: IntArray) -> str:
    known = lines[lines > 0].tolist()
    if not known:
        return ""
    more = ", ..." if len(known) > _TOLD else ""
    return f" (line{'s' if len(known) > 1 else ''} {', '.join(map(str, known[:_TOLD]))}{more})"


def repeated(clusters: Clusters, *, match: Match = "exact") -> Repeated:
    """Find the mentions that stand more than once; for ``head`` those with one head, too."""
    (key,) = identities([clusters], with_head=match == "head")
    rank = _chain_ranks(clusters, key)
    order = np.lexsort((clusters.head, rank[clusters.chain], key))
    _, place, where = np.unique(key[order], return_index=True, return_inverse=True)
    first = order[place]
    kept = np.empty(len(clusters), np.int64)
    kept[order] = first[where.ravel()]
    again = np.flatnonzero(kept != np.arange(len(clusters)))
    other = clusters.chain[again] != clusters.chain[kept[again]]
    return Repeated(np.sort(first), clusters.line[again[~other]], clusters.line[again[other]])


def _chain_ranks(clusters: Clusters, key: IntArray) -> IntArray:
    """``[chain]`` its place in the order of mentions; ``key``: numbers of mentions.

    Only chains that share a mention need to be told apart by all of their mentions.
    """
    rank = np.arange(clusters.n_chains)
    pairs = np.unique(np.stack([key, clusters.chain], axis=1), axis=0)
    shared = np.bincount(pairs[:, 0])[pairs[:, 0]] > 1
    if not shared.any():
        return rank
    spans = clusters.spans
    shorter = int(spans.end.max()) - spans.end
    place = dense([spans.sentence, spans.begin, shorter, key, clusters.head])
    mentions: dict[int, set[int]] = {chain: set() for chain in np.unique(pairs[shared, 1]).tolist()}
    for chain, at in zip(clusters.chain.tolist(), place.tolist(), strict=True):
        if chain in mentions:
            mentions[chain].add(at)
    past = len(clusters)  # behind the last mention: a chain that goes on comes first
    order = sorted(mentions, key=lambda chain: [*sorted(mentions[chain]), past])
    rank[order] = np.arange(len(order))
    return rank


def require_clusters(corpus: Corpus) -> Clusters:
    """The mentions of a corpus that has some."""
    if corpus.clusters is None:
        mend = "Formats with chains are conll2012, corefud and clusters."
        raise InputError.at(corpus.source, 0, "there are no chains of mentions in it", mend)
    return corpus.clusters


def prepared(corpus: Corpus, options: Options, name: str, notes: list[str]) -> Clusters:
    """The mentions that count, every one once."""
    clusters = require_clusters(corpus)
    if options.match != "exact" and not clusters.head.all():
        row = int(np.argmin(clusters.head))
        raise InputError.at(
            corpus.source, int(clusters.line[row]),
            f"the match {options.match!r} needs the heads of mentions, and this one has none",
            "Use match=exact.",
        )  # fmt: skip
    found = repeated(clusters, match=options.match)
    if options.duplicates == "error":
        _refuse(corpus.source, found)
    notes += (f"{name}: {what}; only the first counts" for what in found.said())
    if len(found.kept) < len(clusters):
        clusters = clusters.take(found.kept)
    if options.singletons == "remove":
        clusters = clusters.take(np.flatnonzero(np.bincount(clusters.chain)[clusters.chain] > 1))
    if options.zeros == "remove":
        clusters = clusters.take(np.flatnonzero(~clusters.is_zero))
    return clusters


def _refuse(source: str, found: Repeated) -> None:
    problems = Collector(source)
    for lines, what in (
        (found.again, "the mention is in its chain already"),
        (found.elsewhere, "the mention is in another chain already"),
    ):
        for line in lines.tolist():
            problems.add(line, what, "Remove it, or use duplicates=first.")
    problems.raise_any()
