"""What the units of a page stand in: trees of their sentences, chains of their documents.

What items are drawn from is told in ``item_data``.

==========  ===========================================================================
trees       ``head`` and ``label`` by sentence of the page (``sentences``), one per word
            heads: number in the sentence, 0 the root, -1 none, -2 no unit
            ``other`` by system and sentence: word, head and label, where they differ
passages    documents: ``first`` sentence, from 1; ``words`` of sentences; ``mentions``:
            sentence in the document, begin, end, label; ``chains``: of the gold
            standard, then of every system, by mention; -1 none; ``met``: by system, the
            gold chain of the mention that its mention stands for, if that may be another
passage     by unit, its document among the passages, -1 none
mention     by unit, its place among the mentions of the document
==========  ===========================================================================

>>> import finegrain as fg
>>> from finegrain.analyses.reports.embedded_units import embedded_units
>>> from finegrain.testing import small_corpora
>>> trees = tree_data(embedded_units(fg.align(*small_corpora("dependencies"), task="dependencies")))
>>> trees["trees"]["head"][0], trees["trees"]["other"][0][0]
([3, 1, 0, 3, 4, 7, 3, 3], [6, 5, 8])
>>> data = chain_data(embedded_units(fg.align(*small_corpora("coreference"))))
>>> data["passages"][0]["chains"][0][:4], data["mention"][:2]
([0, 1, 2, 0], [0, 1])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.coreference import chain_column, met_column
from finegrain.analyses.reports.embedded_units import EmbeddedUnits
from finegrain.corpus import Corpus
from finegrain.corpus.trees import ROOT, heads
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.views.escape import visible
from finegrain.views.html.item_data import item_data

MOST_WORDS = 300_000  # of documents in a page
_NONE, _NO_UNIT = -1, -2


def drawing_data(units: EmbeddedUnits) -> dict[str, Any]:
    """Further columns of the page, for drawings that need some."""
    name = units.table.task.drawing
    if name not in DRAWINGS:
        raise UsageError.unknown("drawing", name, DRAWINGS)
    return DRAWINGS[name](units)


def tree_data(units: EmbeddedUnits) -> dict[str, Any]:
    """The trees of all sentences that have units on the page."""
    table = units.table
    gold = heads(table.corpus)
    found: dict[str, list[Any]] = {"head": [], "label": []}
    other: list[list[list[int]]] = [[] for _ in table.systems]
    for sentence in np.unique(table.sentence[units.rows]).tolist():
        first, last = np.searchsorted(table.sentence, [sentence, sentence + 1]).tolist()
        rows = slice(first, last)
        begin, end = table.corpus.offsets[sentence : sentence + 2].tolist()
        words = table.begin[rows]
        head = np.full(end - begin, _NO_UNIT, np.int64)
        label = np.full(end - begin, _NONE, np.int64)
        head[words] = _numbers(gold[begin:end][words], begin, end)
        label[words] = table.label[rows]
        found["head"].append(head.tolist())
        found["label"].append(label.tolist())
        for system, told in enumerate(other):
            theirs = _numbers(table.details["head"][rows, system], begin, end)
            answer = table.answer[rows, system]
            apart = np.flatnonzero((theirs != head[words]) | (answer != label[words]))
            columns = np.column_stack([words[apart], theirs[apart], answer[apart]])
            told.append(columns.ravel().tolist())
    return {"trees": {**found, "other": other}}


def _numbers(head: NDArray[Any], begin: int, end: int) -> NDArray[np.int64]:
    """Heads as numbers in a sentence, from 1; 0 the root, -1 none or in another sentence."""
    inside = (head >= begin) & (head < end)
    return np.where(inside, head - begin + 1, np.where(head == ROOT, 0, _NONE)).astype(np.int64)


def chain_data(units: EmbeddedUnits) -> dict[str, Any]:
    """The documents of units, as many as fit into a page, with all mentions and chains."""
    table = units.table
    documents = _documents(table.corpus)
    bounds = np.searchsorted(documents, np.arange(documents.max(initial=-1) + 2))
    of_row = documents[table.sentence]
    starts = np.searchsorted(of_row, np.arange(len(bounds)))
    place: dict[int, int] = {}
    passages: list[dict[str, Any]] = []
    words = 0
    for document in dict.fromkeys(of_row[units.chosen].tolist()):
        first, last = int(bounds[document]), int(bounds[document + 1])
        words += int(table.corpus.offsets[last] - table.corpus.offsets[first])
        if words > MOST_WORDS:
            break
        place[document] = len(passages)
        rows = slice(int(starts[document]), int(starts[document + 1]))
        passages.append(_passage(table, first, last, rows))
    own = of_row[units.rows]
    return {
        "passages": passages,
        "passage": [place.get(document, _NONE) for document in own.tolist()],
        "mention": (units.rows - starts[own]).tolist(),
    }


def _documents(corpus: Corpus) -> NDArray[np.int64]:
    """``[sentence]`` its document, numbered in the order of the text."""
    if corpus.documents is None:
        return np.zeros(corpus.n_sentences, np.int64)
    new = np.append(False, corpus.documents[1:] != corpus.documents[:-1])
    return np.cumsum(new[: corpus.n_sentences]).astype(np.int64)


def _passage(table: OutcomeTable, first: int, last: int, rows: slice) -> dict[str, Any]:
    number: dict[int, int] = {_NONE: _NONE}
    gold = _renumbered(table.columns["chain"][rows], number)
    own = [table.columns[chain_column(name)][rows] for name in table.systems]
    met = [table.columns.get(met_column(name), table.columns["chain"]) for name in table.systems]
    return {
        "first": first + 1,
        "words": [
            [visible(word) for word in table.corpus.sentence(sentence)]
            for sentence in range(first, last)
        ],
        "mentions": np.column_stack(
            [table.sentence[rows] - first, table.begin[rows], table.end[rows], table.label[rows]]
        ).tolist(),
        "chains": [gold, *(_renumbered(one, {_NONE: _NONE}) for one in own)],
        "met": [_renumbered(one[rows], number) for one in met],
    }


def _renumbered(chain: NDArray[Any], number: dict[int, int]) -> list[int]:
    """The same chains from 0 in the order of their first mentions; -1 stays.

    >>> _renumbered(np.array([7, -1, 5, 7]), {-1: -1})
    [0, -1, 1, 0]
    """
    return [number.setdefault(one, len(number) - 1) for one in chain.tolist()]


def _nothing(_: EmbeddedUnits) -> dict[str, Any]:
    return {}


# How units are drawn, and what that needs beside their own columns; drawing.js has the same names,
# and templates/keys a line that explains each.
DRAWINGS: dict[str, Callable[[EmbeddedUnits], dict[str, Any]]] = {
    "brackets": _nothing,
    "tokens": _nothing,
    "arcs": tree_data,
    "chains": chain_data,
    "item": item_data,
}
