"""Repeated answers: epochs, samples and seeds of a language model, of which an item has several.

    id,run,answer
    q1,1,pos
    q1,2,neg
    q1,3,pos

An item stays one unit, whose answer is that of most runs. Five runs of 198 items are 198 units:
what is drawn in resampling is the item with all its runs.

>>> folded = fold(np.array([0, 0, 0, 1, 1]), np.array([1, 0, 1, 0, 1]), np.array([1, 0]))
>>> folded.answer.tolist(), folded.runs.tolist(), folded.mean.round(2).tolist()
([1, 1], [3, 2], [0.67, 0.5])
>>> folded.consistency.round(2).tolist()                  # 1 of 3 pairs agree, 0 of 1
[0.33, 0.0]

Among answers that equally many runs give, the one wins that is more frequent in all runs of the
system, and then the first in the alphabet, as in a majority vote of systems: gold has no say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.item_faults import item_faults
from finegrain.corpus.items import coded, line_of, of_rows
from finegrain.corpus.notes import Information
from finegrain.errors import UsageError
from finegrain.table.scale import Scale, Value

Repeats = Literal["auto", "yes", "no"]
RUN = ("run", "epoch", "sample", "seed")
"""Columns that tell the runs of an item apart."""
MEAN, CONSISTENCY = "mean", "consistency"
"""Of ``table.values``: the mean score of the runs of a unit; the share of pairs that agree."""
RUNS, VARIANCE = "runs", "variance_of_runs"
"""Of ``table.details``: how many runs a unit has; the variance of their scores (n - 1)."""
SHARE = Scale()


class Folded(NamedTuple):
    """``[item]`` what the runs of a system come to; ``answer``: the most frequent, -1 for none."""

    answer: NDArray[np.int32]
    runs: NDArray[np.int32]
    mean: NDArray[np.float64]
    consistency: NDArray[np.float64]
    variance: NDArray[np.float64]


def require_known(repeats: str | None) -> None:
    """Refuse what is no way with repeated answers."""
    if repeats is not None and repeats not in get_args(Repeats):
        raise UsageError.unknown("repeats", repeats, get_args(Repeats))


def run_columns(corpus: Corpus) -> list[str]:
    """The columns that tell the runs of an item apart."""
    return [name for name in RUN if name in corpus.fields]


def has_repeats(corpus: Corpus, ids: Texts, repeats: Repeats | None) -> bool:
    """Whether ids that stand several times are runs of one item."""
    if repeats in (None, "no") or not ids.repeated():
        return False
    return repeats == "yes" or bool(run_columns(corpus))


def way_out(corpus: Corpus, repeats: Repeats | None) -> str:
    """How to fix ids that stand several times."""
    if repeats is None:
        return "Ids are unique."
    if repeats == "no" and run_columns(corpus):
        return "Ids are unique with --repeats no; without it these are runs of one item."
    return (
        "Ids are unique; if these are several answers to one item, say --repeats yes or name the "
        f"column that numbers them {RUN[0]!r}."
    )


def require_distinct_runs(corpus: Corpus, ids: Texts, items: IntArray) -> None:
    """Refuse an item that has one run twice."""
    columns = run_columns(corpus)
    if not columns:
        return
    key = items.astype(np.int64)
    for name in columns:
        column = coded(corpus.fields[name], missing="")
        key = np.unique(key * len(column.names) + column.codes, return_inverse=True)[1].ravel()
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    twice = np.flatnonzero(first[inverse.ravel()] != np.arange(len(key)))
    if not len(twice):
        return

    def told(row: int) -> str:
        run = ", ".join(f"{name} {cell_of(corpus, name, row)!r}" for name in columns)
        other = line_of(corpus, int(first[inverse.ravel()[row]]))
        return f"the item {ids[row][:40]!r} has {run} on line {other}, too"

    mend = "Number the runs of an item, each with a number of its own."
    raise item_faults(corpus, twice, told, mend)


def cell_of(corpus: Corpus, name: str, row: int) -> str:
    """The cell of a column as it is written, cut short."""
    return str(coded(corpus.fields[name], missing="")[row])[:40]


def note_of(corpus: Corpus, items: IntArray) -> str:
    """How many answers items have."""
    runs = np.bincount(items)
    runs = runs[runs > 0]
    fewest, most = int(runs.min()), int(runs.max())
    by = ", ".join(run_columns(corpus)) or "--repeats yes"
    if fewest == most:
        return Information(f"{most} answers for every item ({by})")
    fewer = int((runs < most).sum())
    told = f"{fewest} to {most} answers per item ({by})"
    return Information(f"{told}: {fewer:,} of {len(runs):,} items have fewer than {most}")


def gold_once(gold: Corpus, names: Sequence[str], repeats: Repeats) -> Corpus:
    """The gold standard of a file that repeats it with every run: every item once, as it is first.

    Only where a file holds runs; an item whose gold answer differs between them is refused.
    """
    require_known(repeats)
    if "id" not in gold.fields:
        return gold
    column = gold.fields["id"]
    ids = column if isinstance(column, Texts) else Texts.of(coded(column, missing=""))
    if not has_repeats(gold, ids, repeats):
        return gold
    items = ids.coded().codes
    _, first, inverse = np.unique(items, return_index=True, return_inverse=True)
    require_distinct_runs(gold, ids, inverse.ravel())
    leader = first[inverse.ravel()]
    answers = next((name for name in names if name in gold.fields), None)
    if answers is not None:
        codes = coded(gold.fields[answers], missing="").codes
        differs = np.flatnonzero(codes != codes[leader])
        if len(differs):

            def told(row: int) -> str:
                here, there = (cell_of(gold, answers, at) for at in (row, int(leader[row])))
                line = line_of(gold, int(leader[row]))
                item = f"the item {ids[row][:40]!r}"
                return f"{item} has the gold answer {here!r} here and {there!r} on line {line}"

            mend = "All runs of an item have one gold answer."
            raise item_faults(gold, differs, told, mend)
    return of_rows(gold, np.sort(first), without=run_columns(gold))


def fold(items: IntArray, answers: IntArray, gold: IntArray) -> Folded:
    """What the runs of every item come to.

    items: ``[run]`` the item of each; answers: ``[run]`` codes of labels, -1 for no answer;
    gold: ``[item]`` codes of labels. A run without an answer is wrong and has no vote; two of them
    agree.
    """
    size, n_labels = len(gold), int(max(answers.max(initial=-1), gold.max(initial=-1))) + 2
    keys = items.astype(np.int64) * n_labels + answers + 1
    pairs, counts = np.unique(keys, return_counts=True)
    item, label = pairs // n_labels, pairs % n_labels - 1
    overall = np.bincount(answers + 1, minlength=n_labels)
    order = np.lexsort((label, -overall[label + 1], -counts, label < 0, item))
    first = np.ones(len(order), bool)
    first[1:] = item[order][1:] != item[order][:-1]
    answer = np.full(size, -1, np.int32)
    answer[item[order][first]] = label[order][first]
    runs = np.bincount(items, minlength=size)
    right = np.bincount(item, counts * (label == gold[item]) * (label >= 0), minlength=size)
    same = np.bincount(item, counts * (counts - 1), minlength=size)
    several = runs > 1
    mean = right / np.maximum(runs, 1)
    consistency = np.where(several, same / np.maximum(runs * (runs - 1), 1), np.nan)
    variance = np.where(several, mean * (1 - mean) * runs / np.maximum(runs - 1, 1), np.nan)
    return Folded(answer, runs.astype(np.int32), mean, consistency, variance)


class Averaged(NamedTuple):
    """``[item]`` the mean of the numbers of a system's runs, nan for none, and what is behind it.

    ``mean``, ``variance``: of the absolute errors of single runs.
    """

    answer: NDArray[np.float64]
    runs: NDArray[np.int32]
    mean: NDArray[np.float64]
    variance: NDArray[np.float64]


def average(items: IntArray, answers: NDArray[np.float64], gold: NDArray[np.float64]) -> Averaged:
    """The mean of the runs of every item; runs without a number are left out.

    >>> found = average(np.array([0, 0, 1]), np.array([1.0, 3.0, 5.0]), np.array([1.0, 4.0]))
    >>> found.answer.tolist(), found.mean.tolist(), found.variance.tolist()
    ([2.0, 5.0], [1.0, 1.0], [2.0, nan])
    """
    known = ~np.isnan(answers)
    items, answers, size = items[known], answers[known], len(gold)
    runs = np.bincount(items, minlength=size)
    answer, _ = _moments(items, answers, runs)
    mean, variance = _moments(items, np.abs(answers - gold[items]), runs)
    return Averaged(answer, runs.astype(np.int32), mean, variance)


def _moments(
    items: IntArray, values: NDArray[np.float64], runs: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``[item]`` mean and variance (n - 1); nan where there are too few."""
    sums = np.bincount(items, values, minlength=len(runs))
    mean = np.where(runs > 0, sums / np.maximum(runs, 1), np.nan)
    squares = np.bincount(items, (values - mean[items]) ** 2, minlength=len(runs))
    return mean, np.where(runs > 1, squares / np.maximum(runs - 1, 1), np.nan)


def averaged_columns(
    items: IntArray, columns: Mapping[str, NDArray[np.float64]], size: int
) -> dict[str, NDArray[np.float64]]:
    """``[item]`` the mean of every column over the runs that have it, such as probabilities."""
    found = {}
    for name, values in columns.items():
        known = ~np.isnan(values)
        runs = np.bincount(items[known], minlength=size)
        sums = np.bincount(items[known], values[known], minlength=size)
        found[name] = np.where(runs > 0, sums / np.maximum(runs, 1), np.nan)
    return found


class Kept(NamedTuple):
    """What a table keeps of repeated answers: its ``values`` and its ``details``."""

    values: dict[str, Value]
    details: dict[str, NDArray[Any]]


def kept(
    columns: Sequence[Folded | Averaged | None],
    single: NDArray[np.float64],
    answered: NDArray[np.bool_],
    scale: Scale = SHARE,
) -> Kept:
    """Values and details of units, if any system has repeated answers.

    single, answered: ``[item, system]`` the score of one answer, and whether there is one, of
    systems that have no more
    """
    if not any(columns):
        return Kept({}, {})
    mean, runs = single.copy(), answered.astype(np.int32)
    consistency, variance = np.full(single.shape, np.nan), np.full(single.shape, np.nan)
    for system, column in enumerate(columns):
        if column is None:
            continue
        mean[:, system], runs[:, system] = column.mean, column.runs
        variance[:, system] = column.variance
        if isinstance(column, Folded):
            consistency[:, system] = column.consistency
    values = {MEAN: Value(scale, mean)}
    if any(isinstance(column, Folded) for column in columns):
        values[CONSISTENCY] = Value(SHARE, consistency)
    return Kept(values, {RUNS: runs, VARIANCE: variance})
