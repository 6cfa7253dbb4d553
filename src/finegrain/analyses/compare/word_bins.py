"""How hard are the mentions of a word? The gold units that have it, over the bins.

A word that every system finds in one sentence and none in another shows that context, not the
word, is what is hard (table 7 of Gianola et al. 2021). Words are whole units, case folded.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("tags"))
>>> found = words(table, "London")
>>> found.words, found.counts.tolist(), found.occurrences.tolist()
(('london',), [[0, 0, 3]], [3])
>>> [(one.bin, one.sentence, one.label) for one in found.mentions]
[(2, 1, 'PROPN'), (2, 3, 'PROPN'), (2, 4, 'PROPN')]

Without a word all of them are ranked by spread: the number of bins they are in, then the number
of mentions, then the alphabet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare.difficulty import Bins, bins_of
from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.analyses.units.context import Context, Places
from finegrain.attributes.surfaces import Surfaces, occurrences_of, surfaces
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable, Task
from finegrain.table.verdicts import right, right_or_wrong


@dataclass(frozen=True, slots=True)
class Mention:
    """One gold unit of a word; ``bin`` is the number of systems that are right about it."""

    bin: int
    label: str
    document: str | int | None
    sentence: int
    line: int | None
    context: Context
    right: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "bin": self.bin,
            "label": self.label,
            "document": self.document,
            "sentence": self.sentence,
            "line": self.line,
            "before": self.context.before,
            "text": self.context.text,
            "after": self.context.after,
            "right": list(self.right),
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WordBins(Printed):
    """``counts`` ``[word, bin]`` of gold mentions; ``occurrences`` ``[word]`` in the whole text.

    ``found`` is the number of distinct words there are; ``mentions`` are those of a single word,
    hardest first; ``by`` says what the bins go by.
    """

    task: Task
    systems: tuple[str, ...]
    words: tuple[str, ...]
    counts: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    found: int
    mentions: tuple[Mention, ...]
    signature: str
    notes: tuple[str, ...]
    by: str

    @property
    def spread(self) -> NDArray[np.int64]:
        """``[word]`` the number of bins that hold mentions of it."""
        bins: NDArray[np.int64] = np.count_nonzero(self.counts, axis=1)
        return bins

    def to_json(self) -> dict[str, Any]:
        return {
            "found": self.found,
            "words": [
                {
                    "word": word,
                    "spread": int(self.spread[place]),
                    "mentions": int(self.counts[place].sum()),
                    "occurrences": int(self.occurrences[place]),
                    "bins": self.counts[place].tolist(),
                }
                for place, word in enumerate(self.words)
            ],
            "mentions": [mention.to_json() for mention in self.mentions],
        }

    def listings(self) -> tuple[Listing, ...]:
        bins = tuple(Column(str(one), "count", group="bin") for one in range(self.n_bins))
        spread = self.spread.tolist()
        rows = tuple(
            (word, int(self.occurrences[at]), int(counts.sum()), spread[at], *counts.tolist())
            for at, (word, counts) in enumerate(zip(self.words, self.counts, strict=True))
        )
        heads = (
            Column("word"), Column("in text", "count"), Column("mentions", "count"),
            Column("spread", "count"),
        )  # fmt: skip
        told = "" if self.found == len(self.words) else f"; {len(self.words)} of {self.found:,}"
        table = Listing(f"Words across bins{told}", (*heads, *bins), rows, _NOTE.format(by=self.by))
        return (table, _concordance(self.mentions)) if self.mentions else (table,)

    def records(self) -> Listing:
        columns = (
            Column("word"), Column("occurrences", "count"), Column("bin", "count"),
            Column("mentions", "count"),
        )  # fmt: skip
        rows = tuple(
            (word, int(self.occurrences[at]), place, int(count))
            for at, word in enumerate(self.words)
            for place, count in enumerate(self.counts[at])
        )
        return Listing("words", columns, rows)

    @property
    def n_bins(self) -> int:
        """One more than systems; of units that are only graded, their quarters."""
        return int(self.counts.shape[1])


_NOTE = (
    "Mentions are gold units with exactly these words, in any case, by {by} them: bin 0 is "
    "hardest. Spread: bins that hold some."
)


def _concordance(mentions: tuple[Mention, ...]) -> Listing:
    columns = (
        Column("bin", "count"), Column("label"), Column("before", "count"), Column("mention"),
        Column("after"), Column("line", "count"),
    )  # fmt: skip
    rows = tuple(
        (one.bin, one.label, *one.context, "" if one.line is None else str(one.line))
        for one in mentions
    )
    return Listing("Mentions, hardest first", columns, rows)


def words(
    table: OutcomeTable, word: str | None = None, *, limit: int | None = None, where: str = ""
) -> WordBins:
    """Distribute the gold mentions of a word, or of all words, over the bins.

    Parameters
    ----------
    word: one word, or the words of a unit separated by blanks; its mentions are given in context
    limit: number of words, the most spread ones; or of mentions, half of them the hardest
    where: only the units that this holds for, as in ``score``
    """
    if limit is not None and limit < 0:
        raise UsageError(f"the limit must not be negative: {limit}")
    if word is not None and not word.strip():
        raise UsageError("the word is empty")
    table = restrict(table, where)
    found, bins = surfaces(table), bins_of(table)
    if found is None:
        notes = ("the gold standard has no text, so there are no words",)
        none = np.zeros((0, bins.size), np.int64)
        return _result(table, bins, [], none, [], notes=notes)
    if word is None:
        return _ranked(table, bins, found, limit)
    return _single(table, bins, found, " ".join(word.casefold().split()), limit)


def _ranked(table: OutcomeTable, bins: Bins, found: Surfaces, limit: int | None) -> WordBins:
    """All words, the most spread first."""
    size = bins.size
    has = (bins.codes >= 0) & (found.codes >= 0)
    used, dense = np.unique(found.codes[has], return_inverse=True)
    cells = np.bincount(dense * size + bins.codes[has], minlength=len(used) * size)
    cells = cells.reshape(len(used), size)
    names = [found.name(code) for code in used.tolist()]
    rank = np.argsort(np.argsort(np.array(names, object))) if names else np.empty(0, np.int64)
    spread = np.count_nonzero(cells, axis=1)
    order = np.lexsort((rank, -cells.sum(axis=1), -spread))[:limit]
    return _result(
        table,
        bins,
        [names[place] for place in order.tolist()],
        cells[order],
        found.occurrences[used[order]].tolist(),
        found=len(names),
    )


def _single(
    table: OutcomeTable, every: Bins, found: Surfaces, word: str, limit: int | None
) -> WordBins:
    """One word with its mentions in context."""
    code = found.find(word)
    rows = np.flatnonzero((every.codes >= 0) & (found.codes == code)) if code >= 0 else _NONE
    bins = every.codes[rows]
    counts = np.bincount(bins, minlength=every.size)[None]
    occurrences = int(found.occurrences[code]) if code >= 0 else occurrences_of(table, word)
    hardest = np.argsort(bins, kind="stable")
    shown = _ends(hardest, limit)
    notes = []
    if not len(rows):
        notes.append(f"no gold unit is {word!r}; the text has it {occurrences} times")
    elif len(shown) < len(rows):
        notes.append(f"mentions: the hardest and the easiest, {len(shown)} of {len(rows)}")
    mentions = _mentions(table, rows[shown], bins[shown])
    return _result(
        table, every, [word], counts, [occurrences], mentions=mentions, notes=tuple(notes)
    )


_NONE = np.empty(0, np.int64)


def _ends(order: IntArray, limit: int | None) -> IntArray:
    """Up to ``limit`` of the rows: the first half of them from the front, the rest from the end."""
    if limit is None or limit >= len(order):
        return order
    front = (limit + 1) // 2
    return np.concatenate([order[:front], order[len(order) - (limit - front) :]])


def _mentions(table: OutcomeTable, rows: IntArray, bins: IntArray) -> tuple[Mention, ...]:
    places = Places.of(table, rows)
    solved = right(table)[rows] & right_or_wrong(table)
    return tuple(
        Mention(
            int(bins[at]),
            table.labels[table.label[row]],
            places.document(at),
            places.sentence(at),
            places.line(at),
            places.context(at),
            tuple(name for name, good in zip(table.systems, solved[at], strict=True) if good),
        )
        for at, row in enumerate(rows.tolist())
    )


def _result(
    table: OutcomeTable,
    bins: Bins,
    words: list[str],
    counts: NDArray[np.int64],
    occurrences: list[int],
    *,
    found: int | None = None,
    mentions: tuple[Mention, ...] = (),
    notes: tuple[str, ...] = (),
) -> WordBins:
    return WordBins(
        table.task,
        table.systems,
        tuple(words),
        counts,
        np.array(occurrences, np.int64),
        len(words) if found is None else found,
        mentions,
        signature(table),
        (*table.notes, *notes),
        bins.by,
    )
