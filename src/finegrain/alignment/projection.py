"""Spans of another tokenisation, put on the gold tokens character by character.

White space may differ, every other character must be the same. A span that begins or ends inside
a gold token keeps its own boundaries (``begin_cut``, ``end_cut``): it can be right only if the gold
span has the same, and it is never dropped.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from finegrain.corpus import Corpus, Spans
from finegrain.corpus.characters import characters_of, locate, same_characters, token_characters
from finegrain.errors import AlignmentError, Problem


def on_tokens_of(gold: Corpus, system: Corpus, spans: Spans) -> Spans:
    """The spans of a system on the tokens of the gold corpus."""
    different = same_characters(gold, system)
    if different is not None:
        raise texts_differ(gold, system, different)
    begin, end = characters_of(spans, system)
    place = locate(gold, begin, end)
    return replace(
        spans,
        sentence=place.sentence,
        begin=place.begin,
        end=place.end,
        token_set=np.zeros_like(spans.token_set) if not spans.token_sets else spans.token_set,
        token_sets=_token_sets(gold, system, spans, place.base),
        begin_cut=place.begin_cut,
        end_cut=place.end_cut,
    )


def _token_sets(
    gold: Corpus,
    system: Corpus,
    spans: Spans,
    base: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
) -> tuple[tuple[int, ...], ...]:
    """The gold tokens that discontinuous spans touch; there are few of them."""
    if not spans.token_sets:
        return ()
    bounds, theirs = token_characters(gold), token_characters(system)
    sets = list(spans.token_sets)
    for row in np.flatnonzero(spans.token_set).tolist():
        start = int(system.offsets[spans.sentence[row]])
        touched: set[int] = set()
        for token in spans.tokens(row):
            first = int(np.searchsorted(bounds, theirs[start + token], side="right")) - 1
            past = int(np.searchsorted(bounds, theirs[start + token + 1], side="left"))
            touched.update(range(first - int(base[row]), past - int(base[row])))
        sets[int(spans.token_set[row]) - 1] = tuple(sorted(touched))
    return tuple(sets)


def texts_differ(gold: Corpus, system: Corpus, at: int) -> AlignmentError:
    """Two texts whose visible characters part at a place."""

    def around(corpus: Corpus) -> tuple[str, int]:
        bounds = token_characters(corpus)
        token = min(int(np.searchsorted(bounds, at, side="right")) - 1, corpus.n_tokens - 1)
        words = corpus.tokens.slice(max(token - 2, 0), min(token + 3, corpus.n_tokens))  # type: ignore[union-attr]  # checked by the caller
        return " ".join(words), corpus.line(token)

    ours, our_line = around(gold)
    theirs, line = around(system)
    what = (
        f"the text parts from the gold text at character {at + 1} (white space not counted): "
        f"{theirs!r} where the gold has {ours!r} ({gold.source}:{our_line})"
    )
    mend = "Gold and system must be the same text, whatever their tokens."
    return AlignmentError([Problem(system.source, line, what, mend)])
