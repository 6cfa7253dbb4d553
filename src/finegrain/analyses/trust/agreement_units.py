"""What annotators of a text label: tokens with answers as they are, spans in three ways.

Where every unit has a label (tags), annotators are compared unit by unit; words of trees by their
relations, and by heads and relations together. Of spans, what nobody
marked is not a unit, so there is more than one way to look at them:

``spans``: whole spans, as pairwise F1; and every stretch that somebody marked, with its label or
none
``tokens``: the label of the span that a token is in, or O
``annotated tokens``: the same, without the tokens that all who are compared leave outside

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> text = [["in", "New", "York", "City"]]
>>> ann = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> ben = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O"]])
>>> spans, tokens, annotated = views_of(align(ann, {"ben": ben}), first="ann")
>>> tokens.pairs.labels, tokens.pairs.codes.T.tolist()
(('O', 'LOC'), [[0, 1, 1, 1], [0, 1, 1, 0]])
>>> spans.together.codes.tolist()                       # two stretches, each marked by one
[[0, 1], [1, 0]]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.corpus.names import misnamed
from finegrain.corpus.phrases import span_tokens
from finegrain.corpus.trees import NOWHERE, heads
from finegrain.errors import UsageError
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.ratings import NO_LABEL, Ratings
from finegrain.table.unit_spans import unit_spans
from finegrain.table.verdicts import answered, produced, right

Measure = Literal["f1", "percent", "pooled_kappa", "cohen_kappa"]
OUTSIDE, NOTHING = "O", "none"
TREES = "heads and relations"
RIGHT_OR_WRONG = ("wrong", "right")


@dataclass(frozen=True, slots=True)
class View:
    """One way to look at what annotators did.

    ``pairs`` is what two annotators are compared on, ``together`` what all are. ``counted``: all
    units, or those that one of the compared annotators marks. ``by_label``: what is told of labels.
    """

    name: str
    pairs: Ratings
    together: Ratings
    measures: tuple[Measure, ...]
    counted: Literal["all", "marked"]
    by_label: tuple[Literal["f1", "pooled_kappa", "alpha"], ...]


def view_of(ratings: Ratings) -> View:
    """Units that have a label by every annotator, or none."""
    measures: tuple[Measure, ...] = ("percent", "pooled_kappa", "cohen_kappa")
    return View("units", ratings, ratings, measures, "all", ("f1", "pooled_kappa", "alpha"))


def views_of(table: OutcomeTable, *, first: str) -> tuple[View, ...]:
    """The views of a table; the gold standard counts as an annotator called ``first``."""
    what = misnamed((*table.systems, first), "annotator")
    if what:
        raise UsageError(f"{what}: name them apart, name=path")
    names, answers = (first, *table.systems), table.task.answers
    if answers == "none":  # who is right is all that is known: there is no gold label
        verdicts = _ratings(table, table.systems, right(table).astype(np.int32))
        return (view_of(replace(verdicts, labels=RIGHT_OR_WRONG)),)
    if answers == "label":
        codes = np.column_stack([table.label, answered(table)])
        units = view_of(_ratings(table, names, codes))
        # of trees, relations alone and answers as wholes, with heads
        both = "trees" in table.task.has and table.n_systems
        return (units, _trees(table, units.pairs)) if both else (units,)
    if not table.task.detects:
        same = ": F1 is the same whichever of them is" if table.task.open else ""
        raise UsageError(
            f"{table.task.words.units} have no labels to agree on; take one annotator as gold, "
            f"finegrain score ONE OTHER{same}"
        )
    own = np.column_stack([table.is_gold, produced(table)])
    rows, stretches = _rows(table, names, own), _stretches(table, names, own)
    whole = View(table.task.words.units, rows, stretches, ("f1",), "marked", ("f1",))
    if table.corpus.tokens is None:
        return (whole,)
    tokens = _tokens(table, names, own)
    kappas: tuple[Measure, ...] = ("percent", "pooled_kappa", "cohen_kappa")
    return (
        whole,
        View("tokens", tokens, tokens, kappas, "all", ("pooled_kappa", "alpha")),
        View("annotated tokens", tokens, tokens, kappas, "marked", ()),
    )


def _ratings(
    table: OutcomeTable, names: tuple[str, ...], codes: NDArray[np.int32], *, unit: str = "unit"
) -> Ratings:
    sampling = sampling_of(table)
    return Ratings(
        names, table.labels, np.ascontiguousarray(codes, np.int32),
        sampling.samples.codes, sampling.samples.size, unit, sampling.kind,
    )  # fmt: skip


def _trees(table: OutcomeTable, relations: Ratings) -> View:
    """Words with head and relation; the code is the first annotator who has the same.

    Whether two agree on a word is all that such codes tell: there are no kappas of them.
    """
    word = table.corpus.offsets[table.sentence] + table.begin
    head = np.column_stack([heads(table.corpus)[word], table.details["head"]])
    codes = np.zeros_like(relations.codes)
    for place in range(1, codes.shape[1]):
        same = head[:, : place + 1] == head[:, place, None]
        same &= relations.codes[:, : place + 1] == relations.codes[:, place, None]
        same &= head[:, place, None] != NOWHERE  # who have no head have not the same
        same[:, place] = True
        codes[:, place] = same.argmax(axis=1)
    codes[relations.codes < 0] = NO_LABEL
    found = replace(relations, labels=relations.annotators, codes=codes)
    return View(TREES, found, found, ("percent",), "all", ())


def _rows(table: OutcomeTable, names: tuple[str, ...], own: NDArray[np.bool_]) -> Ratings:
    """Every distinct span with its label, or none; none has the first code."""
    codes = np.where(own, table.label[:, None] + 1, 0)
    found = _ratings(table, names, codes, unit="span")
    return replace(found, labels=(NOTHING, *table.labels), outside=0)


def _stretches(table: OutcomeTable, names: tuple[str, ...], own: NDArray[np.bool_]) -> Ratings:
    """Every stretch of text that somebody marked, with its label; several labels make one."""
    spans = unit_spans(table)
    keys = np.column_stack(
        [spans.sentence, spans.begin, spans.end, spans.token_set, *spans.cuts()]
    ).astype(np.int64)
    found, first, stretch = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    rows, who = np.nonzero(own)
    codes, labels = _joined(
        stretch.ravel()[rows], who, table.label[rows], table.labels, (len(found), len(names))
    )
    sampling = sampling_of(table)
    sample = sampling.samples.codes[first]
    return Ratings(
        names, (NOTHING, *labels), codes, sample, sampling.samples.size,
        "stretch", sampling.kind, outside=0,
    )  # fmt: skip


def _tokens(table: OutcomeTable, names: tuple[str, ...], own: NDArray[np.bool_]) -> Ratings:
    """Every token with the label of its span, or O."""
    corpus = table.corpus
    tokens, _, lengths = span_tokens(unit_spans(table), corpus.offsets)
    row_of = np.repeat(np.arange(len(table)), lengths)
    places, who = np.nonzero(own[row_of])
    codes, labels = _joined(
        tokens[places],
        who,
        table.label[row_of[places]],
        table.labels,
        (corpus.n_tokens, len(names)),
    )
    sentence = corpus.sentence_of_tokens()
    sampling = sampling_of(table)
    sample = sentence if corpus.documents is None else corpus.documents[sentence]
    return Ratings(
        names, (OUTSIDE, *labels), codes, sample, sampling.samples.size,
        "token", sampling.kind, outside=0,
    )  # fmt: skip


def _joined(
    unit: IntArray, who: IntArray, label: IntArray, names: tuple[str, ...], shape: tuple[int, int]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """``[unit, annotator]`` 0 for nothing, else 1 + the label; ``A+B`` is one label of its own.

    Labels are added one after the other, in their order: each step turns what a cell has and the
    next label into a new code.
    """
    cells = unit.astype(np.int64) * shape[1] + who
    wide = len(names) + 1
    marks = np.unique(cells * wide + label)
    cells, label = marks // wide, marks % wide
    state = np.zeros(shape[0] * shape[1], np.int64)
    known: list[tuple[int, ...]] = [(), *((code,) for code in range(len(names)))]
    first = np.flatnonzero(np.diff(cells, prepend=-1))
    depth = np.arange(len(cells)) - np.repeat(first, np.diff(np.append(first, len(cells))))
    for level in range(int(depth.max(initial=-1)) + 1):
        at = depth == level
        key, place = np.unique(state[cells[at]] * wide + label[at], return_inverse=True)
        codes = []
        for have, more in (divmod(int(one), wide) for one in key):
            together = (*known[have], more)
            if together not in known:
                known.append(together)
            codes.append(known.index(together))
        state[cells[at]] = np.array(codes, np.int64)[place.ravel()]
    labels = tuple("+".join(names[code] for code in parts) for parts in known[1:])
    return state.reshape(shape).astype(np.int32), labels
