"""One row per item that people judged: the mean of its ratings for every system.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.ratings import RATINGS
>>> lines = b"rater,item,system,score\\nann,q1,a,4\\nann,q1,b,2\\nben,q1,a,5\\nben,q1,b,3\\n"
>>> table = align(RATINGS, read(source_of("ratings.csv", lines)), {})
>>> table.systems, table.values["rating"].matrix.tolist()
(('a', 'b'), [[4.5, 2.5]])

The file holds all systems, so that it is given alone. Ratings themselves are parts of their item
(``table.parts["ratings"]``), with the rater and ``[part, system]`` what that rater gave. Of
pairwise judgements (``winner, loser``) a win is worth 1, a tie 0.5, a loss 0, so that the mean is
the win rate. A system that was not rated on an item has no value there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.item_tables import Met, item_table
from finegrain.alignment.rated_rows import (
    Rated,
    holds_judgements,
    holds_ratings,
    judgements,
    ratings,
)
from finegrain.alignment.same_text import Systems, named
from finegrain.corpus import Coded, Corpus, Texts
from finegrain.corpus.columns import Column, Rows, chosen
from finegrain.corpus.items import LINE, coded, of_fields
from finegrain.corpus.notes import Information
from finegrain.errors import AlignmentError, Problem
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.samples import FEWEST
from finegrain.table.scale import Scale, Value
from finegrain.table.task import Contents

RATING, PARTS, RATER = "rating", "ratings", "rater"
"""The value of items; the parts of items; who gave a part."""
DISAGREEMENT, NUMBER = "disagreement", "ratings"
"""Of ``table.columns``: how far raters of an item differ, and how many ratings it has."""
OPEN = Scale(best=None, worst=None, shown="number")
Floats = NDArray[np.float64]


def align(task: Task, gold: Corpus, systems: Systems, *, criteria: str = "") -> OutcomeTable:
    """One row per item; the systems are those of the file.

    criteria: columns with numbers, separated by commas, the first of which items are graded by;
        default: ``score`` or ``rating``, else every column of numbers that differ within an item
    """
    if next(named(systems), None) is not None:
        what = "a file of ratings holds its systems itself"
        raise AlignmentError([Problem(gold.source, 0, what, "Give it alone.")])
    rated = judgements(gold) if holds_judgements(gold) else ratings(gold, criteria)
    values = {name: _means(rated, scores) for name, scores in rated.scores.items()}
    first = next(iter(values))
    graded = {RATING: values[first]} | (values if len(values) > 1 else {})
    kept = {RATING: rated.scores[first]} | (rated.scores if len(values) > 1 else {})
    corpus, left = _items(gold, rated)
    mean = values[first]
    met = Met(corpus, rated.systems, (), np.zeros(mean.shape, np.int64), gold.notes)
    table = item_table(
        task, met, outcome=np.isnan(mean).astype(np.uint8),
        values={name: Value(OPEN, matrix) for name, matrix in graded.items()},
        parts={PARTS: Rows(rated.parent, {RATER: rated.rater}, kept)},
        settings={"criteria": ",".join(rated.scores)} if len(rated.scores) > 1 else {},
        notes=(*rated.notes, *left, *_said(rated, mean)),
    )  # fmt: skip
    known = ~np.isnan(rated.scores[first])
    number = np.bincount(rated.parent, known.sum(axis=1), minlength=len(table))
    apart = _disagreement(rated, rated.scores[first])
    return table.with_column(NUMBER, number).with_column(DISAGREEMENT, apart)


def _means(rated: Rated, scores: Floats) -> Floats:
    """``[item, system]`` the mean of ratings; nan without any."""
    known = ~np.isnan(scores)
    total, number = (_per_item(rated, part) for part in (np.nan_to_num(scores), known))
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def _per_item(rated: Rated, values: NDArray[Any]) -> Floats:
    """``[item, system]`` sums over the ratings of items."""
    size = len(rated.items)
    columns = [np.bincount(rated.parent, one, minlength=size) for one in values.T]
    return np.stack(columns, axis=1)


def _disagreement(rated: Rated, scores: Floats) -> Floats:
    """``[item]`` the standard deviation of ratings of one system, the mean over systems."""
    centre = _means(rated, scores)[rated.parent]
    known = ~np.isnan(scores)
    squares = _per_item(rated, np.nan_to_num((scores - centre) ** 2))
    number = _per_item(rated, known)
    several = number > 1
    spread = np.sqrt(squares / np.maximum(number, 1)) * several
    systems = several.sum(axis=1)
    return np.where(systems > 0, spread.sum(axis=1) / np.maximum(systems, 1), np.nan)


def _said(rated: Rated, mean: Floats) -> list[str]:
    """What must be known to read means: what is missing, and what is drawn."""
    notes: list[str] = []
    for name, missing in zip(rated.systems, np.isnan(mean).sum(axis=0).tolist(), strict=True):
        if missing:
            notes.append(f"{name}: {missing:,} of {sized(len(mean), 'item')} without a rating")
    raters = len(rated.rater.names)
    if raters < FEWEST:
        who = f"{sized(raters, 'rater')} {'is' if raters == 1 else 'are'}"
        few = f"{who} too few to be resampled: intervals are for other items that the same "
        notes.append(Information(f"{few}people rate"))
    if len(rated.scores) > 1:
        first, *others = rated.scores
        told = (
            f"items are graded by {first}; of the other criteria ({', '.join(others)}) the study "
            f"'criteria' has the means, and --set criteria={others[0]} puts another first"
        )
        notes.append(Information(told))
    return notes


class _Items(NamedTuple):
    """The items as a corpus, and what was left out of it."""

    corpus: Corpus
    notes: tuple[str, ...]


def _items(gold: Corpus, rated: Rated) -> _Items:
    """A corpus of the items: columns that are the same in all rows of an item are its fields."""
    first = np.full(len(rated.items), len(rated.item), np.int64)
    np.minimum.at(first, rated.item, np.arange(len(rated.item)))
    fields: dict[str, Column] = {"id": Texts.of(rated.items)}
    varying = []
    for name, column in gold.fields.items():
        if name in rated.used or name in (LINE, "id"):
            continue
        if _is_constant(column, rated.item, first):
            fields[name] = chosen(column, first)
        else:
            varying.append(name)
    lines = np.asarray(gold.fields[LINE])[first] if LINE in gold.fields else None
    notes = (f"columns that differ within an item are left out: {', '.join(varying)}",)
    corpus = of_fields(gold.source, fields, lines=lines, format=gold.format)
    return _Items(corpus, notes if varying else ())


def _is_constant(column: Column, item: NDArray[np.int64], first: NDArray[np.int64]) -> bool:
    codes = coded(column, missing="").codes
    return bool((codes == codes[first][item]).all())


def recognise(corpus: Corpus, _: str) -> bool:
    """Rows that say who rated which item of which system, or which system won against which."""
    formats = ("csv", "items", "parquet")
    return corpus.format in formats and (holds_judgements(corpus) or holds_ratings(corpus))


def rater_codes(table: OutcomeTable) -> Coded:
    """``[part]`` who gave the rating."""
    found = table.parts[PARTS].fields[RATER]
    return found if isinstance(found, Coded) else coded(found, missing="")


def criteria_of(table: OutcomeTable) -> Sequence[str]:
    """The criteria of a table, the one that items are graded by first."""
    others = [name for name in table.parts[PARTS].by_system if name != RATING]
    return others or [RATING]


def contents(corpus: Corpus, model: Corpus, *, criteria: str = "") -> Contents:
    """What a file of ratings holds."""
    del model
    rated = judgements(corpus) if holds_judgements(corpus) else ratings(corpus, criteria)
    first = next(iter(rated.scores.values()))
    given = sized(int((~np.isnan(first)).sum()), "rating")
    if holds_judgements(corpus):
        given = sized(len(first), "judgement")
    who = sized(len(rated.rater.names), "rater")
    systems = sized(len(rated.systems), "system")
    return Contents(f"{given} of {sized(len(rated.items), 'item')} and {systems} by {who}")
